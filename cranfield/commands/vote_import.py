"""Imports of votes: judgments in the files of other tools."""

from __future__ import annotations

from functools import partial
from os import PathLike

from cranfield.commands.calls import open_store_call
from cranfield.commands.imports import as_file_paths, note_on_files
from cranfield.errors import InputError, file_named_in_errors
from cranfield.options.arguments import PresentStore, check_arguments
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
    """Import votes from annotation tools.

    Formats include CSV, JSONL, Relevation, Quepid, Label Studio, Argilla, Prodigy and Doccano. Every vote becomes an
    event of its assessor, with provenance "import". Skipped, discarded and unratable documents are stored as
    cannot-judge, and postponed documents as later. They never become grade 0. Fields without a counterpart are counted
    and listed. Cranfield's fields are assessor, qid, docno, query, grade, state, reason, note, seconds and at.

    Example: cranfield import votes track.db project-3.json --format label-studio --field qid=topic --kind human

    Example: cranfield import votes track.db votes.csv --assessor ada

    Parameters
    ----------
    store : path or Store
        The store.
    votes : path, or iterable of paths
        Vote files. If any of them has an error, nothing is added.
    format : str
        Format of the files; detected from the content by default.
    kind : {"human", "model", "panel", "import"}
        Kind of the assessors; "import" if unknown.
    grades : mapping, optional
        Mapping from the grades or words in the files to the store's grades.
    field : mapping, optional
        Mapping from Cranfield's field names to the names in the files.
    assessor : str
        Assessor for votes that name no assessor.
    times : int
        Factor by which the grades in the files are multiplied.
    off_scale : bool, optional
        Store grades outside the scale as "cannot judge", instead of refusing them.
    rename : mapping, optional
        Mapping from assessors' names in the files to their names in the store.
    strict : bool
        Refuse documents and topics that are not in the store.
    normalize_ids : bool
        Match ids that differ only in leading zeros, case, blanks or Unicode normalisation.

    Returns
    -------
    ResultInLines
        One row per file. Columns: file, grades, cannot_judge, off_scale (grades outside the scale), later, changed
        (votes that replaced an earlier vote), repeated and empty (records without a vote).

    Raises
    ------
    InputError
        If a file has an error, a grade is not on the scale, or an assessor has already judged a document.

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
    files = as_file_paths(several)
    if files is None:
        raise InputError(f"votes is {votes!r:.60}; expected a file, or a list of files")
    notes, rows, lines, assessors = list[str](), list[dict[str, object]](), list[str](), set[str]()
    add = partial(add_votes, kind=kind, grades=grades or None, rename=renames, times=times, set_aside=bool(off_scale))
    with open_store_call(store, function="import_votes") as call:
        with importing(call.store, "votes", files):
            spelling = NameMatcher(call.store, Demand(strict, normalize_ids))
            for file in files:
                with file_named_in_errors(file):
                    ballots = spelling.votes(read_votes(file, format, names, assessor))
                    notes += [f"{file}: {line}" for line in ballots.notes]
                    assessors |= {vote.assessor for vote in ballots.votes}
                    added = add(call.store, ballots)
                    lines += str(added).splitlines()
                    rows.append({"file": str(file), **{name: getattr(added, name) for name in COUNTS}})
        strange = (name for name in renames if name not in assessors)
        notes += [f"--rename {name}: the files contain no votes by this assessor" for name in strange]
        note_on_files(call, [*spelling.notes, *group_notes(notes, files)])
        return ResultInLines(rows, lines=lines, context=call.context("store.import_votes"))
