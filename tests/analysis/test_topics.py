"""How far topics are judged, and what their first ranks hold."""

from pathlib import Path

import pytest

from cranfield.analysis.collections import first_ranks, topic_documents, topic_rows
from cranfield.formats import Topic
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from tests.judging.cases import store_of
from tests.views import view_of

LABELS = {"q1": {"d1": 2, "d2": 0, "d5": 1}, "q3": {"d5": 0}}  # d5 is outside the pool of q1
RUNS = {
    "a": {"q1": {"d1": 3.0, "d3": 2.0, "d2": 1.0}, "q2": {"d4": 1.0}},
    "b": {"q1": {"d3": 2.0, "d4": 1.0}},
    "c": {"q1": {"d5": 3.0, "d1": 2.0}},
}


def judged(path: Path | None = None) -> Store:
    """A store of three topics of which one is judged in part, one not at all, and one completely."""
    store = store_of(path=path)
    add_runs(store, as_runs(RUNS))
    import_qrels(store, as_qrels(LABELS), "nist")
    return store


def test_the_state_of_topics() -> None:
    """Labels outside the pool are judged, and settle nothing of it."""
    with judged() as store:
        rows = {row["topic"]: row for row in topic_rows(store)}
    assert [rows[qid]["state"] for qid in ("q1", "q2", "q3")] == ["in progress", "not begun", "judged"]
    counts = {name: rows["q1"][name] for name in ("pooled", "judged", "unjudged", "relevant", "grade 0", "grade 1")}
    assert counts == {"pooled": 3, "judged": 3, "unjudged": 1, "relevant": 2, "grade 0": 1, "grade 1": 1}


def test_documents_of_a_topic() -> None:
    """Those of the pool first; each with everybody's current decision and the grade that counts."""
    with judged() as store:
        add_assessor(store, "ada")
        append(store, Event("later", "q1", "d3", "ada"), Event("label", "q1", "d2", "ada", 2))
        documents = topic_documents(store, "q1", 1)
        record_label_choice(store, assessor="nist")
        chosen = topic_documents(store, "q1", 1)
    assert [(one.docno, one.entry is not None, one.grade, one.undecided) for one in documents] == [
        ("d1", True, 2, False), ("d2", True, None, True), ("d3", True, None, False), ("d5", False, 1, False),
    ]  # fmt: skip
    assert [one.grade for one in chosen] == [2, 0, None, 1]
    assert [(event.assessor, event.kind, event.grade) for event in documents[1].decisions] == [
        ("nist", "import", 0), ("ada", "label", 2),
    ]  # fmt: skip


@pytest.mark.needs_extra("report")
def test_the_first_ranks_are_those_of_the_report(tmp_path: Path) -> None:
    """The same grades and holes; the run with most relevant documents is first."""
    from cranfield.report.by_topic import RANKS
    from cranfield.report.by_topic import first_ranks as ranks_of_report
    from cranfield.report.table import HOLE, NOTHING

    judged(tmp_path / "s.db").close()
    with Store.open(tmp_path / "s.db") as store:
        rows = first_ranks(store, "q1", RANKS)
    assert [(one.run, one.relevant) for one in rows] == [("c", 2), ("a", 1), ("b", 0)]
    source = view_of([tmp_path / "s.db"])
    tokens = ranks_of_report(source.judged)[:, source.judged.qids.index("q1")]
    for one in rows:
        own = [HOLE if grade is None else str(grade) for grade in one.grades]
        assert tokens[source.judged.tags.index(one.run)].tolist() == own + [NOTHING] * (RANKS - len(own))


@pytest.mark.needs_extra("serve")
def test_what_another_program_adds_is_there(tmp_path: Path) -> None:
    """A store that is open for looking knows topics and documents that come later."""
    from cranfield.web.look.table import answer

    judged(tmp_path / "s.db").close()
    with Store.open(tmp_path / "s.db") as looking, Store.open(tmp_path / "s.db") as other:
        assert "q9" not in answer(looking, "topics", "csv", []).text()
        other.add_topics([Topic("q9", "new")])
        import_qrels(other, as_qrels({"q9": {"d99": 1}}), "later")
        assert answer(looking, "topics", "csv", []).text().splitlines()[-1] == "q9,new,nothing pooled,0,1,0,0,1,0,0,1,0"
