"""A store in which every table has rows: what is changed by hand in it, erased from it, and brought up to date."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    NUGGET_LABELS,
    SUPPORT_LABELS,
    ClaimSet,
    LabelEvent,
    add_claims,
)
from cranfield.features.answers.store.nuggets import NuggetEdit, edit_nuggets
from cranfield.features.briefing.store import ask, practice_steps, practise, set_gold
from cranfield.features.collecting.finding.development import decide, label, propose
from cranfield.features.collecting.finding.store import allow, record_search
from cranfield.features.collecting.variations import Variation, add_variations
from cranfield.features.models.calls import (
    AuditedPair,
    Call,
    CallTarget,
    ModelSetting,
    StoredPrompt,
    add_audit,
    add_calls,
    add_requests,
    keep_setting,
)
from cranfield.features.preferences.store import PreferenceEvent, add_pairs, append_preferences, document_pair
from cranfield.features.publishing.store.publication import keep_description
from cranfield.formats import Document, Topic
from cranfield.store.bundles.bundle import merge_bundle, write_bundle
from cranfield.store.chain import Event
from cranfield.store.history import importing
from cranfield.store.invitations import invite, serving_key
from cranfield.store.log import add_criterion, append, set_guidelines
from cranfield.store.releases import make_release
from cranfield.store.round_changes import close_round, start_round
from cranfield.store.store import Store, sha256
from tests.files import json_lines, track_files
from tests.hardening.commands import run
from tests.real import made_once

ADA = "Ada Quillfeather"  # a name that is nowhere by chance
HER_NOTE, HER_REASON, HER_TERMS, HER_CRITERION = (
    "said Quillfeather",
    "Quillfeather's eyes",
    "quill",
    "Quillfeather's rule",
)
USER, HER_QUERY = "visitor-8471", "what Quillfeather typed"
RUNS = {"a": ("d1", "d2", "d3"), "b": ("d3", "d4", "d1")}
PROMPT = "{}"


SAID: Mapping[str, Any] = {
    "reason": HER_REASON, "note": HER_NOTE, "evidence": "[]", "seconds": 2.0, "position": 1, "order_seed": 1,
}  # fmt: skip


def full_store(folder: Path, release: bool = True) -> Path:
    """The store. A release has a hash of every table; so there may be none."""
    path = folder / "full.db"
    path.write_bytes(made_once(f"full {release}", partial(_make, release)))
    return path


def _make(release: bool, to: Path) -> None:
    """What it is made of is in a folder of its own."""
    with TemporaryDirectory() as name:
        path = Path(name, "full.db")
        _fill(path, release)
        to.write_bytes(path.read_bytes())


def _fill(path: Path, release: bool) -> None:
    _by_command(path.parent, path)
    with Store.open(path) as store:
        _judged(store)
        _said_of_answers(store)
        _compare(store)
        _brief(store)
        _find(store)
        _ask(store)
        keep_description(store, {"title": "Full"})
        invite(store, ADA)
        serving_key(store)
    _bundle(path.parent, path)
    with Store.open(path) as store:
        close_round(store, "1")
        start_round(store, "2", documents=[f"d{number}" for number in range(9)])
        close_round(store, "2")
        if release:
            make_release(store, "1.0", "2026-01-31")
        store.add_documents([Document("d9", text="wing 9")])


def _by_command(folder: Path, path: Path) -> None:
    """A corpus, topics, runs, three pools, work given out, a log of users, and something removed."""
    (folder / "corpus.jsonl").write_text(
        "".join(f'{{"_id": "d{n}", "title": "t{n}", "text": "wing {n}", "url": "u{n}", "k": [1]}}\n' for n in range(9))
    )
    topics = [
        {"qid": str(n), "title": t, "description": "d", "narrative": "n", "k": 1} for n, t in enumerate("abcd", 1)
    ]
    (folder / "topics.jsonl").write_text(json_lines(topics))
    (folder / "judged.txt").write_text("1 1 d1 1\n1 2 d1 0\n2 1 d4 1\n")
    (folder / "votes.csv").write_text(f"assessor,qid,docno,grade,note\nvic,1,d2,1,seen\n{ADA},2,d5,1,{HER_NOTE}\n")
    track_files(folder, runs={tag: dict.fromkeys("12", docnos) for tag, docnos in RUNS.items()})
    track_files(folder, runs={tag: {"1": ["d9"], "3": ["d1"]} for tag in ("late", "x")}, end=".run")
    impressions = [
        {"id": f"i{n}", "at": n, "user": USER if n < 2 else "u2", "session": f"{USER}-s", "arm": "AB"[n % 2]}
        | {
            "query": HER_QUERY if n == 1 else "wings",
            "docs": ["d1", "d2"],
            "actions": [{"kind": "click", "doc": "d2", "at": n + 1}],
        }
        for n in range(4)
    ]
    (folder / "log.jsonl").write_text(json_lines(impressions))
    for line in (
        "init {path} --name full --description about --licence CC0 --scale 0=no,1=yes,2=very",
        "import corpus {path} corpus.jsonl",
        "import topics {path} topics.jsonl",
        "import runs {path} a b late.run",
        "import qrels {path} judged.txt --format subtopics",
        "import votes {path} votes.csv --kind human",
        "pool build {path} --method mtf --budget 4",
        "pool build {path} --method stratified --depth 3 --budget 4",
        "pool build {path} --depth 3",
        "import log {path} log.jsonl",
        "import runs {path} x.run",
        "store remove {path} run x",
        "store remove {path} topic 4",
    ):
        words = [str(folder / word) if (folder / word).exists() else word for word in line.split()]
        code, output = run([word.format(path=path) for word in words])
        assert code == 0, (line, output)
    who = ["--assessor", ADA, "--assessor", "bob"]
    code, output = run(["assign", str(path), *who, "--overlap", "50%", "--repeat", "1"])
    assert code == 0, output


def _judged(store: Store) -> None:
    set_guidelines(store, "Read it all.")
    how: dict[str, Any] = {"seconds": 2.5, "position": 1, "order_policy": "hash", "order_seed": 7}
    how |= {"pool": 3, "input": "key"}
    marks = json.dumps([{"start": 0, "end": 4, "quote": "wing"}])
    append(
        store,
        Event("label", "1", "d1", ADA, 2, unsure=True, note=HER_NOTE, evidence=marks, highlight_terms=HER_TERMS, **how),
        Event("label", "1", "d1", "bob", 0, fast=True, docno_shown=True, note="no", **how),
        Event("cannot-judge", "1", "d3", ADA, reason=HER_REASON, **how),
        Event("label", "2", "d1", "bob", 1, **how),
        Event("adjudicate", "1", "d1", "bob", 1, source="adjudication"),
    )
    append(store, Event("retract", "2", "d1", "bob", supersedes=store.last_row_number("judgment_event") - 1))
    add_criterion(store, "1", ADA, HER_CRITERION)


def _said_of_answers(store: Store) -> None:
    sentences = [Sentence("Wings lift.", {"d1": 0.5, "d2": None})]
    with importing(store, "answers", ["answers.jsonl"]):
        add_answers(store, [Answer("rag", "1", sentences, ["d1", "d2"], team="R", metadata={"k": 1})])
    edit_nuggets(
        store,
        [
            NuggetEdit("vital", "1", ADA, "wings lift", contributors=("rag",), seconds=3.0, input="key"),
            NuggetEdit("okay", "1", ADA, "wings do lift", replaces=(1,)),
            NuggetEdit("retract", "1", ADA, nugget=2, supersedes=2),
        ],
    )
    NUGGET_LABELS.append(store, [LabelEvent("label", (1, 1), ADA, "support", fast=True, input="key", **SAID)])
    NUGGET_LABELS.append(store, [LabelEvent("retract", (1, 1), ADA, supersedes=1)])
    SUPPORT_LABELS.append(store, [LabelEvent("label", (1, 1, ("d1",)), ADA, "support", input="key", **SAID)])
    SUPPORT_LABELS.append(store, [LabelEvent("retract", (1, 1, ("d1",)), ADA, supersedes=1)])
    add_claims(store, [ClaimSet("1", 1, ["wings lift"], ADA, "{}"), ClaimSet("2", None, ["wings drag"], ADA)])
    CLAIM_LABELS.append(store, [LabelEvent("label", (1, 1), ADA, "support", input="key", **SAID)])
    CLAIM_LABELS.append(store, [LabelEvent("retract", (1, 1), ADA, supersedes=1)])


def _compare(store: Store) -> None:
    add_pairs(store, ADA, [document_pair("1", "d1", "d2")], "file")
    texts: dict[str, Any] = {"document_sha256": sha256("both"), "input": "key", "fast": True}
    append_preferences(
        store, PreferenceEvent("prefer", "1", "d1", second="d2", assessor=ADA, choice="second", **SAID, **texts)
    )
    append_preferences(store, PreferenceEvent("retract", "1", "d1", "d2", ADA, supersedes=1))


def _brief(store: Store) -> None:
    labels = store.rows("SELECT qid, assessor FROM current_judgment WHERE grade IS NOT NULL AND assessor <> ?", [ADA])
    set_gold(store, *labels[0])
    practise(store, ADA, practice_steps(store, ADA)[0], 1, "practice-1")
    ask(store, "1", ADA, HER_NOTE, "question-1")


def _find(store: Store) -> None:
    """Ada searches, and tries a topic."""
    allow(store, ADA)
    record_search(store, ADA, "1", HER_NOTE, engine="text", docnos=["d1"], seconds=0.1, event_id="search-1")
    propose(store, Topic("tried", HER_NOTE), ADA)
    label(store, "tried", ADA, "d1", grade=1)
    decide(store, "tried", "drop", HER_NOTE)
    add_variations(store, {1: Variation("1", "a", "wing lift", 2)})


def _ask(store: Store) -> None:
    prompt = StoredPrompt(sha256(PROMPT), "p", "relevance", version=1, content=PROMPT, source="built in")
    keep_setting(store, ModelSetting("llm", "relevance", "m", prompt, {"temperature": 0}))
    about = ("llm", "relevance", "1", "d1", "d1", prompt.sha256, sha256("wing 1"), "m", "m", "here", "{}", "r")
    for request in (*add_requests(store, [(CallTarget("llm", "relevance", "1", "d1"), "r")]), None):
        call = Call(*about, "1", "why", "stop", 5, 2, 0.1, 1.5, 1, 200, "ok", "none", 1, 0, False, request)
        add_calls(store, [call._replace(reused=None if request else 1)])
    append(store, Event("label", "1", "d1", "llm", 1, evidence='{"call": 1}', input="model", seconds=1.5))
    add_audit(store, "llm", ADA, unit="pair", by="grade", seed=5, strata={"1": 1}, pairs=[AuditedPair("1", "d1", "1")])


def _bundle(folder: Path, path: Path) -> None:
    """Ada judges a bundle, which comes home."""
    with Store.open(path) as store:
        write_bundle(store, folder / "bundle.db", ADA)
    with Store.open(folder / "bundle.db") as bundle:
        qid, docno = bundle.rows("SELECT qid, docno FROM pooled ORDER BY qid, docno")[0]
        append(bundle, Event("label", qid, docno, ADA, 1, note=HER_NOTE, seconds=1.0, pool=3))
        add_criterion(bundle, qid, ADA, HER_CRITERION)
    with Store.open(path) as store:
        merge_bundle(store, folder / "bundle.db")
