"""The file formats of the field: corpora, topics, runs and qrels, read by their content and written back.

A format is one file here and one line in `table.py`.
"""

from cranfield.lazy import lazily, listed

__getattr__ = lazily(__name__)
__dir__ = listed(__name__)
