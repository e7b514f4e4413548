"""Laws over the table of baseline systems, values computed by hand, and their worth on Cranfield 1400."""

import gzip
import re
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from math import log
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cranfield.arrays.rankings import Runs
from cranfield.errors import CranfieldError
from cranfield.formats import Document
from cranfield.search.index import Index, Model, ranker_of_model
from cranfield.search.rankers import bm25, dirichlet, expand, jelinek_mercer, rm3
from cranfield.search.systems import SYSTEMS, query_text, search
from tests.conftest import ROOT, usually

NAMES = [system.name for system in SYSTEMS]
FIELDS = {"title", "description", "narrative", "title+description"}
BEYOND_THE_WORDS = {
    "rm3": "feedback brings words the topic has not",
    "rocchio": "feedback brings words the topic has not",
    "lsa": "words that go together are near each other",
    "chargrams": "parts of words match",
}
TITLES_ALONE = {"bm25-titles"}

Ranking = list[tuple[str, float]]


def document(docno: str, title: str = "", text: str = "") -> Any:
    return SimpleNamespace(docno=docno, title=title, text=text)


def topic(qid: str, title: str = "", description: str = "", narrative: str = "") -> Any:
    return SimpleNamespace(qid=qid, title=title, description=description, narrative=narrative)


CORPUS = [
    document("d1", "wing flutter", "flutter of a thin wing at high speed"),
    document("d2", "shock waves", "a shock wave meets the boundary layer of the wing"),
    document("d3", "boundary layers", "laminar boundary layers and heat transfer"),
    document("d4", "heat transfer", "heat transfer in hypersonic flow behind a shock wave"),
    document("d5", "", "panel flutter in supersonic flow"),
    document("d6", "Überschall", "the naïve café ﬂow — 超音速 flow"),
    document("d7", "title and nothing else: wing"),
    document("d8"),
    document("d9", text="the of and"),
    document("same-1", "propeller noise", "noise of a propeller in a wind tunnel"),
    document("same-2", "propeller noise", "noise of a propeller in a wind tunnel"),
    document("same-10", "propeller noise", "noise of a propeller in a wind tunnel"),
    *[document(f"x{n}", f"report {n}", f"wing model {n} in wind tunnel {n % 3}") for n in range(12)],
]
TOPICS = [
    topic("1", "wing flutter", "What causes flutter of a wing?", "Heat transfer is not relevant."),
    topic("2", "shock boundary layer"),
    topic("3", narrative="noise of propellers"),
    topic("4", 'wing" OR * NEAR(flow AND) -heat ^:{} 100% \x00', "flow flow flow wing"),
    topic("common", "the of and", "what is it", "to be"),
    topic("unknown", "zzqqxx"),
    topic("empty"),
]


@contextmanager
def full_text(documents: Sequence[Any]) -> Iterator[Callable[[str, int], Ranking]]:
    """The search of a full-text index, as the store's."""
    ask = "SELECT docno, -bm25(fts) AS score FROM fts WHERE fts MATCH ? ORDER BY score DESC, docno DESC LIMIT ?"
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE fts USING fts5 (docno UNINDEXED, title, text, tokenize = 'porter')")
        database.executemany("INSERT INTO fts VALUES (?, ?, ?)", [(d.docno, d.title, d.text) for d in documents])
        yield lambda match, limit: database.execute(ask, (match, limit)).fetchall()


def run_search(documents: Sequence[Any] = CORPUS, topics: Sequence[Any] = TOPICS, **options: Any) -> Runs:
    """The runs of all systems, fts5 included."""
    with full_text(documents) as fts:
        return search(documents, topics, fts=fts, **options)


def rankings(runs: Runs) -> dict[tuple[str, str], Ranking]:
    """The rankings by tag and qid."""
    by_topic: dict[tuple[str, str], Ranking] = {(tag, qid): [] for tag in runs.tags for qid in runs.topics.names}
    for run, number, docno, score in zip(runs.run, runs.topic, runs.document, runs.score, strict=True):
        by_topic[runs.tags[run], runs.topics.names[number]].append((runs.docnos.names[docno], float(score)))
    return by_topic


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, str], Ranking]:
    """The rankings of the small corpus by every system."""
    return rankings(run_search())


def docnos(ranking: Ranking) -> list[str]:
    return [docno for docno, _ in ranking]


# Laws


