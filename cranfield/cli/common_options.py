"""Arguments and options that several commands share, each declared once; and options as one record.

`path: Annotated[StorePath, ONLY_READ]` takes --release, `Annotated[str, typer.Option(), completion.RUNS]` completes.
Options whose names come from tables of cranfield take several at once: `-m AP,P@10` is `-m AP -m P@10`. Names from
data (run tags, topics, assessors) may contain commas, so their options are repeated. Commands that read files have
options for limits, formats, fields and notes.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, NamedTuple, cast, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo

from cranfield import hooks
from cranfield.cli import completion
from cranfield.cli.completion import RELEASES, Completer, completer
from cranfield.cli.tables import (
    PLAIN,
    SEPARATED,
    TYPESET,
    Display,
    FormatByName,
    TableFormat,
    output_table,
    parse_table_format,
    print_note,
    reflow,
    say,
)
from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.formats.records import Kind
from cranfield.formats.text_tables import Row
from cranfield.options import LIMITS as LIMITS_GROUP
from cranfield.options import (
    OUTPUT,
    SELECTION,
    Argument,
    OneOf,
    Option,
    OptionField,
    Written,
)
from cranfield.results import Result
from cranfield.selection import LeftOut
from cranfield.store.reading import OpenStores, Reading

LIMITED = {
    "line": "Maximum length of a line in bytes.",
    "document": "Maximum size of a document or topic in bytes.",
    "file": "Maximum size of a file after decompression. A corpus or an interaction log is exempt because it is read in"
    " pieces.",
}


class Reads(NamedTuple):
    """Beside typer's own in the type of an argument: it names files to read, and these of their sizes are limited."""

    sizes: Sequence[str]
    kinds: Sequence[Kind] = ()  # what may be of any format: runs, qrels

    def options(self) -> list[Parameter]:
        """--max-line, --max-file, --max-document for documents or topics, --fail-on-note; formats and fields."""
        from cranfield.formats.files import DEFAULT, format_byte_size

        sizes = [
            option_parameter(
                f"max_{name}", str, format_byte_size(getattr(DEFAULT, name)), metavar="SIZE", help=LIMITED[name]
            )
            for name in self.sizes
        ]
        described = [
            option_parameter(
                "input_format", list[str] | None, None, completion.FORMATS, metavar="[KIND=]NAME",
                help=INPUT_FORMAT[self.kinds],
            ),
            option_parameter(
                "field", list[str] | None, None, metavar="[KIND.]OURS=THEIRS", help=INPUT_FIELD[self.kinds]
            ),
        ] if self.kinds else []  # fmt: skip
        return [*sizes, *described, option_parameter("fail_on_note", bool, False, help=FAIL_ON_NOTE)]

    def use(self, values: dict[str, Any], parameter: str) -> None:
        """Limit what is read from now on, and say how."""
        from cranfield.formats.files import LIMITS, InputReading, parse_byte_size

        for name in self.sizes:
            try:
                size: dict[str, Any] = {name: parse_byte_size(values.pop(f"max_{name}"))}
                LIMITS.set(LIMITS.get()._replace(**size))
            except InputError as error:
                raise typer.BadParameter(str(error), param_hint=f"'--max-{name}'") from None
        formats = _formats_by_kind(values.pop("input_format") or [], self.kinds) if self.kinds else {}
        fields = _fields_by_kind(values.pop("field") or [], self.kinds) if self.kinds else {}
        tell = cache(print_note)  # each line once, even where a file is read again
        reading = InputReading(formats, fields, tell, fails_on_note=values.pop("fail_on_note"))
        LIMITS.set(LIMITS.get()._replace(reading=reading))


BOTH_KINDS: tuple[Kind, ...] = ("run", "qrels")


INPUT_FORMAT: Mapping[Sequence[Kind], str] = {
    BOTH_KINDS: "Format of the files, such as msmarco or qrels=sample-eval. [default: detected from the content]",
    ("run",): "Format of the run file, such as msmarco. [default: detected from the content]",
    ("qrels",): "Format of the qrels files, such as sample-eval. [default: detected from the content]",
}


