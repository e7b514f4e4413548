"""Help pages: paragraphs that fill the width, whole names of options; and what was typed for one, as a value.

Newer typers make values by pydantic, whose import takes longer than most commands do; the simple types need none.
"""

import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Sequence
from enum import Enum
from functools import partial
from inspect import cleandoc
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

import typer
from typer.core import TyperCommand

from cranfield.cli.tables import HEAD, colour_text
from cranfield.options import GROUPS, OptionGroup

UsageError: Any = typer.BadParameter.__base__
SEVERAL_FILES = "FILE..."  # of an option that takes the words up to the next option
EVERY_OPTION = "cranfield.every_option"  # in the meta of a context: its page shows every option
EXAMPLE = "Example: "
MOST_OPTIONS, LEAST_OPTIONS, MOST_LINES = 10, 4, 24  # of a command alone, on its short page
LONGEST_DEFAULT = 48  # characters, on the short page
WIDEST_NAME, LONG_CHOICE = 30, 14  # characters of the names of an option, and of its choices, on the short page
WIDEST = 100  # columns: longer lines are hard to read
HYPHEN = "\N{NON-BREAKING HYPHEN}"  # in place of any other while lines are broken


class HelpPage:
    """The help page of a command or a group."""

    params: list[Any]
    help: str | None

    def get_help(self, ctx: Any) -> str:
        """The page, with no line broken at a hyphen: what an example or an option has can be copied."""
        return str(super().get_help(ctx)).replace(HYPHEN, "-")  # type: ignore[misc]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """What the command is for; of a command, on its short page, the first paragraph and the examples."""
        text = cleandoc(self.help or "")
        if _fits_one_screen(self, ctx):
            text = text.partition("\n\n")[0]
        formatter.write_paragraph()
        with formatter.indentation():
            for number, paragraph in enumerate(text.split("\n\n")):
                if number:
                    formatter.write_paragraph()
                if paragraph.startswith(EXAMPLE):
                    _write_example(formatter, " ".join(paragraph.split()))
                else:
                    formatter.write_text(_replace_hyphens(paragraph))
        if _fits_one_screen(self, ctx) and (examples := examples_in(self.help or "")):
            with formatter.section(colour_text("Examples", HEAD, sys.stdout)):
                for example in examples:
                    _write_example(formatter, example)

    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options, `--help` too."""
        several: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for one in several:
            parse_without_pydantic(one)
        return several

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name."""
        below = ["COMMAND [ARGS]..."] if hasattr(self, "commands") else []
        return ["[OPTIONS]", *(_metavar(one) for one in self.params if _is_argument(one)), *below]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then commands by panel, then options; on the short page groups of options are a line each."""
        several = self.get_params(ctx)
        arguments = [(_metavar(one), one.help) for one in several if _is_argument(one)]
        options = [one for one in several if not _is_argument(one)]
        if _fits_one_screen(self, ctx):
            _write_short_options(ctx, formatter, arguments, options)
            return
        _write_section(formatter, "Arguments", arguments)
        for panel, commands in _commands_by_panel(self):
            _write_section(formatter, panel, commands)
        _write_section(formatter, "Options", rows_of_options(ctx, options))


class Command(HelpPage, TyperCommand):
    """A command, or what the page of its group shows of it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words after its name; each error knows the command."""
        try:
            words = drop_all_word(args, ctx)
            return list(super().parse_args(ctx, repeat_options(words, self._repeatable_flags(ctx))))
        except UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def _repeatable_flags(self, ctx: Any) -> frozenset[str]:
        several = [one for one in self.get_params(ctx) if one.metavar == SEVERAL_FILES and not _is_argument(one)]
        return frozenset(flag for one in several for flag in one.opts)


def drop_all_word(words: Sequence[str], ctx: Any) -> list[str]:
    """The words without the `all` of `--help all`, which asks for the page with every option."""
    for at, word in enumerate(words[:-1]):
        if word in ctx.help_option_names and words[at + 1] == "all":
            ctx.meta[EVERY_OPTION] = True
            return [*words[: at + 1], *words[at + 2 :]]
    return [*words]


def examples_in(text: str) -> list[str]:
    """The command lines that a help text has as examples.

    >>> examples_in("Show it.\\n\\nExample: cranfield info track.db\\n\\nExample: cranfield info a.db --format json")
    ['cranfield info track.db', 'cranfield info a.db --format json']
    """
    paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    return [one.removeprefix(EXAMPLE) for one in paragraphs if one.startswith(EXAMPLE)]


def example_lines(example: str, width: int) -> list[str]:
    """An example in lines that a shell reads as one: a line that is too long goes on before an option or a quoted text.

    >>> example_lines("cranfield fuse a.run b.run --method rrf --output out.run", 40)
    ['cranfield fuse a.run b.run \\\\', '    --method rrf --output out.run']
    """
    first, *pieces = re.split(r' (?=-|")', example)
    lines = [first]
    for number, piece in enumerate(pieces, 1):
        room = width if number == len(pieces) else width - len(" \\")
        if len(lines[-1]) + 1 + len(piece) <= room:
            lines[-1] += f" {piece}"
        else:
            lines[-1] += " \\"
            lines.append(f"    {piece}")
    return lines


def _write_example(formatter: Any, example: str) -> None:
    indent = " " * formatter.current_indent
    for line in example_lines(example, formatter.width - len(indent)):
        formatter.write(f"{indent}{line}\n")


def rows_of_options(ctx: Any, options: Iterable[Any]) -> list[tuple[str, str]]:
    """The names of each option, and its help in full."""
    records = filter(None, (one.get_help_record(ctx) for one in options))
    return [(names, _bounds(text)) for names, text in records]


def _fits_one_screen(page: HelpPage, ctx: Any) -> bool:
    """Whether a page fits one screen: those of commands do unless every option is asked for."""
    return not hasattr(page, "commands") and not ctx.meta.get(EVERY_OPTION)


def _write_short_options(
    ctx: Any, formatter: Any, arguments: Sequence[tuple[str, str]], options: Sequence[Any]
) -> None:
    """Arguments and the first options of the command alone, as many as fit; a line for each group; what shows more."""
    own = [one for one in options if one.rich_help_panel not in GROUPS and one.name != "help"]
    groups = {name: [max(one.opts, key=len) for one in options if one.rich_help_panel == name] for name in GROUPS}
    groups = {name: flags for name, flags in groups.items() if flags}
    every = f"cranfield help {next(iter(groups))}" if groups else ""
    rows = [*((name, text, name) for name, text in arguments), *(
        (_short_names(names), text, names) for names, text in rows_of_options(ctx, own[:MOST_OPTIONS])
    )]  # fmt: skip
    indent = formatter.current_indent + 2
    width = min(max(len(name) for name, *_ in rows) + 2, WIDEST_NAME) if rows else 0
    bare = [_short_row(name, text, width, formatter.width - indent) for name, text, _ in rows]
    full = [
        [_short_row(name, text, width, formatter.width - indent, one) for one in _missing_details(names, text)]
        for name, text, names in rows
    ]
    several = [next(one for one in [*more, row] if len(one) <= len(row)) for row, more in zip(bare, full, strict=True)]
    footer = _footer(ctx.command_path, every)
    room = MOST_LINES - "".join(formatter.buffer).count("\n") - bool(rows) * 2 - 1 - len(groups) - len(footer)
    while sum(map(len, several)) > room and len(several) > len(arguments) + LEAST_OPTIONS:
        several.pop()
    for at, more in enumerate(full[: len(several)]):
        left = room - sum(map(len, several)) + len(several[at])
        several[at] = next((one for one in more if len(one) <= left), several[at])
    if left := len(own) + len(arguments) - len(several):
        footer = _footer(ctx.command_path, every, left)
    if rows:
        with formatter.section(colour_text("Arguments and options" if arguments else "Options", HEAD, sys.stdout)):
            for line in (line for row in several for line in row):
                formatter.write(f"{' ' * indent}{line}\n".replace("-", HYPHEN))
    formatter.write("\n")
    for name, flags in groups.items():
        head = f"{name.capitalize() + ':':<11}"
        formatter.write(f"{colour_text(head, HEAD, sys.stdout)}{_fit_words(flags, formatter.width - len(head))}\n")
    for line in footer:
        formatter.write(f"{line}\n")


def page_of_group(name: str, group: OptionGroup, pages: Iterable[tuple[Any, Any]], ctx: Any) -> str:
    """The page of a group of options: what they are for, an example, and each option once."""
    formatter = ctx.make_formatter()
    formatter.write_text(f"{group.title} (cranfield help {name}).")
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(_replace_hyphens(group.about))
    with formatter.section(colour_text("Example", HEAD, sys.stdout)):
        _write_example(formatter, group.example)
    rows: dict[str, tuple[str, str]] = {}
    for command, inside in pages:
        options = [one for one in command.get_params(inside) if not _is_argument(one) and one.rich_help_panel == name]
        for option, row in zip(options, rows_of_options(inside, options), strict=True):
            rows.setdefault(option.name, row)
    _write_section(formatter, "Options", list(rows.values()))
    return str(formatter.getvalue()).rstrip("\n").replace(HYPHEN, "-")


def _footer(command: str, group: str, left: int = 0) -> list[str]:
    """Where the other options are, and what explains a group."""
    every = f"{left} more options: " if left > 1 else "1 more option: " if left else "All details: "
    lines = {every: f"{command} --help all"} | ({"A group of options: ": group} if group else {})
    width = max(map(len, lines))
    return [f"{head:<{width}}{line}" for head, line in lines.items()]


def _fit_words(words: Sequence[str], room: int) -> str:
    """As many words as fit into a line, with dots for the others.

    >>> _fit_words(["--topics", "--labels", "--round"], 22)
    '--topics --labels ...'
    """
    fits = [count for count in range(len(words)) if len(" ".join(words[:count])) + 4 <= room]
    whole = " ".join(words)
    return whole if len(whole) <= room else f"{' '.join(words[: max(fits)])} ..."


def _short_names(names: str) -> str:
    """The spellings of an option, with NAME in place of a long choice.

    >>> _short_names("--zeros <wilcox|pratt|zsplit>"), _short_names("-m, --measure MEASURE")
    ('--zeros NAME', '-m, --measure MEASURE')
    """
    head, _, values = names.rpartition(" ")
    return f"{head} NAME" if "|" in values and len(values) > LONG_CHOICE else names


def _missing_details(names: str, text: str) -> list[str]:
    """What the short text of an option lacks: its choices and its default; then the default, or the choices, alone.

    >>> _missing_details("--zeros <wilcox|pratt|zsplit>", "Topics without a difference.  [default: wilcox]")
    [' One of wilcox, pratt, zsplit. [default: wilcox]', ' [default: wilcox]']
    >>> _missing_details("--alpha X", "Level.  [default: 0.05; 0.0001 to 0.5]"), _missing_details("--run TAG", "A run.")
    ([' [default: 0.05]'], [])
    """
    values = names.rpartition(" ")[2].strip("<>[]")
    is_long = "|" in values and len(values) > LONG_CHOICE and not all(one in text for one in values.split("|"))
    choices = f" One of {', '.join(values.split('|'))}." if is_long else ""
    found = re.search(r"\[default: ([^;\]]+)", text)
    default = f" [default: {found[1]}]" if found and len(found[1]) <= LONGEST_DEFAULT else ""
    return [*dict.fromkeys(filter(None, (choices + default, default or choices)))]


def _short_row(name: str, text: str, width: int, room: int, detail: str = "") -> list[str]:
    """The lines of an option: its name and a short text, which begins on the next line where the name is too long."""
    lines = textwrap.wrap(_short_text(text, room - width) + detail, room - width) or [""]
    first = [f"{name:<{width}}{lines[0]}"] if len(name) + 2 <= width else [name, f"{'':<{width}}{lines[0]}"]
    return [*first, *(f"{'':<{width}}{line}" for line in lines[1:])]


def _short_text(text: str, room: int) -> str:
    """The help of an option without its default: its first sentence, or of that what fits and ends at a semicolon.

    >>> _short_text("A measure, such as AP. Several: -m AP,P@10.  [default: AP]", 60)
    'A measure, such as AP.'
    >>> _short_text("Rank of the judged share; else the pool's depth, or 10.", 30)
    'Rank of the judged share.'
    """
    sentence = re.split(r"(?<=[.?])\s|\s*\[default", text, maxsplit=1)[0]
    if len(sentence) <= room:
        return sentence
    parts = [sentence[: match.start()] for match in re.finditer(r"; | \(", sentence)]
    return f"{parts[0]}." if parts else sentence


def repeat_options(words: Sequence[str], flags: Collection[str]) -> list[str]:
    """Write options that take several values once before each of the values, which end at the next option.

    >>> repeat_options(["q", "a", "--pool-runs", "b", "c", "-m", "AP"], ["--pool-runs"])
    ['q', 'a', '--pool-runs', 'b', '--pool-runs', 'c', '-m', 'AP']
    """
    written, flag, is_first = list[str](), "", False
    for number, word in enumerate(words):
        if word == "--":
            return [*written, *words[number:]]
        if word.startswith("-") and word != "-":
            flag, is_first = (word, True) if word in flags else ("", False)
            written.append(word)
            continue
        written += [word] if is_first or not flag else [flag, word]
        is_first = False
    return written


def _write_section(formatter: Any, title: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(colour_text(title, HEAD, sys.stdout)):
            formatter.write_dl([(name, _replace_hyphens(text)) for name, text in rows])


def _replace_hyphens(text: str) -> str:
    return text.replace("-", HYPHEN)


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _metavar(argument: Any) -> str:
    """An argument as the usage line shows it."""
    name = argument.metavar or argument.name.upper()
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _bounds(text: str) -> str:
    """The text of an option with its bounds in words.

    >>> _bounds("How many.  [default: 1; x>=1]"), _bounds("Level.  [0.01<=x<=0.99]")
    ('How many.  [default: 1; at least 1]', 'Level.  [0.01 to 0.99]')
    """
    text = re.sub(r"\b([\d.]+)<=x<=([\d.]+)(?=[;\]])", r"\1 to \2", text)
    return re.sub(r"\bx>=([\d.]+)(?=[;\]])", r"at least \1", text)


def _commands_by_panel(group: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    """The commands of a group by panel, each with its first paragraph."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for name, command in getattr(group, "commands", {}).items():
        rows = panels.setdefault(command.rich_help_panel or "Commands", [])
        rows.append((name, (command.help or "").partition("\n\n")[0]))
    return [*panels.items()]