def test_table() -> None:
    """At least ten systems, each with a name of its own that can be a tag, a known field and a sentence."""
    assert len(set(NAMES)) == len(NAMES) >= 10
    for system in SYSTEMS:
        assert re.fullmatch(r"[a-z0-9-]+", system.name)
        assert system.field in FIELDS
        assert re.fullmatch(r"[A-Z].*\.", system.description)
    assert {system.field for system in SYSTEMS} == FIELDS


@pytest.mark.needs_extra("search")
def test_systems_differ(answers: dict[tuple[str, str], Ranking]) -> None:
    """No two systems give the same run."""
    runs = {name: str([answers[name, each.qid] for each in TOPICS]) for name in NAMES}
    assert len(set(runs.values())) == len(NAMES)


@pytest.mark.needs_extra("search")
def test_same_again(answers: dict[tuple[str, str], Ranking]) -> None:
    """The same corpus gives the same runs, bit for bit."""
    assert rankings(run_search()) == answers


@pytest.mark.needs_extra("search")
def test_order_of_the_corpus(answers: dict[tuple[str, str], Ranking]) -> None:
    """The order of the documents and of the topics changes nothing."""
    assert rankings(run_search(CORPUS[::-1], TOPICS[::-1])) == answers


@pytest.mark.needs_extra("search")
def test_one_system_alone(answers: dict[tuple[str, str], Ranking]) -> None:
    """A system's run does not depend on which others were asked for; runs come in the order asked for, each once."""
    runs = run_search(systems=["rm3", "bm25", "rm3"])
    assert runs.tags == ("rm3", "bm25")
    assert all(answers[key] == ranking for key, ranking in rankings(runs).items())


@pytest.mark.needs_extra("search")
def test_depth(answers: dict[tuple[str, str], Ranking]) -> None:
    """A ranking of depth k is the first k documents of the full one."""
    for key, ranking in rankings(run_search(depth=3)).items():
        assert ranking == answers[key][:3]


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize("name", NAMES)
def test_well_formed(name: str, answers: dict[tuple[str, str], Ranking]) -> None:
    """Scores are finite, no document comes twice, and the order is canonical."""
    for each in TOPICS:
        ranking = answers[name, each.qid]
        assert np.isfinite([score for _, score in ranking]).all()
        assert len(set(docnos(ranking))) == len(ranking)
        assert ranking == sorted(ranking, key=lambda row: (row[1], row[0]), reverse=True)


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_look_for(name: str, answers: dict[tuple[str, str], Ranking]) -> None:
    """Only stop words, an unknown word or no text at all: an empty ranking."""
    assert not answers[name, "common"] + answers[name, "unknown"] + answers[name, "empty"]


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize("name", NAMES)
def test_documents_without_words(name: str, answers: dict[tuple[str, str], Ranking]) -> None:
    """A document without text, or of stop words alone, is never retrieved."""
    assert not {"d8", "d9"} & {docno for each in TOPICS for docno in docnos(answers[name, each.qid])}


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in BEYOND_THE_WORDS])
def test_only_matches(name: str, answers: dict[tuple[str, str], Ranking]) -> None:
    """A lexical system retrieves exactly the documents with a word of the topic in what it looks at."""
    texts = {each.docno: each.title + ("" if name in TITLES_ALONE else " " + each.text) for each in CORPUS}
    matches = {docno for docno, text in texts.items() if re.search("shock|boundary|layer", text)}
    assert set(docnos(answers[name, "2"])) == matches


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize("name", NAMES)
def test_like_documents(name: str, answers: dict[tuple[str, str], Ranking]) -> None:
    """Documents of the same text tie and come by docno, descending in byte order, whatever the system."""
    same = [(docno, score) for docno, score in answers[name, "3"] if docno.startswith("same")]
    assert docnos(same) == ["same-2", "same-10", "same-1"]
    assert len({score for _, score in same}) == 1


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize(
    "documents",
    [
        [],
        [document("d1")],
        [document("d1"), document("d2", "", " ")],
        [document("d1", "wing", "wing")],
        [document("d1", "", "wing")],
        [document("d1", "wing", ""), document("d2", "wing", "")],
        [document("d1", "wing flutter", "wing"), document("d2")],
    ],
    ids=["none", "one empty", "empty", "one word", "no title", "alike", "one and an empty one"],
)
def test_tiny_corpora(documents: list[Any]) -> None:
    """The smallest corpora give a ranking of what matches, without a warning."""
    for (name, qid), ranking in rankings(run_search(documents)).items():
        matches = [d.docno for d in documents if "wing" in (d.title if name in TITLES_ALONE else d.title + d.text)]
        assert qid not in {"1", "4"} or name == "bm25plus" or sorted(docnos(ranking)) == matches


