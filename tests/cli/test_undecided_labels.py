"""Every command that reads labels refuses those that differ, or names whose it took, while nobody has chosen."""

import json
import re
from collections.abc import Mapping
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

import pytest

import cranfield as package
from cranfield.errors import UndecidedError
from cranfield.features.answers.store.nuggets import current_nuggets
from cranfield.features.models.analysis.audit import audit
from cranfield.features.preferences.store import PreferenceEvent, append_preferences
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.judging.session.adaptive import grow
from cranfield.pooling.stored.growth import make_pool
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.assignments import Plan, add_plan
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.pools import stored_pool
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.answers.stores import answered_store, label_nuggets
from tests.judging.cases import at, session_of
from tests.needed_extras import skip_without
from tests.needed_features import EVERY_FEATURE
from tests.readme import places
from tests.real import copied
from tests.stores import new_store

REFUSED = {  # with words for a store
    "pool build": [
        "pool build t.db --method mtf --budget 4 --depth 5",
        "pool build t.db --method cal --budget 6 --option first=2",
    ],
    "pool extend": ["pool extend t.db --dry-run --run r1 --depth 7"],
    "pool show": ["pool show t.db --by pair", "pool show t.db --by run"],
    "pool diff": ["pool diff t.db 1 1"],
    "pool verify": ["pool verify t.db"],
    "pool simulate": ["pool simulate t.db --budgets 2"],
    "pool tune": ["pool tune t.db --method rrf --folds 2"],
    "pool forecast": ["pool forecast t.db"],
    "pool estimate": ["pool estimate t.db"],
    "topics hardness": ["topics hardness t.db"],
    "topics next": ["topics next t.db --run r1 --run r2"],
    "rehearse": ["rehearse t.db"],
    "evaluate": ["evaluate t.db", "evaluate a.db --answers"],
    "compare": ["compare t.db", "compare a.db --answers"],
    "correlate": ["correlate t.db"],
    "curve": ["curve t.db"],
    "reusability": ["reusability t.db"],
    "depths": ["depths t.db"],
    "stability": ["stability t.db"],
    "diagnose": ["diagnose t.db new.run"],
    "report": ["report t.db out.html"],
    "diff": ["diff t.db people models"],
    "model audit report": [
        "model audit report t.db --model qwen",
        "model audit report a.db --model llm --of nuggets",
        "model audit report t.db --model qwen --of preferences",
    ],
    "model prefer": ["model prefer t.db --model llm --url http://127.0.0.1:1/v1 --pairs adjacent"],
    "export preferences": ["export preferences t.db out.prefs"],
    "export qrels": ["export qrels t.db out.qrels", "export qrels t.db out.qrels --labels people"],
    "export beir": ["export beir t.db out"],
    "publish build": ["publish build t.db out --draft"],
}
UNNAMED = ("pool estimate", "publish build", "diff", "model prefer")  # need more than the labels of this store
NAMED = {  # commands that go on, and say whose labels they took and what to choose
    "why": "why t.db q1 d1",
    "agreement": "agreement t.db",
    "answers nuggets show": "answers nuggets show a.db",
}
TESTED_ELSEWHERE = {  # of tasks, rounds and logs, which need more than this store
    "lag", "task results", "task archive", "task close", "task release", "online divergence",
}  # fmt: skip
READING_NO_GRADES = {
    "demo", "init", "info", "collection list", "collection show", "collection build", "import corpus", "import topics",
    "import collection", "import runs", "import qrels", "import votes", "import bundle", "import answers",
    "import variations", "import log", "import preferences", "search", "pool export", "pool methods", "fuse",
    "topics set", "topics split", "topics list", "topics try", "topics keep", "topics drop", "export runs",
    "export pool", "export judgments", "export topics", "export corpus", "export bundle", "export page",
    "export datasette-metadata", "export answers", "store remove", "store withdraw", "store restore", "store erase",
    "store history", "store verify", "store backup", "store release", "store releases", "store upgrade",
    "store adopt", "store labels", "store fetch", "assign", "judge", "serve", "assessor invite", "assessor list",
    "assessor revoke", "assessor practice", "assessor results", "assessor questions", "assessor answer", "progress",
    "adjudicate", "help", "measures", "trec-eval", "model assess run", "model assess export", "model assess import",
    "model prompts", "model panel", "model audit draw", "model audit estimate", "answers nuggets make",
    "answers nuggets edit", "answers nuggets import", "answers nuggets export", "answers nuggets assign",
    "answers claims import", "answers claims make", "answers claims label", "answers questions make",
    "answers support", "answers rubrics import", "answers rubrics label", "answers correctness", "answers prefer",
    "passages build", "online show", "online ab", "online interleave lists", "online interleave methods",
    "online preference", "online clicks topics", "online clicks fit", "online clicks models",
    "online counterfactual", "publish describe", "publish check", "round start", "round close", "round list",
    "round same", "task describe", "task open", "task invite", "task revoke", "task teams", "task submissions",
    "task withdrawals", "task decide", "task receipt", "submit",
}  # fmt: skip
OF_FEATURES = {"publish": "publishing", "--method cal": "collecting"}  # next to those that this file imports
EXTRAS_OF_COMMANDS = {
    "publish build": ["arrow", "files", "report"],
    "pool build t.db --method cal": ["search"],
    "report": ["report"],
}
Choice = Literal["first", "second"]
TOPICS = [f"q{number}" for number in range(1, 7)]
DOCNOS = [f"d{number}" for number in range(1, 9)]
WHO = ("ada", "bob")


