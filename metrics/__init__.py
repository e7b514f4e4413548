"""Measures and what is built on them: evaluation, correlation, reusability.

`MEASURES` is the table of all measures in display order, and each of them is here under its name; `parse` turns a name
into one; `register` adds your own; `to_ir_measures` makes objects for ir_measures and PyTerrier; `tasks_for` advises
which to use for a task. They are loaded on first use, so the command line starts without numpy.

>>> from cranfield.metrics import nDCG, parse
>>> parse("ndcg_cut_10"), nDCG(gains="exp")@10
(nDCG@10, nDCG(gains="exp")@10)
"""

from cranfield.lazy import lazy_dir, lazy_getattr

__getattr__ = lazy_getattr(__name__)
__dir__ = lazy_dir(__name__)
