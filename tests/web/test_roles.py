"""Every route as every role, on a store that holds a link of each: no request breaks the server."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from cranfield.features.tasks.store import describe
from cranfield.store.invitations import invite
from cranfield.web.access import Visitor
from cranfield.web.application import Application
from cranfield.web.commands import COMMANDS as DECISIONS
from cranfield.web.look.table import VIEWS
from cranfield.web.open_sessions import deciding_roles, invited_roles, judging_roles
from cranfield.web.organise.table import FORMS, SECTIONS
from cranfield.web.results import Worker
from tests.conftest import Cranfield, usually
from tests.features.tasks.track import description
from tests.web.serving import computing_here
from tests.web.test_on_a_phone import answered_store, briefed_store, judged_store

pytestmark = pytest.mark.full

PURPOSES = {role.name: role.purpose for role in judging_roles()}
ROLES = tuple(PURPOSES)
COMMANDS = sorted({"keys", "stay", "unknown", *DECISIONS})
COMMANDS += ["find", "try", "label", "accept", "drop", "ask", "add", "edit", "delete", "merge", "split"]
VALUES = {
    "token": ["wrong"],
    "role": [*ROLES, "unknown"],
    "command": COMMANDS,
    "document": ["x"],
    "block": ["0"],
    "digest": ["0" * 64],
    "kind": ["json", "csv"],
    "tag": ["bm25"],
}
NAMES = {"/organise/{name}": [*SECTIONS, *FORMS, "unknown"], "/look/{name}": [*VIEWS, "unknown"]}
FORM = "form"
STORES = (judged_store, briefed_store, answered_store)


def addresses(route: Route) -> list[str]:
    """All addresses of a route that these tests visit."""
    found = [route.path]
    for name in route.param_convertors:
        values = NAMES.get(route.path, ["web.css"]) if name == "name" else VALUES[name]
        found = [path.replace(f"{{{name}}}", quote(value, safe="")) for path in found for value in values]
    return [path for path in found if "{" not in path]


def is_worth_a_visit(role: str, address: str) -> bool:
    """Whether to visit an address as a role: of the commands of other roles some are enough."""
    _, page, *command = address.split("/")
    return page not in ROLES or page == role or command in ([], ["grade"], ["keys"], ["labels"])


@pytest.fixture(params=STORES)
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Application]:
    """An application on a store with work of many kinds, a task, and a link of each role."""
    request.param(tmp_path / "s.db")
    with closing(computing_here(Application(Worker.worker_of_store(tmp_path / "s.db")))) as app:
        app.worker.run_and_wait(lambda store: describe(store, description()))
        yield app


@pytest.mark.parametrize(("app", "first"), [*zip(STORES, range(len(STORES)), strict=True)], indirect=["app"])
def test_no_role_breaks_a_route(app: Application, first: int) -> None:
    """Each page is read and each form sent by every role, and by the organiser.

    Without --daily each store gets its share of the requests for pages of other roles.
    """
    asgi = app.asgi(["testserver"])
    routes: list[Route] = asgi.app.routes  # type: ignore[attr-defined]
    tokens: dict[str, str] = {
        role: app.worker.run_and_wait(partial(invite, assessor="ada", role=role)) for role in ROLES
    }
    if app.worker.run_and_wait(lambda store: store.last_row_number("pool")):
        tokens["organiser"] = app.access.start_token  # whose views need runs, and take long
    broken, visited, step = [], 0, usually(len(STORES), 1)
    for role, token in tokens.items():
        client = TestClient(asgi, raise_server_exceptions=False, follow_redirects=False)
        assert client.get(f"/enter/{token}").status_code == 200
        form = _form_token(app, token)
        for route in routes:
            for number, address in enumerate(filter(partial(is_worth_a_visit, role), addresses(route))):
                if role not in (address.split("/")[1], "organiser") and number % step != first % step:
                    continue
                for method in {"GET", "POST"} & set(route.methods or ()):
                    if method == "POST":
                        answer = client.post(address, data={FORM: form, "topic": "q1", "grade": "1", "number": "1"})
                    else:
                        answer = client.get(address)
                    visited += 1
                    if answer.status_code >= 500 and "Retry-After" not in answer.headers:  # busy with an earlier form
                        broken.append((role, method, address, answer.status_code))
    assert visited > usually(1_000, 4_000)
    assert broken == []


def test_each_role_has_one_name_and_a_page() -> None:
    """Roles of features as well; those that come with judging have no links of their own."""
    assert len({*ROLES}) == len(judging_roles())
    assert all(PURPOSES.values())
    assert {*ROLES} - {*invited_roles()} == {"messages", "practice", "questions", "search"}
    assert [role.name for role in judging_roles() if (role.name in deciding_roles()) == bool(role.page)] == []


def _form_token(app: Application, token: str) -> str:
    return Visitor(token, None).form_token(app.access.key)


def test_links_of_all_roles_are_listed(app: Application) -> None:
    """The organiser's list names the purpose of each role, of strange ones too; its form gives invited roles."""
    for role in (*ROLES, "astronomer"):
        app.worker.run_and_wait(partial(invite, assessor="ada", role=role))
    client = TestClient(app.asgi(["testserver"]))
    client.get(f"/enter/{app.access.start_token}")
    page = client.get("/organise/links")
    assert page.status_code == 200
    text = unescape(page.text)
    assert [words for words in (*PURPOSES.values(), "astronomer") if words not in text] == []
    assert all(f'<option value="{role}"' in page.text for role in invited_roles())


@pytest.mark.parametrize("role", ["nuggets", "develop", "search", "questions"])
@pytest.mark.parametrize(
    "address", ["/judge/grade", "/adjudicate/grade", "/prefer/grade", "/active/judge", "/judge/keys"]
)
def test_posts_of_other_roles_are_forbidden(tmp_path: Path, role: str, address: str) -> None:
    """A link for one page posts to another: 403, and nothing is recorded."""
    judged_store(tmp_path / "s.db")
    with closing(computing_here(Application(Worker.worker_of_store(tmp_path / "s.db")))) as app:
        token = app.worker.run_and_wait(partial(invite, assessor="ada", role=role))
        events = app.worker.run_and_wait(lambda store: store.last_row_number("judgment_event"))
        client = TestClient(app.asgi(["testserver"]), raise_server_exceptions=False)
        client.get(f"/enter/{token}")
        answer = client.post(address, data={FORM: _form_token(app, token), "grade": "1"})
        assert answer.status_code == 403
        assert "not for your link" in answer.text
        assert app.worker.run_and_wait(lambda store: store.last_row_number("judgment_event")) == events


def test_the_command_line_gives_the_same_roles(cranfield: Cranfield, tmp_path: Path) -> None:
    """`assessor invite --role` gives what the organiser's page gives, and names the roles if it is another."""
    judged_store(tmp_path / "s.db")
    for role in invited_roles():
        assert "/enter/" in cranfield.out("assessor", "invite", tmp_path / "s.db", "ada", "--role", role)
    wrong = cranfield("assessor", "invite", tmp_path / "s.db", "ada", "--role", "organise")
    assert wrong.code == 2
    assert "'organise'; expected judge, adjudicate" in wrong.err
