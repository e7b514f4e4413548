"""Arguments of public functions: stores, topics and rounds, which many functions share, and the check of all by type.

The command line makes options of them. A function checks its arguments before it does anything.
"""

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial, wraps
from inspect import Parameter, isgeneratorfunction, signature, unwrap
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, ParamSpec, Protocol, TypeAlias, TypeVar, cast

from cranfield import hooks
from cranfield.errors import CranfieldError, InputError, name_keywords_in_error, refusing_long_paths
from cranfield.options import SELECTION, Argument, Grouped, Option, OptionField, Written, split_annotation
from cranfield.selection import LeftOut, Selection
from cranfield.store.reading import Reading
from cranfield.text import did_you_mean, join_words

if TYPE_CHECKING:
    from cranfield.store.store import Store


class OpenStore(Protocol):
    """An open store, `cranfield.Store`, which takes long to import."""

    def select(self, selection: Selection, left_out: LeftOut | None = None) -> "Store":
        """Return this open store as one of which only a selection counts."""


StoreLike: TypeAlias = str | PathLike[str] | OpenStore

STORE = "A store, such as track.db."
PresentStore = Annotated[StoreLike, Argument(STORE, metavar="STORE", typed=Path, reads="store")]
ReadStore = Annotated[StoreLike, Argument(STORE, metavar="STORE", typed=Path, reads="store or release")]

OnlyTopics = Annotated[
    str | None,
    Option(
        "Topics to use: a topic set of the store, or a file of topic ids. [default: all]",
        metavar="NAME|FILE",
        complete="topic set",
        rich_help_panel=SELECTION,
    ),
]
Round = Annotated[
    str | None,
    Option(
        "Round whose runs, topics and judgments are used (stores only). [default: all rounds]",
        metavar="NAME",
        complete="round",
        rich_help_panel=SELECTION,
    ),
]
RoundJudgments = Annotated[
    Literal["residual", "own", "cumulative"] | None,
    Option(
        "Which judgments to use with --round. residual (default after the first round): the round's own, with"
        " documents judged in earlier rounds removed from the rankings. own: the round's own, rankings unchanged."
        " cumulative: all judgments up to the end of the round.",
        metavar="residual|own|cumulative",
        rich_help_panel=SELECTION,
    ),
]
JudgedBefore = Annotated[
    str | PathLike[str] | None,
    Option(
        "Earlier qrels file. The documents that it judges are removed from rankings and judgments (files only).",
        metavar="FILE",
        typed=str | None,
        rich_help_panel=SELECTION,
    ),
]

IgnoresOwnId = Annotated[
    bool,
    Option(
        "Remove documents whose id equals the topic id from runs and judgments, as BEIR does.",
        "--ignore-own-id",
        rich_help_panel=SELECTION,
    ),
]


def selection_of(
    topics: str | None = None,
    round: str | None = None,
    judged: str | None = None,
    remove_judged: str | PathLike[str] | None = None,
) -> Selection:
    """The selection of a call, of the options that it was given."""
    return Selection(topics=topics or "", round=round, judged=judged, remove_judged=remove_judged)


P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])
SEVERAL = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def check_arguments(function: F) -> F:
    """Let a function refuse an argument of another type than it declares, and issue notes on files as warnings.

    Options are checked where they are declared.

    >>> def double(number: "int", name: "str | None" = None) -> "int":
    ...     return 2 * number
    >>> check_arguments(double)(4)
    8
    >>> check_arguments(double)("4")
    Traceback (most recent call last):
    cranfield.errors.InputError: number is '4'; expected a whole number
    """
    careful = cache(partial(_check_arguments, function))  # when all names of the module are there, which its types need

    @wraps(function)
    def call(*positional: Any, **options: Any) -> Any:
        from cranfield.formats.files import notes_as_warnings

        with notes_as_warnings():
            return careful()(*positional, **options)

    return cast("F", call)


def _check_arguments(function: Callable[..., R]) -> Callable[..., R]:
    own = unwrap(function)
    names = vars(sys.modules[own.__module__])
    kinds = {
        one: type_named(one.annotation, names) for one in signature(own).parameters.values() if one.kind not in SEVERAL
    }
    fields = {
        one.name: OptionField(one.name, one.default, *split_annotation(kind))
        for one, kind in kinds.items()
        if not (isinstance(kind, type) and issubclass(kind, Reading))
    }

    parameters = [*signature(function).parameters]
    spoken = [*parameters, *_names_in_groups(kinds)]
    declared = signature(function).parameters.values()
    positional_values = [one.name for one in declared if one.kind not in (*SEVERAL, Parameter.KEYWORD_ONLY)]
    takes_any_number = any(one.kind is Parameter.VAR_POSITIONAL for one in declared)
    takes_any_name = any(one.kind is Parameter.VAR_KEYWORD for one in declared)
    written = [name for name, field in fields.items() if any(isinstance(mark, Written) for mark in field.marks)]

    @wraps(function)
    def call(*positional: Any, **options: Any) -> R:
        if len(positional) > len(positional_values) and not takes_any_number:
            raise TypeError(
                f"{own.__name__}() too many positional arguments; expected {join_words(positional_values) or 'none'},"
                " and every other argument by name"
            )
        with keywords_in_errors(spoken), suggesting_keywords(parameters):
            if not takes_any_name and (unknown := [name for name in options if name not in parameters]):
                remedy = _subject_with(unknown[0]) if "subject" in parameters else ""
                raise TypeError(f"{own.__name__}() got an unexpected keyword argument {unknown[0]!r}{remedy}")
            given = [field.accept(value) for field, value in zip(fields.values(), positional, strict=False)]
            options = {name: fields[name].accept(value) if name in fields else value for name, value in options.items()}
            _check_extras({**dict(zip(fields, positional, strict=False)), **options}, written, positional[len(given) :])
            result = function(*given, *positional[len(given) :], **options)
        return cast("R", _speaking_python(result, spoken)) if isgeneratorfunction(own) else result

    return call


