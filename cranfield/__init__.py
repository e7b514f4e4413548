"""Cranfield: build test collections, measure systems on them, and check how far to trust them.

Every command has a function: `cranfield pool build` is `pool_build`. A few have another name:

    leave_one_out   the numbers of `cranfield reusability` as a table; `reusability` returns the verdict
    pool            the documents worth judging, as `cranfield pool export` writes them
    disagreements   `cranfield adjudicate --list`
    search_corpus   `cranfield search`
    write_report    `cranfield report`
    read_runs, read_qrels, read_corpus, read_topics    what is in files

They take a store (its path, or an open Store), or qrels followed by runs: paths, DataFrames, dicts, or records such
as those of ir_measures and ir_datasets; `correlate` takes scores. They return pandas DataFrames, long by default and
wide with `pivot=True`, or a Result: its table is `.frame`, `.rows()`, `.to_json()` or `.to_latex()`. `Store` builds and
holds a collection. `limited` allows longer lines and larger documents. Notes of the commands are warnings, errors in
the data a CranfieldError. Everything is loaded on first use.
"""

from cranfield.lazy import lazily, listing

__version__ = "0.1.0"
__getattr__ = lazily(__name__)
__dir__ = listing(__name__)
