"""What is written is read back equal, or refused before anything is written."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import cranfield
from cranfield import formats
from cranfield.arrays.rankings import Qrels, Runs, Vocabulary, sort_runs
from cranfield.errors import InputError
from cranfield.formats import (
    Document,
    Topic,
    all_kinds,
    formats_of,
    read_corpus,
    read_qrels,
    read_runs,
    read_topics,
    write_beir,
    write_corpus,
    write_qrels,
    write_run,
    write_topics,
)
from cranfield.text import printable_line
from tests.conftest import usually
from tests.texts import CHARACTER, TEXT

# tmp_path is one folder for all examples of a test, and every example writes its file anew.
on_disk = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=usually(6, 60), deadline=None
)

line = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" <>&;:#'\"\\"), max_size=20).map(
    lambda text: " ".join(text.split())
)
paragraphs = st.lists(line.filter(bool), max_size=3).map("\n".join)
word = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    lambda text: not text.startswith("#") and len(text.encode().split()) == 1
)
tricky = st.sampled_from(
    ["Topic: a", "a &amp; b", "&lt;", "x < y", "<b>", "<!-- a -->", "<![CDATA[a]]>", "</top>", "AT&T;"]
)
title = line | tricky
name = st.from_regex(r"[a-z][a-z0-9_-]{0,5}x", fullmatch=True, alphabet=CHARACTER)
strings = st.dictionaries(name, line.filter(bool), max_size=2)
json_values = st.recursive(st.none() | st.booleans() | st.integers() | line, lambda inner: st.lists(inner, max_size=2))

documents = st.builds(Document, word, title, paragraphs | tricky, line, strings)
json_documents = st.builds(Document, word, TEXT, TEXT, TEXT, st.dictionaries(name, json_values, max_size=2))
json_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"))
plain_documents = st.builds(Document, word, line, line, line, st.just({}))
smart_documents = st.builds(Document, word, line, paragraphs, st.just(""), st.just({"author": "A. B.\nC. D."}))
topics = st.builds(Topic, word, title, paragraphs | tricky, paragraphs, strings)
json_topics = st.builds(Topic, word, TEXT, TEXT, TEXT, st.dictionaries(name, json_values, max_size=2))
plain_topics = st.builds(Topic, word, line, st.just(""), st.just(""), st.just({}))


def no_surrogates(records: list[Any]) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in repr(records))


def distinct(records: st.SearchStrategy[Any], last: Document | Topic) -> st.SearchStrategy[list[Any]]:
    """Records of different ids; the last has a text, without which a file is refused."""
    several = st.lists(records.filter(is_settled), max_size=3, unique_by=lambda record: record[0])
    return several.map(lambda others: [*others, last])


def is_settled(record: Document | Topic) -> bool:
    """Whether it comes back as it is: a topic's only text is its title."""
    if isinstance(record, Document) or record.title:
        return True
    return bool(record.description) == bool(record.narrative)


ONE_DOCUMENT, ONE_TOPIC = Document("with-a-text", text="a"), Topic("with-a-title", "a")


@on_disk
@given(distinct(documents, ONE_DOCUMENT))
def test_trec_documents_come_back(tmp_path: Path, documents: list[Document]) -> None:
    """Angle brackets, ampersands and entities in texts are texts."""
    write_corpus(tmp_path / "corpus", documents, "trec")
    assert list(read_corpus(tmp_path / "corpus")) == documents


@on_disk
@given(distinct(json_documents, ONE_DOCUMENT).filter(no_surrogates))
def test_json_documents_come_back(tmp_path: Path, documents: list[Document]) -> None:
    """Whatever is in them, as a file and as a folder."""
    write_corpus(tmp_path / "corpus.jsonl", documents)
    assert list(read_corpus(tmp_path / "corpus.jsonl")) == documents
    write_corpus(tmp_path / "folder", documents, "beir")
    assert list(read_corpus(tmp_path / "folder")) == documents


@on_disk
@given(distinct(plain_documents, ONE_DOCUMENT))
def test_tsv_documents_come_back(tmp_path: Path, documents: list[Document]) -> None:
    """Quotes are no quotes there."""
    write_corpus(tmp_path / "corpus", documents, "tsv")
    assert list(read_corpus(tmp_path / "corpus")) == documents


