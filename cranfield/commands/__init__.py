"""The capabilities: one plain function each, of which cranfield/cli/build.py makes a command. Each returns a Result."""
