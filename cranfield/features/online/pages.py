"""The interaction log: its measures with intervals over users, and the experiments in it."""

from collections.abc import Sequence

from cranfield.features.online.analysis.log import GROUPINGS, chosen_log, first_groups, online_rows
from cranfield.features.online.report import experiment_blocks, experiment_results, measure_blocks
from cranfield.features.online.store.read import LogChoice, has_log
from cranfield.report.blocks import Block, Text
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.web.look.labels import choice
from cranfield.web.look.view import LookView, Parameter, Query, QueryError, Row, short_text

MOST = 20  # positions or queries
GROUPS = choice("by", "By", list(GROUPINGS))


def _names(store: Store) -> list[str]:
    from cranfield.features.online.store.read import experiments

    return ["", *experiments(store)]


def _experiment(store: Store, text: str) -> str:
    if text not in _names(store):
        raise QueryError(f"no experiment {short_text(text)} in this store", 404)
    return text


EXPERIMENT = Parameter("experiment", "Experiment", _experiment, choices=_names, nothing="all")


def _rows(store: Store, query: Query) -> Sequence[Row]:
    if not has_log(store):
        return []
    return online_rows(chosen_log(store, LogChoice(query["experiment"])), query["by"])


def _parts(store: Store, query: Query) -> Sequence[Block]:
    if not has_log(store):
        return [Text("There is no interaction log in this store; cranfield import log adds one.")]
    rows, by = [dict(row) for row in _rows(store, query)], query["by"]
    if not rows:
        return [Text(f"No {by} has enough users to be shown.")]
    first, groups = first_groups(rows, by, MOST)
    more = by in ("position", "query") and groups > MOST
    limit = f"The first {MOST} of {counted(groups, by, 'queries' if by == 'query' else '')} are shown."
    return [*measure_blocks(first, by), *([Text(limit)] if more else [])]


LOG = LookView("Interaction log", _rows, (GROUPS, EXPERIMENT), _parts, entry="Log", heavy=True)


NONE = "No experiment yet: `cranfield import log` brings lists with their arms or teams."


def _experiment_parts(store: Store, query: Query) -> Sequence[Block]:
    rows = experiment_results(store)
    return experiment_blocks(rows) if rows else [Text(NONE)]


EXPERIMENTS = LookView(
    "Experiments", lambda store, query: experiment_results(store), parts=_experiment_parts, entry="Experiments",
    heavy=True,
)  # fmt: skip
