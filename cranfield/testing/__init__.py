"""Check whether your own measures, pooling methods, formats and extensions satisfy Cranfield's laws."""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
