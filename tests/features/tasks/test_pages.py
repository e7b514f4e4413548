"""The pages of teams and the organiser's page of a task: who sees what, what is refused, what hostile teams try."""

import gzip
import logging
import re
from functools import partial
from typing import Any

import pytest

from cranfield.features.tasks.description import parse_task
from cranfield.features.tasks.description_facts import description_facts
from cranfield.features.tasks.results import cost_of
from cranfield.features.tasks.rules import round_documents, rules_of
from cranfield.features.tasks.run_meta import RunMeta
from cranfield.features.tasks.scoring import overview_of, results_of
from cranfield.features.tasks.sent_files import check_file
from cranfield.features.tasks.store import describe, description_text, task_dates, task_of, team_of
from cranfield.features.tasks.submissions import (
    NewSubmission,
    SubmissionRefusedError,
    accept,
    accepted_link,
    begin_file,
    content_of,
    keep_piece,
    standing,
    submission_of,
    submissions,
    take_runs,
)
from cranfield.metrics.inputs import as_qrels
from cranfield.pooling.stored.growth import runs_to_pool
from cranfield.store.qrels import import_qrels
from cranfield.store.round_changes import close_round, start_round
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.text import format_moment
from cranfield.web.language import ENGLISH
from tests.features.tasks.track import DOCNOS, HOSTILE, TOKENS, Track, description, run_lines
from tests.stores import add_unfinished_import
from tests.web.browser import Page


def form_of(track: Track, team: str, at: str = "/team/submit") -> dict[str, str]:
    """The hidden fields of the form on a page."""
    page = Page(track.as_team(team).get(at).text)
    return next(iter(page.forms.values())).fields


def without_spans(page: str) -> str:
    """The markup of a page without that which keeps dates in one line."""
    return re.sub("</?span[^>]*>", "", page)


def test_a_run_by_form_and_its_receipt(track: Track) -> None:
    """A browser without script sends a run; the receipt is on its page, agrees with its hash, and the run is there."""
    browser = track.as_team("cuni")
    form = {
        "form": form_of(track, "cuni")["form"],
        "tag": "a",
        "kind": "manual",
        "priority": "2",
        "description": HOSTILE,
    }
    answer = browser.post("/team/submit", data=form, files={"run": ("x", gzip.compress(run_lines("a"), mtime=0))})
    assert (answer.status_code, "The run was accepted" in answer.text) == (200, True)
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&lt;U+202E&gt;" in answer.text
    receipt = browser.get("/team/runs/a/receipt.json").json()
    assert receipt["hash"] == accepted_link(receipt) != accepted_link({**receipt, "late": True})
    assert track.do(lambda store: content_of(store, receipt["submission"])) == gzip.compress(run_lines("a"), mtime=0)
    one = track.do(lambda store: submission_of(store, "cuni", "a"))
    assert (one.priority, one.metadata["form"]["kind"], one.unpacked) == (2, "manual", len(run_lines("a")))
    track.do(verify)


FACTS = {
    "Late runs": "refused",
    "Format of runs": "TREC run file with six columns (topic, Q0, document, rank, score, tag), plain or compressed with"
    " gzip; every topic needs at least one document",
    "Further fields of runs": "Data that the system was trained on (optional)",
    "Limits of a file": "at most 1,000 documents per topic; at most 64 MB as sent and 512 MB unpacked",
    "Limits of a team": "at most 3 runs; at most 50 submissions, of which 10 in 24 hours",
    "Pool": "1 run of each team, by priority, to depth 100",
    "Measures": "nDCG@10, P@5, AP, Bpref, RBP(p=0.5)",
    "Leaderboard": "hidden",
    "Names of teams": "each team sees only its own name in the results",
    "Qrels": "released to the teams with the results",
}


