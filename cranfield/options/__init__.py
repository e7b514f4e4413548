"""An option is declared once: the `Annotated` type of a parameter, of which the command line makes its option.

`cranfield/cli/build.py` makes options of the parameters of a function. Options that several commands share are here.
Those whose names come from tables of cranfield take several at once: `-m AP,P@10` is `-m AP -m P@10`. Names from data
(run tags, topics, assessors) may contain commas, so their options are repeated.

An option says its group (`rich_help_panel=SELECTION`): what is read, how a table is written, limits, how models are
asked. A page of help shows a group as one line, and `cranfield help selection` explains its options.

A value is refused if it is not of the option's type, among its names or within its bounds. The argument `rng` of
public functions is as SPEC 7 of Scientific Python has it.
"""

import dataclasses
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from inspect import Parameter
from math import inf
from numbers import Integral, Number, Real
from operator import index
from os import PathLike, fspath
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    SupportsFloat,
    SupportsIndex,
    TypeAlias,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from cranfield.errors import InputError
from cranfield.lazy import lazy_type
from cranfield.selection import POLICY_NAMES
from cranfield.text import join_words, measures_in

if TYPE_CHECKING:
    from numpy.random import Generator

    from cranfield.metrics.notation import MeasuresLike
else:
    Generator = lazy_type("numpy.random", "Generator")
    MeasuresLike = lazy_type("cranfield.metrics.notation", "MeasuresLike")


Rng: TypeAlias = int | Generator | None
DEFAULT_SEED = 0  # so that results are the same each time
N_SEEDS = 2**32  # among which a Generator draws


def seed_of(rng: Rng, min_seed: int | None = None) -> int:
    """Return the seed that an `rng` stands for: the number itself, one that a Generator draws, or the default.

    >>> import numpy as np
    >>> seed_of(None), seed_of(7), seed_of(np.random.default_rng(1))
    (0, 7, 2032329983)
    >>> seed_of("7")
    Traceback (most recent call last):
    cranfield.errors.InputError: rng is '7'; expected None, a whole number, or a numpy.random.Generator
    """
    if rng is None:
        return DEFAULT_SEED
    if hasattr(rng, "integers"):
        return int(rng.integers(N_SEEDS))
    is_number = hasattr(rng, "__index__") and not isinstance(rng, bool)
    if not is_number or (min_seed is not None and int(rng) < min_seed):
        number = "a whole number" if min_seed is None else f"a whole number of at least {min_seed}"
        raise InputError(f"rng is {rng!r:.60}; expected None, {number}, or a numpy.random.Generator")
    return int(rng)


def describe_expected(kind: Any, settings: Mapping[str, Any], value: Any) -> str:
    """What would be right in place of a value, for a type and the settings of an option; empty where it is right.

    Of a type that is none of a few simple ones nothing is wrong.

    >>> describe_expected(Literal["run", "team", "kind"], {}, "runs")
    'run, team or kind'
    >>> describe_expected(float | None, {"min": 0, "max": 1}, 5)
    'a number from 0 to 1'
    >>> describe_expected(int, {"min": 1}, 1.5), describe_expected(Sequence[str], {}, ["a", 1])
    ('a whole number of at least 1', 'a list of names')
    >>> describe_expected(float, {}, 1)
    ''
    >>> describe_expected(Sequence[str] | None, {}, "kim"), describe_expected(str | Sequence[str], {}, "kim")
    ('a list of names', '')
    >>> describe_expected(int | None, {"max": -1}, -2), describe_expected(int | None, {"max": -1}, 0)
    ('', 'a whole number of at most -1')
    >>> describe_expected(tuple[int, str | PathLike[str]], {"min": 1}, (0, "a"))
    'a pair of a whole number of at least 1 and a path'
    >>> describe_expected(tuple[int, Path], {}, (3, "a")), describe_expected(object, {}, 3)
    ('', '')
    >>> describe_expected(bool, {}, "no"), describe_expected(str | PathLike[str] | None, {}, 3)
    ('True or False', 'a path')
    """
    if value is None and NoneType in types_in_union(kind):
        return ""
    forms = _forms(kind, *((name, settings[name]) for name in STATED if name in settings))
    if any(form is None or form.holds(value) for form in forms):
        return ""
    return join_words([*dict.fromkeys(word for form in forms if form for word in form.words)], "or")


