"""The extras: pyproject.toml has those of cranfield.extras, and a missing one is an error in one line."""

import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cranfield.plot
from cranfield import compare, evaluate
from cranfield.cli.commands import judge
from cranfield.commands.exports import export_corpus
from cranfield.extras import EXTRAS, MissingExtraError, is_installed, require_extra
from cranfield.formats import read_runs
from tests.conftest import Cranfield
from tests.needed_extras import EXAMPLES, MODULES, PRODUCT
from tests.needed_features import EVERY_FEATURE
from tests.stores import new_file

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REQUIRED = ["numpy", "scipy", "pandas", "sqlite-utils", "typer", "rich", "packaging"]


def names_of(requirements: list[str]) -> list[str]:
    return [re.match(r"[\w.-]+", line)[0] for line in requirements]  # type: ignore[index]


def test_seven_packages_are_required() -> None:
    assert names_of(PROJECT["dependencies"]) == REQUIRED


@pytest.mark.parametrize("name", EXTRAS)
def test_pyproject_has_the_packages_of_an_extra(name: str) -> None:
    packages = set(EXTRAS[name].packages.values()) | ({"markdown-it-py"} if name == "serve" else set())  # rich needs it
    if name == "interop":  # which tests use, beside what the program imports
        assert packages <= set(names_of(PROJECT["optional-dependencies"][name]))
    else:
        assert packages == set(names_of(PROJECT["optional-dependencies"][name]))


def test_all_has_every_extra_that_the_table_says() -> None:
    everything = ",".join(name for name, extra in EXTRAS.items() if extra.is_in_all)
    assert PROJECT["optional-dependencies"]["all"] == [f"cranfield[{everything}]"]


@pytest.mark.parametrize("name", ["test", "docs", "dev", "interop"])
def test_what_developers_install_builds_on_all(name: str) -> None:
    assert PROJECT["optional-dependencies"][name][0] == "cranfield[all]"


