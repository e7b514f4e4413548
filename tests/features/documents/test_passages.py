"""Passages: cut by offsets, never with a word lost; documents' scores and grades by those of their passages."""

import json
import random
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from cranfield import evaluate, open_collection
from cranfield.errors import InputError
from cranfield.features.documents.passages import CUTS, build_passages, passages_of, sentences
from cranfield.features.documents.relation import Relation
from cranfield.features.documents.store.documents import PassageRequest
from cranfield.features.documents.subjects import PassageDocuments
from cranfield.formats import Document, Topic
from cranfield.store import export_qrels
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdraw
from cranfield.view import View
from tests.conftest import Cranfield
from tests.needed_extras import skip_without
from tests.stores import new_store

SENTENCES = "".join(f"Sentence number {number} is here. " for number in range(23))


def starts(document: Document, **options: object) -> list[int]:
    return [one.start for one in passages_of(document, PassageRequest(**options))]  # type: ignore[arg-type]


def test_windows_end_where_the_first_reaches_the_end() -> None:
    skip_without("files")
    places = [SENTENCES.index(f"Sentence number {number} ") for number in (0, 5, 10, 15)]
    assert starts(Document("d", text=SENTENCES)) == places
    assert starts(Document("d", text=SENTENCES), window=23, stride=1) == [0]
    assert starts(Document("d", text=" \n ")) == []


