"""Active learning as a pooling method: what it proposes, that it can be taken up anywhere, and what it refuses."""

import json
import pickle
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as api
from cranfield.analysis.contributors import with_contributors
from cranfield.analysis.missed import repool_without_units
from cranfield.analysis.pools import pool_closure
from cranfield.features.collecting.finding.engines import OwnLearner
from cranfield.features.collecting.learning import KEPT, Learner
from cranfield.features.collecting.vectors import VectorCorpus, corpus_of, topic_text, vectors_of
from cranfield.features.models.asking.assess import assessment
from cranfield.features.models.asking.limits import AskLimits
from cranfield.formats import Document, Topic
from cranfield.judging.session import adaptive
from cranfield.judging.session.order import sort_by_hash
from cranfield.pooling.adaptive import propose_documents, resume
from cranfield.pooling.candidates import Candidates, corpus_candidates
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import proposals
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.pools import stored_pool
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdraw
from tests.conftest import Cranfield, usually
from tests.features.collecting.corpora import TOPICS, documents, judge, relevant, store_of
from tests.features.models.stand_in import Post, Response, reply, stand_in
from tests.judging.cases import at, session_of
from tests.stores import filled
from tests.views import view_of

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[3]


def topic_of(store: Store, qid: str = "1", budget: int | None = 15) -> Candidates:
    return next(topic for topic in corpus_candidates([], corpus_of(store), (), budget) if topic.qid == qid)


def judged(store: Store, qid: str, docnos: list[str]) -> None:
    filled(store, labels={"bob": {(qid, docno): int(relevant(qid, docno)) for docno in docnos}})


GROWING = PoolRequest("cal", 20, 18, seed=1, options={"first": 4})


@pytest.fixture(scope="module")
def pool_store() -> Iterator[Store]:
    """A store whose pool grew in one session, to its budget."""
    with store_of() as store:
        build(store, GROWING)
        judge(store)
        yield store


def pooled(store: Store) -> set[tuple[str, str, int]]:
    return {(d.qid, d.docno, d.depth) for d in stored_pool(store).documents}


def test_it_finds_what_is_alike() -> None:
    """From the topic's text alone, 15 of 60 documents are nearly all of the subject."""
    with store_of(run=False) as store:
        topic = topic_of(store)
        truth = np.array([relevant("1", docno) for docno in topic.docnos])
        order = proposals(METHODS["cal"].start(topic), truth, 15)
        assert truth[order].sum() >= 13
        assert np.array_equal(order, proposals(METHODS["cal"].start(topic), truth, 15))


@pytest.mark.parametrize("name", ["cal", "scal"])
def test_a_state_taken_up_anywhere_goes_on_alike(name: str) -> None:
    """What came and what is known decide, not how often the state was begun again."""
    with store_of(run=False) as store:
        topic = topic_of(store)
        truth = {number: relevant("1", docno) for number, docno in enumerate(topic.docnos.tolist())}
        straight, again, labels = METHODS[name].start(topic, seed=3), list[int](), dict[int, bool]()
        for _ in range(8):
            batch = straight.next(4).tolist()
            state = resume(lambda: METHODS[name].start(topic, seed=3), again, labels).state
            assert propose_documents(state, again, 4) == batch
            labels |= {document: truth[document] for document in batch}
            straight.observe({document: truth[document] for document in batch})
            again += batch


def test_scal_is_unbiased(monkeypatch: pytest.MonkeyPatch) -> None:
    """The labels weighed by what they stand for add up to the number of relevant documents, on average of seeds.

    Whatever the classifier thinks: here it ranks the relevant higher, but often errs, and otherwise after each label.
    """
    topic = corpus_candidates([], VectorCorpus(vectors_of(documents(100)), TOPICS), ())[0]
    truth, totals = np.array([relevant("1", docno) for docno in topic.docnos]), []
    monkeypatch.setattr(
        Learner, "scores", lambda self, known, *_: truth + np.random.default_rng(sum(known)).random(300) * 2
    )
    for seed in range(usually(100, 1000)):
        state = METHODS["scal"].start(topic, {"bound": 3}, seed)
        order = proposals(state, truth, 1000)
        chance = {d.docno: d.probability or 0.0 for d in state.pooled(order.tolist())}  # type: ignore[attr-defined]
        totals.append(sum(1 / chance[docno] for docno in topic.docnos[order[truth[order]]]))
    assert abs(np.mean(totals) - truth.sum()) < 3 * np.std(totals) / np.sqrt(len(totals))
    assert len(order) == METHODS["scal"].most(300, {"bound": 3})  # type: ignore[misc]


