"""After the close a team asks for a withdrawal, the organiser decides, and every table says what was withdrawn."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.features.tasks.archive import LOG, write_archive
from cranfield.features.tasks.scoring import leaderboard, overview_of, results_of
from cranfield.features.tasks.store import describe
from cranfield.features.tasks.submissions import content_of, submission_of, take_runs
from cranfield.features.tasks.withdrawing import decide_request, withdraw, withdrawal_requests, withdrawn_lines
from cranfield.metrics.inputs import as_qrels
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.features.tasks.track import DOCNOS, QIDS, TOKENS, Track, description, run_lines
from tests.web.browser import Page

REASON = "it ranked by <b>docno</b>"


@pytest.fixture
def over() -> Iterator[Track]:
    """A task whose results are out: a run of each team, scored."""
    with closing(Track(description(names='"all"', leaderboard='"after"'))) as track:
        for place, team in enumerate(TOKENS):
            assert track.upload(team, run_lines(f"r{place}", DOCNOS[place : place + 3])).status_code == 201
        track.phase("closed")
        track.do(take_runs)
        track.do(lambda store: import_qrels(store, as_qrels({qid: {"d1": 1, "d4": 1} for qid in QIDS}), "nist"))
        track.phase("results")
        yield track


def ask(track: Track, reason: str = REASON) -> int:
    """The team of the first run presses the button of its page; the status of the answer."""
    browser = track.as_team("cuni")
    form = Page(browser.get("/team/runs/r0").text).forms["/team/runs/r0/withdraw"].fields
    return browser.post("/team/runs/r0/withdraw", data=form | {"reason": reason}, follow_redirects=False).status_code


def test_a_withdrawal_after_the_close_is_a_request(over: Track) -> None:
    """One click changes nothing: without a reason it is refused, with one it waits, once; all tables stay."""
    before = over.do(results_of).overview()
    assert ask(over, " ") == 409
    assert ask(over) == 303
    assert "r0" in over.do(run_info)
    assert over.do(results_of).overview() == before
    assert over.do(withdrawn_lines) == []
    page = over.as_team("cuni").get("/team/runs/r0").text
    assert "is waiting for the organiser" in page
    assert "/withdraw" not in page
    assert "withdrawal asked" in over.as_team("cuni").get("/team").text
    with pytest.raises(StoreError, match="is already waiting for the organiser"):
        over.do(lambda store: withdraw(store, "cuni", "r0", "again"))
    over.do(verify)


def test_a_request_by_curl(over: Track) -> None:
    """A program asks as well, with its token; the answer says that it was asked, not done."""
    headers = {"authorization": f"Bearer {over.tokens['cuni']}"}
    answer = over.client().post("/team/runs/r0/withdraw", data={"reason": REASON}, headers=headers)
    assert (answer.status_code, answer.json()) == (202, {"run": "r0", "state": "withdrawal asked"})


def test_the_organiser_grants_and_tables_say_it(over: Track, tmp_path: Path) -> None:
    """The run leaves the tables, all of which keep a line with the reason; so do the archive and its log."""
    ask(over)
    organiser = over.client()
    organiser.get(f"/enter/{over.app.access.start_token}")
    page = organiser.get("/organise/task").text
    assert "cuni asks to withdraw r0: it ranked by &lt;b&gt;docno&lt;/b&gt;" in page
    fields = Page(page).forms["/organise/task-decide"].fields
    text = organiser.post("/organise/task-decide", data=fields | {"decision": "grant"}).text
    assert "The request from cuni to withdraw run r0 is granted." in text
    assert "r0" not in over.do(run_info)
    line = f"Withdrawn after the close: r0 (its team withdrew it: {REASON}). Ranks and p do not include it."
    results = over.do(results_of)
    assert results.withdrawn == (line,)
    for team in TOKENS:
        overview, board = over.do(partial(overview_of, team=team)), over.do(partial(leaderboard, team=team))
        assert overview.withdrawn == [line]
        assert line in board.note
        assert "Withdrawn after the close: r0" in over.as_team(team).get("/leaderboard").text
        assert "Withdrawn after the close: r0" in over.as_team(team).get("/team").text
    over.do(lambda store: write_archive(store, tmp_path / "archive"))
    index = (tmp_path / "archive" / "results" / "index.html").read_text("utf-8")
    assert "Withdrawn after the close: r0 (its team withdrew it: it ranked by &lt;b&gt;docno&lt;/b&gt;)" in index
    assert '"kind": "granted"' in (tmp_path / "archive" / LOG).read_text("utf-8")
    over.do(verify)


def test_a_refusal_has_a_reason(over: Track) -> None:
    """The run stays; the team reads why, and may ask again."""
    ask(over)
    with pytest.raises(StoreError, match="a refusal needs a reason"):
        over.do(lambda store: decide_request(store, "cuni", "r0", grant=False))
    one = over.do(lambda store: decide_request(store, "cuni", "r0", grant=False, reason="too late"))
    assert (one.state, one.answer) == ("refused", "too late")
    assert "r0" in over.do(run_info)
    assert "too late" in over.as_team("cuni").get("/team/runs/r0").text
    with pytest.raises(StoreError, match="team cuni has no open request to withdraw run 'r0'"):
        over.do(lambda store: decide_request(store, "cuni", "r0", grant=True))
    assert ask(over, "really") == 303
    assert [one.state for one in over.do(withdrawal_requests)] == ["refused", "asked"]


def test_other_teams_are_not_named_unless_all_are(over: Track) -> None:
    """Where teams see their own names alone, the line counts the runs of others."""
    over.do(lambda store: describe(store, description(names='"own"')))
    ask(over)
    over.do(lambda store: decide_request(store, "cuni", "r0", grant=True))
    lines = ["1 run from another team was withdrawn after the close. Ranks and p do not include it."]
    other, own = (over.do(lambda store, team=team: overview_of(store, team)) for team in ("udel", "cuni"))
    assert other is not None
    assert own is not None
    assert other.withdrawn == lines
    assert "r0 (its team withdrew it" in own.withdrawn[0]


def test_a_pooled_tag_does_not_come_again(over: Track) -> None:
    """A late run cannot take the name of one that was withdrawn after the close, nor replace one that waits."""
    over.do(lambda store: describe(store, description(late='"unpooled"', leaderboard='"after"')))
    ask(over)
    over.do(lambda store: decide_request(store, "cuni", "r0", grant=True))
    over.phase("closed")
    answer = over.upload("cuni", run_lines("r0"))
    assert answer.status_code == 409
    assert "withdrawn after the close; choose another tag" in answer.json()["errors"][0]["found"]


def test_a_run_that_was_not_taken_waits_too() -> None:
    """After the close a run cannot be withdrawn and sent again before the organiser takes the runs."""
    with closing(Track(description(late='"unpooled"'))) as track:
        assert track.upload("cuni", run_lines("r0"), 'tag = "r0"\npriority = 2').status_code == 201
        track.phase("closed")
        number = track.do(lambda store: withdraw(store, "cuni", "r0", REASON)).number
        assert track.do(lambda store: content_of(store, number)) == run_lines("r0")
        assert track.do(lambda store: submission_of(store, "cuni", "r0").state) == "accepted"
        again = track.upload("cuni", run_lines("r0"), 'tag = "r0"\npriority = 1')
        assert again.status_code == 409  # neither the file nor its priority changes after the close
        track.do(lambda store: decide_request(store, "cuni", "r0", grant=True))
        assert track.do(take_runs) == []
        assert track.do(lambda store: store.count("submission_upload")) == 0


def test_a_late_run_is_not_replaced() -> None:
    """And the refusal does not call it a run from before the deadline."""
    with closing(Track(description(late='"unpooled"'))) as track:
        track.phase("closed")
        assert track.upload("cuni", run_lines("r9")).status_code == 201
        answer = track.upload("cuni", run_lines("r9", DOCNOS[3:6]))
        assert answer.status_code == 409
        found = answer.json()["errors"][0]["found"]
        assert found == "run 'r9' was submitted after the deadline; choose another tag"


def test_the_commands(cranfield: Cranfield, tmp_path: Path, over: Track) -> None:
    """`task withdrawals` lists, `task decide` decides, `task results` ends with the line."""
    ask(over)
    path = tmp_path / "track.db"
    over.do(lambda store: store.conn.execute("VACUUM INTO ?", [str(path)]))
    assert "waits for you" in cranfield.out("task", "withdrawals", path)
    assert "is granted" in cranfield.out("task", "decide", path, "cuni", "r0", "--grant")
    results = cranfield("task", "results", path)
    assert "Withdrawn after the close: r0" in " ".join(results.err.split())
    wrong = cranfield("task", "decide", path, "cuni", "r0", "--grant")
    assert (wrong.code, "team cuni has no open request" in wrong.err) == (1, True)
    with Store.open(path) as store:
        verify(store)
