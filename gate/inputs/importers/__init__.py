"""Other tools' files, read as what they are: one file a tool."""