INPUT_FIELD: Mapping[Sequence[Kind], str] = {
    BOTH_KINDS: "Name of a field in the files, such as grade=label or run.docno=passage; may be repeated.",
    ("run",): "Name of a field in the run file, such as docno=passage; may be repeated.",
    ("qrels",): "Name of a field in the qrels files, such as grade=label; may be repeated.",
}


FAIL_ON_NOTE = (
    "Treat any note about the input files as an error, including the note about a guessed format. To avoid that note,"
    " name the format with --input-format (--format for imports)."
)


def _formats_by_kind(texts: Sequence[str], kinds: Sequence[Kind]) -> dict[str, str]:
    """The formats that are named for runs and for qrels.

    >>> _formats_by_kind(["msmarco", "qrels=sample-eval"], BOTH_KINDS)
    {'run': 'msmarco', 'qrels': 'sample-eval'}
    """
    from cranfield.formats.table import formats_of

    formats: dict[str, str] = {}
    for text in texts:
        kind, sign, name = text.partition("=")
        name = name if sign else text
        meant = [each for each in kinds if kind == each or not sign]
        known = [each for each in meant if name in [row.name for row in formats_of(each)]]
        if not known:
            names = ", ".join(dict.fromkeys(row.name for each in meant or kinds for row in formats_of(each)))
            found = f"{text!r:.60}; expected one of {names}, optionally {_prefixes(kinds, '=')}"
            raise typer.BadParameter(found, param_hint="'--input-format'")
        formats |= dict.fromkeys(known, name)
    return formats


def _prefixes(kinds: Sequence[Kind], sign: str) -> str:
    """Which words may stand before a name.

    >>> _prefixes(BOTH_KINDS, ".")
    'after run. or qrels.'
    """
    return "after " + " or ".join(f"{kind}{sign}" for kind in kinds)


def _fields_by_kind(texts: Sequence[str], kinds: Sequence[Kind]) -> dict[str, dict[str, str]]:
    """What fields are called in runs and in qrels.

    >>> _fields_by_kind(["grade=label", "run.docno=passage"], BOTH_KINDS)
    {'qrels': {'grade': 'label'}, 'run': {'docno': 'passage'}}
    """
    from cranfield.formats.records import FIELDS

    fields: dict[str, dict[str, str]] = {}
    for text in texts:
        place, sign, theirs = text.partition("=")
        kind, dot, name = place.rpartition(".")
        meant = [each for each in kinds if kind in (each, "") and name in FIELDS[each]]
        if not (sign and theirs and meant) or (dot and not kind):
            names = ", ".join(dict.fromkeys(name for each in kinds for name in FIELDS[each]))
            found = (
                f"{text!r:.60}; expected OURS=THEIRS, where OURS is one of {names}, optionally {_prefixes(kinds, '.')}"
            )
            raise typer.BadParameter(found, param_hint="'--field'")
        for each in meant:
            fields.setdefault(each, {})[name] = theirs
    return fields


RUNS_AND_QRELS = Reads(("line", "file"), BOTH_KINDS)
RUNS, QRELS = Reads(("line", "file"), ("run",)), Reads(("line", "file"), ("qrels",))
TEXTS = Reads(("line", "document", "file"))
TEXTS_AND_QRELS = Reads(TEXTS.sizes, ("qrels",))
NAMED_FORMATS = Reads(("line", "file"))


