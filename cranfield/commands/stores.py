"""What a store has, where it came from, its releases, and whether its logs are unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import ClassVar

from cranfield.commands.calls import open_store_call, provenance_of
from cranfield.commands.subject import Subject
from cranfield.errors import ArgumentError, InputError
from cranfield.options.arguments import PresentStore, ReadStore, StoreLike, check_arguments
from cranfield.options.imports import is_grade
from cranfield.options.stores import (
    CollectionDescription,
    CollectionLicence,
    CollectionName,
    CreatedStore,
    DecidedBy,
    Erasable,
    ErasedName,
    GradeScale,
    GuidelinesFile,
    IsDryRun,
    IsPrivate,
    LowestRelevant,
    Manifest,
    ReasonToErase,
    ReasonToUndo,
    ReasonToWithdraw,
    ReleaseDate,
    ReleaseName,
    ReleaseNote,
    Removable,
    RemovedNames,
    Withdrawable,
    WithdrawnNames,
)
from cranfield.results import CallContext, Display, Result, ResultInLines, TypesetTable
from cranfield.store.reading import SelectedPlace
from cranfield.text import counted, format_moment

SCALE = "0=not relevant,1=relevant"


@check_arguments
def create_store(
    path: CreatedStore,
    name: CollectionName,
    *,
    description: CollectionDescription = "",
    licence: CollectionLicence = "",
    scale: GradeScale = SCALE,
    min_relevant: LowestRelevant = 1,
    guidelines: GuidelinesFile = None,
    private: IsPrivate = False,
    subject: Subject | None = None,
) -> ResultInLines:
    """Create an empty store.

    Example: cranfield init track.db --name "My track" --scale "0=no,1=partly,2=fully"

    Example: cranfield init news.db --name News --private

    Parameters
    ----------
    path : path
        The new store.
    name, description, licence : str
        Description of the collection.
    scale : mapping of int to str, or str
        Meaning of each grade, such as {0: "no", 1: "yes"} or "0=no,1=yes".
    min_relevant : int
        Lowest relevant grade.
    guidelines : path, optional
        Text file with guidelines that assessors can read while judging.
    private : bool
        Make the file readable only by its owner.
    subject : Subject, optional
        Further settings of the store, such as `cranfield.subjects.ShownFields("author")`.

    Returns
    -------
    ResultInLines
        One row: the store and the name of the collection.

    Raises
    ------
    InputError
        If the scale is not a list such as 0=no,1=yes, or the guidelines cannot be read.
    StoreError
        If the file exists, or the scale has no grades below `min_relevant`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     created = create_store(f"{folder}/track.db", "My track", scale={0: "no", 1: "partly", 2: "fully"})
    >>> created.frame["collection"].tolist()
    ['My track']
    """
    from cranfield.formats.files import read_text
    from cranfield.store.connection import atomic_path
    from cranfield.store.log import set_guidelines
    from cranfield.store.store import Store, new_collection

    grades = parse_scale(scale) if isinstance(scale, str) else scale
    text = read_text(Path(guidelines)) if guidelines else ""
    with atomic_path(path, private) as part:
        about = new_collection(name, description, licence, grades, min_relevant)
        with Store.begin(part, about) as store:
            set_guidelines(store, text)
            if subject is not None:
                subject.begin_store(store)
    line = f"created {path}, an empty collection. Next: cranfield import corpus {path} FILE"
    context = CallContext(provenance=provenance_of("store.create_store", path))
    return ResultInLines([{"store": str(path), "collection": name}], lines=[line], context=context)


def parse_scale(scale: str) -> dict[int, str]:
    """Grades and their meanings, as given on the command line.

    >>> parse_scale("-1=spam,0=not relevant,1=relevant")
    {-1: 'spam', 0: 'not relevant', 1: 'relevant'}
    """
    grades: dict[int, str] = {}
    for part in scale.split(","):
        grade, sign, meaning = part.partition("=")
        if not sign or not is_grade(grade):
            raise InputError(f"--scale: {part!r:.60}; expected a list such as 0=not relevant,1=relevant")
        number = int(grade.strip())
        if number in grades:
            raise InputError(f"--scale: grade {number} occurs twice")
        grades[number] = meaning.strip()
    return grades


class StoreContents(Result):
    """Contents of a store. Columns: what and value."""

    def rows(self) -> list[dict[str, object]]:
        """Return one row per fact. A count is an int."""
        return [{"what": what, "value": value} for what, value in self.document.items()]  # type: ignore[attr-defined]

    @property
    def typeset(self) -> TypesetTable:
        """The printed rows, with numbers as text because their units differ."""
        return TypesetTable(self.records)


@check_arguments
def info(store: ReadStore) -> StoreContents:
    """Show the contents of a store.

    "Unknown" counts names in runs or judgments that were never imported.

    Example: cranfield info track.db

    Example: cranfield info track.db@1.0 --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    StoreContents
        Columns what and value. A count is the number of rows in a table.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("tiny") as store:
    ...     info(store).frame.set_index("what")["value"][["name", "document", "qrels"]].tolist()
    ['tiny', 0, 0]
    """
    from cranfield.analysis.collections import overview
    from cranfield.store.erasing import feature_file_lines
    from cranfield.store.schema import hidden_feature_notes

    is_open_elsewhere = _has_log_file(store)
    with open_store_call(store) as call:
        if is_open_elsewhere:
            where = f"the latest changes may still be in {call.place}-wal"
            call.note(f"{call.place} is open in another program, and {where}; to copy it, use `cranfield store backup`")
        rows, document = overview(call.store)
        call.note(*hidden_feature_notes(call.store.conn), *feature_file_lines(call.store))
        return StoreContents(rows, document=document, context=call.context("store.info"))


def _has_log_file(store: StoreLike) -> bool:
    """Whether SQLite keeps the latest changes of a closed store in a second file."""
    place = store.place if isinstance(store, SelectedPlace) else store
    return isinstance(place, str | PathLike) and Path(f"{place}-wal").exists()


class History(Result):
    """History of a store, in chronological order."""

    columns: ClassVar[tuple[str, ...]] = ("at", "number", "what", "name", "holds", "reason", "by")
    display: ClassVar[Display] = Display(digits={"at": format_moment}, spare=("by", "reason", "number"))


@check_arguments
def list_history(store: PresentStore) -> History:
    """Show the history of imports, removals and other changes.

    Example: cranfield store history track.db

    Example: cranfield store history track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    History
        Columns at, number, what, name, holds, reason and by.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> list_history(store).frame[["what", "name", "holds"]].values.tolist()
    [['runs', '', '2 runs']]
    >>> store.close()
    """
    from cranfield.store.history import history

    with open_store_call(store) as call:
        rows = [line._asdict() for line in history(call.store)]
        title = "" if rows else "Nothing has been imported, removed or withdrawn yet."
        return History(rows, title=title, context=call.context("store.list_history"))


@check_arguments
def verify(store: PresentStore, *, manifest: Manifest = None) -> ResultInLines:
    """Verify that the label logs were not altered.

    The command recomputes every hash and reports the first event that fails. The label logs are the judgment log and
    the logs that features keep. Each event has a hash of its content, of the judged text and of the previous event.
    Data that determine labels, pools or assignments are also logged and compared: topics, runs, pools, assignments,
    guidelines and the scale.

    The manifest of every export contains the heads, which are hashes over the last events. If you publish a manifest,
    `manifest` proves that all events up to that export are still present and unchanged. It also derives the qrels again
    from these events, with the manifest's policy and the assignments of that time. The result must match the qrels file
    next to the manifest. For releases, every row and every document text is also verified.

    Example: cranfield store verify track.db --manifest qrels.txt.manifest.json

    Example: cranfield store verify track.db

    Parameters
    ----------
    store : path or Store
        The store.
    manifest : path, optional
        Manifest of exported qrels. All events up to that export must still be present, and must produce the qrels
        file next to the manifest.

    Returns
    -------
    ResultInLines
        One row. The columns events, chains and head describe the judgment log. The column other_events is the number of
        feature events, and changes is the number of recorded changes to other tables. The column other_head is the head
        of both. The column qrels states whether the qrels were derived again, or why not.

    Raises
    ------
    StoreError
        If an event fails verification; the error names the first such event.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> verify(store).lines[0]
    '0 events in 0 chains verified; head none'
    >>> store.close()
    """
    from cranfield.judging.labels.anew import verify_derived_qrels
    from cranfield.store.brief_imports import unfinished_import_notes
    from cranfield.store.erasing import feature_file_lines
    from cranfield.store.schema import hidden_feature_notes
    from cranfield.store.verification import count_feature_events, published_manifest, verify

    against = None if manifest is None else published_manifest(Path(manifest))
    with open_store_call(store) as call:
        logs, feature_events = verify(call.store, against), count_feature_events(call.store)
        anew = "" if against is None else verify_derived_qrels(call.store, against)
        call.note(*hidden_feature_notes(call.store.conn), *feature_file_lines(call.store))
        call.note(*unfinished_import_notes(call.store))
        context = call.context("store.verify")
    lines = [
        f"{counted(logs.events, 'event')} in {counted(logs.chains, 'chain')} verified; head {logs.head or 'none'}",
        f"{counted(logs.changes, 'change')} of topics, runs, pools, assignments and other tables verified",
    ]
    if logs.other_events:
        others = counted(logs.other_events, "event")
        names = ", ".join(f"{name} {number:,}" for name, number in feature_events.items())
        lines.append(f"{others} of other logs verified ({names}); head {logs.other_head}")
    if logs.releases:
        but = " except erased data" * bool(logs.erased)
        lines.append(f"{counted(logs.releases, 'release')} verified, unchanged{but}")
    if logs.erased:
        erased = counted(logs.erased, "row")
        lines.append(f"{erased} partly erased: hash links are intact, but erased data cannot be verified")
    if against is not None:
        lines.append(f"the first {counted(against.judgments.events, 'event matches', 'events match')} {manifest}")
    return ResultInLines([logs._asdict() | {"qrels": anew}], lines=[*lines, *filter(None, [anew])], context=context)


class ReleaseTable(Result):
    """Releases of a store."""

    columns: ClassVar[tuple[str, ...]] = (
        "release", "date", "documents", "topics", "runs", "judgments", "note", "sha256",
    )  # fmt: skip
    display: ClassVar[Display] = Display(spare=("sha256",))


@check_arguments
def create_release(
    store: PresentStore, name: ReleaseName, *, date: ReleaseDate = "", note: ReleaseNote = ""
) -> ResultInLines:
    """Record the present state of a store as a named release.

    A release contains the labels, runs, documents, topics and pools, and never changes. Judging and imports can
    continue in the same store, but the contents of a release can no longer be removed. To read a release, write
    STORE@NAME in place of a store, or use the option `release`. `cranfield store releases` lists the releases,
    `cranfield diff` compares two releases, and `cranfield store verify` verifies that they are unchanged.

    Example: cranfield store release track.db 1.0 --note "the labels of the first round"

    Example: cranfield store release track.db 1.1

    Parameters
    ----------
    store : path or Store
        The store.
    name : str
        Name of the release.
    date : str
        Release date, YYYY-MM-DD; by default today, in UTC.
    note : str
        Description of the changes.

    Returns
    -------
    ResultInLines
        The row of this release, as in `list_releases`.

    Examples
    --------
    >>> from cranfield.formats import Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store:
    ...     _ = store.add_topics([Topic("q1", "a title")])
    ...     create_release(store, "1.0", date="2026-01-31").frame[["release", "date", "topics"]]
      release        date  topics
    0     1.0  2026-01-31       1
    """
    from cranfield.store.releases import list_releases, make_release

    with open_store_call(store) as call:
        new = make_release(call.store, name, date, note)
        counts = ", ".join(counted(number, what.removesuffix("s")) for what, number in new.counts.items())
        line = f"release {new.name} of {new.date}: {counts}; SHA-256 {new.sha256}"
        return ResultInLines(
            list_releases(call.store)[-1:], lines=(line,), context=call.context("store.create_release")
        )


@check_arguments
def list_releases(store: PresentStore) -> ReleaseTable:
    """List the releases of a store, with their sizes.

    Example: cranfield store releases track.db

    Example: cranfield store releases track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    ReleaseTable
        Columns release, date, documents, topics, runs, judgments, note and sha256.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> _ = cranfield.store.create_release(store, "1.0")
    >>> list_releases(store).frame[["release", "documents", "topics"]].values.tolist()
    [['1.0', 3, 1]]
    >>> store.close()
    """
    from cranfield.store.releases import list_releases

    with open_store_call(store) as call:
        rows = list_releases(call.store)
        title = "" if rows else "No release yet; `cranfield store release` makes one."
        return ReleaseTable(rows, title=title, context=call.context("store.list_releases"))


@check_arguments
def withdraw(
    store: PresentStore, what: Withdrawable, names: WithdrawnNames, *, reason: ReasonToWithdraw, by: DecidedBy = None
) -> ResultInLines:
    """Exclude runs, topics or documents from analyses and pools.

    Tables report the withdrawals. Nothing is deleted, and `cranfield store restore` reverses the withdrawal. A
    withdrawn run is not scored or pooled, and its answers are not scored or labelled. Labels, and documents known only
    from the run, are kept. The rankings and labels of a withdrawn topic do not count. A withdrawn document is removed
    from qrels and rankings before ranks are counted. Earlier releases are not affected.

    Example: cranfield store withdraw track.db run bm25 --reason "wrong index"

    Example: cranfield store withdraw track.db document D7 D9 --reason "empty"

    Parameters
    ----------
    store : path or Store
        The store.
    what : {"run", "topic", "document"}
        Kind of object to withdraw.
    names : str or iterable of str
        Run tags, topic ids or document ids. If any of them is unknown, nothing is withdrawn.
    reason : str
        Reason, which is shown in tables and in the history.
    by : str, optional
        Assessor who made the decision, for the history.

    Returns
    -------
    ResultInLines
        One row per name, with the columns what and name.

    Raises
    ------
    StoreError
        If there is no reason, or a run, topic or document is unknown or already withdrawn.

    Examples
    --------
    >>> from cranfield.formats import Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store:
    ...     _ = store.add_topics([Topic("q1", "a title")])
    ...     withdraw(store, "topic", "q1", reason="ambiguous")
    topic q1: withdrawn
    """
    from cranfield.store.withdrawals import withdraw as withdraw_from

    with open_store_call(store) as call:
        several = _to_list(names)
        lines = withdraw_from(call.store, what, several, reason, by)
        return ResultInLines(_item_rows(what, several), lines=lines, context=call.context("store.withdraw"))


@check_arguments
def restore(
    store: PresentStore,
    what: Withdrawable,
    names: WithdrawnNames,
    *,
    reason: ReasonToUndo = "",
    by: DecidedBy = None,
) -> ResultInLines:
    """Restore withdrawn runs, topics or documents.

    Example: cranfield store restore track.db run bm25

    Example: cranfield store restore track.db topic 12 --reason "worded anew"

    Parameters
    ----------
    store : path or Store
        The store.
    what : {"run", "topic", "document"}
        Kind of object to restore.
    names : str or iterable of str
        Run tags, topic ids or document ids. If any of them is not withdrawn, nothing is restored.
    reason : str
        Reason, for the history.
    by : str, optional
        Assessor who made the decision, for the history.

    Returns
    -------
    ResultInLines
        One row per name, with the columns what and name.

    Raises
    ------
    StoreError
        If a name is not withdrawn.

    Examples
    --------
    >>> from cranfield.formats import Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store:
    ...     _ = store.add_topics([Topic("q1", "a title")])
    ...     _ = withdraw(store, "topic", "q1", reason="ambiguous")
    ...     restore(store, "topic", ["q1"])
    topic q1: counts again
    """
    from cranfield.store.withdrawals import restore as restore_in

    with open_store_call(store) as call:
        several = _to_list(names)
        lines = restore_in(call.store, what, several, reason, by)
        return ResultInLines(_item_rows(what, several), lines=lines, context=call.context("store.restore"))


@check_arguments
def remove(store: PresentStore, kind: Removable, names: RemovedNames, *, reason: ReasonToUndo = "") -> ResultInLines:
    """Remove runs, topics, pools or imports that were added by mistake.

    If one of them cannot be removed, nothing is removed. Data on which labels depend cannot be removed. Removing an
    import of judgments appends a retraction for each judgment, and the judgment log keeps both. `cranfield store
    history` shows the numbers of imports, and everything that was removed.

    Example: cranfield store remove track.db run bm25

    Example: cranfield store remove track.db import 3

    Parameters
    ----------
    store : path or Store
        The store.
    kind : {"run", "topic", "pool", "import"}
        Kind of object to remove.
    names : str or iterable of str
        Run tags, topic ids, or numbers of pools or imports. If any of them cannot be removed, nothing is removed.
    reason : str
        Reason, for the history.

    Returns
    -------
    ResultInLines
        One row per name, with the columns what and name.

    Raises
    ------
    StoreError
        If a run, topic, pool or import is unknown, or labels depend on it.

    Examples
    --------
    >>> from cranfield.formats import Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store:
    ...     _ = store.add_topics([Topic("q1", "a title")])
    ...     remove(store, "topic", "q1")
    topic q1: removed, with 0 rankings
    """
    from cranfield.store.removal import remove as remove_from

    several = _to_list(names)
    for name in several if kind in ("pool", "import") else ():
        if not name.isdecimal():
            raise ArgumentError(f"found {name!r}; expected the number of a pool or import", "names")
    with open_store_call(store) as call:
        lines = remove_from(call.store, kind, several, reason)
        return ResultInLines(_item_rows(kind, several), lines=lines, context=call.context("store.remove"))


@check_arguments
def erase(
    store: PresentStore, kind: Erasable, name: ErasedName, *, reason: ReasonToErase, dry_run: IsDryRun = False
) -> ResultInLines:
    """Erase a person's data from a store.

    For an assessor, the command erases the name, notes, reasons, marked passages, times and search terms. Labels are
    kept under an anonymous name. For a user of an interaction log, it erases the ids, and the queries that nobody else
    typed. All other fields are kept. The logs still verify, because event hashes contain salted hashes of personal
    data, and the salt is deleted. The erasure is recorded as an event with the reason, which must not name anybody.

    Other copies are not changed: backups, bundles, pages, published folders and exported files.

    Example: cranfield store erase track.db assessor ada --reason "asked for it"

    Example: cranfield store erase track.db assessor ada --reason "asked for it" --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    kind : {"assessor", "user"}
        Whether the person is an assessor, or a user of an interaction log.
    name : str
        The name of the assessor, or the user's id in the log.
    reason : str
        Reason, recorded with the erasure. It must not contain the name.
    dry_run : bool
        Report what would be erased, and erase nothing.

    Returns
    -------
    ResultInLines
        One row per table: its name, and the number of rows with erased data. The notes list copies that are not
        changed.

    Raises
    ------
    InputError
        If the person is unknown, or the reason contains the name.
    StoreError
        If the store is a bundle.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.store.log import add_assessor
    >>> with cranfield.Store.memory("small") as store:
    ...     add_assessor(store, "ada")
    ...     erase(store, "assessor", "ada", reason="asked for it", dry_run=True).rows()
    [{'table': 'assessor', 'rows': 1}]
    """
    from cranfield.store.erasing import erase as erase_from
    from cranfield.store.erasing import feature_file_lines, find_traces

    if name in reason:
        raise ArgumentError("contains the name, and the log would keep it; give a reason without the name", "reason")
    with open_store_call(store) as call:
        outcome = erase_from(call.store, kind, name, reason, dry_run, added=call.reading.added)
        tables = [] if dry_run else find_traces(call.store, name)
        call.keep(*outcome.remaining)
        if tables:
            call.keep(f"{name!r} still occurs in {', '.join(tables)}; if it is the same person, edit these tables")
        call.keep(*feature_file_lines(call.store))
        call.keep("backups, bundles, pages and folders made from this store are not changed")
        counts = ", ".join(f"{table} {number:,}" for table, number in outcome.rows.items())
        number, done = counted(sum(outcome.rows.values()), "row"), "would be erased" if dry_run else "erased"
        line = f"{kind} {name}: {done}, in {number} ({counts}); new name: {outcome.name!r}"
        rows = [{"table": table, "rows": number} for table, number in outcome.rows.items()]
        return ResultInLines(rows, lines=[line], context=call.context("store.erase"))


def _to_list(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else [*names]


def _item_rows(what: str, names: Sequence[str]) -> list[dict[str, str]]:
    return [{"what": what, "name": name} for name in names]