@on_disk
@given(distinct(st.builds(Document, word, line, json_text, line, st.just({})), ONE_DOCUMENT))
def test_csv_documents_come_back(tmp_path: Path, documents: list[Document]) -> None:
    """Quotes, commas and line ends are quoted."""
    write_corpus(tmp_path / "corpus.csv", documents, "csv")
    assert list(read_corpus(tmp_path / "corpus.csv")) == documents


@on_disk
@given(distinct(smart_documents, ONE_DOCUMENT))
def test_smart_documents_come_back(tmp_path: Path, documents: list[Document]) -> None:
    """Known metadata has marks of its own. A text with a line like a mark is refused instead."""
    if any(re.match(r"\.[A-Z]\s*$|\.I\s", line) for d in documents for line in f"{d.title}\n{d.text}".split("\n")):
        with pytest.raises(InputError, match="would be a mark"):
            write_corpus(tmp_path / "corpus", documents, "smart")
        return
    write_corpus(tmp_path / "corpus", documents, "smart")
    assert list(read_corpus(tmp_path / "corpus", format="smart")) == documents


@pytest.mark.daily
def test_real_smart_files_come_back(tmp_path: Path, shared: Path) -> None:
    """Cranfield 1400 and CISI, documents and topics."""
    for name in ("cranfield1400/smart/cran.all.1400.gz", "cisi/CISI.ALL.gz"):
        write_corpus(tmp_path / "corpus", read_corpus(shared / name), "smart")
        assert list(read_corpus(tmp_path / "corpus")) == list(read_corpus(shared / name))
    for name in ("cranfield1400/smart/cran.qry", "cisi/CISI.QRY"):
        write_topics(tmp_path / "topics", read_topics(shared / name), "smart")
        assert read_topics(tmp_path / "topics") == read_topics(shared / name)


@pytest.mark.parametrize("format", ["trec", "xml"])
@on_disk
@given(distinct(topics, ONE_TOPIC))
def test_marked_up_topics_come_back(tmp_path: Path, format: str, topics: list[Topic]) -> None:
    """Also those whose titles look like labels, tags or entities."""
    write_topics(tmp_path / "topics", topics, format)
    assert read_topics(tmp_path / "topics") == topics


@on_disk
@given(distinct(json_topics, ONE_TOPIC).filter(no_surrogates))
def test_json_topics_come_back(tmp_path: Path, topics: list[Topic]) -> None:
    """Whatever is in them, as a file and as a folder."""
    write_topics(tmp_path / "topics", topics)
    assert read_topics(tmp_path / "topics") == topics
    write_topics(tmp_path / "folder", topics, "beir")
    assert read_topics(tmp_path / "folder") == topics


@on_disk
@example([Topic("ID", "ID"), Topic("1", "lift")])
@given(distinct(plain_topics, ONE_TOPIC))
def test_tsv_topics_come_back(tmp_path: Path, topics: list[Topic]) -> None:
    """Ids and titles are all a TSV has."""
    write_topics(tmp_path / "topics", topics, "tsv")
    assert read_topics(tmp_path / "topics", format="tsv") == topics


def test_subtopics_come_back(tmp_path: Path) -> None:
    """XML carries them with their attributes."""
    subtopics = [{"number": "1", "type": 'a"b', "text": "c < d"}, {"text": ""}]
    topics = [Topic("1", "a", metadata={"type": "faceted", "subtopics": subtopics})]
    write_topics(tmp_path / "topics", topics, "xml")
    assert read_topics(tmp_path / "topics") == topics


def test_xml_topics_are_well_formed(tmp_path: Path, shared: Path) -> None:
    """Any XML parser reads what is written."""
    from xml.etree import ElementTree

    topics = read_topics(shared / "topic-formats/topics.adhoc.51-100.txt")
    write_topics(tmp_path / "topics.xml", topics, "xml")
    root = ElementTree.parse(tmp_path / "topics.xml").getroot()
    assert [topic.get("number") for topic in root] == [topic.qid for topic in topics]
    assert root[0].findtext("query") == "Airbus Subsidies"


@pytest.mark.parametrize("format", ["trec", "xml", "jsonl"])
def test_real_topics_come_back(tmp_path: Path, shared: Path, format: str) -> None:
    """The oldest topics, with all their fields."""
    topics = read_topics(shared / "topic-formats/topics.adhoc.51-100.txt")
    write_topics(tmp_path / "topics", topics, format)
    assert read_topics(tmp_path / "topics") == topics


