"""What teams and organisers read of a task: dates as they came about, terms, qrels, errors, counts, the archive."""

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cranfield.features.tasks.archive import write_archive
from cranfield.features.tasks.checking import RunRules, check_run
from cranfield.features.tasks.scoring import results_of
from cranfield.features.tasks.store import begin_phase, describe, task_dates, task_of
from cranfield.features.tasks.submissions import take_runs, team_rows
from cranfield.features.tasks.unsettled import count_unsettled
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.metrics.inputs import as_qrels
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.qrels import import_qrels
from cranfield.store.round_changes import close_round, start_round
from cranfield.store.store import Store
from cranfield.text import format_moment
from tests.conftest import ROOT, Cranfield
from tests.features.tasks.track import QIDS, TOKENS, Track, description, run_lines

QRELS = {qid: {"d1": 1, "d4": 0} for qid in QIDS}


def released(track: Track, **changes: str) -> None:
    """A run of each team, scored, the results out."""
    track.do(lambda store: describe(store, description(**changes)))
    for team in TOKENS:
        assert track.upload(team, run_lines(f"run.{team}")).status_code == 201
    track.phase("closed")
    track.do(take_runs)
    track.do(lambda store: import_qrels(store, as_qrels(QRELS), "nist"))
    track.phase("results")


def shown_text(page: str) -> str:
    """The text of a page without its tags."""
    return re.sub("<[^>]+>", "", page)


def saved(track: Track, path: Path) -> Path:
    """A copy of the track's store in a file."""
    track.do(lambda store: store.conn.execute("VACUUM INTO ?", [str(path)]))
    return path


@pytest.mark.full
def test_pages_show_dates_as_they_came_about(track: Track, tmp_path: Path) -> None:
    """After `close` by hand the deadline is when it was; going back is said with its reason; the archive agrees."""
    track.phase("closed")
    closed = track.do(task_dates)[2]
    planned = track.do(task_of).dates["close"]
    assert closed.has_begun
    assert closed.at < planned == closed.planned
    line = f"{format_moment(closed.at)} UTC, started by the organiser (planned for {format_moment(planned)} UTC)"
    assert line in shown_text(track.as_team("cuni").get("/team").text)
    track.do(lambda store: begin_phase(store, "open", "a server was down"))
    page = shown_text(track.as_team("cuni").get("/team").text)
    assert line not in page
    assert "the organiser began the phase open: a server was down." in page
    assert f"Until the deadline, {format_moment(planned)} UTC, a run" in track.as_team("cuni").get("/team/submit").text
    released(track)
    track.do(lambda store: write_archive(store, tmp_path / "archive"))
    assert "started by the organiser (planned for" in (tmp_path / "archive/results/index.html").read_text("utf-8")


@pytest.mark.full
def test_a_description_that_changes_after_the_close_is_said(track: Track) -> None:
    """Measures and names decide what others see; a team reads that they were changed."""
    assert "changed the description" not in track.as_team("cuni").get("/team").text
    track.phase("closed")
    track.do(lambda store: describe(store, description(names='"all"')))
    assert "changed the description of the task after the close" in track.as_team("cuni").get("/team").text


def test_the_link_of_a_team_names_its_address(cranfield: Cranfield, track: Track, tmp_path: Path) -> None:
    """The port is that of `serve`; a note says so, unless --base names an address, which is checked."""
    path = saved(track, tmp_path / "t.db")
    result = cranfield("task", "invite", path, "new")
    assert result.out.startswith("http://127.0.0.1:8765/team/enter/")
    assert "if the store is served elsewhere, give --base ADDRESS" in " ".join(result.err.split())
    result = cranfield("task", "invite", path, "new", "--base", "https://track.example/")
    assert result.out.startswith("https://track.example/team/enter/")
    assert "--base" not in result.err
    assert cranfield("task", "invite", path, "new", "--base", "track.example").code == 2


