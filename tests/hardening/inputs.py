"""Damaged inputs, made from sound ones by a seed: the same seed and samples give the same bytes."""

import bz2
import gzip
import json
import lzma
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

LONG = 3000  # bytes of a long piece
MOST = 1 << 16  # bytes of an input before it is compressed, unless it is large from the start
DIGITS = b"9" * 4400  # more than Python makes an integer of
PIECES: tuple[bytes, ...] = (
    b"", b" ", b"\t", b"\n", b"\r", b"\r\n", b"\0", b"\x1b[2J", b"\x1b]0;owned\x07", b"\x9b1m", b"\xc2\x9b1m", b"\xff",
    b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8",
    b"\xe2\x80\xae", b"\xc2\x85", b"\x0b", b"\x0c", b"\x1c", b"\xe2\x80\x8b", b"0", b"-0", b"-1", b"1e999", b"-1e999",
    b"nan", b"inf", b"-inf", b"NaN", b"Infinity", b"1_000", b"0x10", b"1e-400", b".5", b"5.", b"+3", b"2.9",
    b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"99999999999999999999", DIGITS,
    "٣".encode(), "½".encode(), b"true", b"null", b"None", b"~", b"''", b'""', b'"', b"'", b"\\", b"\\u0000",
    b"\\ud800", b"\\udc00", b"{}", b"[]", b"{", b"}", b"[", b"]", b"{{", b",", b";", b":", b": ", b"=", b"==", b"#",
    b"# ", b"|", b"&", b"&amp;", b"&#0;", b"&#x110000;", b"&#xd800;", b"&#99999999999;", b"&lt;", b"<", b">", b"</",
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"<DOC>", b"</DOC>",
    b"<DOCNO>", b"<top>", b"</top>", b"<title>", b"<topic", b"<p>", b".I ", b".W\n", b"%", b"%s", b"{0}", b"..",
    b"../", b"/", b"~root", b"-", b"--", b"&a", b"*a", b"!!python/object:os.system", b"!!binary |", b"!!timestamp x",
    b"? ", b"- ", b"2001-13-99", b"12:99:99", b"a" * LONG, "é".encode() * LONG, b"1 " * LONG, b"\n" * LONG,
    b"[" * LONG, b'{"a":' * LONG, b"(" * LONG, b"<p>" * LONG, b"<!--" * LONG, b"- " * LONG, b"\xf0\x9f\x98\x80",
    b"e\xcc\x81\xcc\x81\xcc\x81", b"SQLite format 3\0", b"PAR1",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 10**30, 1e308, float("nan"), float("inf"), -0.0, "", " ", "\0", "a\nb", "\x1b[2J",
    "\ud800", "\u2028", "x" * LONG, "1", "1e999", "nan", [], [[]], {}, [None], [1, 2], {"": ""}, {"a": {"b": [1]}},
    [{}], ["a", "b"], "2024-05-01T10:00:00Z", "9999-99-99", -(10**20), 10**4000,
)  # fmt: skip
WORD = re.compile(rb"[A-Za-z0-9]+")
Change = Callable[[Random, bytes, Sequence[bytes]], bytes]


