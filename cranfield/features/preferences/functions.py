"""Preferences between documents: those in a store, and asking models for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from cranfield.api.arguments import checked
from cranfield.api.keywords import taking
from cranfield.commands.opened import opened
from cranfield.features.models.options import AskedOptions, PromptName
from cranfield.options.given import StoreLike
from cranfield.results import Result
from cranfield.view import StoreGiven, store_open


class PreferOptions(AskedOptions):
    """How a model is asked for preferences."""

    prompt: PromptName = "preference"


@checked
def list_preferences(
    store: StoreLike, *, assessors: Sequence[str] = (), policy: Literal["all", "majority"] | None = None,
    by: Literal["pair", "document"] = "pair",
) -> Result:  # fmt: skip
    """List preferences between documents with answers in both orders, or the levels of documents that they give.

    A warning names whose preferences were chosen.

    Parameters
    ----------
    store : path or Store
        The store.
    assessors : sequence of str, optional
        The assessors whose preferences count; by default all people, otherwise models.
    policy : {"all", "majority"}, optional
        What counts where assessors contradict each other on a pair: every vote, or one vote for each pair. By
        document, contradictions are an error unless `assessors` or `policy` says what counts.
    by : {"pair", "document"}
        What each row stands for.

    Returns
    -------
    Result
        By pair a row for each pair and assessor: `better` is missing for a tie, and `consistent` is False where the
        answers in the two orders differ, which is a tie. By document Copeland's levels, from 0, which order the
        documents of a topic by wins and half of the ties.

    Raises
    ------
    InputError
        If no pair has answers in both orders, or assessors contradict each other.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("pairs") as store:
    ...     list_preferences(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: no pair has answers in both orders yet; `cranfield judge --pairs` compares pairs
    """
    from cranfield.features.preferences.choice import choose_preferences
    from cranfield.features.preferences.files import as_rows, preferences_of
    from cranfield.features.preferences.pairs import copeland

    with opened(store) as call:
        if by == "pair" and policy is None:
            answers = preferences_of(call.store, assessors).preferences
        else:
            chosen = choose_preferences(call.store, assessors, policy)
            answers = chosen.answers.preferences
            if chosen.was_chosen:
                call.note(chosen.line)
        if by == "pair":
            return Result(as_rows(answers), context=call.context("list_preferences"))
        names = {"qid": "query_id", "docno": "doc_id"}
        levels = [{names.get(name, name): value for name, value in one._asdict().items()} for one in copeland(answers)]
        return Result(levels, context=call.context("list_preferences"))


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