def test_a_pool_grows_as_built_at_once(tmp_path: Path, pool_store: Store) -> None:
    """Judged batch by batch, reopened between, the pool is that of a simulation; and it is rebuilt from its steps."""
    path = tmp_path / "s.db"
    with store_of(path) as store:
        build(store, GROWING)
    judging = 1
    while judging:
        with Store.open(path) as store:
            judging = judge(store, 9)
    with Store.open(path) as store:
        assert pooled(store) == pooled(pool_store)
        pool = stored_pool(store)
        assert {d.stratum for d in pool.documents} == {"run", "cal"}
        assert all(d.runs == ("poor",) if d.stratum == "run" else not d.runs for d in pool.documents)
        assert sorted(d.depth for d in pool.documents if d.qid == "1") == list(range(1, 19))
        corpus = corpus_of(store)
        topic = corpus_candidates([], corpus, ())[0]
    source = view_of([path])
    assert pickle.loads(pickle.dumps(source.corpus))("cal").docnos.tolist() == topic.docnos.tolist()
    who = with_contributors(source).contributors
    assert who is not None
    assert "cal proposed documents from the whole corpus" in who.notes[-1]
    assert pool_closure(view_of([path]), None)[0].otherwise.keys() == {"cal"}
    again = repool_without_units(
        source.runs, source.qrels, source.judged, source.pool_stages, {"shop": ["poor"]}, corpus=source.corpus
    )
    assert again.whole.moments.keys() == TOPICS.keys()
    assert len(topic) == 60


def test_a_batch_that_was_prepared_is_the_same(monkeypatch: pytest.MonkeyPatch, pool_store: Store) -> None:
    """The scores are worked out for either grade of a batch's last document; one is asked for, and taken once."""
    monkeypatch.setattr("cranfield.judging.session.adaptive.LARGE", 0)
    with store_of() as store:
        build(store, GROWING)
        judge(store)
        assert pooled(store) == pooled(pool_store)
    corpus = VectorCorpus(vectors_of(documents()), TOPICS)
    learner, labels, rest = Learner(corpus, "1", seed=1), {0: False, 40: True}, np.arange(60) > 1
    learner.prepare(labels, rest, 2)
    learner.prepare(labels, rest, 2)
    assert len(corpus.ready) == 1
    ready = learner.scores(labels, rest, 2)
    assert corpus.ready == {}
    assert np.array_equal(ready, learner.scores(labels, rest, 2))
    for step in range(2 * KEPT):
        learner.prepare(labels, rest, step)
    assert len(corpus.ready) == KEPT


def test_scal_works_out_no_batch_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taken up again it looks up what it has drawn."""
    topic = corpus_candidates([], VectorCorpus(vectors_of(documents()), TOPICS), ())[0]
    truth = np.array([relevant("1", docno) for docno in topic.docnos])
    order = proposals(METHODS["scal"].start(topic, {"bound": 2}), truth, 20).tolist()
    monkeypatch.setattr(Learner, "scores", None)
    labels = {document: bool(truth[document]) for document in order}
    state = METHODS["scal"].start(topic, {"bound": 2})
    state.restore(order, labels)  # type: ignore[attr-defined]
    assert {*state.held} >= {*order}  # type: ignore[attr-defined]


KILLED = """
import os, sys
from pathlib import Path
from cranfield.judging.session import adaptive
from cranfield.store.store import Store
from tests.features.collecting.corpora import judge

def killed(*given):
    os.kill(os.getpid(), 9)

adaptive.grow = killed
with Store.open(Path(sys.argv[1])) as store:
    judge(store)
