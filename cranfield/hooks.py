"""What extensions add to the core, and how the core finds and asks them.

A feature is a folder of cranfield/features with a feature.py, or an installed package. Its subclass of Extension has
data (commands, options added to commands of the core, tables of stores) and methods, which import what they need. The
core calls these methods in the order of the features: `collect_from_extensions` returns what they declare, `ask` what
they answer.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from warnings import warn

from cranfield.errors import FeatureWarning, InputError
from cranfield.text import did_you_mean

if TYPE_CHECKING:
    from cranfield.extension import Extension

INTERFACE = 2  # of Extension; an installed package states for which it was written
GROUP = "cranfield.features"
R = TypeVar("R")


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


class FileKind(NamedTuple):
    """A kind of files that a feature reads; `fields` are the usual names of the fields of its records, by our name."""

    name: str
    noun: str  # what one file is, such as "a log"
    fields: Mapping[str, tuple[str, ...]] = {}


class AddedOptions(NamedTuple):
    """Options that a command of the core takes, too: the fields of a record, each with a default.

    Where one of them is given, `at` takes the place of a step of the command; it is called with the record first.
    Or the record has a method `subject`, which returns what the command scores or searches with; so it does, with
    the defaults of its options, where the name of a file with the `suffix` is given.
    """

    command: str
    options: str
    at: str = ""
    suffix: str = ""
    subject: str = ""  # the class of cranfield.subjects that has these options in Python


@cache
def built_in_extensions() -> "Mapping[str, Extension]":
    """The extensions of cranfield itself by name, each after those it needs.

    >>> all(extension.name == name for name, extension in built_in_extensions().items())
    True
    """
    folder = Path(__file__).parent / "features"
    names = sorted(path.parent.name for path in folder.glob("*/feature.py"))
    return _sort_extensions(
        {name: _load_extension(import_module(f"cranfield.features.{name}.feature")) for name in names}
    )


def _load_extension(module: ModuleType) -> "Extension":
    from cranfield.extension import Extension

    [kind] = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Extension) and value.__module__ == module.__name__
    ]
    return kind()


def _sort_extensions(extensions: "Mapping[str, Extension]") -> "Mapping[str, Extension]":
    """Each after those it needs.

    >>> from cranfield.extension import Extension
    >>> class A(Extension):
    ...     name, needs = "a", ("b",)
    >>> class B(Extension):
    ...     name = "b"
    >>> list(_sort_extensions({"a": A(), "b": B()}))
    ['b', 'a']
    >>> _sort_extensions({"a": A()})
    Traceback (most recent call last):
    cranfield.errors.InputError: the feature 'a' needs the feature 'b', which is not installed
    """
    order: dict[str, Extension] = {}

    def place(extension: "Extension") -> None:
        for need in extension.needs:
            if need not in extensions:
                raise InputError(f"the feature {extension.name!r} needs the feature {need!r}, which is not installed")
            place(extensions[need])
        order.setdefault(extension.name, extension)

    for extension in extensions.values():
        place(extension)
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
def features() -> "Mapping[str, Extension]":
    """The extensions of cranfield and of installed packages, by name; reports a package that cannot be used."""
    every = built_in_extensions()
    for name, entry in sorted(entry_points_of_features().items()):
        with _reporting(name, Exception):
            every = _sort_extensions({**every, name: _valid_extension(entry.load(), name, every)})
    return every


@contextmanager
def _reporting(name: str, *kinds: type[Exception]) -> Iterator[None]:
    """Report these errors of an installed package in a warning, so that they do not stop the others."""
    try:
        yield
    except kinds as error:
        warn(describe_unusable(name, error), FeatureWarning, stacklevel=2)


def describe_unusable(name: str, error: Exception) -> str:
    """Say in one line why the feature of an installed package cannot be used."""
    package = entry_points_of_features()[name].dist.name
    message = " ".join(f"{error}".split()) or type(error).__name__
    return f"the feature {name} of the package {package} cannot be used: {message}; upgrade or uninstall {package}"


def _valid_extension(kind: Any, name: str, earlier: "Mapping[str, Extension]") -> "Extension":
    """The extension of an entry point; an error if it is invalid, of another interface, or has a name that is taken."""
    from cranfield.extension import Extension

    if not isinstance(kind, type) or not issubclass(kind, Extension) or getattr(kind, "name", None) != name:
        raise InputError(f"its entry point is not a subclass of cranfield.extension.Extension called {name!r}")
    if kind.interface != INTERFACE:
        found = f"was written for interface {kind.interface}" if kind.interface else "does not state its interface"
        raise InputError(f"it {found}; expected interface = {INTERFACE}, which this version of cranfield has")
    if name in earlier:
        raise InputError(f"cranfield has a feature {name} of its own")
    return kind()


def _ask_extensions(
    question: "Callable[[Extension], R]", extensions: "Iterable[Extension]", *kinds: type[Exception]
) -> Iterator[R]:
    for extension in extensions:
        if extension.name in built_in_extensions():
            yield question(extension)
        else:
            answers: list[R] = []
            with _reporting(extension.name, *kinds):
                answers.append(question(extension))
            yield from answers


def ask(question: "Callable[[Extension], R]") -> list[R]:
    """Ask each extension, and return the answers. Reports and leaves out a package that cannot import what it needs.

    >>> {*ask(lambda extension: extension.formats("qrels"))}
    {()}
    """
    return [*_ask_extensions(question, features().values(), ImportError, SyntaxError)]


def first_extension_answer(question: "Callable[[Extension], R | None]") -> R | None:
    """Ask one extension after the other until one has an answer that is not empty.

    >>> first_extension_answer(lambda extension: extension.formats("qrels")) is None
    True
    """
    return next(filter(None, _ask_extensions(question, features().values(), ImportError, SyntaxError)), None)


def collect_from_extensions(question: "Callable[[Extension], Iterable[R]]") -> list[R]:
    """Return all that the extensions declare. Reports and leaves out a package that cannot declare it.

    >>> collect_from_extensions(lambda extension: extension.formats("qrels"))
    []
    """
    answers = _ask_extensions(lambda extension: [*question(extension)], features().values(), Exception)
    return [item for items in answers for item in items]


def _load_or_skip(extension: "Extension", at: str) -> list[Any]:
    """An object of an extension in a list, which is empty where an installed package cannot load it."""
    return [*_ask_extensions(lambda one: one.load(at), [extension], Exception)]


def public_functions(namespace: str) -> dict[str, str]:
    """The functions that features add to a namespace, and the modules that define them.

    >>> public_functions("metrics")
    {}
    """
    return {
        name: f"{feature.package}.{functions.module}"
        for feature in features().values()
        for functions in feature.functions
        if functions.namespace == namespace
        for name in functions.names.split()
    }


def file_kinds() -> dict[str, FileKind]:
    """The kinds of files that features read, by name.

    >>> all(kind.name == name for name, kind in file_kinds().items())
    True
    """
    return {kind.name: kind for feature in features().values() for kind in feature.file_kinds}


def tables_of_features() -> dict[tuple[str, str], Any]:
    """What features keep in stores: Tables, by the feature and their name in it.

    >>> {type(tables).__name__ for tables in tables_of_features().values()} <= {"Tables"}
    True
    """
    places = ((extension, at) for extension in features().values() for at in extension.tables)
    return {(extension.name, at): tables for extension, at in places for tables in _load_or_skip(extension, at)}


class CoreTable(Mapping[str, R]):
    """Rows of the core by name, and after them those of extensions, which are asked for any other name."""

    def __init__(self, own: Iterable[R], declared: "Callable[[Extension], Iterable[R]]") -> None:
        self.own, self.declared = {cast("Any", row).name: row for row in own}, declared

    def __getitem__(self, name: str) -> R:
        return self.own[name] if name in self.own else self._core_and_feature_rows()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._core_and_feature_rows())

    def __len__(self) -> int:
        return len(self._core_and_feature_rows())

    def _core_and_feature_rows(self) -> dict[str, R]:
        added = {cast("Any", row).name: row for row in collect_from_extensions(self.declared)}
        return self.own | {name: row for name, row in added.items() if name not in self.own}


Added = Mapping[type, Any]  # the records of the options that features add to a command, by kind
NONE_ADDED: Added = MappingProxyType({})


def record_types(command: str) -> list[type]:
    """The kinds of records that features add to a command.

    >>> record_types("demo")
    []
    """
    pairs = ((feature, one) for feature in features().values() for one in feature.added_options)
    return [
        record for feature, one in pairs if one.command == command for record in _load_or_skip(feature, one.options)
    ]


def fields(command: str) -> dict[str, type]:
    """The options that features add to a command, and the record that each is a field of.

    >>> fields("demo")
    {}
    """
    return {field: record for record in record_types(command) for field in record._fields}  # type: ignore[attr-defined]


def added_option_records(command: str, options: Mapping[str, Any], function: str = "") -> Added:
    """The records of the options that features add to a command, of values by name.

    An option that no feature adds is an error, which names the `function` that has it.

    >>> added_option_records("demo", {"color": "red"})
    Traceback (most recent call last):
    TypeError: demo() got an unexpected keyword argument 'color'
    """
    kinds = fields(command) if options else {}
    if unknown := [name for name in options if name not in kinds]:
        remedy = did_you_mean(unknown[0], kinds)
        raise TypeError(f"{function or command}() got an unexpected keyword argument {unknown[0]!r}{remedy}")
    return {kind: kind(**{name: options[name] for name in options if kinds[name] is kind}) for kind in kinds.values()}


def subject_with(option: str) -> str:
    """The class of `cranfield.subjects` that has an option in Python; empty where no feature has it.

    >>> subject_with("color")
    ''
    """
    subjects = (
        one.subject
        for feature in features().values()
        for one in feature.added_options
        for record in (_load_or_skip(feature, one.options) if one.subject else ())
        if option in record._fields
    )
    return next(subjects, "")


Record = TypeVar("Record")


def options_given(record: type[Record], added: Added) -> Record:
    """The options of a record as they are given, or their defaults.

    >>> class HatOptions(NamedTuple):
    ...     color: str = "red"
    >>> options_given(HatOptions, {HatOptions: HatOptions("blue")}), options_given(HatOptions, NONE_ADDED)
    (HatOptions(color='blue'), HatOptions(color='red'))
    """
    options = added.get(record)
    return record() if options is None else cast("Record", options)


def is_any_given(added: Added) -> bool:
    """Whether any option does not have its default.

    >>> class HatOptions(NamedTuple):
    ...     color: str = "red"
    >>> is_any_given({HatOptions: HatOptions("blue")}), is_any_given({HatOptions: HatOptions()})
    (True, False)
    """
    return any(record != kind() for kind, record in added.items())


class OptionError(InputError):
    """An option that does not go with the others."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(f"{option} {message}")
        self.option, self.message = option, message


