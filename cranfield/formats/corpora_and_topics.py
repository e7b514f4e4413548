"""Reading corpora and topics, whatever their format: text that would be lost is refused, what is empty is reported."""

from collections.abc import Callable, Iterator, Mapping

from cranfield.errors import InputError
from cranfield.formats.files import NOTE, READ_AS_LATIN1, Latin1, OpenFile, Path, opened
from cranfield.formats.records import FIELDS, Document, Kind, Names, Topic, as_names, spelled
from cranfield.formats.table import AUTO, chosen, nothing_read

Progress = Callable[[int], object]
Note = Callable[[str], object]
_BATCH = 1000
_EXAMPLES = 3


class _Empty:
    """How many records came, and the ids of those without a text, the first few of them."""

    def __init__(self, what: str, text: str, other: str) -> None:
        self.what, self.text, self.other = what, text, other
        self.all, self.count, self.others = 0, 0, 0
        self.first: list[str] = []

    def add(self, name: str, text: str, other: str) -> None:
        self.all += 1
        if not text:
            self.count += 1
            self.others += bool(other)
            self.first += [name] if len(self.first) < _EXAMPLES else []

    def __str__(self) -> str:
        names = ", ".join([*self.first, *(["..."] if self.count > len(self.first) else [])])
        also = f" ({self.others} of these have a {self.other})" if self.others else ""
        return f"{self.count} of {self.all} {self.what} have no {self.text}{also}: {names}"


def read_corpus(
    path: Path,
    *,
    format: str = AUTO,
    progress: Progress | None = None,
    names: Names | Mapping[str, str] | None = None,
    note: Note | None = None,
) -> Iterator[Document]:
    """The documents of a corpus, one at a time; `progress` is called for every thousand.

    Nothing is opened, and nothing refused, before the first document is asked for. Two documents may
    have the same docno: the store refuses that. `names` says under which name the file has a field, as
    {"text": "story"}, with an empty name for one that it does not have. A corpus none of whose documents has a text is
    refused at its end where other fields could be it, unless it was said to have none; `note` is given how many are
    empty.
    """
    empty, known, latin1 = _Empty("documents", "text", "title"), as_names(names), Latin1()
    known.check("corpus")
    READ_AS_LATIN1.set(latin1)
    NOTE.set(note)
    with opened(path, known, whole=False) as source:
        row = chosen("corpus", format, source)
        for document in row.read(source):
            yield document
            empty.add(document.docno, document.text, document.title)
            if progress and empty.all % _BATCH == 0:
                progress(_BATCH)
        if not empty.all:
            raise nothing_read(row, source)
        known.check_seen(path)
        _check_text("corpus", "text", empty, source)
    if progress and empty.all % _BATCH:
        progress(empty.all % _BATCH)
    _tell("corpus", "text", empty, known=known, latin1=latin1, note=note)


def read_topics(
    path: Path, *, format: str = AUTO, names: Names | Mapping[str, str] | None = None, note: Note | None = None
) -> list[Topic]:
    """The topics of a file, in its order. A file without topics, or with two of one id, is refused.

    `names` says under which name the file has a field, as {"title": "prompt"}, with an empty name for one that it does
    not have. Topics of which none has a text are refused where other fields could be it, unless they were said to have
    no title; `note` is given how many have no title.
    """
    lines: dict[str, int] = {}
    topics, empty, known, latin1 = [], _Empty("topics", "title", "description"), as_names(names), Latin1()
    known.check("topics")
    READ_AS_LATIN1.set(latin1)
    with opened(path, known) as source:
        row = chosen("topics", format, source)
        for line, topic in row.read(source):
            first = lines.setdefault(topic.qid, line)
            if first != line:
                raise InputError(f"duplicate topic {topic.qid}, first on line {first}", path, line)
            topics.append(topic)
            empty.add(topic.qid, topic.title, topic.description)
        if not topics:
            raise nothing_read(row, source)
        known.check_seen(path)
        if not any(topic.description or topic.narrative for topic in topics):
            _check_text("topics", "title", empty, source)
    _tell("topics", "title", empty, known=known, latin1=latin1, note=note)
    return topics


def _check_text(kind: Kind, text: str, empty: _Empty, source: OpenFile) -> None:
    """Refuse what has no text at all but fields that could be one, so that none is lost under an unknown name."""
    known = source.names
    if empty.count < empty.all or known.asked.get(text) == "" or not known.unknown(kind):
        return
    what = f"no {empty.what.removesuffix('s')} has a {text}; the fields in the file are {known.listed}"
    remedy = f"name the {text} with --field {text}=NAME, or use --field {text}= if there is none"
    raise InputError(f"{what}: {remedy}", source.path)


def _tell(kind: Kind, text: str, empty: _Empty, *, known: Names, latin1: Latin1, note: Note | None) -> None:
    """Report what was read as Latin-1, empty records, and fields that could also be the text."""
    if note is None:
        return
    if latin1.bytes:
        note(str(latin1))
    if empty.count and known.asked.get(text) != "":
        note(str(empty))
    seen = set(map(spelled, known.seen))
    usual = [name for name in FIELDS[kind][text] if name in seen]
    if len(usual) > 1 and text not in known.asked:
        note(f"of several fields among {', '.join(usual)} the first is the {text}, and the others are metadata")
