"""Cranfield: build test collections, measure systems on them, and check how far to trust them.

Common tasks, where `runs` is a dict of runs by name:

    score a run          cranfield.evaluate(qrels, run, "nDCG@10").frame
    score many runs      cranfield.evaluate(qrels, runs, ["AP", "nDCG@10"], pivot=True).frame
    score each topic     cranfield.evaluate(qrels, runs, "nDCG@10", per_topic=True).frame
    test a difference    cranfield.compare(qrels, runs, "nDCG@10", baseline="bm25").frame
    test all pairs       cranfield.compare(qrels, runs, "nDCG@10", correction="holm").frame
    add a measure        cranfield.metrics.register("FirstTwo", lambda r, rel=1: r.sum(r.relevant(rel, 2)) / 2)
    train a model        cranfield.Evaluator(qrels, "nDCG@10").evaluate(run)
    fuse runs            cranfield.fuse(runs, method="rrf").frame
    pool runs            cranfield.pooling.pool_runs(runs, depth=10).frame
    leave each run out   cranfield.trust.leave_one_out(qrels, runs, by="run", depth=10).frame
    measure agreement    cranfield.judging.measure_agreement({"ada": qrels, "bob": other_qrels}, scale=[0, 1, 2]).frame
    draw scores          cranfield.evaluate(qrels, runs, "AP").plot().savefig("scores.png")
                         (needs pip install 'cranfield[plot]')

Judgments (qrels) and runs have any of these forms:

    dict       qrels {query_id: {doc_id: grade}}, a run {query_id: {doc_id: score}}, runs {name: run}
    path       a file in TREC, CSV, JSON or another format, compressed or not; for runs, also a list or a folder
    DataFrame  qrels: query_id, doc_id, relevance; runs: query_id, doc_id, score and, for several runs, run
    records    objects with these attributes, such as those of ir_measures and ir_datasets
    store      an open Store or its path; it contains judgments and runs, so pass no other data with it

Measure systems:

    evaluate         score runs by measures
    compare          test the differences between runs
    curve            precision-recall curves
    correlate        how similar two rankings of systems are
    fuse             merge many runs into one
    Evaluator        score one run at a time, for example in a training loop

Read collections:

    Store            a collection with its runs, judgments and history in one file
    open_collection  a store, files or objects; `select` chooses a part
    read_runs, read_qrels, read_corpus, read_topics    the contents of files
    limited          temporarily allow longer lines and larger documents

Errors:

    CranfieldError   the base class of all errors
    InputError       an input that cannot be used
    MeasureError     an unknown measure or option
    StoreError       a store that cannot be opened, or that refuses a change

Namespaces:

    metrics          measures as objects, the list of measures, your own measures
    trust            reusability, leave-one-out tests, pool depths, stability, diagnosis of new runs, the report
    store            import documents, topics, runs, judgments, answers and logs; history, releases, withdrawals
    subjects         subjects to score instead of rankings: generated answers, query variations, documents of passages
    topics           sets of topics, hardness of topics, topics to judge next, topics in development
    pooling          pools of runs; build, extend, compare, verify, simulate and forecast pools
    judging          assign topics, follow progress, measure agreement, explain labels, exchange work
    models           label with language models, and audit their labels
    answers          label generated answers with language models
    online           interaction logs, A/B tests and other evaluation from user behaviour
    rounds           the rounds of a collection
    tasks            shared tasks: teams, their runs, results, archive
    recipes          build known collections from their files
    publish          publish a collection as a folder that others can load
    plot             figures of scores, differences and curves
    testing          checks for your own measures, pooling methods, formats and extensions

Functions return a DataFrame or a Result. The table of a Result is `.frame`, `.rows()`, `.to_json()` or `.to_latex()`,
and `.plot()` draws the results of `evaluate`, `compare`, `curve`, `correlate` and others. Tables are long by default;
`pivot=True` makes them wide. Notes on the data are warnings, and errors in the data raise a CranfieldError. For one
function, see its help, such as help(cranfield.evaluate). Cranfield loads everything on first use.
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__version__ = "0.1.0"
__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
