"""What features add to the core, and where the core finds it.

A feature is a folder of cranfield/features with a feature.py, or an installed package that names its FEATURE at the
entry point group `cranfield.features`. A FEATURE has names only: what they name is imported when it is needed, so that
whoever scores a run imports no feature. There are four hooks: commands, options added to commands of the core, rows of
tables of the core (see hook_tables.py), which come in the order of the features, and tables of
stores.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast
from warnings import warn

from cranfield.errors import FeatureWarning, InputError
from cranfield.text import did_you_mean

API = 1  # of the records below; a feature says which it was written for
GROUP = "cranfield.features"
FOR_PACKAGES = ("formats.run", "formats.qrels")  # what is ours stands in the table of the core: nothing else is asked


class Commands(NamedTuple):
    """Commands of one group, functions of these names in a module of the feature."""

    panel: str
    module: str
    group: str
    names: str


class Functions(NamedTuple):
    """Public functions in a module of the feature, by the namespace of Python that has them: `cranfield.NAMESPACE`."""

    namespace: str
    module: str
    names: str


class AddedOptions(NamedTuple):
    """Options that a command of the core takes, too: the fields of a record, each with a default.

    Where one of them is given, `at` takes the place of a step of the command; it is called with the record first.
    """

    command: str
    options: str
    at: str = ""
    of: str = ""  # what it measures, where that is not rankings


class Row(NamedTuple):
    """A row of a table of the core: an object in a module of the feature, as "formats.own:LOG"."""

    table: str
    at: str
    name: str = ""
    before: str = ""  # of a format: the format of the core that it is tried before; last where that is not said


class Feature(NamedTuple):
    """A capability: its name, its package, the features it needs, and what it adds."""

    name: str
    package: str
    needs: tuple[str, ...] = ()
    commands: tuple[Commands, ...] = ()
    groups: Mapping[str, str] = {}  # what groups of commands are for
    functions: tuple[Functions, ...] = ()
    added: tuple[AddedOptions, ...] = ()
    rows: tuple[Row, ...] = ()
    tables: tuple[str, ...] = ()  # of stores, which know them by this name: Tables, as "tables:TABLES"
    api: int = API

    def load(self, at: str) -> Any:
        """An object of the feature.

        >>> own()["online"].load("measures:ONLINE_MEASURES")["CTR"].name
        'CTR'
        """
        module, _, name = at.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), name)


@cache
def own() -> Mapping[str, Feature]:
    """The features of cranfield itself by name, each after those it needs.

    >>> list(own())[:6]
    ['models', 'answers', 'briefing', 'collecting', 'documents', 'online']
    """
    folder = Path(__file__).parent / "features"
    names = sorted(path.parent.name for path in folder.glob("*/feature.py"))
    return _in_order({name: import_module(f"cranfield.features.{name}.feature").FEATURE for name in names})


def _in_order(features: Mapping[str, Feature]) -> Mapping[str, Feature]:
    """Each after those it needs.

    >>> list(_in_order({"a": Feature("a", "x.a", needs=("b",)), "b": Feature("b", "x.b")}))
    ['b', 'a']
    >>> _in_order({"a": Feature("a", "x.a", needs=("b",))})
    Traceback (most recent call last):
    cranfield.errors.InputError: the feature 'a' needs the feature 'b', which is not installed
    """
    order: dict[str, Feature] = {}

    def place(feature: Feature) -> None:
        for need in feature.needs:
            if need not in features:
                raise InputError(f"the feature {feature.name!r} needs the feature {need!r}, which is not installed")
            place(features[need])
        order.setdefault(feature.name, feature)

    for feature in features.values():
        place(feature)
    return order


@cache
def entry_points_of_features() -> Mapping[str, Any]:
    """The entry points of packages that bring features, by name; none of them is loaded.

    Only where a package names the group is importlib.metadata imported, which takes longer than all else here.
    """
    if not any(map(_names_group, dict.fromkeys(sys.path))):
        return {}
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _names_group(folder: str) -> bool:
    """Whether a package in a folder of sys.path names the group."""
    folder = folder or "."
    with suppress(OSError):
        return any(_has_group(f"{folder}/{name}") for name in os.listdir(folder) if name.endswith("-info"))
    return False


def _has_group(info: str) -> bool:
    """Look for the group in the way that takes least time: of some hundred packages, hardly one has it."""
    try:
        file = os.open(f"{info}/entry_points.txt", os.O_RDONLY)
    except OSError:
        return False
    try:
        return f"[{GROUP}]".encode() in os.read(file, os.fstat(file).st_size)
    except OSError:
        return False
    finally:
        os.close(file)


@cache
def features() -> Mapping[str, Feature]:
    """All features by name: those of cranfield, and those of installed packages that can be used; others are told."""
    every = own()
    for name, entry in sorted(entry_points_of_features().items()):
        with _telling(name, entry.dist.name):
            every = _in_order({**every, name: _check(entry.load(), name, every)})
    return every


@contextmanager
def _telling(name: str, package: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # whatever a package does must not stop the others
        message = " ".join(f"{error}".split()) or type(error).__name__
        warn(
            f"the feature {name} of the package {package} cannot be used: {message}; upgrade or uninstall {package}",
            FeatureWarning,
            stacklevel=2,
        )


def _check(feature: Any, name: str, earlier: Mapping[str, Feature]) -> Feature:
    """The feature of an entry point; an error where it is none, of another interface, or has a name that is taken."""
    from cranfield.hook_tables import TABLES

    if not isinstance(feature, Feature) or feature.name != name:
        raise InputError(f"its entry point is not a Feature called {name!r}")
    if feature.api != API:
        raise InputError(f"it was written for interface {feature.api} of cranfield, which has {API}")
    if name in earlier:
        raise InputError(f"cranfield has a feature {name} of its own")
    if unknown := [row.table for row in feature.rows if row.table not in TABLES]:
        raise InputError(f"cranfield has no table {unknown[0]!r}; its tables are {', '.join(TABLES)}")
    return feature


def public_functions(namespace: str) -> dict[str, str]:
    """The functions that features add to a namespace, and the modules that define them.

    >>> public_functions("formats")["Answer"]
    'cranfield.features.answers.formats.answers'
    """
    return {
        name: f"{feature.package}.{functions.module}"
        for feature in features().values()
        for functions in feature.functions
        if functions.namespace == namespace
        for name in functions.names.split()
    }


def rows(table: str) -> list[Any]:
    """The objects that features add to a table of the core.

    >>> [row.name for row in rows("formats.nuggets")]
    ['nuggetizer', 'jsonl']
    """
    return [one for _, one in load_rows(table)]


def load_rows(table: str) -> Iterator[tuple[Row, Any]]:
    """The rows that features add to a table, with their objects; one that cannot be loaded is told and left out."""
    if table not in FOR_PACKAGES or entry_points_of_features():
        for feature, row in places(table):
            yield from ((row, one) for one in _objects(feature, row.at))


def _objects(feature: Feature, at: str) -> list[Any]:
    """An object of a feature in a list, which is empty where an installed package cannot load it."""
    if feature.name in own():
        return [feature.load(at)]
    objects: list[Any] = []
    with _telling(feature.name, entry_points_of_features()[feature.name].dist.name):
        objects.append(feature.load(at))
    return objects


def places(table: str) -> Iterator[tuple[Feature, Row]]:
    """The rows of a table, not loaded, with their features."""
    return ((feature, row) for feature in features().values() for row in feature.rows if row.table == table)


def objects_of(table: str) -> dict[str, Any]:
    """The same, by the names of the rows.

    >>> objects_of("models.tasks")["preference"].__name__
    'preference_task'
    """
    return {row.name: one for row, one in load_rows(table)}


R = TypeVar("R")


def tables_of_stores() -> dict[tuple[str, str], Any]:
    """What features keep in stores: Tables, by the feature and their name in it.

    >>> [name for name, _ in tables_of_stores()][:3]
    ['models', 'models', 'models']
    """
    places = ((feature, at) for feature in features().values() for at in feature.tables)
    return {(feature.name, at): tables for feature, at in places for tables in _objects(feature, at)}


class CoreTable(Mapping[str, R]):
    """Rows of the core by name, and after them those of features, which are loaded for a name that is none of them."""

    def __init__(self, name: str, own: Iterable[R]) -> None:
        self.name, self.own = name, {cast("Any", row).name: row for row in own}

    def __getitem__(self, name: str) -> R:
        return self.own[name] if name in self.own else self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, R]:
        return self.own | {row.name: row for row in rows(self.name) if row.name not in self.own}


Added = Mapping[type, Any]  # the records of the options that features add to a command, by kind
NONE_ADDED: Added = MappingProxyType({})


def records(command: str) -> list[type]:
    """The kinds of records that features add to a command.

    >>> [record.__name__ for record in records("evaluate")]
    ['AnswerOptions', 'VariationOptions', 'DocumentsOfPassages']
    """
    pairs = ((feature, one) for feature in features().values() for one in feature.added if one.command == command)
    return [record for feature, one in pairs for record in _objects(feature, one.options)]


def fields(command: str) -> dict[str, type]:
    """The options that features add to a command, and the record that each is a field of.

    >>> sorted(fields("compare"))
    ['answers', 'nuggets']
    """
    return {field: record for record in records(command) for field in record._fields}  # type: ignore[attr-defined]


def added_records(command: str, options: Mapping[str, Any], function: str = "") -> Added:
    """The records of the options that features add to a command, of values by name.

    An option that no feature adds is an error, which names the `function` that has it.

    >>> added_records("evaluate", {"answer": True})
    Traceback (most recent call last):
    TypeError: evaluate() got an unexpected keyword argument 'answer'; did you mean answers?
    """
    kinds = fields(command) if options else {}
    if unknown := [name for name in options if name not in kinds]:
        remedy = did_you_mean(unknown[0], kinds)
        raise TypeError(f"{function or command}() got an unexpected keyword argument {unknown[0]!r}{remedy}")
    return {kind: kind(**{name: options[name] for name in options if kinds[name] is kind}) for kind in kinds.values()}


Record = TypeVar("Record")


def options_given(record: type[Record], added: Added) -> Record:
    """The options of a record as they are given, or their defaults.

    >>> from cranfield.features.answers.options import NuggetOptions
    >>> options_given(NuggetOptions, added_records("compare", {"answers": True}))
    NuggetOptions(answers=True, nuggets=None)
    """
    options = added.get(record)
    return record() if options is None else cast("Record", options)


def is_any_given(added: Added) -> bool:
    """Whether any option does not have its default.

    >>> is_any_given(added_records("evaluate", {"answers": True})), is_any_given(added_records("evaluate", {}))
    (True, False)
    """
    return any(record != kind() for kind, record in added.items())


class Step(NamedTuple):
    """What a feature does in place of a step of a command, and what it measures."""

    run: Callable[..., Any]
    of: str


class OptionError(InputError):
    """An option that does not go with the others."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(f"{option} {message}")
        self.option, self.message = option, message


def instead(command: str, added: Added) -> Step | None:
    """The step of the feature whose options are given, if any; those of two features do not go together."""
    steps = [
        (Step(partial(feature.load(one.at), record), one.of), record)
        for feature in (features().values() if added else ())
        for one in feature.added
        if one.command == command and one.at
        for kind in _objects(feature, one.options)
        for record in [added.get(kind)]
        if record is not None and record != type(record)()
    ]
    if len(steps) > 1:
        first, second = (_first_option(record) for _, record in steps[:2])
        raise OptionError(first, f"does not go with --{second}")
    return steps[0][0] if steps else None


def _first_option(record: Any) -> str:
    """The name of the first option of a record that is not its default."""
    plain = type(record)()._asdict()
    return next(str(name).replace("_", "-") for name, value in record._asdict().items() if value != plain[name])
