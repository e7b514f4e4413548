"""What stands beside typer's own in the type of an option: each is declared in one place; and options as one record.

`path: Annotated[StorePath, ONLY_READ]` takes --release, `Annotated[str, typer.Option(), completion.RUNS]` completes.
"""

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from enum import StrEnum
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, NamedTuple, cast, get_args, get_type_hints

import typer
import typer.main
from typer.core import TyperOption
from typer.models import OptionInfo

from cranfield.cli.completion import RELEASES, Completer
from cranfield.cli.tables import SAFE_CELLS, WIDE


def spread(command: Callable[..., None], giving: Any = None, *added: Any) -> Callable[..., None]:
    """The command with the fields of its records as options of its own.

    With the fields of `added` records as well: then `giving` runs the command, and has the values of these apart.

    >>> from typing import NamedTuple
    >>> class Paper(NamedTuple):
    ...     size: str = "A4"
    >>> def print_it(path: str, paper: Paper) -> None:
    ...     print(path, paper)
    >>> str(signature(spread(print_it)))
    "(path: str, *, size: str = 'A4') -> None"
    >>> spread(print_it)(path="a.txt", size="A5")
    a.txt Paper(size='A5')
    """
    written = signature(command, eval_str=True)
    records = {name: one.annotation for name, one in written.parameters.items() if hasattr(one.annotation, "_fields")}

    @wraps(command)
    def run(**given: Any) -> None:
        made = {name: record(*(given.pop(field) for field in record._fields)) for name, record in records.items()}
        if not added:
            command(**given, **made)
            return
        more = {option.name: given.pop(option.name) for record in added for option in _options(record)}
        giving(command, more, **given, **made)

    parameters = [
        option
        for name, one in written.parameters.items()
        for option in (_options(records[name]) if name in records else [one])
    ]
    last = next((at for at, option in enumerate(parameters) if option.name == "format"), len(parameters))
    parameters[last:last] = [option for record in added for option in _options(record)]
    at = {option.name: option.replace(kind=Parameter.KEYWORD_ONLY) for option in parameters}
    run.__dict__["__signature__"] = written.replace(parameters=[*at.values()] if added else parameters)
    return run


def _options(record: Any) -> list[Parameter]:
    return [
        Parameter(
            name, Parameter.KEYWORD_ONLY, default=record._field_defaults.get(name, Parameter.empty), annotation=kind
        )
        for name, kind in get_type_hints(record, include_extras=True).items()
    ]


class OneOf(NamedTuple):
    """Beside typer's own in the type of an option: it names a row of a table, loaded when the command is."""

    module: str
    table: str

    def add(self, command: Any, parameter: Any) -> None:
        """Restrict the option to the names in the table."""
        known = getattr(import_module(self.module), self.table)
        names = cast("Any", StrEnum)("names", {name: name for name in known})
        parameter.type = typer.main.get_click_type(annotation=names, parameter_info=OptionInfo())


TEST = OneOf("cranfield.metrics.significance.tests", "TESTS")
CORRECTION = OneOf("cranfield.metrics.significance.pairs", "CORRECTIONS")


class Switch(NamedTuple):
    """Beside typer's own in the type of an option: its command has this one, too, which changes a setting."""

    option: str
    setting: ContextVar[bool]
    help: str

    def add(self, command: Any, parameter: Any) -> None:
        """Give the command the option."""

        def given(context: Any, option: Any, wanted: bool) -> None:
            self.setting.set(wanted)

        command.params.append(
            TyperOption(param_decls=[self.option], is_flag=True, expose_value=False, callback=given, help=self.help)
        )


WIDE_TABLES = Switch("--wide", WIDE, "Show all columns and digits of a table, however narrow the terminal.")
SAFE_CSV = Switch("--safe-csv", SAFE_CELLS, "In CSV and TSV, quote text that a spreadsheet would read as a formula.")
LIMITED = {
    "line": "Refuse longer lines (bytes).",
    "document": "Refuse larger documents and topics (bytes).",
    "file": "Refuse larger files, measured decompressed; a corpus or a log is exempt, since it is read piece by piece.",
}


class Reads(NamedTuple):
    """Beside typer's own in the type of an argument: it names files to read, and these of their sizes are limited."""

    limited: Sequence[str]

    def add(self, command: Any, parameter: Any) -> None:
        """Give the command --max-line, --max-file and, where it reads documents or topics, --max-document."""
        from cranfield.formats.files import DEFAULT, written

        for name in self.limited:
            default = written(getattr(DEFAULT, name))
            command.params.append(
                TyperOption(
                    param_decls=[f"--max-{name}"], metavar="SIZE", default=default, show_default=True,
                    expose_value=False, callback=_set, help=LIMITED[name],
                )
            )  # fmt: skip


RUNS_AND_QRELS, TEXTS = Reads(("line", "file")), Reads(("line", "document", "file"))


def _set(context: Any, option: Any, size: str) -> None:
    from cranfield.errors import InputError
    from cranfield.formats.files import LIMITS, bytes_of

    try:
        LIMITS.set(LIMITS.get()._replace(**{option.name.removeprefix("max_"): bytes_of(size)}))
    except InputError as error:
        raise typer.BadParameter(str(error), ctx=context, param=option) from None


class OnlyRead(NamedTuple):
    """Beside typer's own in the type of a store, or of paths of which the first may be one: it is only read."""

    option: str = "--release"
    help: str = "Read this release of the store instead of its present state; the same as STORE@NAME."

    def add(self, command: Any, parameter: Any) -> None:
        """Give the command --release: its store is then that release."""
        called, store = command.callback, parameter.name
        release = TyperOption(param_decls=[self.option], metavar="NAME", help=self.help)
        RELEASES.add(command, release)
        command.params.append(release)

        def released(*, release: str | None, **values: Any) -> Any:
            return called(**(values if release is None else {**values, store: _named(values[store], release)}))

        command.callback = released


ONLY_READ = OnlyRead()


def _named(store: Any, release: str) -> Any:
    """The store, or the first of several paths, as its release."""
    from cranfield.store.release_names import at_release

    first, *rest = store if isinstance(store, list | tuple) else [store]
    named = at_release(first, release)
    return [named, *rest] if isinstance(store, list | tuple) else named


def add_marks(function: Callable[..., None], command: Any) -> None:
    """Give a command what the types of its function's parameters say beside typer's own, kind by kind."""
    types = {name: get_args(one.annotation) for name, one in signature(function).parameters.items()}
    given = [(mark, one) for one in [*command.params] for mark in types[one.name]]
    for kind in (Switch, Reads, OnlyRead, OneOf, Completer):
        for mark, parameter in given:
            if isinstance(mark, kind):
                mark.add(command, parameter)
