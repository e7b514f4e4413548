"""Comparing pairs, by people and models: both orders, what follows from them, how they leave the store and return."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from io import StringIO
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import cranfield
from cranfield.cli.program import app
from cranfield.errors import CranfieldError, InputError, StoreError, UndecidedError
from cranfield.features.models.analysis.audit import audit
from cranfield.features.models.asking.limits import AskingTally, AskLimits
from cranfield.features.models.asking.planned import asker_of
from cranfield.features.models.options import Asking
from cranfield.features.preferences.by_model import PREFERENCE, plan_preferences
from cranfield.features.preferences.by_model import compare as audit_comparison
from cranfield.features.preferences.choice import choose_preferences
from cranfield.features.preferences.files import as_lines, import_preferences, preferences_of
from cranfield.features.preferences.functions import label_preferences
from cranfield.features.preferences.pairs import copeland, give_pairs, incomplete, pairs_of_source, resolve
from cranfield.features.preferences.screen import PreferenceTerminal
from cranfield.features.preferences.session import PlainPreferences, PreferenceSession
from cranfield.features.preferences.store import (
    DocumentPair,
    PreferenceEvent,
    append_preferences,
    check_known,
    current_preferences,
    preference_events,
)
from cranfield.formats import read_preferences, read_qrels
from cranfield.formats.preferences import PreferenceLine
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.metrics.inputs import as_runs
from cranfield.metrics.preferences import rankings, scores
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.chain import Event
from cranfield.store.connection import DatabaseError
from cranfield.store.log import add_assessor, append, assessors
from cranfield.store.removal import remove
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdraw
from tests.features.models.stand_in import Answering, Post, Response, reply, stand_in
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, at, store_of
from tests.judging.screen import SMALL, on_the_screen
from tests.stores import add_unfinished_import, filled, new_store

PAIRS = "q1 d1 d2\nq1 d3 d1\nq2 d2 d4\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The small store, with three pairs that ada compares."""
    (tmp_path / "pairs").write_text(PAIRS)
    store = store_of()
    assert give_pairs(store, "ada", str(tmp_path / "pairs")) == 3
    return store


def compare(session: PreferenceSession, better: str) -> None:
    """Answer everything: the document named comes first in every pair that has it, else the first one shown."""
    while not session.view.done:
        texts = [part.text for part in session.view.parts]
        at(session).grade(texts.index(f"text of {better}") + 1 if f"text of {better}" in texts else 1)


def test_every_pair_is_shown_in_both_orders_and_apart(store: Store) -> None:
    """All pairs once, then all again the other way round."""
    session = PreferenceSession(store, "ada")
    pairs = []
    while not session.view.done:
        pairs.append(tuple(part.text for part in session.view.parts))
        at(session).grade(0)
    assert len(set(pairs)) == 6
    assert Counter(pairs[:3]) == Counter(pair[::-1] for pair in pairs[3:])


def test_different_answers_are_a_tie_and_levels_are_by_wins_and_half_ties(store: Store) -> None:
    """Whoever takes what is shown first prefers nothing; a topic where not all documents met is named."""
    compare(PreferenceSession(store, "ada"), "d1")
    answers = resolve(current_preferences(store))
    assert {one.pair: one.better for one in answers.preferences} == {
        ("q1", "d1", "d2"): "d1", ("q1", "d1", "d3"): "d1", ("q2", "d2", "d4"): "",
    }  # fmt: skip
    assert (answers.different, answers.shown_first, str(answers)) == (
        1, 2, "3 pairs judged in both orders, 1 with different answers (33%)",
    )  # fmt: skip
    levels = copeland(answers.preferences)
    assert [(one.qid, one.docno, one.level, one.score) for one in levels] == [
        ("q1", "d1", 1, 2.0), ("q1", "d2", 0, 0.0), ("q1", "d3", 0, 0.0), ("q2", "d2", 0, 0.5), ("q2", "d4", 0, 0.5),
    ]  # fmt: skip
    assert incomplete(levels) == ["q1"]


def test_a_pair_in_one_order_or_set_aside_counts_as_neither(store: Store) -> None:
    """It is counted apart."""
    session = PreferenceSession(store, "ada")
    at(session).grade(1)
    at(session).cannot_judge("unreadable")
    answers = resolve(current_preferences(store))
    assert (list(answers.preferences), answers.once, answers.cannot) == ([], 1, 1)


