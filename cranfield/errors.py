"""The errors of cranfield.

CranfieldError            an error in the data; the command line prints one line and exits with 1
├── InputError            in a file, with the line if there is one
│   ├── ArgumentError     an argument that is wrong or does not go with the others
│   ├── UndecidedError    labels differ, and nobody chose whose count
│   └── ModelError        a model that gives no usable answer
├── StoreError            not a store, another version, or a refused change
│   ├── DamageError       an invalid row of a store
│   └── BusyError         another program is writing to it
└── MeasureError          an unknown measure or option of a measure

CranfieldWarning          a note on a result or an input
├── UnjudgedWarning       documents or grades that count as not relevant, or as not judged
├── MissingTopicWarning   topics that runs did not answer, or that were not judged
├── ProvenanceWarning     whose labels score, and what is left out
├── CorpusWarning         documents and topics that are unknown, or lack text
├── FormatWarning         how a file was read: a guessed format, ranks that contradict scores
└── FeatureWarning        a feature of an installed package that cannot be used

>>> try:
...     raise InputError("5 columns where a run has 6", path="a.run", line=3)
... except CranfieldError as error:
...     print(error)
a.run:3: 5 columns where a run has 6
"""

import re
import sys
import traceback
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from errno import ENAMETOOLONG
from os import PathLike, fspath
from typing import TypeVar

Path = str | PathLike[str]  # to a file


class CranfieldError(Exception):
    r"""Base class of all errors in the data. Its text is one line that is safe to print on a terminal.

    >>> print(CranfieldError("run 'a\n\x1b[2Jb' is here already"))
    run 'a ␛[2Jb' is here already
    """

    result: object = None  # of a call that failed after it had one, which a command shows before the error

    def __str__(self) -> str:
        from cranfield.text import printable_line

        return printable_line(super().__str__())


class EntryNumber(int):
    """The number of an entry of a file that is one JSON or CBOR value, where lines say nothing: from 1."""


class InputError(CranfieldError):
    """An invalid input: the found value, the expected value, and the place.

    Parameters
    ----------
    message : str
        The found value and the expected value.
    path : path, optional
        The file, or the store.
    line : int, optional
        The line in the file.
    """

    def __init__(self, message: str, path: Path | None = None, line: int | None = None) -> None:
        where = [str(part) for part in (fspath(path) if path is not None else None, line) if part is not None]
        mark = ":"
        if isinstance(line, EntryNumber):
            where[-1], mark = f"entry {line:d}", ", "
        super().__init__(": ".join([mark.join(where), message] if where else [message]))
        self.message, self.path, self.line = message, path, line


class ArgumentError(InputError):
    """An argument of a function that is wrong or does not go with the others: wrong usage on the command line.

    `argument` is its name, or empty for several.
    """

    def __init__(self, message: str, argument: str = "") -> None:
        super().__init__(message)
        self.argument = argument


class CombinationError(ArgumentError):
    """Arguments that do not go together, which the message names."""


@contextmanager
def refusing_long_paths() -> Iterator[None]:
    """Raise InputError for a text that is too long for a path, such as the content of a file.

    >>> with refusing_long_paths():
    ...     open("d1 " * 200)
    Traceback (most recent call last):
    cranfield.errors.InputError: 'd1 d1 d1 d1 d1 d1 d1 ' and 579 more characters; expected a path
    """
    try:
        yield
    except OSError as error:
        if error.errno != ENAMETOOLONG or not isinstance(error.filename, str | bytes | PathLike):
            raise
        name = str(error.filename)
        raise InputError(f"{name[:21]!r} and {len(name) - 21:,} more characters; expected a path") from None


class UndecidedError(InputError):
    """Labels differ, and neither an assessor nor a policy was chosen; `names` are the assessors who differ."""

    def __init__(self, message: str, path: Path | None = None, names: tuple[str, ...] = ()) -> None:
        super().__init__(message, path)
        self.names = names


