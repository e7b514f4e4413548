"""The options of commands and of the functions of the same name, each declared once."""
