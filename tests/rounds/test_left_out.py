"""A law for every analysis: what does not count is said, and its numbers are those of a store that never had it.

The living store has a round before, renamed documents, withdrawals and topics that are not asked for; the other one has
only what counts of all that.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as package
from cranfield.cli.tree import all_commands, load_command
from cranfield.errors import InputError
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.metrics.inputs import as_runs
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdraw
from tests.conftest import Cranfield, usually
from tests.files import json_lines
from tests.rounds.laws import ANALYSES, Grades, Rankings, build_pools, words_of
from tests.stores import filled, new_file, new_store

pytestmark = pytest.mark.full

GONE = {"run": "x", "topic": "9", "document": "d0"}
LEFT = {f"{what}s": {name: "wrong"} for what, name in GONE.items()}
LINE = "left out: 1 run (x: wrong), 1 topic (wrong), 1 document (wrong)"
TOPICS, TAGS, DOCUMENTS, DEPTH = [*map(str, range(1, 13)), "9a"], "abcx", 12, 3
SOME = [*TOPICS[:9:2], "9a"]  # with the topic that is withdrawn
BEFORE = {"old": "d10", "d11": "d11"}  # judged in the first round, and what it is called in the second
MADE = {  # where what they make of a set, or of what counts, is tested
    "assign": "tests/store/test_withdrawals.py", "fuse": __file__, "pool build": __file__, "pool extend": __file__,
    "report": __file__, "publish build": "test_rounds.py", "round start": "test_rounds.py", "lag": "test_rounds.py",
    "round list": "test_rounds.py", "adjudicate": __file__, "why": __file__, "model assess run": "test_names.py",
    **dict.fromkeys((f"online {words}" for words in (
        "divergence", "counterfactual", "show", "ab", "preference", "clicks fit")), __file__),
    **dict.fromkeys((f"answers {words}" for words in (
        "nuggets show", "nuggets make", "nuggets assign", "claims make", "claims label", "questions make", "support",
        "rubrics label", "correctness", "prefer")), "tests/features/answers/test_withdrawn.py"),
    "model audit estimate": "tests/features/models/test_audit.py",
    "model prefer": "tests/features/preferences/test_preferences.py",
    "task results": "tests/features/tasks/test_leaderboard.py",
}  # fmt: skip
UNTOUCHED = {  # tables of a store that withdrawals, rounds and sets do not touch
    "what there is, withdrawn or not": ["info", "topics list", "search", "demo"],
    "what happened": ["store history", "store releases"],
    "who does what": [
        "assessor list", "assessor results", "assessor questions", "task teams", "task submissions", "task withdrawals",
        "publish describe",
    ],
    "what panels say is made of all labels: what of it counts is decided where it is read": ["model panel"],
}  # fmt: skip


def test_every_table_of_a_store_is_here() -> None:
    """A new command that shows a table of a store, or takes a set of topics, is in the law, or has a reason."""
    commands = set()
    for place in all_commands():
        takes = {name for one in load_command(place).params for name in (one.name, *one.opts)}
        if "--topics" in takes or ("wide" in takes and takes & {"path", "paths", "store"}):
            commands.add(" ".join(place.words))
    law = {command.partition(" --")[0] for command in ANALYSES}
    assert commands == {*law, *MADE, *chain(*UNTOUCHED.values())}


def rankings() -> Rankings:
    """All documents in any order; the one that is withdrawn is below the pool."""
    random, shift = np.random.default_rng(7), DEPTH + 1 + len(BEFORE)
    return {
        tag: {
            qid: {f"d{at}": float(-rank - shift * (at == 0)) for rank, at in enumerate(random.permutation(DOCUMENTS))}
            for qid in TOPICS
        }
        for tag in TAGS
    }


def labels() -> Grades:
    random = np.random.default_rng(8)
    return {qid: {f"d{at}": int(random.integers(2)) for at in range(DOCUMENTS)} for qid in TOPICS}


def without(by_topic: dict[str, dict[str, Any]], *documents: str, topics: Sequence[str] = TOPICS) -> Any:
    """What is left of rankings or labels by topic."""
    return {
        qid: {docno: value for docno, value in by_topic[qid].items() if docno not in documents}
        for qid in topics
        if qid in by_topic and qid != GONE["topic"]
    }


def judge(store: Store, grades: Grades) -> None:
    """Labels by two assessors, of which the second is stricter, and by a model."""
    grades_of_model = {qid: {docno: int(docno < "d4") for docno in own} for qid, own in grades.items()}
    filled(store, people=["ada", "bob"], models=["gpt"], qrels={"ada": grades, "gpt": grades_of_model})
    append(store, *(Event("label", qid, docno, "bob", int(sum(map(ord, qid + docno)) % 3 > 0) * grade, seconds=9.0)
                    for qid, own in grades.items() for docno, grade in own.items()))  # fmt: skip


def store_of(path: Path, runs: Rankings, grades: Grades) -> Path:
    with new_store(path, runs=runs) as store:
        judge(store, grades)
        record_label_choice(store, policy="primary")
    return path


def living_store(path: Path, rounds: bool) -> Path:
    """The store with all that does not count; its pools were built before anything was withdrawn."""
    runs, grades, options = rankings(), labels(), dict[str, Any]()
    if rounds:
        first = {"before": {qid: dict.fromkeys(BEFORE, 1.0) for qid in TOPICS}}
        store_of(path, first, {qid: dict.fromkeys(BEFORE, 1) for qid in TOPICS})
        package.rounds.close(path, "1")
        with Store.open(path) as store:
            store.ensure_docnos(["d10"])
        package.rounds.start(path, "2", renamed={old: new for old, new in BEFORE.items() if old != new})
        with Store.open(path) as store:
            add_runs(store, as_runs(runs))
            judge(
                store, {qid: {d: g for d, g in own.items() if d not in BEFORE.values()} for qid, own in grades.items()}
            )
        options = {"round": "2"}
    else:
        store_of(path, runs, grades)
    build_pools(path, [*"abx"], DOCUMENTS, DEPTH, **options)
    with Store.open(path) as store:
        for what, name in GONE.items():
            withdraw(store, what, [name], "wrong")
    return path


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (path := tmp_path_factory.mktemp("some") / "some.txt").write_text("".join(f"{qid}\n" for qid in SOME))
    return path


Both = tuple[Path, Path]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[bool, Both]:
    """With a round before and without: the living store, and one that has only what counts of it on some topics."""
    stores = {}
    for rounds in (True, False):
        folder = tmp_path_factory.mktemp("left_out")
        (folder / "plain").mkdir()
        docnos = (GONE["document"], *(BEFORE.values() if rounds else ()))
        runs = {tag: without(own, *docnos, topics=SOME) for tag, own in rankings().items() if tag != GONE["run"]}
        plain = store_of(folder / "plain" / "track.db", runs, without(labels(), *docnos, topics=SOME))
        build_pools(plain, [*"ab"], DOCUMENTS, DEPTH)
        stores[rounds] = living_store(folder / "track.db", rounds), plain
    return stores


@pytest.mark.parametrize("rounds", [True, False], ids=["a round", "no rounds"])
@pytest.mark.parametrize("command", ANALYSES)
def test_what_does_not_count_was_never_there(
    pairs: Mapping[bool, Both], some: Path, cranfield: Cranfield, command: str, rounds: bool
) -> None:
    """Withdrawn, not of the set, of another round, judged before: the same numbers, and all of it is said."""
    if not rounds and command not in usually(("pool show", "progress", "diff", "curve"), tuple(ANALYSES)):
        pytest.skip("repeats the others without rounds; --daily runs it")
    living, plain = pairs[rounds]
    options = ["--round", "2"] if rounds else []
    outputs = cranfield(*words_of(command, living, "--topics", some, *options)), cranfield(*words_of(command, plain))
    assert [one.code for one in outputs] == [0, 0], outputs
    document, other = (json.loads(one.out) for one in outputs)
    if isinstance(document, dict):
        left_out = document.pop("left_out")
        earlier = left_out.pop("rows_judged_earlier", None)
        assert left_out == LEFT | {f"topics not in {some}": len(TOPICS) - len(SOME)}
        assert rounds or earlier is None
    else:
        assert "note: left out: 1 run (x: wrong), " in outputs[0].err
    assert document == other
    assert "left out: " not in outputs[1].err


def test_what_is_left_out_is_said_below_a_table(pairs: Mapping[bool, Both], cranfield: Cranfield) -> None:
    for command in ("evaluate", "pool show", "progress", "agreement"):
        output = cranfield(*words_of(command, pairs[False][0])[:-2])
        assert {LINE, f"note: {LINE}"} & {*(output.out + output.err).splitlines()}, command


@pytest.mark.filterwarnings("ignore:left out")  # pool_runs warns of it
def test_what_is_made_of_what_counts(
    pairs: Mapping[bool, Both], some: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    """Fused runs, a new pool, and one that is extended on a set: the same of both stores."""
    contents = []
    for at, path in enumerate(pairs[True]):
        (copy := tmp_path / f"{at}.db").write_bytes(path.read_bytes())
        options = ["--topics", some, "--round", "2"] if at == 0 else []
        fuse = ("fuse", copy, "--run", "a", "--run", "b", "-o", tmp_path / f"{at}.run", *options)
        extend, build = (
            ("pool", "extend", copy, "--run", "c", *options),
            ("pool", "build", copy, "--depth", 2, *options),
        )
        pools = []
        for words in (fuse, extend, build):
            output = cranfield(*words)
            assert output.code == 0, output.err
            pools.append(
                {
                    tuple(row)
                    for row in package.pooling.pool_runs(copy).frame[["query_id", "doc_id"]].to_numpy().tolist()
                }
            )
        contents.append(((tmp_path / f"{at}.run").read_text(), *pools[1:]))
    assert contents[0] == contents[1]
    runs = {tag: without(own, GONE["document"], *BEFORE.values()) for tag, own in rankings().items() if tag != "x"}
    assert contents[0][1] == {
        (qid, docno)
        for by_topic in runs.values()
        for qid in by_topic.keys() & {*SOME}
        for docno in sorted(by_topic[qid], key=lambda one: (by_topic[qid][one], one))[: -DEPTH - 1 : -1]
    }


@pytest.mark.filterwarnings("ignore:left out", "ignore:.* labels by ada")
def test_the_same_in_python(pairs: Mapping[bool, Both], some: Path) -> None:
    """A set of topics is a keyword; what is left out is a warning."""
    one, options = pairs[True][0], dict[str, Any](topics=str(some), round="2")
    for qids in (
        package.pooling.summarize_pool(one, **options).frame["topic"],
        package.pooling.compare_pools(one, 2, 3, **options).frame["topic"],
        package.judging.progress(one, **options).frame["topic"],
        package.fuse(one, **options).frame["query_id"],
        package.judging.compare_judgments(one, "ada", "bob", show="labels", **options).frame["query_id"],
    ):
        assert len(qids)
        assert {*qids} - {"all"} <= {*SOME}
    with pytest.warns(UserWarning, match="left out: 1 run .x: wrong., 1 topic"):
        package.pooling.summarize_pool(one)


def test_a_report_says_it_in_every_form(pairs: Mapping[bool, Both], tmp_path: Path, cranfield: Cranfield) -> None:
    """In the page, in Markdown and in JSON."""
    for form in ("html", "md", "json"):
        output = cranfield("report", pairs[False][0], tmp_path / f"report.{form}", "--card-only", "-m", "P@5")
        assert output.code == 0, output.err
        text = (tmp_path / f"report.{form}").read_text("utf-8")
        assert json.loads(text)["left_out"] == LEFT if form == "json" else "1 run (x: wrong), 1 topic (wrong)" in text


def test_old_names_and_what_is_withdrawn(pairs: Mapping[bool, Both], cranfield: Cranfield) -> None:
    """`why` says of a pair what is withdrawn, and its other names; nobody settles what does not count."""
    living = pairs[True][0]
    reasons = {pair: json.loads(cranfield("why", living, *pair, "--format", "json").out)["reason"]
               for pair in (("9", "d1"), ("1", "d0"), ("1", "old"), ("1", "d10"))}  # fmt: skip
    assert reasons["9", "d1"] == "topic 9 is withdrawn: wrong"
    assert reasons["1", "d0"] == "document d0 is withdrawn: wrong"
    assert reasons["1", "old"].endswith("; the document is now called d10")
    assert reasons["1", "d10"].endswith("; it was called old before, and the labels with that name count")
    cases = json.loads(cranfield("adjudicate", living, "--assessor", "zoe", "--list", "--format", "json").out)
    rows = cases["disagreements"] if isinstance(cases, dict) else cases
    assert rows
    assert not {row["topic"] for row in rows} & {"9"}
    assert not {row["document"] for row in rows} & {"d0", "old"}


def test_a_verdict_where_a_document_of_the_pool_is_withdrawn(tmp_path: Path, cranfield: Cranfield) -> None:
    """What comes within its depth then counts as pooled, which is said: as in a store that never had the document."""
    outputs = []
    for withdrawn in (True, False):
        runs, grades = {tag: rankings()[tag] for tag in "ab"}, labels()
        if not withdrawn:
            runs, grades = {tag: without(own, "d1") for tag, own in runs.items()}, without(grades, "d1")
        (folder := tmp_path / str(withdrawn)).mkdir()
        track = new_file(folder / "track.db", people=["ada"], runs=runs, qrels={"ada": grades})
        package.pooling.build_pool(track, depth=DEPTH)
        if withdrawn:
            package.store.withdraw(track, "document", "d1", reason="wrong")
            package.store.withdraw(track, "topic", GONE["topic"], reason="wrong")
        outputs.append(cranfield("reusability", track, "--format", "json"))
    assert "documents are now within depth 3 because of withdrawals, and treated as pooled" in outputs[0].err
    one, other = (json.loads(one.out) for one in outputs)
    assert one.pop("left_out") == {"topics": {"9": "wrong"}, "documents": {"d1": "wrong"}}
    assert one == other


@pytest.mark.filterwarnings("ignore:left out", "ignore:.* labels by ada", "ignore:not tested")
@pytest.mark.parametrize("names", [("run", "x"), ("document", "d3"), ("topic", "9")])
def test_a_pool_that_was_chosen_otherwise(tmp_path: Path, names: tuple[Any, str]) -> None:
    """What a withdrawn run or document helped to choose cannot be rebuilt without it, which is said; a topic leaves."""
    track = store_of(tmp_path / "track.db", rankings(), labels())
    package.pooling.build_pool(track, method="rrf", depth=6, budget=4)
    package.store.withdraw(track, *names, reason="wrong")
    if names[0] == "topic":
        assert len(package.trust.leave_one_out(track).rows())
        return
    with pytest.raises(
        InputError,
        match="it was built with runs or documents that are now withdrawn; build a new pool",
    ):
        package.trust.leave_one_out(track)


def audit_store(path: Path, name: str, topics: Sequence[str] = TOPICS) -> Path:
    """A store with labels of a person and of a model, runs and a log of lists; `name` is that of a document."""
    new_names = {"d1": name}
    runs = {tag: {q: {new_names.get(d, d): s for d, s in found[q].items()} for q in topics}
            for tag, found in rankings().items()}  # fmt: skip
    grades = {q: {new_names.get(d, d): g for d, g in labels()[q].items()} for q in topics}
    by_model = {q: {d: int(d not in ("d5", name)) for d in own} for q, own in grades.items()}
    qrels = {"ada": grades, "gpt": by_model}
    new_file(path, topics=TOPICS, people=["ada"], models=["gpt"], runs=runs, qrels=qrels)
    lists = [{"id": f"{tag} {qid} {user}", "at": 2e9 + user, "user": f"u{user}", "qid": qid, "arm": tag,
              "docs": (docs := sorted(own, key=own.__getitem__, reverse=True)[:4]),
              "actions": [{"kind": "click", "doc": docs[user % 4], "at": 2e9 + user + 1}]}
             for tag, found in runs.items() for qid, own in found.items() for user in range(10)]  # fmt: skip
    (log := path.with_suffix(".jsonl")).write_text(json_lines(lists))
    package.store.import_log(path, log, experiment="page")
    both_arms = [
        {name: value for name, value in one.items() if name != "arm"} | {"id": f"mixed {one['id']}", "teams": "abba"}
        for one in lists
        if str(one["user"]) in ("u0", "u3", "u6")
    ]
    log.write_text(json_lines(both_arms))
    package.store.import_log(path, log, experiment="mixed", arms=["a", "b"])
    return path


FORMS = (
    ("model", "audit", "report", "--model", "gpt"), ("online", "divergence", "-m", "AP", "--online", "CTR"),
    ("online", "counterfactual", "b", "--propensity", "pbm"),
)  # fmt: skip


ONLINE = (
    ("show",), ("preference",), ("clicks", "fit", "--model", "pbm"), ("divergence", "-m", "AP", "--experiment", "page"),
    ("ab", "--control", "a", "--experiment", "page", "--unit", "list"),
    ("counterfactual", "b", "--propensity", "pbm", "--experiment", "page"),
)  # fmt: skip


def test_a_log_on_a_set_of_topics(tmp_path: Path, some: Path, cranfield: Cranfield) -> None:
    """Lists of other queries are left out, which is said: the rest is as in a log that never had them."""
    living, plain = audit_store(tmp_path / "living.db", "d1"), audit_store(tmp_path / "plain.db", "d1", SOME)
    for words in ONLINE:
        at = 1 + (words[0] == "clicks")
        outputs = [
            cranfield("online", *words[:at], path, *words[at:], *more, "--format", "json")
            for path, more in ((living, ("--topics", some)), (plain, ()))
        ]
        assert [one.code for one in outputs] == [0, 0], outputs
        document, other = (
            json.loads(re.sub(r'(?<="days": )[0-9.]+|(?<=\.[0-9]{9})[0-9]+', "0", one.out)) for one in outputs
        )
        has_place = isinstance(document, dict) and words[0] != "counterfactual"
        assert "lists of other queries" in str(document.pop("left_out") if has_place else outputs[0].err), words
        assert document == other, words


def test_audits_and_logs(tmp_path: Path, cranfield: Cranfield) -> None:
    """What users and models did is known by present names; labels and runs that do not count are left out."""
    both = audit_store(tmp_path / "living.db", "d1"), audit_store(tmp_path / "plain.db", "new")
    with Store.open(both[0]) as store:
        store.ensure_docnos(["new"])
    package.rounds.close(both[0], "1")
    package.rounds.start(both[0], "2", renamed={"d1": "new"})
    for withdrawn in (False, True):
        for path in both if withdrawn else ():
            package.store.withdraw(path, "topic", "9", reason="wrong")
        for group, *words in FORMS:
            *leaf, rest = (words[:1], words[1:]) if group == "online" else (words[:2], words[2:])
            outputs = [cranfield(group, *leaf[0], path, *rest, "--format", "json") for path in both]
            texts = [re.sub(r'"days": [0-9.]+|(?<=\.[0-9]{9})[0-9]+', "", one.out) for one in outputs]
            assert texts[0] == texts[1] != "", (words, outputs)
            assert withdrawn == ("wrong" in outputs[0].out + outputs[0].err), words
