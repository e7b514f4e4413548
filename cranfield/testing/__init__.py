"""Checks that a measure, pooling method, format or extension of your own keeps the laws that Cranfield's own keep."""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
