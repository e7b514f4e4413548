"""manifest-sha256.txt: the SHA-256 of every file of a folder, and its SSH signature, by ssh-keygen.

The manifest has the SHA-256 of log/log.json with the head of the log too: so whoever signs it signs all. In a bag the
folder is data/ beside it. Format: PROTOCOL.sshsig of OpenSSH; the namespace is `cranfield`.
"""

import hashlib
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.files import read_text
from cranfield.formats.whole_files import write_text

MANIFEST, BAG, PAYLOAD = "manifest-sha256.txt", "bagit.txt", "data"
SIGNATURE = f"{MANIFEST}.sig"
SHOWN = 12  # digits of a SHA-256 in messages


class PublishedFolder(NamedTuple):
    """A published folder: where its files are, and the SHA-256 of each by its path, separated by /."""

    root: Path
    files: Mapping[str, str]


def files_below(root: Path) -> Iterator[str]:
    """The paths of the files of a folder, separated by /, in the order of their bytes."""
    paths = (path for path in root.rglob("*") if path.is_symlink() or not path.is_dir())
    yield from sorted(path.relative_to(root).as_posix() for path in paths)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_manifest(root: Path, name: str = MANIFEST) -> None:
    """List the files of a folder, but for the list."""
    write_text(
        root / name, "".join(f"{digest_of(root / path)}  {path}\n" for path in files_below(root) if path != name)
    )


def folder_of(folder: Path) -> PublishedFolder:
    """The folder as its manifest describes it; a path that leaves it is refused, and so is a link."""
    manifest = folder / MANIFEST
    if not manifest.is_file() and not manifest.is_symlink():
        raise InputError(f"no {MANIFEST}; expected a folder that `cranfield publish build` made", folder)
    if link := next((path for path in files_below(folder) if (folder / path).is_symlink()), None):
        raise InputError("this is a link; a published folder contains only files and folders", folder / link)
    digests: dict[str, str] = {}
    for number, line in enumerate(read_text(manifest).splitlines(), 1):
        digest, _, path = line.partition("  ")
        if len(digest) != 64 or not path:
            raise InputError(f"{line!r:.60}; expected a SHA-256, two spaces and a path", manifest, number)
        inside = not os.path.isabs(path) and ".." not in path.split("/") and "\\" not in path and "\0" not in path
        if not inside or not (folder / path).resolve().is_relative_to(folder.resolve()):
            raise InputError(f"the path {path!r} points outside the folder", folder / MANIFEST, number)
        if path in digests:
            raise InputError(f"the path {path!r:.60} is listed twice", manifest, number)
        digests[path] = digest.lower()
    root = root_of(folder)
    if root == folder:
        return PublishedFolder(folder, digests)
    return PublishedFolder(root, {path.removeprefix(f"{PAYLOAD}/"): digest for path, digest in digests.items()})


def root_of(folder: Path) -> Path:
    """Where the files of a published folder are: in a bag one below."""
    return folder / PAYLOAD if (folder / BAG).is_file() else folder


def check_file(there: PublishedFolder, path: str) -> Path:
    """A file of the folder, if it is listed and what it was."""
    place = there.root / path
    if path not in there.files:
        raise InputError(f"not listed in {MANIFEST}", place)
    if not place.is_file():
        raise InputError("this file is missing", place)
    if (digest := digest_of(place)) != there.files[path]:
        right_digest = there.files[path][:SHOWN]
        raise InputError(
            f"changed or incomplete: the SHA-256 begins with {digest[:SHOWN]}; expected {right_digest}, as in"
            f" {MANIFEST}",
            place,
        )
    return place


NAMESPACE, PROGRAM, SECONDS = "cranfield", "ssh-keygen", 60
MISSING = f"{PROGRAM} is not installed; it is part of OpenSSH"
KEY_TYPE = re.compile(r"(?:sk-)?(?:ssh|ecdsa)-\S+\s+AAAA")  # how a public key begins
GOOD = re.compile(r'^Good "[^"]*" signature.* with (?P<key>.+)$')


def sign(folder: Path, key: Path) -> None:
    """Sign the manifest of a folder with a private key; a public one stands for that of an agent."""
    read_text(key)
    process = _keygen("sign", "-q", "-f", str(key), str(folder / MANIFEST), patient=True)
    if process.returncode:
        raise InputError(f"{PROGRAM} cannot sign with this key: {_last(process.stderr)}", key)


def signed_by(folder: Path) -> str:
    """The key that a folder is signed with; that is said by the signature alone."""
    process = _keygen("check-novalidate", "-s", str(folder / SIGNATURE), file=folder / MANIFEST)
    if process.returncode:
        raise InputError(f"not a signature of {MANIFEST}: {_last(process.stderr)}", folder / SIGNATURE)
    match = GOOD.match(process.stdout.strip())
    return match["key"] if match else process.stdout.strip()


def verify(folder: Path, signers: Path) -> str:
    """Who signed a folder, and the key, if it is among these: a public key, or an allowed_signers file."""
    key = signed_by(folder)
    with _allowed_signers(signers) as signers_file:
        signature = ["-s", str(folder / SIGNATURE), "-f", str(signers_file)]
        signed_as = _keygen("find-principals", *signature).stdout.splitlines()
        for name in signed_as:
            if not _keygen("verify", *signature, "-I", name, file=folder / MANIFEST).returncode:
                return f"{name}, with {key}" if signers_file == signers else key
    raise InputError(f"signed with {key}; expected a signature by {signers.name}", folder / SIGNATURE)


@contextmanager
def _allowed_signers(signers: Path) -> Iterator[Path]:
    """A file of allowed signers; of public keys alone, a line each as at github.com/NAME.keys, one is made."""
    lines = [line for line in map(str.strip, read_text(signers).splitlines()) if line and line[0] != "#"]
    if not any(map(KEY_TYPE.search, lines)):
        what = "a private key" if lines and "PRIVATE KEY" in lines[0] else "no public key"
        raise InputError(
            f"found {what}; expected a public key, such as id_ed25519.pub, or an allowed_signers file", signers
        )
    if not KEY_TYPE.match(lines[0]):
        yield signers
        return
    with TemporaryDirectory(prefix="cranfield-") as folder:
        path = Path(folder, "signers")
        keys = [" ".join(line.split()[:2]) for line in lines if KEY_TYPE.match(line)]
        path.write_text("".join(f"signer {key}\n" for key in keys), encoding="utf-8")
        yield path


def _keygen(
    action: str, *words: str, file: Path | None = None, patient: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run ssh-keygen; a person may take her time over a passphrase."""
    command = [PROGRAM, "-Y", action, *(() if action == "find-principals" else ("-n", NAMESPACE)), *words]
    content = "" if file is None else file.read_bytes().decode("latin-1")
    try:
        return subprocess.run(
            command, input=content, encoding="latin-1", capture_output=True, check=False,
            timeout=None if patient else SECONDS,
        )  # fmt: skip
    except FileNotFoundError:
        raise InputError(MISSING) from None


def _last(message: str) -> str:
    return (message.strip().splitlines() or ["no message"])[-1]
