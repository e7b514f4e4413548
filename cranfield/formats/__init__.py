"""The file formats of the field: corpora, topics, runs and qrels, read by their content and written back.

Formats are in one file a family, and each is one entry in `table.py`.
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
