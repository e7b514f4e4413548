"""Imports of votes: judgments in the files of other tools."""

from __future__ import annotations

from functools import partial
from os import PathLike

from cranfield.api.arguments import check_arguments
from cranfield.commands.imports import files_among, note_on_files
from cranfield.commands.opened import open_store_call
from cranfield.errors import InputError, blaming
from cranfield.options.given import PresentStore
from cranfield.options.imports import (
    AssessorWithoutName,
    FileFormat,
    GradeFactor,
    GradesOutsideScale,
    IsStrict,
    KindOfVoters,
    RenamedAssessors,
    VoteFields,
    VoteFiles,
    VoteGrades,
    check_utf8,
)
from cranfield.options.transfers import IdsNormalized
from cranfield.results import ResultInLines

COUNTS = ("grades", "cannot_judge", "off_scale", "later", "changed", "repeated", "empty")  # of what became of a file


@check_arguments
def import_votes(
    store: PresentStore,
    votes: VoteFiles,
    *,
    format: FileFormat = "auto",
    kind: KindOfVoters = "import",
    grades: VoteGrades = None,
    field: VoteFields = None,
    assessor: AssessorWithoutName = "",
    times: GradeFactor = 1,
    off_scale: GradesOutsideScale = None,
    rename: RenamedAssessors = None,
    strict: IsStrict = False,
    normalize_ids: IdsNormalized = False,
) -> ResultInLines:
    """Import votes of other tools: CSV, JSONL, Relevation, Quepid, Label Studio, Argilla, Prodigy, Doccano and others.

    Every vote becomes an event of its assessor, with provenance "import". Documents that were skipped, discarded or not
    ratable become cannot-judge, postponed ones become later; none of them becomes grade 0. Fields without a counterpart
    are counted and listed. Our fields: assessor, qid, docno, query, grade, state, reason, note, seconds, at.

    Example: cranfield import votes track.db project-3.json --format label-studio --field qid=topic --kind human

    Example: cranfield import votes track.db votes.csv --assessor ada

    Parameters
    ----------
    store : path or Store
        The store.
    votes : path, or iterable of paths
        Files of votes: all are added, or none if any of them has an error.
    format : str
        The files' format; detected from the content by default.
    kind : {"human", "model", "panel", "import"}
        What the assessors are; "import" if unknown.
    grades : mapping, optional
        The grades or words of files to the grades of the store.
    field : mapping, optional
        Our names of fields to those in the files.
    assessor : str
        The assessor of votes without one.
    times : int
        The number by which the grades of files are multiplied.
    off_scale : bool, optional
        Store documents with grades outside the scale as "cannot judge", instead of refusing them.
    rename : mapping, optional
        The names of assessors in the files to their names in the store.
    strict : bool
        Refuse documents and topics that the store does not have.
    normalize_ids : bool
        Match ids that differ only in zeros, case, blanks or Unicode normalisation.

    Returns
    -------
    ResultInLines
        A row for each file, with columns file, grades, cannot_judge, off_scale (grades outside the scale), later,
        changed (votes that replaced an earlier one), repeated and empty (records without a vote).

    Raises
    ------
    InputError
        If a file has an error, a grade is not on the scale, or an assessor has judged a document already.

    Examples
    --------
    >>> import tempfile
    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store, tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = store.add_topics([Topic("q1", "a title")]), store.add_documents([Document("d1", text="a wing")])
    ...     print("assessor,qid,docno,grade\\nann,q1,d1,Good", file=file, flush=True)
    ...     import_votes(store, file.name, format="csv", grades={"Good": 1}).frame[["grades", "later"]].values.tolist()
    [[1, 0]]
    """
    from cranfield.formats import read_votes
    from cranfield.formats.files import group_notes
    from cranfield.store.history import importing
    from cranfield.store.names import Demand, NameMatcher
    from cranfield.store.votes import import_votes as add_votes

    names, renames = field or {}, rename or {}
    for option, pairs in {"--grades": grades or {}, "--field": names, "--rename": renames}.items():
        check_utf8(option, pairs)
    several = [votes] if isinstance(votes, str | PathLike) else [*votes]
    files = files_among(several)
    if files is None:
        raise InputError(f"votes is {votes!r:.60}; expected a file, or a list of files")
    notes, rows, lines, assessors = list[str](), list[dict[str, object]](), list[str](), set[str]()
    add = partial(add_votes, kind=kind, grades=grades or None, rename=renames, times=times, set_aside=bool(off_scale))
    with open_store_call(store, function="import_votes") as call:
        with importing(call.store, "votes", files):
            spelling = NameMatcher(call.store, Demand(strict, normalize_ids))
            for file in files:
                with blaming(file):
                    ballots = spelling.votes(read_votes(file, format, names, assessor))
                    notes += [f"{file}: {line}" for line in ballots.notes]
                    assessors |= {vote.assessor for vote in ballots.votes}
                    added = add(call.store, ballots)
                    lines += str(added).splitlines()
                    rows.append({"file": str(file), **{name: getattr(added, name) for name in COUNTS}})
        strange = (name for name in renames if name not in assessors)
        notes += [f"--rename {name}: no votes of an assessor with this name" for name in strange]
        note_on_files(call, [*spelling.notes, *group_notes(notes, files)])
        return ResultInLines(rows, lines=lines, context=call.context("store.import_votes"))
