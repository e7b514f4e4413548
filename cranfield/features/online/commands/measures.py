"""`measures --online`, and the names that the shell completes."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from cranfield.cli.completion import listed, single
from cranfield.cli.tables import TableFormat, emit, say


class OnlineMeasures(NamedTuple):
    """Whether measures are those of logs."""

    online: Annotated[
        bool,
        typer.Option("--online", help="List the measures of interaction logs, which `cranfield online show` takes."),
    ] = False


def list_measures(asked: OnlineMeasures, name: str | None, format: TableFormat, output: Path | None) -> None:
    """List the measures of logs, or describe one."""
    from cranfield.features.online.measures import ONLINE_MEASURES, online_measure

    if name is not None:
        say(online_measure(name).about)
        return
    emit([{"measure": str(each), "what": each.description} for each in ONLINE_MEASURES.values()], format, output)


def about(name: str) -> str:
    """What a measure of logs is about; nothing of another.

    >>> about("ctr@10").partition(",")[0], about("AP")
    ('CTR', '')
    """
    from cranfield.features.online.measures import ONLINE_MEASURES, online_measure

    return online_measure(name).about if name.partition("@")[0].lower() in map(str.lower, ONLINE_MEASURES) else ""


def completed(*_: object) -> Iterable[str]:
    """Each measure of logs, and where it takes a cutoff, with common ones."""
    from cranfield.features.online.measures import ONLINE_MEASURES

    for measure in ONLINE_MEASURES.values():
        yield measure.name
        yield from (f"{measure.name}@{cutoff}" for cutoff in (1, 5, 10) if measure.has_cutoff)


def _interleaving(*_: object) -> Iterable[str]:
    from cranfield.features.online.interleaving.table import METHODS

    return METHODS


def _click_models(*_: object) -> Iterable[str]:
    from cranfield.features.online.click_models.table import CLICK_MODELS

    return CLICK_MODELS


def _estimators(*_: object) -> Iterable[str]:
    from cranfield.features.online.counterfactual.estimators import ESTIMATORS

    return ESTIMATORS


ONLINE, ONLINE_MEASURE, INTERLEAVING = listed(completed), single(completed), single(_interleaving)
CLICK_MODELS, ESTIMATORS = listed(_click_models), listed(_estimators)
PROPENSITIES = single(lambda *_: ("logged", "pbm", "swap"))
