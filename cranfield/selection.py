"""What is asked of a collection: a release, a round, a topic set, whose labels count, and which pool. One value.

The path of a release has the release's name: `track.db@1.0` is release 1.0 of the store track.db.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from cranfield.errors import InputError, StoreError
from cranfield.text import counted, name_hint

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
    def from_text(cls, text: str) -> Self:
        """What somebody has chosen.

        >>> LabelledBy.from_text("robots")
        Traceback (most recent call last):
        cranfield.errors.InputError: 'robots' is not a kind of labels; expected people, models or all
        """
        if text not in list(cls):
            raise InputError(f"{text[:20]!r} is not a kind of labels; expected people, models or all")
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
    def options(self) -> dict[str, Any]:
        """The options of functions that choose these labellers, except those that have their default.

        >>> Labellers("ada", policy="max").options
        {'assessor': 'ada', 'policy': 'max'}
        """
        kind = None if self.kind is LabelledBy.all else self.kind.value
        names = {"assessor": self.assessor, "labels": kind, "policy": self.policy}
        own_ids = {"ignore_own_id": True} if self.ignore_own_id else {}
        return {name: value for name, value in names.items() if value is not None} | own_ids

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

        >>> Labellers("ada").option, PRIMARY_LABELLERS.option, Labellers(kind=LabelledBy.models).option
        ('--assessor', '--policy', '--labels')
        """
        return "--assessor" if self.assessor is not None else "--policy" if self.policy is not None else "--labels"


# the policies among which one chooses where labels differ; "single", which refuses such labels, is not among them
POLICY_NAMES = ("primary", "majority-tie-low", "majority-tie-high", "median-low", "mean-rounded", "min", "max")
EVERYBODY = Labellers()
PRIMARY_LABELLERS = Labellers(policy="primary")  # where nobody can choose, such as in what is published