STATED = ("min", "max", "metavar")  # settings of an option that say what is right


class _Form(NamedTuple):
    """What values of a type are called, and whether something is one."""

    words: Sequence[str]
    holds: Callable[[Any], bool]


@cache
def types_in_union(kind: Any) -> Sequence[Any]:
    """The types that a type is one of."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


@cache
def _forms(kind: Any, *settings: tuple[str, Any]) -> Sequence[_Form | None]:
    """Those of the types that a type is one of; where text or a list is taken, the text counts as a list of one."""
    kinds = types_in_union(kind)
    has_text = any(get_origin(one) is PathLike or one in _NAMES for one in kinds)
    forms = [_form(one, dict(settings)) for one in kinds if one is not NoneType and not (has_text and one is str)]
    return [_SEVERAL_NAMES if form is _LISTS[str] and str not in kinds else form for form in forms]


def _form(kind: Any, settings: Mapping[str, Any]) -> _Form | None:
    """That of a type; None where it is no simple one."""
    origin, args = get_origin(kind) or kind, get_args(kind)
    forms: Mapping[Any, Callable[[], _Form | None]] = {
        Literal: lambda: _Form(args, lambda value: _is_scalar(value) and value in args),
        bool: lambda: _Form(["True or False"], lambda value: _is_scalar(value) and value in (True, False)),
        int: lambda: _number_form(int, settings),
        float: lambda: _number_form(float, settings),
        str: lambda: _Form([_words_for_text(settings.get("metavar"))], lambda value: isinstance(value, str | PathLike)),
        PathLike: lambda: _Form(["a path"], _is_path),
        Path: lambda: _Form(["a path"], _is_path),
        Mapping: lambda: _Form(
            ["a dict"],
            lambda value: isinstance(value, Mapping) and (args[:1] != (str,) or _are_all_of_type(str, value)),
        ),
        tuple: lambda: _pair_form(args, settings),
        Sequence: lambda: _LISTS.get(args[0]),
        Iterable: lambda: _LISTS.get(args[0]),
    }
    if origin in forms:
        return forms[origin]()
    is_class = isinstance(kind, type) and kind not in (object, Any) and not getattr(kind, "_is_protocol", False)
    return _Form([f"a {kind.__name__}"], lambda value: isinstance(value, kind)) if is_class else None


def _words_for_text(metavar: str | None) -> str:
    """What a text is called; a metavar of one word, such as QID, names no form of it."""
    return metavar if metavar and not metavar.isupper() else "a text"


def _is_path(value: object) -> bool:
    return isinstance(value, str | PathLike) and "\0" not in str(value)


def _is_scalar(value: object) -> bool:
    """Whether a value is no array or table."""
    return not getattr(value, "shape", ())


LARGEST = 2**63 - 1


def _number_form(kind: type, settings: Mapping[str, Any]) -> _Form:
    largest = LARGEST if kind is int else inf
    least, most = settings.get("min"), settings.get("max", largest)
    low, needs = (-largest if least is None else least), "__index__" if kind is int else "__float__"

    def holds(value: Any) -> bool:
        is_number = _is_scalar(value) and hasattr(value, needs) and not isinstance(value, bool)
        return is_number and (low <= value <= most or (least is None and most == inf))

    has_most = most not in (inf, LARGEST)
    if least is None:
        bounds = f" of at most {most}" * has_most
    else:
        bounds = f" from {least} to {most}" if has_most else f" of at least {least}"
    return _Form([f"a {'whole ' * (kind is int)}number{bounds}"], holds)


def _is_names(value: object) -> bool:
    """Whether a value is names, or one."""
    if isinstance(value, PathLike):
        return True
    return isinstance(value, Collection) and getattr(value, "ndim", 1) == 1 and _are_all_of_type(str | PathLike, value)


def _is_several_names(value: object) -> bool:
    """Whether a value is a list of names. The letters of a text would be taken for names."""
    return not isinstance(value, str | PathLike) and _is_names(value)


def _are_all_of_type(kind: Any, values: Iterable[object]) -> bool:
    return all(isinstance(one, kind) for one in values)


def _is_dict(value: object) -> bool:
    return isinstance(value, Mapping) and _are_all_of_type(str, value)


def _is_paths(value: Any) -> bool:
    return _is_list(object)(value) and all(map(_is_path, value))


def _is_pair(value: Any) -> bool:
    return _is_list(SupportsFloat)(value) and len(value) == 2


def _pair_form(kinds: Sequence[Any], settings: Mapping[str, Any]) -> _Form:
    if all(kind in (int, float) for kind in kinds):
        return _Form(["a pair of numbers"], _is_pair)
    bounds = {name: value for name, value in settings.items() if name != "metavar"}

    def holds(value: Any) -> bool:
        is_pair = isinstance(value, list | tuple) and len(value) == len(kinds)
        return is_pair and not any(describe_expected(kind, bounds, one) for kind, one in zip(kinds, value, strict=True))

    words = [describe_expected(kind, bounds, _NO_VALUE) for kind in kinds]
    return _Form([f"a pair of {' and '.join(words)}"], holds)


_NO_VALUE = object()  # right for no type


def _is_list(kind: Any) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, Collection) and not isinstance(value, str | bytes) and _are_all_of_type(kind, value)
    )


_LISTS = {
    str: _Form(["a list of names"], _is_names),
    int: _Form(["a list of whole numbers"], _is_list(SupportsIndex)),
    str | PathLike[str]: _Form(
        ["a list of paths"], lambda value: _is_list(object)(value) and all(map(_is_path, value))
    ),
    Sequence[Hashable]: _Form(["a list of lists"], _is_list(Collection)),
}
_NAMES = (Sequence[str], Iterable[str])
_SEVERAL_NAMES = _Form(_LISTS[str].words, _is_several_names)


def python_value(kind: Any, value: Any) -> Any:
    """A value as functions take it: a path where text is meant is its text, other lists are lists.

    >>> from pathlib import Path
    >>> python_value(str | None, Path("a.txt")), python_value(Sequence[str], iter(["a", "b"]))
    ('a.txt', ['a', 'b'])
    >>> import numpy as np
    >>> python_value(int | None, np.int64(2)), python_value(float, np.float32(0.5)), python_value(Sequence[int], [np.int8(1)])
    (2, 0.5, [1])
    """  # noqa: E501
    means_text, means_list = _text_and_list_flags(kind)
    if isinstance(value, Number) and not isinstance(value, bool | int):  # such as NumPy's
        return python_number(kind, value)
    if (
        means_list
        and isinstance(value, Iterable)
        and Sequence[int] in types_in_union(kind)
        and not isinstance(value, str)
    ):
        return [python_number(int, item) for item in value]
    if means_text and isinstance(value, PathLike):
        return fspath(value)
    return list(value) if means_list and (isinstance(value, Iterator) or not _is_scalar(value)) else value


def python_number(kind: Any, value: Any) -> Any:
    """A whole number as an int, and a real number as a float, where an option takes one of these types."""
    kinds = types_in_union(kind)
    if isinstance(value, bool | int | float) or not {int, float} & {*kinds}:
        return value
    if isinstance(value, Integral):
        return index(value)
    return float(value) if isinstance(value, Real) and float in kinds else value


@cache
def _text_and_list_flags(kind: Any) -> tuple[bool, bool]:
    """Whether a path stands for its text, and whether what is no list is made one."""
    kinds = types_in_union(kind)
    origins = {get_origin(one) or one for one in kinds}
    means_text = PathLike not in origins and bool(origins & {str, Sequence, Iterable})
    if None in _forms(kind):  # what is not of a simple type may have a meaning of its own, such as a DataFrame
        return means_text, False
    return means_text, any(get_origin(one) in (Sequence, Iterable) and get_args(one)[0] in _LISTS for one in kinds)


def measures_of(value: Sequence[str]) -> list[str]:
    """Measures, split at the commas outside their own options.

    >>> measures_of(["AP,P@10", 'nDCG(gains="0=1,2=4")@10,RBP(p=0.8,rel=2)', "AP(rel=2"])
    ['AP', 'P@10', 'nDCG(gains="0=1,2=4")@10', 'RBP(p=0.8,rel=2)', 'AP(rel=2']
    """
    return [name for text in value for name in measures_in(text)]


SELECTION, OUTPUT, LIMITS, SUBJECT, ASKING = "selection", "output", "limits", "subject", "asking"


class OptionGroup(NamedTuple):
    """What a group of options is for, an example, and commands that have all its options between them."""

    title: str
    about: str
    example: str
    commands: tuple[str, ...]


GROUPS = {
    SELECTION: OptionGroup(
        "Which part of a store a command reads, and whose labels count",
        "By default, a command reads the present state of a store: all judged topics, the newest pool and everybody's"
        " labels. These options restrict the selection. Each command accepts the options that apply to it, and its"
        " `--help all` lists them. The command never reads withdrawn runs, topics and documents; the output reports"
        " their number.",
        "cranfield evaluate track.db --topics dev --labels people --release 1.0",
        (
            "evaluate",
            "reusability",
            "pool forecast",
            "pool build",
            "model audit report",
            "online show",
        ),
    ),
    OUTPUT: OptionGroup(
        "How and where a table is written",
        "By default, a command prints a table that fits the terminal. These options print JSON, CSV, TSV, Markdown or"
        " LaTeX, or write to a file. JSON, CSV and TSV contain all digits of a number. If several people or models"
        " labelled documents, a line below the table states whose labels were used. CSV and TSV contain these names"
        " in the column labels_of.",
        "cranfield evaluate track.db --output scores.csv",
        ("evaluate",),
    ),
    LIMITS: OptionGroup(
        "How files are read, and the limits on their size",
        "A command detects the format of a file from its content and checks every line. It refuses lines and files"
        " that exceed the limits. These options name the format and the fields, change the limits, and turn notes"
        " about files into errors.",
        "cranfield evaluate qrels.csv runs/*.csv --field qrels.grade=label --max-file 2G --fail-on-note",
        ("evaluate", "import corpus"),
    ),
    SUBJECT: OptionGroup(
        "What to score instead of document rankings",
        "By default, a command scores the document rankings in runs. With these options, it scores generated"
        " answers, topic variations, or passages mapped to their documents instead.",
        "cranfield evaluate track.db --answers",
        ("evaluate",),
    ),
    ASKING: OptionGroup(
        "How a language model is called, and limits on the cost",
        "A command sends prompts to a model server with an OpenAI-compatible API. It stores every reply, and stops"
        " before a limit is exceeded. `--dry-run` shows a prompt, the number of calls and the cost, and sends"
        " nothing. `--batch` writes the requests to a file instead.",
        "cranfield model assess run track.db --model NAME --url http://127.0.0.1:8000/v1 --dry-run",
        ("model assess run", "answers support", "answers claims make"),
    ),
}


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


def split_names(value: Sequence[str]) -> list[str]:
    """Names, split at commas.

    >>> split_names(["bm25,lsa", "rm3"])
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
