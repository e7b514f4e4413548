"""The signature of a published folder: an SSH signature of its manifest, made and verified by ssh-keygen.

The manifest has the SHA-256 of every file, of log/log.json with the head of the log too: so whoever signs it signs all.
Format: PROTOCOL.sshsig of OpenSSH; the namespace is `cranfield`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from cranfield.errors import InputError
from cranfield.formats.files import read_text
from cranfield.publishing.manifest import MANIFEST, SIGNATURE

NAMESPACE, PROGRAM, SECONDS = "cranfield", "ssh-keygen", 60
MISSING = f"{PROGRAM} is not installed; OpenSSH has it"
KEY_TYPE = re.compile(r"(?:sk-)?(?:ssh|ecdsa)-\S+\s+AAAA")  # how a public key begins
GOOD = re.compile(r'^Good "[^"]*" signature.* with (?P<key>.+)$')


def sign(folder: Path, key: Path) -> None:
    """Sign the manifest of a folder with a private key; a public one stands for that of an agent."""
    read_text(key)
    done = _keygen("sign", "-q", "-f", str(key), str(folder / MANIFEST), patient=True)
    if done.returncode:
        raise InputError(f"{PROGRAM} cannot sign with this key: {_last(done.stderr)}", key)


def signed_by(folder: Path) -> str:
    """The key that a folder is signed with; that is said by the signature alone."""
    done = _keygen("check-novalidate", "-s", str(folder / SIGNATURE), signed=folder / MANIFEST)
    if done.returncode:
        raise InputError(f"not a signature of {MANIFEST}: {_last(done.stderr)}", folder / SIGNATURE)
    return _key(done.stdout)


def verified(folder: Path, signers: Path) -> str:
    """Who signed a folder, and the key, if it is among these: a public key, or a file of allowed signers."""
    key = signed_by(folder)
    with _allowed(signers) as allowed:
        signature = ["-s", str(folder / SIGNATURE), "-f", str(allowed)]
        found = _keygen("find-principals", *signature).stdout.splitlines()
        for name in found:
            if not _keygen("verify", *signature, "-I", name, signed=folder / MANIFEST).returncode:
                return f"{name}, with {key}" if allowed == signers else key
    raise InputError(f"signed with {key}; expected a signature by {signers.name}", folder / SIGNATURE)


@contextmanager
def _allowed(signers: Path) -> Iterator[Path]:
    """A file of allowed signers; of a public key alone one is made."""
    text = read_text(signers).lstrip()
    if not KEY_TYPE.match(text):
        yield signers
        return
    with TemporaryDirectory(prefix="cranfield-") as folder:
        allowed = Path(folder, "signers")
        allowed.write_text(f"signer {' '.join(text.split()[:2])}\n", encoding="utf-8")
        yield allowed


def _keygen(
    action: str, *words: str, signed: Path | None = None, patient: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run ssh-keygen; a person may take her time over a passphrase."""
    command = [PROGRAM, "-Y", action, *(() if action == "find-principals" else ("-n", NAMESPACE)), *words]
    content = "" if signed is None else signed.read_bytes().decode("latin-1")
    try:
        return subprocess.run(
            command, input=content, encoding="latin-1", capture_output=True, check=False,
            timeout=None if patient else SECONDS,
        )  # fmt: skip
    except FileNotFoundError:
        raise InputError(MISSING) from None


def _key(said: str) -> str:
    found = GOOD.match(said.strip())
    return found["key"] if found else said.strip()


def _last(said: str) -> str:
    return (said.strip().splitlines() or ["no message"])[-1]