"""


def test_a_kill_between_batches_leaves_the_same_pool(tmp_path: Path, pool_store: Store) -> None:
    """After the label that ends a batch, and before the next one comes."""
    path = tmp_path / "s.db"
    with store_of(path) as store:
        build(store, GROWING)
        judge(store, 11)
    assert subprocess.run([sys.executable, "-c", KILLED, path], cwd=ROOT, check=False).returncode == -9
    with Store.open(path) as store:
        judge(store)
        assert pooled(store) == pooled(pool_store)


def test_a_model_takes_it_as_far_as_a_person(pool_store: Store) -> None:
    """Each topic gets its next batch when the last one has labels."""
    subject, qid = {one.text: one.docno for one in documents()}, {title: qid for qid, title in TOPICS.items()}

    def answer(post: Post, _: int) -> Response:
        [title] = re.findall(r"^Topic: (\w+)$", post.text, re.MULTILINE)
        [docno] = [docno for text, docno in subject.items() if text in post.text]
        return reply(f"Grade: {int(relevant(qid[title], docno))}")

    with store_of() as store, stand_in(answer) as server:
        build(store, GROWING)
        tally = assessment(store, "m", url=server.url, prompt="basic").run(AskLimits(pause=0.0))
        assert tally.outcomes == {"ok": 36}
        assert pooled(store) == pooled(pool_store)


def test_a_second_assessor_gets_the_whole_pool_in_hash_order(pool_store: Store) -> None:
    """Though its batches were those of what was likely relevant first."""
    session, docnos_of = session_of(pool_store, "bob", order=None), dict[str, list[str]]()
    pool = stored_pool(pool_store).documents
    while (document := session.view.document) is not None and session.pair:
        docnos_of.setdefault(session.pair[0], []).append(document.docno)
        at(session).grade(0)
    for qid, docnos in docnos_of.items():
        assert docnos == sort_by_hash([one.docno for one in pool if one.qid == qid], qid, session.seed)
    assert [len(docnos) for docnos in docnos_of.values()] == [18, 18]


def test_a_draw_of_the_rest(tmp_path: Path) -> None:
    """Beyond the budget a sample comes, of three strata; what was not drawn is sure to be in."""
    with store_of() as store:
        build(store, PoolRequest("cal", 20, 12, options={"first": 4, "sample": 9}))
        judge(store)
        documents = [d for d in stored_pool(store).documents if d.qid == "1"]
        assert len(documents) == 12 + 3  # of 60 documents the two lower strata are empty
        assert {d.probability for d in documents if d.stratum in ("run", "cal")} == {1.0}
        assert {d.probability for d in documents if d.stratum == "sample: next 100"} == {3 / 48}


def test_what_came_in_a_part_of_a_batch_is_pooled() -> None:
    """A method that proposes less than it may, for there is no more or it would hear first, loses none of it.

    Labels of others train it before the first batch, and are not proposed.
    """
    before = {"wing00", "wing01", "wing02"}
    for method, budget, batch, size in (("cal", 18, 15, 15), ("draw", 58, None, 57), ("scal", 60, 15, 18)):
        with store_of() as store:
            judged(store, "1", sorted(before))
            build(store, PoolRequest(method, 20, budget, batch=batch, seed=1))
            pool = stored_pool(store)
            entries = [d for d in pool.documents if d.qid == "1"]
            assert len(entries) == sum(pool.parameters["batches"]["1"]) == size
            assert sorted(d.depth for d in entries) == list(range(1, size + 1))
    with store_of(run=False) as store:
        judged(store, "1", sorted(before))
        build(store, PoolRequest("cal", budget=6))
        judge(store)
        docnos = {d.docno for d in stored_pool(store).documents if d.qid == "1"}
        assert (len(docnos), docnos & before) == (6, set())


def _at_most(number: int, function: Callable[..., Any]) -> Callable[..., Any]:
    left = iter(range(number))

    def call(*arguments: Any) -> Any:
        assert next(left, None) is not None, f"{function.__name__} was called more than {number} times"
        return function(*arguments)

    return call


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("bound", [1, 2, 10])
def test_a_small_scal_pool_is_judged_to_its_end(monkeypatch: pytest.MonkeyPatch, bound: int, seed: int) -> None:
    """A batch of which a part was judged goes on with the other documents of its sample."""
    monkeypatch.setattr(adaptive, "grow", _at_most(100, adaptive.grow))
    with store_of() as store:
        build(store, PoolRequest("scal", budget=12, seed=seed, options={"bound": bound}))
        number = judge(store)
        entries = stored_pool(store).documents
        assert number == len(entries) == len({(one.qid, one.docno) for one in entries})
        sizes = Counter(one.qid for one in entries)
        assert set(sizes.values()) == {METHODS["scal"].most(12, {"bound": bound})}  # type: ignore[misc]
        assert all(one.stratum and one.probability for one in entries)


def test_what_cannot_begin_is_refused(cranfield: Cranfield, tmp_path: Path) -> None:
    """Without texts, or a budget beyond the runs' documents; topics without words of documents are named."""
    bare, path, more = (tmp_path / f"{name}.db" for name in ("bare", "s", "more"))
    store_of(bare, texts=False).close()
    store_of(path).close()
    no_texts = "bare.db: active learning needs texts, and this store has only docnos"
    first_ten = "a budget of 10 suffices only for the first 10 documents of the runs, so cal never starts"
    for where, method, message in (
        (bare, "cal --budget 20", no_texts), (bare, "scal", no_texts), (path, "cal --budget 10", first_ten),
    ):  # fmt: skip
        refusal = cranfield("pool", "build", where, "--method", *method.split())
        assert (refusal.code, refusal.out) == (1, "")
        assert message in " ".join(refusal.err.split())
    with store_of(more, run=False) as store:
        store.add_topics([Topic("8", ""), Topic("9", "xylophone")])
    pool = cranfield("pool", "build", more, "--method", "cal", "--budget", 12)
    notes = " ".join(pool.err.split())
    assert pool.code == 0
    assert "no run answered 1 topic without a text, so the pool contains no documents for: 8" in notes
    unknown = "no run answered 1 topic whose text has no word that occurs in two documents; their documents come in"
    assert f"{unknown} arbitrary order until one is relevant: 9" in notes