@pytest.mark.needs_extra("search")
def test_no_topics() -> None:
    """No topics give runs without rows."""
    runs = run_search(topics=[])
    assert (len(runs), len(runs.tags)) == (0, len(NAMES))


# Choice and fields


def test_unknown_system() -> None:
    """A name that is no system is refused, and the names there are are listed."""
    with pytest.raises(CranfieldError, match=r"unknown system 'bm26'; available: fts5, bm25, .*lsa"):
        search(CORPUS, TOPICS, systems=["bm25", "bm26"])


@pytest.mark.needs_extra("search")
def test_full_text_needs_a_store() -> None:
    """Without a full-text index fts5 is left out, and an error if asked for by name."""
    assert "fts5" not in search(CORPUS[:3], TOPICS[:1]).tags
    with pytest.raises(CranfieldError, match="fts5 needs the full-text index"):
        search(CORPUS, TOPICS, systems=["fts5"])


@pytest.mark.needs_extra("search")
def test_full_text_of_more() -> None:
    """Documents that only the full-text index knows are passed over."""
    with full_text(CORPUS) as fts:
        runs = search(CORPUS[1:], TOPICS, systems=["fts5"], fts=fts)
    assert "d1" not in docnos(rankings(runs)["fts5", "1"])


@pytest.mark.needs_extra("search")
def test_full_text_of_a_long_topic() -> None:
    """A topic of thousands of words is a good FTS5 expression still."""
    long = topic("1", " ".join(f"w{n}" for n in range(5000)) + " flutter")
    assert len(run_search(topics=[long], systems=["fts5"])) == 2


def test_depth_below_one() -> None:
    """A depth below 1 is refused."""
    with pytest.raises(CranfieldError, match="the depth is 0"):
        search(CORPUS, TOPICS, depth=0)


@pytest.mark.needs_extra("search")
def test_progress() -> None:
    """Progress goes up by one as each system is done."""
    calls: list[int] = []
    search(CORPUS[:3], TOPICS[:1], systems=["bm25", "tfidf"], progress=calls.append)
    assert calls == [1, 1]


@pytest.mark.parametrize(
    ("field", "text"),
    [("title", "t"), ("description", "d"), ("narrative", "n"), ("title+description", "t d")],
)
def test_field(field: str, text: str) -> None:
    """A system searches for its field of the topic."""
    assert query_text(topic("1", "t", "d", "n"), field) == text


@pytest.mark.parametrize(
    ("empty", "field", "text"),
    [
        ("title", "title", "d"),
        ("description", "description", "t"),
        ("narrative", "narrative", "t"),
        ("title", "title+description", "d"),
    ],
)
def test_field_without_text(empty: str, field: str, text: str) -> None:
    """Where the field has no text, the first of title, description, narrative that has some stands in."""
    parts = {"title": "t", "description": "d", "narrative": "n"} | {empty: " "}
    assert query_text(topic("1", **parts), field) == text


# What the systems are for


@pytest.mark.needs_extra("search")
def test_spelling() -> None:
    """Character n-grams find a word in another spelling; words and stems do not."""
    documents = [document("d1", text="aerodynamics of gliders"), document("d2", text="heat transfer")]
    runs = rankings(search(documents, [topic("1", "aerodinamics")], systems=["chargrams", "bm25", "bm25-words"]))
    assert [docnos(runs[name, "1"]) for name in ("chargrams", "bm25", "bm25-words")] == [["d1"], [], []]


@pytest.mark.needs_extra("search")
def test_stems() -> None:
    """Stemmed systems find another form of the word; the unstemmed do not."""
    runs = rankings(search([document("d1", text="layers")], [topic("1", "layer")], systems=["bm25", "bm25-words"]))
    assert (docnos(runs["bm25", "1"]), runs["bm25-words", "1"]) == (["d1"], [])


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize("name", ["rm3", "rocchio", "lsa"])
def test_words_that_go_together(name: str) -> None:
    """Feedback and LSA find a document that shares no word with the topic."""
    texts = ["flutter aeroelastic", "flutter aeroelastic wing", "aeroelastic", "heat", "heat transfer"]
    documents = [document(f"d{n}", text=text) for n, text in enumerate(texts)]
    assert "d2" in docnos(rankings(search(documents, [topic("1", "flutter")], systems=[name]))[name, "1"])


