"""Preferences between documents: those in a store, and asking models for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from cranfield.api.inputs import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame


def preferences(
    store: StoreGiven, *, assessors: Sequence[str] = (), by: Literal["pair", "document"] = "pair"
) -> DataFrame:
    """Preferences between documents with answers in both orders: one row per pair and assessor.

    `better` is missing for a tie, and `consistent` is False where the answers in the two orders differ, which is a tie.
    By document: Copeland's levels, from 0, which order the documents of a topic by wins and half of the ties.

    Of all people, else of models; or of the `assessors` named.

    >>> from cranfield import Store
    >>> with Store.memory("pairs") as store:
    ...     preferences(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: no pair has answers in both orders yet; `cranfield judge --pairs` compares pairs
    """
    import pandas as pd

    from cranfield.features.preferences.files import as_rows, resolved
    from cranfield.features.preferences.pairs import copeland

    with store_open(store) as there:
        found = resolved(there, assessors).preferences
    if by == "pair":
        return pd.DataFrame(as_rows(found))
    levels = pd.DataFrame([one._asdict() for one in copeland(found)])
    return levels.rename(columns={"qid": "query_id", "docno": "doc_id"})


def model_prefer(
    store: StoreGiven,
    model: str,
    url: str,
    pairs: str,
    *,
    prompt: str = "preference",
    assessor: str | None = None,
    topics: Sequence[str] = (),
    again: Literal["", "failed", "all"] = "",
    limit: int | None = None,
    parallel: int = 8,
    attempts: int = 3,
    timeout: float = 120,
    json_answer: bool = False,
) -> dict[str, int]:
    """Ask a model which of two documents is better, in both orders: how many of each outcome; "ok" gave an answer.

    `pairs` is adjacent, disputed, or a path; `preferences` returns what follows from the answers.
    """
    from cranfield.features.models.asking.limits import AskLimits
    from cranfield.features.models.asking.planned import asker_of
    from cranfield.features.preferences.by_model import PREFERENCE, preferences_asked

    with store_open(store) as there:
        asker = asker_of(there, PREFERENCE, model, url, prompt, assessor=assessor, json_answer=json_answer)
        planned, _ = preferences_asked(there, asker, pairs, topics, again)
        return dict(planned.run(AskLimits(limit, parallel=parallel, attempts=attempts, timeout=timeout)).outcomes)
