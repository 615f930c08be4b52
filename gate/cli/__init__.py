"""The command line: click commands that gather options and wire adapters to the shell."""
