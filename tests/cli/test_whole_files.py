"""Whatever a command writes is there whole or as it was; a dash is the standard output."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from cranfield.analysis.recipes import bundled_recipes
from cranfield.errors import InputError
from cranfield.formats import read_corpus, read_qrels, read_runs
from cranfield.formats.whole_files import create_file, temporary_folder_in, write_folder_atomically, write_lines
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually
from tests.files import track_files
from tests.needed_extras import skip_without
from tests.real import copied
from tests.stores import new_file

pytestmark = pytest.mark.full

LONG = "x" * 300
WORKSHOP = bundled_recipes()["workshop"].parent
TAGS = {"a/b": "a_b-c14cddc0.run", "a_b": "a_b.run", "é" * 120: "", LONG: "", "A_b": ""}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Path:
    """A folder with a store that has a little of everything."""
    monkeypatch.chdir(copied(_make, tmp_path, cranfield))
    return tmp_path


def _make(cranfield: Cranfield) -> None:
    track_files(
        Path(),
        {"1": {"d1": 1, "d2": 0}, "2": {"d2": 1}},
        {"a": {"1": ["d2"], "2": ["d1"]}, "b": {"1": ["d1"], "2": ["d2"]}},
        topics={"1": "wing", "2": "lift"},
        documents={"d1": "wing \x1b]0;gone", "d2": "lift"},
    )
    cranfield.run(
        "init t.db --name x",
        "import corpus t.db corpus.jsonl",
        "import topics t.db topics.tsv",
        "import runs t.db a b",
        "import qrels t.db qrels",
        "pool build t.db --depth 2",
        "assign t.db --assessor ada",
    )


class KillError(BaseException):
    """What a kill does to a program: nothing comes after it."""


REPLACED = {
    "out.csv": "evaluate t.db --format csv -o out.csv",
    "out.svg": "evaluate t.db --plot out.svg",
    "out.html": "report t.db out.html --card-only",
    "out.md": "report t.db out.md",
    "out.txt": "progress t.db -o out.txt",
    "out.tsv": "diagnose qrels b a --depth 10 --draw 1 out.tsv",
    "out.qrels": "export qrels t.db out.qrels",
    "out.qrels.manifest.json": "export qrels t.db out.qrels",
    "out.pool.gz": "export pool t.db out.pool.gz",
    "out.jsonl": "export judgments t.db out.jsonl",
    "out.topics": "export topics t.db out.topics",
    "out.corpus.xz": "export corpus t.db out.corpus.xz",
    "runs/a.run": "export runs t.db runs",
    "beir/qrels/test.tsv": "export beir t.db beir",
    "beir/corpus.jsonl": "export corpus t.db beir --format beir",
}
NEW = {
    "out.db": "export bundle t.db out.db --assessor ada",
    "copy.db": "store backup t.db copy.db",
    "new.db": f"collection build workshop {WORKSHOP} new.db",
    **usually({}, {"demo.db": "demo demo.db"}),
    "new/a.run": "export runs t.db new",
    "new": "export beir t.db new",
}


def content(folder: Path) -> dict[str, bytes]:
    """All that is in a folder, but the store."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file() and f.stem != "t"}


STOPPED = [*REPLACED.items(), *NEW.items()][:: usually(3, 1)]


@pytest.mark.parametrize(("name", "command"), STOPPED, ids=[name for name, _ in STOPPED])
def test_who_is_stopped_before_the_end_has_written_nothing(
    folder: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, name: str, command: str
) -> None:
    """All is written beside, and takes its place in one step; that step is taken last."""
    skip_without("plot")
    monkeypatch.setattr("cranfield.charts.style.figure_bytes", lambda *_: b"a figure")
    if name in REPLACED:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(b"old")
    before = content(folder)

    def stop(*_: object, **__: object) -> NoReturn:
        raise KillError

    with monkeypatch.context() as context:
        for function in ("replace", "rename", "link"):
            context.setattr(os, function, stop)
        with pytest.raises(KillError):
            cranfield(command)
        assert content(folder) == before
        assert Path(name).exists() == (name in REPLACED)
    assert cranfield(command).code == 0
    after = content(folder)
    assert name == "new" or after[name] not in (b"old", b"")
    assert not [path for path in after if ".cranfield-" in path]