@pytest.fixture
def hide_extra(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def hide(name: str) -> None:
        for module in EXTRAS[name].packages:
            monkeypatch.setitem(sys.modules, module, None)

    return hide


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    qrels, run = tmp_path / "qrels", tmp_path / "a.run"
    qrels.write_text("1 0 d1 1\n")
    run.write_text("1 Q0 d1 1 2 a\n")
    return qrels, run


REFUSED = [
    ("plot", "evaluate {qrels} {run} --plot {out}.png", "a plot needs matplotlib"),
    ("search", "search {store}", "a search needs bm25s"),
    ("search", "demo {out}.db", "`cranfield demo` needs bm25s"),
    ("serve", "serve {store} --port 0", "`cranfield serve` needs starlette"),
    ("serve", "export page {store} {out}.html --assessor ada", "a page for judging needs jinja2"),
    ("report", "report {qrels} {run} {out}.html", "a report needs jinja2"),
    ("serve", "assessor invite {store} ada", "an invitation to judge in the browser needs starlette"),
    ("serve", "task release {store}", "a release of results needs starlette"),
    ("report", "task submissions {store}", "a table of submissions needs jinja2"),
    ("report", "task results {store}", "a table of results needs jinja2"),
    ("report", "task archive {store} {out}", "an archive of a task needs jinja2"),
    ("report", "task receipt {qrels}", "a check of a receipt needs jinja2"),
    ("arrow", "publish build {store} {out} --draft", "a published folder needs pyarrow"),
    ("submit", "submit {run} --to http://127.0.0.1:1", "sending a run needs httpx2"),
]
OF_FEATURES = {"publish": "publishing", "submit": "tasks", "task": "tasks"}


def marks_of(words: str) -> Any:
    feature = OF_FEATURES.get(words.split(maxsplit=1)[0])
    return pytest.mark.needs(feature) if feature else ()


@pytest.mark.parametrize("case", [pytest.param(case, marks=marks_of(case[1])) for case in REFUSED])
def test_a_command_ends_before_it_works(
    case: tuple[str, str, str],
    files: tuple[Path, Path],
    tmp_path: Path,
    cranfield: Cranfield,
    hide_extra: Callable[[str], None],
) -> None:
    extra, words, line = case
    qrels, run = files
    store = new_file(tmp_path / "track.db", documents=["d1"], topics=["1"])
    before = sorted(tmp_path.iterdir())
    hide_extra(extra)
    command = words.format(qrels=qrels, run=run, store=store, out=tmp_path / "out").split()
    assert cranfield.error(*command) == f"{line}: pip install 'cranfield[{extra}]'"
    assert sorted(tmp_path.iterdir()) == before


def test_a_name_that_needs_an_extra_asks_for_it(
    hide_extra: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that no extra has is missing as before."""
    hide_extra("plot")
    monkeypatch.delitem(sys.modules, "cranfield.charts.differences", raising=False)
    line = "`cranfield.plot.difference_bars` needs matplotlib: pip install 'cranfield[plot]'"
    with pytest.raises(MissingExtraError, match=f"^{re.escape(line)}$"):
        cranfield.plot.difference_bars  # noqa: B018
    monkeypatch.setitem(sys.modules, "cranfield.charts.differences", None)
    with pytest.raises(ModuleNotFoundError, match=r"cranfield\.charts\.differences"):
        cranfield.plot.difference_bars  # noqa: B018


@pytest.mark.needs("publishing")
def test_a_published_folder_is_not_wrong_without_arrow(hide_extra: Callable[[str], None]) -> None:
    from cranfield.features.publishing.folder import check
    from tests.data_release import FOLDER

    hide_extra("arrow")
    with pytest.raises(MissingExtraError, match=r"^a published folder needs pyarrow: "):
        check(FOLDER)


def test_the_full_screen_offers_lines(
    tmp_path: Path, cranfield: Cranfield, hide_extra: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_extra("terminal")
    store = new_file(tmp_path / "track.db", documents=["d1"], topics=["1"])
    monkeypatch.setattr(judge, "_is_terminal", lambda: True)
    line = "the full screen needs textual: pip install 'cranfield[terminal]'; --plain works without it"
    for command in ("judge", "adjudicate"):
        assert cranfield.error(command, store, "--assessor", "ada") == line
    assert "textual" not in cranfield("judge", store, "--assessor", "ada", "--plain").err


def test_a_parquet_file_needs_arrow(tmp_path: Path, hide_extra: Callable[[str], None]) -> None:
    (tmp_path / "b.parquet").write_bytes(b"PAR1" + bytes(20))
    hide_extra("arrow")
    with pytest.raises(MissingExtraError) as error:
        read_runs(tmp_path / "b.parquet")
    assert str(error.value) == f"{tmp_path / 'b.parquet'}: a Parquet file needs pyarrow: pip install 'cranfield[arrow]'"


SEVERAL_FILES = [
    "evaluate {qrels} {bad} {parquet}",
    "evaluate {qrels} {folder}",
    "compare {qrels} {bad} {parquet}",
    "reusability {qrels} {bad} {parquet}",
    "diagnose {qrels} {bad} {parquet}",
    "fuse {bad} {parquet} {out}",
    "import runs {store} {bad} {parquet}",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a run that cannot be read, and a Parquet file after it."""
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "bad.run").write_text("one two\n")
    (folder / "last.parquet").write_bytes(b"PAR1" + bytes(20))
    return folder


@pytest.mark.parametrize("words", SEVERAL_FILES)
def test_a_missing_extra_is_reported_before_other_files_are_read(
    words: str, files: tuple[Path, Path], folder: Path, cranfield: Cranfield, hide_extra: Callable[[str], None]
) -> None:
    there, parquet = folder.parent, folder / "last.parquet"
    places = {"qrels": files[0], "folder": folder, "bad": folder / "bad.run", "parquet": parquet}
    command = words.format(**places, out=there / "out", store=there / "track.db").split()
    before = sorted(there.iterdir())
    hide_extra("arrow")
    assert cranfield.error(*command) == f"{parquet}: a Parquet file needs pyarrow: pip install 'cranfield[arrow]'"
    assert sorted(there.iterdir()) == before


def test_functions_check_all_files_first(
    files: tuple[Path, Path], folder: Path, hide_extra: Callable[[str], None]
) -> None:
    qrels, bad, parquet = files[0], folder / "bad.run", folder / "last.parquet"
    hide_extra("arrow")
    for call in (
        lambda: evaluate(qrels, [bad, parquet]),
        lambda: evaluate(qrels, str(folder)),
        lambda: compare(qrels, [bad, parquet]),
        lambda: read_runs([bad, parquet]),
    ):
        with pytest.raises(MissingExtraError, match=r"last\.parquet: a Parquet file needs pyarrow: "):
            call()


def test_a_new_file_asks_for_its_compression_first(
    tmp_path: Path, cranfield: Cranfield, hide_extra: Callable[[str], None]
) -> None:
    store = new_file(tmp_path / "track.db", topics=["1"])
    hide_extra("arrow")
    out = tmp_path / "corpus.jsonl.zst"
    line = f"{out}: a file compressed by zstd needs pyarrow: pip install 'cranfield[arrow]'"
    assert cranfield.error("export", "corpus", store, out) == line
    with pytest.raises(MissingExtraError, match=re.escape(line)):
        export_corpus(store, out)


def test_an_error_of_another_process_keeps_its_text() -> None:
    error = MissingExtraError("plot", "a plot", "matplotlib", "a.png")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_installed_extra_is_no_error() -> None:
    for name, extra in EXTRAS.items():
        if installed := [*filter(is_installed, extra.packages)]:
            require_extra(name, "a test", *installed)


def test_help_needs_the_required_packages_only() -> None:
    hidden = {module: None for extra in EXTRAS.values() for module in extra.packages}
    program = (
        f"import sys; sys.modules.update({hidden}); sys.argv = ['cranfield', '--help']; import cranfield;"
        "from cranfield.cli.program import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "evaluate" in done.stdout


@EVERY_FEATURE
def test_declared_modules_and_examples_are_there() -> None:
    places = [place for table in (MODULES, EXAMPLES) for named in table.values() for place in named]
    for path, _, name in (place.partition("::") for place in places):
        assert (PRODUCT / path).exists(), path
        if name:
            assert re.search(rf"^ *(def|class) {name.rpartition('.')[2]}\b", (PRODUCT / path).read_text("utf-8"), re.M)
