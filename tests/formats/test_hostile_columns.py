"""Names of columns, and entities of a DTD, that no reader may stumble over or keep as they are."""

import re
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cranfield.errors import CranfieldError, InputError
from cranfield.features.online.formats.reading import read_policy
from cranfield.formats import read_corpus, read_qrels, read_runs, read_topics
from tests.arrow import pa
from tests.arrow import parquet as pq
from tests.conftest import usually
from tests.hardening import reading
from tests.hardening.fuzz import unclean
from tests.hardening.inputs import PIECES
from tests.hardening.samples import OBD, of_formats

CELLS = {"docno": "d1", "text": "Oil", "qid": "1", "score": "1.5", "rank": "1", "grade": "1", "title": "oil",
         "id": "l1", "at": "2024-05-01T10:00:00Z", "doc": "d1", "position": "1"}  # fmt: skip


def read_log(path: Path) -> Any:
    return reading.log("auto", path)


READERS: dict[str, Any] = {
    "corpus": (lambda path: [*read_corpus(path)], ("docno", "title", "text")),
    "topics": (lambda path: [*read_topics(path)], ("qid", "title")),
    "run": (read_runs, ("qid", "docno", "rank", "score")),
    "qrels": (read_qrels, ("qid", "docno", "grade")),
    "log": (read_log, ("id", "at", "qid", "doc", "position")),
}


def table_file(folder: Path, names: list[bytes], suffix: str, columns: tuple[str, ...]) -> Path:
    """A file whose columns have these names and one row of sound cells."""
    cells = [*(CELLS[name] for name in columns), *["x"] * len(names)][: len(names)]
    path = folder / f"input{suffix}"
    if suffix == ".parquet":
        texts = [name.decode("utf-8", "replace") for name in names]
        pq.write_table(pa.Table.from_arrays([pa.array([cell]) for cell in cells], names=texts), path)
    else:
        mark = b"\t" if suffix == ".tsv" else b","
        path.write_bytes(mark.join(names) + b"\n" + mark.join(cell.encode() for cell in cells) + b"\n")
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("kind", READERS)
def test_any_name_of_a_column_is_read_or_refused_in_a_line(kind: str, suffix: str, tmp_path: Path) -> None:
    read, columns = READERS[kind]
    random = Random(f"{kind} {suffix}")
    for _ in range(usually(40, 1000)):
        names = [name.encode() for name in columns]
        place = random.randrange(len(names))
        odd = random.choice(PIECES)[:200]
        change = random.randrange(4)
        if change == 0:
            names.insert(place, random.choice(names))
        elif change == 1:
            names[place] = odd
        else:
            at = random.randrange(len(names[place]) + 1)
            names[place] = names[place][:at] + (b"\r" if change == 2 else odd) + names[place][at:]
        try:
            read(table_file(tmp_path, names, suffix, columns))
            message = ""
        except CranfieldError as error:
            message = str(error)
        assert unclean(message) == "", names  # any other exception fails the test as well


KEY = re.compile(rb'(?<=")(?:[^"\\]|\\.)*(?="\s*:)')  # the name of a field in JSON
CELL = re.compile(rb"[^,\t\n]+")
KEPT: dict[str, tuple[Any, Any]] = {
    "votes": (reading.votes, reading.keep_votes),
    "preferences": (reading.preferences, reading.keep_preferences),
    "answers": (reading.answers, reading.keep_answers),
    "nuggets": (reading.nuggets, reading.keep_nuggets),
}
SAMPLES = {place: samples for place, samples in of_formats().items() if place[0] in KEPT}
HEADERS = {"prefs": b"qid group subgroup docno level\n", "qrels_prefs": b"qid\tgroup\tdocno\tlevel\n"}


def names_in(data: bytes) -> list[tuple[int, int]]:
    """The places of the names of fields: the keys of JSON, or the cells of the first line."""
    if data.lstrip().startswith((b"{", b"[")):
        return [key.span() for key in KEY.finditer(data)]
    return [cell.span() for cell in CELL.finditer(data.partition(b"\n")[0])]


def with_a_hostile_name(random: Random, data: bytes) -> bytes:
    """The file with one of its names changed: to another of its names, to an odd one, or by a piece inside it."""
    (start, end), other = random.choice(names_in(data)), random.choice(names_in(data))
    name, odd = data[start:end], random.choice(PIECES)[:200]
    at = random.randrange(len(name) + 1)
    cut = name[:at], name[at:]
    changed = random.choice([data[slice(*other)], odd, b"\r".join(cut), odd.join(cut), name.upper(), name + b" "])
    return data[:start] + changed + data[end:]


@pytest.mark.parametrize(("kind", "format"), SAMPLES)
def test_any_name_of_a_field_is_read_and_kept_or_refused_in_a_line(kind: str, format: str, tmp_path: Path) -> None:
    read, keep = KEPT[kind]
    random, path, refused = Random(f"{kind} {format}"), tmp_path / "input", 0
    reading.a_store.cache_clear()  # stores are closed at the end of each test
    for _ in range(usually(60, 1000)):
        data = HEADERS.get(format, b"") + random.choice(SAMPLES[kind, format])
        changed = with_a_hostile_name(random, data)
        path.write_bytes(changed)
        try:
            keep(read(random.choice(["auto", format]), path))
            message = ""
        except CranfieldError as error:
            message, refused = str(error), refused + 1
        assert unclean(message) == "", changed  # any other exception fails the test as well
    assert refused


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("kind", READERS)
def test_a_column_twice_is_refused_by_name(kind: str, suffix: str, tmp_path: Path) -> None:
    read, columns = READERS[kind]
    path = table_file(tmp_path, [name.encode() for name in (*columns, columns[-1])], suffix, columns)
    with pytest.raises(InputError, match=f"two columns '{columns[-1]}'"):
        read(path)


