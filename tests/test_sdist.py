"""The source distribution: it has all of the checkout, and its tests run where it is unpacked."""

import os
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.full

BUILD = "from setuptools.build_meta import build_sdist; build_sdist('dist')"
TESTS = """
import sys
import pytest

code = pytest.main(sys.argv[1:])
print(sys.modules["cranfield.metrics"].__file__)
sys.exit(code)
"""
HAS_SETUPTOOLS = any(int(one.version.split(".")[0]) >= 77 for one in distributions(name="setuptools"))
SOME = ("tests/store/test_named_rows.py", "metrics/options.py")  # of the tests that ship


def files_of_the_checkout() -> list[str]:
    """What git knows, or would; skipped where this is no checkout."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no checkout of git")
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [name for name in names if name and os.path.lexists(ROOT / name)]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The distribution of a copy of the checkout."""
    if not HAS_SETUPTOOLS:
        pytest.skip("needs setuptools 77, which builds the package")
    folder = tmp_path_factory.mktemp("sdist")
    for name in files_of_the_checkout():
        (folder / "here" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / "here" / name, follow_symlinks=False)
    subprocess.run([sys.executable, "-c", BUILD], cwd=folder / "here", check=True, capture_output=True)
    (path,) = (folder / "here" / "dist").iterdir()
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    return folder / path.name.removesuffix(".tar.gz")


def test_nothing_is_missing(checkout: Path) -> None:
    """Every file and link; beside them only what setuptools adds."""
    here = {str(path.relative_to(checkout)) for path in checkout.rglob("*") if path.is_file() or path.is_symlink()}
    assert set(files_of_the_checkout()) - here == set()
    more = {name for name in here - set(files_of_the_checkout()) if ".egg-info/" not in name}
    assert {name for name in more if not name.startswith(LINKED)} == {"PKG-INFO", "setup.cfg"}


LINKED = tuple(f"cranfield/{name}/" for name in ("collections", "judging", "metrics", "pooling"))


def test_its_tests_run(checkout: Path) -> None:
    """A part of them, with the code that came along and not with what is installed."""
    words = [sys.executable, "-c", TESTS, "-q", "-n", "0", "-p", "no:cacheprovider", *SOME]
    process = subprocess.run(words, cwd=checkout, check=False, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout[-2000:] + process.stderr[-2000:]
    assert " passed" in process.stdout
    assert process.stdout.splitlines()[-1].startswith(str(checkout))