def test_undo_redo_later_and_notes(store: Store) -> None:
    """As in judging: of any session, and what was put off comes back at the end."""
    session = PreferenceSession(store, "ada")
    first = session.pair
    at(session).note("close")
    at(session).later()
    at(session).grade(2)
    at(PreferenceSession(store, "ada")).undo()
    session.refresh()
    at(session).redo()
    while session.pair != first:
        at(session).grade(0)
    assert session.view.counts.later == 1
    at(session).grade(1)
    assert session.view.done
    assert [event.note for event in current_preferences(store) if event.choice == "first"] == ["close"]


def test_a_repeated_command_is_done_once_and_a_late_one_not_at_all(store: Store) -> None:
    """In two windows of the same assessor, too."""
    session, other = PreferenceSession(store, "ada"), PreferenceSession(store, "ada")
    about = session.command_target()
    session.grade(about, 1)
    session.grade(about, 1)
    other.grade(about, 1)
    with pytest.raises(InputError, match="no longer on screen"):
        session.grade(about._replace(event_id="new"), 2)
    assert len(preference_events(store)) == 1


def test_the_log_takes_answers_and_loses_none(store: Store) -> None:
    """What is no answer is refused; an event is not changed, deleted or replaced, and its topic is not removed."""
    with pytest.raises(InputError, match="3 is not an answer here; the answers are 1 the first document is better"):
        at(PreferenceSession(store, "ada")).grade(3)
    assert preference_events(store) == []
    at(PreferenceSession(store, "ada")).grade(1)
    for change in ("UPDATE preference_event SET choice = 'second'", "DELETE FROM preference_event",
                   "INSERT OR REPLACE INTO preference_event SELECT * FROM preference_event"):  # fmt: skip
        with pytest.raises(DatabaseError, match="preference_event is append-only: nothing in it is"):
            store.conn.execute(change)
    with pytest.raises(StoreError, match=r"its documents were compared \(1 event in the log\)"):
        remove(store, "topic", ["q1"], "a mistake")


def test_nothing_shows_where_a_document_came_from(store: Store) -> None:
    """Neither runs, ranks, labels nor docnos."""
    add_assessor(store, "bob")
    append(store, Event("label", "q1", "d1", "bob", grade=2, note="a secret note"))
    out = StringIO()
    PlainPreferences(PreferenceSession(store, "ada"), StringIO("t\nd\nl\n1\nq\n"), out).run()
    texts = out.getvalue() + str(PreferenceSession(store, "ada").view)
    assert not any(secret in texts for secret in (SECRET_RUN, str(SECRET_DEPTH), "secret", "docno='d"))


def test_full_screen_and_lines_write_the_same_log(store: Store, tmp_path: Path) -> None:
    """From the same keys."""
    PlainPreferences(PreferenceSession(store, "ada"), StringIO("1\n2\ns\nu\n0\nq\n"), StringIO()).run()
    other = store_of()
    give_pairs(other, "ada", str(tmp_path / "pairs"))
    keys = ("1", "2", "s", "u", "0", "d", "d")
    screen = on_the_screen(PreferenceSession(other, "ada"), *keys, terminal=PreferenceTerminal)
    assert "1 First document" in screen.text
    logs = [[event[:6] for event in preference_events(one)] for one in (store, other)]
    assert (logs[0], len(logs[0])) == (logs[1], 5)
    small = on_the_screen(PreferenceSession(other, "ada"), "escape", size=SMALL, terminal=PreferenceTerminal)
    assert "2 text of" in small.text


def test_disputed_pairs_are_those_that_two_people_order_differently() -> None:
    """Equal labels are no order, and a model's do not count."""
    grades = {"ada": (0, 1, 1), "bob": (2, 1, 1), "m": (0, 1, 2)}
    labels = {name: {("q1", f"d{n}"): grade for n, grade in enumerate(own, 1)} for name, own in grades.items()}
    store = filled(store_of({"q1": ["d1", "d2", "d3"]}), models="m", labels=labels)
    assert [pair[1:] for pair in pairs_of_source(store, "disputed")] == [("d1", "d2"), ("d1", "d3")]


