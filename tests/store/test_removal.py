"""store remove: what was a mistake is gone, what labels depend on stays, and nothing is rewritten."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import InputError, StoreError
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.formats.nuggets import AnswerLabel, PlainNugget
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.imports import import_nuggets
from cranfield.features.answers.store.labels import NUGGET_LABELS, LabelEvent
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.features.preferences.files import import_preferences
from cranfield.features.preferences.store import current_preferences
from cranfield.formats import Document, Topic
from cranfield.formats.preferences import PreferenceLine
from cranfield.metrics.evaluate import aggregate_scores, score
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse_measures
from cranfield.store.chain import Event
from cranfield.store.history import history, importing
from cranfield.store.log import add_assessor, append, assessors, read_events
from cranfield.store.names import find_missing_names
from cranfield.store.pools import Pool, PooledDocument, add_pool, stored_pool
from cranfield.store.qrels import import_qrels, qrels_of
from cranfield.store.removal import remove
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import ROOT, Cranfield
from tests.files import track_files
from tests.stores import filled, new_store

RUNS = {
    "a": {"q1": {"d1": 3.0, "d2": 2.0, "x1": 1.0}, "q2": {"d3": 1.0}},
    "b": {"q1": {"d2": 3.0, "d4": 2.0}, "q3": {"d1": 2.0, "x2": 1.0}},
    "c": {"q3": {"d4": 1.0}},
}
QRELS = {"q1": {"d1": 1, "d2": 0, "x1": 1}, "q2": {"d3": 1}}
POOLED = [PooledDocument("q1", "d2", 1, ("b",)), PooledDocument("q3", "d1", 1, ("b",))]


@pytest.fixture
def store() -> Iterator[Store]:
    """Four documents, three topics, three runs that name two documents more."""
    with new_store() as small:
        with importing(small, "corpus", ["corpus"]):
            filled(small, documents={f"d{number}": f"a text on wing{number}" for number in range(1, 5)})
        with importing(small, "topics", ["topics"]):
            filled(small, topics={f"q{number}": f"title {number}" for number in range(1, 4)})
        with importing(small, "runs", ["a", "b", "c"]):
            filled(small, runs=RUNS)
        yield small


Rows = list[tuple[str, str, str, float]]


def rows(store: Store) -> Rows:
    """Every line of every run."""
    runs = stored_runs(store)
    qids, docnos = runs.topics.names[runs.topic].tolist(), runs.docnos.names[runs.document].tolist()
    tags = [runs.tags[run] for run in runs.run]
    return sorted(zip(tags, qids, docnos, runs.score.tolist(), strict=True))


def lines(runs: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Rows:
    """The same of dicts."""
    return sorted(
        (t, q, d, s) for t, of_topics in runs.items() for q, ranking in of_topics.items() for d, s in ranking.items()
    )


def check_numbers(store: Store) -> None:
    """Row numbers of documents and topics are dense: less one, they are places in the vocabulary."""
    for table in ("document", "topic"):
        numbers = [number for (number,) in store.rows(f"SELECT id FROM {table} ORDER BY id")]
        assert numbers == list(range(1, len(numbers) + 1))
    assert [store.docnos.names[number - 1] for (number,) in store.rows("SELECT id FROM document")] == [
        docno for (docno,) in store.rows("SELECT docno FROM document")
    ]


def ap(store: Store) -> dict[str, float]:
    """The AP of each stored run."""
    measures = parse_measures(["AP"])
    judged = join_runs_and_qrels(stored_runs(store), qrels_of(store))
    means = aggregate_scores(score(judged, measures), measures)[:, 0]
    return dict(zip(judged.tags, means.tolist(), strict=True))


# Runs


def test_a_run_is_gone_and_the_others_are_as_they_were(store: Store) -> None:
    """With the documents that nobody else names; what came with it is in the history."""
    assert remove(store, "run", ["b"], "a wrong file") == [
        "run b: removed, with 2 rankings and 1 document that nothing else refers to"
    ]
    assert list(run_info(store)) == ["a", "c"]
    assert rows(store) == lines({"a": RUNS["a"], "c": RUNS["c"]})
    assert (store.counts()["document"], [lack.missing for lack in find_missing_names(store)]) == (5, [1])
    check_numbers(store)
    last = history(store)[-1]
    assert (last.number, last.what, last.name, last.holds, last.reason) == (
        "removal 1", "run", "b", "2 rankings", "a wrong file",
    )  # fmt: skip
    what = json.loads(store.rows("SELECT what FROM removal")[0][0])
    assert (what["tag"], what["team"], what["rankings"]) == ("b", "b", 2)


def test_removed_and_imported_again_it_is_the_same(store: Store) -> None:
    """Scores, orders and counts are those of a store that never had the mistake."""
    import_qrels(store, as_qrels(QRELS), "nist")
    before, scores, counts = rows(store), ap(store), store.counts()
    remove(store, "run", ["b", "a"])
    assert ap(store) == {"c": 0.0}
    add_runs(store, as_runs({"b": RUNS["b"]}))
    add_runs(store, as_runs({"a": RUNS["a"]}))
    check_numbers(store)
    assert (rows(store), ap(store), store.counts()) == (before, scores, counts)


def test_a_run_under_a_pool_stays(store: Store) -> None:
    """Whether the pool was judged or not; other runs may go."""
    add_pool(store, Pool("depth", {"depth": 1, "runs": ["a", "b"]}, POOLED))
    with pytest.raises(StoreError, match=r"run 'a' cannot be removed: pool 1 was made from it; remove pool 1 first"):
        remove(store, "run", ["c", "a"])
    assert list(run_info(store)) == ["a", "b", "c"]
    add_assessor(store, "ada")
    append(store, Event("label", "q1", "d2", "ada", grade=1, pool=1))
    with pytest.raises(
        StoreError, match=r"run 'b' cannot be removed: pool 1 was made from it, and 1 judgment came from it"
    ):
        remove(store, "run", ["b"])
    remove(store, "run", ["c"])
    assert list(run_info(store)) == ["a", "b"]


def test_a_run_that_a_document_of_a_pool_names_stays(store: Store) -> None:
    """A pool that does not say what it was made from is asked document by document."""
    add_pool(store, Pool("mtc", {}, POOLED))
    with pytest.raises(StoreError, match="run 'b' cannot be removed: pool 1"):
        remove(store, "run", ["b"])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_coming_and_going_ends_the_same(seed: int) -> None:
    """What is left is what a store has that got only this."""
    chance, present = Random(seed), dict[str, dict[str, dict[str, float]]]()
    with new_store() as store:
        for number in range(12):
            if present and chance.random() < 0.4:
                tag = chance.choice(sorted(present))
                del present[tag]
                remove(store, "run", [tag])
            else:
                qids = chance.sample(["q1", "q2", "q3", "q4"], 2)
                run = {q: {f"d{chance.randrange(9)}": chance.random() for _ in range(3)} for q in qids}
                present[f"r{number}"] = run
                add_runs(store, as_runs({f"r{number}": run}))
            check_numbers(store)
            assert rows(store) == lines(present)
            counts = store.counts()
            assert counts["document"] == len({docno for _, _, docno, _ in lines(present)})
            assert counts["topic"] == len({qid for _, qid, _, _ in lines(present)})


# Topics


def test_a_topic_is_gone_and_comes_back_with_another_title(store: Store) -> None:
    """Its row stays where it was; whoever lists topics does not see it."""
    remove(store, "run", ["c"])
    assert remove(store, "topic", ["q3"]) == [
        "topic q3: removed, with 1 ranking and 1 document that nothing else refers to"
    ]
    assert [topic.qid for topic in store.topics()] == ["q1", "q2"]
    assert (store.counts()["topic"], store.document("d1").docno) == (2, "d1")
    check_numbers(store)
    with pytest.raises(InputError, match="topic 'q3' is not in the store"):
        add_runs(store, as_runs({"d": {"q3": {"d1": 1.0}}}))
    with pytest.raises(StoreError, match="no topic 'q3'"):
        remove(store, "topic", ["q3"])
    store.add_topics([Topic("q3", "a better title"), Topic("q4", "one more")])
    assert [topic.title for topic in store.topics()] == ["title 1", "title 2", "a better title", "one more"]
    add_runs(store, as_runs({"d": {"q3": {"d1": 2.0, "d2": 1.0}, "q4": {"d2": 1.0}}}))
    import_qrels(store, as_qrels({"q3": {"d2": 1}, "q4": {"d2": 1}}), "nist")
    check_numbers(store)
    assert ap(store) == {"a": 0.0, "b": 0.0, "d": 0.75}


def test_a_topic_stays_where_labels_or_pools_are_about_it(store: Store) -> None:
    """And where a run answers no other: it would retrieve nothing."""
    with pytest.raises(
        StoreError, match=r"topic 'q3' cannot be removed: run 'c' answers no other topic; remove that run first"
    ):
        remove(store, "topic", ["q3"])
    add_pool(store, Pool("depth", {"depth": 1, "runs": ["b"]}, POOLED))
    with pytest.raises(
        StoreError,
        match=r"topic 'q1' cannot be removed: pool 1 contains 1 document for this topic; remove that pool first",
    ):
        remove(store, "topic", ["q2", "q1"])
    import_qrels(store, as_qrels({"q2": {"d3": 1}}), "nist")
    with pytest.raises(StoreError, match=r"topic 'q2' cannot be removed: it was judged \(1 event in the log\)"):
        remove(store, "topic", ["q2"])
    assert len(store.topics()) == 3


# Pools


def test_a_pool_is_gone_and_its_number_is_not_used_again(store: Store) -> None:
    """What another pool says of it stays true."""
    for depth in (1, 2):
        add_pool(store, Pool("depth", {"depth": depth, "runs": ["b"]}, POOLED))
    assert remove(store, "pool", ["2"]) == ["pool 2: removed, with 2 documents"]
    assert stored_pool(store).number == 1
    assert add_pool(store, Pool("depth", {"depth": 3, "runs": ["b"]}, POOLED)) == 3
    remove(store, "pool", ["1", "3"])
    assert store.counts()["pool"] == 0
    remove(store, "run", ["b"])


def labelled(store: Store) -> None:
    add_assessor(store, "ada")
    append(store, Event("label", "q1", "d2", "ada", grade=1, pool=1))


def import_votes(store: Store) -> None:
    import_qrels(store, as_qrels({"q1": {"d2": 1}}), "nist")


def assign_all(store: Store) -> None:
    store.conn.execute("INSERT INTO plan (id, made, pool, overlap, repeats, seed, lease) VALUES (1, '', 1, 0, 0, 0, 0)")
    store.conn.commit()


def hold(store: Store) -> None:
    add_pool(store, Pool("depth", {"depth": 2, "runs": ["b"], "holds": 1}, POOLED))


@pytest.mark.parametrize(
    ("happen", "why"),
    [
        (labelled, "1 judgment came from it"),
        (import_votes, "1 judgment came from it"),
        (assign_all, "its topics were assigned"),
        (hold, "pool 2 includes it; remove that pool first"),
    ],
)
def test_a_pool_stays_where_something_depends_on_it(store: Store, happen: Callable[[Store], None], why: str) -> None:
    """Labels made on it, labels that came later on documents that only it has, a plan, another pool."""
    add_pool(store, Pool("depth", {"depth": 1, "runs": ["b"]}, POOLED))
    happen(store)
    with pytest.raises(StoreError, match=f"pool 1 cannot be removed: {why}"):
        remove(store, "pool", ["1"])
    assert store.counts()["pool"] >= 1


def test_a_pool_that_came_after_the_labels_may_go(store: Store) -> None:
    """They do not depend on it."""
    with importing(store, "qrels", ["qrels"]):
        import_votes(store)
    add_pool(store, Pool("depth", {"depth": 1, "runs": ["b"]}, POOLED))
    store.conn.execute("UPDATE pool SET created = '9999'")
    store.conn.commit()
    assert remove(store, "pool", ["1"]) == ["pool 1: removed, with 2 documents"]
    assert len(qrels_of(store)) == 1


# Imports


def number_of(store: Store, kind: str) -> str:
    return str(store.rows("SELECT max(id) FROM import WHERE kind = ?", [kind])[0][0])


def test_an_import_of_judgments_is_taken_back_by_events(store: Store) -> None:
    """The log keeps both; what only they named is unknown no more; the next import counts."""
    with importing(store, "qrels", ["padded"]):
        import_qrels(store, as_qrels({"q1": {"d1": 1, "d003": 1, "d004": 0}}), "nist", "human")
    before = read_events(store)
    assert [lack.missing for lack in find_missing_names(store)] == [4]
    commands = remove(store, "import", [number_of(store, "qrels")])
    assert commands == ["import 4: 3 judgments retracted, with one event each"]
    log = read_events(store)
    assert log[:3] == before
    assert [(event.kind, event.supersedes, event.assessor, event.note) for event in log[3:]] == [
        ("retract", number, "nist", "import 4 removed") for number in (1, 2, 3)
    ]
    assert (len(qrels_of(store)), [lack.missing for lack in find_missing_names(store)]) == (0, [2])
    check_numbers(store)
    with importing(store, "qrels", ["right"]):
        import_qrels(store, as_qrels({"q1": {"d1": 1, "d3": 1, "d4": 0, "d003": 1}}), "nist", "human")
    assert (len(qrels_of(store)), assessors(store)["nist"]) == (4, "human")
    assert store.document("d003").docno == "d003"
    check_numbers(store)
    holds = [line.holds for line in history(store) if line.what == "qrels"]
    assert holds == ["0 of 3 judgments", "4 judgments"]


def test_only_what_still_stands_is_taken_back(store: Store) -> None:
    """An event that its assessor took back herself is left alone, and so are other people's and her own labels."""
    with importing(store, "qrels", ["qrels"]):
        import_qrels(store, as_qrels({"q1": {"d1": 1, "d2": 1}}), "ada", "human")
    append(store, Event("retract", "q1", "d1", "ada", supersedes=1))
    append(store, Event("label", "q1", "d1", "ada", grade=0), Event("adjudicate", "q1", "d2", "ada", grade=0))
    add_pool(store, Pool("depth", {"depth": 1, "runs": ["b"]}, POOLED))
    (commands,) = remove(store, "import", [number_of(store, "qrels")])
    rest = "1 adjudication on them remains; pool 1 was built while these judgments counted"
    assert commands == f"import 4: 1 judgment retracted, with one event each; {rest}"
    assert [event.supersedes for event in read_events(store) if event.kind == "retract"] == [1, 2]
    assert sorted(qrels_of(store).grade.tolist()) == [0, 0]
    with pytest.raises(
        InputError, match="assessor 'ada' already exists with kind human, which cannot be changed to model"
    ):
        import_qrels(store, as_qrels({"q1": {"d4": 1}}), "ada", "model")


