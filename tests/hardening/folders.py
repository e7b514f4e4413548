"""Hostile folders: links that loop or lead out, pipes, sockets, devices, huge and odd names. A command that takes one
does its work or says in one line why not, soon, and touches nothing outside.
"""

import os
import re
import resource
import shutil
import socket
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.hardening.batches import data_held
from tests.hardening.commands import CONTROLS
from tests.hardening.forks import ERR, OUT, command, fork, wait_for
from tests.hardening.kills import Field

SOON, MEGABYTES = 60.0, 1500  # seconds on a busy machine, and memory beside what the program has
MADE: Mapping[str, Sequence[str]] = {  # the sound folders, and what makes each in a copy of the small store's folder
    "published": ["publish build t.db DIR --policy primary --draft --as beir --as ir-datasets"],
    "beir": ["export beir t.db DIR --policy primary"],
    "runs": ["export runs t.db DIR --metadata"],
    "files": [],  # corpus, topics and qrels of a recipe
}
READ: Mapping[str, Sequence[str]] = {
    "published": [
        "publish check DIR", "import collection new.db DIR",
        "publish build t.db DIR --policy primary --draft --replace",
        "import corpus t.db DIR", "store verify t.db --manifest DIR/trec/qrels.txt.manifest.json",
    ],
    "beir": ["import collection new.db DIR", "import collection new.db hf:DIR", "export beir t.db DIR --policy primary",
             "info DIR"],
    "runs": [
        "import runs t.db DIR", "evaluate qrels DIR", "compare qrels DIR -m AP", "pool verify qrels DIR",
        "fuse DIR -o fused.run", "export runs t.db DIR", "diagnose t.db DIR", "report qrels DIR page.html",
    ],
    "files": ["collection build recipe.toml DIR new.db", "collection build DIR/recipe.toml DIR new.db"],
}  # fmt: skip
DEVICES = {"zero": (1, 5), "full": (1, 7), "random": (1, 8)}
ODD = ("a\nb", "\x1b[2Jx", "\u202egnp.exe", "-rf", "a\tb", "~", "x" * 255, "\U0001f600" * 63, " ", "*", "con", "a'b\"c")
LINKS = (
    *(".", "..", "nowhere", "/dev/zero", "/dev/full", "/proc/self/fd/0"),
    *("../outside", "../outside/secret", "../../outside/secret"),
)
LONGEST = 60  # folders, each with a name of 90 characters: a path that no call takes


def _link(place: Path, chance: Random) -> None:
    place.symlink_to(chance.choice(LINKS))


def _itself(place: Path, chance: Random) -> None:
    place.symlink_to(place.name)


def _each_other(place: Path, chance: Random) -> None:
    other = place.with_name("other-" + place.name[:200])
    place.symlink_to(other.name)
    other.symlink_to(place.name)


def _pipe(place: Path, chance: Random) -> None:
    os.mkfifo(place)


