"""Bracketed pastes in what a terminal sends: the text between the start mark and the end mark, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator

START, END = b"\x1b[200~", b"\x1b[201~"
ESCAPE = START[:1]
LONGEST = 1_000_000  # bytes of a paste that are kept


class Pastes:
    r"""Separates pastes from keys in bytes that may be cut anywhere: a paste becomes text, typed keys stay bytes.

    What may be the beginning of a mark waits for the rest of it; a lone ESC may be the key itself, see `quiet`.

    >>> pastes = Pastes()
    >>> list(pastes.take(b"1\x1b[200~q\x1b[0m")), list(pastes.take(b"\x1b[20")), list(pastes.take(b"1~2"))
    ([b'1'], [], ['q\x1b[0m', b'2'])
    >>> list(pastes.take(b"\x1b")), pastes.quiet(), pastes.quiet()
    ([], b'\x1b', b'')
    """

    def __init__(self) -> None:
        self._held = b""  # perhaps the beginning of a mark
        self._pasted: bytearray | None = None  # so far, None outside a paste

    @property
    def open(self) -> bool:
        """Whether a paste has begun and not ended."""
        return self._pasted is not None

    def take(self, data: bytes) -> Iterator[bytes | str]:
        """The keys and the pastes that these bytes complete."""
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
        """The key ESC, if nothing followed it."""
        escape = ESCAPE if self._held == ESCAPE and not self.open else b""
        self._held = self._held[len(escape) :]
        return escape

    def give_up(self) -> str:
        """The paste so far, which ends here."""
        pasted, self._pasted, self._held = bytes(self._pasted or b""), None, b""
        return pasted.decode(errors="replace") + "…" * (len(pasted) == LONGEST)


def _begun(data: bytes, mark: bytes) -> int:
    """How many bytes at the end may be the beginning of a mark."""
    return next((size for size in range(len(mark) - 1, 0, -1) if data.endswith(mark[:size])), 0)