def test_sentences_of_seven_languages(shared: Path) -> None:
    skip_without("files")
    right, total = 0, 0
    for line in (shared / "texts/sentences.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        text = one["separator"].join(one["sentences"])
        cut = [text[start:end].strip() for start, end in sentences(text, one["language"])]
        right, total = right + len(set(cut) & set(one["sentences"])), total + len(cut)
    assert (right, total) == (22, 22)


@pytest.mark.parametrize(
    ("text", "size", "words"),
    [
        ("one two  three\nfour five", 2, ["one two", "three\nfour", "five"]),
        ("日本語 text 中文", 2, ["日本", "語 text", "中文"]),
        ("한국어 텍스트 셋", 2, ["한국어 텍스트", "셋"]),
    ],
)
def test_words_are_disjoint_and_of_chinese_and_japanese_characters(text: str, size: int, words: list[str]) -> None:
    passages = passages_of(Document("d", text=text), PassageRequest(by="words", words=size))
    assert [text[one.start : one.end] for one in passages] == words


def test_sections_have_their_headings_and_all_that_stands_below() -> None:
    text = "Before.\nBrakes\nOil\nOil them.\nChain\nClean it."
    marks: list[tuple[str, str]] = [("Brakes", "h1"), ("Oil\n", "h2"), ("Chain", "h2")]
    layout = [[text.index(words), text.index(words) + len(words.strip()), kind] for words, kind in marks]
    passages = passages_of(Document("d", text=text, metadata={"layout": layout}), PassageRequest(by="headings"))
    assert [(text[one.start : one.end], one.headings) for one in passages] == [
        ("Before.", ()),
        ("Brakes\nOil\nOil them.", ("Brakes", "Oil")),
        ("Chain\nClean it.", ("Brakes", "Chain")),
    ]


def test_a_long_section_is_cut_by_sentences() -> None:
    skip_without("files")
    assert len(passages_of(Document("d", text=SENTENCES * 4), PassageRequest(by="headings"))) > 1
    assert len(passages_of(Document("d", text=SENTENCES), PassageRequest(by="headings"))) == 1


@pytest.mark.parametrize("by", CUTS)
def test_no_word_is_lost(by: str) -> None:
    if by != "words":
        skip_without("files")
    draw = random.Random(by)
    for _ in range(50):
        text = "".join(draw.choices("ab .\n!?語。é", k=draw.randrange(400)))
        options = PassageRequest(by=by, window=3, stride=draw.randint(1, 3), words=draw.randint(1, 9))  # type: ignore[arg-type]
        within = np.zeros(len(text), bool)
        for one in passages_of(Document("d", text=text), options):
            assert 0 <= one.start < one.end <= len(text)
            assert text[one.start : one.end] == text[one.start : one.end].strip()
            within[one.start : one.end] = True
        assert not "".join(letter for letter, there in zip(text, within, strict=True) if not there).strip()


def two_documents(docnos: Sequence[str] = ("a", "b"), path: Path | None = None) -> Store:
    documents = [Document(docno, "T", "one two three four", metadata={"year": 1957}) for docno in docnos]
    store = new_store(
        path,
        name="two documents",
        grades={0: "no", 1: "partly", 2: "fully"},
        documents=documents,
        topics={"q": "a query"},
    )
    with store.writing():
        store.ensure_docnos(["named"])
    return store


def test_what_is_withdrawn_has_no_passages(tmp_path: Path, cranfield: Cranfield) -> None:
    """Nor is it said to have no text; what is left out is said."""
    with two_documents(path=tmp_path / "d.db") as store:
        store.add_topics([Topic("2", "gone")])
    assert cranfield("passages", "build", tmp_path / "d.db", tmp_path / "all.db", "--by", "words").err == ""
    with Store.open(tmp_path / "d.db") as store:
        withdraw(store, "document", ["a"], "spam")
        withdraw(store, "topic", ["2"], "twice")
    output = cranfield("passages", "build", tmp_path / "d.db", tmp_path / "p.db", "--by", "words", "--words", 3)
    assert output.out.endswith("p.db: 2 passages of 1 document; 1 document without text\n")
    assert "left out: 1 topic (twice), 1 document (spam)" in output.out + output.err
    with Store.open(tmp_path / "p.db") as there:
        assert [one.docno for one in there.documents()] == ["b#0", "b#1"]
        assert [topic.qid for topic in there.topics()] == ["q"]


def test_a_store_of_passages_says_where_they_are_from(tmp_path: Path, cranfield: Cranfield) -> None:
    new = tmp_path / "p.db"
    with two_documents() as store:
        result = build_passages(store, new, PassageRequest(by="words", words=3))
        with pytest.raises(InputError, match="docno 'a' contains 'a'; choose another --separator"):
            build_passages(store, tmp_path / "x.db", PassageRequest(by="words", separator="a"))
    assert str(result) == "4 passages of 2 documents; 1 document without text"
    assert not (tmp_path / "x.db").exists()
    with Store.open(new) as there:
        assert there.document("b#1") == Document(
            "b#1", "T", "four", "", {"year": 1957, "document": "b", "start": 14, "end": 18}
        )
        assert [topic.qid for topic in there.topics()] == ["q"]
        assert Relation.from_store(there).passages == {"a": 2, "b": 2}
    corpus = tmp_path / "more.jsonl"
    corpus.write_text('{"_id": "c", "text": "five"}\n')
    for words in (["import", "corpus", str(new), str(corpus)], ["passages", "build", str(new), str(tmp_path / "y.db")]):
        output = cranfield(*words)
        assert output.code == 1
        assert "this store contains the passages of 'two documents'; import documents into that store" in output.err
    assert cranfield("store", "verify", str(new)).code == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--window", "2", "--stride", "3"], "is 3, which exceeds --window 2, so sentences would be lost"),
        (["--language", "xx"], "'xx' is not a language code; expected a code such as en, fa or zh"),
        (["--separator", " "], "is ' '; expected characters without blanks, such as #"),
    ],
)
def test_wrong_usage_of_passages(words: list[str], why: str, tmp_path: Path, cranfield: Cranfield) -> None:
    result = cranfield("passages", "build", str(tmp_path / "t.db"), str(tmp_path / "p.db"), *words)
    assert (result.code, why in " ".join(result.err.split())) == (2, True)