def _check_extras(values: Mapping[str, Any], written: Collection[str], others: Collection[Any]) -> None:
    """Raise MissingExtraError before any work if a file among the arguments needs an extra that is not installed."""
    from cranfield.formats.given_files import check_read_extras, check_written_extras, paths_among

    check_read_extras(paths_among([*(value for name, value in values.items() if name not in written), *others]))
    check_written_extras(paths_among(values[name] for name in written if name in values))


def _names_in_groups(kinds: Mapping[Parameter, Any]) -> list[str]:
    """The fields of parameters that are a dataclass of options, such as an Asking."""
    declared = map(split_annotation, kinds.values())
    groups = [(kind, mark) for kind, marks in declared for mark in marks if isinstance(mark, Grouped)]
    return [field.name for kind, group in groups for field in group.fields(kind)]


def _subject_with(option: str) -> str:
    """How to pass an option that a subject of a feature has; empty for another."""
    name = hooks.subject_with(option)
    return f"; expected subject=cranfield.subjects.{name}(...)" if name else ""


def _speaking_python(items: Any, parameters: Collection[str]) -> Iterator[Any]:
    with keywords_in_errors(parameters):
        yield from items


def speaks_python(method: Callable[P, R]) -> Callable[P, R]:
    """A method whose errors name keywords of Python instead of options of the command line."""
    parameters = [*signature(method).parameters]

    @wraps(method)
    def call(*positional: P.args, **options: P.kwargs) -> R:
        with keywords_in_errors(parameters), suggesting_keywords(parameters):
            return method(*positional, **options)

    return call


KEYWORDS_OF_OTHER_LIBRARIES = {
    "metric": "measures",
    "metrics": "measures",
    "per_query": "per_topic",
    "random_state": "rng",
    "seed": "rng",
}
UNKNOWN = (  # Python 3.13 suggests a keyword, too
    r"((?:\w+\.)*\w+\(\) got an unexpected keyword argument '(\w+)')(?:\. Did you mean '\w+'\?)?"
)


@contextmanager
def suggesting_keywords(parameters: Collection[str]) -> Iterator[None]:
    """Name the nearest keyword in the error on an unknown one.

    >>> with suggesting_keywords(["measures", "topics"]):
    ...     raise TypeError("evaluate() got an unexpected keyword argument 'measure'")
    Traceback (most recent call last):
    TypeError: evaluate() got an unexpected keyword argument 'measure'; did you mean measures?
    >>> with suggesting_keywords(["measures", "topics"]):
    ...     raise TypeError("evaluate() got an unexpected keyword argument 'metrics'")
    Traceback (most recent call last):
    TypeError: evaluate() got an unexpected keyword argument 'metrics'; did you mean measures?
    """
    try:
        yield
    except TypeError as error:
        found = re.fullmatch(UNKNOWN, str(error))
        if found is None or found[2] in parameters:
            raise
        keyword = KEYWORDS_OF_OTHER_LIBRARIES.get(found[2], "")
        hint = f"; did you mean {keyword}?" if keyword in parameters else did_you_mean(found[2], parameters)
        raise TypeError(f"{found[1]}{hint}") from None


@contextmanager
def keywords_in_errors(parameters: Collection[str] = ()) -> Iterator[None]:
    """Name keywords of Python instead of options of the command line in the errors of the block.

    >>> with keywords_in_errors():
    ...     raise InputError("choose --policy NAME")
    Traceback (most recent call last):
    cranfield.errors.InputError: choose policy=NAME
    """
    try:
        with refusing_long_paths():
            yield
    except CranfieldError as error:
        name_keywords_in_error(error, parameters)
        raise


def type_named(annotation: Any, names: Mapping[str, Any]) -> Any:
    """The type that an annotation names; object where there is none, or only type checkers know it."""
    if not isinstance(annotation, str):
        return object if annotation is Parameter.empty else annotation
    try:
        return eval(annotation, dict(names))
    except (NameError, TypeError):
        return object


def records_of_kind(several: object, kind: str, name: str) -> Iterator[Any]:
    """Records of a kind, each of which has this field.

    >>> list(records_of_kind({"d1": "wing"}, "Document", "docno"))
    Traceback (most recent call last):
    cranfield.errors.InputError: a str in a dict; expected a file, or a list of Document from cranfield.formats
    """
    right = f"expected a file, or a list of {kind} from cranfield.formats"
    if not isinstance(several, Iterable):
        raise InputError(f"a value of type {type(several).__name__}; {right}")
    for record in several:
        if not hasattr(record, name):
            raise InputError(f"a {type(record).__name__} in a {type(several).__name__}; {right}")
        yield record