def test_an_import_is_taken_back_once(store: Store) -> None:
    """A second time there is nothing to take back, and no number is guessed."""
    remove(store, "import", ["3"])
    assert (run_info(store), store.counts()["document"]) == ({}, 4)
    with pytest.raises(StoreError, match="import 3 was already removed"):
        remove(store, "import", ["3"])
    with pytest.raises(StoreError, match=r"no import 9 .*store history"):
        remove(store, "import", ["9"])
    with pytest.raises(StoreError, match="'x'; expected the number of the import"):
        remove(store, "import", ["x"])
    removals = [(line.what, line.name) for line in history(store) if line.number.startswith("removal")]
    assert removals == [("run", "a"), ("run", "b"), ("run", "c"), ("import", "3")]


def test_an_import_of_topics_is_taken_back_whole_or_not(store: Store) -> None:
    """One that was judged keeps them all."""
    with pytest.raises(StoreError, match="topic 'q2' cannot be removed: run 'a' answers no other"):
        remove(store, "import", ["2"])
    assert len(store.topics()) == 3
    remove(store, "import", ["3", "2"])
    assert store.topics() == []
    store.add_topics([Topic("q2", "again")])
    assert [topic.qid for topic in store.topics()] == ["q2"]
    check_numbers(store)


def test_a_corpus_is_taken_back(store: Store) -> None:
    """What runs name is known by its docno alone; what is gone is not found; another takes its place."""
    (commands,) = remove(store, "import", ["1"])
    assert commands == "import 1: 4 documents removed; runs still refer to 4 of them"
    assert (list(store.documents()), store.search("wing1", 5), store.counts()["document"]) == ([], [], 6)
    store.add_documents([Document("d1", text="another wing1"), Document("new", text="more")])
    assert [docno for docno, _ in store.search("wing1", 5)] == ["d1"]
    assert rows(store) == lines(RUNS)
    check_numbers(store)


