"""An option is declared once: the `Annotated` type of a parameter, of which the command line makes its option.

`cranfield/cli/build.py` makes options of the parameters of a function. Options that several commands share are here.
Those whose names come from tables of cranfield take several at once: `-m AP,P@10` is `-m AP -m P@10`. Names from data
(run tags, topics, assessors) may contain commas, so their options are repeated.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import Parameter
from os import PathLike
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from cranfield.errors import InputError
from cranfield.lazy import lazy_type
from cranfield.options.groups import SELECTION
from cranfield.options.values import describe_expected, measures_of, python_value
from cranfield.rng import DEFAULT_SEED, Rng
from cranfield.selection import POLICY_NAMES
from cranfield.text import join_words

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasuresLike
else:
    MeasuresLike = lazy_type("cranfield.metrics.notation", "MeasuresLike")


class Option:
    """What the command line says of an option, in the `Annotated` type of its field; `settings` are typer's.

    `complete` is what the shell completes, a row of COMPLETERS in cranfield/cli/completion.py, or a function of a
    feature as "module:names". Where it is typed as
    another type than Python has, that is `typed`, and `parse` makes the value of what was typed. On help pages it is
    `before` another option. `reads` is what its files are, a row of READING in
    cranfield/cli/common_options.py, which adds options on how they are read. The command line demands an option that
    is `required`, which may have a default in Python. Its `default` is what the command line has where nothing is
    typed, if Python has None or what `parse` makes of it.
    """

    def __init__(
        self, help: str, *flags: str, complete: str = "", typed: Any = None, parse: Callable[[Any], Any] | None = None,
        before: str = "", reads: str = "", required: bool = False, default: Any = None, **settings: Any,
    ) -> None:  # fmt: skip
        self.help, self.flags, self.complete, self.reads, self.required = help, flags, complete, reads, required
        self.default = default
        self.typed, self.parse, self.before, self.settings = typed, parse, before, settings


class Argument(Option):
    """What the command line says of a parameter that it takes by place, not by a flag."""


class OneOf(NamedTuple):
    """Beside the Option in the type of a field: it names a row of a table, loaded when the command is."""

    module: str
    table: str

    def kind(self) -> Any:
        """The type of an option that takes the names in the table."""
        return cast("Any", Literal)[tuple(getattr(import_module(self.module), self.table))]


class Written(NamedTuple):
    """Beside the Option in the type of a file: the command writes it, and refuses a file that it reads as well."""


class Implies(NamedTuple):
    """Beside an option of a renderer: where it is given, this keyword of the function is True as well."""

    keyword: str


class OptionField(NamedTuple):
    """A field of a record: its name, default and type; its option, if the command line has it."""

    name: str
    default: Any
    kind: Any
    marks: Sequence[Any]

    @property
    def option(self) -> Option | None:
        """What the command line says of it."""
        return next((mark for mark in self.marks if isinstance(mark, Option)), None)

    def accept(self, value: Any) -> Any:
        """A value as functions take it; refused where it is none of its names, not text, no number, or out of bounds.

        >>> OptionField("alpha", 0.05, float, []).accept(1)
        1
        >>> OptionField("topics", "all", str, []).accept(["1", "2"])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        cranfield.errors.InputError: topics is ['1', '2']; expected the name of a topic set (...
        >>> OptionField("alpha", 0.05, float, [Option("Level.", min=0.0001, max=0.5)]).accept(5)
        Traceback (most recent call last):
        cranfield.errors.InputError: alpha is 5; expected a number from 0.0001 to 0.5
        """
        if value is None and self.default is None:
            return None
        if (
            isinstance(value, str) and not value and self.default != ""
        ):  # a path would be the current folder, a selection everything
            raise InputError(f"{self.name} is ''; expected a value that is not empty")
        value = python_value(self.kind, value)
        if right := describe_expected(self.kind, self.option.settings if self.option else {}, value):
            if self.name == "topics" and isinstance(value, list | tuple | set):
                right = "the name of a topic set (cranfield.topics.save_set makes one from ids), or a file of topic ids"
            raise InputError(f"{self.name} is {value!r:.60}; expected {right}")
        return value


class Grouped:
    """Beside the type of a parameter, a dataclass: its fields are options, and the command makes the value of them.

    The command line does not have the fields `without`. It declares those of `changed` by another type.

    >>> @dataclasses.dataclass
    ... class Paper:
    ...     size: Annotated[str, Option("How large.")] = "A4"
    ...     copies: Annotated[int, Option("How many.", min=1)] = 1
    >>> [(field.name, field.default) for field in Grouped("copies").fields(Paper)]
    [('size', 'A4')]
    """

    def __init__(self, *without: str, **changed: Any) -> None:
        self.without, self.changed = without, changed

    def fields(self, kind: Any) -> list[OptionField]:
        """The options that are fields of a dataclass."""
        kinds = get_type_hints(kind, include_extras=True) | self.changed
        return [
            OptionField(
                field.name,
                Parameter.empty if field.default is dataclasses.MISSING else field.default,
                *split_annotation(kinds[field.name]),
            )
            for field in dataclasses.fields(kind)
            if field.name not in self.without
        ]


def split_annotation(annotation: Any) -> tuple[Any, Sequence[Any]]:
    """The type of an annotation, and what stands beside it."""
    kind, *marks = get_args(annotation) if get_origin(annotation) is Annotated else [annotation]
    return kind, tuple(marks)


def names(value: Sequence[str]) -> list[str]:
    """Names, split at commas.

    >>> names(["bm25,lsa", "rm3"])
    ['bm25', 'lsa', 'rm3']
    """
    return [name.strip() for text in value for name in text.split(",")]


HELP_OF_MEASURES = (
    "Measures, such as AP, nDCG@10 and P(rel=2)@5. Use module:name for your own measure. Give several as -m"
    " AP,P@10 or -m AP -m P@10."
)
MEASURES_OPTION = Option(
    HELP_OF_MEASURES, "-m", "--measure", metavar="MEASURE", complete="measures", typed=list[str] | None,
    parse=measures_of,
)  # fmt: skip
Measures = Annotated[MeasuresLike, MEASURES_OPTION]
Units = Annotated[
    Literal["run", "team", "kind", "cluster"] | None,
    Option(
        "Unit to leave out of the pool, one at a time. Runs in a cluster share 90% of the documents that they"
        " contributed to the pool. [default: team where teams are known, otherwise cluster]",
        "--by",
    ),
]
PoolDepth = Annotated[int | None, Option("Pool depth. [default: stored or inferred]", min=1)]
PoolNumber = Annotated[
    int | None,
    Option(
        "Number of the stored pool. [default: the newest]",
        "--pool",
        min=1,
        metavar="N",
        complete="pool",
        rich_help_panel=SELECTION,
    ),
]
TEAMS_OPTION = Option(
    "Table of the runs' teams. Its columns are run and team, and optionally kind, pooled (yes/no) and depth.",
    metavar="TSV", typed=Path | None,
)  # fmt: skip
Teams = Annotated[str | PathLike[str] | Mapping[str, str] | None, TEAMS_OPTION]
TeamsFile = Annotated[str | PathLike[str] | None, TEAMS_OPTION]
Topics = Annotated[
    str,
    Option(
        "Judged topics to score: all, common (topics that every run answered), a topic set of the store, or a file of"
        " topic ids. With all, a run scores 0 on topics that it did not answer.",
        metavar="all|common|NAME|FILE", complete="topic set", rich_help_panel=SELECTION,
    ),
]  # fmt: skip
Assessor = Annotated[
    str | None,
    Option(
        "Assessor whose judgments count (stores only). [default: all]",
        metavar="NAME",
        complete="assessor",
        rich_help_panel=SELECTION,
    ),
]
Labels = Annotated[
    Literal["people", "models", "all"],
    Option(
        "Whose labels count (stores only). With all, a model's label counts only for documents that no person"
        " labelled.",
        rich_help_panel=SELECTION,
    ),
]
LABELS_DIFFER = f"Policy for documents with differing labels: {join_words(POLICY_NAMES, 'or')}."
DEFAULT_POLICY = "[default: recorded by `store labels`, otherwise primary]"
_DIFFER = Option(LABELS_DIFFER, metavar="NAME", complete="policy", rich_help_panel=SELECTION)
PolicyName = Annotated[str | None, _DIFFER]


def seed_option(help: str, **settings: Any) -> Option:
    """Return the option --seed of a parameter `rng`, which takes a Generator in Python as well."""
    return Option(help, "--seed", typed=int, default=DEFAULT_SEED, **settings)


Seed = Annotated[Rng, seed_option("Random seed.", min=0)]


IgnoreOwnId = Annotated[
    bool,
    Option(
        "Remove documents whose id equals the topic id from runs and judgments, as BEIR does.",
        rich_help_panel=SELECTION,
    ),
]
Cluster = Annotated[
    str | None,
    Option(
        "Dask cluster to compute on: tcp://HOST:PORT, or local:N for N processes on this machine.",
        metavar="ADDRESS",
    ),
]


MEASURES = ("AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "Judged@10")
