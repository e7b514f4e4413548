"""Cranfield: build test collections, measure systems on them, and check how far to trust them.

Measure systems:

    evaluate         score runs by measures
    compare          test the differences between runs
    curve            precision-recall curves
    correlate        how similar two rankings of systems are
    fuse             make one run of many
    Evaluator        score one run at a time, as a training loop needs it

Read collections:

    Store            a collection with its runs, judgments and history in one file
    open_collection  a store, files or objects, of which `select` takes a part
    read_runs, read_qrels, read_corpus, read_topics    what is in files
    limited          allow longer lines and larger documents for a while

Errors:

    CranfieldError   the base class of all errors
    InputError       an input that cannot be used
    MeasureError     an unknown measure or option
    StoreError       a store that cannot be opened, or that refuses a change

Namespaces:

    metrics          measures as objects, their notation and names
    trust            reusability, leave-one-out tests, pool depths, stability, diagnosis of new runs, the report
    store            import documents, topics, runs, judgments, answers and logs; history, releases, withdrawals
    subjects         what to score instead of rankings: generated answers, variations of topics, documents of passages
    topics           sets of topics, how hard topics are, which to judge next, topics in development
    pooling          build, extend, compare, verify, simulate and forecast pools
    judging          assign topics, follow progress, measure agreement, explain labels, exchange work
    models           label with language models, and audit their labels
    answers          label generated answers with language models
    online           interaction logs, A/B tests and other evaluation by what users do
    rounds           the rounds of a collection that lives
    tasks            shared tasks: teams, their runs, results, archive
    recipes          build known collections from their files
    publish          publish a collection as a folder that others can load
    plot             figures of scores, differences and curves

The functions take a store (its path, or an open Store), or qrels followed by runs: paths, DataFrames, dicts, or records
such as those of ir_measures and ir_datasets; `correlate` takes scores. They return pandas DataFrames, long by default
and wide with `pivot=True`, or a Result, whose table is `.frame`, `.rows()`, `.to_json()` or `.to_latex()`. Notes of the
commands are warnings, errors in the data a CranfieldError. docs/python.md has the function of each command. Everything
is loaded on first use.
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__version__ = "0.1.0"
__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