def labels_line(whose: LabelledBy, labels: int, by_models: int, names: Sequence[str] = ()) -> str:
    """Whose labels were used, in one line; nothing where all are by people and it was not asked for.

    >>> labels_line(LabelledBy.all, 9, 0), labels_line(LabelledBy.models, 9, 9)
    ('', '9 labels, all by models')
    >>> labels_line(LabelledBy.all, 9, 2)
    '2 of 9 labels are by models, for documents that no person has labelled; to leave them out, use --labels people'
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
    return f"{some}, for documents that no person has labelled; to leave them out, use --labels people"


@dataclass(frozen=True)
class Selection:
    """The part of a collection that an analysis reads.

    Parameters
    ----------
    release : str
        Name of a release of a store; empty for its present state.
    round : str, optional
        Name of a round of a store: its runs, topics and judgments.
    judged : {"residual", "own", "cumulative"}, optional
        Which judgments count in that round.
    topics : str
        Name of a topic set of a store, or the file of a list; empty for all topics.
    labellers : Labellers
        Whose labels count, and which policy decides where they differ.
    pool : int, optional
        Number of a stored pool; the newest by default.
    remove_judged : path, optional
        Qrels file with earlier judgments, whose documents leave the rankings and judgments of files.

    Examples
    --------
    >>> Selection(topics="train").changes_counts, Selection(pool=2).changes_counts
    (True, False)
    """

    release: str = ""
    round: str | None = None
    judged: str | None = None
    topics: str = ""
    labellers: Labellers = EVERYBODY
    pool: int | None = None
    remove_judged: str | PathLike[str] | None = None

    @property
    def has_round(self) -> bool:
        """Whether it names a round, or what only a round needs."""
        return bool(self.round_options)

    @property
    def round_options(self) -> dict[str, str]:
        """What it says of a round, by option.

        >>> Selection(round="2", topics="dev").round_options
        {'round': '2'}
        """
        return {name: str(value) for name in ROUND_FIELDS if (value := getattr(self, name)) is not None}

    @property
    def options(self) -> dict[str, Any]:
        """The keywords that select it, except those that have their default.

        >>> Selection(topics="dev", labellers=Labellers("ada")).options
        {'topics': 'dev', 'assessor': 'ada'}
        """
        names = ("release", "round", "judged", "topics", "pool", "remove_judged")
        own = {name: value for name in names if (value := getattr(self, name)) not in (None, "")}
        return own | self.labellers.options

    @property
    def changes_counts(self) -> bool:
        """Whether fewer runs, topics or judgments count than all that are not withdrawn."""
        return self.has_round or bool(self.topics)


EVERYTHING = Selection()
LABELS_OF = "labels_of"  # the column of scores that says whose labels scored
ROUND_LABELS = ("residual", "own", "cumulative")  # which judgments count in a round
ROUND_FIELDS = ("round", "judged", "remove_judged")  # of a Selection


NAMED = 3  # runs that the line names, with their reasons


@dataclass
class LeftOut:
    """Runs, topics and documents with the reason for each; of each run, how many rows were judged earlier.

    >>> some = LeftOut({"bm25": "wrong index"}, {"7": "", "9": ""}, rows={"a": 1748})
    >>> some.line
    'left out: 1 run (bm25: wrong index), 2 topics, 1,748 rows judged earlier'
    >>> LeftOut(others={"topics not in dev": 1}).line
    'left out: 1 topic not in dev'
    >>> LeftOut().line, LeftOut().record
    ('', {})
    """

    runs: dict[str, str] = field(default_factory=dict)
    topics: dict[str, str] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)  # what else, in words, and how many
    labelled_by: dict[str, Any] = field(default_factory=dict)  # whose labels scored, and by which policy

    def add(self, other: "LeftOut") -> None:
        """Add what another one has."""
        for name, values in vars(other).items():
            getattr(self, name).update(values)

    @property
    def line(self) -> str:
        """All of it in one line; empty where there is nothing."""
        if not any(value for name, value in vars(self).items() if name != "labelled_by"):
            return ""
        parts = [
            _reason_words(self.runs, "run"),
            _reason_words(self.topics, "topic"),
            _reason_words(self.documents, "document"),
        ]
        parts += [f"{number:,} {what.replace('s ', ' ', number == 1)}" for what, number in self.others.items()]
        if number := sum(self.rows.values()):
            parts.append(f"{counted(number, 'row')} judged earlier")
        words = ", ".join(filter(None, parts))
        return f"left out: {words}" if words else ""

    @property
    def labels_of(self) -> str:
        """Whose labels scored, in one line; empty where one person labelled and nothing was chosen.

        >>> LeftOut(labelled_by={"assessors": ["ann"], "line": "4 labels by ann"}).labels_of
        '4 labels by ann'
        """
        return "; ".join(labeller_lines(self.labelled_by))

    @property
    def record(self) -> dict[str, Any]:
        """The same for JSON, without what is empty."""
        fields: dict[str, Any] = {"runs": self.runs, "topics": self.topics, "documents": self.documents, **self.others}
        fields["rows_judged_earlier"] = {tag: number for tag, number in self.rows.items() if number}
        return {name: dict(value) if isinstance(value, dict) else value for name, value in fields.items() if value}


def labeller_lines(labelled_by: Mapping[str, Any]) -> list[str]:
    """Return the lines that name whose labels score: one for documents, or one for each kind of label of answers.

    >>> labeller_lines({"assessors": ["ann"], "line": "4 labels of ann"})
    ['4 labels of ann']
    >>> labeller_lines({"a kind": {"line": "2 labels of m2"}, "another": {"assessors": ["eve"]}})
    ['2 labels of m2']
    """
    kinds = [labelled_by, *(kind for kind in labelled_by.values() if isinstance(kind, dict))]
    return [str(kind["line"]) for kind in kinds if kind.get("line")]


def _reason_words(names: Mapping[str, str], noun: str) -> str:
    """How many there are, and the reasons: of a few each, of more those that are not said twice."""
    if not names:
        return ""
    whys = [f"{name}: {why}" if len(names) <= NAMED and noun == "run" else why for name, why in names.items() if why]
    reasons = list(dict.fromkeys(whys))
    more = ", ..." * (len(reasons) > NAMED)
    return counted(len(names), noun) + (f" ({', '.join(reasons[:NAMED])}{more})" if reasons else "")


VERSION_MARK = "@"
NAME_PATTERN = r"(?=.{1,64}$)[0-9A-Za-z]+([._+-][0-9A-Za-z]+)*"  # as versions are


def split_release_path(path: str | PathLike[str]) -> tuple[Path, str]:
    """Split a path into the file and the name of the release; a file whose own name has an @ is that file.

    >>> split_release_path("nowhere.db@1.0")
    (PosixPath('nowhere.db@1.0'), '')
    """
    file, mark, name = str(path).rpartition(VERSION_MARK)
    if not mark or not name or Path(path).exists() or not Path(file).is_file():
        return Path(path), ""
    return Path(file), name


def release_path(path: str | PathLike[str], name: str) -> Path:
    """The path of a release of a store; a path that names this release already stays."""
    _, named = split_release_path(path)
    if named == name:
        return Path(path)
    if named:
        raise StoreError(
            f"{path}: a release contains no releases, such as {name!r:.80}; expected the path of the store"
        )
    file = Path(f"{path}{VERSION_MARK}{name}")
    if file.exists():
        raise StoreError(f"{file} is also a file; move it away to read release {name} of {path}")
    return file


def check_release_name(name: str) -> None:
    """Refuse a name that is none.

    >>> check_release_name("1.0")
    >>> check_release_name("one two")
    Traceback (most recent call last):
    cranfield.errors.StoreError: 'one two' is not a valid release name; expected letters and digits, with . _ + or -
    between them, such as 1.0
    """
    if not re.fullmatch(NAME_PATTERN, name):
        right = "letters and digits, with . _ + or - between them, such as 1.0"
        raise StoreError(f"{name!r:.80} is not a valid release name; expected {right}")


def check_date(day: str) -> str:
    """A day, YYYY-MM-DD; an error for what is none.

    >>> check_date("2026-02-30")
    Traceback (most recent call last):
    cranfield.errors.StoreError: '2026-02-30' is not a date; expected YYYY-MM-DD, such as 2026-01-31
    """
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise StoreError(f"{day!r:.40} is not a date; expected YYYY-MM-DD, such as 2026-01-31") from None


def describe_unknown_release(name: str, names: Sequence[str]) -> str:
    """What to say of a name that no release has.

    >>> describe_unknown_release("1.00", ["1.0", "2.0"])
    "no release '1.00' in this store; did you mean 1.0?"
    >>> describe_unknown_release("x", ["1.0", "2.0"]), describe_unknown_release("x", [])
    ("no release 'x' in this store; available: 1.0, 2.0",
    "no release 'x' in this store; `cranfield store release` makes one")
    """
    return f"no release {name!r:.80} in this store{name_hint(name, names, '`cranfield store release` makes one')}"


class VersionedStore(Protocol):
    """A connection to a store, and the version of its content, which each change raises."""

    @property
    def conn(self) -> Any: ...

    @property
    def version(self) -> tuple[int, int]: ...


S = TypeVar("S", bound=VersionedStore)
T = TypeVar("T")


class KeptCounts:
    """What counts of stores by one selection: worked out once for a store and a table, and again after it changed.

    Each call has its own, which its handles of a store share.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[object, str], tuple[tuple[int, int], Any]] = {}

    def find(self, store: S, table: str, work_out: Callable[[S, str], T]) -> T:
        """Return what counts of a store and the runs in a table."""
        key, version = (store.conn, table), store.version
        kept = self._kept.get(key)
        if kept is None or kept[0] != version:
            kept = self._kept[key] = version, work_out(store, table)
        found: T = kept[1]
        return found
