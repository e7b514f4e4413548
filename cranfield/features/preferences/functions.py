"""Preferences between documents: those in a store, and asking models for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cranfield.api.arguments import checked
from cranfield.api.keywords import taking
from cranfield.errors import give_warning
from cranfield.features.models.options import AskedOptions, PromptName
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame


class PreferOptions(AskedOptions):
    """How a model is asked for preferences."""

    prompt: PromptName = "preference"


@checked
def list_preferences(
    store: StoreGiven, *, assessors: Sequence[str] = (), policy: Literal["all", "majority"] | None = None,
    by: Literal["pair", "document"] = "pair",
) -> DataFrame:  # fmt: skip
    """Preferences between documents with answers in both orders: one row per pair and assessor.

    `better` is missing for a tie, and `consistent` is False where the answers in the two orders differ, which is a tie.
    By document: Copeland's levels, from 0, which order the documents of a topic by wins and half of the ties.

    Of all people, else of models; or of the `assessors` named. By document, assessors who contradict each other on a
    pair are an error unless `assessors` or `policy` says what counts: "all" counts every vote, "majority" one vote for
    each pair. A warning names whose preferences were chosen. A list by pair has the preferences of every assessor,
    unless the policy is "majority".

    >>> from cranfield import Store
    >>> with Store.memory("pairs") as store:
    ...     list_preferences(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: no pair has answers in both orders yet; `cranfield judge --pairs` compares pairs
    """
    import pandas as pd

    from cranfield.features.preferences.choice import choose_preferences
    from cranfield.features.preferences.files import as_rows, preferences_of
    from cranfield.features.preferences.pairs import copeland

    with store_open(store) as there:
        if by == "pair" and policy is None:
            answers = preferences_of(there, assessors).preferences
        else:
            chosen = choose_preferences(there, assessors, policy)
            answers = chosen.answers.preferences
            if chosen.was_chosen:
                give_warning(chosen.line)
    if by == "pair":
        return pd.DataFrame(as_rows(answers))
    levels = pd.DataFrame([one._asdict() for one in copeland(answers)])
    return levels.rename(columns={"qid": "query_id", "docno": "doc_id"})


@checked
@taking(PreferOptions)
def label_preferences(
    store: StoreGiven, model: str, url: str | None, pairs: str, options: PreferOptions
) -> dict[str, int]:
    """Ask a model which of two documents is better, in both orders: how many of each outcome; "ok" gave an answer.

    `pairs` is adjacent, disputed, or a path; `judging.list_preferences` returns what follows from the answers.
    With url None the questions are written to the file `batch`.
    """
    from cranfield.features.preferences.by_model import PREFERENCE, plan_preferences

    with store_open(store) as there:
        asker = options.asker_at(there, PREFERENCE, model, url)
        asking, _ = plan_preferences(there, asker, pairs, options.topics, options.again)
        if options.batch is not None:
            return {"written": asking.write(Path(options.batch), options.limit)}
        return dict(asking.run(options.limits).outcomes)
