"""A session that is open longer than its claim holds: nobody's work is done twice, and nothing is lost."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest

from cranfield.judging.frontends.plain import Plain
from cranfield.judging.planning.assign import organise
from cranfield.judging.session.session import Session
from cranfield.judging.session.work import PassedOnError
from cranfield.store.assignments import assignments, claim, give, work_of
from cranfield.store.log import criteria, current, events
from cranfield.store.store import Store
from tests.judging.cases import POOLED, as_the_command, at, on_screen, store_of
from tests.judging.screen import on_the_screen


def tomorrow() -> datetime:
    """When any claim of this test has lapsed."""
    return datetime.now(UTC) + timedelta(days=2)


def queued() -> Store:
    """A store whose topics wait in the queue."""
    store = store_of(POOLED)
    organise(store, lease=3600)
    return store


COMMANDS: list[Callable[[Session], object]] = [
    lambda session: at(session).grade(1),
    lambda session: at(session).later(),
    lambda session: at(session).cannot_judge("unreadable"),
    lambda session: at(session).note("hm"),
    lambda session: at(session).toggle_unsure(),
    lambda session: at(session).quote("text"),
    lambda session: at(session).undo(),
    lambda session: at(session).criterion("says why"),
    lambda session: at(session).toggle_docno(),
]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_nothing_is_recorded_for_a_topic_that_somebody_else_claimed(number: int) -> None:
    """Whatever she does next; what she recorded stays, and she goes on with a topic of her own."""
    store = queued()
    ada = as_the_command(store, "ada")
    at(ada).grade(2)
    assert claim(store, "bob", tomorrow()) == "q1"
    before = events(store)
    with pytest.raises(PassedOnError, match="topic q1 is no longer yours: somebody else has it; what you recorded"):
        COMMANDS[number](ada)
    assert events(store) == before
    assert criteria(store, "q1", "ada") == []
    assert [event.grade for event in current(store, "ada").values()] == [2]
    assert (on_screen(ada) or ("",))[0] == "q2"
    at(ada).grade(1)
    assert [event.qid for event in events(store, "ada")] == ["q1", "q2"]
    assert at(ada).undo().topic


def test_no_pair_is_judged_twice_by_two_sessions_over_the_same_topics() -> None:
    """However their claims pass to and fro: what one settled the other is never shown, and all of it gets done."""
    store = queued()
    sessions = {name: as_the_command(store, name) for name in ("ada", "bob")}
    taken = []
    for step in range(40):
        name = ("ada", "bob")[step // 2 % 2]
        give(store, "q1", "first", name)
        for session in sessions.values():
            try:
                if not session.view.done:
                    at(session).grade(1)
            except PassedOnError:
                taken.append(step)
    judged = [(event.qid, event.docno) for event in events(store) if event.kind == "label"]
    assert len(judged) == len(set(judged)) == sum(map(len, POOLED.values()))
    assert taken


def test_a_claim_that_lapsed_and_nobody_wanted_is_renewed_by_what_she_records() -> None:
    """So that from then on nobody else gets it."""
    store = queued()
    ada = as_the_command(store, "ada")
    store.conn.execute("UPDATE assignment SET lease = '2020-01-01T00:00:00.000+00:00' WHERE assessor IS NOT NULL")
    at(ada).grade(1)
    lease = next(given.lease for given in assignments(store) if given.assessor == "ada")
    assert lease is not None
    assert lease > datetime.now(UTC).isoformat()
    assert claim(store, "bob", datetime.now(UTC)) == "q2"


def test_a_topic_that_was_put_back_into_the_queue_is_not_hers() -> None:
    """Until she claims it again, as she does when she has nothing else."""
    store = store_of({"q1": ["d1", "d2"]})
    organise(store, lease=3600)
    ada = as_the_command(store, "ada")
    give(store, "q1", "first", None)
    with pytest.raises(PassedOnError, match="it is in the queue again"):
        at(ada).grade(1)
    assert (on_screen(ada) or ("",))[0] == "q1"
    at(ada).grade(1)
    assert [given.assessor for given in assignments(store)] == ["ada"]


def test_without_assignments_a_topic_is_anybodys() -> None:
    """Two assessors who judge the whole pool do so."""
    store = store_of(POOLED)
    for name in ("ada", "bob"):
        at(as_the_command(store, name)).grade(1)
    assert len(events(store)) == 2


def test_two_processes(tmp_path: Path) -> None:
    """The claim is made by another program while the session is open."""
    path = tmp_path / "track.db"
    with store_of(POOLED, path) as store:
        organise(store, lease=3600)
    with Store.open(path) as here, Store.open(path) as there:
        ada = as_the_command(here, "ada")
        assert claim(there, "bob", tomorrow()) == "q1"
        with pytest.raises(PassedOnError):
            at(ada).grade(1)
        assert events(there) == []
        assert len(work_of(there, "bob")["q1"]) == 3


def test_line_mode_says_so_and_goes_on() -> None:
    """The refusal, then the topic that is hers now."""
    store = queued()
    ada = as_the_command(store, "ada")
    claim(store, "bob", tomorrow())
    out = StringIO()
    Plain(ada, StringIO("1\n1\nq\n"), out, 200).run()
    refused, _, after = out.getvalue().partition("Not recorded: topic q1 is no longer yours: somebody else has it")
    assert "Topic q1" in refused
    assert "Topic q2" in after
    assert "Recorded: topic q2, document 1: grade 1, relevant." in after
    assert [event.qid for event in events(store)] == ["q2"]


def test_the_full_screen_says_so_and_goes_on() -> None:
    """Also out of a line that is being typed."""
    store = queued()
    ada = as_the_command(store, "ada")
    seen = on_the_screen(ada, "escape", lambda: claim(store, "bob", tomorrow()), "n", "h", "enter", size=(130, 24))
    assert "! topic q1 is no longer yours: somebody else has it" in seen.text
    assert "title of q2" in seen.text
    assert (seen.terminal.failure, events(store)) == (None, [])