def _socket(place: Path, chance: Random) -> None:
    here = os.open(place.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(f"/proc/self/fd/{here}/{place.name}"[:107])
    finally:
        os.close(here)


def _device(place: Path, chance: Random) -> None:
    os.mknod(place, 0o666 | stat.S_IFCHR, os.makedev(*chance.choice(list(DEVICES.values()))))


def _folder(place: Path, chance: Random) -> None:
    place.mkdir()
    if chance.random() < 0.5:
        (place / "inside").write_text("x\n")


def _empty(place: Path, chance: Random) -> None:
    place.write_bytes(b"")


def _deep(place: Path, chance: Random) -> None:
    here = os.open(place.parent, os.O_RDONLY)
    for name in [place.name, *["d" * 90] * LONGEST]:
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def _many(place: Path, chance: Random) -> None:
    place.mkdir()
    for number in range(2000):
        (place / str(number)).touch()


def _not_utf8(place: Path, chance: Random) -> None:
    with suppress(OSError):
        Path(os.fsdecode(os.fsencode(place.parent) + b"/\xff\xfe" + os.fsencode(place.name)[:100])).write_text("x\n")


HARMS = (
    *(_link, _link, _link, _itself, _each_other, _pipe, _pipe, _socket, _device, _device, _folder, _empty, _deep),
    *(_many, _not_utf8),
)


def harm_folder(folder: Path, chance: Random) -> str:
    """Do a folder some harm, in place of a file of it or beside; what was done."""
    harms = []
    for _ in range(chance.choice((1, 1, 2, 4))):
        there = [path for path in [folder, *_inside(folder)] if not path.is_symlink()]
        if not there:
            break
        place = chance.choice(there)
        if place.is_dir() and chance.random() < 0.7:
            place = place / chance.choice((*ODD, "corpus.jsonl", "runs", "x.run", "qrels"))
        harm = chance.choice(
            [one for one in HARMS if one is not _pipe or place != folder]
        )  # whose writer one waits for
        with suppress(OSError):  # a name is too long beside others, or nobody may make a device
            _away(place)
            harm(place, chance)
            harms.append(f"{harm.__name__.strip('_')} {place.relative_to(folder)!s:.60}")
    return ", ".join(harms)


def _inside(folder: Path) -> list[Path]:
    """Whatever is in a folder, but where no call reaches."""
    paths = [Path(root, name) for root, folders, files in os.walk(folder) for name in (*folders, *files)]
    return sorted(path for path in paths if len(os.fsencode(path)) < 3000)


def _away(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    elif place.is_symlink() or place.exists():
        place.unlink()


def list_files(folder: Path, chance: Random) -> None:
    """Let the manifest of a published folder name what is there now, so that somebody looks at it."""
    manifest = folder / "manifest-sha256.txt"
    if manifest.is_symlink() or not manifest.is_file():
        return
    names = {line.partition("  ")[2] for line in manifest.read_text().splitlines()}
    paths = (str(path.relative_to(folder)) for path in _inside(folder) if path.is_symlink() or not path.is_dir())
    new = [path for path in paths if path not in names and path != manifest.name and path.isprintable()]
    with suppress(UnicodeEncodeError), manifest.open("a") as file:
        file.writelines(f"{'0' * 64}  {path}\n" for path in new[:5])


class Folders:
    """The sound folders, each made when it is first needed, and the commands that read one that came to harm."""

    def __init__(self, field: Field) -> None:
        self._field, self._here = field, field.root / "folders"

    def fault(self, seed: int) -> str:
        """Harm a folder, and run a command on it; what is wrong then, nothing if all is well."""
        chance = Random(f"folder {seed}")
        kind = chance.choice(list(READ))
        work = self._copy(kind)
        harm = harm_folder(work / "DIR", chance)
        if kind == "published" and chance.random() < 0.7:
            list_files(work / "DIR", chance)
        words = chance.choice(READ[kind])
        wrong = self._wrong(words, work)
        shutil.rmtree(work)
        return wrong and f"{harm}: {words}: {wrong}"

    def _copy(self, kind: str) -> Path:
        """A sound folder beside the small store, and something outside that nobody may touch."""
        sound, work = self._here / f"sound-{kind}", self._here / "tried" / "work"
        if not sound.exists():
            self._here.mkdir(exist_ok=True)
            shutil.copytree(self._field.base, sound)
            for words in MADE[kind]:
                self._field.run(words, sound)
            if not MADE[kind]:
                shutil.copytree(self._field.base, sound / "DIR", ignore=shutil.ignore_patterns("*.db*"))
        shutil.rmtree(work.parent, ignore_errors=True)
        shutil.copytree(sound, work)
        (work / "outside").mkdir()
        (work / "outside" / "secret").write_text("secret\n")
        return work

    def _wrong(self, words: str, work: Path) -> str:
        outside = work / "outside"

        def run() -> int:
            limit = MEGABYTES * 1024**2 + data_held()
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
            return command(words.split())

        code = wait_for(fork(run, work, self._field.log), SOON)
        stderr, stdout = ((self._field.log / name).read_text(errors="replace") for name in (ERR, OUT))
        errors = [line for line in stderr.splitlines() if line.startswith("error: ")]
        if code not in (0, 1, 2) or (code == 1 and not errors and "wrong" not in stdout):
            return f"ends with {code} and says {stderr[-300:]!r}"
        if "Traceback" in stderr or len(errors) > 1:
            return f"says {stderr[-300:]!r}"
        if CONTROLS & set(stderr + stdout) or len(stderr) > 5000:
            return f"says {len(stderr)} characters, {re.sub('[ -~]+', '', stderr)[:40]!r}: {stderr[:200]!r}"
        intact = [path.read_text() for path in outside.iterdir()] == ["secret\n"]
        if not intact and not words.startswith("export"):  # which writes where a link of its folder leads
            return f"changes what is outside: {sorted(map(str, outside.iterdir()))}"
        return ""
