"""Measures, and the analyses that use them: evaluation, correlation, reusability.

Each measure is here under its name, such as `AP`, `nDCG` and `P`:

    list_measures      list all measures, or describe one: list_measures("nDCG")
    parse              the measure of a name: parse("ndcg_cut_10")
    register           add a measure of your own, which is a function
    tasks_for          which measures to use for a task
    to_ir_measures     objects for ir_measures and PyTerrier
    retrieved_run      a run of what a retriever returned
    p_mrr, instruction_change    how far runs follow a change of the instructions

`cranfield.evaluate` scores runs by them. `MEASURES` has all of them in display order. They are loaded on first use, so
the command line starts without numpy.

>>> from cranfield.metrics import nDCG, parse
>>> parse("ndcg_cut_10"), nDCG(gains="exp")@10
(nDCG@10, nDCG(gains="exp")@10)
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
