"""Judging: assign topics, follow progress, measure agreement, explain labels, exchange files with assessors.

Of qrels of several assessors, or of a store:

    measure_agreement    kappa, alpha, overlap and other coefficients, with intervals
    compare_judgments    which labels of two sides differ, and what that changes for the runs
    rehearse             what a judging plan would cost, and the agreement to expect

Of a store only: assign topics to assessors (`assign_topics`), follow them (`progress`), see what they label differently
(`list_disagreements`) and why a label is what it is (`explain_label`), exchange work (`export_page`, `import_bundle`).
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