def test_the_description_is_a_page_and_a_file(track: Track) -> None:
    """Dates in UTC, format, limits, measures and terms; the TOML is the organiser's alone."""
    organiser, team = track.client(), track.as_team("cuni")
    organiser.get(f"/enter/{track.app.access.start_token}")
    task, text = track.do(task_of), track.do(description_text)
    for page in (organiser.get("/organise/task").text, team.get("/team").text):
        facts = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", without_spans(page)))
        assert {term: facts.get(term) for term in FACTS} == FACTS
        assert facts["Deadline"] == f"{format_moment(task.dates['close'])} UTC"
        assert "Be fair." in page
    file = organiser.get("/organise/task.toml")
    assert (file.text, file.headers["content-disposition"]) == (text, 'attachment; filename="task.toml"')
    assert team.get("/organise/task.toml").status_code == 403


@pytest.mark.parametrize(
    ("changes", "term", "value"),
    [
        ({"leaderboard": '"after"'}, "Leaderboard", "shown when the results are released"),
        ({"public": '"results"'}, "Leaderboard", "shown when the results are released; open to everybody with the"
         " results"),
        ({"late": '"unpooled"'}, "Late runs", "scored but not pooled"),
        ({"names": '"all"'}, "Names of teams", "each team sees the names of all teams in the results"),
        ({"qrels": '"hidden"'}, "Qrels", "hidden from the teams"),
        ({"per_team": "2"}, "Pool", "2 runs of each team, by priority, to depth 100"),
    ],
)  # fmt: skip
def test_each_rule_of_a_task_is_in_its_description(changes: dict[str, str], term: str, value: str) -> None:
    task = parse_task(description(**changes))
    assert dict(description_facts(task, [], ENGLISH).pairs)[term] == value


def test_errors_are_shown_beside_what_was_typed(track: Track) -> None:
    """The page has each error with its line, and the fields as they were; a program gets them as JSON."""
    form = {"form": form_of(track, "cuni")["form"], "tag": "a", "description": "mine"}
    wrong = run_lines("a") + b"9 Q0 d1 1 1 a\n"
    answer = track.as_team("cuni").post("/team/submit", data=form, files={"run": ("x", wrong)})
    assert answer.status_code == 422
    assert "line 10: topic &#39;9&#39;; expected one of the 3 topics" in answer.text
    assert "mine</textarea>" in answer.text
    answer = track.upload("cuni", wrong)
    error = {"line": 10, "found": "topic '9'", "expected": "one of the 3 topics"}
    assert (answer.status_code, answer.json()) == (422, {"errors": [error], "warnings": []})
    assert track.do(submissions) == []


@pytest.mark.parametrize(
    ("run", "error"),
    [
        (gzip.compress(gzip.compress(run_lines("a"))), "compressed twice, with gzip inside"),
        (b"PK\x03\x04" + b"\0" * 99, "a zip archive"),
        (gzip.compress((b" " * 999 + b"\n") * (300 << 6)), "unpacks to more than 200 times its size"),
        (b"", "no lines with documents"),
    ],
    ids=["twice", "zip", "bomb", "empty"],
)
def test_what_holds_no_run_is_one_line(track: Track, run: bytes, error: str) -> None:
    """Bombs and archives are refused, and nothing of them is left."""
    answer = track.upload("cuni", run)
    assert (answer.status_code, answer.json()["errors"][0]["found"]) == (422, error)
    assert track.do(submissions) == []


def test_what_is_sent_is_bounded(track: Track) -> None:
    """By size, by parts, by form; nothing is recorded."""
    track.do(lambda store: describe(store, description(size='"100"')))
    assert track.upload("cuni", run_lines("a")).status_code == 413
    assert track.upload("cuni", b"x" * (1 << 20)).status_code == 413
    headers = {"authorization": f"Bearer {track.tokens['cuni']}"}
    assert track.client().post("/submit", data={"run": "x"}, headers=headers).status_code == 400
    headers["content-type"] = "multipart/form-data; boundary=x"
    assert track.client().post("/submit", content=b"--x\r\nrubbish", headers=headers).status_code == 400
    parts = b"".join(b'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n' for _ in range(99))
    assert track.client().post("/submit", content=parts + b"--x--", headers=headers).status_code == 400
    long = b'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n' + b"1" * 70_000 + b"\r\n--x--"
    assert track.client().post("/submit", content=long, headers=headers).status_code == 413
    assert track.do(submissions) == []


