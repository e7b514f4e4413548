"""Click models of a store's log: their parameters, how well they predict held-out sessions, and silver labels.

A silver label is a click model's relevance as a grade, by an assessor of kind model.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.features.online.click_models import ClickPrediction, click_model, predicted
from cranfield.features.online.click_models.model import (
    STEPS,
    ClickedLists,
    ClickModel,
    Fit,
    QueryDocuments,
    clicked_lists,
    pairs_of,
    split,
)
from cranfield.features.online.estimates import known_units, units_of
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


def click_fits(
    log: Interactions, names: Sequence[str], test: float = 0, seed: int = 0, steps: int = STEPS
) -> ClickFits:
    """Fit models to a log, or to all but a share `test` of its sessions, which they then predict.

    >>> from cranfield.arrays.interactions import example
    >>> click_fits(example("ab:b"), ["pbm", "cm"])
    Traceback (most recent call last):
    cranfield.errors.InputError: models are compared on held-out sessions, never on those they were fitted to; add a
    test share, such as 0.25
    """
    models = [click_model(name) for name in names]
    if len(models) > 1 and not test:
        raise InputError(
            "models are compared on held-out sessions, never on those they were fitted to; add a test share, such as"
            " 0.25"
        )
    pairs, number = pairs_of(log)
    train, held = _parts(log, number, test, seed)
    fits = [(model, model.fit(train, steps)) for model in models]
    return ClickFits(
        log,
        pairs,
        int(train.count.sum()),
        held_out=0 if held is None else int(held.count.sum()),
        different=len(train.count),
        impressions=np.bincount(number, minlength=len(pairs.document)),
        clicks=np.bincount(number, log.clicks, minlength=len(pairs.document)).astype(np.int64),
        models=[FittedModel(model, fit, None if held is None else predicted(model, fit, held)) for model, fit in fits],
    )


def _parts(log: Interactions, number: Ints, test: float, seed: int) -> tuple[ClickedLists, ClickedLists | None]:
    if not test:
        return clicked_lists(log), None
    held = split(log, test, seed)
    train, told = clicked_lists(log, ~held), clicked_lists(log, held)
    if not (train.shown.any() and told.shown.any()):
        raise InputError(f"a share of {test:g} of the sessions leaves nothing to fit or nothing to predict")
    return train, told


def prediction_rows(found: ClickFits) -> list[Row]:
    """One row per model: how well it predicts."""
    rows = []
    for one in found.models:
        if (told := one.prediction) is not None:
            rows.append(
                {"model": one.model.name, "log_likelihood": told.log_likelihood, "perplexity": told.perplexity,
                 "conditional_perplexity": told.conditional_perplexity, "excluded_clicks": told.excluded}
            )  # fmt: skip
    return rows


def parameter_rows(found: ClickFits) -> list[Row]:
    """One row per parameter that all documents share; ranks count from 1, and `after` is the rank of the last click."""
    return [
        {"model": one.model.name, "parameter": name, "of": place, "value": value}
        for one in found.models
        for name, values in one.fit.shared.items()
        for place, value in _places(one.model, values)
    ]


AFTER = {"ccm": ("no click", "a click that did not satisfy", "a click that did")}


def _places(model: ClickModel, values: Floats) -> Iterator[tuple[str, float]]:
    if values.ndim == 2:
        for rank in range(len(values)):
            for last in range(rank + 1):
                yield (
                    f"rank {rank + 1}, " + (f"after a click at {last}" if last else "no click above"),
                    float(values[rank, last]),
                )
    elif len(values) == 1:
        yield "all", float(values[0])
    else:
        names = AFTER.get(model.name) or [f"rank {rank + 1}" for rank in range(len(values))]
        yield from zip(names, map(float, values), strict=True)


def parameters_by_rank(one: FittedModel) -> dict[str, Floats]:
    """The parameters that depend on the rank, or on the rank and the last click above."""
    of_ranks = one.model.name not in AFTER
    return {name: values for name, values in one.fit.shared.items() if of_ranks and len(values) > 1}


def relevance_rows(found: ClickFits, fitted: FittedModel, min_users: int) -> Iterator[Row]:
    """One row per pair: its parameters; queries of fewer than `min_users` users that are no topics are left out."""
    names, topics = found.log.queries.names, found.log.topics.names
    documents, relevance = found.log.documents.names, fitted.fit.relevance
    if relevance is None:
        raise InputError(f"{fitted.model.name} has no parameters of documents; choose another model")
    kept = known_widely(found, min_users)
    for row in np.flatnonzero(kept).tolist():
        topic, query = int(found.pairs.topic[row]), int(found.pairs.query[row])
        yield {
            "query_id": topics[topic] if topic >= 0 else None, "query": names[query],
            "doc_id": documents[found.pairs.document[row]], "impressions": int(found.impressions[row]),
            "clicks": int(found.clicks[row]),
            **{name: float(values[row]) for name, values in fitted.fit.documents.items()},
            "relevance": float(relevance[row]),
        }  # fmt: skip


def known_widely(found: ClickFits, min_users: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The pairs whose query is a topic, or was asked by so many users that are known."""
    log, known = found.log, known_units(found.log)
    asked = np.unique(np.column_stack([log.query, units_of(log)])[known], axis=0)[:, 0]
    users = np.bincount(asked, minlength=len(log.queries.names))
    return np.asarray((found.pairs.topic >= 0) | (users[found.pairs.query] >= min_users))