def a_run(rows: dict[tuple[str, str], float], tag: str = "t") -> Runs:
    qids, docnos = (Vocabulary(sorted({pair[at] for pair in rows})) for at in (0, 1))
    topic, document = (v.codes([pair[at] for pair in rows]) for at, v in ((0, qids), (1, docnos)))
    return sort_runs(
        [tag],
        qids,
        docnos,
        run=np.zeros(len(rows), np.int64),
        topic=topic,
        document=document,
        score=np.array(list(rows.values())),
    )


def rows_of(runs: Runs) -> list[tuple[str, str, str, float]]:
    columns = (runs.run, runs.topic, runs.document, runs.score)
    return [(runs.tags[r], runs.topics.names[t], runs.docnos.names[d], s) for r, t, d, s in zip(*columns, strict=True)]


@on_disk
@given(st.dictionaries(st.tuples(word, word), st.floats(allow_nan=False), min_size=1, max_size=20), word)
def test_runs_come_back(tmp_path: Path, rows: dict[tuple[str, str], float], tag: str) -> None:
    """Scores to the last bit, in the same order."""
    runs = a_run(rows, tag)
    write_run(tmp_path / "run", runs, tag)
    assert rows_of(read_runs(tmp_path / "run")) == rows_of(runs)


def test_one_run_of_many_is_written(tmp_path: Path) -> None:
    """With ranks from 1 in each topic; the other runs are left out."""
    for tag, score in (("a", 1), ("b", 2)):
        (tmp_path / tag).write_text(f"1 Q0 x 9 {score} {tag}\n1 Q0 y 9 {score} {tag}\n2 Q0 x 9 0.5 {tag}\n")
    write_run(tmp_path / "out", read_runs([tmp_path / "a", tmp_path / "b"]), "b")
    assert (tmp_path / "out").read_text() == "1 Q0 y 1 2.0 b\n1 Q0 x 2 2.0 b\n2 Q0 x 1 0.5 b\n"


def test_a_real_run_comes_back(tmp_path: Path, shared: Path) -> None:
    """All of its lines."""
    runs = read_runs(shared / "robust03/runs/input.humR03dc.gz")
    write_run(tmp_path / "run.xz", runs, "humR03dc")
    assert rows_of(read_runs(tmp_path / "run.xz")) == rows_of(runs)


def judgments(qrels: Qrels) -> list[tuple[object, ...]]:
    iteration = ["0"] * len(qrels) if qrels.iteration is None else qrels.iteration
    columns = (qrels.topics.names[qrels.topic], iteration, qrels.docnos.names[qrels.document], qrels.grade.tolist())
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("file", ["treccovid-r1/qrels-rnd1.txt.gz", "topic-formats/qrels.web.101-150.txt.gz"])
def test_real_qrels_come_back(tmp_path: Path, shared: Path, file: str) -> None:
    """With the second column and negative grades."""
    qrels = read_qrels(shared / file)
    write_qrels(tmp_path / "qrels.zst", qrels)
    assert judgments(read_qrels(tmp_path / "qrels.zst")) == judgments(qrels)


def test_a_beir_folder_comes_back(tmp_path: Path, shared: Path) -> None:
    """Corpus, topics and qrels; the iteration has no place in it."""
    folder = shared / "beir-dbpedia50"
    write_beir(tmp_path / "new", read_corpus(folder), read_topics(folder), read_qrels(folder))
    assert list(read_corpus(tmp_path / "new")) == list(read_corpus(folder))
    assert read_topics(tmp_path / "new") == read_topics(folder)
    assert judgments(read_qrels(tmp_path / "new")) == judgments(read_qrels(folder))