BAD_PAIRS = {
    "q1 d1\n": "pairs:1: the line has 2 columns; expected 3: qid docno docno",
    "q1 d1 d1\n": "pairs:1: document 'd1' occurs twice in the pair; expected two different documents",
    "": "pairs: the file contains no pairs; expected lines with qid docno docno",
    "q1 d1 d99\n": "no document 'd99' in this store",
    "q9 d1 d2\n": "no topic 'q9' in this store",
    "disputed": "no two assessors disagree on the order of two documents",
    "adjacent": "adjacent pairs need runs",
    "adjecent": "adjecent: no such file; expected a file of pairs, adjacent or disputed",
}


@pytest.mark.parametrize("text", BAD_PAIRS)
def test_bad_pairs_are_refused(tmp_path: Path, text: str) -> None:
    """With the line; nothing is given to people, and nothing asked of a model."""
    (path := tmp_path / "pairs").write_text(text)
    source = str(path) if "\n" in text or not text else text
    with store_of() as store:
        asker = asker_of(store, PREFERENCE, "qwen", "http://h/v1", "preference")
        for take in (partial(give_pairs, store, "ada", source), partial(plan_preferences, store, asker, source)):
            with pytest.raises(InputError) as error:
                take()
            assert BAD_PAIRS[text] in str(error.value)
        with pytest.raises(InputError, match="disagree on the order of two documents in these topics"):
            plan_preferences(store, asker, "disputed", ["q1"])


QUICK = AskLimits(pause=0.0, timeout=60.0, parallel=2)


@pytest.fixture
def modelled_store() -> Iterator[Store]:
    """The small store, with somebody's labels, which no model is to see."""
    with store_of() as store:
        add_assessor(store, "bob")
        append(store, Event("label", "q1", "d1", "bob", grade=2, note="a canary"))
        yield store


def ask(store: Store, pairs: Path, answer: Answering, again: str = "") -> tuple[AskingTally, list[Post]]:
    """What comes of asking about the pairs, and what was sent."""
    with stand_in(answer) as server:
        asker = asker_of(store, PREFERENCE, "qwen", server.url, "preference")
        plan, _ = plan_preferences(store, asker, str(pairs), (), again)
        return plan.run(QUICK), list(server.posts)


def by_text(post: Post, before: int) -> Response:
    """It prefers d1 to d2 in both orders, and otherwise takes the first document."""
    text = post.text
    one, two = text.find("text of d1"), text.find("text of d2")
    return reply(f"Better: {2 if 0 <= two < one else 1}")


