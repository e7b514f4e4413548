"""The file formats of the field: corpora, topics, runs and qrels, read by their content and written back.

Formats are in one file a family, and each is one entry in `table.py`.
"""

from cranfield.lazy import lazily, listing

__getattr__ = lazily(__name__)
__dir__ = listing(__name__)