def test_limits(track: Track) -> None:
    """Runs of a team, submissions a day with the time to wait, and in all; a replacement counts."""
    track.do(lambda store: describe(store, description(runs="2", day="3")))
    assert [track.upload("cuni", run_lines(tag)).status_code for tag in "aab"] == [201, 201, 201]
    answer = track.upload("cuni", run_lines("a"))
    assert (answer.status_code, 86000 < int(answer.headers["retry-after"]) <= 86401) == (429, True)
    track.do(lambda store: describe(store, description(runs="2", total="4")))
    assert track.upload("cuni", run_lines("c")).status_code == 409
    assert track.upload("cuni", run_lines("b")).status_code == 201
    assert track.upload("cuni", run_lines("b")).status_code == 409
    states = [(one.tag, one.state) for one in track.do(submissions)]
    assert states == [("a", "replaced"), ("a", "accepted"), ("b", "replaced"), ("b", "accepted")]
    assert track.do(lambda store: store.count("submission_upload")) == 2


@pytest.mark.full
def test_phases_decide_what_a_team_may(track: Track) -> None:
    """Topics and documents once they are out, runs while it is open, late ones as the task says."""
    browser, tags = track.as_team("cuni"), iter("abcdefg")

    def may() -> list[int]:
        run = track.upload("cuni", run_lines(next(tags))).status_code
        return [browser.get("/team/topics.jsonl").status_code, run]

    track.phase("announced")
    assert may() == [404, 403]
    track.phase("topics")
    assert may() == [200, 403]
    track.phase("open")
    assert may() == [200, 201]
    track.phase("closed")
    assert may() == [200, 403]
    assert "not open for runs: the organiser closed it before the deadline" in track.upload("cuni", run_lines("c")).text
    track.do(lambda store: describe(store, description(late='"unpooled"')))
    assert may() == [200, 201]
    assert track.upload("cuni", run_lines("c")).status_code == 409  # was in time: it is not replaced
    track.phase("results")
    assert may() == [200, 403]
    track.do(take_runs)
    pooled = track.do(lambda store: {tag: info.pooled for tag, info in run_info(store).items()})
    assert pooled == {"c": True, "e": False}
    assert [*track.do(lambda store: runs_to_pool(run_info(store)))] == ["c"]


def test_the_page_to_submit_has_a_form_only_while_runs_are_taken(track: Track) -> None:
    """Before and after, it says why nothing can be submitted, and when the task opened and closed."""
    browser, dates = track.as_team("cuni"), {one.name: str(one) for one in track.do(task_dates)}
    assert dates["close"] in browser.get("/team/submit").text
    for phase, reason in (
        ("announced", "the task has not begun"),
        ("topics", "it is not open"),
        ("closed", "the organiser closed it before the deadline"),
        ("results", "the results are released"),
    ):
        track.phase(phase)
        page = without_spans(browser.get("/team/submit").text)
        assert f"The task is not open for runs: {reason}." in page
        assert "<form" not in page
        assert str({one.name: one for one in track.do(task_dates)}["close"]) in page
    track.phase("closed")
    track.do(lambda store: describe(store, description(late='"unpooled"')))
    page = browser.get("/team/submit").text
    assert "Late runs are scored but not pooled" in page
    assert "replaces the earlier run" not in page
    assert "/team/submit" in Page(page).forms


def test_the_last_byte_decides_what_is_late(track: Track) -> None:
    """A run whose last byte came before the deadline is in time, however long its check took."""
    task = track.do(lambda store: store.rows("SELECT at FROM task_phase"))
    assert task == []
    deadline = re.findall(r"close = (\S+)", track.do(lambda store: store.rows("SELECT text FROM task")[0][0]))[0]
    answer = track.upload("cuni", run_lines("a")).json()["receipt"]
    submission = track.do(lambda store: submission_of(store, "cuni", "a"))
    assert submission.received < deadline
    late = deadline.replace("Z", ".001+00:00")
    with pytest.raises(SubmissionRefusedError, match="not open for runs: the deadline was"):
        track.do(lambda store: accept(store, as_new(store, answer["submission"], late)))