def needing(words: str) -> Any:
    """The words of a command as a parameter, which is skipped where its feature was deleted or its extra is missing."""
    extras = [extra for part, needed in EXTRAS_OF_COMMANDS.items() if words.startswith(part) for extra in needed]
    features = [name for part, name in OF_FEATURES.items() if part in words]
    return pytest.param(words, marks=[pytest.mark.needs(*features), pytest.mark.needs_extra(*extras)])


@EVERY_FEATURE
def test_every_command_is_in_the_table() -> None:
    names = {" ".join(place.words) for place in places()}
    listed = [*REFUSED, *NAMED, *TESTED_ELSEWHERE, *READING_NO_GRADES]
    assert sorted(listed) == sorted(names)


def _make() -> None:
    runs = {
        tag: {q: {d: float((n * step + 7 * t) % 11) + n / 100 for n, d in enumerate(DOCNOS)} for t, q in
              enumerate(TOPICS)}
        for tag, step in (("r1", 1), ("r2", 3), ("r3", 5))
    }  # fmt: skip
    labels = {
        name: {q: {d: (n * step + t) % 2 for n, d in enumerate(DOCNOS)} for t, q in enumerate(TOPICS)}
        for name, step in (("ada", 1), ("bob", 0), ("qwen", 1))
    }
    documents = {d: f"words on {'lift' if n % 2 else 'drag'} number {n}" for n, d in enumerate(DOCNOS)}
    with new_store(
        "t.db", documents=documents, topics={q: f"lift of {q}" for q in TOPICS}, runs=runs,
        people=WHO, models=["qwen"], qrels=labels, pool=5,
    ) as store:  # fmt: skip
        for name, order in (("ada", 0), ("bob", 1), ("qwen", 0)):
            chosen: tuple[Choice, Choice] = ("first", "second") if order == 0 else ("second", "first")
            append_preferences(
                store,
                *(
                    PreferenceEvent("prefer", "q1", first, second=second, assessor=name, choice=choice)
                    for (first, second), choice in zip((("d1", "d2"), ("d2", "d1")), chosen, strict=True)
                ),
            )
    with answered_store("a.db") as store:
        for name, letters in (("ada", "s"), ("bob", "n"), ("llm", "s")):
            add_assessor(store, name, "model" if name == "llm" else "human")
            label_nuggets(store, name, {(r, q): letters * len(current_nuggets(store, q)) for r in "ab" for q in "12"})
    lines = [f"{q} Q0 {d} {n + 1} {8 - n} new\n" for q in TOPICS for n, d in enumerate(DOCNOS)]
    Path("new.run").write_text("".join(lines))


def _make_with_choice(choice: Mapping[str, str]) -> None:
    copied(_make, Path())
    for name in ("t.db", "a.db"):
        with Store.open(name) as store:
            record_label_choice(store, **choice)


