"""Functions that take the options of a record as keywords, which type checkers see with their types and defaults."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial, wraps
from inspect import Parameter, signature
from itertools import chain
from os import PathLike
from typing import Any, ParamSpec, Protocol, TypeVar

from cranfield import hooks
from cranfield.api.inputs import QrelsGiven, RunsGiven, StoreGiven, release_of, telling
from cranfield.options import OptionField, Options
from cranfield.store import keep_open

P = ParamSpec("P")
Record = TypeVar("Record", bound=Options)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class OfRuns(Protocol[P, R_co]):
    """A function of runs and judgments, or of a store."""

    def __call__(self, runs: RunsGiven, qrels: QrelsGiven = None, *args: P.args, **options: P.kwargs) -> R_co:
        """With keywords only."""


class OfStore(Protocol[P, R_co]):
    """A function of a store."""

    def __call__(self, store: StoreGiven, *args: P.args, **options: P.kwargs) -> R_co:
        """With keywords only."""


class OfStoreAnd(Protocol[T_contra, P, R_co]):
    """A function of a store and something else."""

    def __call__(self, store: StoreGiven, what: T_contra, /, *args: P.args, **options: P.kwargs) -> R_co:
        """With keywords only."""


class IntoFile(Protocol[P, R_co]):
    """A function of a store that writes a file."""

    def __call__(self, store: StoreGiven, out: str | PathLike[str], *args: P.args, **options: P.kwargs) -> R_co:
        """With keywords only."""


def of_runs(
    make: Callable[P, Record], command: str = ""
) -> Callable[[Callable[[RunsGiven, QrelsGiven, Record], R]], OfRuns[P, R]]:
    """Let a function of runs, qrels and a record take the fields of this kind of record as keywords.

    Of a `command` it takes the options that features add to it, too. It opens a store once, however often it reads it.

    >>> from typing import Annotated
    >>> from cranfield.options import Option
    >>> class CountOptions(Options):
    ...     depth: Annotated[int | None, Option("To this depth.", min=1)] = None
    >>> @of_runs(CountOptions)
    ... def count(runs, qrels, asked):
    ...     return runs, qrels, asked.depth
    >>> count("a.run", "qrels", depth=2), str(signature(count))
    (('a.run', 'qrels', 2), '(runs, qrels=None, *, depth: int | None = None)')
    >>> count("a.run", dept=2)
    Traceback (most recent call last):
    TypeError: count() got an unexpected keyword argument 'dept'
    >>> count("a.run", depth=0)
    Traceback (most recent call last):
    cranfield.errors.InputError: depth is 0; expected a whole number from 1
    """
    return partial(_with_keywords, make, command, meanwhile=keep_open)


def of_store(
    make: Callable[P, Record], command: str = ""
) -> Callable[[Callable[[StoreGiven, Record], R]], OfStore[P, R]]:
    """Let a function of a store and a record take the fields of this kind of record as keywords.

    Of a `command` it takes the options that features add to it, too.
    """
    return partial(_with_keywords, make, command)


def of_store_and(
    make: Callable[P, Record],
) -> Callable[[Callable[[StoreGiven, T, Record], R]], OfStoreAnd[T, P, R]]:
    """Let a function of a store, something else and a record take the fields of this kind of record as keywords."""
    return partial(_with_keywords, make, "")


def into_file(
    make: Callable[P, Record],
) -> Callable[[Callable[[StoreGiven, str | PathLike[str], Record], R]], IntoFile[P, R]]:
    """Let a function of a store and a file to write take the fields of this kind of record as keywords."""
    return partial(_with_keywords, make, "")


def taking(make: type[Options]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Let a function whose last argument is a record take the fields of this kind of record as keywords."""
    return partial(_with_keywords, make, "")


def adding(command: str, *records: type[Options]) -> Callable[[Callable[P, R]], Callable[..., R]]:
    """Let a function take, as keywords, the options that features add to a command, and those of records.

    What the records ask for holds while the function runs. Without a command no feature adds any.

    >>> @adding("pool show")
    ... def show(store):
    ...     return store
    >>> show("track.db", rounds="2")
    Traceback (most recent call last):
    TypeError: pool show() got an unexpected keyword argument 'rounds'
    """
    fields = {field.name: field for record in records for field in record.option_fields()}

    def decorate(function: Callable[P, R]) -> Callable[..., R]:
        declaration = signature(function)
        own = [*declaration.parameters.values()]

        @wraps(function)
        def call(*arguments: Any, **options: Any) -> R:
            values = {name: fields[name].accept(options.pop(name)) for name in fields if name in options}
            several = [
                record(**{name: values[name] for field in record.option_fields() if (name := field.name) in values})
                for record in records
            ]
            others = {name: options.pop(name) for name in [*options] if command and name not in declaration.parameters}
            with _holding(command, others, several):
                return function(*arguments, **options)

        rest = [Parameter("added", Parameter.VAR_KEYWORD)] if command else []
        call.__dict__["__signature__"] = declaration.replace(parameters=[*own, *_keywords(fields.values()), *rest])
        return call

    return decorate


@contextmanager
def _holding(command: str, extra: Mapping[str, Any], records: Iterable[Options]) -> Iterator[None]:
    """Meanwhile hold what records ask for and, for a function of a command, the options that features add."""
    with ExitStack() as stack:
        stack.enter_context(telling())
        for context in chain.from_iterable(record.contexts() for record in records):
            stack.enter_context(context)
        if command and (extra or hooks.GIVEN.get()):
            stack.enter_context(hooks.giving(command, extra))
        yield


def _keywords(fields: Iterable[OptionField]) -> list[Parameter]:
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=field.kind) for field in fields
    ]


def _with_keywords(
    make: Any,
    command: str,
    function: Callable[..., R],
    meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Any:
    fields = {field.name: field for field in make.option_fields()}
    own = signature(function)
    *first, _ = own.parameters.values()
    rest = [Parameter("added", Parameter.VAR_KEYWORD)] if command else []
    parameters = [one.replace(default=None) if one.name == "qrels" else one for one in first]
    keywords = _keywords(fields.values())
    takes, apart = (own.replace(parameters=[*parameters, *several, *rest]) for several in (keywords, ()))

    @wraps(function)
    def call(*positional: Any, **options: Any) -> R:
        values = {name: options.pop(name) for name in options.keys() & fields.keys()}
        arguments, extra = list(positional), dict[str, Any]()
        if options or len(positional) != len(first):
            try:
                match = apart.bind(*positional, **options)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            match.apply_defaults()
            extra = match.arguments.pop("added", {})
            arguments = [*match.arguments.values()]
        for name, field in fields.items():
            if name in values:
                values[name] = field.accept(values[name])
            elif field.default is Parameter.empty:
                raise TypeError(f"{function.__name__}() missing a required argument: {name!r}")
        record = make(**values)
        with meanwhile(), _holding(command, extra, [record]):
            if release := getattr(record, "release", None):
                arguments[0] = release_of(arguments[0], release)
            return function(*arguments, record)

    call.__dict__["__signature__"] = takes
    return call
