"""Cranfield: build test collections, measure systems on them, and tell how far they can be trusted.

What analyses a collection is here as functions, which give pandas DataFrames:

    evaluate        the scores of runs                    cranfield evaluate
    compare         which runs differ                     cranfield compare
    correlate       how alike two rankings of systems are cranfield correlate
    curve           precision and recall                  cranfield curve
    leave_one_out   what a late system would have lost    cranfield reusability
    pool            the documents worth judging           cranfield pool build, pool export
    read_runs, read_qrels                                 runs and judgments as DataFrames

They take a store (its path, or an open Store), or runs and then judgments: paths, DataFrames, dicts, or records such as
ir_measures' and ir_datasets'. Only `correlate` takes scores. `Store` builds and holds a collection; `read_corpus` and
`read_topics` give the records of files, one by one. Within `limited` longer lines and larger documents are let in. What
the data is to blame for is a CranfieldError. All is loaded when first used.
"""

from __future__ import annotations

from cranfield.lazy import lazily

__version__ = "0.1.0"
__getattr__ = lazily(__name__)