def test_a_team_with_curl_alone_accepts_the_terms() -> None:
    """It reads them, accepts them, gets the topics and submits: all by its token, without a page."""
    with closing(Track()) as track:
        headers = {"authorization": f"Bearer {track.tokens['cuni']}"}
        client = track.client()
        track.do(lambda store: describe(store, description(name='"x"').replace("Be fair.", "Be fairer.")))
        refused = track.upload("cuni", run_lines("a"))
        assert refused.status_code == 403
        assert "a program posts accept=yes to /team/terms" in refused.json()["errors"][0]["found"]
        assert client.get("/team/terms", headers=headers).json() == {"terms": "Be fairer.", "accepted": False}
        assert client.post("/team/terms", headers=headers).status_code == 400
        answer = client.post("/team/terms", headers=headers, data={"accept": "yes"})
        assert (answer.status_code, answer.json()["accepted"]) == (200, True)
        assert client.get("/team/topics.jsonl", headers=headers).status_code == 200
        assert track.upload("cuni", run_lines("a")).status_code == 201
        assert client.get("/team/terms", headers={"authorization": "Bearer x"}).status_code == 401


def test_teams_get_the_qrels_after_the_release(track: Track) -> None:
    """Not before, nor without a link, nor if the task keeps them; they are those of the results."""
    browser = track.as_team("cuni")
    assert browser.get("/team/qrels.txt").status_code == 404
    released(track)
    assert 'href="/team/qrels.txt"' in browser.get("/team").text
    lines = browser.get("/team/qrels.txt").text.splitlines()
    assert lines == [f"{qid} 0 {docno} {grade}" for qid in QIDS for docno, grade in QRELS[qid].items()]
    assert track.client().get("/team/qrels.txt").status_code == 403
    track.do(lambda store: describe(store, description(qrels='"hidden"')))
    assert browser.get("/team/qrels.txt").status_code == 404
    assert "/team/qrels.txt" not in browser.get("/team").text


def test_labels_that_differ_give_no_results_and_name_nobody_to_teams(track: Track) -> None:
    """After the release two people come to differ: teams read no score and no name until the organiser chooses."""
    track.do(lambda store: describe(store, description(public='"results"')))
    released(track, public='"results"')
    browser = track.as_team("cuni")
    assert "scored by" in track.client().get("/leaderboard").text
    track.do(disagree)
    refused = browser.get("/team/qrels.txt")
    assert (refused.status_code, "bo and" in refused.text, "store labels" in refused.text) == (404, False, False)
    assert "There are no scored runs yet" in track.client().get("/leaderboard").text
    track.do(lambda store: record_label_choice(store, policy="max"))
    assert browser.get("/team/qrels.txt").status_code == 200
    text = track.client().get("/leaderboard").text
    assert re.search(r"scored by \d+ labels by \d assessors, policy (\"|&#34;|&quot;)highest label", text)
    assert "bo, cy" not in text


@pytest.mark.parametrize("names", ["own", "all"])
def test_the_public_leaderboard(track: Track, names: str) -> None:
    """Anybody reads it after the release if the task says so; names of teams if all are shown; nothing before."""
    track.do(lambda store: describe(store, description(public='"results"')))
    assert track.client().get("/leaderboard").status_code == 403
    released(track, public='"results"', names=f'"{names}"')
    answer = track.client().get("/leaderboard")
    assert answer.status_code == 200
    assert "All runs, best first" in answer.text
    assert ("run.cuni" in answer.text) == (names == "all")
    assert not re.search(r"@x\.org|/team/", answer.text)
    track.do(lambda store: describe(store, description()))
    assert track.client().get("/leaderboard").status_code == 403


def test_equal_errors_are_one() -> None:
    """11,124 lines with the same fault are one error with the number of its lines; others stay visible."""
    lines = [f"{1 + row % 2} 0 d{row} {row} 1.0 a".encode() for row in range(11124)]
    check = check_run([*lines, b"3 Q0 x 1 1.0 a"], RunRules(["1", "2"], most=20_000))
    assert list(map(str, check.errors)) == [
        "line 1 and 11,123 others: second field '0'; expected Q0",
        "line 11125: topic '3'; expected one of the 2 topics",
    ]
    assert check.more == 0
    first = check.as_json()["errors"][0]
    assert first == {"line": 1, "found": "second field '0'", "expected": "Q0", "lines": 11124}
    many = [f"1 Q0 d{row} {row} x{row} a".encode() for row in range(40)]
    assert (len(check_run(many, RunRules(["1"])).errors), check_run(many, RunRules(["1"])).more) == (25, 15)


