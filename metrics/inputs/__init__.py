"""What the functions of the Python API accept as runs and qrels, converted to Runs and Qrels (see accepted.py)."""

from __future__ import annotations

from cranfield.metrics.inputs.accepted import QrelsLike, RunsLike, as_judged, as_qrels, as_runs, each_judged, in_order

__all__ = ["QrelsLike", "RunsLike", "as_judged", "as_qrels", "as_runs", "each_judged", "in_order"]