def option_parameter(name: str, kind: Any, default: Any, *marks: Completer, **settings: Any) -> Parameter:
    argument = typer.Option(f"--{name.replace('_', '-')}", **{"rich_help_panel": LIMITS_GROUP, **settings})
    annotation = Annotated[(kind, argument, *marks)]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def expand_option_records(command: Callable[..., None], full_name: str = "") -> Callable[..., None]:
    """The command with the fields of its records, and of records in them, as options of its own.

    With the options that features add to the command of this full name as well, if there is one. What the types of
    parameters say beside typer's own are options, too, the last. A parameter of the type GivenOptions gets the words of
    the options that were given, one of the type Reading what the command is to read, with the options of features.

    >>> from typing import NamedTuple
    >>> class Paper(NamedTuple):
    ...     size: str = "A4"
    >>> def print_it(path: str, paper: Paper) -> None:
    ...     print(path, paper)
    >>> str(signature(expand_option_records(print_it)))
    "(path: str, *, size: str = 'A4') -> None"
    >>> expand_option_records(print_it)(path="a.txt", size="A5")
    a.txt Paper(size='A5')
    >>> class Job(NamedTuple):
    ...     copies: int = 1
    ...     paper: Paper = Paper()
    >>> def send(job: Job) -> None:
    ...     print(job)
    >>> expand_option_records(send)(copies=2, size="A5")
    Job(copies=2, paper=Paper(size='A5'))
    """
    own, extra = signature(command, eval_str=True), hooks.record_types(full_name) if full_name else []
    records = {name: one.annotation for name, one in own.parameters.items() if _is_record(one.annotation)}
    wants_given = [name for name, one in own.parameters.items() if one.annotation is GivenOptions]
    wants_reading = [name for name, one in own.parameters.items() if one.annotation is Reading]
    parameters = [
        option
        for name, one in own.parameters.items()
        if name not in (*wants_given, *wants_reading)
        for option in (_option_parameters(records[name]) if name in records else [_as_parameter(one)])
    ]
    last = next((at for at, option in enumerate(parameters) if option.name == "format"), len(parameters))
    parameters[last:last] = [option for record in extra for option in _option_parameters(record)]
    if extra:
        by_name = {option.name: option.replace(kind=Parameter.KEYWORD_ONLY) for option in parameters}
        parameters = [*by_name.values()]
    marks = _marks(parameters)
    written = [one.name for one in parameters if any(isinstance(mark, Written) for mark in get_args(one.annotation))]

    @wraps(command)
    def run(**values: Any) -> None:
        from cranfield.formats.given_files import check_read_extras, check_written_extras

        given, outputs = _words(values.values()), _words(values.get(name) for name in written)
        if outputs:
            from cranfield.formats.whole_files import check_no_input

            for path in outputs:
                check_no_input(path, given)
        check_read_extras(path for path in given if path not in outputs)
        check_written_extras(outputs)
        given_options = dict.fromkeys(wants_given, _given_options(known, values))
        for mark, name in marks:
            mark.use(values, name)
        more = {option.name: values.pop(option.name) for record in extra for option in _option_parameters(record)}
        left_out = LeftOut()
        filled = {name: _record_of(record, values, left_out) for name, record in records.items()}
        added = hooks.added_option_records(full_name, more)
        with Reading(left_out=left_out, stores=OpenStores(print_note), added=added) as reading:
            command(**{**values, **filled, **given_options, **dict.fromkeys(wants_reading, reading)})

    mark_options = [option for mark, _ in marks for option in mark.options()]
    known = [*parameters, *mark_options]
    shown = own.replace(parameters=[*map(_table_parameter, parameters), *mark_options])
    run.__dict__["__signature__"] = shown
    run.__annotations__ = {one.name: one.annotation for one in shown.parameters.values()}  # typer resolves their names
    return run


class GivenOptions(dict[str, list[str]]):
    """The words of each option that a command was given, by parameter; a command takes them as a parameter.

    >>> GivenOptions(depth=["--depth", "5"], seed=["--seed", "1"]).words(without=["seed"])
    ['--depth', '5']
    """

    def words(self, without: Collection[str] = ()) -> list[str]:
        """The words of all options except some."""
        return [word for name, words in self.items() if name not in without for word in words]


