"""What is chosen of a store: whose labels count; what is chosen of files.

A store that a command reads stays open for it: to open one takes longer than most of what is asked of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from contextvars import ContextVar
from enum import StrEnum
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield import hooks
from cranfield.arrays import TOPICS, left_out_notes
from cranfield.errors import InputError
from cranfield.parallel import Tell, nobody, this_thread
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Qrels, Runs, Vocabulary
    from cranfield.arrays.selection import RowSelection
    from cranfield.store.store import Store


EVALUATED = 1000  # documents of a ranking, once those that were judged earlier are gone: as TREC scores them


class ChoiceOfFiles(NamedTuple):
    """Takes of runs and judgments in files those that are asked for: what was not judged before, of a set of topics."""

    before: "Sequence[Qrels]"

    def of_runs(self, runs: "Runs") -> "Runs":
        """The rows that are asked for."""
        return _selection_of_files(runs.topics, runs.docnos, self.before).of_runs(runs.whole)

    def of_qrels(self, qrels: "Qrels") -> "Qrels":
        """The judgments that are asked for; an error where there is none."""
        return _selection_of_files(qrels.topics, qrels.docnos, self.before, qrels).of_qrels(qrels)

    def of_both(self, runs: "Runs", qrels: "Qrels") -> "tuple[Runs, Qrels]":
        """The same of both."""
        return self.of_runs(runs), self.of_qrels(qrels)


def choice_of_files() -> ChoiceOfFiles | None:
    """What of files is asked for; None where it is everything."""
    places = hooks.places("source.earlier") if hooks.GIVEN.get() else ()
    finders = (feature.load(row.at) for feature, row in places if hooks.has_options(feature))
    earlier = [path for find in finders if (path := find())]
    if not (TOPICS.get() or earlier):
        return None
    from cranfield.formats import read_qrels

    return ChoiceOfFiles([read_qrels(path) for path in earlier])


def _selection_of_files(
    topics: "Vocabulary", docnos: "Vocabulary", before: "Sequence[Qrels]", qrels: "Qrels | None" = None
) -> "RowSelection":
    """What is asked for, over these topics and documents."""
    import numpy as np

    from cranfield.arrays.selection import RowSelection, pair_keys

    in_set, name, keys = None, TOPICS.get(), np.zeros(0, np.int64)
    if name:
        from cranfield.store.topic_sets import qids_in

        qids = np.array(qids_in(Path(name)), object)
        in_set = np.isin(topics.names.astype(object), qids)
        if qrels is not None:
            counts = in_set[qrels.judged_topics]
            if not counts.any():
                raise InputError(f"none of its topics was judged: the qrels have {_first_of(qrels.qids)}", Path(name))
            if not counts.all():
                left_out_notes().others[f"topics not in {Path(name).name}"] = int((~counts).sum())
            if missing := len({*qids.tolist()} - {*qrels.qids}):
                left_out_notes().others[f"topics of {Path(name).name} that nobody judged"] = missing
    for one in before:
        judged = one.rows(one.judged)
        topic, document = (
            judged.topics.translate(judged.topic, topics),
            judged.docnos.translate(judged.document, docnos),
        )
        there = (topic >= 0) & (document >= 0)
        keys = np.union1d(keys, pair_keys(topic[there], document[there]))
    return RowSelection(in_set, earlier=keys if before else None, most=EVALUATED if before else None)


def _first_of(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + ", ..." * (len(names) > 3)


class OpenStores(ExitStack):
    """The stores that a thread has open, by their paths."""

    def __init__(self, tell: Tell = nobody) -> None:
        super().__init__()
        self.tell = tell
        self.thread, self.stores = this_thread(), dict[str, "Store"]()


OPEN: ContextVar[OpenStores | None] = ContextVar("OPEN", default=None)


@contextmanager
def keep_open(*already_open: "Store", tell: Tell = nobody) -> Iterator[None]:
    """Meanwhile this thread opens a store once, however often it is to be read; those given are not opened again."""
    with OpenStores(tell) as stores:
        stores.stores |= {fspath(store.path): store for store in already_open}
        before = OPEN.set(stores)
        try:
            yield
        finally:
            OPEN.reset(before)


@contextmanager
def read_here(path: str | PathLike[str]) -> Iterator["Store"]:
    """An open store, to be read: one that is kept open, or one that is closed after it.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from cranfield.store.store import Store
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.db")
    ...     Store.create(path, "a").close()
    ...     with keep_open(), read_here(path) as one, read_here(path) as other:
    ...         print(one is other)
    ...     with read_here(path) as one, read_here(path) as other:
    ...         print(one is other)
    True
    False
    """
    from cranfield.store.store import Store

    current = OPEN.get()
    if current is None or current.thread != this_thread():
        with Store.open(path) as store:
            yield store
        return
    if fspath(path) not in current.stores:
        current.stores[fspath(path)] = current.enter_context(Store.open(path, tell=current.tell))
    store = current.stores[fspath(path)]
    store.catch_up()
    with store.reporting_damage():
        yield store


MOST = 200  # names that a shell can show
MAGIC = b"SQLite format 3\0"
LAST = chr(0x10FFFF)
OF_KIND: Mapping[str, str] = {
    "run": "SELECT tag FROM run",
    "team": "SELECT DISTINCT team FROM run",
    "topic": "SELECT qid FROM topic",
    "document": "SELECT docno FROM document",
    "topic set": "SELECT DISTINCT name FROM topic_set",
    "assessor": "SELECT name FROM assessor",
    "pool": "SELECT CAST(id AS TEXT) FROM pool",
    "release": "SELECT name FROM release",
    "import": "SELECT CAST(id AS TEXT) FROM import",
}


def is_database(path: Path) -> bool:
    """Whether a file may be a store."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def known_names(path: Path, kind: str, beginning: str = "") -> list[str]:
    """The first names of this kind in a store that begin so, for shells; none where there is no store."""
    import sqlite3

    if not is_database(path):
        return []
    names = OF_KIND.get(kind) or next(
        part.names[kind] for part in hooks.tables_of_stores().values() if kind in part.names
    )
    query = f"WITH known (name) AS ({names}) SELECT name FROM known WHERE name >= ? AND name < ? ORDER BY name LIMIT ?"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return [name for (name,) in connection.execute(query, (beginning, beginning + LAST, MOST))]
    except sqlite3.Error:
        return []


def last_written(path: Path) -> tuple[int | None, int | None] | None:
    """The numbers of the last import and the last judgment event of a store; None where no store can be read."""
    import sqlite3

    if not (path.is_file() and is_database(path)):
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as conn:
            last = "SELECT (SELECT max(id) FROM import), (SELECT max(id) FROM judgment_event)"
            number, event = conn.execute(last).fetchone()
    except sqlite3.Error:
        return None
    return number, event
