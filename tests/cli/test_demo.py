"""The bundled collection is what its datasheet says, and the demo shows it."""

import json
import re
from collections import Counter
from functools import partial
from pathlib import Path
from shutil import copyfile

import pytest

from cranfield.analysis.recipes import build, bundled_recipes, read_recipe
from cranfield.arrays.rankings import Qrels
from cranfield.formats import read_corpus, read_qrels, read_topics
from cranfield.metrics.evaluate import evaluate
from cranfield.selection import Labellers
from cranfield.store.log import assessors, read_events
from cranfield.store.pools import stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store
from tests.conftest import ROOT, Cranfield

FOLDER = bundled_recipes()["workshop"].parent


def grades(qrels: Qrels) -> dict[tuple[str, str], int]:
    """The grade of each pair."""
    qids, docnos = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document]
    return dict(zip(zip(qids, docnos, strict=True), qrels.grade.tolist(), strict=True))


def test_the_corpus_is_as_described() -> None:
    """232 notes of 60 to 250 words, and 25 topics with all their parts."""
    documents, topics = list(read_corpus(FOLDER / "corpus.jsonl")), read_topics(FOLDER / "topics.jsonl")
    assert len(documents) == 232
    assert all(60 <= len(document.text.split()) <= 250 and document.title for document in documents)
    assert len(topics) == 25
    assert all(topic.title and topic.description and topic.narrative for topic in topics)


def test_the_judgments_are_as_described() -> None:
    """A blind second opinion on 199 pairs of the pool; a sweep of what is outside it; no topic without an answer."""
    first, second, sweep = (grades(read_qrels(FOLDER / f"{name}.qrels")) for name in ("first", "second", "sweep"))
    assert len(second) == 199
    assert set(second) < set(first)
    assert not set(sweep) & set(first)
    assert min(sweep.values()) == 1
    assert len({qid for (qid, _), grade in first.items() if grade > 0} | {qid for qid, _ in sweep}) == 25


def test_the_pool_is_that_of_the_baselines(workshop: Path) -> None:
    """The first assessor judged the depth-10 pool of all baselines (a last digit of lsa may move a pair elsewhere)."""
    with Store.open(workshop) as store:
        pooled = {(document.qid, document.docno) for document in stored_pool(store).documents}
        judged = set(grades(qrels_of(store, Labellers("first"))))
    assert len(pooled ^ judged) <= 4


def test_assessors_are_told_apart(workshop: Path) -> None:
    """All three are models, and say so; each label is an event."""
    with Store.open(workshop) as store:
        assert assessors(store) == {"first": "model", "second": "model", "sweep": "model"}
        assert Counter(event.kind for event in read_events(store)) == {"import": store.counts()["judgment_event"]}


def test_some_documents_matter(workshop: Path) -> None:
    """One topic defeats every baseline, and some highly relevant documents were found by a single ranker."""
    with Store.open(workshop) as store:
        scores = evaluate(qrels_of(store), stored_runs(store), ["Success(rel=2)@10"], per_topic=True)
        alone = {(d.qid, d.docno) for d in stored_pool(store).documents if len(d.runs) == 1}
        high = {pair for pair, grade in grades(qrels_of(store)).items() if grade == 2}
        best = scores.groupby("query_id")["value"].max()
    assert best[best == 0].index.tolist() == ["W25"]
    assert len(alone & high) >= 5


def test_the_recipe_builds_the_same_collection(workshop: Path, tmp_path: Path) -> None:
    """`collection build workshop` gives the corpus, topics and judgments of the demo."""
    with build(read_recipe("workshop"), FOLDER, tmp_path / "w.db") as copy, Store.open(workshop) as store:
        assert grades(qrels_of(copy)) == grades(qrels_of(store))
        assert copy.topics() == store.topics()


def shown_in_the_readme() -> list[str]:
    """Its lines of the demo's output; `python docs/pictures.py` puts them there."""
    block = (ROOT / "README.md").read_text(encoding="utf-8").split("<!-- demo -->\n```text\n")[1].split("```")[0]
    return [" ".join(line.split()) for line in block.splitlines()]


def test_the_demo_prints_three_tables_and_what_is_next(
    cranfield: Cranfield, workshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three tables with a sentence on how to read each; a second demo leaves the first store alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cranfield.cli.commands.demo._build", partial(copyfile, workshop))
    result = cranfield("demo")
    assert (result.code, result.err) == (0, "")
    for heading in ("1. The pool", "2. The systems", "3. The verdict", "Next:", "cranfield judge workshop.db"):
        assert heading in result.out
    assert all(f"\n{line}" in result.out for line in ("The last two columns show", "Check Judged@10 first."))
    assert {line for line in shown_in_the_readme() if line not in " ".join(result.out.split())} == {"..."}
    [row] = re.findall(r"^baseline bm25 +bm25plus .*$", result.out, re.MULTILINE)
    assert row.split()[-3:-1] == ["1", "3"]  # the best run would be third, as the README says
    first = Path("workshop.db").read_bytes()
    assert "workshop-2.db" in cranfield("demo").out
    assert Path("workshop.db").read_bytes() == first
    scores = json.loads(cranfield("evaluate workshop.db --format json").out)
    assert scores["topics"] == 25
