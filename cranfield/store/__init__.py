"""What is chosen of a store: whose labels count; what is chosen of files.

A store that a command reads stays open for it: to open one takes longer than most of what is asked of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from contextvars import ContextVar
from enum import StrEnum
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from cranfield import hooks
from cranfield.arrays import TOPICS, left_out_notes
from cranfield.errors import InputError
from cranfield.parallel import Tell, nobody, this_thread
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Qrels, Runs, Vocabulary
    from cranfield.arrays.selection import Selection
    from cranfield.store.store import Store


KINDS = ("human", "model", "panel", "import")  # of assessors: a panel is several models together
MODELS = ("model", "panel")


class LabelledBy(StrEnum):
    """Whose labels count. What is of unknown provenance, such as qrels of an earlier track, counts as people's."""

    people = "people"
    models = "models"
    all = "all"  # a model's only where nobody else labelled

    def counts(self, kind: str) -> bool:
        """Whether the labels of an assessor of this kind count.

        >>> [kind for kind in ("human", "import", "model", "panel") if LabelledBy.people.counts(kind)]
        ['human', 'import']
        """
        return self is LabelledBy.all or (kind in MODELS) == (self is LabelledBy.models)

    @classmethod
    def of(cls, text: str) -> Self:
        """What somebody has chosen.

        >>> LabelledBy.of("robots")
        Traceback (most recent call last):
        cranfield.errors.InputError: 'robots' is nobody to choose; expected people, models or all
        """
        if text not in list(cls):
            raise InputError(f"{text[:20]!r} is nobody to choose; expected people, models or all")
        return cls(text)


class Labellers(NamedTuple):
    """Whose labels count: those of one assessor, or of everybody of a kind; a policy decides where they differ."""

    assessor: str | None = None
    kind: LabelledBy = LabelledBy.all
    policy: str | None = None
    ignore_own_id: bool = False  # whether rows whose document has the topic's id are removed, from runs and judgments

    @property
    def are_everybody(self) -> bool:
        """Whether the labels of everybody count."""
        return self._replace(ignore_own_id=False) == EVERYBODY

    @property
    def words(self) -> str:
        """By whom, for messages; empty for everybody.

        >>> Labellers("ada").words, Labellers(kind=LabelledBy.models).words, EVERYBODY.words
        (' by ada', ' by models', '')
        """
        everybody = self.assessor is None and self.kind is LabelledBy.all
        return "" if everybody else f" by {self.assessor or self.kind}"

    @property
    def option(self) -> str:
        """The option of the command line that chose.

        >>> Labellers("ada").option, BY_PRIMARY.option, Labellers(kind=LabelledBy.models).option
        ('--assessor', '--policy', '--labels')
        """
        return "--assessor" if self.assessor is not None else "--policy" if self.policy is not None else "--labels"


# the policies among which one chooses where labels differ; "single", which refuses such labels, is not among them
POLICY_NAMES = ("primary", "majority-tie-low", "majority-tie-high", "median-low", "mean-rounded", "min", "max")
EVERYBODY = Labellers()
BY_PRIMARY = Labellers(policy="primary")  # where nobody can choose, such as in what is published


def labels_line(whose: LabelledBy, labels: int, by_models: int, names: Sequence[str] = ()) -> str:
    """Whose labels were used, in one line; nothing where all are by people and it was not asked for.

    >>> labels_line(LabelledBy.all, 9, 0), labels_line(LabelledBy.models, 9, 9)
    ('', '9 labels, all by models')
    >>> labels_line(LabelledBy.all, 9, 2)
    '2 of 9 labels are by models, where no person has labelled; --labels people leaves them out'
    >>> labels_line(LabelledBy.all, 9, 9, ["llm"]), labels_line(LabelledBy.all, 9, 4, ["ada", "llm"])
    ('9 labels by llm, a model', '9 labels by ada, llm; 4 of them by models')
    """
    if names and by_models:
        who = ", a model" if len(names) == 1 else f"; {by_models} of them by models"
        return f"{counted(labels, 'label')} by {', '.join(names)}{who}"
    if whose is not LabelledBy.all:
        return f"{counted(labels, 'label')}, all by {whose}"
    if not by_models:
        return ""  # people's, and nobody asked
    if by_models == labels:
        return f"{counted(labels, 'label')}, all by models; no person has labelled anything"
    some = f"{by_models} of {counted(labels, 'label')} {'is' if by_models == 1 else 'are'} by models"
    return f"{some}, where no person has labelled; --labels people leaves them out"


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
) -> "Selection":
    """What is asked for, over these topics and documents."""
    import numpy as np

    from cranfield.arrays.selection import Selection, pair_keys

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
    return Selection(in_set, earlier=keys if before else None, most=EVALUATED if before else None)


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
