"""The store: a collection with its runs, judgments and history in one file, and all SQL.

Public functions import documents, topics, runs, judgments, answers and logs into a store, describe and verify its
contents, withdraw and restore parts of it, and name its states.
"""

from cranfield.lazy import lazily, listing

__getattr__ = lazily(__name__)
__dir__ = listing(__name__)
