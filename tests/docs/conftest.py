"""The folder that docs/cacm_files.py makes; skipped without CACM's files."""

from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.version import Version

from tests.real import copied

cacm_files = import_module("docs.cacm_files")


def make_cacm(downloads: Path) -> None:
    """Make the folder cacm in the current folder."""
    cacm_files.write_cacm_files(downloads, Path("cacm"))


@pytest.fixture
def cacm(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the script, as the current folder; it is made once in a process."""
    if not (shared / "cacm").is_dir():
        pytest.skip("needs ../shared/data/cacm, which is not here")
    if Version(version("PyStemmer")) < Version("3.1"):
        pytest.skip("needs PyStemmer 3.1: earlier versions stem internal and interval differently")
    folder = copied(make_cacm, tmp_path, shared / "cacm") / "cacm"
    monkeypatch.chdir(folder)
    return folder
