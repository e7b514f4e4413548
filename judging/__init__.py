"""Judging: assign topics, follow progress, measure agreement, explain labels, exchange work with assessors."""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
