"""Generated answers: importing them, and asking models for nuggets, claims and questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, cast

from cranfield.commands.calls import open_store_call
from cranfield.errors import CranfieldError
from cranfield.features.answers.asking import ask_about, ask_in
from cranfield.features.answers.nugget_labellers import nuggets_by
from cranfield.features.answers.options import (
    AnsweredTopics,
    AnswerFiles,
    AskingForQuestions,
    AskingInstead,
    EmbeddingModel,
    EmbeddingUrl,
    FormatOfAnswers,
    NuggetSource,
    NuggetWindow,
    StatedTopics,
    StoreOfAnswers,
    StrictNames,
    WhoseNuggets,
)
from cranfield.features.models.asked import Asked, outcome_of
from cranfield.features.models.options import AskingEither, OnlyTopics, ask_limits, check_server
from cranfield.options import Assessor, Labels, Teams
from cranfield.options.arguments import PresentStore, ReadStore, check_arguments
from cranfield.options.transfers import IdsNormalized
from cranfield.parallel import progress_bar
from cranfield.results import Display, Result, ResultInLines
from cranfield.selection import Labellers
from cranfield.text import counted
from cranfield.view import parse_labelled_by


@check_arguments
def make_nuggets(
    store: StoreOfAnswers,
    asking: AskingInstead,
    *,
    topics: AnsweredTopics = (),
    source: NuggetSource = "answers",
    window: NuggetWindow = 10,
) -> Asked:
    """Ask a language model to write nuggets from answers, one by one, or from relevant documents.

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    topics : sequence of str
        Use only these topics.
    source : {"answers", "documents"}
        The texts for the model: the answers, or the judged relevant documents of each topic.
    window : int
        The number of documents that the model reads at a time, with source="documents".

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained nuggets.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.

    Examples
    --------
    >>> import cranfield
    >>> asking = cranfield.models.Asking("qwen3", "http://127.0.0.1:8000/v1", limit=20)
    >>> with cranfield.Store.memory("answers") as store:
    ...     make_nuggets(store, asking)
    Traceback (most recent call last):
    cranfield.errors.InputError: no topic has answers; `cranfield import answers` adds answers
    """
    from cranfield.features.answers.by_model.from_documents import nuggets_of_documents
    from cranfield.features.answers.by_model.making import NUGGETS_OF_ANSWERS, check_batch
    from cranfield.features.answers.store.nuggets import counted_nuggets

    kind = NUGGETS_OF_ANSWERS if source == "answers" else nuggets_of_documents(window)
    if source == "answers" and asking.batch is not None:
        check_batch(asking.again)
    result = ask_about(store, kind, asking, topics, "answers.make_nuggets")
    if result.tally is not None and result.tally.stopped == "Ctrl-C":
        return result
    with open_store_call(store) as call:
        counting = counted_nuggets(call.store)
    return replace(result, remarks=(*result.remarks, counting.note())) if counting.left_out else result


@check_arguments
def make_claims(
    store: StoreOfAnswers,
    asking: AskingEither,
    *,
    topics: StatedTopics = (),
) -> Asked:
    """Ask a language model to split each answer into its statements.

    The measure Faithful needs these statements. The rules of `model assess run` apply. People's statements, which
    `answers claims import` adds, take precedence over a model's. If the model's reply cannot be read, the answer has no
    statements, and its Faithful is NaN. The output counts such answers.

    Example: cranfield answers claims make track.db --model qwen3 --url http://127.0.0.1:8000/v1

    Example: cranfield answers claims make track.db --model qwen3 --url http://127.0.0.1:8000/v1 --limit 10

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained statements.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.answers.by_model.making import STATEMENTS

    return ask_about(store, STATEMENTS, asking, topics, "answers.make_claims")


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AskedQuestions(Asked):
    """Result of asking for questions that answers would answer, and for embeddings of these questions.

    Parameters
    ----------
    questions : Asked
        Outcomes of the requests for questions.
    embeddings : Asked, optional
        Outcomes of the requests for embeddings. None if no text needed an embedding.
    """

    questions: Asked
    embeddings: Asked | None = None

    @property
    def outcomes(self) -> Mapping[str, int]:
        """Numbers of questions by outcome, and numbers of texts that were "embedded" or "not embedded"."""
        return {str(row["outcome"]): int(row["questions"]) for row in self.records}