def test_equal_errors_in_the_terminal(cranfield: Cranfield, tmp_path: Path) -> None:
    """`submit --check` prints one line for them, and the number of all."""
    (tmp_path / "topics").write_text("1\tone\n")
    (tmp_path / "a.run").write_text("".join(f"1 0 d{row} {row} {99 - row} a\n" for row in range(60)))
    result = cranfield("submit", tmp_path / "a.run", "--check", tmp_path / "topics")
    text = " ".join(result.err.split())
    assert result.code == 1
    assert text.count("second field") == 1
    assert "(and 59 other lines)" in text
    assert "60 errors" in text


@pytest.mark.full
def test_topics_are_in_their_order() -> None:
    """1, 2, 10, not 1, 10, 2: of a run by topic, and of its judged documents."""
    qids = [str(number) for number in range(1, 13)]
    with closing(Track(qids=qids)) as track:
        assert track.upload("cuni", run_lines("a", qids=qids)).status_code == 201
        track.do(take_runs)
        track.do(lambda store: import_qrels(store, as_qrels({qid: {"d1": 1} for qid in qids}), "nist"))
        results = track.do(results_of)
        assert [row.qid for row in results.topic_results("a", 0)] == qids
        assert [row.query_id for row in results.first_documents("a")] == qids


@pytest.mark.full
def test_verify_names_logs_that_have_events(cranfield: Cranfield, track: Track, tmp_path: Path) -> None:
    """A track without nuggets does not read of nuggets."""
    out = " ".join(cranfield.out("store", "verify", saved(track, tmp_path / "t.db")).split())
    assert re.search(r"\d+ events of other logs verified \(task 1, team 4, terms_accepted 4\)", out)
    assert "nuggets" not in out


def disagree(store: Store) -> None:
    """Two people who label a pair differently, and another alike."""
    for grade, name in enumerate(("bo", "cy")):
        add_assessor(store, name)
        append(
            store, Event("label", "1", "d1", name, grade, seconds=9.0), Event("label", "1", "d2", name, 1, seconds=9.0)
        )


def test_close_and_release_say_what_is_unsettled(cranfield: Cranfield, track: Track, tmp_path: Path) -> None:
    """A disagreement that nobody settled is counted by the commands and the page."""
    track.upload("cuni", run_lines("a"))
    track.do(disagree)
    assert track.do(count_unsettled) == 1
    path = saved(track, tmp_path / "t.db")
    line = "1 disagreement between assessors is not settled; settle them with `cranfield adjudicate`. There are no"
    assert line in " ".join(cranfield("task", "close", path).err.split())
    released_note = " ".join(cranfield("task", "release", path).err.split())
    assert line in released_note
    assert "teams can download the qrels" in released_note
    organiser = track.client()
    organiser.get(f"/enter/{track.app.access.start_token}")
    form = re.findall(r'name="form" value="(\w+)"', organiser.get("/organise/task").text)[0]
    text = organiser.post("/organise/task-phase", data={"form": form, "phase": "closed"}).text
    assert "1 disagreement between assessors is not settled" in text


@pytest.mark.full
def test_counts_are_of_the_open_round(track: Track) -> None:
    """After a second round has begun, runs and submissions of the first are counted apart."""
    track.upload("cuni", run_lines("a"))
    track.do(take_runs)
    track.do(lambda store: close_round(store, "1"))
    track.do(lambda store: start_round(store, "2"))
    row: dict[str, Any] = track.do(team_rows)[0]
    assert (row["round"], row["runs"], row["submissions"], row["submissions of all rounds"]) == ("2", 0, 0, 1)


@pytest.mark.full
def test_the_archive_has_a_readme(track: Track, tmp_path: Path) -> None:
    """Every file at the top of the archive is in it, and it says how to check them."""
    released(track)
    track.do(lambda store: write_archive(store, tmp_path / "archive"))
    text = (tmp_path / "archive" / "README.md").read_text("utf-8")
    files = {path.name for path in (tmp_path / "archive").iterdir() if path.is_file()} - {"README.md"}
    assert {name for name in files if f"`{name}`" not in text} == set()
    assert "sha256sum -c SHA256SUMS" in text
    assert "4 runs" in text
    assert " README.md" in (tmp_path / "archive" / "SHA256SUMS").read_text()


def test_the_guide_starts_a_round_with_a_grown_corpus() -> None:
    """It imports the new documents before the round is opened."""
    guide = (ROOT / "docs" / "share" / "task.md").read_text("utf-8")
    section = guide[guide.index("## Start another round") :]
    assert section.index("cranfield import corpus") < section.index("cranfield round start")
