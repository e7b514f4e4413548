"""The commands that build a collection. They parse, call one function, and print."""