QRELS = Qrels(
    Vocabulary(["q 1"]), Vocabulary(["d\t1"]), np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64)
)
REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "a tab in a topic": (
        lambda path: write_topics(path, [Topic("1", "a\tb")], "tsv"),
        "topic 1 cannot be written as tab-separated text: it has a tab or a line end",
    ),
    "a narrative in TSV": (
        lambda path: write_topics(path, [Topic("1", "a", narrative="b")], "tsv"),
        "topic 1 has a narrative, which TSV cannot store; write JSONL, or omit it with --drop narrative",
    ),
    "metadata in TSV": (
        lambda path: write_corpus(path, [Document("1", metadata={"a": 1})], "tsv"),
        "document 1 has metadata, which TSV cannot store; write JSONL, or omit it with --drop metadata",
    ),
    "a line end in TSV": (
        lambda path: write_corpus(path, [Document("1", text="a\nb")], "tsv"),
        "document 1 cannot be written as tab-separated text: it has a tab or a line end",
    ),
    "numbers in SGML": (
        lambda path: write_topics(path, [Topic("1", metadata={"a": 1})], "trec"),
        "metadata 'a' of topic 1 cannot be written as an element; write JSONL, or omit it with --drop metadata",
    ),
    "a field's name in metadata": (
        lambda path: write_corpus(path, [Document("1", metadata={"text": "a"})], "trec"),
        "metadata 'text' of document 1 cannot be written as an element;"
        " write JSONL, or omit it with --drop metadata",
    ),
    "a control character in XML": (
        lambda path: write_topics(path, [Topic("1", "a\x00b")], "xml"),
        "'a\\x00b' cannot be written: it has a character that XML does not allow",
    ),
    "odd subtopics in XML": (
        lambda path: write_topics(path, [Topic("1", metadata={"subtopics": "a"})], "xml"),
        "metadata 'subtopics' of topic 1 cannot be written: it is not a list of objects",
    ),
    "what is not a JSON": (
        lambda path: write_corpus(path, [Document("1", metadata={"a": {1}})]),
        "metadata cannot be written as JSON: Object of type set is not JSON serializable",
    ),
    "white space in a docno": (
        lambda path: write_run(path, a_run({("1", "d 1"): 1.0}), "t"),
        "docno 'd 1' cannot be written: it is empty or contains white space",
    ),
    "white space in a tag": (
        lambda path: write_run(path, a_run({("1", "d"): 1.0}, "a b"), "a b"),
        "tag 'a b' cannot be written: it is empty or contains white space",
    ),
    "a topic that would be a comment": (
        lambda path: write_run(path, a_run({("#1", "d"): 1.0}), "t"),
        "qid '#1' cannot be written: a line that starts with # is a comment",
    ),
    "white space in qrels": (
        lambda path: write_qrels(path, QRELS),
        "qid 'q 1' cannot be written: it is empty or contains white space",
    ),
    "a tab in BEIR qrels": (
        lambda path: write_qrels(path, QRELS, "beir"),
        "document d\t1 of topic q 1 cannot be written as tab-separated text: it has a tab or a line end",
    ),
    "a format without a writer": (
        lambda path: write_corpus(path, [], "parquet"),
        "corpus cannot be written as parquet",
    ),
    "a NUL in CSV": (
        lambda path: write_corpus(path, [Document("1", text="a\0b")], "csv"),
        "document 1 cannot be written as CSV: it has a carriage return or a NUL",
    ),
    "a mark in a SMART text": (
        lambda path: write_corpus(path, [Document("1", text="a\n.W\nb")], "smart"),
        "the .W of 1 cannot be written, because one of its lines looks like a mark or would be lost",
    ),
    "a link in SMART": (
        lambda path: write_corpus(path, [Document("1", url="http://example.org")], "smart"),
        "1 has a url, which SMART cannot store; write JSONL, or omit it with --drop url",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_format_cannot_carry_is_refused(tmp_path: Path, case: str) -> None:
    """With the file named, and nothing left of it."""
    write, message = REFUSED[case]
    with pytest.raises(InputError) as error:
        write(tmp_path / "file")
    assert str(error.value) == printable_line(f"{tmp_path / 'file'}: {message}")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """With the tags that are."""
    with pytest.raises(InputError, match=r"^no run 'x'; available: t$"):
        write_run(tmp_path / "run", a_run({("1", "d"): 1.0}), "x")


@pytest.mark.needs("answers", "online")
def test_the_table_has_every_format_once() -> None:
    """Names are unique within a kind, and every row says in one line what it is."""
    for kind in all_kinds():
        rows = formats_of(kind)
        assert {row.kind for row in rows} == {kind}
        assert len({row.name for row in rows}) == len(rows)
        assert all(row.description and "\n" not in row.description for row in rows)


def test_the_table_has_every_format_there_is() -> None:
    """A format that a file defines and the table lacks would be found here."""
    import importlib
    import pkgutil

    packages = pkgutil.walk_packages(cranfield.__path__, "cranfield.")
    modules = [importlib.import_module(module.name) for module in packages if ".formats" in module.name]
    rows = {id(value) for module in modules for value in vars(module).values() if isinstance(value, formats.Format)}
    assert rows <= {id(row) for kind in all_kinds() for row in formats_of(kind)}
