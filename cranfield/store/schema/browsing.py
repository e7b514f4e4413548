"""What other programs read a store by: rankings as rows, and a full-text index that they recognise as the documents'.

A ranking is two packed arrays. The view unpacks them in plain SQL: json_each counts the positions, and the value of a
byte is its place among all bytes. A score is sign x mantissa x a power of two, which is exact.
"""

from __future__ import annotations

EVERY_BYTE = f"X'{bytes(range(256)).hex()}'"


def _number(array: str, width: int, first: int, last: int) -> str:
    """The bytes from `first` to `last` of an array's item, of `width` bytes, as an integer, the lowest byte first.

    >>> _number("k.scores", 8, 6, 7)[:72]
    '(instr(b.every, substr(k.scores, i.key * 8 + 7, 1)) - 1) * 1 + (instr(b.'
    """
    places = range(first, last + 1)
    byte = "(instr(b.every, substr({array}, i.key * {width} + {at}, 1)) - 1) * {weight}"
    return " + ".join(byte.format(array=array, width=width, at=at + 1, weight=256 ** (at - first)) for at in places)


BROWSING = f"""
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = replace(sql, 'content = ''document''', 'content="document"') WHERE name = 'document_fts';
PRAGMA writable_schema = OFF;

CREATE VIEW retrieved AS  -- the rankings, one row per document; give a tag, a qid or both: unpacking takes time
SELECT tag, team, qid, rank, docno, CASE
    WHEN exponent = 2047 THEN sign * 9e999
    WHEN exponent = 0 THEN sign * mantissa * unit
    ELSE sign * (mantissa + {2**52}) * unit
END AS score FROM (
    SELECT r.tag, r.team, t.qid, i.key + 1 AS rank, d.docno, p.unit, p.exponent,
        1 - ({_number("k.scores", 8, 7, 7)}) / 128 * 2 AS sign,
        ({_number("k.scores", 8, 0, 6)}) & {2**52 - 1} AS mantissa
    FROM ranking k JOIN run r ON r.id = k.run JOIN topic t ON t.id = k.topic
    JOIN (SELECT {EVERY_BYTE} AS every) b
    JOIN json_each('[' || rtrim(replace(hex(zeroblob(length(k.documents) / 4)), '00', '0,'), ',') || ']') i
    JOIN document d ON d.id = {_number("k.documents", 4, 0, 3)}
    LEFT JOIN (  -- the last binary place of the numbers of each exponent
        WITH RECURSIVE larger (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent + 1, unit * 2 FROM larger WHERE exponent < 2047
        ), smaller (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent - 1, unit / 2 FROM smaller WHERE exponent > 1
        )
        SELECT exponent, unit FROM larger UNION SELECT exponent, unit FROM smaller
        UNION SELECT 0, min(unit) FROM smaller
    ) p ON p.exponent = (({_number("k.scores", 8, 6, 7)}) & 32767) / 16
);
"""
