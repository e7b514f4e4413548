"""Judging: assign topics, follow progress, measure agreement, explain labels, exchange work with assessors."""

from cranfield.lazy import lazily, listing

__getattr__ = lazily(__name__)
__dir__ = listing(__name__)