@pytest.mark.full
def test_what_was_judged_in_an_earlier_round_is_a_warning(track: Track) -> None:
    """By topic and document, under the names that documents have now; runs are of the round that is open."""
    track.do(lambda store: import_qrels(store, as_qrels({"1": {"d1": 1, "d2": 0}, "2": {"d4": 1}}), "nist"))
    track.do(lambda store: close_round(store, "1"))
    track.do(lambda store: start_round(store, "2", topics=["1", "2"], new_names={"d1": "d3"}))
    answer = track.upload("cuni", run_lines("a", ["d2", "d3", "d5"], "12")).json()  # topic 1: d2, and d3, which was d1
    assert answer["warnings"] == [
        "2 documents were judged in an earlier round; the pool and the scores ignore such documents"
    ]
    assert track.upload("cuni", run_lines("b", ["d2"])).json()["errors"][0]["found"] == "topic '3'"
    track.do(take_runs)
    assert track.do(lambda store: [info.round for info in run_info(store).values()]) == [2]


def test_another_round(track: Track) -> None:
    """Runs may have the tags of the round before, and are counted and scored apart; documents have their new names."""
    track.do(lambda store: describe(store, description(runs="1")))
    first = track.upload("cuni", run_lines("a")).json()["receipt"]
    track.do(take_runs)
    track.do(lambda store: import_qrels(store, as_qrels({"1": {"d1": 1, "d7": 0}}), "nist"))
    track.do(lambda store: close_round(store, "1"))
    track.do(lambda store: start_round(store, "2", topics=["1", "2"], new_names={"d1": "e1"}))
    assert "document 'd1'" in track.upload("cuni", run_lines("a", qids="12")).text
    docnos = track.do(lambda store: [one.docno for one in round_documents(store)])
    assert ("e1" in docnos, "d1" in docnos) == (True, False)
    answer = track.upload("cuni", run_lines("a", ["e1", "d2", "d3"], "12"))
    assert answer.status_code == 201
    assert track.upload("cuni", run_lines("b", ["d2"], "12")).status_code == 409
    assert track.do(cost_of)[:2] == (1, 1)
    assert track.do(take_runs) == ["2/a"]
    track.do(lambda store: import_qrels(store, as_qrels({"1": {"d2": 1, "d3": 0}}), "nist"))
    rows = track.do(lambda store: [results_of(store, name).overview() for name in (None, "2", "1")])
    assert [[(row["run"], row["nDCG@10"]) for row in some] for some in rows] == [[("2/a", 1)], [("2/a", 1)], [("a", 1)]]
    browser = track.as_team("cuni")
    page = browser.get("/team").text
    assert "submitted 1 of at most 1 runs. It has used 1 of its 50 submissions" in page
    assert track.do(lambda store: overview_of(store, "cuni")).caption == "Results of round 2: means over all topics"
    pages = [browser.get(link).text for link in ("/team/runs/a?round=1", "/team/runs/a")]
    assert [first["hash"] in text for text in pages] == [True, False]
    assert [answer.json()["receipt"]["hash"] in text for text in pages] == [False, True]
    assert re.findall(r'href="(/team/runs/a[^"]*)".*?"round">(\d)', page, re.DOTALL) == [
        ("/team/runs/a", "2"),
        ("/team/runs/a?round=1", "1"),
    ]
    assert browser.get("/team/runs/a/receipt.json?round=1").json()["hash"] == first["hash"]


def test_documents_of_an_unfinished_import_do_not_count(track: Track) -> None:
    """A run may not name them, and teams do not download them; a renamed document keeps its text of before."""
    track.do(lambda store: describe(store, description(runs="1")))
    track.do(lambda store: close_round(store, "1"))
    track.do(lambda store: start_round(store, "2", new_names={"d1": "e1"}))
    track.do(lambda store: add_unfinished_import(store, ["d99", "e1"]))
    answer = track.upload("cuni", run_lines("a", ["e1", "d2", "d99"]))
    assert [error["found"] for error in answer.json()["errors"]] == ["document 'd99'"]
    documents = track.do(lambda store: {one.docno: one.text for one in round_documents(store)})
    assert sorted(documents) == ["d2", "d3", "d4", "d5", "d6", "d7", "d8", "e1"]
    assert documents["e1"] == "text of d1"


