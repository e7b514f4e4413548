"""Every command that exports or imports has an entry on a page of the organiser, or a reason why it has none."""

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import pytest

from cranfield.cli.tree import all_commands
from cranfield.features.organising.downloads import all_downloads
from cranfield.features.organising.further_uploads import all_uploads
from cranfield.hooks import built_in_extensions
from cranfield.store.store import Store
from cranfield.web.organise.table import SECTIONS
from tests.features.organising.served import Organiser
from tests.stores import new_file

pytestmark = pytest.mark.needs_extra("serve")


class Entry(NamedTuple):
    """Where a page has what a command does: a download or an upload by its name, a form, a page; or a reason."""

    download: str = ""
    upload: str = ""
    form: str = ""  # its address on the page
    page: str = ""  # of the organiser, by its name
    reason: str = ""


FILES_ONLY = "it works on files next to a store, not in the served store"
NEW_STORE = "it makes or converts a file, before that file is served"
ENTRIES = {
    "export qrels": Entry("qrels"),
    "export runs": Entry("runs"),
    "export pool": Entry("pool"),
    "pool export": Entry("pool"),
    "export judgments": Entry("judgments"),
    "export topics": Entry("topics"),
    "export corpus": Entry("corpus"),
    "export beir": Entry("beir"),
    "export bundle": Entry("bundle"),
    "export page": Entry("page"),
    "export datasette-metadata": Entry("datasette"),
    "export answers": Entry("answers"),
    "export preferences": Entry("preferences"),
    "answers nuggets export": Entry("nuggets"),
    "report": Entry("report"),
    "import corpus": Entry(page="setup", form="/organise/upload/documents"),
    "import topics": Entry(page="setup", form="/organise/upload/topics"),
    "import runs": Entry(page="setup", form="/organise/upload/runs"),
    "import bundle": Entry(page="deliver", form="/organise/upload/bundles"),
    "import collection": Entry(upload="collection"),
    "import qrels": Entry(upload="qrels"),
    "import votes": Entry(upload="votes"),
    "import answers": Entry(upload="answers"),
    "import variations": Entry(upload="variations"),
    "import log": Entry(upload="log"),
    "import preferences": Entry(upload="preferences"),
    "answers nuggets import": Entry(upload="nuggets"),
    "answers claims import": Entry(upload="claims"),
    "answers rubrics import": Entry(upload="rubrics"),
    "publish describe": Entry("description", "description"),
    "publish build": Entry("published"),
    "publish check": Entry(reason=f"{FILES_ONLY}; an uploaded collection is checked in the same way"),
    "task describe": Entry(page="task", form="/organise/task-describe"),
    "task open": Entry(page="task"),
    "task close": Entry(page="task"),
    "task release": Entry(page="task"),
    "task invite": Entry(page="task"),
    "task revoke": Entry(page="task"),
    "task teams": Entry(page="task"),
    "task submissions": Entry(page="task"),
    "task withdrawals": Entry(page="task"),
    "task decide": Entry(page="task"),
    "task results": Entry("results"),
    "task archive": Entry("archive"),
    "task receipt": Entry(reason=f"{FILES_ONLY}: a team checks its receipt with the published log"),
    "collection list": Entry(reason="it lists the recipes of the program, which no store has"),
    "collection show": Entry(reason="it shows a recipe of the program, which no store has"),
    "collection build": Entry(reason=NEW_STORE),
    "model assess export": Entry(reason="a batch goes with a model, a prompt and a budget, which no page sets"),
    "model assess import": Entry(reason="the answers to a batch go with its model and prompt, which no page sets"),
    "store backup": Entry("backup"),
    "store erase": Entry(page="erase", form="/organise/erase/check"),
    "store adopt": Entry(reason=NEW_STORE),
    "store upgrade": Entry(reason=NEW_STORE),
    "store fetch": Entry(reason="it records the lasting path of a corpus on the server, which an upload has not"),
    "store remove": Entry(reason="it undoes imports and writes no file"),
    "store withdraw": Entry(reason="it changes what counts and writes no file"),
    "store restore": Entry(reason="it changes what counts and writes no file"),
    "store labels": Entry(page="choice", form="/organise/choice"),
    "store history": Entry(reason="it lists changes and writes no file"),
    "store release": Entry(reason="it names a state and writes no file"),
    "store releases": Entry(reason="it lists states and writes no file"),
    "store verify": Entry(reason="it checks the logs and writes no file; a backup is verified before it is sent"),
}
GROUPS = ("export", "import", "publish", "task", "collection", "store")
VERBS = ("export", "import", "backup", "archive")  # of other groups


def transfers() -> Iterator[str]:
    """The commands that the table has to name."""
    for command in all_commands():
        if command.words[0] in GROUPS or command.words[-1] in VERBS:
            yield " ".join(command.words)


@pytest.fixture(scope="module")
def organiser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Organiser]:
    """A store with a pool and a label."""
    path = new_file(
        tmp_path_factory.mktemp("commands") / "track.db",
        documents=["d1"],
        topics=["q1"],
        runs={"a": {"q1": {"d1": 1.0}}},
        pool=1,
        labels={"ada": {("q1", "d1"): 1}},
    )
    with closing(Organiser(lambda: Store.open(path))) as browser:
        yield browser


def test_every_export_and_import_is_in_the_table() -> None:
    """A new command needs a row; a row has an entry or a reason, not both."""
    commands = {*transfers()}
    assert commands - ENTRIES.keys() == set()
    features = {"answers", "collecting", "models", "online", "preferences", "publishing", "tasks"}  # with such commands
    if features <= {*built_in_extensions()}:
        assert ENTRIES.keys() - commands == {"report"}
    for name, entry in ENTRIES.items():
        assert bool(entry.reason) != any(entry[:-1]), name


@pytest.mark.parametrize("command", sorted(ENTRIES.keys() & {*transfers(), "report"}))
def test_the_page_has_the_entry(organiser: Organiser, command: str) -> None:
    """The download, the upload, the form or the page of the table is there."""
    entry = ENTRIES[command]
    assert not entry.download or entry.download in all_downloads()
    if entry.upload:
        assert entry.upload in all_uploads()
        assert f'action="/organise/upload/{entry.upload}"' in organiser.page("deliver")
    if entry.page:
        assert entry.page in SECTIONS
        assert f'action="{entry.form}"' in organiser.page(entry.page) or not entry.form


def test_every_entry_of_the_page_is_a_command() -> None:
    """The page has no download or upload beyond the commands."""
    assert {*all_downloads()} <= {one.download for one in ENTRIES.values()}
    assert {*all_uploads()} <= {one.upload for one in ENTRIES.values()}
