"""The interaction log: its measures with intervals over users, and the experiments in it."""

from collections.abc import Sequence

from cranfield.features.online.analysis.log import GROUPINGS, chosen_log, first_groups, online_rows
from cranfield.features.online.report import experiment_blocks, experiment_results, measure_blocks
from cranfield.features.online.store.read import LogChoice, has_log
from cranfield.report.blocks import Block, Text
from cranfield.store.store import Store
from cranfield.web.language import translatable
from cranfield.web.look.labels import choice_parameter
from cranfield.web.look.page_text import remedy_links
from cranfield.web.look.view import LookView, Parameter, Query, QueryError, Row, short_text

MOST = 20  # positions or queries
GROUPS = choice_parameter("by", translatable("By"), list(GROUPINGS))


def _names(store: Store) -> list[str]:
    from cranfield.features.online.store.read import experiments

    return ["", *experiments(store)]


def _experiment(store: Store, text: str) -> str:
    if text not in _names(store):
        raise QueryError(translatable("no experiment %(name)s in this store"), 404, name=short_text(text))
    return text


NO_LOG = translatable("There is no interaction log yet.")
EXPERIMENT = Parameter(
    "experiment", translatable("Experiment"), _experiment, choices=_names, nothing=translatable("all")
)


def _rows(store: Store, query: Query) -> Sequence[Row]:
    if not has_log(store):
        return []
    return online_rows(chosen_log(store, LogChoice(query["experiment"])), query["by"])


def _parts(store: Store, query: Query) -> Sequence[Block]:
    if not has_log(store):
        return [Text(NO_LOG), *remedy_links("import log", query.language)]
    rows, by = [dict(row) for row in _rows(store, query)], query["by"]
    if not rows:
        return [Text(translatable("Too few users: no row of this table has enough users to be listed."))]
    first, groups = first_groups(rows, by, MOST)
    more = by in ("position", "query") and groups > MOST
    limit = query.language.gettext(
        "The first %(shown)s of %(all)s rows are shown.", shown=MOST, all=format(groups, ",")
    )
    return [*measure_blocks(first, by), *([Text(limit)] if more else [])]


LOG = LookView(
    translatable("Interaction log"),
    _rows,
    (GROUPS, EXPERIMENT),
    _parts,
    entry=translatable("Log"),
    heavy=True,
    has_data=has_log,
)


NO_EXPERIMENT = translatable(
    "There is no experiment yet. An experiment needs an interaction log that names the arm or teams of each list."
)


def _experiment_parts(store: Store, query: Query) -> Sequence[Block]:
    rows = experiment_results(store)
    return experiment_blocks(rows) if rows else [Text(NO_EXPERIMENT), *remedy_links("import log", query.language)]


EXPERIMENTS = LookView(
    translatable("Experiments"),
    lambda store, query: experiment_results(store),
    parts=_experiment_parts,
    entry=translatable("Experiments"),
    heavy=True,
    has_data=lambda store: len(_names(store)) > 1,
)