@pytest.mark.parametrize("method", ["cal", "scal", "draw", "take"])
def test_what_is_withdrawn_is_in_no_pool(method: str) -> None:
    """Neither a topic nor a document; an assessor who searches does not find it, and no run is missed."""
    gone = ["heat00", "heat07", "flow03"]
    with store_of() as store:
        withdraw(store, "topic", ["1"], "twice")
        withdraw(store, "document", gone, "spam")
        result = build(store, PoolRequest(method, budget=60))
        pairs = store.rows("SELECT qid, docno FROM pooled")
        assert len({*pairs}) == len(pairs)
        assert {qid for qid, _ in pairs} == {"2"}
        assert not {docno for _, docno in pairs} & {*gone}
        assert method not in ("draw", "take") or len(pairs) == 57
        assert not [note for note in result.notes if "no run answered" in note]
        found = OwnLearner(corpus_of(store), "2", {"heat01": True})
        assert not {*found.best(60), *found.similar_documents("heat02", 60)} & {*gone}


def test_a_draw_is_in_no_order_of_merit(cranfield: Cranfield, tmp_path: Path) -> None:
    """So no words of a topic matter to it, no depth of a run, and none of its documents is an early one."""
    path = tmp_path / "s.db"
    with store_of(path) as store:
        store.add_topics([Topic("9", "xylophone")])
    built = cranfield("pool", "build", path, "--method", "draw", "--budget", 5)
    assert built.out == "pool 1: 15 documents for 3 topics by draw, 5 per topic\n"
    assert built.err == "note: 15 documents await judgment; `cranfield judge` extends the pool\n"
    assert cranfield("pool", "show", path).out.startswith("pool 1: draw, 5 per topic; 15 documents, 15 to judge\n")
    with Store.open(path) as store:
        judged(store, "1", [document.docno for document in documents()])
    assert "first proposals were more likely" not in cranfield("pool", "forecast", path, "--depth", 10).err


@pytest.fixture
def learnt_store(tmp_path: Path) -> Path:
    """A store whose pool was built by cal and judged."""
    path = tmp_path / "s.db"
    with store_of(path) as store:
        build(store, GROWING)
        judge(store)
    return path


def test_what_assumes_a_pool_of_runs_refuses_active_learning(cranfield: Cranfield, learnt_store: Path) -> None:
    """A forecast by depth and leave-one-out name the method and the draw; --depth says to go on."""
    commands = ["pool", "forecast", learnt_store], ["depths", learnt_store], ["reusability", learnt_store]
    for command in commands:
        refusal = cranfield(*command)
        assert (refusal.code, refusal.out) == (1, "")
        assert "was built by cal" in refusal.err
        assert f"`cranfield pool forecast {learnt_store} --draw 100 draw.tsv --store-pool`" in refusal.err
        assert "or treat the pool as a depth-K pool with --depth K" in refusal.err
    assert cranfield(*commands[0], "--depth", 10).code == 0