class StoreError(CranfieldError):
    """A store that cannot be opened, or that refuses a change."""


class DamageError(StoreError):
    """An invalid row of a store: its table, the row, and what is wrong with it.

    >>> str(DamageError("run", 3, "metadata is not a JSON object"))
    'table run, row 3: metadata is not a JSON object'
    """

    def __init__(self, table: str, row: object, wrong: str) -> None:
        key = tuple(row) if isinstance(row, list | tuple) else (row,)
        super().__init__(f"table {table}, row {key[0] if len(key) == 1 else key}: {wrong}")


class BusyError(StoreError):
    """A store to which another program kept writing for longer than the waiting time."""


class MeasureError(CranfieldError):
    """An unknown measure or option."""


class ModelError(InputError):
    """A model that gives no usable answer to any question.

    Parameters
    ----------
    message : str
        The server's answer.
    result : object, optional
        The result that the call would have returned.
    """

    def __init__(self, message: str, result: object = None) -> None:
        super().__init__(message)
        self.result = result


class CranfieldWarning(UserWarning):
    """Base class of all Cranfield warnings."""


class UnjudgedWarning(CranfieldWarning):
    """Warning about documents or grades that count as not relevant or as unjudged."""


class MissingTopicWarning(CranfieldWarning):
    """Warning about topics that runs did not answer, or that were not judged."""


class ProvenanceWarning(CranfieldWarning):
    """Warning about how labels were chosen, or about data omitted from an analysis."""


class CorpusWarning(CranfieldWarning):
    """Warning about documents and topics that are unknown, or that lack text."""


class FormatWarning(CranfieldWarning):
    """Warning about how a file was read, for example in a guessed format."""


class Note(str):
    """A note on a result, which is a warning of this category in Python.

    >>> Note("q2 was not answered", MissingTopicWarning).category.__name__
    'MissingTopicWarning'
    """

    category: type[CranfieldWarning]

    def __new__(cls, text: str, category: type[CranfieldWarning]) -> "Note":
        note = super().__new__(cls, text)
        note.category = category
        return note

    def __reduce__(self) -> tuple[type["Note"], tuple[str, type[CranfieldWarning]]]:
        return Note, (str(self), self.category)


class FeatureWarning(CranfieldWarning):
    """A feature of an installed package that cannot be used."""


Row = TypeVar("Row")


def row_named(table: Mapping[str, Row], name: str, what: str) -> Row:
    """The row of a table; for an unknown name an error with those that there are.

    >>> row_named({"holm": 1, "bh": 2}, "bonf", "correction")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown correction 'bonf'; available: holm, bh
    """
    if name not in table:
        raise InputError(f"unknown {what} {name!r}; available: {', '.join(table)}")
    return table[name]


@contextmanager
def file_named_in_errors(path: str | PathLike[str]) -> Iterator[None]:
    """Add the file to errors of the block that do not name one."""
    try:
        yield
    except InputError as error:
        raise (InputError(error.message, path) if error.path is None else error) from error


@contextmanager
def argument_named_in_errors(argument: str = "") -> Iterator[None]:
    """Make errors of the block errors of this argument, or of several.

    >>> with argument_named_in_errors("method"):
    ...     raise InputError("unknown method 'x'")
    Traceback (most recent call last):
    cranfield.errors.ArgumentError: unknown method 'x'
    """
    try:
        yield
    except InputError as error:
        raise ArgumentError(error.message, argument) from error
    except MeasureError as error:
        raise ArgumentError(str(error), argument) from error


def give_warning(line: str, category: type[CranfieldWarning] = CranfieldWarning) -> None:
    """Issue a note as a warning, of its own category if it has one, attributed to the line that called the library."""
    from cranfield.text import printable_line

    category = line.category if isinstance(line, Note) else category
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_stack(sys._getframe())]
    deepest = max(at for at, name in enumerate(modules) if name.startswith("cranfield."))
    warnings.warn(printable_line(replace_options(line)), category, stacklevel=deepest + 2)


