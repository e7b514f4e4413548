"""The table of formats, and reading corpora and topics of any. Its order is the order of detection.

So the last of a kind may claim whatever is left. A row is a name in a module of this folder, which is imported when a
file of its kind is. Of corpora and topics text that would be lost is refused, what is empty is reported.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module

from cranfield import hooks
from cranfield.errors import EntryNumber, InputError, Path, row_named
from cranfield.formats.files import (
    LIMITS,
    READ_AS,
    Format,
    Latin1,
    Note,
    OpenFile,
    open_file,
    refuse_stand_in,
    report_note,
)
from cranfield.formats.records import CORE_KINDS, FIELDS, Document, Kind, Names, Topic, as_names, fold_field_name
from cranfield.text import counted

FORMATS: Mapping[Kind, tuple[str, ...]] = {
    "corpus": (
        "jsonl.BEIR_CORPUS", "jsonl.CORPUS", "trec.CORPUS", "classic.SMART_CORPUS", "delimited.PARQUET_CORPUS",
        "delimited.TSV_CORPUS", "delimited.CSV_CORPUS",
    ),
    "topics": (
        "jsonl.BEIR_TOPICS", "jsonl.TOPICS_BY_ID", "jsonl.TOPICS", "trec.TOPICS", "trec.XML_TOPICS",
        "classic.SMART_TOPICS", "delimited.PARQUET_TOPICS", "delimited.CSV_TOPICS", "delimited.TSV_TOPICS",
    ),
    "run": (
        "other_runs.RANX", "other_runs.RANK_LLM", "other_runs.MTEB",
        "named.RUN_PARQUET", "named.RUN_JSON", "named.RUN_JSONL", "named.RUN_TSV", "named.RUN_CSV",
        "runs.three_columns.MSMARCO", "runs.three_columns.SCORES", "runs.files.TREC",
    ),
    "qrels": (
        "jsonl.BEIR_QRELS",
        "named.QRELS_PARQUET", "named.QRELS_JSON", "named.QRELS_JSONL", "named.QRELS_TSV", "named.QRELS_CSV",
        "qrels.CRANQREL", "qrels.SMART", "qrels.GRADE_FIRST", "qrels.SAMPLE_EVAL", "qrels.SUBTOPICS", "qrels.TREC",
    ),
    "votes": (
        "labelling_tools.LABEL_STUDIO", "text_labelling.LABEL_STUDIO_MIN", "text_labelling.INCEPTION",
        "labelling_tools.ARGILLA", "labelling_tools.QUEPID", "labelling_tools.UMBRELA", "labelling_tools.PRODIGY",
        "text_labelling.DOCCANO", "votes.VOTES_JSONL", "votes.VOTES_CSV", "labelling_tools.RELEVATION",
    ),
    "preferences": ("preferences.PREFS", "preferences.QRELS_PREFS"),
}  # fmt: skip
AUTO = "auto"
ASKED_FOR_PACKAGES: tuple[Kind, ...] = ("run", "qrels")  # our own features have no formats of these kinds


def all_kinds() -> tuple[Kind, ...]:
    """List the core's kinds of files, then the kinds that features add.

    >>> all_kinds()[:2]
    ('corpus', 'topics')
    """
    return (*CORE_KINDS, *hooks.file_kinds())


@cache
def formats_of(kind: Kind) -> tuple[Format, ...]:
    """List the formats of a kind, in the order of detection.

    >>> [row.name for row in formats_of("run")]
    ['ranx', 'rank-llm', 'mteb', 'parquet', 'json', 'jsonl', 'tsv', 'csv', 'msmarco', 'qid-docno-score', 'trec']
    """
    formats = [_load_format(place) for place in FORMATS.get(kind, ())]
    if kind not in ASKED_FOR_PACKAGES or hooks.entry_points_of_features():
        for form in hooks.collect_from_extensions(lambda extension: extension.formats(kind)):
            at = next((at for at, one in enumerate(formats) if form.before and one.name == form.before), len(formats))
            formats.insert(at, form)
    return tuple(formats)


def format_named(kind: Kind, name: str) -> Format:
    """The format of this name.

    >>> format_named("preferences", "pref")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown preferences format 'pref'; available: prefs, qrels_prefs
    """
    return row_named({row.name: row for row in formats_of(kind)}, name, f"{kind} format")


def choose_format(kind: Kind, name: str, source: OpenFile) -> Format:
    """The format of this name or, for "auto", the first that knows the file for its own."""
    if name != AUTO:
        return _fitting_format(format_named(kind, name), source)
    path = os.fspath(source.path)
    is_plain = is_plain_trec(kind, source)
    formats = plain_formats(kind) if is_plain and not hooks.entry_points_of_features() else formats_of(kind)
    if kind in STAND_INS:
        refuse_stand_in(source.head, path, STAND_INS[kind])
    fit = None if is_plain else _named_table(kind, source)
    fit = fit or next((row for row in formats if row.detect(source.head, path)), None)
    if fit is None:
        if os.path.isdir(path):
            raise InputError(f"a folder; expected {'an' if kind[0] in 'aeiou' else 'a'} {kind} file", source.path)
        source.text()  # which refuses UTF-16 and binary data
        names = ", ".join(row.name for row in formats)
        nouns = {name: added.noun for name, added in hooks.file_kinds().items()}
        expected = {"corpus": "documents", "run": "a run", **nouns}.get(kind, kind)
        what = f"not a known {kind} format" if source.head.strip() else f"an empty file; expected {expected}"
        raise InputError(f"{what}; available formats: {names}; choose one with --format NAME", source.path, 1)
    first = source.head.lstrip().partition(b"\n")[0]
    if (kind, fit.name) == ("topics", "tsv") and first.startswith(b"<") and b"\t" not in first:
        what = "markup without topic elements; expected <top> or <topic>, or lines of id, tab, text"
        raise InputError(what, source.path, 1)
    return _fitting_format(fit, source)


PLAIN_LINE = {"run": rb"\S+\s+Q0\s+\S+\s+\d+\s+[-+]?\d+\.?\d*\s+\S+\s*", "qrels": rb"\S+\s+\S+\s+\S+\s+-?\d+\s*"}
PLAIN_MODULE = {"run": "runs.files.", "qrels": "qrels."}


def is_plain_trec(kind: Kind, source: OpenFile) -> bool:
    """Whether the first line of a run or qrels file has the columns of TREC and is not a header or an object.

    A header names at least the topic and the document; a tag may be called as a field.
    """
    if kind not in PLAIN_LINE or source.names.columns or source.names.mapping:
        return False
    first = source.head.partition(b"\n")[0]
    if not re.fullmatch(PLAIN_LINE[kind], first) or re.search(rb"[\[\]{}\",;#]", first):
        return False
    usual = {name for names in FIELDS[kind].values() for name in names}
    return len(usual.intersection(fold_field_name(word) for word in first.decode("utf-8", "replace").split())) < 2


def plain_formats(kind: Kind) -> list[Format]:
    """The formats that a plain TREC file can have: no module of other formats is loaded for it.

    >>> [row.name for row in plain_formats("run")]
    ['trec']
    """
    return [_load_format(place) for place in FORMATS[kind] if place.startswith(PLAIN_MODULE[kind])]


def _load_format(place: str) -> Format:
    module, _, name = place.rpartition(".")
    found: Format = getattr(import_module(f"cranfield.formats.{module}"), name)
    return found


STAND_INS: Mapping[Kind, str] = {"run": "a run", "qrels": "qrels", "topics": "topics", "votes": "votes"}


def _named_table(kind: Kind, source: OpenFile) -> Format | None:
    """The format of runs and qrels with a header that no usual name tells: its user names columns, or is to name them.

    A headerless file keeps the formats without names.
    """
    from cranfield.formats.named import format_by_header, is_unknown_header

    if kind not in ("run", "qrels") or source.names.columns:
        return None
    name = format_by_header(kind, source.head, source.names) or ("csv" if is_unknown_header(source.head) else "")
    return format_named(kind, name) if name else None


def format_of(kind: Kind, path: Path) -> str:
    """Detect the format of a file from its content."""
    with open_file(path) as source:
        return choose_format(kind, AUTO, source).name


def nothing_read_error(row: Format, source: OpenFile) -> InputError:
    """The error for a file in which a format finds nothing, with what the file looks like."""
    what = {"corpus": "documents", "run": "lines"}.get(row.kind, row.kind)
    like = next((other.name for other in formats_of(row.kind) if other.detect(source.head, os.fspath(source.path))), "")
    hint = f", read as {row.name}; it looks like {like}" if like not in ("", row.name) else ""
    return InputError(f"no {what}{hint}", source.path)


def _fitting_format(row: Format, source: OpenFile) -> Format:
    if os.path.isdir(source.path) and row.place == "file":
        raise InputError(f"a folder; expected a {row.name} file", source.path)
    if row.place == "folder" and not os.path.isdir(source.path):
        raise InputError(f"a file; expected a {row.description.partition(':')[0]}", source.path)
    return row


PLAIN_FORMATS = ("trec", "prefs")  # the ordinary form of TREC's tools, which needs no note


def format_guess_notes(row: Format, format: str, names: Names) -> list[str]:
    """What a file was taken for, as a list of at most one line; nothing if its format was named or is plain TREC."""
    is_plain = format != AUTO or row.name in PLAIN_FORMATS or row.place == "folder"
    return [] if is_plain else [describe_guessed_format(row, names)]


def describe_guessed_format(row: Format, names: Names) -> str:
    """What a file without a named format was taken for, with its columns.

    >>> from cranfield.formats.runs.three_columns import MSMARCO
    >>> describe_guessed_format(MSMARCO, Names())
    'read as msmarco (qid docno rank, the format of MS MARCO runs)'
    """
    columns = next(iter(names.places.values()), {})
    used = [name for name in columns if not (name == "rank" and "score" in columns)]
    described = ", ".join(name if columns[name] == name else f"{columns[name]} as {name}" for name in used)
    return f"{READ_AS}{row.name} ({f'columns: {described}' if described else row.description})"


Progress = Callable[[int], object]
_BATCH = 1000
_EXAMPLES = 3


class _Tally:
    """How many records came, the first few ids of those without a text, and how many ids have white space."""

    def __init__(self, what: str, text: str, other: str) -> None:
        self.what, self.text, self.other = what, text, other
        self.all, self.count, self.others = 0, 0, 0
        self.first: list[str] = []
        self.spaced, self.first_spaced = 0, ""

    def add(self, name: str, text: str, other: str) -> None:
        self.all += 1
        if not text:
            self.count += 1
            self.others += bool(other)
            self.first += [name] if len(self.first) < _EXAMPLES else []
        if name.split() != [name]:
            self.spaced, self.first_spaced = self.spaced + 1, self.first_spaced or name

    def __str__(self) -> str:
        names = ", ".join([*self.first, *(["..."] if self.count > len(self.first) else [])])
        also = f" ({self.others} of these with a {self.other})" if self.others else ""
        return f"{self.count} of {self.all} {self.what} have no {self.text}{also}: {names}"


def read_corpus(
    path: Path,
    *,
    format: str = AUTO,
    progress: Progress | None = None,
    names: Names | Mapping[str, str] | None = None,
    note: Note | None = None,
) -> Iterator[Document]:
    """Read the documents of a corpus, one at a time.

    The file is opened when the first document is requested, and errors are raised from then on. Two documents may have
    the same docno; a store refuses the second one.

    Parameters
    ----------
    path : Path
        The file, or a folder of files.
    format : str, default "auto"
        The format, if it cannot be detected from the file.
    progress : callable, optional
        Function to call after every thousand documents, with the number of documents since the last call.
    names : mapping of str to str, optional
        The file's name for each field, such as {"text": "story"}. An empty name marks a field that the file does not
        have.
    note : callable, optional
        Function to call with each note from the reader.

    Returns
    -------
    iterator of Document
        The documents in file order.

    Raises
    ------
    InputError
        If a record is invalid. If no document has a text, and another field could be the text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     print('{"docno": "d1", "text": "wing flutter"}', file=file, flush=True)
    ...     [document.text for document in read_corpus(file.name)]
    ['wing flutter']
    """
    return documents_of(path, format=format, progress=progress, names=names, note=note)


def documents_of(
    path: Path,
    *,
    format: str = AUTO,
    progress: Progress | None = None,
    names: Names | Mapping[str, str] | None = None,
    note: Note | None = None,
    added: hooks.Added = hooks.NONE_ADDED,
) -> Iterator[Document]:
    """The same as `read_corpus` gives, of a format that may take options of a feature."""
    tally, field_names, latin1 = _Tally("documents", "text", "title"), as_names(names), Latin1()
    field_names.check("corpus")
    with open_file(path, field_names, whole=False, note=note, latin1=latin1, added=added) as source:
        row = choose_format("corpus", format, source)
        for document in row.read(source):
            yield document
            tally.add(document.docno, document.text, document.title)
            if progress and tally.all % _BATCH == 0:
                progress(_BATCH)
        if not tally.all:
            raise nothing_read_error(row, source)
        field_names.check_names(path)
        _check_text("corpus", "text", tally, source)
    if progress and tally.all % _BATCH:
        progress(tally.all % _BATCH)
    _report_guess(row, format, field_names, path, note)
    _report_tally("corpus", "text", tally, field_names=field_names, latin1=latin1, note=note)


def read_topics(
    path: Path, *, format: str = AUTO, names: Names | Mapping[str, str] | None = None, note: Note | None = None
) -> list[Topic]:
    """Read the topics of a file.

    Parameters
    ----------
    path : Path
        The file.
    format : str, default "auto"
        The format, if it cannot be detected from the file.
    names : mapping of str to str, optional
        The file's name for each field, such as {"title": "prompt"}. An empty name marks a field that the file does not
        have.
    note : callable, optional
        Function to call with each note from the reader.

    Returns
    -------
    list of Topic
        The topics in file order.

    Raises
    ------
    InputError
        If the file has no topics or two topics with the same id. If no topic has a title, and another field could be
        the title.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
    ...     print("7\\twing flutter", file=file, flush=True)
    ...     [(topic.qid, topic.title) for topic in read_topics(file.name, format="tsv")]
    [('7', 'wing flutter')]
    """
    lines: dict[str, int] = {}
    topics, tally, field_names, latin1 = [], _Tally("topics", "title", "description"), as_names(names), Latin1()
    field_names.check("topics")
    with open_file(path, field_names, latin1=latin1) as source:
        row = choose_format("topics", format, source)
        for line, topic in row.read(source):
            first = lines.setdefault(topic.qid, line)
            if first != line:
                place = f"in entry {first}" if isinstance(line, EntryNumber) else f"on line {first}"
                raise InputError(f"duplicate topic {topic.qid}, first {place}", path, line)
            topics.append(topic)
            tally.add(topic.qid, topic.title, topic.description)
        if not topics:
            raise nothing_read_error(row, source)
        field_names.check_names(path)
        if not any(topic.description or topic.narrative for topic in topics):
            _check_text("topics", "title", tally, source)
    _report_guess(row, format, field_names, path, note)
    _report_tally("topics", "title", tally, field_names=field_names, latin1=latin1, note=note)
    return topics


def _check_text(kind: Kind, text: str, tally: _Tally, source: OpenFile) -> None:
    """Refuse what has no text at all but fields that could be one, so that none is lost under an unknown name."""
    field_names = source.names
    if tally.count < tally.all or field_names.mapping.get(text) == "" or not field_names.unknown(kind):
        return
    what = f"no {tally.what.removesuffix('s')} has a {text}; the fields in the file are {field_names.sample}"
    remedy = (
        f"name the {text} with --field {text}=NAME, or use --field {text}= without a name if the file has no {text}"
    )
    raise InputError(f"{what}; {remedy}", source.path)


def _report_guess(row: Format, format: str, names: Names, path: Path, note: Note | None) -> None:
    for line in format_guess_notes(row, format, names):
        if note is None or LIMITS.get().reading.fails_on_note:
            report_note(line, path)
        else:
            note(line)


def _report_tally(
    kind: Kind, text: str, tally: _Tally, *, field_names: Names, latin1: Latin1, note: Note | None
) -> None:
    """Report what was read as Latin-1, empty records, ids with white space, fields that could also be the text."""
    if note is None:
        return
    note = report_note if LIMITS.get().reading.fails_on_note else note
    if latin1.bytes:
        note(str(latin1))
    if tally.count and field_names.mapping.get(text) != "":
        note(str(tally))
    if tally.spaced:
        ids = f"{counted(tally.spaced, 'id')} of {tally.what}"
        note(
            f"{ids} contain white space, for example {tally.first_spaced!r}; TREC run and qrels files cannot hold them"
        )
    present = set(map(fold_field_name, field_names.present))
    usual = [name for name in FIELDS[kind][text] if name in present]
    if len(usual) > 1 and text not in field_names.mapping:
        note(f"of the fields {', '.join(usual)}, the first becomes the {text} and the others become metadata")
