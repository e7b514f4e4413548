"""Runs and judgments that name documents or topics which the store does not have: told, refused or found."""

import json
from pathlib import Path

import pytest

from cranfield.metrics.inputs import as_qrels
from cranfield.store.names import Demand, NameMatcher, find_missing_names, similar_names_in_store, unknown_names
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.files import json_lines
from tests.real import copied
from tests.stores import filled, new_store

CORPUS = [{"docno": str(number), "text": f"a text on {number}"} for number in (7, 46, 1410)]
TOPICS = [{"qid": qid, "title": "a title"} for qid in ("1", "2")]
QRELS = "1 0 1410 1\n1 0 0046 1\n2 0 0007 0\n2 0 x 1\n"
RUN = "1 Q0 0046 1 5 padded\n1 Q0 1410 2 4 padded\n2 Q0 0007 1 3 padded\n"
FINDS = "; --normalize-ids finds 2 of them: '0007' is '7' in this store"


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Cranfield:
    """The command line in a folder with a store of three documents and two topics, and with padded files."""
    monkeypatch.chdir(copied(_make, tmp_path, cranfield))
    return cranfield


def _make(cranfield: Cranfield) -> None:
    Path("corpus").write_text(json_lines(CORPUS))
    Path("topics").write_text(json_lines(TOPICS))
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)
    cranfield.run("init track.db --name small", "import corpus track.db corpus", "import topics track.db topics")


def info(commands: Cranfield, store: str = "track.db") -> dict[str, object]:
    return dict(json.loads(commands(f"info {store} --format json").out))


def judged(store: str = "track.db") -> list[tuple[str, str]]:
    with Store.open(store) as track:
        qrels = qrels_of(track)
        names = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
        return sorted(zip(*names, strict=True))


@pytest.mark.full
def test_the_import_says_how_many_of_how_many_and_the_first(commands: Cranfield) -> None:
    """And what would find them, as some differ in zeros only."""
    result = commands("import qrels track.db qrels")
    lack = "3 of 4 documents in qrels are not in the corpus, the first is '0007'"
    assert result == (0, "4 judgments by import\n", f"note: {lack}{FINDS}\n")
    result = commands("import runs track.db run")
    lack = "2 of 3 documents in run are not in the corpus, the first is '0007'"
    assert result.err == f"note: {lack}; --normalize-ids finds all of them: '0007' is '7' in this store\n"


@pytest.mark.full
def test_everything_after_says_it_again(commands: Cranfield) -> None:
    """info, the pool, the exports and the report."""
    commands.run("import qrels track.db qrels", "import runs track.db run")
    assert (info(commands)["document"], info(commands)["unknown_document"], info(commands)["unknown_topic"]) == (
        6,
        3,
        0,
    )
    assert "unknown document  3, first '0007'" in commands("info track.db").out
    lack = "2 of 3 documents of this pool are not in the corpus, the first is '0007'"
    assert f"note: {lack}; assessors cannot read them\n" in commands("pool build track.db --depth 5").err
    assert commands("export pool track.db pool.tsv").err == f"note: {lack}\n"
    lack = "note: 3 of 4 documents that are judged are not in the corpus, the first is '0007'\n"
    assert lack in commands("export qrels track.db out.qrels").err
    assert lack in commands("export beir track.db beir").err
    assert commands("export judgments track.db log.jsonl").err == lack
    lack = "note: 2 of 3 documents in these runs are not in the corpus, the first is '0007'\n"
    assert commands("export runs track.db runs").err == lack
    assert commands("report track.db report.html").code == 0
    assert "3 of 6 documents here are not in the corpus" in Path("report.html").read_text()


@pytest.mark.parametrize("what", ["qrels", "runs"])
def test_strict_refuses(commands: Cranfield, what: str) -> None:
    """With the first, how many of how many, and the file; nothing of it stays."""
    before, file = info(commands), {"qrels": "qrels", "runs": "run"}[what]
    assert commands.error(f"import {what} track.db {file} --strict").startswith(
        f"{file}:3: document '0007' is not in the corpus ("
    )
    assert info(commands) == before


