"""Commands made of functions: the one module that computes signatures.

    build = command(build_pool, show_lines, "pooling")

The function's own parameters are the options: those whose type is `Annotated[type, Option(...)]` or `Argument(...)`.
Of a parameter whose type is `Annotated[dataclass, Grouped()]` the fields are options. Parameters without one are only
for Python; keywords of the renderer are only for the shell. The function is in the namespace `cranfield.pooling`. An
option of `instead` calls another function: `command(compare, show_comparison, instead={"difference":
command(plan_topics, show_plan)})`. Where none of the options `needs` is typed, the command `otherwise` is called,
whose docstring is the help: `command(label_claims, show_asked, needs=("model", "url"),
otherwise=command(label_claims_by_hand, show_lines))`. `check=` is a function that refuses options of the function and
of the renderer that do not go together, before anything is computed; it takes those that it names. The docstring up
to its first section is the help.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from inspect import Parameter, Signature, cleandoc, signature, unwrap
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast, get_args

import typer

from cranfield.cli.common_options import SOURCE, SOURCE_AND_NEW, STORES, Printer, flags_of, read_typed, typer_parameter
from cranfield.cli.pages import UsageError
from cranfield.cli.tables import print_note, print_notes, print_summary, say
from cranfield.commands.subject import subject_in
from cranfield.errors import ArgumentError, CombinationError, CranfieldError
from cranfield.hooks import OptionError
from cranfield.options import Argument, Grouped, Implies, Option, OptionField, Written, split_annotation
from cranfield.results import Result, ResultInLines, WrittenFile
from cranfield.store.reading import Reading, SelectedPlace

QUOTED_NAME = re.compile(r"`[\w.()]+`")
SECTION = re.compile(r"\n\n(?=\w+\n-{3,}\n|>>> )")  # of a numpydoc docstring, or its examples


class BuiltCommand:
    """A command made of a function and a renderer of its result; typer reads its signature and its help."""

    def __init__(
        self,
        function: Callable[..., Result],
        show: Callable[..., None],
        namespace: str = "",
        *,
        check: Callable[..., None] | None = None,
        instead: Mapping[str, "BuiltCommand"] = MappingProxyType({}),
        needs: Sequence[str] = (),
        otherwise: "BuiltCommand | None" = None,
    ) -> None:
        self.function, self.show = unwrap(function), show  # without the checks, which speak of keywords
        self.check, self.instead, self.needs, self.otherwise = check, instead, needs, otherwise
        self.__name__ = self.__qualname__ = function.__name__
        self.in_python = f"{namespace}.{function.__name__}" if namespace else function.__name__
        self.__module__ = function.__module__
        self.__doc__ = help_of(function, self.fields) if otherwise is None else otherwise.__doc__

    @cached_property
    def fields(self) -> Mapping[str, OptionField]:
        """The parameters of the function, or fields of one, that are options of the command, in their order."""
        fields: list[OptionField] = []
        for one in signature(self.function, eval_str=True).parameters.values():
            field = OptionField(one.name, one.default, *split_annotation(one.annotation))
            fields += (
                group.fields(field.kind) if (group := find_option_group(field)) else [field] if field.option else []
            )
        return {field.name: field for field in sort_for_help(fields)}

    @property
    def __signature__(self) -> Signature:
        """The options of the function, those of the renderer, and how tables are printed."""
        shown = [*signature(self.show, eval_str=True).parameters.values()][1:]
        others = [other.fields[name]._replace(default=None) for name, other in self.instead.items()]
        if self.otherwise is not None:
            others += [field for field in self.otherwise.fields.values() if field.name not in self.fields]
            names = [one.name for one in shown]
            more = [*signature(self.otherwise.show, eval_str=True).parameters.values()][1:]
            shown += [one for one in more if one.name not in names]
        options = [typer_parameter(field) for field in sort_for_help([*self.fields.values(), *others])]
        own = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in shown]
        reading = Parameter("reading", Parameter.KEYWORD_ONLY, annotation=Reading)
        for one in sorted(own, key=lambda one: one.annotation is Printer):  # its options are the last
            mark = next((mark for mark in get_args(one.annotation) if isinstance(mark, Option)), None)
            names = [option.name for option in options]
            options.insert(names.index(mark.before) if mark and mark.before else len(names), one)
        return Signature([*options, *([reading] if self.has_store or self.takes_subject else [])])

    @property
    def has_store(self) -> bool:
        """Whether the function takes a store, or what stands for one."""
        return any(
            field.option and field.option.reads in (*STORES, SOURCE, SOURCE_AND_NEW) for field in self.fields.values()
        )

    @property
    def takes_subject(self) -> bool:
        """Whether the function takes a subject, which the shell makes from the options of features."""
        return "subject" in signature(self.function).parameters

    def __call__(self, *, reading: Reading | None = None, **values: Any) -> None:
        """Call the function with what was typed, or another whose option was typed, and show its result."""
        given = {name: values.pop(name, None) for name in self.instead}
        if names := [name for name, value in given.items() if value is not None]:
            self._call_instead(names[-1], {**values, **given}, reading)
            return
        if self.otherwise is not None:
            if all(values.get(name) is None for name in self.needs):
                self._arguments({**values}, reading)  # refuses what cannot be read
                self.otherwise(reading=reading, **self.otherwise.own_values(values))
                return
            values = self.own_values(values)
        arguments = self._arguments(values, reading)
        self._check_output(arguments, values)
        if self.check is not None:
            known = {**arguments, **values}
            self.check(**{name: known.get(name) for name in signature(self.check).parameters})
        if "tell" in signature(self.function).parameters:  # of a function without a store: where its notes go
            arguments["tell"] = print_note
        try:
            if reading is not None and self.takes_subject:
                arguments["subject"] = subject_in(reading.added)
            result = self.function(**self._grouped(arguments))
        except CombinationError as error:
            raise UsageError(error.message) from error
        except ArgumentError as error:
            hint = _name_in_usage(self.fields[error.argument]) if error.argument else None
            raise typer.BadParameter(error.message, param_hint=hint) from error
        except OptionError as error:
            raise typer.BadParameter(error.message, param_hint=f"--{error.option.replace('_', '-')}") from error
        except CranfieldError as error:  # such as ModelError, whose result is of no use, but on record
            if isinstance(unusable := getattr(error, "result", None), Result):
                self.show(unusable, **values)
            raise
        self.show(result, **values)

    def _arguments(self, values: dict[str, Any], reading: Reading | None) -> dict[str, Any]:
        """The arguments of the function, taken from what was typed."""
        arguments: dict[str, Any] = {}
        for name, field in self.fields.items():
            value = values.pop(name, None)
            if value in (None, []):
                if field.default is Parameter.empty:
                    arguments[name] = None
                continue
            reads = field.option.reads if field.option and reading is not None else ""
            if reads == SOURCE_AND_NEW:
                *value, new = value if len(value) > 1 else [*value, None]
                arguments["new"] = new
            if reads in (SOURCE, SOURCE_AND_NEW):
                first, *runs = cast("Reading", reading).select_places(value)
                arguments |= {name: first, "runs": runs or None}
            else:
                arguments[name] = (
                    _select_given_places(value, cast("Reading", reading))
                    if reads in STORES
                    else read_typed(field, value)
                )
        arguments |= dict.fromkeys(self._keywords_implied_by_options(values), True)
        return arguments

    def own_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the options of the function and of the renderer."""
        taken = {*self.fields, *signature(self.show).parameters}
        return {name: value for name, value in values.items() if name in taken}

    def _grouped(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments of the function, where values take the place of their fields."""
        for one in signature(self.function, eval_str=True).parameters.values():
            field = OptionField(one.name, one.default, *split_annotation(one.annotation))
            if group := find_option_group(field):
                names = [inner.name for inner in group.fields(field.kind) if inner.name in arguments]
                arguments[one.name] = field.kind(**{name: arguments.pop(name) for name in names})
        return arguments

    def _call_instead(self, name: str, values: Mapping[str, Any], reading: Reading | None) -> None:
        """Call the function that has this option; options that it does not take are refused."""
        other = self.instead[name]
        taken = other.own_values(values)
        flag = flags_of(other.fields[name])[-1]
        fields = {**self.fields, **{one: command.fields[one] for one, command in self.instead.items()}}
        for one, value in values.items():
            if one not in taken and value not in (None, [], self._typed_default(one)):
                hint = flags_of(fields[one])[-1] if one in fields else f"--{one.replace('_', '-')}"
                raise typer.BadParameter(f"cannot be used with {flag}", param_hint=hint)
        other(reading=reading, **taken)

    def _typed_default(self, name: str) -> Any:
        """What the command line has for an option that is not typed."""
        field = self.fields.get(name)
        typed = field.option.default if field and field.option else None
        return typed if typed is not None or field is None else field.default

    def _keywords_implied_by_options(self, values: Mapping[str, Any]) -> list[str]:
        """The keywords of the function that options of the renderer imply, where these are given."""
        shown = signature(self.show, eval_str=True).parameters
        return [
            mark.keyword
            for name, value in values.items()
            if value is not None and name in shown
            for mark in get_args(shown[name].annotation)
            if isinstance(mark, Implies)
        ]

    def _check_output(self, arguments: Mapping[str, Any], shown: Mapping[str, Any]) -> None:
        printer = next((one for one in shown.values() if isinstance(one, Printer)), None)
        for name, value in arguments.items():
            if name not in self.fields:
                continue
            if printer and any(isinstance(mark, Written) for mark in self.fields[name].marks):
                refuse_table_beside_file_on_stdout(flags_of(self.fields[name])[-1], value, printer)


command = BuiltCommand


def find_option_group(field: OptionField) -> Grouped | None:
    """The mark of a parameter whose fields are options."""
    return next((mark for mark in field.marks if isinstance(mark, Grouped)), None)


def sort_for_help(fields: Sequence[OptionField]) -> list[OptionField]:
    """The fields in the order of the help page, which some options state.

    >>> fields = [OptionField("a", 0, int, []), OptionField("b", 0, int, [Option("B.", before="a")])]
    >>> [field.name for field in sort_for_help(fields)]
    ['b', 'a']
    """
    ordered = list(fields)
    for field in fields:
        names = [one.name for one in ordered if one is not field]
        if field.option and field.option.before in names:  # only the other command of `otherwise` may have it
            ordered.remove(field)
            ordered.insert(names.index(field.option.before), field)
    return ordered


def refuse_table_beside_file_on_stdout(flag: str, path: Any, printer: Printer) -> None:
    """Refuse to print a table as data where a file of this option is written to the standard output."""
    if str(path) == "-" and not printer.is_for_terminal and printer.output is None:
        raise typer.BadParameter(f"expected a file, because {flag} - writes to standard output", param_hint="--output")


def _name_in_usage(field: OptionField) -> str:
    """What the usage of a command calls a parameter: its flag, or the words for an argument."""
    if isinstance(field.option, Argument):
        metavar = str(field.option.settings.get("metavar", field.name.upper()))
        return metavar if " " in metavar else metavar.removesuffix("...")
    return flags_of(field)[-1]


def _select_given_places(value: Any, reading: Reading) -> SelectedPlace | list[SelectedPlace]:
    """A place, or several, of which the selection of the command is read."""
    return reading.select_places(value) if isinstance(value, list) else reading.select_place(Path(value))


def help_of(function: Callable[..., Any], fields: Mapping[str, OptionField] = MappingProxyType({})) -> str:
    """The help of a command: the docstring of its function up to the first section, or the examples in Python.

    A parameter in backticks, and the method plot of the result, become its option.

    >>> def double(*, by_half=False):
    ...     '''Double a number; with `by_half` add half of it.
    ...
    ...     Example: double 3
    ...
    ...     Returns
    ...     -------
    ...     int
    ...     '''
    >>> help_of(double)
    'Double a number; with --by-half add half of it.\\n\\nExample: double 3'
    """
    code = unwrap(function).__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    flags = {f"`{name}`": f"--{name.replace('_', '-')}" for name in names} | {"`.plot()`": "--plot"}
    flags |= {f"`{name}`": flags_of(one)[-1] for name, one in fields.items() if not isinstance(one.option, Argument)}
    text = SECTION.split(cleandoc(function.__doc__ or ""), maxsplit=1)[0].rstrip()
    return QUOTED_NAME.sub(lambda match: flags.get(match[0], match[0]), text)


def show_table(result: Result, printer: Printer) -> None:
    """Print the table of a result."""
    printer.emit(
        result.rows(), title=result.title, document=result.document, display=result.display, columns=result.columns
    )


def show_lines(result: ResultInLines) -> None:
    """Print what was done."""
    for line in result.lines:
        say(line)


def show_lines_and_notes(result: ResultInLines) -> None:
    """Print what was done, and the notes below it."""
    show_lines(result)
    print_notes(result.context.notes)


def show_summary(result: WrittenFile) -> None:
    """Print what was written, as a note where the file is the standard output."""
    for line in result.lines:
        print_summary(result.path, line)