def as_new(store: Store, number: int, at: str) -> NewSubmission:
    """A submission once more, at another time."""
    content = content_of(store, number)
    run, file = check_file("a", rules_of(store, "cuni"), content=content)
    upload = begin_file(store)
    keep_piece(store, upload, content)
    return NewSubmission("cuni", run, file, RunMeta("a"), upload, at)


@pytest.mark.full
def test_terms_come_first() -> None:
    """A team that has not accepted the terms, as they read now, gets neither topics nor a run taken."""
    track = Track()
    try:
        track.do(lambda store: describe(store, description().replace("Be fair.", "Be fairer.")))
        assert track.as_team("cuni").get("/team/topics.jsonl").status_code == 403
        assert track.upload("cuni", run_lines("a")).status_code == 403
        assert track.upload("cuni", run_lines("a")).json()["errors"][0]["found"].startswith("accept the terms")
    finally:
        track.close()


def test_what_is_of_another_team_is_not_there(track: Track) -> None:
    """The same answer, by the same queries, as for a run that nobody has; and no page names the other."""
    assert track.upload("cuni", run_lines("secret")).status_code == 201
    browser = track.as_team("udel")

    def ask(tag: str) -> tuple[list[str], list[Any]]:
        queries: list[str] = []
        track.do(lambda store: store.conn.set_trace_callback(queries.append))
        pages = (f"/team/runs/{tag}", f"/team/runs/{tag}/receipt.json")
        answers = [browser.get(page) for page in pages]
        answers.append(browser.post(f"/team/runs/{tag}/withdraw", data=form_of(track, "udel")))
        track.do(lambda store: store.conn.set_trace_callback(None))
        contents = [(one.status_code, one.text.replace(tag, "TAG"), dict(one.headers)) for one in answers]
        return [text.replace(tag, "TAG") for text in queries if "invitation" not in text], contents

    theirs, nobodys = ask("secret"), ask("absent")
    assert [one[0] for one in theirs[1]] == [404, 404, 404]
    assert theirs[1] == nobodys[1]
    assert len(theirs[0]) == len(nobodys[0])
    for page in ("/team", "/team/submit", "/leaderboard", "/team/topics.jsonl"):
        answer = browser.get(page)
        assert not any("secret" in text or "cuni" in text for text in (answer.text, *answer.headers.values()))


def test_who_has_no_link(track: Track, caplog: pytest.LogCaptureFixture) -> None:
    """401 for programs, 403 for browsers; a link of an assessor is none; tokens are in no log, however wrong."""
    caplog.set_level(logging.DEBUG)
    client = track.client()
    assert client.get("/team").status_code == 403
    assert client.get("/team/enter/wrong").status_code == 403
    organiser = track.client()
    organiser.get(f"/enter/{track.app.access.start_token}")
    assert organiser.get("/team").status_code == 403
    assert track.as_team("cuni").get("/organise/task").status_code == 403
    browser = track.as_team("uni4")
    form = Page(organiser.get("/organise/task").text).forms["/organise/task-revoke"].fields
    organiser.post("/organise/task-revoke", data=form | {"revoke": "uni4"})
    assert browser.get("/team").status_code == 403
    own = [record.getMessage() for record in caplog.records if not record.name.startswith("httpx")]  # the client's
    assert not any(token in text for token in track.tokens.values() for text in own)


def test_a_program_with_wrong_tokens(track: Track) -> None:
    """It is told so in JSON, and after ten of them for how long to wait."""
    client = track.client()
    wrong = [client.post("/submit", headers={"authorization": f"Bearer {number}"}) for number in range(12)]
    assert [one.status_code for one in wrong] == [401] * 10 + [429] * 2
    assert (wrong[0].headers["www-authenticate"], wrong[-1].headers["retry-after"]) == ("Bearer", "60")
    errors = [one.json()["errors"][0]["found"] for one in wrong]
    assert errors[0] == "This token is not valid, or has been revoked. A token is the last part of a team's link."
    assert errors[-1].startswith("There were too many attempts with invalid links from this address.")