REPEATED: dict[str, tuple[Any, str, str]] = {
    "votes": (partial(reading.votes, "csv"), "assessor,qid,docno,grade,Grade", "grade"),
    "raters": (partial(reading.votes, "quepid"), "query,docid,a,a", "a"),
    "teams": (reading.teams, "run\tteam\tteam", "team"),
    "scores": (reading.scores, "run,query_id,AP,AP", "AP"),
    "policy": (read_policy, "qid,docno,probability,probability", "probability"),
    "log": (partial(reading.log, "obd"), f"{OBD.partition(chr(10))[0]},click", "click"),
}


@pytest.mark.parametrize("kind", REPEATED)
def test_a_column_of_other_tables_twice_is_refused_by_name(kind: str, tmp_path: Path) -> None:
    """The second value must not replace the first."""
    read, header, name = REPEATED[kind]
    path = tmp_path / "input.csv"
    path.write_text(header + "\n" + re.sub(r"[^,\t]+", "1", header) + "\n")
    with pytest.raises(InputError, match=f"input.csv:1: two columns '{name}'"):
        read(path)


def test_a_header_that_is_not_utf8_is_an_error_of_one_line(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_bytes(b"id,at,doc,qu\xe9ry\nl1,1,d1,oil\n")
    with pytest.raises(InputError, match=r"log\.csv:1: the header has a byte that is not UTF-8"):
        read_log(tmp_path / "log.csv")


DTD = '<?xml version="1.0"?>\n<!DOCTYPE topics [\n%s\n]>\n<topics><topic number="1"><query>%s</query></topic></topics>'


@pytest.mark.parametrize(("value", "text", "title"), [
    ('<!ENTITY oil "chain oil">', "the &oil; of &amp; bikes", "the chain oil of & bikes"),
    ("<!ENTITY oil 'wax'><!ENTITY oil 'no'>", "&oil;&oil; <![CDATA[&oil;]]>", "waxwax &oil;"),
    ("<!-- <!ENTITY oil 'no'> -->", "&oil;", "&oil;"),
])  # fmt: skip
def test_entities_of_a_dtd_are_expanded(value: str, text: str, title: str, tmp_path: Path) -> None:
    (tmp_path / "topics.xml").write_text(DTD % (value, text))
    assert [topic.title for topic in read_topics(tmp_path / "topics.xml")] == [title]


@pytest.mark.parametrize("value", [
    '<!ENTITY a "x"><!ENTITY b "&a;&a;">', '<!ENTITY a SYSTEM "file:///etc/passwd">', '<!ENTITY % p "x">',
    f'<!ENTITY a "{"x" * 20_000}">', '<!ENTITY a "<b>x</b>">',
])  # fmt: skip
def test_entities_that_could_grow_or_read_files_are_refused(value: str, tmp_path: Path) -> None:
    for name, content, read in (
        ("topics.xml", DTD % (value, "&a;"), read_topics),
        (
            "docs.xml",
            f"<!DOCTYPE docs [\n\n{value}]><docs><DOC><DOCNO>1</DOCNO><TEXT>&a;</TEXT></DOC></docs>",
            read_corpus,
        ),
    ):
        (tmp_path / name).write_text(content)
        with pytest.raises(InputError, match=rf"{name}:3: an entity that is not a short text; expand"):
            list(read(tmp_path / name))


@pytest.mark.parametrize("dtd", ['SYSTEM "a.dtd"', 'PUBLIC "-//A//B" "a.dtd" [<!ENTITY b "x">]'])
def test_entities_of_a_dtd_in_another_file_are_refused(dtd: str, tmp_path: Path) -> None:
    """They are not read, and not kept as text. Entities of HTML, of the file itself and in CDATA stay as they are."""
    path = tmp_path / "topics.xml"
    page = f"<!DOCTYPE topics {dtd}>\n<topics><topic number='1'><title>%s</title></topic></topics>"
    path.write_text(page % "a &oil; b")
    with pytest.raises(
        InputError, match=r"topics\.xml:2: the entity &oil; is declared in another file; expand the file"
    ):
        list(read_topics(path))
    path.write_text(page % "caf&eacute; R&D &lt;<![CDATA[&oil;]]>")
    assert [topic.title for topic in read_topics(path)] == ["caf\xe9 R&D <&oil;"]


def test_expanded_entities_are_bounded(tmp_path: Path) -> None:
    (tmp_path / "topics.xml").write_text(DTD % (f'<!ENTITY a "{"x" * 9_000}">', "&a;" * 5_000))
    with pytest.raises(InputError, match="an element with its entities expanded of more than 32M bytes"):
        list(read_topics(tmp_path / "topics.xml"))
