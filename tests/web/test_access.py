"""Who may come in, and what is refused: wrong links, forms of other sites, other host names, odd requests."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from html import unescape
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from cranfield.store.invitations import invite, revoke
from cranfield.store.log import read_events
from cranfield.store.store import Store
from cranfield.web import application, judge_page
from cranfield.web.access import TRIES, Visitor
from cranfield.web.application import OLDER, UNWRITTEN, Application
from cranfield.web.guard import BROKEN, HEADERS, LARGEST
from cranfield.web.results import Worker
from tests.conftest import usually
from tests.judging.cases import store_of
from tests.web.browser import Browser
from tests.web.random_requests import Requests


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A browser on a small store."""
    with closing(Browser(store_of)) as browser:
        yield browser


def test_a_page_needs_a_link(browser: Browser) -> None:
    """Without a token, with a wrong one or with one revoked or expired there is no page."""
    browser.client.cookies.clear()
    assert browser.client.get("/judge").status_code == 403
    assert browser.client.get("/enter/wrong").status_code == 403
    past = browser.worker.run_and_wait(partial(invite, assessor="bo", valid=timedelta(seconds=-1)))
    assert browser.client.get(f"/enter/{past}").status_code == 403
    browser.worker.run_and_wait(partial(revoke, assessor="ada"))
    assert browser.client.get(f"/enter/{browser.token}").status_code == 403


def test_a_revoked_link_ends_at_once(browser: Browser) -> None:
    """A page that is open records nothing once its link is revoked."""
    grade = browser.page.keys["1"]
    browser.worker.run_and_wait(partial(revoke, assessor="ada"))
    assert browser.client.post(grade.action, data=grade.fields).status_code == 403
    assert not browser.worker.run_and_wait(read_events)


def test_too_many_wrong_links(browser: Browser) -> None:
    """After some wrong tokens an address has to wait, even with a right one; who was in before goes on."""
    codes = [browser.client.get(f"/enter/{number}").status_code for number in range(TRIES + 1)]
    assert codes == [403] * TRIES + [429]
    new = browser.worker.run_and_wait(partial(invite, assessor="bo"))
    assert browser.client.get(f"/enter/{new}").status_code == 429
    assert browser.client.get(f"/enter/{browser.app.access.start_token}").status_code == 200
    assert browser.client.get(f"/enter/{browser.token}").status_code == 200
    assert browser.get().keys


def test_a_page_left_open_locks_nobody_out(browser: Browser) -> None:
    """A revoked link that a page sends again and again counts once."""
    browser.worker.run_and_wait(partial(revoke, assessor="ada"))
    assert {browser.client.get("/judge").status_code for _ in range(2 * TRIES)} == {403}
    new = browser.worker.run_and_wait(partial(invite, assessor="bo"))
    assert browser.client.get(f"/enter/{new}").status_code == 200


def test_the_cookie_is_for_this_server_alone(browser: Browser) -> None:
    """No script reads it, no other site sends it."""
    cookie = browser.client.get(f"/enter/{browser.token}").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))
    assert browser.token not in browser.page.text


def test_links_of_several_roles_keep_apart(browser: Browser) -> None:
    """In one browser somebody organises, judges and adjudicates; no link takes another one's place."""
    client, organiser = browser.client, browser.app.access.start_token
    client.get(f"/enter/{organiser}")
    settles = browser.worker.run_and_wait(partial(invite, assessor="eve", role="adjudicate"))
    client.get(f"/enter/{settles}")
    client.get(f"/enter/{browser.token}")
    assert client.get("/").text.count('aria-label="Pages"') == 1
    assert [client.get(f"/{page}").status_code for page in ("judge", "adjudicate", "organise/links")] == [200] * 3
    form = Visitor(organiser, None).form_token(browser.app.access.key)
    assert client.post("/organise/invite", data={"form": form, "assessor": "bo", "role": "judge"}).status_code == 200
    assert "Recorded" in browser.press("1").text
    assert client.post("/active/judge", data={**browser.page.keys["1"].fields, "seconds": "0"}).status_code == 200
    assert [event.assessor for event in browser.worker.run_and_wait(read_events)] == ["ada"]