def replacement_function(command: str, added: Added) -> Callable[..., Any] | None:
    """The step of the feature whose options are given, if any; those of two features do not go together."""
    steps = [
        (partial(feature.load(one.at), record), record)
        for feature in (features().values() if added else ())
        for one in feature.added_options
        if one.command == command and one.at
        for kind in _load_or_skip(feature, one.options)
        for record in [added.get(kind)]
        if record is not None and record != type(record)()
    ]
    if len(steps) > 1:
        first, second = (first_changed_option(record) for _, record in steps[:2])
        raise OptionError(first, f"does not go with --{second}")
    return steps[0][0] if steps else None


def subject_for_files(command: str, names: Iterable[str]) -> Any:
    """What a command works on where a feature takes a file of one of these names; None where no feature does.

    >>> subject_for_files("search", ["bm25"]) is None
    True
    """
    subjects = (
        kind().subject()
        for feature in features().values()
        for one in feature.added_options
        if one.command == command and one.suffix and any(name.endswith(one.suffix) for name in names)
        for kind in _load_or_skip(feature, one.options)
    )
    return next(subjects, None)


def first_changed_option(record: Any) -> str:
    """The name of the first option of a record that is not its default."""
    plain = type(record)()._asdict()
    return next(str(name).replace("_", "-") for name, value in record._asdict().items() if value != plain[name])
