"""The signature, where there is one: that it is of this folder and, where the signers are given, that it is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import which

from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.manifest import MANIFEST, SIGNATURE
from cranfield.publishing.signature import MISSING, PROGRAM, signed_by, verified


def check_signature(folder: Checked) -> Iterator[Finding]:
    signed, signer = (folder.folder / SIGNATURE).is_file(), folder.signer
    if not signed:
        if signer:
            yield Finding("wrong", f"not signed; expected a signature by {signer.name}", SIGNATURE)
    elif which(PROGRAM) is None:
        yield Finding("wrong" if signer else "skipped", f"signed, not checked: {MISSING}", SIGNATURE)
    elif signer:
        yield Finding("ok", f"{MANIFEST} is signed by {verified(folder.folder, signer)}")
    else:
        yield Finding("skipped", f"signed by {signed_by(folder.folder)}, not checked: --signer", SIGNATURE)


SIGNATURE_CHECK = Check("signature", check_signature)