def test_a_form_of_another_site(track: Track) -> None:
    """It is refused: it has not the token of the team's forms."""
    browser = track.as_team("cuni")
    answers = [
        browser.post("/team/submit", data={"form": "x"}, files={"run": ("x", run_lines("a"))}),
        browser.post("/team/terms", data={}),
        browser.post("/team/terms", data=form_of(track, "cuni"), headers={"sec-fetch-site": "cross-site"}),
        browser.post("/team/runs/a/withdraw", data={"form": form_of(track, "udel")["form"]}),
    ]
    assert [one.status_code for one in answers] == [403] * 4
    assert track.do(submissions) == []


def test_withdrawing(track: Track) -> None:
    """Before the close a team withdraws a run by itself, and the content is deleted."""
    assert [track.upload("cuni", run_lines(tag)).status_code for tag in "ab"] == [201, 201]
    browser = track.as_team("cuni")
    assert browser.post("/team/runs/a/withdraw", data=form_of(track, "cuni", "/team/runs/a")).status_code == 200
    assert track.do(lambda store: [one.tag for one in standing(store)]) == ["b"]
    assert track.do(lambda store: store.count("submission_upload")) == 1
    track.do(verify)


def test_the_organiser_runs_a_task(track: Track) -> None:
    """Phases, invitations and links on one page; closing takes the runs."""
    track.upload("cuni", run_lines("a"))
    track.upload("cuni", run_lines("b"))
    organiser = track.client()
    organiser.get(f"/enter/{track.app.access.start_token}")
    forms = Page(organiser.get("/organise/task").text).forms
    text = organiser.post("/organise/task-phase", data=forms["/organise/task-phase"].fields | {"phase": "closed"}).text
    assert "The task is closed and being judged; its previous phase was open. Added 2 runs to the collection." in text
    assert "cuni has 2 runs with priority 1; the earlier run comes first." in text
    text = organiser.post("/organise/task-phase", data=forms["/organise/task-phase"].fields | {"phase": "open"}).text
    assert "the phase is already closed" in text
    text = organiser.post("/organise/task-invite", data=forms["/organise/task-invite"].fields | {"team": "new"}).text
    token = re.findall(r"http://testserver/team/enter/([\w-]{43})", text)[0]
    assert track.do(partial(team_of, token=token)) == "new"


def test_results_are_seen_when_they_are_out(track: Track) -> None:
    """A team sees its runs beside the median; others' names only where the task says so."""
    for number, team in enumerate(TOKENS):
        track.upload(team, run_lines(f"run{number}", DOCNOS[number : number + 3]))
    track.upload("cuni", run_lines("second", DOCNOS[5:8]))
    track.phase("closed")
    track.do(take_runs)
    track.do(lambda store: import_qrels(store, as_qrels({qid: {"d1": 1, "d2": 0} for qid in "123"}), "nist"))
    browser = track.as_team("cuni")
    assert "Topic by topic" not in browser.get("/team/runs/run0").text
    track.phase("results")
    page = browser.get("/team/runs/run0").text
    assert "Above the median on 3 of 3 topics, below on 0, best on 3." in page
    assert not any(name in page for name in ("run1", "run2", "udel", "uni3"))
    assert not any(name in browser.get("/team").text for name in ("run1", "udel"))
    assert browser.get("/leaderboard").status_code == 404
    track.do(lambda store: describe(store, description(names='"all"', leaderboard='"after"')))
    assert "udel" in browser.get("/team").text
    assert "run1" in browser.get("/leaderboard").text


def test_results_that_are_out_before_there_are_any(track: Track) -> None:
    """Pages say so, whether no run was taken, or nothing is judged."""
    track.do(lambda store: describe(store, description(leaderboard='"after"')))
    track.upload("cuni", run_lines("a"))
    track.phase("results")
    browser = track.as_team("cuni")
    for taken in (False, True):
        if taken:
            track.do(take_runs)
        assert "There are no results yet." in browser.get("/team").text
        assert "There are no scored runs yet." in browser.get("/leaderboard").text
        assert browser.get("/team/runs/a").status_code == 200