def a_byte(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """One byte, or one bit of it, is another."""
    if not data:
        return data
    at = random.randrange(len(data))
    new = random.randrange(256) if random.random() < 0.5 else data[at] ^ (1 << random.randrange(8))
    return data[:at] + bytes([new]) + data[at + 1 :]


def cut(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """The end is missing."""
    return data[: random.randrange(len(data) + 1)]


def without(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """A piece is missing."""
    start, end = place(random, data)
    return data[:start] + data[end:]


def twice(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """A piece is there several times."""
    start, end = place(random, data)
    return data[:end] + data[start:end] * random.choice((1, 1, 2, 50)) + data[end:]


def splice(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """A piece of another file stands within."""
    other = random.choice(samples)
    (start, end), (first, last) = place(random, data), place(random, other)
    return data[:start] + other[first:last] + data[end:]


def insert(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """A piece that readers stumble over stands somewhere."""
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(PIECES) + data[at:]


def replace_word(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """Such a piece stands where a word or number was."""
    words = [word.span() for word in WORD.finditer(data)]
    start, end = random.choice(words) if words else place(random, data)
    return data[:start] + random.choice(PIECES) + data[end:]


def lines_moved(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """The lines stand in another order."""
    lines = data.splitlines(keepends=True)
    random.shuffle(lines)
    return b"".join(lines)


def separated_otherwise(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """What separates, ends or quotes is something else throughout."""
    old = random.choice((b"\n", b" ", b"\t", b",", b'"', b":"))
    return data.replace(
        old, random.choice((b"\r\n", b"\r", b"\t", b"  ", b",", b";", b"", b"\xe2\x80\xa8", b"\x0b", b"\0"))
    )


def another_value(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """A value, or a name, somewhere in JSON is something else; what is not a JSON has a piece inserted."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        lines = data.splitlines(keepends=True)
        at = random.randrange(len(lines)) if lines else 0
        if not lines or not lines[at].lstrip().startswith((b"{", b"[")):
            return insert(random, data, samples)
        if len(lines) > 1:
            return b"".join([*lines[:at], another_value(random, lines[at], samples) + b"\n", *lines[at + 1 :]])
        return insert(random, data, samples)
    try:
        return json.dumps(change_value(random, document), ensure_ascii=random.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):
        return insert(random, data, samples)


def change_value(random: Random, value: Any) -> Any:
    """A value that differs in one place."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        name = random.choice(list(value))
        if random.random() < 0.1:
            return {(str(random.choice(VALUES)) if key == name else key): one for key, one in value.items()}
        return {**value, name: change_value(random, value[name])}
    if isinstance(value, list) and value and random.random() < 0.9:
        at = random.randrange(len(value))
        return [*value[:at], change_value(random, value[at]), *value[at + 1 :]]
    return nested(random) if random.random() < 0.02 else random.choice(VALUES)


def nested(random: Random) -> Any:
    """A value within a value, some hundred times."""
    value: Any = 1
    for _ in range(random.choice((100, 900))):
        value = [value] if random.random() < 0.5 else {"a": value}
    return value


def place(random: Random, data: bytes) -> tuple[int, int]:
    """Where a piece starts and ends: often short, or whole lines."""
    start = random.randrange(len(data) + 1)
    if random.random() < 0.3:
        start = data.rfind(b"\n", 0, start) + 1
        end = data.find(b"\n", start) + 1
        return start, end or len(data)
    return start, min(len(data), start + random.choice((1, 2, 4, 16, 64, 1000)))


CHANGES: tuple[Change, ...] = (
    a_byte, a_byte, cut, without, twice, splice, insert, insert, replace_word, replace_word, lines_moved,
    separated_otherwise, another_value, another_value,
)  # fmt: skip


def to_zstandard(data: bytes) -> bytes:
    import pyarrow as pa

    return bytes(pa.compress(data, "zstd", asbytes=True))


WRAPPERS: tuple[Callable[[bytes], bytes], ...] = (
    lambda data: gzip.compress(data, 1, mtime=0),
    lambda data: gzip.compress(data, 1, mtime=0) * 2,
    lambda data: gzip.compress(gzip.compress(data, 1, mtime=0), 1, mtime=0),
    lambda data: lzma.compress(data, preset=0),
    to_zstandard,
    lambda data: bz2.compress(data, 1),
)  # fmt: skip


def damage(random: Random, samples: Sequence[bytes]) -> bytes:
    """An input: a sound one that was changed in a few places, and perhaps compressed, whole or not."""
    data, most = random.choice(samples), max(MOST, 2 * max(map(len, samples)))
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, 5, 8))):
        data = random.choice(CHANGES)(random, data, samples)[:most]
    if random.random() < 0.06:
        data = random.choice(WRAPPERS)(data)
        if random.random() < 0.5:
            data = random.choice((a_byte, cut, without, twice))(random, data, samples)
    return data
