"""Pools: choose the documents from many runs that assessors judge.

Of runs in memory, of files, or of a store:

    pool_runs              the documents of runs to a depth, or of a stored pool
    simulate_methods       what pooling methods would have found within a budget
    verify_pool            whether runs and depth explain the judgments
    forecast_completeness  how many relevant documents deeper pools would find
    tune_fusion            which way to fuse runs is best on held-out topics
    list_methods           the pooling methods, and the options of one

Of a store only:

    build_pool, extend_pool, compare_pools, summarize_pool, list_unjudged, estimate_from_sample

Each method is in a file of its own in `cranfield.pooling.methods`.
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