KILL = """
import os, signal, sys
sys.argv = ["cranfield", *sys.argv[1:]]
import cranfield.formats.runs.files as runs
lines = runs._run_lines
def slowly(run):
    for number, line in enumerate(lines(run)):
        if run.tags[0] == "b" and number:
            os.kill(os.getpid(), signal.SIGKILL)
        yield line
runs._run_lines = slowly
from cranfield.cli.program import main
main()
"""


@pytest.mark.parametrize("there", [True, False])
def test_a_killed_export_leaves_the_old_runs_or_none(folder: Path, there: bool) -> None:
    """In the middle of the second of two runs; only what is hidden is left over."""
    if there:
        Path("runs").mkdir()
        Path("runs", "a.run").write_text("old")
    process = subprocess.run([sys.executable, "-c", KILL, "export", "runs", "t.db", "runs"], check=False)
    assert process.returncode == -signal.SIGKILL
    assert Path("runs").exists() == there
    if there:
        assert [p.name for p in Path("runs").iterdir() if not p.name.startswith(".cranfield-")] == ["a.run"]
        assert Path("runs", "a.run").read_text() == "old"
    assert len(remains(Path("runs") if there else folder)) == 1


def remains(folder: Path) -> list[Path]:
    return sorted(folder.glob(".cranfield-*"))


@pytest.mark.parametrize("command", ["init new.db --name a", "export qrels t.db out", "store backup t.db copy.db"])
def test_what_a_killed_program_left_is_removed_by_the_next(folder: Path, cranfield: Cranfield, command: str) -> None:
    """Also by a command that makes something else; what a running program makes stays."""
    subprocess.run([sys.executable, "-c", KILL, "export", "runs", "t.db", "runs"], check=False)
    assert len(remains(folder)) == 1
    with temporary_folder_in(folder) as running:
        assert remains(folder) == [running]
        (running / "new").write_text("half")
        cranfield(command)
        assert (running / "new").read_text() == "half"
    assert remains(folder) == []


def test_what_only_looks_left_stays(tmp_path: Path, cranfield: Cranfield) -> None:
    """Other names, and folders that no program has locked."""
    for name in (".cranfield-partial", f".cranfield-{'0' * 32}", ".cranfield-1"):
        (tmp_path / name).mkdir()
    write_lines(tmp_path / "file", ["a"])
    assert len(remains(tmp_path)) == 3


def test_an_export_that_cannot_be_is_refused_as_a_whole(folder: Path, cranfield: Cranfield) -> None:
    """The first run could be written, the second cannot; the message names the file that was asked for."""
    Path("c").write_text("1 Q0 d1 1 1 zz\n")
    cranfield.run("import runs t.db c --tag c", "import topics t.db topics.tsv")
    with Store.open("t.db") as store, store.writing():
        store.conn.execute("UPDATE run SET tag = 'c d' WHERE tag = 'c'")
    assert (
        cranfield.error("export runs t.db runs")
        == "runs/c d.run: tag 'c d' cannot be written: it is empty or contains white space"
    )
    assert not Path("runs").exists()


def test_files_keep_their_mode_and_links_lead_where_they_led(tmp_path: Path) -> None:
    """What is replaced is what the link leads to."""
    (tmp_path / "old").write_text("old")
    (tmp_path / "old").chmod(0o640)
    (tmp_path / "link").symlink_to("old")
    write_lines(tmp_path / "link", ["new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "old").read_text() == "new\n"
    assert (tmp_path / "old").stat().st_mode & 0o777 == 0o640


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """The error names the file that was asked for."""
    (tmp_path / "file").write_text("old")

    def fill() -> None:
        with create_file(tmp_path / "file") as stream:
            stream.write(b"new")
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match=r"file: No space left on device$"):
        fill()
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("file", "old")]
    with pytest.raises(InputError, match=r"no such folder: .*/no$"):
        write_lines(tmp_path / "no" / "file", ["a"])


def test_qrels_make_no_folders(tmp_path: Path, cranfield: Cranfield) -> None:
    """As nothing else that writes a file does: a misspelt folder is told."""
    track = new_file(tmp_path / "a.db", qrels={"nist": {"1": {"d1": 1}}})
    message = cranfield.error("export", "qrels", track, tmp_path / "no" / "q.txt")
    assert message == f"{tmp_path}/no/q.txt: no such folder: {tmp_path}/no"
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_a_folder_that_is_there_keeps_its_other_files(tmp_path: Path) -> None:
    """New ones are put into it, old ones replaced."""
    (tmp_path / "a").write_text("old")
    (tmp_path / "other").write_text("other")
    with write_folder_atomically(tmp_path) as part:
        (part / "a").write_text("new")
        (part / "in").mkdir()
        (part / "in" / "b").write_text("new")
    assert content(tmp_path) == {"a": b"new", "in/b": b"new", "other": b"other"}


