"""The page of a store that does not exist yet creates the store that the command creates, for the organiser alone."""

import re
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cranfield.cli.commands.serve import create_from_form, is_new_store
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.first_page import FirstPage
from cranfield.web.organiser_pages import NOT_YET
from cranfield.web.results import Worker

pytestmark = pytest.mark.needs_extra("serve")
TYPED = {"name": "Wings", "description": "About <b>wings</b>", "scale": "0 = no\r\n1 = yes, fully", "lowest": "1"}


class First:
    """A server on a file that does not exist, and the organiser's browser."""

    def __init__(self, path: Path) -> None:
        self.path = path

        def open_application(token: str) -> Application:
            return Application(Worker.worker_of_store(path), start_token=token)

        self.app = FirstPage(
            lambda fields: create_from_form(path, fields), open_application, ["testserver"], file_name=path.name
        )
        self.client = TestClient(self.app)
        assert self.client.get(f"/enter/{self.app.start_token}").status_code == 200
        self.form = re.findall(r'name="form" value="(\w+)"', self.client.get("/").text)[0]

    def create(self, **fields: str) -> tuple[int, str]:
        """Send the form: the status and the text of the page that follows."""
        answer = self.client.post("/organise/create", data={"form": self.form, **TYPED, **fields})
        return answer.status_code, answer.text


@pytest.fixture
def first(tmp_path: Path) -> Iterator[First]:
    """A server on a new file."""
    server = First(tmp_path / "new.db")
    with closing(server.app):
        yield server


@pytest.mark.needs("organising")
def test_the_form_creates_the_store(first: First) -> None:
    """The pages of the store take over with the same link; the file is the owner's alone; sending it twice is once."""
    status, page = first.create()
    assert status == 200
    assert "Wings; grades: 0 no, 1 yes; fully" in page
    assert not first.path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    assert first.client.get("/").status_code in (200, NOT_YET)  # the second while it is being computed
    assert first.client.post("/organise/create", data={"form": first.form, **TYPED}).status_code in (403, 404)
    with Store.open(first.path) as store:
        about = store.collection
    assert (about.name, about.description, about.grades) == ("Wings", "About <b>wings</b>", {0: "no", 1: "yes; fully"})


def test_a_long_description_creates_nothing(first: First) -> None:
    status, page = first.create(description="x" * 4001)
    assert (status, "the description has 4,001 characters; expected at most 4000" in page) == (409, True)
    assert not first.path.exists()


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"name": " "}, "the collection has no name"),
        ({"name": "x" * 10_000}, "the name has 10,000 characters; expected at most 200"),
        ({"lowest": "1-"}, "expected a grade of the scale"),
        ({"lowest": "\u00b2"}, "expected a grade of the scale"),
        ({"scale": "no\nyes"}, "expected a line such as 0 = not relevant"),
        ({"scale": "0 = no\n0 = yes"}, "grade 0 occurs twice"),
        ({"scale": ""}, "expected a value that is not empty"),
        ({"lowest": "5"}, "expected grades below 5"),
        ({"lowest": "x"}, "expected a grade of the scale"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_wrong_input_creates_nothing(first: First, fields: dict[str, str], found: str) -> None:
    """The page says what is wrong, without options of a shell, and keeps what was typed."""
    status, page = first.create(**fields)
    assert status == 409
    assert found in page
    assert "--" not in re.findall(r'id="notice">.*?</p>', page, re.DOTALL)[0].replace("<!--", "")
    assert "About &lt;b&gt;wings&lt;/b&gt;" in page
    assert not first.path.exists()


def test_only_the_organiser_creates(first: First) -> None:
    """No link, a wrong one, another site's form, another host: nothing is shown or created."""
    stranger = TestClient(first.app)
    assert stranger.get("/").status_code == 403
    assert stranger.get("/enter/wrong").status_code == 403
    assert stranger.post("/organise/create", data={"form": first.form, **TYPED}).status_code == 403
    assert TestClient(first.app, base_url="http://evil.example").get("/").status_code == 400
    assert first.client.post("/organise/create", data={"form": "other", **TYPED}).status_code == 403
    headers = {"origin": "https://evil.example"}
    data = {"form": first.form, **TYPED}
    assert first.client.post("/organise/create", data=data, headers=headers).status_code == 403
    assert first.client.get("/organise/setup").status_code == 404
    assert not first.path.exists()


def test_many_wrong_links_have_to_wait(first: First) -> None:
    """Ten different wrong links from an address; after them even the page says to wait."""
    stranger = TestClient(first.app)
    statuses = [stranger.get(f"/enter/wrong{number}").status_code for number in range(12)]
    assert statuses == [403] * 10 + [429] * 2


def test_a_file_that_appeared_meanwhile_is_kept(first: First) -> None:
    """Another program has made it: the form is refused, and the file stays as it is."""
    first.path.write_text("mine")
    status, page = first.create()
    assert status == 409
    assert "already exists" in page
    assert first.path.read_text() == "mine"


def test_which_names_are_new(tmp_path: Path) -> None:
    """A missing file in a folder that is there, and no release."""
    assert is_new_store(tmp_path / "new.db")
    assert not is_new_store(tmp_path / "none" / "new.db")
    assert not is_new_store(tmp_path / "new.db@1.0")
    (tmp_path / "track.db").touch()
    assert not is_new_store(tmp_path / "track.db")
