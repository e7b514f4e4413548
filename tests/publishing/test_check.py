"""Published folders are checked by the programs that load them; none of their code is run unless it is ours."""

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from unittest.mock import Mock

import pytest

from cranfield.publishing.folder import CHECKS, check
from cranfield.publishing.manifest import write_manifest


def states(folder: Path, *only: str) -> dict[str, list[tuple[str, str]]]:
    """The findings of each check, or of those of some names."""
    found: dict[str, list[tuple[str, str]]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cranfield.publishing.folder.CHECKS", [one for one in CHECKS if one.name in only or not only])
        for row in check(folder):
            found.setdefault(row.check, []).append((row.state, row.what))
    return found


def test_every_target_loads_the_bundled_collection(workshop_folder: Path) -> None:
    for package in ("bagit", "ir_datasets", "mlcroissant", "datacite", "huggingface_hub"):
        pytest.importorskip(package, reason="needs the extra interop")
    found = states(workshop_folder)
    subsets = "qrels of subsets: small/first 957, small/second 199, small/sweep 71"
    assert found["ir_datasets"] == [("ok", f"ir_datasets loads 232 documents, 25 queries and 1028 qrels; {subsets}")]
    assert found["bagit"] == [("ok", "a valid bag")]
    assert ("ok", "mlcroissant reads 1028 of 1028 rows of qrels") in found["croissant"]
    assert [what for findings in found.values() for state, what in findings if state == "wrong"] == []
    assert [state for state, _ in found["hf"]] == ["ok"]


def test_a_module_that_is_not_ours_is_not_run(published: Path, tmp_path: Path) -> None:
    pytest.importorskip("ir_datasets")
    folder = shutil.copytree(published, tmp_path / "copy")
    trap = tmp_path / "sprung"
    with (folder / "ir_datasets" / "small.py").open("a") as file:
        file.write(f"open({str(trap)!r}, 'w')\n")
    write_manifest(folder)
    assert states(folder, "ir_datasets")["ir_datasets"] == [
        ("skipped", "not run: it is not the module that this program writes")
    ]
    assert not trap.exists()


def test_the_files_of_a_pull_request_have_a_test(published: Path, tmp_path: Path) -> None:
    pytest.importorskip("ir_datasets")
    place = published / "ir_datasets"
    assert (place / "init.txt").read_text() == "from . import small\n"
    assert [*json.loads((place / "metadata.json").read_text())] == ["small", "small/a01", "small/a02"]
    home = {**os.environ, "IR_DATASETS_HOME": str(tmp_path), "IR_DATASETS_TMP": str(tmp_path)}
    words = [sys.executable, "-B", str(place / "test_small.py")]
    done = subprocess.run(words, env=home, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "Ran 1 test" in done.stderr) == (0, True), done.stderr


def test_what_is_not_installed_or_too_old_is_named(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.publishing.checks.version", lambda name: "0.5.11")
    old = "ir_datasets 0.5.11 is installed; expected ir_datasets>=0.6"
    assert states(published, "ir_datasets")["ir_datasets"] == [("skipped", old)]
    monkeypatch.setattr("cranfield.publishing.checks.version", Mock(side_effect=PackageNotFoundError))
    assert states(published, "ir_datasets")["ir_datasets"] == [("skipped", "the package ir_datasets is not installed")]


def test_every_file_that_was_edited_is_named(published: Path, tmp_path: Path) -> None:
    """And what is right is counted; what the files say is not looked at."""
    folder = shutil.copytree(published, tmp_path / "copy")
    number = len((folder / "manifest-sha256.txt").read_text().splitlines())
    for name in ("README.md", "LICENSE"):
        with (folder / name).open("a") as file:
            file.write("more\n")
    (folder / "NOTES").touch()
    found = states(folder)
    assert [(state, what[:22]) for state, what in found["files"]] == [
        ("wrong", "changed or incomplete:"),
        ("wrong", "changed or incomplete:"),
        ("skipped", "not listed in manifest"),
        ("ok", f"{number - 2} of {number} files as list"),
    ]
    assert found.keys() == {"files", "contents"}


def test_a_log_with_another_head_is_named(published: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(published, tmp_path / "copy")
    path = folder / "log" / "log.json"
    path.write_text(path.read_text().replace('"head": "', '"head": "0'))
    write_manifest(folder)
    assert [state for state, _ in states(folder, "log")["log"]] == ["wrong"]


def test_no_text_of_a_collection_breaks_its_files(published: Path) -> None:
    for package in ("mlcroissant", "huggingface_hub"):
        pytest.importorskip(package, reason="needs the extra interop")
    found = states(published, "tables", "hf", "croissant", "zenodo")
    assert [what for findings in found.values() for state, what in findings if state == "wrong"] == []
    assert ("ok", "mlcroissant reads 4 of 4 rows of corpus") in found["croissant"]
