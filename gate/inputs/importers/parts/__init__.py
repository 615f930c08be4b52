"""What importers are made of: readers of a shape of file, and rules that several share."""