@pytest.mark.full
def test_strict_takes_what_is_known(commands: Cranfield) -> None:
    """Where every name is the store's own, or becomes it, there is nothing to refuse."""
    Path("good").write_text("1 0 7 1\n")
    assert commands("import qrels track.db good --strict") == (0, "1 judgment by import\n", "")
    assert commands("import runs track.db run --strict --normalize-ids").code == 0
    assert info(commands)["unknown_document"] == 0


@pytest.mark.full
def test_the_file_with_the_name_is_blamed(commands: Cranfield) -> None:
    """Not the first one of many."""
    Path("good").write_text("1 Q0 7 1 5 good\n")
    result = commands("import runs track.db good run --strict")
    assert result.err.startswith("error: run:3: document '0007' is not in the corpus (2 of 4 are not)")
    Path("bad").write_text("1 Q0 7 1 5 bad\n9 Q0 7 1 5 bad\n")
    lack = "error: bad:2: topic '9' is not in the store (1 of 2 are not); `cranfield import topics` adds topics\n"
    assert commands("import runs track.db good bad").err == lack


@pytest.mark.full
def test_normalize_ids_finds_them(commands: Cranfield) -> None:
    """What differs in zeros is found and told, what differs in more stays unknown and is told, too."""
    result = commands("import qrels track.db qrels --normalize-ids")
    assert result.err.splitlines() == [
        "note: 2 of 4 documents in qrels are spelled differently: '0007' is '7' in this store",
        "note: 1 of 4 documents in qrels is not in the corpus, the first is 'x'",
    ]
    assert judged() == [("1", "1410"), ("1", "46"), ("2", "7"), ("2", "x")]


def test_runs_with_other_names_are_in_canonical_order(commands: Cranfield) -> None:
    """Ties are in the order of the docnos that the store has: 46 before 1410, though 0046 stands behind it."""
    assert commands("import runs track.db run --normalize-ids").code == 0
    with Store.open("track.db") as store:
        runs = stored_runs(store)
        assert runs.docnos.names[runs.document].tolist() == ["46", "1410", "7"]


@pytest.mark.full
def test_topics_are_found_as_well(commands: Cranfield) -> None:
    """An unknown topic is refused, with what would find it; case and blanks are no difference either."""
    Path("padded").write_text("01 0 7 1\n02 0 46 0\n")
    result = commands("import qrels track.db padded")
    refusal = (
        "topic '01' is not in the store (2 of 2 are not); --normalize-ids finds all of them: '01' is '1' in this store"
    )
    assert (result.code, result.err) == (1, f"error: padded:1: {refusal}\n")
    assert commands("import qrels track.db padded --normalize-ids").code == 0
    assert judged() == [("1", "7"), ("2", "46")]


def test_votes_are_found_as_well(commands: Cranfield) -> None:
    """The same options, the same words."""
    Path("votes.csv").write_text("assessor,qid,docno,grade\nada,01,007,1\nada,1,x,0\n")
    assert commands("import votes track.db votes.csv --strict").code == 1
    Path("votes.csv").write_text("assessor,qid,docno,grade\nada,01,007,1\nada,02,x,0\n")
    result = commands("import votes track.db votes.csv --normalize-ids")
    assert result.code == 0
    assert "note: 1 of 2 documents in votes.csv is spelled differently: '007' is '7' in this store\n" in result.err
    assert judged() == [("1", "7"), ("2", "x")]


def test_two_names_never_become_one(commands: Cranfield) -> None:
    """A file that has both may mean either."""
    Path("both").write_text("1 0 46 1\n1 0 0046 0\n")
    assert (
        commands.error("import qrels track.db both --normalize-ids")
        == "both:1: both '0046' and '46' would become document '46'"
    )
    assert commands("import qrels track.db both").code == 0