def test_every_run_has_a_file_whatever_its_tag(folder: Path, cranfield: Cranfield) -> None:
    """300 characters, slashes, tags that would meet in one file: all are written, and it is said which are where."""
    for tag in TAGS:
        Path("c").write_text(f"1 Q0 d1 1 1 {tag}\n2 Q0 d2 1 1 {tag}\n")
        assert cranfield("import runs t.db c").code == 0
    result = cranfield("export runs t.db runs")
    assert (result.code, result.out) == (0, "7 runs\n")
    assert result.err.count("note: ") == 1
    assert "4 of 7 runs are in files not named after their tags: 'A_b' is in A_b-" in result.err
    assert "'a/b' is in a_b-c14cddc0.run" in result.err
    files = sorted(Path("runs").iterdir())
    assert {read_runs(file).tags[0] for file in files} == {*TAGS, "a", "b"}
    assert {"a.run", "b.run", "a_b.run", "a_b-c14cddc0.run"} < {file.name for file in files}
    assert len({file.name.casefold() for file in files}) == 7


@pytest.mark.parametrize(
    ("kind", "reader"), {"qrels": read_qrels, "corpus": lambda path: list(read_corpus(path)), "topics": None,
                         "pool": None, "judgments": None}.items()
)  # fmt: skip
def test_a_dash_is_the_standard_output_and_nothing_else(
    folder: Path, cranfield: Cranfield, kind: str, reader: object
) -> None:
    """What was done is said on the side, so that a pipe has the data alone."""
    before = content(folder)
    output = cranfield("export", kind, "t.db", "-")
    assert output.code == 0
    assert content(folder) == before
    cranfield("export", kind, "t.db", "file")
    assert output.out == Path("file").read_text()
    assert output.err.startswith("note: ")
    if callable(reader):
        Path("piped").write_text(output.out)
        assert len(reader("piped")) > 0


def on_a_terminal(*words: str) -> bytes:
    """What a command shows on one."""
    master, slave = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "cranfield", *words], stdout=slave, stderr=subprocess.PIPE) as process:
        os.close(slave)
        output = b"".join(chunks(master))
        assert process.wait() == 0, process.stderr and process.stderr.read()
    os.close(master)
    return output


def chunks(master: int) -> Iterator[bytes]:
    """What is read until the other side is closed."""
    try:
        while chunk := os.read(master, 1 << 16):
            yield chunk
    except OSError:
        return


@pytest.mark.parametrize("format", ["trec", "tsv"])
def test_a_terminal_is_shown_controls_and_never_obeys_them(folder: Path, format: str) -> None:
    """A pipe has the bytes as they are."""
    output = on_a_terminal("export", "corpus", "t.db", "-", "--format", format)
    assert b"\x1b" not in output
    assert "wing ␛]0;gone".encode() in output
    words = [sys.executable, "-m", "cranfield", "export", "corpus", "t.db", "-", "--format", format]
    assert b"wing \x1b]0;gone" in subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize("words", ["export runs t.db", "export beir t.db", "publish build t.db --draft"])
def test_a_folder_is_not_written_to_the_standard_output(folder: Path, cranfield: Cranfield, words: str) -> None:
    output = cranfield(*words.split(), "-")
    message = "-: a folder cannot be written to standard output; expected a folder's name"
    assert (output.code, output.out, output.err) == (1, "", f"error: {message}\n")
    assert not Path("-").exists()


@pytest.mark.parametrize(("words", "mode"), [("", 0o640), ("--private", 0o600)])
def test_who_can_read_a_store(folder: Path, cranfield: Cranfield, words: str, mode: int) -> None:
    """As the umask lets, or its owner alone, and so its backup and SQLite's own files; links are told of."""
    before = os.umask(0o027)
    try:
        cranfield("init", "new.db", "--name", "a", *words.split())
        cranfield("store backup new.db copy.db")
        message = cranfield("assessor invite new.db ada").err
        with Store.open("new.db"):
            modes = {path.name: path.stat().st_mode & 0o777 for path in folder.glob("*.db*") if path.name != "t.db"}
    finally:
        os.umask(before)
    assert set(modes.values()) == {mode if words else modes["copy.db"]}
    assert modes["new.db"] == mode
    assert ("other users of this machine can read new.db" in message) == (not words)
