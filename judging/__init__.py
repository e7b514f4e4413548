"""Judging: a session without any user interface, the line mode on it, and the export of the labels."""
