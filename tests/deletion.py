"""`python -m tests.deletion [FEATURE ...]` deletes each feature in a copy and runs the quick tests of all that stays.

The features that need a deleted one, and the tests in the folder of each, are deleted too. Test files that import one
of them are not collected (tests/needed_features.py).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cranfield.hooks import built_in_extensions
from tests.needed_features import needed_features

ROOT = Path(__file__).resolve().parents[1]
LINKED = ("metrics", "pooling", "judging")  # in cranfield, for an installation in place
NAMESPACES = ("cranfield/*.py", "cranfield/**/*.pyi", *(f"{folder}/**/*.pyi" for folder in LINKED))


def dependent_features(features: Sequence[str]) -> list[str]:
    """The features that go with others: they themselves, and those that need them.

    >>> dependent_features([])
    []
    """
    gone = [*features]
    for name, extension in built_in_extensions().items():  # each after those that it needs
        if name not in gone and {*extension.needs} & {*gone}:
            gone.append(name)
    return gone


def copy_checkout(target: Path) -> None:
    """Copy the files that are in git or new, and what was compiled."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    compiled = [path.relative_to(ROOT) for path in ROOT.glob("cranfield/**/*.so")]
    for name in filter(None, [*names, *map(str, compiled)]):
        source, copy = ROOT / name, target / name
        if source.is_symlink() or source.exists():  # not deleted since the last commit
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)


def delete_features(names: Iterable[str], root: Path) -> None:
    """Delete features, their tests, and what type checkers see of them in namespaces."""
    for name in names:
        shutil.rmtree(root / "cranfield" / "features" / name)
        shutil.rmtree(root / "tests" / "features" / name)
        line = re.compile(rf"^[ \t]*from cranfield\.features\.{name}\..* import (\w+) as \1\n", re.MULTILINE)
        for path in {path for pattern in NAMESPACES for path in root.glob(pattern)}:
            path.write_text(fill_blocks(line.sub("", path.read_text("utf-8"))), "utf-8")


def fill_blocks(text: str) -> str:
    """Put `pass` into a block for type checkers that has nothing left.

    >>> fill_blocks("if TYPE_CHECKING:\\n\\nx = 1\\n")
    'if TYPE_CHECKING:\\n    pass\\n\\nx = 1\\n'
    """
    return re.sub(r"^if TYPE_CHECKING:\n(?!\n*[ \t])", "if TYPE_CHECKING:\n    pass\n", text, flags=re.MULTILINE)


def is_test_of(features: Sequence[str], path: Path) -> bool:
    """Whether a path is a file that imports one of these features; pytest collects what it is given by name."""
    return path.is_file() and not needed_features(path).isdisjoint(features)


def run_without(features: Sequence[str], options: Sequence[str], tests: Sequence[str]) -> int:
    """Run those of the tests that stay in a copy without features; returns the exit code of pytest."""
    with TemporaryDirectory(prefix="cranfield-without-") as folder:
        root = Path(folder, "checkout")
        copy_checkout(root)
        delete_features(features, root)
        environment = {**os.environ, "PYTHONPATH": str(root)}
        imported = "from cranfield import *; import cranfield; print(cranfield.__file__)"
        stay = [name for name in tests if (root / name).exists() and not is_test_of(features, ROOT / name)]
        for command in (["-c", imported], ["-m", "pytest", *options, *stay]):
            code = subprocess.run([sys.executable, *command], cwd=root, env=environment, check=False).returncode
            if code:
                return code
        return 0


def main() -> None:
    """Delete each feature that is named, or all in turn; exit with 1 if a test fails without one."""
    parser = argparse.ArgumentParser(prog="python -m tests.deletion", description=main.__doc__)
    parser.add_argument(
        "features", nargs="*", metavar="FEATURE", help=f"of {', '.join(built_in_extensions())} [default: all]"
    )
    parser.add_argument("--tests", nargs="+", default=["cranfield", "tests"], help="files or folders of tests")
    parser.add_argument("--pytest", default="-q", help="further options of pytest, in one text")
    parser.add_argument("--together", action="store_true", help="delete them together instead of in turn")
    given = parser.parse_args()
    if unknown := {*given.features} - {*built_in_extensions()}:
        parser.error(
            f"unknown feature {', '.join(sorted(unknown))}; expected one of {', '.join(built_in_extensions())}"
        )
    named = given.features or [*built_in_extensions()]
    failed = []
    for features in map(dependent_features, [named] if given.together else [[name] for name in named]):
        print(f"== without {', '.join(features)}", flush=True)
        if run_without(features, given.pytest.split(), given.tests):
            failed.append(features)
    for features in failed:
        print(f"failed: without {', '.join(features)}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