def test_a_page_of_an_older_link_says_reload(browser: Browser) -> None:
    """Somebody was invited again and has opened the new link: the page from before records nothing until then."""
    grade = browser.page.keys["1"]
    browser.worker.run_and_wait(partial(revoke, assessor="ada"))
    browser.client.get(f"/enter/{browser.worker.run_and_wait(partial(invite, assessor='ada'))}")
    answer = browser.client.post(grade.action, data=grade.fields, headers={"x-part": "1"})
    assert (answer.status_code, OLDER in unescape(answer.text)) == (403, True)
    assert not browser.worker.run_and_wait(read_events)
    browser.get()
    browser.press("1")
    assert len(browser.worker.run_and_wait(read_events)) == 1


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
    ids=str,
)
def test_another_site_records_nothing(browser: Browser, headers: dict[str, str]) -> None:
    """A form that another site sends is refused, even with the right token."""
    grade = browser.page.keys["1"]
    assert browser.client.post(grade.action, data=grade.fields, headers=headers).status_code == 403
    assert not browser.worker.run_and_wait(read_events)


@pytest.mark.parametrize("role", ["judge", "adjudicate"])
def test_an_ended_link_says_which_and_whom_to_ask(browser: Browser, role: str) -> None:
    """Whose it was, for what, how it ended and when; on a page that was open before as well. A strange one does not."""
    worker, client = browser.worker, TestClient(browser.client.app)
    past, revoked = worker.run_and_wait(
        lambda store: (invite(store, "<eve>", timedelta(seconds=-5), role), invite(store, "<eve>", role=role))
    )
    assert client.get(f"/enter/{revoked}").status_code == 200
    worker.run_and_wait(lambda store: revoke(store, "<eve>"))
    purpose = "judge topics" if role == "judge" else "settle disagreements"
    for address in (f"/enter/{revoked}", f"/{role}"):
        answer = client.get(address)
        assert answer.status_code == 403
        assert f"This link for &lt;eve&gt;, to {purpose}, was revoked on" in answer.text
        assert "Ask the organiser, who sent you the link, for a new one." in answer.text
    worker.run_and_wait(lambda store: store.conn.execute("UPDATE invitation SET revoked = NULL WHERE expires <> ''"))
    assert f"This link for &lt;eve&gt;, to {purpose}, expired on" in client.get(f"/enter/{past}").text
    strange = TestClient(browser.client.app).get("/enter/strange")
    assert (strange.status_code, "This link is not valid here." in strange.text) == (403, True)
    assert "Open the link that the organiser sent you." in TestClient(browser.client.app).get("/judge").text


def test_a_form_has_its_token(browser: Browser) -> None:
    """Without the token of the visitor's own pages nothing is recorded; another assessor's does not do."""
    grade = browser.page.keys["1"]
    other = "0" * len(grade.fields["form"])
    for form in ({}, {"form": other}):
        fields = {name: value for name, value in grade.fields.items() if name != "form"} | form
        assert browser.client.post(grade.action, data=fields).status_code == 403
    assert not browser.worker.run_and_wait(read_events)


@pytest.mark.parametrize("host", ["rebound.example", "testserver.evil.example", "testserver:x", "testserver:99999", ""])
def test_another_host_is_refused(browser: Browser, host: str) -> None:
    """A name that only resolves to this machine is not this server's; what is no name of a host is no error either."""
    answer = browser.client.get("/judge", headers={"host": host})
    assert answer.status_code == 400
    assert HEADERS.items() <= dict(answer.headers).items()


