"""The fixture `cranfield_compare` of pytest: a test that fails where a run is worse than a baseline.

pytest loads this module by its entry point; everything else of Cranfield is imported when the fixture is called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, Protocol

import pytest

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.api.inputs import Measures, QrelsGiven
    from cranfield.metrics.inputs import RunsLike


class Compare(Protocol):
    """What the fixture is."""

    def __call__(
        self,
        candidate: RunsLike,
        baseline: RunsLike,
        qrels: QrelsGiven,
        *,
        fail_if: str | Iterable[str] = ...,
        measures: Measures | None = ...,
        pool_runs: RunsLike | None = ...,
        undecided: Literal["fail", "skip", "pass"] = ...,
        **how: Any,
    ) -> DataFrame: ...


@pytest.fixture(scope="session")
def cranfield_compare() -> Compare:
    """A function of a candidate, a baseline and qrels that fails the test where a condition of `fail_if` holds.

    It fails the test as well where unjudged documents leave a condition undecided; with undecided="skip" it skips the
    test, and with "pass" an undecided condition passes. `pool_runs` are the runs that the pool was made from.

    Each run and the qrels are a path, a DataFrame, a dict or records; the qrels may be a store. The conditions are
    those of `cranfield compare --fail-if`, significant-loss by default. Without `measures` those that the conditions
    name are compared, or AP; `how` are the other options of `cranfield.compare`, whose table it returns.
    """
    return _compare


def _compare(
    candidate: RunsLike,
    baseline: RunsLike,
    qrels: QrelsGiven,
    *,
    fail_if: str | Iterable[str] = "significant-loss",
    measures: Measures | None = None,
    pool_runs: RunsLike | None = None,
    undecided: Literal["fail", "skip", "pass"] = "fail",
    **how: Any,
) -> DataFrame:
    __tracebackhide__ = True
    from cranfield.analysis.comparison import never_found, settings_of
    from cranfield.analysis.gate import (
        checks,
        conditions,
        failures,
        measures_of,
        refuse_missing,
        settle_undecided,
        undecided_lines,
    )
    from cranfield.api.inputs import least_relevant, measures_for
    from cranfield.api.measuring import compare_with_families
    from cranfield.errors import InputError, give_warning
    from cranfield.options import CompareOptions

    if undecided not in ("fail", "skip", "pass"):
        raise InputError(f"undecided is {undecided!r}; expected fail, skip or pass")

    gate = conditions([fail_if] if isinstance(fail_if, str) else fail_if, least_relevant((), qrels))
    runs = {"candidate": candidate, "baseline": baseline}
    own = measures_of(gate) if measures is None else ()
    choice = own or measures_for("AP" if measures is None else measures, runs, qrels)
    refuse_missing(gate, choice)
    asked = {"measures": choice, "baseline": "baseline", "pool_runs": pool_runs, **how}
    table, families = compare_with_families(runs, qrels, **asked)
    options = CompareOptions(**{name: value for name, value in how.items() if hasattr(CompareOptions, name)})
    for line in never_found(gate, table, settings_of(options)):
        give_warning(line)
    results = settle_undecided(checks(table, gate, "baseline", families), "pass" if undecided == "pass" else None)
    faults, lines = failures(results), [f"undecided: {line}" for line in undecided_lines(results)]
    if faults or (lines and undecided == "fail"):
        pytest.fail("\n".join([*faults, *(lines if undecided == "fail" else [])]), pytrace=False)
    if lines:
        pytest.skip("\n".join(lines))
    return table
