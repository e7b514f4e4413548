"""Nuggets, claims, rubrics and answers: from files into a store, and out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cranfield.commands.calls import OpenedStore, open_store_call
from cranfield.errors import InputError
from cranfield.features.answers.nugget_labellers import nuggets_by
from cranfield.features.answers.options import (
    AnswerFiles,
    ExportedFormat,
    ExportedRun,
    FormatOfAnswers,
    KindOfAuthor,
    KindOfNuggetAuthors,
    LabelsIncluded,
    NuggetAuthor,
    QuestionAuthor,
    StatementAuthor,
    WhoseNuggets,
)
from cranfield.options.arguments import PresentStore, ReadStore, StoreLike, check_arguments
from cranfield.options.transfers import NewFile
from cranfield.results import ResultInLines, WrittenFile
from cranfield.text import counted, name_hint

if TYPE_CHECKING:
    from cranfield.store.store import Store

Record = TypeVar("Record")
Added = TypeVar("Added")


@check_arguments
def import_nuggets(
    store: PresentStore,
    nuggets: AnswerFiles,
    *,
    assessor: NuggetAuthor,
    format: FormatOfAnswers = "auto",
    kind: KindOfNuggetAuthors = "human",
) -> ResultInLines:
    """Import nuggets and any answer labels in the files.

    The files are JSON lines or nuggetizer output. Nuggets that already exist for a topic are skipped. The import fails
    if an existing nugget has a different importance, or if a label refers to an answer that is not in the store. A
    failed assignment becomes "cannot judge", never a label. If any file has an error, nothing is imported. Pass `kind`
    model for nuggets written by a model, such as nuggetizer output.

    Example: cranfield answers nuggets import track.db nuggets.jsonl --assessor ada

    Example: cranfield answers nuggets import track.db labels.jsonl --assessor qwen3 --kind model

    Parameters
    ----------
    store : path or Store
        The store.
    nuggets : path, or iterable of paths
        One or more nugget files.
    assessor : str
        Assessor for nuggets and labels that name no assessor.
    format : str
        The format of the files; detected from the content by default.
    kind : {"human", "model", "panel", "import"}
        Kind of assessors whose kind is not in the file.

    Returns
    -------
    ResultInLines
        One row: the numbers of new nuggets and labels.

    Raises
    ------
    InputError
        If a file has an error; in that case, nothing is imported.

    Examples
    --------
    >>> import json, tempfile
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> with cranfield.Store.memory("small") as store, tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     _ = store.add_topics([Topic("q", "flutter")])
    ...     print(json.dumps({"qid": "q", "text": "Wings flutter.", "importance": "vital"}), file=file, flush=True)
    ...     import_nuggets(store, file.name, assessor="ada", format="jsonl")
    1 new nugget, 0 new labels
    """
    from cranfield.arrays.selection import join_first_names
    from cranfield.features.answers.store.answers import answer_runs
    from cranfield.features.answers.store.imports import import_nuggets
    from cranfield.formats import read_nuggets

    read, add = partial(read_nuggets, format=format), partial(import_nuggets, assessor=assessor, kind=kind)
    with _import_records(store, "nuggets", nuggets, read, add) as (call, found, new):
        if unread := dict.fromkeys(name for nugget in found for name in nugget.unread):
            call.note(
                f"ignored the fields {', '.join(unread)}. To record the runs that led to a nugget, use the field"
                " contributors"
            )
        if strange := sorted({tag for nugget in found for tag in nugget.contributors} - answer_runs(call.store).keys()):
            names = join_first_names(strange)
            call.note(
                f"this store contains no answers of these contributors: {names}. `reusability --answers` needs them"
            )
        row = {"nuggets": new.nuggets, "labels": new.labels}
        line = f"{counted(new.nuggets, 'new nugget')}, {counted(new.labels, 'new label')}"
        return ResultInLines([row], lines=[line], context=call.context("answers.import_nuggets"))


@check_arguments
def export_nuggets(
    store: ReadStore, out: NewFile, *, labels: LabelsIncluded = False, nuggets: WhoseNuggets = None
) -> WrittenFile:
    """Write the current nuggets as JSON lines.

    `cranfield answers nuggets import` reads them. Each line contains the nugget's author and the author's kind. If
    people have written nuggets, a model's nuggets are omitted unless `nuggets` selects them.

    Example: cranfield answers nuggets export track.db nuggets.jsonl --labels

    Example: cranfield answers nuggets export track.db nuggets.jsonl

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write; "-" is standard output.
    labels : bool
        Whether to write all assessors' current answer labels.
    nuggets : {"people", "models", "all"}, optional
        Kind of authors whose nuggets to write; by default people if they wrote any, otherwise models.

    Returns
    -------
    WrittenFile
        One row: the numbers of nuggets and labels.

    Raises
    ------
    InputError
        If the store has no nuggets.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     export_nuggets(store, "nuggets.jsonl")
    Traceback (most recent call last):
    cranfield.errors.InputError: :memory:: no nuggets in this store; make nuggets with `cranfield answers nuggets make`
    """
    from cranfield.features.answers.formats.nuggets import write_nuggets
    from cranfield.features.answers.store.imports import nuggets_for_export
    from cranfield.features.answers.store.nuggets import counted_nuggets
    from cranfield.formats.output_names import JSON_LINES, format_by_name

    path, whose = Path(out), nuggets_by(nuggets)
    named = format_by_name(path, JSON_LINES, "jsonl")
    with open_store_call(store) as call:
        rows = nuggets_for_export(call.store, labels, whose)
        if not rows:
            raise InputError("no nuggets in this store; make nuggets with `cranfield answers nuggets make`", call.place)
        write_nuggets(path, rows)
        call.note(named.note, counted_nuggets(call.store, whose).note())
        number = sum(len(one.labels) for one in rows)
        line = counted(len(rows), "nugget") + (f" with {counted(number, 'label')}" if labels else "")
        row, context = {"nuggets": len(rows), "labels": number}, call.context("answers.export_nuggets")
        return WrittenFile([row], lines=[line], context=context, path=path)


@check_arguments
def import_claims(
    store: PresentStore, claims: AnswerFiles, *, assessor: StatementAuthor, kind: KindOfAuthor = "human"
) -> ResultInLines:
    """Import claims: sentences from reference answers, or statements from runs' answers.

    The files are JSON lines. A line {"qid": "1", "claims": ["...", "..."]} is the reference answer to a topic, which
    CtxR needs. A line that also has "run" gives the statements of that run's answer, which Faithful needs. Claims by
    the same author about the same answer replace earlier claims. If any file has an error, nothing is imported.

    Example: cranfield answers claims import track.db references.jsonl --assessor ada

    Example: cranfield answers claims import track.db claims.jsonl --assessor qwen3 --kind model

    Parameters
    ----------
    store : path or Store
        The store.
    claims : path, or iterable of paths
        One or more claim files.
    assessor : str
        The author of the claims.
    kind : {"human", "model", "panel", "import"}
        The kind of the assessor.

    Returns
    -------
    ResultInLines
        One row: the number of claims.

    Raises
    ------
    InputError
        If a file has an error; in that case, nothing is imported.

    Examples
    --------
    >>> import json, tempfile
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> with cranfield.Store.memory("small") as store, tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     _ = store.add_topics([Topic("q", "flutter")])
    ...     print(json.dumps({"qid": "q", "claims": ["Wings flutter."]}), file=file, flush=True)
    ...     import_claims(store, file.name, assessor="ada")
    1 claim imported
    """
    from cranfield.features.answers.formats.nuggets import read_claims
    from cranfield.features.answers.store.labels import import_claims

    add = partial(import_claims, author=assessor, kind=kind)
    with _import_records(store, "claims", claims, read_claims, add) as (call, _, number):
        lines, context = [f"{counted(number, 'claim')} imported"], call.context("answers.import_claims")
        return ResultInLines([{"claims": number}], lines=lines, context=context)


@check_arguments
def import_rubrics(
    store: PresentStore, rubrics: AnswerFiles, *, assessor: QuestionAuthor, kind: KindOfAuthor = "human"
) -> ResultInLines:
    """Import rubrics: yes/no questions about the answers to each topic.

    A rubric file is in TOML format, with a table for each topic. Each question is written as a text, or as {question =
    "...", weight = 2}. New questions for a topic replace its earlier questions, whose labels stay on record. If any
    file has an error, nothing is imported.

    Example: cranfield answers rubrics import track.db rubrics.toml --assessor ada

    Example: cranfield answers rubrics import track.db rubrics.toml --assessor qwen3 --kind model

    Parameters
    ----------
    store : path or Store
        The store.
    rubrics : path, or iterable of paths
        One or more rubric files.
    assessor : str
        The author of the questions.
    kind : {"human", "model", "panel", "import"}
        The kind of the assessor.

    Returns
    -------
    ResultInLines
        One row: the numbers of questions and topics.

    Raises
    ------
    InputError
        If a file has an error; in that case, nothing is imported.

    Examples
    --------
    >>> import tempfile
    >>> import cranfield
    >>> from cranfield.formats import Topic
    >>> with cranfield.Store.memory("small") as store, tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
    ...     _ = store.add_topics([Topic("q", "flutter")])
    ...     print('q.questions = ["Does it name the cause?"]', file=file, flush=True)
    ...     import_rubrics(store, file.name, assessor="ada")
    1 question of 1 topic imported
    """
    from cranfield.features.answers.formats.nuggets import read_rubrics
    from cranfield.features.answers.store.rubrics import import_rubrics

    add = partial(import_rubrics, author=assessor, kind=kind)
    with _import_records(store, "rubrics", rubrics, read_rubrics, add) as (call, found, number):
        line = f"{counted(number, 'question')} of {counted(len(found), 'topic')} imported"
        row, context = {"questions": number, "topics": len(found)}, call.context("answers.import_rubrics")
        return ResultInLines([row], lines=[line], context=context)


@check_arguments
def export_answers(
    store: ReadStore, out: NewFile, *, format: ExportedFormat = "rag25", run: ExportedRun = None
) -> WrittenFile:
    """Write generated answers for `cranfield import answers`, one per line.

    The formats are rag24, rag25 and ragtime. The export fails if the format cannot store some content: rag24 and rag25
    cannot store a citation's confidence.

    Example: cranfield export answers track.db answers.jsonl --format ragtime

    Example: cranfield export answers track.db answers.jsonl

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write; "-" is standard output.
    format : str
        The format: rag24, rag25 or ragtime.
    run : str, optional
        Write only this run's answers.

    Returns
    -------
    WrittenFile
        One row: the number of answers.

    Raises
    ------
    InputError
        If the store has no answers, or the format cannot store them.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     export_answers(store, "answers.jsonl")
    Traceback (most recent call last):
    cranfield.errors.InputError: :memory:: no answers in this store; add answers with `cranfield import answers`
    """
    from cranfield.features.answers.store.answers import answer_runs, answers_to_write
    from cranfield.formats.output_names import JSON_LINES, format_by_name
    from cranfield.formats.table import format_named

    path, write = Path(out), format_named("answers", format).write
    assert write
    named = format_by_name(path, JSON_LINES, "jsonl")
    with open_store_call(store) as call:
        if run is not None and run not in answer_runs(call.store):
            hint = name_hint(run, answer_runs(call.store), "`cranfield import answers` adds answers")
            raise InputError(f"no run {run!r} has answers in this store{hint}", call.place)
        answers = answers_to_write(call.store, run)
        if not answers:
            raise InputError("no answers in this store; add answers with `cranfield import answers`", call.place)
        write(path, answers)
        call.note(named.note)
        lines, context = [counted(len(answers), "answer")], call.context("answers.export_answers")
        return WrittenFile([{"answers": len(answers)}], lines=lines, context=context, path=path)


@contextmanager
def _import_records(
    store: StoreLike,
    what: str,
    files: str | PathLike[str] | Iterable[str | PathLike[str]],
    read: Callable[[Path], Iterable[Record]],
    add: Callable[[Store, list[Record]], Added],
) -> Iterator[tuple[OpenedStore, list[Record], Added]]:
    """Read all files, add what they have in one transaction, and yield the records and what `add` returns."""
    from cranfield.store.history import importing

    paths = [Path(files)] if isinstance(files, str | PathLike) else [Path(file) for file in files]
    found = [record for path in paths for record in read(path)]
    with open_store_call(store) as call:
        with importing(call.store, what, paths):
            added = add(call.store, found)
        yield call, found, added