def test_maximum_over_passages_is_a_loop(tmp_path: Path) -> None:
    draw = random.Random(1)
    runs: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    for topic in map(str, range(1000)):
        names = [f"d{draw.randrange(12)}#{draw.randrange(4)}" for _ in range(30)]
        runs[topic] = {name: float(draw.randrange(6)) for name in names}
        qrels[topic] = {name: draw.randrange(-1, 3) for name in names[::2]}
    best: dict[str, dict[str, float]] = {}
    grades: dict[str, dict[str, int]] = {}
    for topic, ranking in runs.items():
        for name, score in ranking.items():
            one = best.setdefault(topic, {})
            one[name.split("#")[0]] = max(one.get(name.split("#")[0], 0.0), score)
        for name, grade in qrels[topic].items():
            if grade >= 0:
                of = grades.setdefault(topic, {})
                of[name.split("#")[0]] = max(of.get(name.split("#")[0], 0), grade)
    options = {"measures": ["AP", "nDCG@10", "Bpref", "RR"], "per_topic": True}
    qrels = {topic: {name: grade for name, grade in of.items() if grade >= 0} for topic, of in qrels.items()}
    with pytest.warns(UserWarning, match=r"1,000 of 1,000 topics have under 100 documents"):
        scores = evaluate(qrels, {"a": runs}, subject=PassageDocuments(), **options).frame  # type: ignore[arg-type]
    assert scores.equals(evaluate(grades, {"a": best}, **options).frame)  # type: ignore[arg-type]


def test_judgments_of_documents_are_exported_and_scored(tmp_path: Path, cranfield: Cranfield) -> None:
    new, out = str(tmp_path / "p.db"), tmp_path / "qrels.txt"
    with two_documents() as store:
        build_passages(store, new, PassageRequest(by="words", words=2))
    (tmp_path / "judged").write_text("q 0 a#0 0\nq 0 a#1 2\nq 0 b#1 0\n")
    (tmp_path / "a.run").write_text("q Q0 b#0 1 9 a\nq Q0 a#1 2 8 a\nq Q0 b#1 3 7 a\n")
    assert cranfield("import", "qrels", new, str(tmp_path / "judged")).code == 0
    assert cranfield("import", "runs", new, str(tmp_path / "a.run")).code == 0
    output = cranfield("export", "qrels", new, str(out), "--of", "documents")
    assert (output.code, out.read_text()) == (0, "q 0 a 2\nq 0 b 0\n")
    partial = (
        "1 judgment of documents is not relevant although some passages are unjudged: no judged passage is relevant"
    )
    assert f"note: {partial}\n" in " ".join(output.err.split()) + "\n"
    manifest = json.loads((tmp_path / "qrels.txt.manifest.json").read_text())
    assert (manifest["of"], manifest["counts"]) == ("documents", {"labels": 2, "partial": 1})
    for source in ([new], [str(tmp_path / "judged"), str(tmp_path / "a.run")], [str(out), str(tmp_path / "a.run")]):
        table = cranfield("evaluate", *source, "--of", "documents", "-m", "RR", "--format", "csv")
        assert table.out.splitlines()[-1].startswith("a,0.5"), table.err
        assert "a: 1 of 1 topic has under 100 documents" in " ".join(table.err.split())
    files = cranfield("export", "qrels", str(tmp_path / "judged"), str(out), "--of", "documents")
    assert (files.code, out.read_text()) == (0, "q 0 a 2\nq 0 b 0\n")
    judged = {"q": {"a#0": 0, "a#1": 2, "b#1": 0}}
    for given in (new, tmp_path / "judged", open_collection(new).select(), judged):
        with warnings.catch_warnings(record=True, action="always") as caught:
            written = export_qrels(given, tmp_path / "python", subject=PassageDocuments())  # type: ignore[arg-type]
        assert (written.path.read_text(), written.rows()) == (out.read_text(), [{"labels": 2}])
        assert [str(one.message).startswith("1 judgment of documents is not") for one in caught] == (
            [True] if given == new or isinstance(given, View) else []
        )


def test_what_is_no_passage_is_refused(tmp_path: Path, cranfield: Cranfield) -> None:
    (tmp_path / "qrels").write_text("q 0 d1 1\n")
    (tmp_path / "a.run").write_text("q Q0 d1 1 9 a\n")
    result = cranfield("evaluate", str(tmp_path / "qrels"), str(tmp_path / "a.run"), "--of", "documents")
    assert (result.code, result.err) == (
        1, "error: no docno contains #, so there are no passages here; omit --of documents\n",
    )  # fmt: skip
