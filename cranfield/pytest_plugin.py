"""The fixture `cranfield_compare` of pytest: a test that fails where a run is worse than a baseline.

pytest loads this module by its entry point; everything else of Cranfield is imported when the fixture is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol
from warnings import catch_warnings

import pytest

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.metrics.forecast.random_draw import RandomDraw
    from cranfield.metrics.inputs import RunsLike
    from cranfield.view import Measures, QrelsGiven


class Compare(Protocol):
    """What the fixture is."""

    def __call__(
        self,
        qrels: QrelsGiven,
        candidate: RunsLike,
        baseline: RunsLike,
        *,
        fail_if: str | Iterable[str] = ...,
        measures: Measures | None = ...,
        pool_runs: RunsLike | None = ...,
        undecided: Literal["fail", "skip", "pass"] = ...,
        **how: Any,
    ) -> DataFrame: ...


@pytest.fixture(scope="session")
def cranfield_compare() -> Compare:
    """A function of qrels, a candidate and a baseline that fails the test where a condition of `fail_if` holds.

    It fails the test as well where unjudged documents leave a condition undecided; with undecided="skip" it skips the
    test, and with "pass" an undecided condition passes. `pool_runs` are the runs that the pool was made from; a store
    that is given as `qrels` has them. `drawn` names draws of the candidate or the baseline, by its tag or file.

    The qrels and each run are a path, a DataFrame, a dict or records; the qrels may be a store. The conditions are
    those of `cranfield compare --fail-if`, significant-loss by default. Without `measures` those that the conditions
    name are compared, or AP; `how` are the other options of `cranfield.compare`, whose table it returns.
    """
    return _compare_in_python


def _compare_in_python(*qrels_and_runs: Any, **how: Any) -> DataFrame:
    __tracebackhide__ = True
    from cranfield.options.arguments import keywords_in_errors

    with keywords_in_errors(["runs", "teams"]):
        return _compare(*qrels_and_runs, **how)


def _compare(
    qrels: QrelsGiven,
    candidate: RunsLike,
    baseline: RunsLike,
    *,
    fail_if: str | Iterable[str] = "significant-loss",
    measures: Measures | None = None,
    pool_runs: RunsLike | None = None,
    undecided: Literal["fail", "skip", "pass"] = "fail",
    **how: Any,
) -> DataFrame:
    __tracebackhide__ = True
    from cranfield.analysis.comparison import unreachable_gate_notes
    from cranfield.analysis.gate import (
        check_conditions,
        failure_lines,
        measures_of,
        parse_conditions,
        refuse_missing,
        settle_undecided,
        undecided_lines,
    )
    from cranfield.commands.comparison import compare
    from cranfield.errors import InputError, give_warning
    from cranfield.view import measures_for, min_relevant_grade

    if undecided not in ("fail", "skip", "pass"):
        raise InputError(f"undecided is {undecided!r}; expected fail, skip or pass")

    gate = parse_conditions([fail_if] if isinstance(fail_if, str) else fail_if, min_relevant_grade((), qrels))
    runs = {"candidate": candidate, "baseline": baseline}
    own = measures_of(gate) if measures is None else ()
    choice = own or measures_for("AP" if measures is None else measures, runs, qrels)
    refuse_missing(gate, choice)
    if pool_runs is None:
        pool_runs = _pool_runs_of_store(qrels)
    if how.get("drawn") is not None:
        how = {**how, "drawn": _draws_by_role(how["drawn"], runs)}
    asked = {"measures": choice, "baseline": "baseline", "pool_runs": pool_runs, **how}
    found = compare(qrels, runs, **asked)
    for line in unreachable_gate_notes(gate, found.table, found.settings):
        give_warning(line)
    results = check_conditions(found.table, gate, "baseline", found.families, found.lack)
    results = settle_undecided(results, "pass" if undecided == "pass" else None)
    faults, lines = failure_lines(results), [f"undecided: {line}" for line in undecided_lines(results)]
    if faults or (lines and undecided == "fail"):
        pytest.fail("\n".join([*faults, *(lines if undecided == "fail" else [])]), pytrace=False)
    if lines:
        pytest.skip("\n".join(lines))
    return found.table


def _pool_runs_of_store(qrels: QrelsGiven) -> RunsLike | None:
    """The runs that the pool of a store was made from; None for other judgments, and where the store has none."""
    from cranfield.analysis.contributors import with_contributors
    from cranfield.view import View, find_store

    if find_store(qrels) is None:
        return None
    with catch_warnings(action="ignore"):
        view = with_contributors(View(qrels))
    who = view.contributors
    return view.runs.loaded.select(who.runs) if who is not None and who.runs and not who.refusal else None


def _draws_by_role(drawn: Any, runs: Mapping[str, RunsLike]) -> list[RandomDraw]:
    """The draws of files under the names candidate and baseline, found by the tag or the file of each run."""
    from cranfield.formats.files import read_text
    from cranfield.formats.given_files import file_name_without_suffixes
    from cranfield.metrics.forecast.random_draw import parse_draw
    from cranfield.metrics.inputs import as_runs

    roles = {role: role for role in runs}
    for role, run in runs.items():
        roles |= dict.fromkeys(
            [*as_runs(run).tags, *([file_name_without_suffixes(run)] if isinstance(run, str | PathLike) else [])], role
        )
    paths = [drawn] if isinstance(drawn, str | PathLike) else [*(drawn or ())]
    draws = [parse_draw(read_text(path), str(path)) for path in paths]
    return [replace(draw, run=roles.get(draw.run, draw.run)) for draw in draws]
