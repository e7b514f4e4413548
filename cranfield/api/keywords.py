"""Functions that take the options of a record as keywords, which type checkers see with their types and defaults."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from typing import Any, ParamSpec, Protocol, TypeVar

from cranfield import hooks
from cranfield.errors import InputError, MeasureError, give_warning
from cranfield.options import OptionField, Options, selection_of
from cranfield.selection import Selection
from cranfield.store.reading import Reading
from cranfield.text import join_words
from cranfield.view import QrelsGiven, RunsGiven, View, release_of, selected

P = ParamSpec("P")
Record = TypeVar("Record", bound=Options)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class RunsFunction(Protocol[P, R_co]):
    """A function of qrels and runs, or of a store."""

    def __call__(self, qrels: QrelsGiven, runs: "RunsGiven | None" = None, *args: P.args, **options: P.kwargs) -> R_co:
        """Call it; options are keywords."""


def of_runs(
    make: Callable[P, Record], command: str = "", third: str = ""
) -> Callable[[Callable[[QrelsGiven, RunsGiven, Record, Reading], R]], RunsFunction[P, R]]:
    """Let a function of qrels, runs and a record take the fields of this kind of record as keywords.

    The field `third` may also be the third positional argument. The function gets a store that is given alone as its
    runs. With `command` it also takes the options that features add to that command. It opens a store only once.

    >>> from typing import Annotated
    >>> from cranfield.options import Option
    >>> class CountOptions(Options):
    ...     depth: Annotated[int | None, Option("To this depth.", min=1)] = None
    >>> @of_runs(CountOptions)
    ... def count(qrels, runs, asked, reading):
    ...     return qrels, runs, asked.depth
    >>> count("qrels", "a.run", depth=2), str(signature(count))
    (('qrels', 'a.run', 2), '(qrels, runs=None, *, depth: int | None = None)')
    >>> count("track.db")
    (None, 'track.db', None)
    >>> count("a.run", dept=2)
    Traceback (most recent call last):
    TypeError: count() got an unexpected keyword argument 'dept'
    >>> count("a.run", depth=0)
    Traceback (most recent call last):
    cranfield.errors.InputError: depth is 0; expected a whole number from 1
    """
    return partial(_add_keywords, make, command, third=third)


READING = "reading"  # the argument by which a function takes what it is to read; callers do not see it


def _reading_for(declaration: Signature, reading: Reading) -> dict[str, Reading]:
    """The argument for a function that takes what it is to read."""
    return {READING: reading} if READING in declaration.parameters else {}


@contextmanager
def _holding(
    command: str, extra: Mapping[str, Any], records: Sequence[Options], function: str, view: View | None = None
) -> Iterator[Reading]:
    """Give what a function is to read, and warn at its end of what it left out.

    It has the options that features add to the command of the function.
    """
    selection = selection_of(records)
    selection = selection if view is None else _view_selection(view, selection)
    with Reading(selection, added=hooks.added_records(command, extra, function)) as reading:
        yield reading
    if reading.left_out.line:
        give_warning(reading.left_out.line)


def _view_selection(view: View, selection: Selection) -> Selection:
    """The selection of a view for a call; an error where the call selects as well."""
    if selection.has_round:
        raise InputError(f"{next(iter(selection.round_options))} is part of a view; select it there")
    if selection.topics not in ("", view.selection.topics):
        raise InputError(f"topics={selection.topics!r} is part of a view; select it there")
    return view.selection if view.store is not None else replace(view.selection, remove_judged=None)


def _arguments_of(view: View, arguments: list[Any], reading: Reading, takes_qrels: bool) -> list[Any]:
    """The arguments for a function: the view itself where it takes judgments and runs, otherwise its store or runs."""
    if takes_qrels:
        return arguments
    if view.store is not None:
        return [view.store, *arguments[1:]]
    reading.left_out.add(view.left_out)
    return [view.runs, *arguments[1:]]


def _keywords(fields: Iterable[OptionField]) -> list[Parameter]:
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=field.kind) for field in fields
    ]


def _optional(parameter: Parameter) -> Parameter:
    if parameter.default is not Parameter.empty:
        return parameter
    kind = parameter.annotation
    if kind is not Parameter.empty:
        kind = f"{kind} | None" if isinstance(kind, str) else kind | None
    return parameter.replace(default=None, annotation=kind)


def refuse_measure(runs: object) -> None:
    """Refuse measures in the place of the runs."""
    several = [runs] if isinstance(runs, str) else runs
    if not isinstance(several, list | tuple) or not several:
        return
    if not all(isinstance(one, str) and not os.path.exists(one) for one in several):
        return
    from cranfield.metrics.notation import parse_all

    with suppress(MeasureError):
        parse_all(several)
        are = "is a measure" if isinstance(runs, str) else "are measures"
        measures = runs if isinstance(runs, str) else list(several)
        raise InputError(f"{runs!r} {are} and came as runs; write measures={measures!r}")


def _add_keywords(
    make: Any,
    command: str,
    function: Callable[..., R],
    third: str = "",
) -> Any:
    fields = {field.name: field for field in make.option_fields()}
    own = signature(function)
    *first, _ = [one for one in own.parameters.values() if one.name != READING]
    rest = [Parameter("added", Parameter.VAR_KEYWORD)] if command else []
    takes_qrels = [one.name for one in first] == ["qrels", "runs"]
    parameters = [first[0], _optional(first[1])] if takes_qrels else first
    keywords = _keywords(fields.values())
    positional_values = [
        _optional(one).replace(kind=Parameter.POSITIONAL_OR_KEYWORD) for one in keywords if one.name == third
    ]
    keywords = [*positional_values, *(one for one in keywords if one.name != third)]
    takes, apart = (own.replace(parameters=[*parameters, *several, *rest]) for several in (keywords, ()))

    @wraps(function)
    def call(*positional: Any, **options: Any) -> R:
        values = {name: options.pop(name) for name in options.keys() & fields.keys()}
        if third and third not in values and len(positional) == len(first) + 1:
            *positional, values[third] = positional  # type: ignore[assignment]
        arguments, extra = list(positional), dict[str, Any]()
        if options or len(positional) != len(first):
            try:
                match = apart.bind(*positional, **options)
            except TypeError as error:
                names = [one.name for one in (*first, *positional_values)]
                remedy = f"; expected {join_words(names)}, and every other argument by name"
                too_many = len(positional) > len(first)
                raise TypeError(f"{function.__name__}() {error}{remedy if too_many else ''}") from None
            match.apply_defaults()
            extra = match.arguments.pop("added", {})
            arguments = [*match.arguments.values()]
        view = next((one for one in arguments if isinstance(one, View)), None)
        if view is not None:
            if takes_qrels and arguments[1] is not None:
                raise InputError("a view has its runs, so it stands alone; measures come by name: measures=...")
            values |= view.options_for(function.__name__, fields.keys(), values.keys())
        for name, field in fields.items():
            if name in values:
                values[name] = field.accept(values[name])
            elif field.default is Parameter.empty:
                raise TypeError(f"{function.__name__}() missing a required argument: {name!r}")
        record = make(**values)
        with _holding(command, extra, [record], function.__name__, view) as reading:
            if release := getattr(record, "release", None):
                arguments[0] = release_of(arguments[0], release)
            if takes_qrels:
                refuse_measure(arguments[1])
            if view is not None:
                arguments = _arguments_of(view, arguments, reading, takes_qrels)
            arguments = [selected(one, reading) for one in arguments]
            if takes_qrels and arguments[1] is None:
                arguments.reverse()
            return function(*arguments, record, **_reading_for(own, reading))

    call.__dict__["__signature__"] = takes
    return call
