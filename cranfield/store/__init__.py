"""Stores: import documents, topics, runs, judgments, answers and logs; history, releases, withdrawals.

A store is a collection with its runs, judgments and history in one file. Only this package and those of features know
SQL.
"""

from cranfield.lazy import lazily, listing

__getattr__ = lazily(__name__)
__dir__ = listing(__name__)