@check_arguments
def make_questions(
    store: StoreOfAnswers,
    asking: AskingForQuestions,
    *,
    topics: AnsweredTopics = (),
    embedding_model: EmbeddingModel = None,
    embedding_url: EmbeddingUrl = None,
) -> Asked:
    """Ask a language model for questions that each answer would answer.

    The measure AnsRel needs these questions. The language model writes three questions for each answer, and decides for
    each question whether the answer is evasive. The embedding model then embeds these questions and the topics' own
    questions. It receives each distinct text once. The rules of `model assess run` apply.

    With `batch`, the model only writes the questions. Import its replies, and run the function again with `url` and
    `embedding_model` instead of `batch`. If an answer lacks questions or embeddings, its AnsRel is NaN; the output
    counts such answers. `price` is the language model's price.

    Example: cranfield answers questions make track.db --model qwen3 --url http://127.0.0.1:8000/v1 --embedding-model e5

    Example: cranfield answers questions make track.db --model qwen3 --url http://127.0.0.1:8000/v1 --dry-run

    Parameters
    ----------
    store : path or Store
        A store with topics and answers.
    asking : Asking
        The model, its server or a batch file, and the limits.
    topics : sequence of str
        Use only these topics.
    embedding_model : str, optional
        The embedding model; without it, only the questions are written.
    embedding_url : str, optional
        The base URL of the embedding server; `url` by default.

    Returns
    -------
    Asked
        Columns outcome and questions. The rows "embedded" and "not embedded" count texts, not questions.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there is nothing to ask about, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.answers.by_model.making import QUESTIONS_OF_ANSWERS, embedder_of, plan_embeddings
    from cranfield.features.models.asking.limits import tally_document

    with open_store_call(store) as call:
        server, name = embedding_url or asking.url or "", asking.assessor or asking.model
        if embedding_model is not None:
            check_server(asking)
            if not (asking.dry_run or asking.batch is not None):
                embedder_of(call.store, embedding_model, server, name)
        context = call.context("answers.make_questions")
        result = ask_in(call.store, QUESTIONS_OF_ANSWERS, asking, topics, context)
        result.refuse_failures_alone()
        if result.tally is None or result.tally.stopped == "Ctrl-C" or embedding_model is None:
            return result
        plan = plan_embeddings(call.store, embedder_of(call.store, embedding_model, server, name), topics, asking.again)
        embeddings = None
        if plan.subjects:
            limits = ask_limits(asking).less(0, result.tally.tokens, result.tally.cost)
            try:
                with progress_bar("embedding") as advance:
                    embedded = plan.run(limits._replace(questions=None, price=None), advance)
            except CranfieldError as error:
                error.result = result
                raise
            embeddings = outcome_of(plan, embedded, context, noun="text")
    tally = embeddings.tally if embeddings else None
    outcomes = tally.outcomes if tally else Counter[str]()
    counts = {"embedded": outcomes["ok"], "not embedded": outcomes.total() - outcomes["ok"]}
    rows = [{"outcome": what, "questions": number} for what, number in counts.items() if number]
    document = {**cast("Mapping[str, Any]", result.document), "embeddings": tally_document(tally) if tally else None}
    return AskedQuestions(
        [*result.records, *rows],
        title=result.title,
        document=document,
        context=result.context,
        asker=result.asker,
        tally=result.tally,
        about=result.about,
        remarks=result.remarks,
        questions=result,
        embeddings=embeddings,
    )


@check_arguments
def import_answers(
    store: PresentStore,
    answers: AnswerFiles,
    *,
    format: FormatOfAnswers = "auto",
    teams: Teams = None,
    strict: StrictNames = False,
    normalize_ids: IdsNormalized = False,
) -> ResultInLines:
    """Import generated answers with citations.

    The formats are TREC RAG 2024, 2025 and 2026, RAGTIME, and AutoJudge reports. Each line is one run's answer to one
    topic: a list of sentences, each with the documents cited. If any answer has an error, nothing is imported. Errors
    are citations that point nowhere, empty sentences, unknown topics, and a run's second answer to a topic. A file may
    contain several runs.

    Example: cranfield import answers track.db answers/*.jsonl

    Example: cranfield import answers track.db late.jsonl

    Parameters
    ----------
    store : path or Store
        The store.
    answers : path, or iterable of paths
        The answer files.
    format : str
        The format of the files; detected from the content by default.
    teams : path or mapping of str to str, optional
        The team of each run, or a table with the columns run and team.
    strict : bool
        Refuse documents and topics that are not in the store.
    normalize_ids : bool
        Match ids that differ only in leading zeros, case, blanks or Unicode normalisation.

    Returns
    -------
    ResultInLines
        One row: the numbers of answers, runs, topics and sentences.

    Raises
    ------
    InputError
        If an answer has an error; in that case, nothing is imported.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> import json, tempfile, warnings
    >>> answer = {
    ...     "metadata": {"run_id": "r", "narrative_id": "q", "team_id": "t"}, "references": ["d1"],
    ...     "answer": [{"text": "Wings flutter.", "citations": [0]}],
    ... }
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file, warnings.catch_warnings(action="ignore"):
    ...     print(json.dumps(answer), file=file, flush=True)
    ...     import_answers(store, file.name).frame.values.tolist()
    [[1, 1, 1, 1]]
    >>> store.close()
    """
    from cranfield.features.answers.store.answers import add_answers, infos_of
    from cranfield.features.answers.store.imports import resolve_names
    from cranfield.formats import RunInfo, read_answers, read_teams
    from cranfield.store.history import importing
    from cranfield.store.names import Demand, NameMatcher

    files = [Path(answers)] if isinstance(answers, str | PathLike) else [Path(file) for file in answers]
    read, about, table = read_answers(files, format), None, None
    if isinstance(teams, Mapping):
        about = {tag: RunInfo(team) for tag, team in teams.items()}
    elif teams is not None:
        about, table = read_teams(Path(teams)), Path(teams)
    infos = infos_of(read, about, table)
    with open_store_call(store) as call:
        spelling = NameMatcher(call.store, Demand(strict, normalize_ids))
        with importing(call.store, "answers", files):
            number = add_answers(call.store, resolve_names(spelling, read), infos, read.places)
        empty = sum(not answer.sentences for answer in read.answers)
        call.note(*spelling.notes, f"{counted(empty, 'answer')} without a sentence" if empty else None)
        context = call.context("store.import_answers")
    row = {
        "answers": number,
        "runs": len({answer.run for answer in read.answers}),
        "topics": len({answer.qid for answer in read.answers}),
        "sentences": sum(len(answer.sentences) for answer in read.answers),
    }
    line = (
        f"{counted(number, 'answer')} of {counted(row['runs'], 'run')} to {counted(row['topics'], 'topic')},"
        f" {counted(row['sentences'], 'sentence')}"
    )
    return ResultInLines([row], lines=(line,), context=context)


class NuggetTable(Result):
    """The nuggets of each topic."""

    display = Display({"query_id": "topic"}, spare=("contributors",))


@check_arguments
def list_nuggets(
    store: ReadStore,
    *,
    topics: OnlyTopics = (),
    assessor: Assessor = None,
    labels: Labels = "all",
    nuggets: WhoseNuggets = None,
) -> NuggetTable:
    """List each topic's nuggets, and how many answers contain them.

    A model's nugget counts as human-written once a person has marked it vital or okay, even if the mark was the same
    before. The counts use the labels that `cranfield evaluate --answers` uses. Labels that differ are undecided until
    `assessor` or `cranfield store labels` chooses one.

    Example: cranfield answers nuggets show track.db --topic 1

    Example: cranfield answers nuggets show track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.
    topics : sequence of str
        Use only these topics.
    assessor : str, optional
        Count only this assessor's labels.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count.
    nuggets : {"people", "models", "all"}, optional
        Kind of authors whose nuggets count; by default people if they wrote any, otherwise models.

    Returns
    -------
    NuggetTable
        Columns query_id, nugget, importance, author, by (people or models) and contributors. The columns support,
        partial, no, failed and undecided count labels; labels are undecided if they differ and none is chosen.
    """
    from cranfield.features.answers.analysis.judged import nugget_rows

    with open_store_call(store) as call:
        labellers = Labellers(assessor, parse_labelled_by(labels))
        rows = nugget_rows(
            call.store, topics=topics or None, labellers=labellers, tell=call.note, nuggets=nuggets_by(nuggets)
        )
        return NuggetTable(rows, context=call.context("answers.list_nuggets"))
