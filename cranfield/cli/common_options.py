"""Options that commands get by what they are: readers of files, of stores or of tables; and options as one record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from enum import StrEnum
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, cast, get_type_hints

import typer
import typer.main
from typer.core import TyperOption
from typer.models import OptionInfo

from cranfield.cli.tables import SAFE_CELLS, WIDE, TableFormat


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the fields of its records as options of its own.

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
        command(**given, **made)

    parameters = [
        option
        for name, one in written.parameters.items()
        for option in (_options(records[name]) if name in records else [one])
    ]
    run.__dict__["__signature__"] = written.replace(parameters=parameters)
    return run


def _options(record: Any) -> list[Parameter]:
    return [
        Parameter(
            name, Parameter.KEYWORD_ONLY, default=record._field_defaults.get(name, Parameter.empty), annotation=kind
        )
        for name, kind in get_type_hints(record, include_extras=True).items()
    ]


CHOICES: Mapping[str, tuple[str, str]] = {  # by metavar: a module and its table
    "TEST": ("cranfield.metrics.significance.tests", "TESTS"),
    "CORRECTION": ("cranfield.metrics.significance.pairs", "CORRECTIONS"),
}


def add_choices(command: Any) -> None:
    """Restrict each option that names a row of a table to the names in it."""
    for parameter in command.params:
        if parameter.metavar in CHOICES:
            module, table = CHOICES[parameter.metavar]
            names = cast("Any", StrEnum)("names", {name: name for name in getattr(import_module(module), table)})
            parameter.type = typer.main.get_click_type(annotation=names, parameter_info=OptionInfo())
            parameter.metavar = None


READS = ("SOURCE...", "SOURCE... NEWRUN", "QRELS", "A [B...]")  # arguments that are runs and qrels
READS_TEXTS = ("PATH...", "DIR")  # also documents and topics
LIMITED = {
    "line": "Refuse longer lines (bytes).",
    "document": "Refuse larger documents and topics (bytes).",
    "file": "Refuse larger files, measured decompressed; a corpus or a log is exempt, since it is read piece by piece.",
}


def add_limits(command: Any) -> None:
    """Give --max-line, --max-document and --max-file to a command that reads files."""
    from cranfield.formats.files import DEFAULT, written

    arguments = {parameter.metavar for parameter in command.params}
    texts, others = arguments & {*READS_TEXTS}, arguments & {*READS}
    for name in LIMITED if texts else [name for name in LIMITED if name != "document"] if others else []:
        default = written(getattr(DEFAULT, name))
        command.params.append(
            TyperOption(
                param_decls=[f"--max-{name}"], metavar="SIZE", default=default, show_default=True, expose_value=False,
                callback=_set, help=LIMITED[name],
            )
        )  # fmt: skip


def _set(context: Any, option: Any, size: str) -> None:
    from cranfield.errors import InputError
    from cranfield.formats.files import LIMITS, bytes_of

    try:
        LIMITS.set(LIMITS.get()._replace(**{option.name.removeprefix("max_"): bytes_of(size)}))
    except InputError as error:
        raise typer.BadParameter(str(error), ctx=context, param=option) from None


OPTIONS: dict[str, tuple[ContextVar[bool], str]] = {
    "--wide": (WIDE, "Show all columns and digits of a table, however narrow the terminal."),
    "--safe-csv": (SAFE_CELLS, "In CSV and TSV, quote text that a spreadsheet would read as a formula."),
}
ALWAYS_TABLES = ("demo",)  # commands that print tables and write no other format


def add_table_options(command: Any) -> None:
    """Give --wide, and where the format can be chosen --safe-csv, to a command that prints tables."""
    chosen = any([*getattr(parameter.type, "choices", ())] == [*TableFormat] for parameter in command.params)
    for name in OPTIONS if chosen else ["--wide"] if command.name in ALWAYS_TABLES else []:
        setting, text = OPTIONS[name]
        command.params.append(
            TyperOption(param_decls=[name], is_flag=True, expose_value=False, callback=_setter(setting), help=text)
        )


def _setter(setting: ContextVar[bool]) -> Any:
    def given(context: Any, option: Any, wanted: bool) -> None:
        setting.set(wanted)

    return given


READERS = {
    "info", "evaluate", "compare", "curve", "reusability", "depths", "stability", "diagnose", "report",
    "progress", "agreement", "rehearse", "why", "answers nuggets show", "answers nuggets export",
    "model audit report", "model audit estimate",
    "pool show", "pool export", "pool diff", "pool verify", "pool simulate", "pool forecast", "pool estimate",
    "export qrels", "export runs", "export pool", "export judgments", "export preferences", "export answers",
    "export topics", "export corpus", "export beir",
    "publish build",
}  # fmt: skip
OF_RELEASE = "Read this release of the store instead of its present state; the same as STORE@NAME."


def add_release(words: tuple[str, ...], command: Any) -> None:
    """Give --release to a command that only reads a store: its store is then that release."""
    if " ".join(words) not in READERS:
        return
    store, called = next(one.name for one in command.params if one.param_type_name == "argument"), command.callback
    command.params.append(TyperOption(param_decls=["--release"], metavar="NAME", help=OF_RELEASE))

    def released(*, release: str | None, **values: Any) -> Any:
        return called(**(values if release is None else {**values, store: _named(values[store], release)}))

    command.callback = released


def _named(store: Any, release: str) -> Any:
    """The store, or the first of several paths, as its release."""
    from cranfield.store.release_names import at_release

    first, *rest = store if isinstance(store, list | tuple) else [store]
    named = at_release(first, release)
    return [named, *rest] if isinstance(store, list | tuple) else named
