"""The outputs in docs/build/active-learning.md are those of the program; skipped without the data of ../shared/data."""

import re
from pathlib import Path
from shlex import split

import pytest

from cranfield.store.store import Store
from tests.conftest import ROOT, Cranfield
from tests.judging.cases import at, session_of

PAGE = (ROOT / "docs/build/active-learning.md").read_text(encoding="utf-8")
STEP = re.compile(r"^    \$ cranfield ([^\n]+)\n((?:^(?!    \$)(?:    [^\n]*)?\n)*)", re.MULTILINE)


def steps() -> list[tuple[str, str]]:
    """The commands of the page with their outputs, in one line each."""
    return [(words, " ".join(output.split())) for words, output in STEP.findall(PAGE) if "own.db" in words]


def make_store(cranfield: Cranfield, folder: Path) -> dict[tuple[str, str], int]:
    """Make own.db with CACM's documents and its judged topics. Returns the judgments."""
    cranfield.out("collection", "build", "cacm", folder / "cacm", "cacm.db")
    for words in ("export corpus cacm.db corpus.jsonl", "export qrels cacm.db qrels.txt"):
        cranfield.out(*words.split())
    rows = [line.split() for line in Path("qrels.txt").read_text().splitlines()]
    grades = {(qid, docno): int(grade) for qid, _, docno, grade in rows}
    judged_topics = {qid for qid, _ in grades}
    cranfield.out("init", "own.db", "--name", "CACM", "--scale", "0=not relevant,1=relevant")
    cranfield.out("import", "corpus", "own.db", "corpus.jsonl")
    with Store.open("cacm.db") as source, Store.open("own.db") as store:
        store.add_topics([topic for topic in source.topics() if topic.qid in judged_topics])
    return grades


def judge(grades: dict[tuple[str, str], int]) -> None:
    """Judge the newest pool by the complete judgments."""
    with Store.open("own.db") as store:
        session = session_of(store, order=None)
        while (document := session.view.document) is not None:
            at(session).grade(int(grades.get(((session.pair or ("",))[0], document.docno), 0) > 0))


@pytest.mark.daily
def test_outputs(cranfield: Cranfield, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page."""
    monkeypatch.chdir(tmp_path)
    grades = make_store(cranfield, shared)
    for words, output in steps():
        if words.startswith("judge "):
            judge(grades)
            continue
        result = cranfield(*split(words))
        printed = " ".join((result.out if result.code == 0 else result.err).split())
        assert (words, printed) == (words, output)
