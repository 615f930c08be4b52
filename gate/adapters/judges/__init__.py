"""Who is asked for a verdict: providers behind one port, and the patience of asking many times."""