@pytest.mark.parametrize(("what", "why"), [("label", "1 document from it was judged"), ("pool", "2 documents from it")])
def test_a_corpus_that_was_judged_or_pooled_stays(store: Store, what: str, why: str) -> None:
    """What a label is about is not taken from under it."""
    if what == "pool":
        add_pool(store, Pool("depth", {"depth": 1, "runs": ["b"]}, POOLED))
    else:
        import_votes(store)
    with pytest.raises(StoreError, match=f"import 1 cannot be removed: {why}"):
        remove(store, "import", ["1"])
    assert len(list(store.documents())) == 4


def test_a_log_that_was_added_to_holds(store: Store) -> None:
    """Taking back is one more link of the chain; a text that nobody has judged any more may become another."""
    with importing(store, "qrels", ["qrels"]):
        import_qrels(store, as_qrels({"q1": {"d1": 1, "d3": 1}}), "nist")
    remove(store, "import", ["4", "1"])
    store.add_documents([Document("d1", text="the right text")])
    append(store, Event("import", "q1", "d1", "nist", grade=0))
    assert verify(store).events == 5


def test_a_failed_import_has_no_number(store: Store) -> None:
    """All or nothing holds for the history as well."""
    with pytest.raises(InputError), importing(store, "runs", ["d"]):
        add_runs(store, as_runs({"d": {"q9": {"d1": 1.0}}}))
    assert len(history(store)) == 3
    assert store.importing is None


