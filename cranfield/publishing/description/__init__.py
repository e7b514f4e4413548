"""The description of a collection for publication: its fields, what is right for each, and what is still open."""
