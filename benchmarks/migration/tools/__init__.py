"""What each tool does for each task: a module for each tool, with a function for each task that it can do.

A function returns what the tool returns. `FIGURES` reads the numbers of it that are compared with those of other tools.
"""
