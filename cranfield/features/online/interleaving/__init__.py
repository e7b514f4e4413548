"""Two or more rankings in one list; table.py lists the methods."""