@pytest.mark.parametrize("host", ["testserver", "TestServer:8765", "testserver.", "[::1]:80"])
def test_own_hosts_are_answered(host: str) -> None:
    """In any case, with any port, as an IPv6 address."""
    with closing(Application(Worker(store_of))) as app:
        client = TestClient(app.asgi(["testserver", "::1"]))
        assert client.get("/assets/web.css", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST"])
def test_other_methods_are_refused(browser: Browser, method: str) -> None:
    """With what would be right, and the headers of every answer; a HEAD has no content."""
    answer = browser.client.request(method, "/judge")
    assert (answer.status_code, "GET" in answer.headers["allow"]) == (405, True)
    assert HEADERS.items() <= dict(answer.headers).items()
    assert not browser.client.head("/judge").content


def test_a_head_has_the_status_of_a_get(browser: Browser) -> None:
    for role in browser.app.pages:
        browser.client.cookies.clear()
        link = browser.worker.run_and_wait(partial(invite, assessor="ada", role=role))
        browser.client.get(f"/enter/{link}")
        head = browser.client.head(f"/{role}")
        assert (head.status_code, head.content) == (browser.client.get(f"/{role}").status_code, b""), role


@pytest.mark.parametrize("text", ["x\r\nset-cookie: a=b", "%0d%0aset-cookie:%20a=b", "x\0y"])
def test_nothing_given_becomes_a_header(browser: Browser, text: str) -> None:
    """Not from a link, a name or a field."""
    organiser = TestClient(browser.client.app)
    organiser.get(f"/enter/{browser.app.access.start_token}")
    form = {"form": Visitor(browser.app.access.start_token, None).form_token(browser.app.access.key)}
    path = quote(text, safe="%")
    answers = [
        browser.client.get(f"/enter/{path}"),
        browser.client.get(f"/enter/{path}/"),
        browser.client.get(f"/look/{path}.csv"),
        browser.client.post("/judge/note", data={**browser.page.forms["/judge/stay"].fields, "note": text}),
        organiser.post("/organise/invite", data={**form, "assessor": text}),
    ]
    assert all("set-cookie" not in answer.headers and answer.status_code < 500 for answer in answers)


def test_an_error_has_a_page_and_no_traceback(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What the server did wrong is one line of the log without any text; the next page is right again."""

    def wrong(*_: object) -> str:
        raise KeyError("a secret text")

    monkeypatch.setattr(judge_page, "page", wrong)
    answer = browser.client.get("/judge")
    assert (answer.status_code, BROKEN in answer.text) == (500, True)
    assert HEADERS.items() <= dict(answer.headers).items()
    [record] = [one for one in caplog.records if one.name == "cranfield.web"]
    assert "KeyError" in record.getMessage()
    assert "secret" not in caplog.text
    monkeypatch.undo()
    assert browser.get().keys


def test_a_full_disk_is_said(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is recorded then; the same page can be sent again once there is room, and is recorded once."""
    grade = browser.page.keys["1"]
    browser.worker.run_and_wait(lambda store: store.conn.execute(f"PRAGMA max_page_count = {pages(store)}") and None)
    note = {**grade.fields, "note": "n" * 100_000, "page": "other"}
    answer = browser.client.post("/judge/note", data=note)
    assert (answer.status_code, UNWRITTEN.split(":")[0] in answer.text) == (507, True)
    browser.worker.run_and_wait(lambda store: store.conn.execute("PRAGMA max_page_count = 1000000") and None)
    browser.send(grade)
    browser.send(grade)
    assert [one.grade for one in browser.worker.run_and_wait(read_events)] == [1]


def pages(store: Store) -> int:
    return int(store.rows("PRAGMA page_count")[0][0])


@pytest.mark.parametrize(
    "path", ["/assets/../server.py", "/assets/%2e%2e%2fserver.py", "/assets/judge.html", "/judge/drop"]
)
def test_there_is_nothing_else(browser: Browser, path: str) -> None:
    """No file but the two assets, no command but those of the table."""
    fields = browser.page.forms["/judge/stay"].fields
    assert browser.client.get(path).status_code in (404, 405)
    assert browser.client.post(path, data=fields).status_code in (404, 405)


def test_every_answer_is_inert(browser: Browser) -> None:
    """Errors have the headers, too."""
    for path in ("/judge", "/assets/judge.js", "/nothing", "/enter/wrong", "/judge/", "/active/x"):
        answer = browser.client.get(path)
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.full
def test_a_form_is_bounded(browser: Browser) -> None:
    """What is too long, or no form, is refused."""
    form = browser.page.forms["/judge/stay"].fields
    post = browser.client.post
    assert post("/judge/note", data={**form, "note": "x" * LARGEST}).status_code == 413
    assert post("/judge/note", content=b"\xff\xfe=").status_code == 400
    assert post("/judge/note", content=b"&".join([b"a=1"] * 60)).status_code == 400
    assert not browser.worker.run_and_wait(read_events)


def test_random_requests() -> None:
    """Right, nearly right and odd ones of everybody: no error of the server, no label that nobody gave."""
    with closing(Requests(7)) as requests:
        assert requests.run(usually(200, 10_000)) == []
        assert requests.recorded


@pytest.mark.full
def test_random_requests_find_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the check of forms they record what nobody asked for."""
    monkeypatch.setattr(application, "compare_digest", lambda one, other: True)
    monkeypatch.setattr(application, "is_from_this_site", lambda request: True)
    with closing(Requests(7)) as requests:
        assert any("an event of nobody's" in line for line in requests.run(300))
