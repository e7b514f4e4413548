"""The command line: a command is a file called as it, in the folder of its panel."""
