"""Bracketed pastes in what a terminal sends: text from the start mark to the end mark, whatever is in it."""

from __future__ import annotations

from collections.abc import Iterator

START, END = b"\x1b[200~", b"\x1b[201~"
ESCAPE = START[:1]
LONGEST = 1_000_000  # bytes of a paste that are kept


class Pastes:
    r"""Tells pastes from keys in bytes that may be cut anywhere: a paste is text, what was typed stays bytes.

    What may be the beginning of a mark waits for the rest of it; an ESC alone may as well be the key, see `quiet`.

    >>> pastes = Pastes()
    >>> list(pastes.take(b"1\x1b[200~q\x1b[0m")), list(pastes.take(b"\x1b[20")), list(pastes.take(b"1~2"))
    ([b'1'], [], ['q\x1b[0m', b'2'])
    >>> list(pastes.take(b"\x1b")), pastes.quiet(), pastes.quiet()
    ([], b'\x1b', b'')
    """

    def __init__(self) -> None:
        self._held = b""  # not told from a mark yet
        self._pasted: bytearray | None = None  # so far, None outside a paste

    @property
    def open(self) -> bool:
        """Whether a paste has begun and not ended."""
        return self._pasted is not None

    def take(self, data: bytes) -> Iterator[bytes | str]:
        """The keys and the pastes that are complete with these bytes."""
        data, self._held = self._held + data, b""
        while data:
            before, mark, after = data.partition(END if self.open else START)
            kept = 0 if mark else _begun(before, END if self.open else START)
            text, self._held = before[: len(before) - kept], before[len(before) - kept :]
            if self._pasted is not None:
                self._pasted += text[: max(LONGEST - len(self._pasted), 0)]
            elif text:
                yield text
            if mark and self._pasted is not None:
                yield self.give_up()
            elif mark:
                self._pasted = bytearray()
            data = after

    def quiet(self) -> bytes:
        """What is the key ESC after all, as nothing followed it."""
        told = ESCAPE if self._held == ESCAPE and not self.open else b""
        self._held = self._held[len(told) :]
        return told

    def give_up(self) -> str:
        """The paste so far, which is over."""
        pasted, self._pasted, self._held = bytes(self._pasted or b""), None, b""
        return pasted.decode(errors="replace") + "…" * (len(pasted) == LONGEST)


def _begun(data: bytes, mark: bytes) -> int:
    """How many bytes at the end may be the beginning of a mark."""
    return next((size for size in range(len(mark) - 1, 0, -1) if data.endswith(mark[:size])), 0)
