"""The archive of a task as a download of the organiser."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.features.tasks.archive import SUMS, write_archive
from cranfield.features.tasks.store import begin_phase, describe
from cranfield.metrics.inputs import as_qrels
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store
from tests.features.organising.served import Organiser, notice
from tests.features.tasks.track import QIDS, collection, description
from tests.stores import filled

pytestmark = [pytest.mark.needs_extra("serve"), pytest.mark.needs_extra("report")]


@pytest.fixture
def organiser() -> Iterator[Organiser]:
    """A store without a task."""
    with closing(Organiser(collection)) as browser:
        yield browser


def test_the_archive_is_as_the_command_writes_it(organiser: Organiser, tmp_path: Path) -> None:
    """There is none before the task is described; then the zip has the command's files, byte by byte."""

    def run_task(store: Store) -> None:
        describe(store, description())
        filled(store, runs={"a": {qid: {"d1": 2.0, "d2": 1.0} for qid in QIDS}})
        import_qrels(store, as_qrels({qid: {"d1": 1, "d2": 0} for qid in QIDS}), "nist")
        begin_phase(store, "results", "")

    assert "/organise/download/archive" not in organiser.page("deliver")
    organiser.worker.run_and_wait(run_task)
    assert "/organise/download/archive" in organiser.page("deliver")
    answer = organiser.client.post("/organise/download/archive", data={"form": organiser.form})
    assert "-archive.zip" in (answer.headers.get("content-disposition") or notice(answer.text))
    organiser.worker.run_and_wait(lambda store: write_archive(store, tmp_path / "own"))
    own = {
        one.relative_to(tmp_path / "own").as_posix(): one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()
    }
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == own
    assert SUMS in own


def test_the_archive_is_for_the_organiser(organiser: Organiser) -> None:
    """A form of another page is refused."""
    assert organiser.client.post("/organise/download/archive", data={"form": "x"}).status_code == 403
