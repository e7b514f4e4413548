"""Options of commands that read files: limits, formats, fields and notes."""

from collections.abc import Mapping, Sequence
from functools import cache
from inspect import Parameter
from typing import Annotated, Any, NamedTuple

import typer

from cranfield.cli import completion
from cranfield.cli.completion import Completer
from cranfield.cli.tables import note
from cranfield.errors import InputError
from cranfield.formats.records import Kind
from cranfield.options.groups import LIMITS as LIMITS_GROUP

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
        from cranfield.formats.files import DEFAULT, size_text

        sizes = [
            option_parameter(f"max_{name}", str, size_text(getattr(DEFAULT, name)), metavar="SIZE", help=LIMITED[name])
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
        from cranfield.formats.files import LIMITS, InputReading, bytes_of

        for name in self.sizes:
            try:
                size: dict[str, Any] = {name: bytes_of(values.pop(f"max_{name}"))}
                LIMITS.set(LIMITS.get()._replace(**size))
            except InputError as error:
                raise typer.BadParameter(str(error), param_hint=f"'--max-{name}'") from None
        formats = _formats_by_kind(values.pop("input_format") or [], self.kinds) if self.kinds else {}
        fields = _fields_by_kind(values.pop("field") or [], self.kinds) if self.kinds else {}
        tell = cache(note)  # each line once, even where a file is read again
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