@pytest.mark.needs_extra("search")
def test_weighted_titles() -> None:
    """A word in the title weighs more than the same word in the text."""
    documents = [document("d1", "wing", "noise"), document("d2", "noise", "wing"), document("d3", "heat", "shock")]
    runs = rankings(search(documents, [topic("1", "wing")], systems=["bm25-weighted", "bm25"]))
    assert docnos(runs["bm25-weighted", "1"]) == ["d1", "d2"]
    assert docnos(runs["bm25", "1"]) == ["d2", "d1"]


# By hand: d1 has wing twice and shock once, d2 has shock once, d3 has nothing; p(wing|C) = p(shock|C) = 1/2

BY_HAND = [document("d1", text="wing wing shock"), document("d2", text="shock"), document("d3")]


def scores(model: Model, text: str) -> list[float]:
    """The model's scores of d1, d2 and d3 for the query."""
    (values,) = ranker_of_model("words", model)(Index(BY_HAND), [text])
    return [float(score) for score in values]


NEVER = -np.inf


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wing", [log((2 + 1) / 5 / 0.5), NEVER, NEVER]),
        ("shock", [log((1 + 1) / 5 / 0.5), log((1 + 1) / 3 / 0.5), NEVER]),
        ("wing shock", [log(1.2) + log(0.8), log((0 + 1) / 3 / 0.5) + log((1 + 1) / 3 / 0.5), NEVER]),
        ("wing wing", [2 * log(1.2), NEVER, NEVER]),
    ],
)
def test_dirichlet_by_hand(text: str, expected: list[float]) -> None:
    """ln p(q|d) / p(q|C) with p(w|d) = (tf + μ p(w|C)) / (|d| + μ), for μ = 2."""
    assert scores(dirichlet(mu=2), text) == pytest.approx(expected)


@pytest.mark.needs_extra("search")
def test_jelinek_mercer_by_hand() -> None:
    """ln p(q|d) / (λ p(q|C)) with p(w|d) = (1 - λ) tf / |d| + λ p(w|C), for λ = 1/4."""
    wing, shock = (0.75 * 2 / 3 + 0.125) / 0.125, (0.75 / 3 + 0.125) / 0.125
    expected = [log(wing) + log(shock), log((0.75 + 0.125) / 0.125), NEVER]
    assert scores(jelinek_mercer(lam=0.25), "wing shock") == pytest.approx(expected)


@pytest.mark.needs_extra("search")
def test_rm3_by_hand() -> None:
    """For shock, p(q|d) is as 0.8 for d1 to 4/3 for d2: p(wing|R) = 3/8 × 2/3 = 1/4, which the mixture halves."""
    terms = Index(BY_HAND).terms("words")
    shock, wing = terms.code["shock"], terms.code["wing"]
    first = dirichlet(mu=2)(terms)({shock: 1})
    assert expand(terms, {shock: 1}, first, feedback=10, size=50, original=0.5) == pytest.approx(
        {shock: 7 / 8, wing: 1 / 8}
    )
    assert expand(terms, {shock: 1}, first, feedback=1, size=50, original=0.5) == pytest.approx({shock: 1})
    assert expand(terms, {shock: 1}, first, feedback=10, size=1, original=0.5) == pytest.approx({shock: 1})
    expected = [7 / 8 * log(0.8) + 1 / 8 * log(1.2), 7 / 8 * log(4 / 3) + 1 / 8 * log(2 / 3), NEVER]
    assert scores(rm3(mu=2), "shock") == pytest.approx(expected)


@pytest.mark.needs_extra("search")
def test_bm25_by_hand() -> None:
    """idf × tf / (tf + k1 (1 - b + b |d| / avgdl)), with idf = ln(1 + (N - n + 0.5) / (n + 0.5)) and avgdl = 4/3."""
    wing, shock = log(1 + 2.5 / 1.5), log(1 + 1.5 / 2.5)
    long, short = 1.2 * (0.25 + 0.75 * 9 / 4), 1.2 * (0.25 + 0.75 * 3 / 4)
    expected = [2 * wing * 2 / (2 + long) + shock / (1 + long), shock / (1 + short), NEVER]
    assert scores(bm25("lucene", 1.2, 0.75), "wing shock wing") == pytest.approx(expected)