@pytest.mark.parametrize(
    "sql",
    ["UPDATE import SET kind = 'votes'", "DELETE FROM import", "UPDATE removal SET name = ''", "DELETE FROM removal"],
)
def test_the_history_is_append_only(store: Store, sql: str) -> None:
    """Even plain SQL cannot rewrite what came and went."""
    remove(store, "run", ["a"])
    with pytest.raises(sqlite3.IntegrityError, match=r"never|append-only"):
        store.db.execute(sql)


# The command line


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Cranfield:
    """The command line in a folder with a store of two runs and judgments."""
    monkeypatch.chdir(tmp_path)
    track_files(
        Path(),
        {"q1": {"d1": 1}, "q2": {"d2": 1}},
        {"a": {"q1": ["d1"], "q2": ["d2"]}, "b": {"q1": ["d2"], "q2": ["d0"]}},
        topics={"q1": "one", "q2": "two"},
        documents=dict.fromkeys(("d0", "d1", "d2"), "wing"),
    )
    Path("votes.csv").write_text("assessor,qid,docno,grade,state\nada,q1,d0,1,\nada,q1,d1,,cannot-judge\n")
    cranfield.run("init track.db --name x", "import corpus track.db corpus.jsonl", "import topics track.db topics.tsv",
                  "import runs track.db a b", "import qrels track.db qrels")  # fmt: skip
    return cranfield