def test_a_judged_draw_answers_for_active_learning(cranfield: Cranfield, learnt_store: Path, tmp_path: Path) -> None:
    """One command draws, the store's judging labels, one command reads; the truth is within the interval.

    The analysed pool stays that of cal, and the draw's labels are no run's.
    """
    command, places = ("pool", "forecast", learnt_store), (tmp_path / "draw.tsv", "--store-pool")
    with Store.open(learnt_store) as store:
        pooled_before = {(one.qid, one.docno) for one in stored_pool(store).documents}
    drawn = cranfield(*command, "--draw", 30, *places)
    assert drawn.out.startswith(
        f"{places[0]} and pool 2: 30 documents drawn at random from 69 unjudged documents in the first 50"
    )
    unjudged = cranfield(*command)
    assert (unjudged.code, "none of the 30 drawn documents has a label" in unjudged.err) == (1, True)
    with Store.open(learnt_store) as store:
        judge(store, 20)
    part = json.loads(cranfield(*command, "--format", "json").out)["missing"]
    assert (part["drawn"], part["labelled"] + part["set_aside"]) == (30, 20)
    assert "only labels before the first unlabelled document are counted" in cranfield(*command).out
    with Store.open(learnt_store) as store:
        judge(store)
    output = cranfield(*command)
    assert (output.code, output.err) == (0, "")
    missing = json.loads(cranfield(*command, "--format", "json").out)["missing"]
    frame = {(qid, one.docno) for qid in TOPICS for one in documents() if int(one.docno[-2:]) < 17} - pooled_before
    truth = sum(relevant(*pair) for pair in frame)
    assert missing["low"] <= truth + 1
    assert truth <= missing["high"] < missing["frame_size"] == 69
    assert f"{missing['low']} to {missing['high']} are relevant (exact 95% interval)" in output.out
    assert "Relevant documents outside the frame are not counted" in output.out
    assert "--draw 69 draw.tsv --store-pool" in output.out
    table = api.pooling.forecast_completeness(learnt_store).frame
    assert table[["missing from", "missing to"]].values.tolist() == [[missing["low"], missing["high"]]]
    assert "was built by cal" in cranfield("reusability", learnt_store).err
    longer = cranfield(*command, "--draw", 69, *places)
    assert "69 documents drawn at random from 69" in longer.out
    assert "30 of them have labels from an earlier draw" in longer.out
    with Store.open(learnt_store) as store:
        judge(store)
    whole = json.loads(cranfield(*command, "--format", "json").out)["missing"]
    assert whole["low"] == whole["high"] == whole["relevant"]


def test_a_draw_does_not_end_a_pool(cranfield: Cranfield, learnt_store: Path, tmp_path: Path) -> None:
    """A larger pool by cal goes on from the pool of cal, and the published pool is that pool."""
    cranfield("pool", "forecast", learnt_store, "--draw", 10, tmp_path / "draw.tsv", "--store-pool")
    extended = cranfield("pool", "extend", learnt_store, "--budget", 20)
    assert "and the others are from pool 1" in extended.out
    refusal = cranfield("reusability", learnt_store, "--pool", 2)
    assert (refusal.code, "pool 2 is a random draw of unjudged documents" in refusal.err) == (1, True)


def test_simulate_compares_it(cranfield: Cranfield, tmp_path: Path) -> None:
    """A store has the texts; files have not."""
    path = tmp_path / "s.db"
    with store_of(path) as store:
        for qid in TOPICS:
            judged(store, qid, [document.docno for document in documents()])
    output = cranfield(
        "pool", "simulate", path, "--method", "take", "--method", "cal:first=2", "--budgets", 20, "--format", "json",
        "--workers", 1, "--depth", 60,
    )  # fmt: skip
    assert output.code == 0, output.err
    assert output.out.count('"relevant"') >= 2


def test_vectors_are_kept_beside_the_store(tmp_path: Path) -> None:
    """The second time they come from the folder, and are the same; another corpus has others."""
    path = tmp_path / "s.db"
    with store_of(path) as store:
        store.add_documents([Document("own", text="of this test")])
        corpus_of(store)
        [folder] = (tmp_path / "s.db.features").iterdir()
        direct = vectors_of(store.documents())
        assert abs(corpus_of(store).rows - direct.rows).sum() == 0
        store.add_documents(documents(21)[20:21])
        corpus_of(store)
        assert [folder] != list((tmp_path / "s.db.features").iterdir())
        assert topic_text(store.topics()[0]) == "wing"