# Worth and cost


@pytest.fixture(scope="module")
def cranfield1400(shared: Path) -> tuple[list[Any], list[Any], dict[str, set[str]]]:
    """The documents, the topics by ordinal, and the relevant documents (codes 1 to 4) of Cranfield 1400."""
    folder = shared / "cranfield1400"
    text = gzip.decompress((folder / "trec-xml" / "cran.all.1400.xml.gz").read_bytes()).decode()
    pattern = r"<docno>(.*?)</docno>\s*<title>(.*?)</title>.*?<text>(.*?)</text>"
    documents = [document(docno.strip(), *parts) for docno, *parts in re.findall(pattern, text, re.DOTALL)]
    titles = re.findall(r"<title>(.*?)</title>", (folder / "trec-xml" / "cran.qry.xml").read_text(), re.DOTALL)
    relevant: dict[str, set[str]] = {}
    for line in (folder / "smart" / "cranqrel").read_text().splitlines():
        qid, docno, code = line.split()
        relevant.setdefault(qid, set()).update([docno] if int(code) > 0 else [])
    return documents, [topic(str(n), title) for n, title in enumerate(titles, 1)], relevant


def average_precision(ranking: Ranking, relevant: set[str]) -> float:
    """The mean, over the relevant documents, of the precision where each is retrieved."""
    ranks = [rank for rank, docno in enumerate(docnos(ranking), 1) if docno in relevant]
    return sum(nth / rank for nth, rank in enumerate(ranks, 1)) / len(relevant)


@pytest.mark.daily
def test_worth(cranfield1400: tuple[list[Any], list[Any], dict[str, set[str]]]) -> None:
    """On Cranfield 1400 every system has the AP a baseline should have, and no two systems give the same run."""
    documents, topics, relevant = cranfield1400
    assert (len(documents), len(topics), sum(map(len, relevant.values()))) == (1400, 225, 1612)
    some = topics[:: usually(4, 1)]
    runs = rankings(run_search(documents, some, depth=100))
    ap = {name: np.mean([average_precision(runs[name, t.qid], relevant[t.qid]) for t in some]) for name in NAMES}
    assert {name: value for name, value in ap.items() if not 0.22 < value < 0.42} == {}
    assert len({str([runs[name, each.qid] for each in some]) for name in NAMES}) == len(NAMES)


def test_imports_are_lazy() -> None:
    """Reading the table of systems loads none of the libraries behind it."""
    heavy = "{'sklearn', 'bm25s', 'scipy', 'pandas', 'Stemmer'}"
    code = f"import sys, cranfield.search.systems; assert not {heavy} & set(sys.modules), {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


class Corpus:
    """Documents that are made as they are gone through; as text they take 2 megabytes, their words in lists 4."""

    def __iter__(self) -> Iterator[Document]:
        text = "wing lift drag flow shock " * 1_000
        return (Document(f"d{number}", "wing", f"{text} w{number}") for number in range(80))


@pytest.mark.daily
def test_memory_does_not_grow_with_the_texts() -> None:
    """Neither texts nor lists of their words are kept: only how often each document has which."""
    topics = [topic("1", "wing w7")]
    search([Document("d1", text="wing")], topics, systems=["bm25"])  # what is imported is there now
    tracemalloc.start()
    runs = search(Corpus(), topics, systems=["bm25"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert docnos(rankings(runs)["bm25", "1"])[0] == "d7"
    assert peak < 3_000_000


@pytest.mark.needs_extra("search")
def test_the_order_of_documents_does_not_matter() -> None:
    """Nor do words that come up first in another one: scores are the same to the last digit."""
    documents = list(Corpus())[:50]
    topics = [topic("1", "wing w7 drag"), topic("2", "w3 shock")]
    names = ["bm25", "bm25-titles", "bm25-weighted", "bm25l", "ql-dirichlet", "rm3", "tfidf", "chargrams"]
    one, other = (search(corpus, topics, systems=names) for corpus in (documents, documents[::-1]))
    assert one.score.tolist() == other.score.tolist()
    assert one.docnos.names[one.document].tolist() == other.docnos.names[other.document].tolist()
