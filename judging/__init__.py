"""Judging: a session without any user interface, the line mode on it, and the export of the labels."""

from cranfield.lazy import lazily, listing

__getattr__ = lazily(__name__)
__dir__ = listing(__name__)