@pytest.mark.full
def test_a_mistake_is_taken_back_and_made_good(commands: Cranfield) -> None:
    """Remove, import, evaluate: the scores are those of the right files."""
    scores = commands("evaluate track.db -m AP").out
    assert commands("store remove track.db import 4 --reason padded").out.startswith("import 4: 2 judgments retracted")
    assert commands("evaluate track.db").err == "error: track.db: there are no judgments in this store yet\n"
    assert commands("store remove track.db run a b").out.count("\n") == 2
    commands.run("import runs track.db a b", "import qrels track.db qrels")
    assert commands("evaluate track.db -m AP").out == scores
    happenings = json.loads(commands("store history track.db --format json").out)
    assert [line["number"] for line in happenings] == [
        *(f"import {number}" for number in range(1, 5)), *(f"removal {number}" for number in range(1, 4)),
        "import 5", "import 6",
    ]  # fmt: skip
    assert happenings[4]["reason"] == "padded"


@pytest.mark.full
def test_votes_are_taken_back(commands: Cranfield) -> None:
    """Also those without a grade."""
    commands("import votes track.db votes.csv")
    assert commands("store remove track.db import 5").out == "import 5: 2 judgments retracted, with one event each\n"
    assert commands("import votes track.db votes.csv").code == 0


