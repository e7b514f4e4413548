"""Who may come in, and what is refused: wrong links, forms of other sites, other host names, odd requests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import pytest

from cranfield.store.invitations import invite, revoke
from cranfield.store.log import events
from cranfield.web.access import TRIES, WrongTokens
from cranfield.web.guard import HEADERS, LARGEST
from tests.conftest import usually
from tests.judging.cases import store_of
from tests.web.browser import Browser


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A browser on a small store."""
    opened = Browser(store_of)
    yield opened
    opened.close()


def test_a_page_needs_a_link(browser: Browser) -> None:
    """Without a token, with a wrong one or with one revoked or expired there is no page."""
    browser.client.cookies.clear()
    assert browser.client.get("/judge").status_code == 403
    assert browser.client.get("/enter/wrong").status_code == 403
    past = browser.worker.wait(partial(invite, assessor="bo", valid=timedelta(seconds=-1)))
    assert browser.client.get(f"/enter/{past}").status_code == 403
    browser.worker.wait(partial(revoke, assessor="ada"))
    assert browser.client.get(f"/enter/{browser.token}").status_code == 403


def test_a_revoked_link_ends_at_once(browser: Browser) -> None:
    """A page that is open records nothing once its link is revoked."""
    grade = browser.page.keys["1"]
    browser.worker.wait(partial(revoke, assessor="ada"))
    assert browser.client.post(grade.action, data=grade.fields).status_code == 403
    assert not browser.worker.wait(events)


def test_too_many_wrong_links(browser: Browser) -> None:
    """After some wrong tokens an address has to wait, even with a right one."""
    found = [browser.client.get(f"/enter/{number}").status_code for number in range(TRIES + 1)]
    assert found == [403] * TRIES + [429]
    assert browser.client.get(f"/enter/{browser.token}").status_code == 429


def test_the_cookie_is_for_this_server_alone(browser: Browser) -> None:
    """No script reads it, no other site sends it."""
    cookie = browser.client.get(f"/enter/{browser.token}").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))
    assert browser.token not in browser.page.text


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
    ids=str,
)
def test_another_site_records_nothing(browser: Browser, headers: dict[str, str]) -> None:
    """A form that another site sends is refused, even with the right token."""
    grade = browser.page.keys["1"]
    assert browser.client.post(grade.action, data=grade.fields, headers=headers).status_code == 403
    assert not browser.worker.wait(events)


def test_a_form_has_its_token(browser: Browser) -> None:
    """Without the token of the visitor's own pages nothing is recorded; another assessor's does not do."""
    grade = browser.page.keys["1"]
    other = "0" * len(grade.fields["form"])
    for form in ({}, {"form": other}):
        fields = {name: value for name, value in grade.fields.items() if name != "form"} | form
        assert browser.client.post(grade.action, data=fields).status_code == 403
    assert not browser.worker.wait(events)


def test_another_host_is_refused(browser: Browser) -> None:
    """A name that only resolves to this machine is not this server's."""
    assert browser.client.get("/judge", headers={"host": "rebound.example"}).status_code == 400


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
    for path in ("/judge", "/assets/judge.js", "/nothing", "/enter/wrong"):
        answer = browser.client.get(path)
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_a_form_is_bounded(browser: Browser) -> None:
    """What is too long, or no form, is refused."""
    form = browser.page.forms["/judge/stay"].fields
    post = browser.client.post
    assert post("/judge/note", data={**form, "text": "x" * LARGEST}).status_code == 413
    assert post("/judge/note", content=b"\xff\xfe=").status_code == 400
    assert post("/judge/note", content=b"&".join([b"a=1"] * 60)).status_code == 400
    assert not browser.worker.wait(events)


def test_random_requests_make_no_labels(browser: Browser) -> None:
    """Whatever is sent without a form of a page: no error of the server, no label."""
    draw = random.Random(7)
    words = ["judge", "grade", "..", "enter", "assets", "active", "%00", "a" * 300, "\u202e", "judge.js", "?", "#", "%"]
    values = ["", "0", "1", "-1", "x" * 1000, "\x00", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")]
    for _ in range(usually(150, 10_000)):
        path = "/" + "/".join(draw.choices(words, k=draw.randint(0, 3)))
        fields = {
            draw.choice(["form", "page", "document", "after", "grade", "text"]): draw.choice(values) for _ in "ab"
        }
        headers = {draw.choice(["cookie", "origin", "x-part", "accept"]): draw.choice(["a", "=", "null"])}
        method = draw.choice(["GET", "POST", "PUT", "HEAD", "DELETE"])
        browser.app.access.wrong = WrongTokens()
        answer = browser.client.request(method, path, data=fields if method == "POST" else None, headers=headers)
        assert answer.status_code in (200, 400, 403, 404, 405, 409), (method, path)
    assert not browser.worker.wait(events)
