"""Click models of a store's log: their parameters, how well they predict held-out sessions, and silver labels.

A silver label is a click model's relevance as a grade, by an assessor of kind model.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.features.online.click_models import ClickPrediction, click_model, predict
from cranfield.features.online.click_models.model import (
    STEPS,
    ClickedLists,
    ClickModel,
    Fit,
    QueryDocuments,
    clicked_lists,
    connected_ranks,
    pairs_of,
    split,
)
from cranfield.features.online.estimates import known_units, units_of
from cranfield.features.online.interactions import Interactions
from cranfield.formats import Vote, Votes
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.store.votes import import_votes
from cranfield.text import counted

Row = dict[str, Any]


class FittedModel(NamedTuple):
    """A model, its parameters, and how well it predicts what was held out; None where nothing was."""

    model: ClickModel
    fit: Fit
    prediction: ClickPrediction | None


class ClickFits(NamedTuple):
    """The models of a log; `impressions` and `clicks` of each pair are those of the whole log."""

    log: Interactions
    pairs: QueryDocuments
    lists: int  # fitted
    held_out: int
    different: int  # of the lists fitted, with their clicks
    impressions: Ints
    clicks: Ints
    models: Sequence[FittedModel]
    connected: Ints  # the group of each rank whose examinations can be compared

    @property
    def notes(self) -> list[str]:
        """What the log cannot tell of the models."""
        groups = len(np.unique(self.connected))
        if groups == 1 or not any(one.model.name == "pbm" for one in self.models):
            return []
        found = f"no clicked document connects the {groups} groups of the {len(self.connected)} ranks in the log"
        return [f"pbm: {found}, so examination and attractiveness cannot be compared between groups"]


def click_fits(
    log: Interactions, names: Sequence[str], test: float = 0, seed: int = 0, steps: int = STEPS
) -> ClickFits:
    """Fit models to a log, or to all but a share `test` of its sessions, which they then predict.

    >>> from cranfield.features.online.interactions import example
    >>> click_fits(example("ab:b"), ["pbm", "cm"])
    Traceback (most recent call last):
    cranfield.errors.InputError: several models can only be compared on held-out sessions; add a test share, such as
    0.25
    """
    models = [click_model(name) for name in names]
    if len(models) > 1 and not test:
        raise InputError("several models can only be compared on held-out sessions; add a test share, such as 0.25")
    pairs, number = pairs_of(log)
    if not log.clicks.any():
        raise InputError(f"none of the {counted(len(log), 'list')} was clicked; expected lists with clicks")
    train, rest = _parts(log, number, test, seed)
    fits = [(model, model.fit(train, steps)) for model in models]
    return ClickFits(
        log,
        pairs,
        int(train.count.sum()),
        held_out=0 if rest is None else int(rest.count.sum()),
        different=len(train.count),
        impressions=np.bincount(number, minlength=len(pairs.document)),
        clicks=np.bincount(number, log.clicks, minlength=len(pairs.document)).astype(np.int64),
        models=[FittedModel(model, fit, None if rest is None else predict(model, fit, rest)) for model, fit in fits],
        connected=connected_ranks(train),
    )


def _parts(log: Interactions, number: Ints, test: float, seed: int) -> tuple[ClickedLists, ClickedLists | None]:
    if not test:
        return clicked_lists(log), None
    is_test = split(log, test, seed)
    train, test_lists = clicked_lists(log, ~is_test), clicked_lists(log, is_test)
    if not (train.shown.any() and test_lists.shown.any()):
        raise InputError(
            f"a test share of {test:g} leaves no sessions to fit or no sessions to predict; choose another share"
        )
    return train, test_lists


def prediction_rows(fits: ClickFits) -> list[Row]:
    """One row per model: how well it predicts."""
    return [
        {"model": one.model.name, "log_likelihood": by.log_likelihood, "perplexity": by.perplexity,
         "conditional_perplexity": by.conditional_perplexity, "excluded_clicks": by.exclusions}
        for one in fits.models if (by := one.prediction) is not None
    ]  # fmt: skip


def parameter_rows(fits: ClickFits) -> list[Row]:
    """One row per parameter that all documents share; ranks count from 1, and `after` is the rank of the last click."""
    return [
        {"model": one.model.name, "parameter": name, "of": place, "value": value}
        for one in fits.models
        for name, values in one.fit.shared.items()
        for place, value in _places(one.model, values)
    ]


CASCADE_STATES = {"ccm": ("no click", "an unsatisfying click", "a satisfying click")}


def _places(model: ClickModel, values: Floats) -> Iterator[tuple[str, float]]:
    if values.ndim == 2:
        for rank in range(len(values)):
            for last in range(rank + 1):
                yield (
                    f"rank {rank + 1}, " + (f"after a click at rank {last}" if last else "no click above"),
                    float(values[rank, last]),
                )
    elif len(values) == 1:
        yield "all", float(values[0])
    else:
        names = CASCADE_STATES.get(model.name) or [f"rank {rank + 1}" for rank in range(len(values))]
        yield from zip(names, map(float, values), strict=True)


def parameters_by_rank(one: FittedModel) -> dict[str, Floats]:
    """The parameters that depend on the rank, or on the rank and the last click above."""
    is_ranked = one.model.name not in CASCADE_STATES
    return {name: values for name, values in one.fit.shared.items() if is_ranked and len(values) > 1}


def relevance_rows(fits: ClickFits, one: FittedModel, min_users: int) -> Iterator[Row]:
    """One row per pair: its parameters; queries of fewer than `min_users` users that are no topics are left out."""
    names, topics = fits.log.queries.names, fits.log.topics.names
    documents, relevance = fits.log.documents.names, one.fit.relevance
    if relevance is None:
        raise InputError(f"{one.model.name} has no document parameters; choose another model")
    # the pairs whose query is a topic, or was asked by enough known users
    log, has_unit = fits.log, known_units(fits.log)
    queries = np.unique(np.column_stack([log.query, units_of(log)])[has_unit], axis=0)[:, 0]
    users = np.bincount(queries, minlength=len(log.queries.names))
    enough = np.asarray((fits.pairs.topic >= 0) | (users[fits.pairs.query] >= min_users))
    for row in np.flatnonzero(enough).tolist():
        topic, query = int(fits.pairs.topic[row]), int(fits.pairs.query[row])
        yield {
            "query_id": topics[topic] if topic >= 0 else None, "query": names[query],
            "doc_id": documents[fits.pairs.document[row]], "impressions": int(fits.impressions[row]),
            "clicks": int(fits.clicks[row]),
            **{name: float(values[row]) for name, values in one.fit.documents.items()},
            "relevance": float(relevance[row]),
        }  # fmt: skip


def as_document(fits: ClickFits) -> Row:
    """The JSON."""
    return {
        "lists": fits.lists,
        "held_out": fits.held_out,
        "different_lists": fits.different,
        "pairs": len(fits.pairs.document),
        "models": [
            {
                "model": one.model.name,
                "parameters": {name: values.tolist() for name, values in one.fit.shared.items()},
                "prediction": None if one.prediction is None else _prediction(one.prediction),
            }
            for one in fits.models
        ],
    }


def _prediction(by: ClickPrediction) -> Row:
    return {
        "log_likelihood": by.log_likelihood, "perplexity": by.perplexity, "perplexity_by_rank": by.by_rank.tolist(),
        "conditional_perplexity": by.conditional_perplexity,
        "conditional_perplexity_by_rank": by.conditional_by_rank.tolist(), "excluded_clicks": by.exclusions,
    }  # fmt: skip


ENOUGH = 10  # impressions of a pair


def thresholds_of(grades: Sequence[int], thresholds: Sequence[float] = ()) -> dict[int, float]:
    """The least relevance of each grade but the lowest: as given, or equal steps from 0 to 1.

    >>> thresholds_of([0, 1]), thresholds_of([0, 1, 2, 3], [0.1, 0.2, 0.4])
    ({1: 0.5}, {1: 0.1, 2: 0.2, 3: 0.4})
    """
    above = sorted(grades)[1:]
    steps = list(thresholds) or [(place + 1) / len(grades) for place in range(len(above))]
    if len(steps) != len(above) or steps != sorted(set(steps)) or not all(0 < step < 1 for step in steps):
        raise InputError(
            f"thresholds {', '.join(f'{step:g}' for step in steps)}; expected"
            f" {counted(len(above), 'increasing number')} between 0 and 1, one for each grade above {min(grades)}"
        )
    return dict(zip(above, steps, strict=True))


def store_labels(
    store: Store,
    fits: ClickFits,
    one: FittedModel,
    thresholds: Mapping[int, float],
    *,
    enough: int = ENOUGH,
    assessor: str | None = None,
) -> tuple[str, int]:
    """Store the labels of all pairs of a topic with enough impressions; the assessor's name, and how many."""
    name = assessor or f"clicks-{one.model.name}"
    relevance = one.fit.relevance
    if relevance is None:
        raise InputError(f"{one.model.name} has no document parameters; choose another model")
    if name in assessors(store):
        raise InputError(f"assessor {name!r} already exists; choose another name for these labels")
    rows = np.flatnonzero((fits.pairs.topic >= 0) & (fits.impressions >= enough))
    if not len(rows):
        raise InputError(
            f"no document was shown at least {counted(enough, 'time')} for a topic of this store;"
            " lower --min-impressions"
        )
    lowest = min(store.collection.grades)
    place = np.searchsorted(list(thresholds.values()), relevance[rows], side="right")
    grades = [lowest, *thresholds]
    topics, documents = fits.log.topics.names, fits.log.documents.names
    votes = [
        Vote(record, name, topics[fits.pairs.topic[row]], docno=documents[fits.pairs.document[row]], state="label",
             grade=str(grades[grade]))
        for record, (row, grade) in enumerate(zip(rows.tolist(), place.tolist(), strict=True), 1)
    ]  # fmt: skip
    import_votes(store, Votes("clicks", Path(f"{one.model.name} of the log"), votes), kind="model")
    return name, len(votes)