WHOLE, NUMBER = "expected a whole number, such as 10", "expected a number, such as 0.5"


def parse_without_pydantic(parameter: Any) -> None:
    """Let a parameter of a simple type read its value without pydantic; older typers do by themselves."""
    if not hasattr(parameter, "get_runtime_param"):
        return
    kind, settings = parameter.type_descriptor.annotation, parameter.type_descriptor.parameter_info
    many = get_origin(kind) is list
    make = settings.parser or _converter_of_type(get_args(kind)[0] if many else kind, settings)
    if settings.exists or not settings.dir_okay:
        make = None
    n_values = len(get_args(kind)) if get_origin(kind) is tuple else -1 if many and not parameter.multiple else 1
    if make and parameter.nargs == n_values:
        parameter.process_value = partial(_process, parameter, many, make)


def _process(parameter: Any, many: bool, make: Callable[[Any], Any], ctx: Any, value: Any) -> Any:
    """The value of what was typed, or of the default."""
    read: Any = () if many else None
    try:
        if value is not None:
            read = [make(one) for one in value] if many else make(value)
    except (ValueError, typer.BadParameter) as error:
        raise typer.BadParameter(str(error), ctx=ctx, param=parameter) from error
    if parameter.required and parameter.value_is_missing(read):
        raise MissingParameter(ctx=ctx, param=parameter)
    return parameter.callback(ctx, parameter, read) if parameter.callback else read


