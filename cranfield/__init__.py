"""Cranfield: build test collections, measure systems on them, and check how far to trust them.

These functions analyse a collection and return pandas DataFrames:

    evaluate        the scores of runs                    cranfield evaluate
    compare         which runs differ                     cranfield compare
    correlate       how similar two rankings are          cranfield correlate
    curve           precision and recall                  cranfield curve
    leave_one_out   what a late system would have lost    cranfield reusability
    pool            the documents worth judging           cranfield pool build, pool export
    read_runs, read_qrels                                 runs and judgments as DataFrames

They take a store (its path, or an open Store), or runs followed by judgments: paths, DataFrames, dicts, or records such
as those of ir_measures and ir_datasets. Only `correlate` takes scores. `Store` builds and holds a collection;
`read_corpus` and `read_topics` yield the records of files. `limited` allows longer lines and larger documents. Errors
in the data raise a CranfieldError. Everything is loaded on first use.
"""

from __future__ import annotations

from cranfield.lazy import lazily

__version__ = "0.1.0"
__getattr__ = lazily(__name__)