def _given_options(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> GivenOptions:
    """The words of each option that does not have its default.

    >>> depth = Parameter("pool_depth", Parameter.KEYWORD_ONLY, default=10, annotation=Annotated[int, typer.Option()])
    >>> _given_options([depth], {"pool_depth": 10}), _given_options([depth], {"pool_depth": 5})
    ({}, {'pool_depth': ['--pool-depth', '5']})
    >>> pair = Parameter("size", Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[list[int], typer.Option()])
    >>> _given_options([pair], {"size": (2, 3)}), _given_options([pair], {"size": [2, 3]})
    ({'size': ['--size', '2', '3']}, {'size': ['--size', '2', '--size', '3']})
    """
    found = GivenOptions()
    for one in parameters:
        option = next((mark for mark in get_args(one.annotation) if isinstance(mark, OptionInfo)), None)
        value = values.get(one.name)
        if option is None or value in (None, "", False, one.default) or value == []:
            continue
        first = option.default if str(option.default).startswith("-") else None  # typer takes a first flag for it
        flags = [*filter(None, [first]), *(option.param_decls or ()), f"--{one.name.replace('_', '-')}"]
        flag = flags[0].partition("/")[0]
        texts = [str(getattr(each, "value", each)) for each in (value if isinstance(value, list | tuple) else [value])]
        if value is True or isinstance(value, tuple):
            found[one.name] = [flag, *texts] if isinstance(value, tuple) else [flag]
        else:
            found[one.name] = [word for text in texts for word in (flag, text)]
    return found


def _words(values: Iterable[Any]) -> list[str | Path]:
    """The texts and paths among values, also in lists of them.

    >>> _words(["a.run", 3, ["b.run", "a.run"], None])
    ['a.run', 'b.run', 'a.run']
    """
    several = (value if isinstance(value, list | tuple) else [value] for value in values)
    return [one for value in several for one in value if isinstance(one, str | Path)]


def _is_record(kind: Any) -> bool:
    return hasattr(kind, "_fields")


def _record_of(record: Any, values: dict[str, Any], left_out: LeftOut) -> Any:
    """The record of the values that are given, which are taken."""
    kinds = get_type_hints(record)
    record_options = {
        name: _record_of(kinds[name], values, left_out)
        for name in record._fields if _is_record(kinds[name])
    }  # fmt: skip
    notes = {name: left_out for name in record._fields if kinds[name] is LeftOut}
    own_values = {name: values.pop(name) for name in record._fields if name in values}
    given = {name: value for name, value in own_values.items() if value is not None}
    return record(**record_options, **notes, **given)


def read_typed(field: OptionField, value: Any) -> Any:
    """What was typed as the value of a field."""
    if field.option is None or field.option.parse is None:
        return value
    try:
        return field.option.parse(value)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint=flags_of(field)[-1]) from error


def flags_of(field: OptionField) -> Sequence[str]:
    """How the option is written."""
    return (field.option and field.option.flags) or [f"--{field.name.replace('_', '-')}"]


def _option_parameters(record: Any) -> list[Parameter]:
    """An option for each field of a record."""
    defaults = record._field_defaults
    return [
        option
        for name, kind in get_type_hints(record, include_extras=True).items() if kind is not LeftOut
        for option in (_option_parameters(kind) if _is_record(kind) else [
            _as_parameter(Parameter(
                name, Parameter.KEYWORD_ONLY, default=defaults.get(name, Parameter.empty), annotation=kind
            ))
        ])
    ]  # fmt: skip


def _as_parameter(one: Parameter) -> Parameter:
    """A parameter; one with an Option in its type as typer's."""
    kind, *marks = get_args(one.annotation) or [one.annotation]
    field = OptionField(one.name, one.default, kind, marks)
    if field.option is None:
        return one
    return typer_parameter(field, callback=lambda value: value and read_typed(field, value)).replace(kind=one.kind)