def test_all_that_are_named_or_none(commands: Cranfield) -> None:
    """One name that is wrong leaves everything; wrong usage is told apart."""
    result = commands("store remove track.db run a nothing")
    assert result == (1, "", "error: no run 'nothing' in this store; available: b\n")
    assert "run               2" in commands("info track.db").out
    assert commands("store remove track.db topic q1").err.startswith(
        "error: topic 'q1' cannot be removed: it was judged"
    )
    assert commands("store remove track.db pool 1").err == "error: no pool 1 in this store; it has none\n"
    assert commands("store remove track.db pool one").code == 2
    assert commands("store remove track.db planet x").code == 2


@pytest.mark.full
def test_a_collection_built_by_recipe_can_be_taken_back(tmp_path: Path, cranfield: Cranfield) -> None:
    """Its parts are imports as well."""
    recipes = ROOT / "collections" / "workshop"
    path = tmp_path / "w.db"
    assert cranfield("collection", "build", "workshop", recipes, path).code == 0
    happenings = json.loads(cranfield("store", "history", path, "--format", "json").out)
    assert [line["what"] for line in happenings] == ["corpus", "topics", "qrels", "qrels", "qrels", "labels"]
    assert cranfield("store", "remove", path, "import", "3", "4", "5").code == 0
    with Store.open(path) as store:
        assert len(qrels_of(store)) == 0


def nuggets_imported(store: Store) -> int:
    """Two answers, and three nuggets with two labels of them from a file; the number of the import."""
    add_answers(store, [Answer("rag", qid, [Sentence("Wings lift.")]) for qid in ("q1", "q2")])
    labels = [AnswerLabel("rag", "support", "ada")]
    with importing(store, "nuggets", ["nuggets.jsonl"]) as number:
        import_nuggets(store, [PlainNugget("q1", "lift grows", "vital", [], labels),
                               PlainNugget("q1", "speed counts", "okay", [], labels),
                               PlainNugget("q2", "drag grows", "okay")], "nist")  # fmt: skip
    return number


def test_an_import_of_nuggets_is_taken_back_with_its_labels(store: Store) -> None:
    """By one event each; what was edited since stays, and the history knows it all."""
    number = nuggets_imported(store)
    assert history(store)[-1].holds == "3 nuggets, 2 labels"
    edit_nuggets(store, [NuggetEdit("vital", "q2", "ada", nugget=current_nuggets(store, "q2")[0].number)])
    [line] = remove(store, "import", [str(number)], "wrong file")
    assert line.endswith("3 nuggets and 2 labels retracted, with one event each; 1 nugget edited since remains")
    assert [(one.text, one.importance) for one in current_nuggets(store)] == [("drag grows", "vital")]
    assert NUGGET_LABELS.labels(store) == {}
    before, after = history(store)[-2:]
    assert (before.holds, after.holds) == ("0 of 3 nuggets, 0 of 2 labels", "3 nuggets, 2 labels")
    assert verify(store).other_events == 5 + 1 + 5


def test_nuggets_that_others_labelled_stay(store: Store) -> None:
    number = nuggets_imported(store)
    add_assessor(store, "bob")
    NUGGET_LABELS.append(store, [LabelEvent("label", (1, 1), "bob", "support")])
    with pytest.raises(StoreError, match="1 label of its nuggets is from elsewhere"):
        remove(store, "import", [str(number)])
    assert len(current_nuggets(store)) == 3


def test_an_import_of_preferences_is_taken_back(store: Store) -> None:
    lines = [
        PreferenceLine(1, "q1", "nist", subgroup="1", docno=docno, level=level)
        for docno, level in (("d1", 2.0), ("d2", 1.0))
    ]
    with importing(store, "preferences", ["prefs"]) as number:
        import_preferences(store, lines)
    assert history(store)[-1].holds == "1 preference"
    [line] = remove(store, "import", [str(number)])
    assert line == f"import {number}: 1 preference retracted, with one event each"
    assert current_preferences(store) == []
    assert history(store)[-2].holds == "0 of 1 preference"
