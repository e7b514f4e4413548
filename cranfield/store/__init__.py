"""Stores: import documents, topics, runs, judgments, answers and logs; history, releases, withdrawals.

A store is a collection with its runs, judgments and history in one file. Only this package and those of features know
SQL.
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
