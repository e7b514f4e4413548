"""Every row of the table of coverage; a module has those of its topic in ROWS."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.designs import ab, counterfactual, measures
from benchmarks.designs.design import Design

MODULES = (ab, counterfactual, measures)
TABLE: Mapping[str, Design] = {row.name: row for module in MODULES for row in module.ROWS}
