"""`import answers` and `export answers`."""

from typing import Annotated

import typer

from cranfield.api.commands import not_in_python
from cranfield.cli import completion
from cranfield.cli.commands.exports import OutputFile, TextFormat, refuse_empty
from cranfield.cli.common_options import InputFormat, InputPaths, NormalizeIds, ReadStore, StorePath, Strict, Teams
from cranfield.cli.tables import say, say_with
from cranfield.text import counted


def import_answers(
    path: StorePath,
    files: InputPaths,
    *,
    format: InputFormat = "auto",
    teams: Teams = None,
    strict: Strict = False,
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import generated answers with citations: TREC RAG 2024, 2025 and 2026, RAGTIME, reports of AutoJudge.

    Each line is the answer of one run to one topic: sentences, and the documents that each cites. All answers are
    imported, or none if any has an error: a citation that points nowhere, an empty sentence, a topic that the store
    does not have, a second answer of a run to a topic. A file may hold one run or several.

    Example: cranfield import answers track.db answers/*.jsonl
    """
    from cranfield.features.answers.store.answers import add_answers, infos_of
    from cranfield.features.answers.store.imports import with_names
    from cranfield.formats import read_answers, read_teams
    from cranfield.store.history import importing
    from cranfield.store.names import Demand, NameMatcher
    from cranfield.store.store import Store

    found = read_answers(files, format)
    about = infos_of(found, read_teams(teams) if teams else None, teams)
    with Store.open(path) as store:
        spelling = NameMatcher(store, Demand(strict, normalize_ids))
        with importing(store, "answers", files):
            added = add_answers(store, with_names(spelling, found), about, found.places)
    runs, topics = ({getattr(answer, name) for answer in found.answers} for name in ("run", "qid"))
    empty = sum(not answer.sentences for answer in found.answers)
    say_with(
        f"{counted(added, 'answer')} of {counted(len(runs), 'run')} to {counted(len(topics), 'topic')},"
        f" {counted(sum(len(answer.sentences) for answer in found.answers), 'sentence')}",
        [*spelling.notes, *([f"{counted(empty, 'answer')} without a sentence"] if empty else [])],
    )


@not_in_python("cranfield.features.answers.store.answers.exported returns them, the formats write them")
def export_answers(
    path: ReadStore,
    file: OutputFile,
    format: TextFormat = "rag25",
    run: Annotated[
        str | None, typer.Option(metavar="TAG", help="Only the answers of this run."), completion.RUNS
    ] = None,
) -> None:
    """Write generated answers, one per line, in a format that `cranfield import answers` reads: rag24, rag25, ragtime.

    What a format cannot store is an error: rag24 and rag25 have no confidence of a citation.

    Example: cranfield export answers track.db answers.jsonl --format ragtime
    """
    from cranfield.errors import InputError
    from cranfield.features.answers.store.answers import answer_runs, exported
    from cranfield.formats.table import named
    from cranfield.store.store import Store

    write = named("answers", format).write
    assert write
    with Store.open(path) as store:
        if run is not None and run not in answer_runs(store):
            raise InputError(f"no run {run!r} has answers in this store", path)
        found = exported(store, run)
    refuse_empty(path, "answers", bool(found))
    write(file, found)
    say(counted(len(found), "answer"))