def as_document(found: ClickFits) -> Row:
    """The JSON."""
    return {
        "lists": found.lists,
        "held_out": found.held_out,
        "different_lists": found.different,
        "pairs": len(found.pairs.document),
        "models": [
            {
                "model": one.model.name,
                "parameters": {name: values.tolist() for name, values in one.fit.shared.items()},
                "prediction": None if one.prediction is None else _prediction(one.prediction),
            }
            for one in found.models
        ],
    }


def _prediction(told: ClickPrediction) -> Row:
    return {
        "log_likelihood": told.log_likelihood, "perplexity": told.perplexity,
        "perplexity_by_rank": told.by_rank.tolist(), "conditional_perplexity": told.conditional_perplexity,
        "conditional_perplexity_by_rank": told.conditional_by_rank.tolist(), "excluded_clicks": told.excluded,
    }  # fmt: skip


ENOUGH = 10  # impressions of a pair


def thresholds_of(grades: Sequence[int], given: Sequence[float] = ()) -> dict[int, float]:
    """The least relevance of each grade but the lowest: as given, or equal steps from 0 to 1.

    >>> thresholds_of([0, 1]), thresholds_of([0, 1, 2, 3], [0.1, 0.2, 0.4])
    ({1: 0.5}, {1: 0.1, 2: 0.2, 3: 0.4})
    """
    above = sorted(grades)[1:]
    steps = list(given) or [(place + 1) / len(grades) for place in range(len(above))]
    if len(steps) != len(above) or steps != sorted(set(steps)) or not all(0 < step < 1 for step in steps):
        raise InputError(
            f"thresholds {', '.join(f'{step:g}' for step in steps)}; expected {len(above)} rising numbers between 0 and"
            f" 1, one for each grade above {min(grades)}"
        )
    return dict(zip(above, steps, strict=True))


def store_labels(
    store: Store,
    found: ClickFits,
    fitted: FittedModel,
    thresholds: Mapping[int, float],
    *,
    enough: int = ENOUGH,
    assessor: str | None = None,
) -> tuple[str, int]:
    """Store the labels of all pairs of a topic with enough impressions; the assessor's name, and how many."""
    name = assessor or f"clicks-{fitted.model.name}"
    relevance = fitted.fit.relevance
    if relevance is None:
        raise InputError(f"{fitted.model.name} has no parameters of documents; choose another model")
    if name in assessors(store):
        raise InputError(f"assessor {name!r} already exists; choose another name for these labels")
    rows = np.flatnonzero((found.pairs.topic >= 0) & (found.impressions >= enough))
    if not len(rows):
        raise InputError(f"no document was shown {counted(enough, 'time')} or more for a topic of this store")
    lowest = min(store.collection.grades)
    place = np.searchsorted(list(thresholds.values()), relevance[rows], side="right")
    grades = [lowest, *thresholds]
    topics, documents = found.log.topics.names, found.log.documents.names
    votes = [
        Vote(record, name, topics[found.pairs.topic[row]], docno=documents[found.pairs.document[row]], state="label",
             grade=str(grades[grade]))
        for record, (row, grade) in enumerate(zip(rows.tolist(), place.tolist(), strict=True), 1)
    ]  # fmt: skip
    import_votes(store, Votes("clicks", Path(f"{fitted.model.name} of the log"), votes), kind="model")
    return name, len(votes)