VALUES = (  # literal values that messages give options
    "all|cannot-judge|common|documents|failed|majority-tie-low|metadata|model|models|pbm|people|plackett-luce|primary|"
    "sample-eval|subtopics|t|team|topic|trec|user"
)
OPTION = (  # compiled on first use
    rf"`[^`]*`|(?<![\w-])--max-(?P<limit>line|document|file) (?P<size>\w+)"
    rf"|(?<![\w-])--(?P<name>[a-z](?:[a-z-]*[a-z])?)(?: (?P<value>(?:{VALUES}|N OUT|[A-Z]+)(?![\w=-])|[\w.]+=[A-Z]*))?"
    r"|(?<![\w-])(?P<measures>-m)\b"
)
FLAGS = ("ignore-own-id", "allow-skipped", "despite-srm", "partial", "replace", "sequential", "yes")
OTHER_NAMES = {  # of keywords whose option has another name
    "all": "every", "as": "layout", "declare": "families", "field": "names", "input_format": "format",
    "json": "json_answer", "pool": "number", "seed": "rng",
}  # fmt: skip


def replace_options(line: str, parameters: Collection[str] = ()) -> str:
    """Return a message with keywords of Python in place of options of the command line; commands in backticks stay.

    `parameters` are those of the function that was called. A keyword may be the plural of the option.

    >>> replace_options("--topics common takes the 2; --ignore-own-id removes them; choose --policy NAME or --teams")
    'topics="common" takes the 2; ignore_own_id=True removes them; choose policy=NAME or teams'
    >>> replace_options("`cranfield store labels STORE --policy NAME` records a choice")
    '`cranfield store labels STORE --policy NAME` records a choice'
    >>> replace_options("name one with --run, or --give QID=NAME; --max-line 64M allows it", ["runs"])
    'name one with runs, or give="QID=NAME"; cranfield.limited(line="64M") allows it'
    >>> replace_options("--field id=NAME says which it is", ["fields"])
    'fields={"id": "NAME"} says which it is'
    >>> replace_options(Note("leave out --policy NAME", MissingTopicWarning)).category.__name__
    'MissingTopicWarning'
    >>> replace_options("--store-pool requires --draw N OUT")
    'store_pool requires draw=(N, OUT)'
    """

    def keyword(match: re.Match[str]) -> str:
        if match["limit"]:
            return f'cranfield.limited({match["limit"]}="{match["size"]}")'
        if match["measures"]:
            return "measures"
        if match["name"] is None:
            return match[0]
        name, value = match["name"], match["value"]
        word = name.replace("-", "_")
        others = (f"{word}s", OTHER_NAMES.get(word, word))
        word = next((one for one in (word, *others) if one in parameters), word)
        if value is not None and name == "field":
            ours, _, theirs = value.partition("=")
            return f'{word}={{"{ours}": "{theirs}"}}'
        if value is None:
            return f"{word}=True" if name in FLAGS else word
        value = f"({value.replace(' ', ', ')})" if " " in value else value
        return f"{word}={value}" if value.isupper() and "=" not in value else f'{word}="{value}"'

    text = re.sub(OPTION, keyword, line)
    return Note(text, line.category) if isinstance(line, Note) else text


def name_keywords_in_error(error: CranfieldError, parameters: Collection[str] = ()) -> None:
    """Name keywords instead of options in an error that leaves a function of the Python interface.

    >>> error = InputError("choose --policy NAME", "track.db")
    >>> name_keywords_in_error(error)
    >>> str(error), error.message
    ('track.db: choose policy=NAME', 'choose policy=NAME')
    """
    error.args = tuple(replace_options(part, parameters) if isinstance(part, str) else part for part in error.args)
    if isinstance(error, InputError):
        error.message = replace_options(error.message, parameters)
