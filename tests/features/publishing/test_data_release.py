"""The data of the same collection are those of the last release, or the version of the data has changed."""

import shutil
from pathlib import Path

import pytest

from cranfield.features.publishing.collection import LAYOUT
from cranfield.features.publishing.folder import check
from cranfield.features.publishing.manifest import MANIFEST, write_manifest
from tests.data_release import (
    FOLDER,
    changed_files,
    changes_since_release,
    data_hashes,
    instruction,
    is_data,
    released_layout,
)

pytestmark = pytest.mark.usefixtures("contents_alone")


@pytest.mark.needs_extra("arrow")
def test_the_data_are_those_of_the_last_release(tmp_path: Path) -> None:
    """Published by this program; the message says what to do where they differ."""
    released = released_layout()
    changed = changes_since_release(tmp_path) if released == LAYOUT else []
    if what_to_do := instruction(changed, released, LAYOUT):
        pytest.fail(what_to_do)


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize("path", ["trec/qrels.txt", "trec/topics.xml", "log/assessors.tsv", "collection.json"])
def test_a_change_of_the_data_is_an_instruction(tmp_path: Path, path: str) -> None:
    """To raise the layout, and to write the release again; after that to write it again."""
    folder = shutil.copytree(FOLDER, tmp_path / "copy")
    text = (folder / path).read_text("utf-8")
    (folder / path).write_text(text.replace("d1", "d2").replace("human", "model").replace("topics", "queries"), "utf-8")
    changed = changed_files(data_hashes(FOLDER), data_hashes(folder))
    assert changed == [path]
    message = instruction(changed, LAYOUT, LAYOUT)
    assert path in message
    assert (
        "raise LAYOUT in cranfield/features/publishing/collection.py and run `python -m tests.data_release`" in message
    )
    assert instruction(changed, LAYOUT, LAYOUT + 1).endswith("run `python -m tests.data_release`")


@pytest.mark.needs_extra("arrow")
def test_a_change_of_a_table_is_one_of_the_data(tmp_path: Path) -> None:
    """By its columns and rows; its bytes depend on the library that writes Parquet."""
    from pyarrow import parquet

    folder = shutil.copytree(FOLDER, tmp_path / "copy")
    path = folder / "qrels" / "test.parquet"
    table = parquet.read_table(path)
    parquet.write_table(table, path, compression="none")
    assert changed_files(data_hashes(FOLDER), data_hashes(folder)) == []
    parquet.write_table(table.slice(1), path)
    assert changed_files(data_hashes(FOLDER), data_hashes(folder)) == ["qrels/test.parquet"]


@pytest.mark.full
def test_the_release_has_data_without_looks() -> None:
    """No report and no cards; `publish check` checks the data of another build, and does not compare looks."""
    files = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()]
    assert [path for path in files if not is_data(path) and path != MANIFEST] == []
    rows = check(FOLDER)
    assert {row.state for row in rows} == {"ok", "skipped"}
    assert any("compared" in row.what for row in rows if row.state == "skipped")


@pytest.mark.needs_extra("arrow")
def test_wrong_data_of_another_build_are_found_and_looks_are_not(tmp_path: Path) -> None:
    """With right hashes in the list of files: of a report only these count."""
    folder = shutil.copytree(FOLDER, tmp_path / "copy")
    (folder / "report.html").write_text("<p>Another look.", "utf-8")
    _list_again(folder)
    assert "wrong" not in {row.state for row in check(folder)}
    qrels = folder / "trec" / "qrels.txt"
    qrels.write_text(qrels.read_text("utf-8").replace("d3 1", "d3 0"), "utf-8")
    _list_again(folder)
    assert [row.path for row in check(folder) if row.state == "wrong"] == ["trec/qrels.txt"]


def _list_again(folder: Path) -> None:
    (folder / MANIFEST).unlink()
    write_manifest(folder)
