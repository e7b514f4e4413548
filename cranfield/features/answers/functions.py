"""Generated answers: importing them, their nuggets, and asking models about them, as `model assess run` does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cranfield.api.arguments import checked
from cranfield.api.keywords import taking
from cranfield.errors import give_warning
from cranfield.features.models.options import AskedOptions
from cranfield.selection import Labellers
from cranfield.view import Labels, StoreGiven, TeamsGiven, labels_by, nuggets_by, store_open

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.features.answers.by_model.shared import QuestionKind
    from cranfield.features.models.asking.limits import AskingTally
    from cranfield.store.store import Store


class NuggetsMakeOptions(AskedOptions):
    """What nuggets are made of."""

    source: Literal["answers", "documents"] = "answers"
    window: int = 10


class NuggetLabelOptions(AskedOptions):
    """Whose nuggets are looked for."""

    nuggets: Labels | None = None


class SupportOptions(AskedOptions):
    """Which citations are looked at."""

    each: bool = False


class WinnerOptions(AskedOptions):
    """Which answers are compared."""

    baseline: str | None = None


class QuestionsOptions(AskedOptions):
    """Who gives the embeddings of questions."""

    embedding_model: str | None = None
    embedding_url: str | None = None


@checked
@taking(NuggetsMakeOptions)
def make_nuggets(store: StoreGiven, model: str, url: str | None, options: NuggetsMakeOptions) -> dict[str, int]:
    """Ask a model for the nuggets of answers, one answer after the other: how many questions had which outcome.

    Of documents: of the judged relevant ones of each topic, a `window` of them at a time.

    >>> from cranfield import Store
    >>> with Store.memory("answers") as store:
    ...     make_nuggets(store, "qwen3", "http://127.0.0.1:8000/v1")
    Traceback (most recent call last):
    cranfield.errors.InputError: no topic has answers; `cranfield import answers` adds answers
    """
    from cranfield.features.answers.by_model.from_documents import nuggets_of_documents
    from cranfield.features.answers.by_model.making import NUGGETS_OF_ANSWERS, check_batch

    if options.source == "documents":
        return _outcomes(store, model, url, options, nuggets_of_documents(options.window))
    if options.batch is not None:
        check_batch(options.again)
    return _outcomes(store, model, url, options, NUGGETS_OF_ANSWERS)


@checked
@taking(NuggetLabelOptions)
def assign_nuggets(store: StoreGiven, model: str, url: str | None, options: NuggetLabelOptions) -> dict[str, int]:
    """Ask a model which nuggets the answers say: how many questions had which outcome; "ok" gave labels.

    `nuggets` chooses whose; by default people's where there are any, else models'.
    """
    return _labelled(store, "assignment", model, url, options, nuggets=nuggets_by(options.nuggets))


@checked
@taking(SupportOptions)
def label_support(store: StoreGiven, model: str, url: str | None, options: SupportOptions) -> dict[str, int]:
    """Ask a model whether cited documents support sentences: how many questions had which outcome.

    With `each` also about the first three citations together, and about each of them where that matters.
    """
    return _labelled(store, "support", model, url, options, each=options.each)


@checked
@taking(AskedOptions)
def make_claims(store: StoreGiven, model: str, url: str | None, options: AskedOptions) -> dict[str, int]:
    """Ask a model what answers state, as single statements: how many questions had which outcome."""
    from cranfield.features.answers.by_model.making import STATEMENTS

    return _outcomes(store, model, url, options, STATEMENTS)


@checked
@taking(AskedOptions)
def label_claims(store: StoreGiven, model: str, url: str | None, options: AskedOptions) -> dict[str, int]:
    """Ask a model whether the documents of answers say claims: how many questions had which outcome."""
    return _labelled(store, "attribution", model, url, options)


@checked
@taking(AskedOptions)
def label_rubrics(store: StoreGiven, model: str, url: str | None, options: AskedOptions) -> dict[str, int]:
    """Ask a model whether answers meet the questions of rubrics: how many questions had which outcome."""
    return _labelled(store, "rubric", model, url, options)


@checked
@taking(AskedOptions)
def label_correctness(store: StoreGiven, model: str, url: str | None, options: AskedOptions) -> dict[str, int]:
    """Ask a model whether answers say what reference answers say, and nothing else; how many had which outcome."""
    return _labelled(store, "correctness", model, url, options)


@checked
@taking(WinnerOptions)
def label_preferences(store: StoreGiven, model: str, url: str | None, options: WinnerOptions) -> dict[str, int]:
    """Ask a model which of two answers is better, in both orders: how many questions had which outcome.

    With a `baseline` each answer is compared with that of this run alone.
    """
    return _labelled(store, "answers", model, url, options, baseline=options.baseline)


@checked
@taking(QuestionsOptions)
def make_questions(store: StoreGiven, model: str, url: str | None, options: QuestionsOptions) -> dict[str, int]:
    """Ask a model for the questions that answers would answer, and another for their embeddings.

    How many questions had which outcome, and how many texts are "embedded" or "not embedded". Without an embedding
    model there are only the questions.
    """
    from cranfield.features.answers.by_model.making import QUESTIONS_OF_ANSWERS, embedder_of, plan_embeddings

    with store_open(store) as there:
        server, name = options.embedding_url or url or "", options.assessor or model
        if options.embedding_model is None:
            return _outcomes(there, model, url, options, QUESTIONS_OF_ANSWERS)
        embedder_of(there, options.embedding_model, server, name)
        tally = _tally(there, model, url, options, QUESTIONS_OF_ANSWERS)
        embedder = embedder_of(there, options.embedding_model, server, name)
        plan = plan_embeddings(there, embedder, options.topics, options.again)
        limits = options.limits.less(0, tally.tokens, tally.cost)._replace(questions=None, price=None)
        outcomes = plan.run(limits).outcomes if plan.subjects else Counter[str]()
    counts = {"embedded": outcomes["ok"], "not embedded": outcomes.total() - outcomes["ok"]}
    return tally.outcomes | {what: number for what, number in counts.items() if number}


def _labelled(
    store: StoreGiven, prompt: str, model: str, url: str | None, options: AskedOptions, **more: object
) -> dict[str, int]:
    from cranfield.features.answers.by_model.labelling import answered_kind

    return _outcomes(store, model, url, options, answered_kind(prompt, **more).questions)


def _outcomes(
    store: StoreGiven, model: str, url: str | None, options: AskedOptions, kind: QuestionKind
) -> dict[str, int]:
    """What came of asking, or how many questions were written to a file."""
    with store_open(store) as there:
        if options.batch is None:
            return dict(_tally(there, model, url, options, kind).outcomes)
        asker = options.asker_at(there, kind.about, model, url, prompt=kind.prompt)
        plan = kind.plan(there, asker, options.topics, options.again, ())
        return {"written": plan.write(Path(options.batch), options.limit)}


def _tally(store: Store, model: str, url: str | None, options: AskedOptions, kind: QuestionKind) -> AskingTally:
    from cranfield.features.answers.by_model.shared import in_rounds

    asker = options.asker_at(store, kind.about, model, url, prompt=kind.prompt)
    tally = in_rounds(
        lambda again, done: kind.plan(store, asker, options.topics, again, done), options.again, options.limits
    )
    tally.refuse_errors_alone(asker.url)
    return tally


@checked
def import_answers(
    store: StoreGiven, answers: str | PathLike[str] | Iterable[str | PathLike[str]], *, teams: TeamsGiven = None
) -> int:
    """Add generated answers, from a file or several; the number of answers. `teams` is as for `import_runs`."""
    from cranfield.features.answers.store.answers import add_answers, infos_of
    from cranfield.features.answers.store.imports import with_names
    from cranfield.formats import RunInfo, read_answers, read_teams
    from cranfield.formats.files import notes_as_warnings
    from cranfield.store.history import importing
    from cranfield.store.names import NameMatcher

    files = [Path(answers)] if isinstance(answers, str | PathLike) else [Path(file) for file in answers]
    with notes_as_warnings():
        read = read_answers(files)
    if isinstance(teams, str | PathLike):
        about: dict[str, RunInfo] | None = read_teams(Path(teams))
    else:
        about = None if teams is None else {tag: RunInfo(team) for tag, team in teams.items()}
    with store_open(store) as there, importing(there, "answers", files):
        rows = with_names(NameMatcher(there), read)
        return add_answers(there, rows, infos_of(read, about), read.places)


@checked
def list_nuggets(
    store: StoreGiven, *, assessor: str | None = None, labels: Labels = "all", nuggets: Labels | None = None
) -> DataFrame:
    """The nuggets of each topic, and how many answers say them.

    Columns: query_id, nugget, importance, author, by (people or models), contributors, and counts of the labels
    support, partial, no, failed, and undecided: those that differ while nothing is chosen. `nuggets` chooses whose; by
    default people's where there are any, else models'.
    """
    import pandas as pd

    from cranfield.features.answers.analysis.judged import nugget_rows

    with store_open(store) as there:
        labellers = Labellers(assessor, labels_by(labels))
        rows = nugget_rows(there, labellers=labellers, tell=give_warning, nuggets=nuggets_by(nuggets))
        return pd.DataFrame(rows)
