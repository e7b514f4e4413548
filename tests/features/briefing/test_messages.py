"""Messages from the organiser: sent to one person or to all, shown until dismissed, and to nobody else."""

from collections.abc import Iterator
from functools import partial

import pytest

from cranfield.errors import InputError
from cranfield.features.briefing.messages import dismiss_message, messages_to, open_messages, send_message
from cranfield.store.chain import Event
from cranfield.store.invitations import invite, revoke
from cranfield.store.log import add_assessor, append
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.application import Application
from cranfield.web.look.table import answer
from cranfield.web.results import Worker
from tests.features.briefing.test_briefing import Visit
from tests.judging.cases import store_of
from tests.web.look.hostile import evil


def judged_store() -> Store:
    store = store_of()
    for name in ("ada", "bo"):
        add_assessor(store, name)
    append(store, Event("label", "q1", "d1", "ada", 1, note=evil("why")), Event("label", "q1", "d1", "bo", 0))
    return store


@pytest.fixture
def app() -> Iterator[Application]:
    app = Application(Worker(judged_store))
    yield app
    app.close()


def visit(app: Application, name: str) -> Visit:
    return Visit(app, app.worker.run_and_wait(partial(invite, assessor=name)))


def test_a_message_is_on_the_judging_page_until_it_is_dismissed(app: Application) -> None:
    """It is text, it is for one person, and a form that is sent twice sends and dismisses once."""
    organiser, ada, bo = Visit(app, app.access.start_token), visit(app, "ada"), visit(app, "bo")
    page = organiser.send(
        "/organise/message?assessor=ada", "/organise/message", assessor="ada", text=evil("see the guidelines")
    )
    assert "The message was sent to ada." in page
    assert len(app.worker.run_and_wait(partial(messages_to, assessor="ada"))) == 1
    text = ada.client.get("/judge").text
    assert "see the guidelines" in text
    assert "<script>alert" not in text
    assert "see the guidelines" not in bo.client.get("/judge").text
    assert "see the guidelines" not in bo.client.get("/messages").text
    assert "see the guidelines" not in ada.send("/messages", "/messages/dismiss")
    app.worker.run_and_wait(verify)


def test_a_message_to_all_names_nobody(app: Application) -> None:
    organiser, ada, bo = Visit(app, app.access.start_token), visit(app, "ada"), visit(app, "bo")
    page = organiser.send("/organise/message", "/organise/message", all="1", text="well done")
    assert "The message was sent to 2 people." in page
    for one, other in ((ada, "bo"), (bo, "ada")):
        text = one.client.get("/messages").text
        assert "well done" in text
        assert f">{other}<" not in text
    ada.send("/messages", "/messages/dismiss")
    assert "well done" in bo.client.get("/judge").text


def test_a_message_goes_only_to_people_with_a_judging_page(app: Application) -> None:
    """Nobody else is offered or counted: bo has labels and a link that was revoked, eve a link for another role."""
    organiser, _ = Visit(app, app.access.start_token), visit(app, "ada")
    app.worker.run_and_wait(partial(invite, assessor="bo"))
    app.worker.run_and_wait(partial(revoke, assessor="bo"))
    app.worker.run_and_wait(partial(invite, assessor="eve", role="adjudicate"))
    page = organiser.client.get("/organise/message?assessor=bo").text
    assert '<option value="ada">' in page
    assert '<option value="bo"' not in page
    assert '<option value="eve"' not in page
    assert "bo has no judging page" in page
    assert "Send to everybody with a judging page (1)" in page
    sent = organiser.send("/organise/message", "/organise/message", all="1", text="well done")
    assert "The message was sent to 1 person." in sent
    refused = organiser.send("/organise/message", "/organise/message", assessor="bo", text="well done")
    assert "has no judging page to show the message" in refused
    assert app.worker.run_and_wait(partial(messages_to, assessor="bo")) == []


def test_the_judging_page_shows_the_newest_message_and_links_the_rest(app: Application) -> None:
    ada = visit(app, "ada")
    app.worker.run_and_wait(lambda store: send_message(store, ["ada"], "old news", "e1"))
    assert "/messages" not in ada.client.get("/judge").text.partition("From the organiser")[2].partition("</form>")[0]
    app.worker.run_and_wait(lambda store: send_message(store, ["ada"], "first line\nsecond line", "e2"))
    page = ada.client.get("/judge").text
    assert "first line\nsecond line" in page
    assert "old news" not in page
    assert '<a href="/messages">All 2 messages</a>' in page
    every = ada.client.get("/messages").text
    assert every.index("second line") < every.index("old news")
    ada.send("/messages", "/messages/dismiss")  # the last one on the page
    assert '<a href="/messages">Whole message</a>' in ada.client.get("/judge").text


def test_an_assessor_neither_sends_nor_dismisses_what_is_not_theirs(app: Application) -> None:
    ada = visit(app, "ada")
    app.worker.run_and_wait(lambda store: send_message(store, ["bo"], "for bo", "e"))
    assert ada.client.get("/organise/message").status_code == 403
    (message,) = app.worker.run_and_wait(partial(open_messages, assessor="bo"))
    app.worker.run_and_wait(lambda store: dismiss_message(store, "ada", message.id))
    assert app.worker.run_and_wait(partial(open_messages, assessor="bo")) == [message]
    organiser = Visit(app, app.access.start_token)
    assert organiser.client.get("/messages").status_code == 403


@pytest.mark.parametrize(
    ("names", "text", "message"),
    [
        (["eve"], "a", "no assessor 'eve' in this store"),
        ([""], "a", "no assessor '' in this store"),
        ([], "a", "there is nobody to send the message to"),
        (["ada"], " ", "the message is empty"),
        (["ada"], "a" * 2001, "the message has 2,001 characters; expected at most 2,000"),
    ],
)
def test_a_wrong_message_is_refused(names: list[str], text: str, message: str) -> None:
    with judged_store() as store:
        with pytest.raises(InputError, match=message):
            send_message(store, names, text, "e")
        assert messages_to(store, "ada") == []


def test_the_page_of_a_person_has_their_messages_and_nobody_elses() -> None:
    with judged_store() as store:
        send_message(store, ["ada"], evil("for ada"), "e1")
        send_message(store, ["bo"], "for bo", "e2")
        page = answer(store, "person", "", [("assessor", "ada")]).text()
    assert "for ada" in page
    assert "for bo" not in page
    assert "<script>alert" not in page
    assert "/organise/message?assessor=ada" in page
