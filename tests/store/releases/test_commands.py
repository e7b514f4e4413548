"""Commands of a release print what they printed when it was made, whatever has happened since."""

import shutil
from pathlib import Path
from random import Random

import pytest

import cranfield as api
from cranfield.errors import InputError
from cranfield.formats import Document, Topic
from cranfield.report.facts import _of_store as facts_of
from cranfield.report.facts import subject_of
from cranfield.store.releases import make_release
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.store.releases.histories import begun, happens

PRINTS = (
    "evaluate STORE --per-topic --format json",
    "reusability STORE -m AP --format json",
    "agreement STORE --resamples 0 --format json",
    "info STORE --format json",
    "pool show STORE --format csv",
    "diff STORE primary min --all --format json",
    "answers nuggets show STORE --format json",
)
WRITES = ("export qrels STORE out", "export runs STORE out", "export judgments STORE out", "export topics STORE out",
          "export corpus STORE out")  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a release and a history since, and a copy of the time of the release."""
    folder, random = tmp_path_factory.mktemp("releases"), Random(5)
    with begun(random) as store:
        happens(store, random, 80)
        make_release(store, "1.0", "2026-01-31")
        store.conn.execute("VACUUM INTO ?", [str(folder / "copy.db")])
        happens(store, random, 60)
        store.add_documents([Document("late", text="a late text")])
        store.add_topics([Topic("late", "a late topic")])
        make_release(store, "2.0", "2026-02-28")
        store.conn.execute("VACUUM INTO ?", [str(folder / "a@b.db")])
    return folder


@pytest.fixture
def there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That folder as the current one."""
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("words", PRINTS)
def test_a_command_prints_what_it_printed(there: Path, cranfield: Cranfield, words: str) -> None:
    """To the byte: with --release, where it has that option, and as STORE@NAME; the present state is another."""
    then = cranfield(*words.replace("STORE", "copy.db").split())
    named = cranfield(*words.replace("STORE", "a@b.db@1.0").split())
    assert (named.code, named.out) == (then.code, then.out)
    assert then.code == 0, then.err
    assert cranfield(*words.replace("STORE", "a@b.db").split()).out != then.out
    if not words.startswith("diff"):
        given = cranfield(*words.replace("STORE", "a@b.db").split(), "--release", "1.0")
        assert (given.code, given.out) == (0, then.out)


@pytest.mark.parametrize("words", WRITES)
def test_a_command_writes_what_it_wrote(there: Path, cranfield: Cranfield, words: str) -> None:
    """To the byte, manifests of qrels too."""
    written: dict[str, dict[str, bytes]] = {}
    for place in ("copy.db", "a@b.db@1.0", "a@b.db"):
        cranfield(*words.replace("STORE", place).split())
        found = sorted(there.glob("out*"))
        files = [file for path in found for file in ([path] if path.is_file() else sorted(path.iterdir()))]
        written[place] = {file.name: file.read_bytes() for file in files}
        for path in found:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert written["copy.db"] == written["a@b.db@1.0"] != {}
    assert written["a@b.db"] != written["copy.db"]


@pytest.mark.filterwarnings("ignore:.* by models:UserWarning", "ignore:.* counts? as 0:UserWarning")
def test_python_reads_releases(there: Path) -> None:
    """By name, as a path, and from an open store."""
    then = api.evaluate("copy.db", measures="AP")
    assert api.evaluate("a@b.db", measures="AP", release="1.0").equals(then)
    assert api.evaluate("a@b.db@1.0", measures="AP").equals(then)
    with Store.open("a@b.db") as store, store.release("1.0") as release:
        assert api.evaluate(release, measures="AP").equals(then)
    assert api.store_releases("a@b.db")[["release", "date"]].values.tolist() == [
        ["1.0", "2026-01-31"],
        ["2.0", "2026-02-28"],
    ]
    with Store.memory("in memory") as store, pytest.raises(InputError, match="this store is in memory"):
        api.evaluate(store, release="1.0")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("evaluate a@b.db@1.1", "error: a@b.db: no release '1.1' in this store; did you mean 1.0?"),
        ("evaluate a@b.db --release first", "error: a@b.db: no release 'first' in this store; available: 1.0, 2.0"),
        ("evaluate qrels qrels --release 1.0", "error: qrels: not a store, so it has no release '1.0'"),
        ("evaluate nowhere.db@1.0", "error: nowhere.db@1.0: no such file"),
        ("pool build a@b.db@1.0", "error: a@b.db: release 1.0 never changes; leave @1.0 out to go on"),
        ("store release a@b.db 1.0",
         "error: release 1.0 is already in this store, of 2026-01-31; releases never change"),
        ("store backup a@b.db@1.0 c.db",
         "error: a@b.db: a backup is of a whole store, with its releases; leave @1.0 out"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(there: Path, cranfield: Cranfield, words: str, said: str) -> None:
    """That says what is right."""
    (there / "qrels").write_text("q0 0 d0 1\n")
    done = cranfield(*words.split())
    assert (done.code, done.err.strip()) == (1, said)


def test_a_backup_has_the_releases(there: Path, cranfield: Cranfield) -> None:
    """And they hold in it."""
    assert cranfield("store", "backup", "a@b.db", "backup.db").code == 0
    assert "2 releases verified" in cranfield("store", "verify", "backup.db").out
    assert cranfield("store", "releases", "backup.db").out == cranfield("store", "releases", "a@b.db").out


def test_two_releases_are_compared(there: Path, cranfield: Cranfield) -> None:
    """Their labels, and the runs that both have."""
    done = cranfield("diff", "a@b.db", "1.0", "2.0", "--all")
    assert done.code == 0
    assert len([line for line in done.out.splitlines() if line.startswith("1.0 has ")]) == 1
    assert cranfield("diff", "a@b.db@2.0", "1.0", "release:2.0", "--all").out == done.out.replace("2.0", "release:2.0")


def test_a_report_names_its_release(there: Path) -> None:
    """And that of the store as it stands has none."""
    shown = [dict(facts_of(subject_of([Path(place)]))) for place in ("a@b.db@1.0", "a@b.db")]
    assert shown[0]["release"] == "1.0 of 2026-01-31"
    assert "release" not in shown[1]


def test_a_store_that_cannot_be_written_shows_its_releases(there: Path, cranfield: Cranfield) -> None:
    """The release is read from a copy."""
    folder = there / "locked"
    folder.mkdir()
    shutil.copy("a@b.db", folder)
    folder.chmod(0o500)
    try:
        assert cranfield("evaluate", "locked/a@b.db@1.0").out == cranfield("evaluate", "copy.db").out
    finally:
        folder.chmod(0o700)
