"""What was judged under one name of a document is given to nobody again under another, whoever asks and however."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import cranfield as package
from cranfield.analysis.unjudged_topics import unjudged_topics_line
from cranfield.features.models.asking.assess import open_work
from cranfield.judging.labels.policies import apply_policy
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.planning.overview import work_to_judge_or_none
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.session.session import Session
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.selection import EVERYBODY, Labellers
from cranfield.store.assignments import assignments, documents_drawn_for, pairs_of, waiting, work_of
from cranfield.store.bundles.bundle import write_bundle
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, assessors, read_events
from cranfield.store.pools import Pool, PooledDocument, add_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.round_changes import close_round, start_round
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.store.withdrawals import settled_pairs, withdraw
from tests.conftest import usually
from tests.stores import filled, new_store

Pairs = set[tuple[str, str]]
QIDS = ("1", "2")


class Living:
    """A store whose documents are renamed, and what follows from its labels, slowly."""

    def __init__(self, seed: int, path: Path) -> None:
        self.name = {f"d{at}": f"d{at}" for at in range(9)}
        self.random = np.random.default_rng(seed)
        self.store = new_store(path, documents=self.name, topics=QIDS, people=["ada", "bob"])
        self.judged: dict[str, Pairs] = {"ada": set(), "bob": set()}

    def label(self) -> None:
        """Some pairs, by the names of any time, each grade that of the pair: names never contradict each other."""
        for assessor, pairs in self.judged.items():
            for qid in QIDS:
                new = {(qid, str(docno)) for docno in self.random.choice([*self.name], 2, replace=False)} - pairs
                append(self.store, *(Event("label", *pair, assessor, grade=1) for pair in sorted(new)))
                self.judged[assessor] = self.judged[assessor] | new

    def rename(self, number: str) -> None:
        """Some documents: two get one name, one has an earlier name back."""
        close_round(self.store, str(int(number) - 1))
        present = sorted({*self.name.values()})
        old = [str(name) for name in self.random.choice(present, 4, replace=False)]
        back = next((docno for docno, name in self.name.items() if name == old[2] != docno), f"n{number}")
        step = {old[0]: f"m{number}", old[1]: f"m{number}", old[2]: back}
        start_round(self.store, number, new_names=step)
        for new in step.values():
            self.name.setdefault(new, new)
        self.name = {docno: step.get(name, name) for docno, name in self.name.items()}

    def pool(self) -> Pairs:
        """Of any of its names: a pool from before, of which some documents are one now."""
        docnos = [str(docno) for docno in self.random.choice([*self.name], 9, replace=False)]
        documents = [PooledDocument(qid, docno, 1, ()) for qid in QIDS for docno in sorted(docnos)]
        add_pool(self.store, Pool("depth", {"depth": 9}, documents))
        return {(one.qid, one.docno) for one in documents}

    def present(self, pairs: Pairs) -> Pairs:
        return {(qid, self.name[docno]) for qid, docno in pairs}

    def to_judge(self, pool: Pairs, *assessors: str) -> Pairs:
        """What none of them has judged, by present names."""
        return self.present(pool) - self.present({pair for name in assessors for pair in self.judged[name]})


def judge_all(session: Session) -> Pairs:
    """What a session gives, judged to its end."""
    pairs: Pairs = set()
    while session.pair:
        assert session.pair not in pairs
        pairs.add(session.pair)
        session.grade(session.command_target(), 1)
    return pairs


@pytest.fixture(params=range(usually(2, 12)))
def living(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Living]:
    living = Living(request.param, tmp_path / "track.db")
    with living.store as store:
        for number in ("2", "3"):
            living.label()
            living.rename(number)
        living.label()
        filled(store, documents={docno: docno for docno in living.name if docno[0] != "d"})
        yield living


def once(pairs: Pairs, living: Living) -> Pairs:
    """By present names, each document once."""
    assert len(living.present(pairs)) == len(pairs)
    return living.present(pairs)


@pytest.mark.full
def test_nobody_is_given_again_what_is_judged(living: Living, tmp_path: Path) -> None:
    """In a session, alone or assigned; in a bundle, from the queue, for a model; what is left is counted so."""
    store, pool = living.store, living.pool()
    done_pairs = {
        pair for pair in pool if living.present({pair}) <= living.present(living.judged["ada"] | living.judged["bob"])
    }
    assert settled_pairs(store) & pool == done_pairs
    assert unjudged_topics_line(store).count("judged in part") == bool(pool - done_pairs)
    assert once({*open_work(store, "bob").pairs}, living) == living.to_judge(pool, "bob")
    assign_topics_to_assessors(store, ["ada"], [], overlap=0, repeats=0, seed=0, lease=60, cannot_judge=False)
    rest = living.to_judge(pool, "ada")
    own = assignments(store)
    assert sum(one.unfinished for one in own) == sum(living.present({pair}) <= rest for pair in pool)
    rows = package.judging.progress(store).frame
    assert rows[rows["assessor"] == "ada"]["remaining"].sum() == len(rest)
    assert rows[rows["assessor"] == "ada"]["documents"].sum() == len(living.present(pool))
    assert once(pairs_of(work_of(store, "ada")) - living.judged["ada"], living) == rest
    if rest:
        write_bundle(store, tmp_path / "bundle.db", "ada")
        with Store.open(tmp_path / "bundle.db") as bundle:
            pairs = {(d.qid, d.docno) for d in (work_to_judge_or_none(bundle, "ada") or Pool("", {}, ())).documents}
            assert once(pairs - living.judged["ada"], living) == rest
    work = work_to_judge_or_none(store, "ada")
    if work is not None:
        assert once(judge_all(Session(store, "ada", work)), living) == rest
    assert not [one for one in assignments(store) if one.unfinished]
    assert not pairs_of(waiting(store))
    assert not progress_of(store).work["ada"].keys() ^ {*QIDS}


@pytest.mark.full
def test_a_session_alone_and_one_that_is_open_meanwhile(living: Living) -> None:
    """Everybody judges all of a pool; a document that gets another name while it is open is not shown twice."""
    pool = living.pool()
    documents = [PooledDocument(qid, docno, 1, ()) for qid, docno in sorted(pool)]
    session = Session(living.store, "bob", Pool("depth", {"depth": 9}, documents, number=1))
    pairs: Pairs = set()
    for _ in range(2):
        if session.pair:
            pairs.add(session.pair)
            session.grade(session.command_target(), 1)
    living.judged["bob"] |= pairs
    living.rename("4")
    session.refresh()
    rest = living.to_judge(pool, "bob")
    assert (
        once(
            judge_all(Session(living.store, "bob", work_to_judge_or_none(living.store, "bob") or Pool("", {}, ()))),
            living,
        )
        == rest
    )


@pytest.mark.full
def test_a_second_opinion_is_of_the_document_that_was_drawn(living: Living) -> None:
    """Whatever it is called in the pool that was built since; nobody gives one twice."""
    living.pool()
    assign_topics_to_assessors(
        living.store, ["ada", "bob"], [], overlap=0.5, repeats=0, seed=0, lease=60, cannot_judge=False
    )
    sample = living.present(
        {(qid, docno) for qid, docnos in documents_drawn_for(living.store, "overlap").items() for docno in docnos}
    )
    assert sample
    living.rename("4")
    pool = living.pool()
    sample = living.present(sample)
    second = {one.qid: str(one.assessor) for one in assignments(living.store) if one.role == "second"}
    for assessor in ("ada", "bob"):
        own = {pair for pair in living.present(pool) if second[pair[0]] != assessor or pair in sample}
        pairs = pairs_of(work_of(living.store, assessor)) - living.judged[assessor]
        assert once(pairs, living) == own - living.present(living.judged[assessor])


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:of these topics")
def test_labels_of_models_are_counted_by_present_names(living: Living) -> None:
    """Of the documents of a new pool, how many only models have judged, under whatever name."""
    add_assessor(living.store, "gpt", "model")
    pairs = [(qid, docno) for qid in QIDS for docno in sorted(living.name)[::2]]
    append(living.store, *(Event("label", *pair, "gpt", grade=1) for pair in pairs))
    present = sorted({*living.name.values()})
    rankings = {qid: {docno: float(-at) for at, docno in enumerate(present)} for qid in QIDS}
    add_runs(living.store, as_runs({"a": rankings}))
    people = living.present(living.judged["ada"] | living.judged["bob"])
    judged, models = people | living.present({*pairs}), living.present({*pairs}) - people
    notes = build(living.store, PoolRequest("mtf", budget=2 * len(present), depth=len(present))).notes
    every = len(present) * len(QIDS)
    by_models = f", {len(models)} of them by models" if models else ""
    assert f"{len(judged)} of {every} new documents are already judged{by_models}" in notes


def plain(living: Living, folder: Path) -> Store:
    """The same labels in a store in which every document always had its present name."""
    store = new_store(folder / "plain.db", topics=living.store.topics(), people=assessors(living.store))
    store.ensure_docnos([*living.name])
    append(store, *(Event(event.kind, event.qid, living.name[event.docno], event.assessor, event.grade)
                    for event in read_events(living.store)))  # fmt: skip
    return store


@pytest.mark.filterwarnings("ignore:.* labelled documents have one label")
def test_labels_are_those_of_a_store_of_present_names(living: Living, tmp_path: Path) -> None:
    """Whoever labelled a document under which name: who decides, and how much assessors agree."""
    for qid in QIDS:
        for docno in living.random.choice([*living.name], 8):
            who, grade = (str(living.random.choice(some)) for some in (["ada", "bob"], ["0", "1"]))
            append(living.store, Event("label", qid, str(docno), who, grade=int(grade)))
    with plain(living, tmp_path) as other:
        for labellers in (EVERYBODY, Labellers("bob")):
            rows = [sorted(zip(q.topics.names[q.topic], q.docnos.names[q.document], q.grade, strict=True))
                     for q in (qrels_of(store, labellers) for store in (living.store, other))]  # fmt: skip
            assert rows[0] == rows[1]
            assert rows[0]
        assert apply_policy(living.store).labels == apply_policy(other).labels
        agreement = [package.judging.measure_agreement(one).to_json() for one in (living.store, other)]
        assert agreement[0] == agreement[1]
        assert living.to_judge({(qid, docno) for qid in QIDS for docno in living.name}, "ada", "bob")


@pytest.mark.filterwarnings("ignore:1 document awaits")
def test_a_pool_that_grows_goes_by_what_counts(tmp_path: Path) -> None:
    """It proposes what it would in a store of present names, without what is withdrawn; as documents come, in turn."""
    orders = []
    for name, withdrawals in (("d3", ["d6"]), ("d30", [])):
        rankings = {
            tag: {"1": {{"d3": name}.get(d, d): float(-at) for at, d in enumerate(order) if withdrawals or d != "d6"}}
            for tag, order in {"a": ["d1", "d3", "d6", "d2", "d8"], "b": ["d5", "d6", "d3", "d4", "d7"]}.items()
        }
        with new_store(tmp_path / f"{name}.db", topics="1", runs=rankings) as store:
            package.pooling.build_pool(store, method="mtf", depth=4, budget=6, batch=1, runs=["a", "b"])
            for docno in withdrawals:
                withdraw(store, "document", [docno], "wrong")
                store.ensure_docnos(["d30"])
                close_round(store, "1")
                start_round(store, "2", new_names={"d3": "d30"})
            session, docnos = Session(store, "ada", work_to_judge_or_none(store, "ada") or Pool("", {}, ())), []
            while session.pair:
                docno = session.pair[1]
                docnos.append({"d3": "d30"}.get(docno, docno))
                session.grade(session.command_target(), int(docno in ("d4", "d1")))
            orders.append(docnos)
    assert orders[0] == orders[1]
    assert "d6" not in orders[0]