def typer_parameter(field: OptionField, **more: Any) -> Parameter:
    """The option of a field; None is the default of several values, a list, and of names that a text may lack."""
    option = cast("Option", field.option)
    settings = {"help": option.help, **option.settings, **more}
    is_argument = isinstance(option, Argument)
    if isinstance(field.default, tuple) and field.default and all(isinstance(one, str) for one in field.default):
        settings["help"] += f" [default: {', '.join(field.default)}]"
    argument = typer.Argument(**settings) if is_argument else typer.Option(*flags_of(field), **settings)
    completers = [completer(option.complete)] if option.complete else []
    kind = field.kind if option.typed is None else option.typed
    for one in (kind, *get_args(kind)):
        if get_origin(one) is Sequence:
            kind = list[get_args(one)[0]] | None  # type: ignore[misc]
    bare = get_origin(next(iter(get_args(kind)), None)) is list or (option.typed is not None and field.default == "")
    marks = (*completers, *READING.get(option.reads, ()), *(mark for mark in field.marks if mark is not option))
    default = field.default if option.default is None else option.default
    may_lack = field.default is Parameter.empty and NoneType in get_args(field.kind)  # functions take None for it
    return Parameter(
        field.name, Parameter.KEYWORD_ONLY,
        default=Parameter.empty if option.required else None if bare or may_lack else default,
        annotation=Annotated[(kind, argument, *marks)],
    )  # fmt: skip


TEST = OneOf("cranfield.metrics.significance.tests", "TESTS")
CORRECTION = OneOf("cranfield.metrics.significance.pairs", "CORRECTIONS")


class OnlyRead(NamedTuple):
    """Beside typer's own in the type of a store, or of paths of which the first may be one: it is only read."""

    help: str = "Release of the store to read, as in STORE@NAME. [default: the present state]"

    def options(self) -> list[Parameter]:
        """--release."""
        return [
            option_parameter(
                "release", str | None, None, RELEASES, metavar="NAME", rich_help_panel=SELECTION, help=self.help
            )
        ]

    def use(self, values: dict[str, Any], parameter: str) -> None:
        """Let the store be that release."""
        release = values.pop("release")
        if release is not None:
            values[parameter] = _store_at_release(values[parameter], release)


ONLY_READ = OnlyRead()


def _store_at_release(store: Any, release: str) -> Any:
    """The store, or the first of several paths, as its release."""
    from cranfield.selection import release_path

    first, *rest = store if isinstance(store, list | tuple) else [store]
    place = release_path(first, release)
    return [place, *rest] if isinstance(store, list | tuple) else place


def _marks(parameters: Sequence[Parameter]) -> list[tuple[Any, str]]:
    """What the types of parameters say beside typer's own, each with the name of its parameter."""
    marks = {one.name: get_args(one.annotation) for one in parameters}
    return [
        (mark, name)
        for kind in (Reads, OnlyRead, FormatByName)
        for name in marks
        for mark in marks[name]
        if isinstance(mark, kind)
    ]


def _table_parameter(parameter: Parameter) -> Parameter:
    """The parameter; where a table has its values, with these as its type."""
    marks = get_args(parameter.annotation)[1:]
    kinds = [mark.kind() for mark in marks if isinstance(mark, OneOf)]
    return parameter.replace(annotation=Annotated[(*kinds, *marks)]) if kinds else parameter


def drawable(path: Path | None) -> Path | None:
    """Refuse a file for a figure before anything is computed."""
    if path is None:
        return None
    from cranfield.charts.palette import check_drawable

    require_extra("plot", "a plot")
    try:
        check_drawable(path)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    return path


