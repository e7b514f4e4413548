"""Generated answers: importing them, their nuggets, and asking models about them, as `model assess run` does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from cranfield.api.inputs import Labels, StoreGiven, TeamsGiven, labels_by, nuggets_by, store_open, warned

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.features.answers.by_model.shared import Subject
    from cranfield.features.models.asking.limits import AskingTally, AskLimits
    from cranfield.features.models.asking.planned import PlannedAsking
    from cranfield.features.models.asking.prompt import PromptTask
    from cranfield.features.models.asking.task import Asker
    from cranfield.store.store import Store

    Plan = Callable[[Store, Asker, Collection[str], str, Collection[Subject]], PlannedAsking]


class HowAsked(TypedDict, total=False):
    """How a model is asked; all of it may be left out. With url None the questions are written to the file `batch`."""

    prompt: str  # the name of a prompt, or its file
    assessor: str  # the name of the labels
    topics: Sequence[str]
    again: Literal["", "failed", "all"]
    limit: int
    budget: str  # of tokens or money: "200000tokens", "2.50usd"
    parallel: int
    attempts: int
    timeout: float
    max_chars: int
    json_answer: bool
    parameters: Mapping[str, Any]
    price: tuple[float, float]  # of a million tokens, in and out
    batch: str | PathLike[str]


def answers_nuggets_make(
    store: StoreGiven,
    model: str,
    url: str | None,
    *,
    source: Literal["answers", "documents"] = "answers",
    window: int = 10,
    **how: Unpack[HowAsked],
) -> dict[str, int]:
    """Ask a model for the nuggets of answers, one answer after the other: how many questions had which outcome.

    Of documents: of the judged relevant ones of each topic, a `window` of them at a time.

    >>> from cranfield import Store
    >>> with Store.memory("answers") as store:
    ...     answers_nuggets_make(store, "qwen3", "http://127.0.0.1:8000/v1")
    Traceback (most recent call last):
    cranfield.errors.InputError: no topic has answers; `cranfield import answers` adds answers
    """
    from cranfield.features.answers.by_model.from_documents import FROM_DOCUMENTS, document_nuggets_asked
    from cranfield.features.answers.by_model.making import MAKING, check_batch, making_asked

    if source == "documents":
        plan = partial(document_nuggets_asked, window=window)
        return _asked(store, FROM_DOCUMENTS, "documents", plan=plan, model=model, url=url, how=how)
    if "batch" in how:
        check_batch(how.get("again", ""))
    return _asked(store, MAKING, "nuggets", plan=making_asked, model=model, url=url, how=how)


def answers_nuggets_assign(
    store: StoreGiven, model: str, url: str | None, *, nuggets: Labels | None = None, **how: Unpack[HowAsked]
) -> dict[str, int]:
    """Ask a model which nuggets the answers say: how many questions had which outcome; "ok" gave labels.

    `nuggets` chooses whose; by default people's where there are any, else models'.
    """
    from cranfield.features.answers.by_model.labelling import ASSIGNMENT, assigning_asked

    plan = _whole(partial(assigning_asked, nuggets=nuggets_by(nuggets)))
    return _asked(store, ASSIGNMENT, "assignment", plan=plan, model=model, url=url, how=how)


def answers_support(
    store: StoreGiven, model: str, url: str | None, *, each: bool = False, **how: Unpack[HowAsked]
) -> dict[str, int]:
    """Ask a model whether cited documents support sentences: how many questions had which outcome.

    With `each` also about the first three citations together, and about each of them where that matters.
    """
    from cranfield.features.answers.by_model.labelling import SUPPORT, supporting_asked

    def plan(
        store: Store, asker: Asker, topics: Collection[str], again: str, asked: Collection[Subject]
    ) -> PlannedAsking:
        return supporting_asked(store, asker, topics=topics, again=again, each=each, asked=asked)

    return _asked(store, SUPPORT, "support", plan=plan, model=model, url=url, how=how)


def answers_claims_make(store: StoreGiven, model: str, url: str | None, **how: Unpack[HowAsked]) -> dict[str, int]:
    """Ask a model what answers state, as single statements: how many questions had which outcome."""
    from cranfield.features.answers.by_model.making import STATING, stating_asked

    return _asked(store, STATING, "statements", plan=_whole(stating_asked), model=model, url=url, how=how)


def answers_claims_label(store: StoreGiven, model: str, url: str | None, **how: Unpack[HowAsked]) -> dict[str, int]:
    """Ask a model whether the documents of answers say claims: how many questions had which outcome."""
    from cranfield.features.answers.by_model.labelling import ATTRIBUTION, attributing_asked

    return _asked(store, ATTRIBUTION, "attribution", plan=_whole(attributing_asked), model=model, url=url, how=how)


def answers_rubrics_label(store: StoreGiven, model: str, url: str | None, **how: Unpack[HowAsked]) -> dict[str, int]:
    """Ask a model whether answers meet the questions of rubrics: how many questions had which outcome."""
    from cranfield.features.answers.by_model.whole import RUBRIC, rating_asked

    return _asked(store, RUBRIC, "rubric", plan=_whole(rating_asked), model=model, url=url, how=how)


def answers_correctness(store: StoreGiven, model: str, url: str | None, **how: Unpack[HowAsked]) -> dict[str, int]:
    """Ask a model whether answers say what reference answers say, and nothing else; how many had which outcome."""
    from cranfield.features.answers.by_model.whole import CORRECTNESS, correcting_asked

    return _asked(store, CORRECTNESS, "correctness", plan=_whole(correcting_asked), model=model, url=url, how=how)


def answers_prefer(
    store: StoreGiven, model: str, url: str | None, *, baseline: str | None = None, **how: Unpack[HowAsked]
) -> dict[str, int]:
    """Ask a model which of two answers is better, in both orders: how many questions had which outcome.

    With a `baseline` each answer is compared with that of this run alone.
    """
    from cranfield.features.answers.by_model.whole import COMPARISON, comparing_asked

    plan = _whole(partial(comparing_asked, baseline=baseline))
    return _asked(store, COMPARISON, "answers", plan=plan, model=model, url=url, how=how)


def answers_questions_make(
    store: StoreGiven,
    model: str,
    url: str | None,
    *,
    embedding_model: str | None = None,
    embedding_url: str | None = None,
    **how: Unpack[HowAsked],
) -> dict[str, int]:
    """Ask a model for the questions that answers would answer, and another for their embeddings.

    How many questions had which outcome, and how many texts are "embedded" or "not embedded". Without an embedding
    model there are only the questions.
    """
    from cranfield.features.answers.by_model.making import QUESTIONS, embedder_of, embedding_asked, questions_asked

    with store_open(store) as there:
        server, name = embedding_url or url or "", how.get("assessor") or model
        if embedding_model is not None:
            embedder_of(there, embedding_model, server, name)
        if embedding_model is None:
            return _asked(there, QUESTIONS, "questions", plan=_whole(questions_asked), model=model, url=url, how=how)
        tally = _answered(there, QUESTIONS, "questions", plan=_whole(questions_asked), model=model, url=url, how=how)
        embedder = embedder_of(there, embedding_model, server, name)
        planned = embedding_asked(there, embedder, how.get("topics", ()), how.get("again", ""))
        limits = _limits(how).less(0, tally.tokens, tally.cost)._replace(questions=None, price=None)
        embedded = planned.run(limits).outcomes if planned.subjects else Counter[str]()
    counted = {"embedded": embedded["ok"], "not embedded": embedded.total() - embedded["ok"]}
    return tally.outcomes | {what: number for what, number in counted.items() if number}


def _whole(plan: Callable[[Store, Asker, Collection[str], str], PlannedAsking]) -> Plan:
    """A plan of questions that do not depend on what was asked just now."""
    return lambda store, asker, topics, again, asked: plan(store, asker, topics, again)


def _limits(how: HowAsked) -> AskLimits:
    from cranfield.features.models.asking.limits import AskLimits, Price

    price = how.get("price")
    return AskLimits(
        how.get("limit"),
        parallel=how.get("parallel", 8),
        attempts=how.get("attempts", 3),
        timeout=how.get("timeout", 120.0),
        price=Price(*price) if price else None,
    ).with_budget(how.get("budget"))


def _asked(
    store: StoreGiven, about: PromptTask, prompt: str, *, plan: Plan, model: str, url: str | None, how: HowAsked
) -> dict[str, int]:
    """What came of asking, or how many questions were written to a file."""
    with store_open(store) as there:
        if (batch := how.get("batch")) is None:
            return dict(_answered(there, about, prompt, plan=plan, model=model, url=url, how=how).outcomes)
        asker = _asker(there, about, prompt, model=model, url=url, how=how)
        return {"written": plan(there, asker, how.get("topics", ()), how.get("again", ""), ()).write(Path(batch))}


def _answered(
    store: Store, about: PromptTask, prompt: str, *, plan: Plan, model: str, url: str | None, how: HowAsked
) -> AskingTally:
    from cranfield.features.answers.by_model.shared import in_rounds

    asker, topics = _asker(store, about, prompt, model=model, url=url, how=how), how.get("topics", ())
    return in_rounds(lambda again, asked: plan(store, asker, topics, again, asked), how.get("again", ""), _limits(how))


def _asker(store: Store, about: PromptTask, prompt: str, *, model: str, url: str | None, how: HowAsked) -> Asker:
    from cranfield.errors import InputError
    from cranfield.features.models.asking.planned import asker_of

    if strange := sorted(how.keys() - HowAsked.__annotations__.keys()):
        raise TypeError(f"unexpected keyword argument {strange[0]!r}; expected {', '.join(HowAsked.__annotations__)}")
    if (url is None) == ("batch" not in how):
        raise InputError("a model is asked at a url, or with url None by a file, batch")
    return asker_of(
        store,
        about,
        model,
        url,
        how.get("prompt", prompt),
        assessor=how.get("assessor"),
        max_chars=how.get("max_chars"),
        parameters=how.get("parameters"),
        json_answer=how.get("json_answer", False),
    )


def import_answers(
    store: StoreGiven, answers: str | PathLike[str] | Iterable[str | PathLike[str]], *, teams: TeamsGiven = None
) -> int:
    """Add generated answers, from a file or several; the number of answers. `teams` is as for `import_runs`."""
    from cranfield.features.answers.store.answers import add_answers, infos_of
    from cranfield.features.answers.store.imports import with_names
    from cranfield.formats import RunInfo, read_answers, read_teams
    from cranfield.store.history import importing
    from cranfield.store.names import NameMatcher

    files = [Path(answers)] if isinstance(answers, str | PathLike) else [Path(file) for file in answers]
    found = read_answers(files)
    if isinstance(teams, str | PathLike):
        named: dict[str, RunInfo] | None = read_teams(Path(teams))
    else:
        named = None if teams is None else {tag: RunInfo(team) for tag, team in teams.items()}
    with store_open(store) as there, importing(there, "answers", files):
        kept = with_names(NameMatcher(there), found)
        return add_answers(there, kept, infos_of(found, named), found.places)


def answers_nuggets_show(
    store: StoreGiven, *, assessor: str | None = None, labels: Labels = "all", nuggets: Labels | None = None
) -> DataFrame:
    """The nuggets of each topic, and how many answers say them.

    Columns: query_id, nugget, importance, author, by (people or models), contributors, and counts of the labels
    support, partial, no, failed. `nuggets` chooses whose; by default people's where there are any, else models'.
    """
    import pandas as pd

    from cranfield.features.answers.analysis.judged import nugget_rows

    with store_open(store) as there:
        rows = nugget_rows(there, assessor=assessor, whose=labels_by(labels), tell=warned, nuggets=nuggets_by(nuggets))
        return pd.DataFrame(rows)