def _converter_of_type(kind: Any, settings: Any) -> Callable[[Any], Any] | None:
    """What makes a value of a type; none for a type that is not simple."""
    if kind in (str, bool, Path):
        return cast("type", kind)
    if kind in (int, float):
        return partial(number, kind, settings.min, settings.max)
    if get_origin(kind) is Literal:
        return partial(choice, str, get_args(kind))
    if get_origin(kind) is tuple:
        makers = [_converter_of_type(one, settings) for one in get_args(kind)]
        return None if None in makers else partial(_values, cast("Any", makers))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return partial(choice, kind, [one.value for one in kind])
    return None


def _values(makers: Sequence[Callable[[Any], Any]], texts: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(make(text) for make, text in zip(makers, texts, strict=True))


def number(kind: type, least: float | None, most: float | None, value: Any) -> Any:
    """A number within its bounds; ValueError otherwise.

    >>> number(int, 1, None, "10")
    10
    >>> number(float, 0.01, 0.99, "1")
    Traceback (most recent call last):
    ...
    ValueError: expected 0.01 to 0.99
    """
    try:
        result = kind(value)
    except ValueError as error:
        raise ValueError(WHOLE if kind is int else NUMBER) from error
    if (least is None or result >= least) and (most is None or result <= most):
        return result
    if least is None or most is None:
        raise ValueError(f"expected at least {least}" if most is None else f"expected at most {most}")
    raise ValueError(f"expected {least} to {most}")


def choice(make: Callable[[Any], Any], names: Collection[str], value: Any) -> Any:
    """What a name stands for; ValueError if it is none of the names.

    >>> choice(str, ["json", "csv"], "csv")
    'csv'
    >>> choice(str, ["json", "csv"], "xml")
    Traceback (most recent call last):
    ...
    ValueError: 'xml' is not one of 'json', 'csv'.
    """
    if value not in names:
        raise ValueError(f"{value!r} is not one of {', '.join(map(repr, names))}.")
    return make(value)


MissingParameter: Any = next(one for one in typer.BadParameter.__subclasses__() if one.__name__ == "MissingParameter")