def test_both_orders_are_asked_and_different_answers_are_a_tie(modelled_store: Store, tmp_path: Path) -> None:
    """As an assessor of kind model, whose calls are on record; asked again, nothing is sent."""
    path = tmp_path / "pairs"
    path.write_text("q1 d1 d2\nq1 d1 d3\n")
    tally, posts = ask(modelled_store, path, by_text)
    answers = resolve(current_preferences(modelled_store, "qwen"))
    assert (tally.outcomes["ok"], len(posts), assessors(modelled_store)["qwen"]) == (4, 4, "model")
    assert {one.pair[1:]: one.better for one in answers.preferences} == {("d1", "d2"): "d1", ("d1", "d3"): ""}
    assert (answers.different, answers.shown_first) == (1, 2)
    assert all(event.evidence for event in current_preferences(modelled_store))
    assert ask(modelled_store, path, by_text)[1] == []
    for secret in (SECRET_RUN, str(SECRET_DEPTH), "canary", "bob", "secret"):
        assert not any(secret in one.body.decode() for one in posts)


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        (reply("Better: 1\nBetter: 2"), "unparsable"), (reply("Better: 3"), "off-scale"), (reply(""), "unparsable"),
        (reply("Better: 1", finish="length"), "cut-off"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_no_preference(
    modelled_store: Store, tmp_path: Path, response: Response, outcome: str
) -> None:
    """It is a state with its reason, and no tie; asked again, it can be mended."""
    path = tmp_path / "pairs"
    path.write_text("q1 d1 d2\n")
    tally, _ = ask(modelled_store, path, lambda post, before: response)
    assert tally.outcomes == {outcome: 2}
    events = current_preferences(modelled_store)
    assert {(event.kind, event.choice, event.reason.split(":")[0]) for event in events} == {
        ("cannot-judge", None, outcome)
    }
    assert resolve(events).preferences == []
    assert ask(modelled_store, path, by_text, again="failed")[0].outcomes == {"ok": 2}
    assert [one.better for one in preferences_of(modelled_store).preferences] == ["d1"]


def test_peoples_preferences_go_before_a_models(modelled_store: Store, tmp_path: Path) -> None:
    """A model's count where it is named, or where nobody else has any."""
    path = tmp_path / "pairs"
    path.write_text("q1 d1 d2\n")
    ask(modelled_store, path, by_text)
    append_preferences(
        modelled_store, PreferenceEvent("import", "q1", "d1", second="d2", assessor="bob", choice="second")
    )
    assert [one.better for one in preferences_of(modelled_store).preferences] == ["d2"]
    assert [one.better for one in preferences_of(modelled_store, ["qwen"]).preferences] == ["d1"]


CIRCLE = "q1 ada 1 d1 2\nq1 ada 1 d2 1\nq1 ada 2 d2 2\nq1 ada 2 d3 1\nq1 ada 3 d3 2\nq1 ada 3 d1 1\n"
TIE = "q2 ada 4 d2 1\nq2 ada 4 d4 1\n"


@pytest.fixture
def compared_store(tmp_path: Path) -> Path:
    """A store with a circle of preferences, and a tie."""
    (tmp_path / "prefs").write_text(CIRCLE + TIE)
    path = tmp_path / "t.db"
    with store_of(path=path) as store:
        assert import_preferences(store, read_preferences(tmp_path / "prefs")) == 4
    return path


def test_circles_get_groups_of_their_own_and_trec_eval_reads_the_file(compared_store: Path, tmp_path: Path) -> None:
    """All four preferences are there; a group with the circle would be refused. They come back, ties included."""
    out, run = tmp_path / "out", tmp_path / "run"
    run.write_text("q1 Q0 d1 0 3 t\nq1 Q0 d2 0 2 t\nq1 Q0 d3 0 1 t\n")
    outcome = CliRunner().invoke(app, ["export", "preferences", str(compared_store), str(out)])
    assert "4 pairs judged in both orders, 0 with different answers (0%)" in outcome.stdout
    assert "3 preferences are part of a cycle; each is written in a separate group" in outcome.stderr
    outcome = CliRunner().invoke(app, ["trec-eval", "-R", "prefs", "-m", "all_prefs", str(out), str(run)])
    values = {line.split()[0]: line.split()[2] for line in outcome.stdout.splitlines()}
    assert (values["prefs_num_prefs_poss"], values["prefs_num_prefs_ful"]) == ("3", "2")
    with Store.open(compared_store) as one, store_of() as other:
        before = preferences_of(one).preferences
        import_preferences(other, as_lines(before).lines, "ada")
        after = preferences_of(other).preferences
    assert [(p.pair, p.better) for p in before] == [(p.pair, p.better) for p in after]


@pytest.mark.full
def test_levels_are_qrels_of_their_own(compared_store: Path, tmp_path: Path) -> None:
    """They say that they are levels, and never are judgments of the store."""
    out = tmp_path / "levels"
    outcome = CliRunner().invoke(app, ["export", "preferences", str(compared_store), str(out), "--format", "copeland"])
    assert outcome.exit_code == 0, outcome.output
    levels = read_qrels(out)
    assert levels.grade.tolist() == [0, 0, 0, 0, 0]
    assert {line.split()[1] for line in out.read_text().splitlines()} == {"copeland"}
    with Store.open(compared_store) as store:
        assert store.count("judgment_event") == 0
    table = cranfield.judging.list_preferences(compared_store, by="document").frame
    assert table[["doc_id", "score", "ties"]].values.tolist()[0] == ["d1", 1.0, 0]
    better = cranfield.judging.list_preferences(compared_store).frame["better"]
    assert (better[:3].tolist(), better.isna().tolist()) == (["d1", "d2", "d3"], [False, False, False, True])


def test_a_document_of_an_unfinished_import_is_refused() -> None:
    """The store has the row, but the document does not exist before the import ends."""
    with store_of() as store:
        add_unfinished_import(store, ["d99"])
        with pytest.raises(InputError, match="no document 'd99' in this store"):
            check_known(store, [DocumentPair("q1", "d1", "d99")])


def test_what_the_store_does_not_have_is_refused_whole() -> None:
    """Nothing of the file is imported."""
    lines = [PreferenceLine(at, "q1", "ada", "1", docno, 1) for at, docno in enumerate(("d1", "d2", "nowhere"))]
    with store_of() as store:
        with pytest.raises(CranfieldError, match="no document 'nowhere' in this store"):
            import_preferences(store, lines)
        with pytest.raises(CranfieldError, match="no pair has been judged in both orders yet"):
            preferences_of(store)


def prefer(store: Store, assessor: str, two: Sequence[str], qid: str) -> None:
    """The first of two documents, in both orders."""
    better, worse = two
    first = PreferenceEvent("prefer", qid, better, worse, assessor, "first")
    append_preferences(store, first, first._replace(first=worse, second=better, choice="second"))


def test_what_is_withdrawn_is_neither_asked_nor_counted(store: Store, tmp_path: Path) -> None:
    """Pairs of a withdrawn topic, and pairs with a withdrawn document."""
    for qid, two in (("q1", ("d1", "d2")), ("q1", ("d3", "d1")), ("q2", ("d2", "d4"))):
        prefer(store, "ada", two, qid)
    give_pairs(store, "eve", str(tmp_path / "pairs"))
    session = PreferenceSession(store, "eve")
    for what, name, rest in (("topic", "q2", ["d1 d2", "d1 d3"]), ("document", "d3", ["d1 d2"])):
        withdraw(store, what, [name], "wrong")
        assert [one.refresh().position.of for one in (session, PreferenceSession(store, "eve"))] == [2 * len(rest)] * 2
        left_of = (
            pairs_of_source(store, str(tmp_path / "pairs")),
            [one.pair for one in preferences_of(store).preferences],
        )
        for pairs in left_of:
            assert sorted(" ".join(pair[1:]) for pair in pairs) == rest


def test_a_model_that_prefers_what_a_run_has_on_top_is_named() -> None:
    """By people the runs are alike; the scores are those of trec_eval's prefs_simp."""
    random, docs = np.random.default_rng(5), [f"d{number}" for number in range(6)]
    topics = [f"q{number:02}" for number in range(14)]
    ranked = {run: {qid: dict(zip(random.permutation(docs)[:5], (5.0, 3, 3, 2, 1), strict=True)) for qid in topics}
              for run in ("a", "b", "c")}  # fmt: skip
    people: list[PreferenceLine] = []
    with new_store(documents=docs, topics=topics, people=["ada"], models=["qwen"], runs=ranked) as store:
        for qid in topics:
            for at, two in enumerate(combinations(docs, 2)):
                better, worse = random.permutation(two)
                prefer(store, "ada", (better, worse), qid)
                best = sorted(ranked["b"][qid].items(), key=lambda one: (-one[1], one[0]))
                place = {docno: at for at, (docno, _) in enumerate(best)}
                prefer(store, "qwen", sorted(two, key=lambda one: place.get(one, 6)), qid)
                people += [PreferenceLine(0, qid, f"{at}", "0", docno, level) for docno, level in
                           ((better, 2.0), (worse, 1.0))]  # fmt: skip
        report = audit(store, "qwen", labels="preferences", measures="prefs_simp")
        with pytest.raises(InputError, match="only the measure prefs_simp can score runs from preferences"):
            audit(store, "qwen", labels="preferences", measures="AP")
        add_assessor(store, "bob")
        with pytest.raises(InputError, match="no pair was compared in both orders by both 'qwen' and bob"):
            audit(store, "qwen", labels="preferences", human="bob")
    assert [one.run for one in report.runs if one.favoured] == ["b"]
    assert report.over == []
    assert [one.use for one in report.uses] == ["the order of the runs", "single labels"]
    assert report.systems is not None
    ours = {one.run: one.a for one in report.systems.changes}
    for run, ranking in ranked.items():
        theirs = dict(scores(people, rankings(as_runs({run: ranking})), ["prefs_simp"]))
        assert ours[run] == pytest.approx(np.mean([values["prefs_simp"] for values in theirs.values()]))


def test_a_limit_leaves_whole_pairs(store: Store, tmp_path: Path) -> None:
    with stand_in(lambda post, before: reply("Better: 1")) as server:
        asker = asker_of(store, PREFERENCE, "m", server.url, "preference")
        for pairs in (1, 2):
            plan, _ = plan_preferences(store, asker, str(tmp_path / "pairs"))
            plan.run(QUICK._replace(questions=2))
            answers = resolve(current_preferences(store, "m"))
            assert (len(answers.preferences), answers.once) == (pairs, 0)
    batch = tmp_path / "batch.jsonl"
    written = label_preferences(store, Asking("other", batch=batch, limit=2), str(tmp_path / "pairs"))
    assert written.outcomes == {"written": 2}


@pytest.fixture
def contradicted_store(tmp_path: Path) -> Path:
    """Three people compare a pair, and one of them contradicts the others; ben alone compares another."""
    path = tmp_path / "contradicted.db"
    with store_of(path=path) as store:
        for name in ("ada", "ben", "eve"):
            add_assessor(store, name)
        for name, better, worse in (("ada", "d1", "d2"), ("ben", "d2", "d1"), ("eve", "d2", "d1"), ("ben", "d3", "d1")):
            prefer(store, name, (better, worse), "q1")
    return path


def test_preferences_that_contradict_each_other_need_a_choice(contradicted_store: Path, tmp_path: Path) -> None:
    """The order in which assessors came does not decide; the choice is named in the output."""
    words = ["export", "preferences", str(contradicted_store), str(tmp_path / "out")]
    for form in ("prefs", "copeland"):
        outcome = CliRunner().invoke(app, [*words, "--format", form])
        assert isinstance(outcome.exception, UndecidedError)
        line = outcome.exception.message
        assert "1 pair has contradicting preferences by ada, ben and eve; choose which preferences count" in line
        assert "--assessor NAME or --policy all or majority, or record a choice with `cranfield store labels`" in line
    assert not (tmp_path / "out").exists()
    levels = {}
    for chosen, line in (
        (("--assessor", "ada"), "preferences by ada"),
        (("--policy", "majority"), "preferences by ada, ben and eve; policy: majority"),
        (("--policy", "all"), "preferences by ada, ben and eve; policy: all"),
        (("--assessor", "ada", "--assessor", "ben"), "preferences by ada and ben; policy: all"),
    ):
        outcome = CliRunner().invoke(app, [*words, "--format", "copeland", *chosen])
        assert outcome.exit_code == 0, outcome.output
        assert f"note: {line}\n" in outcome.stderr
        written = read_qrels(tmp_path / "out")
        levels[chosen] = dict(zip(written.docnos.names[written.document].tolist(), written.grade.tolist(), strict=True))
    assert levels["--assessor", "ada"] == {"d1": 1, "d2": 0}
    assert levels["--policy", "majority"] == {"d1": 0, "d2": 1, "d3": 1}
    assert levels["--assessor", "ada", "--assessor", "ben"] == {"d1": 0, "d2": 0, "d3": 0}  # a win each


def test_the_choice_of_a_store_counts_for_preferences(contradicted_store: Path) -> None:
    """An assessor on record, or a majority; other policies of labels say nothing of preferences."""
    with pytest.raises(UndecidedError, match="1 pair has contradicting preferences"):
        cranfield.judging.list_preferences(contradicted_store, by="document")
    assert len(cranfield.judging.list_preferences(contradicted_store).rows()) == 4
    with pytest.warns(UserWarning, match="preferences by ada, ben and eve; policy: majority"):
        levels = cranfield.judging.list_preferences(contradicted_store, by="document", policy="majority")
    assert levels.frame.set_index("doc_id")["level"].to_dict() == {"d1": 0, "d2": 1, "d3": 1}
    for chosen, line in (
        ({"assessor": "ada"}, "preferences by ada, the store's choice"),
        ({"policy": "majority-tie-low"}, "preferences by ada, ben and eve; policy: majority, the store's choice"),
    ):
        with Store.open(contradicted_store) as store:
            record_label_choice(store, **chosen)
            assert choose_preferences(store).line == line
    with Store.open(contradicted_store) as store:
        record_label_choice(store, policy="max")
        with pytest.raises(UndecidedError):
            choose_preferences(store)


def test_an_audit_by_people_who_contradict_each_other_needs_one(contradicted_store: Path) -> None:
    with Store.open(contradicted_store) as store:
        add_assessor(store, "qwen", "model")
        prefer(store, "qwen", ("d1", "d2"), "q1")
        with pytest.raises(UndecidedError, match="ada, ben and eve; choose which preferences count with --human NAME"):
            audit_comparison(store, "qwen", Labellers(kind=LabelledBy.people), None)
        assert audit_comparison(store, "qwen", Labellers("ben", LabelledBy.people), None).matrix.grades.tolist() == [
            [0, 2]
        ]