def test_what_could_be_two_is_not_guessed() -> None:
    """Two documents that differ in case leave a third name unknown."""
    with new_store(documents=["d1", "D1", "AP-7"]) as store:
        assert similar_names_in_store(store, "document", ["d01", "ap-007", "ap-8"]) == {"ap-007": "AP-7"}
        assert unknown_names(store, "document", ["d01", "d1", "D1"]) == ["d01"]


def test_without_a_corpus_nothing_is_unknown(commands: Cranfield) -> None:
    """A store of runs alone says once that it is one; it is no reproach after."""
    commands("init bare.db --name bare")
    result = commands("import runs bare.db run")
    assert result.err.splitlines() == [
        "note: this store has no corpus and contains only docnos",
        "note: this store has no topics and contains only qids",
    ]
    assert commands("import qrels bare.db qrels").err == ""
    assert commands("export runs bare.db runs").err == ""
    assert "not in the corpus" not in commands("pool build bare.db --depth 5").err
    assert info(commands, "bare.db")["unknown_document"] == 0
    assert "corpus            no texts, only docnos" in commands("info bare.db").out
    assert commands("import runs bare.db run --tag again --strict").code == 1


def test_a_corpus_that_comes_late_is_compared_as_well(commands: Cranfield) -> None:
    """What runs named before it came and it does not have is told when it comes."""
    commands("init late.db --name late")
    Path("padded").write_text("01 0 0007 1\n")
    commands("import qrels late.db padded")
    taken_back = (
        "remove the import with `cranfield store remove`, then import it again with --normalize-ids, which finds"
    )
    result = commands("import corpus late.db corpus --format jsonl")
    lack = "1 of 4 documents in this store is not in the corpus, the first is '0007'"
    assert result.err == f"note: {lack}; {taken_back} it: '0007' is '7' in this store\n"
    result = commands("import topics late.db topics --format jsonl")
    lack = "1 of 3 topics in this store is not among the topics, the first is '01'"
    assert result.err == f"note: {lack}; {taken_back} it: '01' is '1' in this store\n"
    assert info(commands, "late.db")["unknown_topic"] == 1


def test_names_from_python_are_told_apart() -> None:
    """Whoever adds runs by hand asks the store what it lacks."""
    with new_store(runs={"a": {"q": {"d1": 1.0, "d2": 0.5}}}) as store:
        assert find_missing_names(store) == []
        filled(store, documents=["d1"], topics=["p"])
        assert [(lack.table, lack.missing, lack.of, lack.first) for lack in find_missing_names(store)] == [
            ("document", 1, 2, "d2"),
            ("topic", 1, 2, "q"),
        ]
        spelling = NameMatcher(store, Demand())
        assert spelling.qrels(as_qrels({"p": {"d1": 1}}), "file").qids == ["p"]
        assert spelling.notes == []


@pytest.mark.daily
def test_padded_judgments_of_cacm(commands: Cranfield, shared: Path) -> None:
    """46 of its docnos are padded: what that did to AP is told, taken back and put right."""
    pairs = [line.split()[:2] for line in (shared / "cacm/qrels.text").read_text().splitlines() if line.strip()]
    Path("padded").write_text("".join(f"{int(qid)} 0 {docno} 1\n" for qid, docno in pairs))
    commands.run(
        "init cacm.db --name CACM",
        f"import corpus cacm.db {shared}/cacm/cacm.all",
        f"import topics cacm.db {shared}/cacm/query.text",
        "search cacm.db --system bm25",
    )
    lack = "46 of 555 documents in padded are not in the corpus, the first is '0046'"
    remedy = "--normalize-ids finds all of them: '0046' is '46' in this store"
    assert commands("import qrels cacm.db padded").err == f"note: {lack}; {remedy}\n"
    assert "0.3265" in commands("evaluate cacm.db -m AP").out
    assert commands("store remove cacm.db import 3").code == 0
    assert (info(commands, "cacm.db")["document"], info(commands, "cacm.db")["qrels"]) == (3204, 0)
    assert commands("import qrels cacm.db padded --normalize-ids").code == 0
    assert info(commands, "cacm.db")["unknown_document"] == 0
    assert "0.3507" in commands("evaluate cacm.db -m AP").out
