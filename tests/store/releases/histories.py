"""Random histories of a store: everything that can happen to it between two releases."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random

from cranfield.errors import InputError, StoreError
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.labels import NUGGET_LABELS, LabelEvent
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.features.preferences.store import PreferenceEvent, add_pairs, append_preferences, document_pair
from cranfield.formats import Document, Topic
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store import open_pools
from cranfield.store.assignments import claim_topic
from cranfield.store.chain import Event
from cranfield.store.history import importing, imports
from cranfield.store.log import add_assessor, add_criterion, append, assessors, set_guidelines
from cranfield.store.pools import PooledDocument, pool_numbers, pool_record
from cranfield.store.qrels import import_qrels
from cranfield.store.removal import remove
from cranfield.store.runs import add_runs, run_info
from cranfield.store.store import Store
from tests.stores import filled, new_store

PEOPLE, MODEL = ("ada", "bob"), "llm"
Deed = Callable[[Store, Random], None]


def begin(random: Random) -> Store:
    """A store with some documents and topics, runs that name more, and two assessors."""
    store = new_store(grades={0: "no", 1: "fair", 2: "good"})
    with importing(store, "corpus", ["corpus"]):
        filled(store, documents={f"d{number}": f"text {number}" for number in range(4)})
    with importing(store, "topics", ["topics"]):
        filled(store, topics={f"q{number}": f"title {number}" for number in range(3)})
    filled(store, people=PEOPLE, models=[MODEL])
    happens(store, random, 3, (_run,))
    return store


def happens(store: Store, random: Random, times: int, deeds: Sequence[Deed] = ()) -> None:
    """So many things; what is refused does not happen."""
    for _ in range(times):
        with suppress(InputError, StoreError):
            random.choice(deeds or DEEDS)(store, random)


def _run(store: Store, random: Random) -> None:
    tag = f"run{random.randrange(40)}"
    rankings = {qid: {docno: random.random() for docno in _docnos(random, 4)} for qid in _qids(store, random)}
    with importing(store, "runs", [tag]):
        add_runs(store, as_runs({tag: rankings}))


def _docnos(random: Random, number: int) -> list[str]:
    return random.sample([f"d{place}" for place in range(14)], number)


def _qids(store: Store, random: Random) -> list[str]:
    qids = [topic.qid for topic in store.topics()]
    return random.sample(qids, min(len(qids), random.randint(1, 3)))


def _pair(store: Store, random: Random) -> tuple[str, str]:
    qid, docno = _qids(store, random)[0], random.choice(store.rows("SELECT docno FROM document WHERE removed = 0"))[0]
    return qid, docno


def _label(store: Store, random: Random) -> None:
    who = random.choice([*PEOPLE, MODEL])
    append(store, Event("label", *_pair(store, random), who, grade=random.randrange(3), seconds=random.random()))


def _relabel(store: Store, random: Random) -> None:
    labels = store.rows("SELECT qid, docno, assessor FROM current_judgment ORDER BY id")
    if labels:
        qid, docno, who = random.choice(labels)
        append(store, Event("label", qid, docno, who, grade=random.randrange(3)))


def _retract(store: Store, random: Random) -> None:
    query = "SELECT qid, docno, assessor, id FROM judgment_log WHERE id IN (SELECT id FROM standing_event) ORDER BY id"
    if events := store.rows(query):
        qid, docno, who, number = random.choice(events)
        append(store, Event("retract", qid, docno, who, supersedes=number))


def _other(store: Store, random: Random) -> None:
    append(store, Event(random.choice(["later", "cannot-judge", "note"]), *_pair(store, random), random.choice(PEOPLE)))


def _adjudicate(store: Store, random: Random) -> None:
    append(store, Event("adjudicate", *_pair(store, random), "ada", grade=random.randrange(3), source="adjudication"))


def _qrels(store: Store, random: Random) -> None:
    who = f"import{random.randrange(20)}"
    grades = {qid: {docno: random.randrange(3) for docno in _docnos(random, 3)} for qid in _qids(store, random)}
    with importing(store, "qrels", [who]):
        import_qrels(store, as_qrels(grades), who)


def _topic(store: Store, random: Random) -> None:
    with importing(store, "topics", ["more"]):
        store.add_topics([Topic(f"q{random.randrange(9)}", "a new title")])


def _corpus(store: Store, random: Random) -> None:
    with importing(store, "corpus", ["more"]):
        store.add_documents(Document(docno, text=f"came later, {docno}") for docno in _docnos(random, 2))


def _pool(store: Store, random: Random) -> None:
    if random.random() < 0.5:
        build(store, PoolRequest("depth", depth=random.randint(1, 3)))
    else:
        build(store, PoolRequest("mtf", budget=6, batch=2))


def _grow(store: Store, random: Random) -> None:
    pool = pool_record(store)
    if open_pools.is_open(store, pool):
        qid, docno = _pair(store, random)
        parameters = {**pool.parameters, "grown": random.random()}
        open_pools.add(store, pool._replace(parameters=parameters), [PooledDocument(qid, docno, 1, ("x",))])


def _assign(store: Store, random: Random) -> None:
    assign_topics_to_assessors(store, random.choice([[], PEOPLE]), _qids(store, random), overlap=0.5, repeats=1)


def _claim(store: Store, random: Random) -> None:
    claim_topic(store, random.choice(PEOPLE))


def _remove(store: Store, random: Random) -> None:
    names: Mapping[str, list[str]] = {
        "run": list(run_info(store)),
        "topic": _qids(store, random),
        "pool": [str(number) for number in pool_numbers(store)],
        "import": [str(one.number) for one in imports(store)],
    }
    kind = random.choice(list(names))
    if names[kind]:
        remove(store, kind, [random.choice(names[kind])])


def _answer(store: Store, random: Random) -> None:
    tag = f"answers{random.randrange(6)}"
    sentences = [Sentence("one", {"d1": None}), Sentence("two", {})]
    with importing(store, "answers", [tag]):
        add_answers(store, [Answer(tag, _qids(store, random)[0], sentences)], {})


def _nugget(store: Store, random: Random) -> None:
    nuggets = current_nuggets(store)
    numbers = (random.choice(nuggets).number,) if nuggets and random.random() < 0.5 else ()
    edit = NuggetEdit("vital", _qids(store, random)[0], random.choice(PEOPLE), f"{random.random()}")
    edit_nuggets(store, [edit._replace(replaces=numbers)])


def _nugget_label(store: Store, random: Random) -> None:
    answers, nuggets = store.rows("SELECT id FROM answer"), store.rows("SELECT id FROM nugget")
    if answers and nuggets:
        item = (random.choice(answers)[0], random.choice(nuggets)[0])
        NUGGET_LABELS.append(store, [LabelEvent("label", item, random.choice(PEOPLE), "support")])


def _say(store: Store, random: Random) -> None:
    set_guidelines(store, f"guidelines {random.random()}")
    add_criterion(store, _qids(store, random)[0], random.choice(PEOPLE), f"{random.random()}")


def _prefer(store: Store, random: Random) -> None:
    (qid, first), (_, second) = _pair(store, random), _pair(store, random)
    if first == second:
        return
    add_pairs(store, "ada", [document_pair(qid, first, second)], "file")
    append_preferences(store, PreferenceEvent("prefer", qid, first, second, "ada", choice="first"))


def _assessor(store: Store, random: Random) -> None:
    add_assessor(store, f"someone{len(assessors(store))}")


def _describe(store: Store, random: Random) -> None:
    with store.writing():
        store.conn.execute("UPDATE run SET description = ?", [f"{random.random()}"])
        store.conn.execute("UPDATE collection SET description = ?", [f"{random.random()}"])


DEEDS: tuple[Deed, ...] = (
    _run, _label, _label, _label, _relabel, _retract, _other, _adjudicate, _qrels, _topic, _corpus, _pool, _grow, _grow,
    _assign, _claim, _remove, _remove, _answer, _nugget, _nugget_label, _say, _prefer, _assessor, _describe,
)  # fmt: skip