CHOICES = {  # folders in which somebody has chosen, by the word that each output contains
    word: partial(_make_with_choice, choice)
    for word, choice in {"bob": {"assessor": "bob"}, "majority": {"policy": "majority-tie-high"}}.items()
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two people who differ on half of the documents, on nuggets and on preferences; a model labelled the same."""
    monkeypatch.chdir(tmp_path)
    return copied(_make, tmp_path)


@pytest.mark.parametrize("words", [needing(words) for several in REFUSED.values() for words in several])
def test_labels_that_differ_are_refused_with_the_choices(folder: Path, cranfield: Cranfield, words: str) -> None:
    result = cranfield(*words.split())
    said = " ".join(result.err.split())
    assert result.code == 1, result
    assert "ada and bob; choose which" in said
    assert "cranfield store labels" in said
    assert "NAME" in said
    assert not [*folder.glob("out*")]


CHOSEN = [needing(words) for name, several in REFUSED.items()
          if name not in ("pool estimate", "model prefer", "publish build") for words in several]  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("words", CHOSEN)
def test_a_recorded_choice_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, words: str, choice: str
) -> None:
    monkeypatch.chdir(copied(CHOICES[choice], tmp_path))
    result = cranfield(*words.split())
    assert "choose which labels count" not in result.err
    assert result.code == 0, result
    files = "".join(path.read_text() for path in tmp_path.glob("out*") if path.is_file())
    assert choice in result.out + result.err + files, "it does not name whose labels counted"


def _make_assigned() -> None:
    """Make the same store, where topics are assigned to ada first, so that her labels decide."""
    copied(_make, Path())
    with Store.open("t.db") as store:
        add_plan(store, Plan(1, overlap=1.0), dict.fromkeys(TOPICS, "ada"), dict.fromkeys(TOPICS, "bob"))


COUNTS = re.compile(r"\b(24 documents have|\d+ documents? ha(s|ve)) different labels")
BY_ASSIGN = "policy: primary, set by `cranfield assign` (the topic's assessor decides)"
ASSIGNED = [needing(words) for name, several in REFUSED.items() if name not in UNNAMED for words in several
            if " a.db" not in words and "preferences" not in words]  # fmt: skip


@pytest.mark.parametrize("words", ASSIGNED)
def test_labels_that_assign_decides_are_counted_and_the_policy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, words: str
) -> None:
    monkeypatch.chdir(copied(_make_assigned, tmp_path))
    result = cranfield(*words.split())
    assert result.code == 0, result
    files = "".join(path.read_text() for path in tmp_path.glob("out*") if path.is_file())
    said = " ".join(unescape(result.out + result.err + files).split())
    assert COUNTS.search(said), said
    assert BY_ASSIGN in said


def test_store_labels_says_what_is_in_force_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield
) -> None:
    monkeypatch.chdir(copied(_make_assigned, tmp_path))
    counts = "24 documents have different labels by ada and bob\n"
    by_assign = "policy primary decides where labels differ (set by `cranfield assign`): the topic's assessor decides\n"
    assert cranfield("store", "labels", "t.db").out == by_assign + counts
    recorded = "policy max decides where labels differ (recorded choice)\n"
    assert cranfield("store", "labels", "t.db", "--policy", "max").out == recorded + counts
    assert cranfield("store", "labels", "t.db", "--none").out == by_assign + counts
    copied(_make, Path())
    open_choice = cranfield("store", "labels", "t.db").out
    assert open_choice.startswith("no choice is recorded, and 24 documents need one; choose with --assessor NAME or")
    assert open_choice.endswith(counts)


@pytest.mark.parametrize("words", NAMED.values())
def test_what_goes_on_names_whose_labels_it_took(folder: Path, cranfield: Cranfield, words: str) -> None:
    result = cranfield(*words.split())
    assert result.code == 0, result
    said = result.out + result.err
    assert "ada" in said
    assert "bob" in said or "policy primary" in said


RELEASES = ["diff t.db 1.0 ada", "diff t.db 1.0 --contents", "publish build t.db out --draft --since 1.0"]


@pytest.mark.parametrize("words", [needing(words) for words in RELEASES])
def test_a_release_without_a_choice_takes_the_choice_of_the_store(
    folder: Path, cranfield: Cranfield, words: str
) -> None:
    assert cranfield("store", "release", "t.db", "1.0").code == 0
    refusal = cranfield(*words.split())
    assert (refusal.code, "ada and bob; choose which labels count" in refusal.err) == (1, True)
    assert cranfield("store", "labels", "t.db", "--policy", "max").code == 0
    result = cranfield(*words.split())
    assert result.code == 0, result
    assert "policy: max" in (result.out + result.err).replace("policy max", "policy: max")


PAGES = {  # with what each shows instead of a grade while nobody has chosen
    "pool": "Assessors: ada, bob. Relevant documents are not counted. Choose:",
    "topics": "They count as undecided, not as a grade.",
    "topic": ">labels differ<",
    "ranks": "They are shown as \N{NOT EQUAL TO}.",
    "document?docno=d2": "6 topics have different labels, and no choice is recorded. Assessors: ada, bob.",
    "systems": "2 assessors gave the same documents different labels",
    "live": "2 assessors gave the same documents different labels",
    "compare": "2 assessors gave the same documents different labels",
    "reusability": "2 assessors gave the same documents different labels",
    "hardness": "2 assessors gave the same documents different labels",
    "audit?model=qwen": "2 assessors gave the same documents different labels",
    "models": "not known: different labels by ada, bob",
    "answer-systems?measures=V_strict": "2 assessors gave the same items different labels",
    "answer-compare": "2 assessors gave the same items different labels",
    "answer-reusability": "2 assessors gave the same items different labels",
}
COUNTING_NO_GRADES = {
    "collection", "documents", "runs", "links", "work", "pace", "agreement", "repeats", "drift", "assigned", "people",
    "pairs", "unusual", "log", "experiments", "why", "labelling", "answer-runs", "answer-topics", "answers",
    "person", "briefed", "disputes", "timeline",
}  # fmt: skip


@pytest.mark.needs_extra("serve")
@EVERY_FEATURE
def test_every_page_is_in_the_table() -> None:
    from cranfield.web.look.table import VIEWS

    assert sorted([*(name.partition("?")[0] for name in PAGES), *COUNTING_NO_GRADES]) == sorted(VIEWS)


def _place(name: str) -> str:
    """The store that has what a page shows: answers, or documents."""
    return "a.db" if name.startswith("answer-") else "t.db"


def page(name: str, kind: str = "", *pairs: tuple[str, str]) -> str:
    skip_without("serve")
    from cranfield.web.look.table import answer

    view, _, parameters = name.partition("?")
    with Store.open(_place(name)) as store:
        response = answer(store, view, kind, [*parse_qsl(parameters), *pairs])
        return " ".join(unescape(response.text()).split())


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_no_grades_until_somebody_chooses(folder: Path, cranfield: Cranfield, name: str) -> None:
    """It links to the same page by each choice; which, made there or recorded, it names."""
    text = page(name)
    assert PAGES[name] in text
    assert "ada and bob" in text or "ada, bob" in text
    view, _, parameters = name.partition("?")
    assert f"/look/{view}?{parameters}{'&' if parameters else ''}assessor=bob" in text
    chosen = page(name, "", ("assessor", "bob"))
    assert PAGES[name] not in chosen
    assert "by bob" in chosen
    assert cranfield("store", "labels", _place(name), "--policy", "max").code == 0
    recorded = page(name)
    assert PAGES[name] not in recorded
    assert re.search("policy: (max|highest label)|policy max", recorded)


def test_a_page_as_a_table_has_no_grades_either(folder: Path) -> None:
    assert "ada and bob; choose which labels count" in page("pool", "csv", ("table", "contributions"))
    assert "ada and bob; choose which labels count" in page("pool", "json")
    for name in ("topic", "ranks"):
        rows = json.loads(page(name, "json"))
        assert {row["grade"] for row in rows if row["undecided"]} == {None}
        assert any(row["undecided"] for row in rows)
    assert json.loads(page("document?docno=d2", "json"))["undecided"]


def test_nuggets_are_counted_by_the_choice(folder: Path, cranfield: Cranfield) -> None:
    """Ada says that both answers say every nugget, bob that none does."""

    def counts() -> set[tuple[int, int, int]]:
        rows = json.loads(cranfield("answers", "nuggets", "show", "a.db", "--format", "json").out)
        return {(row["support"], row["no"], row["undecided"]) for row in rows}

    assert counts() == {(0, 0, 2)}
    for choice, shown in (("--assessor ada", (2, 0, 0)), ("--policy min", (0, 2, 0))):
        assert cranfield("store", "labels", "a.db", *choice.split()).code == 0
        assert counts() == {shown}


def test_an_audit_follows_the_choice_and_names_it(folder: Path, cranfield: Cranfield) -> None:
    with Store.open("t.db") as store:
        by = {name: audit(store, "qwen", human=name) for name in WHO}
        assert [by[name].people for name in WHO] == [("ada",), ("bob",)]
        assert by["ada"].kappa != by["bob"].kappa
        assert audit(store, "qwen", policy="max").people == WHO
        with pytest.raises(UndecidedError, match="24 documents have different labels by ada and bob"):
            audit(store, "qwen")
    by_both = "compared with labels by ada and bob; 24 documents have different labels; policy: min"
    for options, line in ((["--human", "bob"], "compared with labels by bob"), (["--policy", "min"], by_both)):
        assert line in cranfield.out("model", "audit", "report", "t.db", "--model", "qwen", *options)
        result = cranfield("model", "audit", "report", "t.db", "--model", "qwen", *options, "--format", "json")
        assert f'"line": "{line}"' in result.out
    assert cranfield("store", "labels", "t.db", "--assessor", "bob").code == 0
    assert package.models.audit("t.db", "qwen").kappa == by["bob"].kappa
    assert package.models.audit("t.db", "qwen", human="ada").kappa == by["ada"].kappa
    both = cranfield("model", "audit", "report", "t.db", "--model", "qwen", "--human", "ada", "--policy", "max")
    assert (both.code, "cannot be used together" in both.err) == (1, True)


def test_an_audit_needs_no_choice_where_the_model_has_no_label(folder: Path) -> None:
    with new_store(
        topics=["q1"], people=WHO, models=["qwen"], runs={"r": {"q1": {"d1": 1.0, "d2": 0.5}}},
        qrels={"ada": {"q1": {"d1": 1, "d2": 1}}, "bob": {"q1": {"d1": 1, "d2": 0}}, "qwen": {"q1": {"d1": 1}}},
    ) as store:  # fmt: skip
        assert audit(store, "qwen").items == 1


def test_a_pool_learns_from_the_labels_of_the_recorded_choice(folder: Path, cranfield: Cranfield) -> None:
    """By ada every other document is relevant, by bob all of a topic or none, so the pools are not the same."""
    pools = []
    for name in WHO:
        assert cranfield("store", "labels", "t.db", "--assessor", name).code == 0
        built = cranfield("pool", "build", "t.db", "--method", "mtf", "--budget", "6", "--depth", "8", "--batch", "1")
        assert built.code == 0, built
        assert f"labels by {name}" in built.err
        pools.append(package.pooling.pool_runs("t.db").frame[["query_id", "doc_id"]].to_numpy().tolist())
        assert cranfield("store", "labels", "t.db", "--none").code == 0
        cranfield("pool", "build", "t.db", "--depth", "2")  # the next is not an extension
    assert pools[0] != pools[1]


def test_a_pool_stops_growing_where_labels_come_to_differ() -> None:
    """Nobody has the topic alone; once two people differ on it, its next batch needs a choice, others do not."""
    runs = {"r": {q: {d: float(-n) for n, d in enumerate(DOCNOS)} for q in ("q1", "q2")}}
    with new_store(documents=DOCNOS, topics={"q1": "one", "q2": "two"}, runs=runs, people=WHO) as store:
        make_pool(store, PoolRequest("mtf", 8, budget=4, batch=1))
        first = {document.qid: document.docno for document in stored_pool(store).documents}
        append(store, Event("label", "q1", first["q1"], "bob", grade=1), Event("label", "q2", first["q2"], "bob", 1))
        session = session_of(store, "ada", order=None)
        with pytest.raises(UndecidedError, match="1 document has different labels by ada and bob; choose which"):
            at(session).grade(0)
        assert grow(store, 1, "q2", 4)
        record_label_choice(store, assessor="bob")
        assert grow(store, 1, "q1", 4)