StorePath = Annotated[Path, typer.Argument(metavar="STORE", help="A store, such as track.db.")]
STORES = ("store", "store or release", "store or qrels", "store, or qrels and runs")
SOURCE = "source"  # of judgments, which runs follow: a function takes them as qrels and runs
SOURCE_AND_NEW = "source and new run"  # the last path is that of a run, which a function takes as new
READING: Mapping[str, Sequence[Any]] = {  # by what an Option reads: what its type says beside typer's own
    "store or release": (ONLY_READ,),
    "store or qrels": (QRELS, ONLY_READ),
    "store, or qrels and runs": (RUNS_AND_QRELS,),
    SOURCE: (RUNS_AND_QRELS, ONLY_READ),
    SOURCE_AND_NEW: (RUNS_AND_QRELS, ONLY_READ, completion.RUNS),
    "texts": (TEXTS,),
    "named formats": (NAMED_FORMATS,),
    "texts and qrels": (TEXTS_AND_QRELS,),
    "runs": (RUNS,),
}
Format = Annotated[
    TableFormat,
    typer.Option(
        "--format",
        metavar="FORMAT",
        rich_help_panel=OUTPUT,
        help="Output format: table, json, csv, tsv, markdown or latex.",
        parser=parse_table_format,
    ),
    completion.single_completer(lambda _: [*TableFormat]),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", rich_help_panel=OUTPUT,
        help="Output file, instead of standard output. The extension sets the format: .json, .csv, .tsv, .md, .tex or"
            " .txt.",
    ),
    FormatByName(),
    Written(),
]  # fmt: skip
Wide = Annotated[
    bool,
    typer.Option(
        "--wide",
        rich_help_panel=OUTPUT,
        help="Show all columns and digits of a table, regardless of the terminal's width.",
    ),
]
SafeCsv = Annotated[
    bool,
    typer.Option(
        "--safe-csv",
        rich_help_panel=OUTPUT,
        help="Quote text in CSV and TSV that a spreadsheet would read as a formula.",
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", callback=drawable, help="Output file for a figure: .png, .svg or .pdf."),
    Written(),
]
Confidence = Annotated[float, typer.Option(min=0.01, max=0.9999, help="Confidence level of the intervals.")]
OnlyTopics = Annotated[
    list[str] | None,
    typer.Option("--topic", metavar="QID", help="Topic to use; may be repeated. [default: all]"),
    completion.TOPICS,
]


PlainMode = Annotated[bool, typer.Option("--plain", help="Use line mode, for screen readers, pipes and scripts.")]
KeyFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help='TOML file of key bindings, with lines such as undo = "z".')
]


class Printer(NamedTuple):
    """How a table is printed, and where to."""

    format: Format = TableFormat.table
    output: Output = None
    wide: Wide = False
    safe_csv: SafeCsv = False
    left_out: LeftOut = LeftOut()  # what the command does not read, of which the tables say so

    @property
    def is_for_terminal(self) -> bool:
        """Whether it is a table on the standard output, beside which there may be sentences."""
        return self.format is TableFormat.table and self.output is None

    @property
    def is_typeset(self) -> bool:
        """Whether it is Markdown or LaTeX."""
        return self.format in TYPESET

    @property
    def is_separated(self) -> bool:
        """Whether it is CSV or TSV."""
        return self.format in SEPARATED

    def emit(
        self,
        rows: Sequence[Row],
        *,
        title: str = "",
        document: object = None,
        display: Display = PLAIN,
        caption: str = "",
        below: Sequence[str] = (),
        columns: Sequence[str] = (),
    ) -> None:
        """Print a table, or write it to the file.

        `document` replaces the rows in JSON, `display` is for people, `caption` and the lines `below` stand in
        Markdown and LaTeX. CSV and TSV without rows have the names of `columns`.
        """
        output_table(
            rows, self.format, self.output, title=title, document=document, display=display, caption=caption,
            below=below, wide=self.wide, safe_csv=self.safe_csv, left_out=self.left_out, columns=columns,
        )  # fmt: skip

    def emit_typeset(self, result: Result) -> None:
        """Print the table of a result as `to_latex` has it."""
        table = result.typeset
        self.emit(
            table.rows, title=result.title, document=result.document, display=table.display, caption=table.caption,
            below=table.below,
        )  # fmt: skip

    def describe(self, measure: str, about: str) -> None:
        """Say what a measure is about, or print that as a row."""
        if self.is_for_terminal:
            say(reflow(about, sys.stdout))
        else:
            self.emit([{"measure": measure, "about": about}])
