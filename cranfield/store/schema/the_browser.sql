-- Rankings are rows of a view, and the full-text index says in the usual words whose it is.
-- A ranking is two packed arrays. The view unpacks them in plain SQL: json_each counts the positions, and the value of a
-- byte is its place among all bytes. A score is sign x mantissa x a power of two, which is exact.

PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = replace(sql, 'content = ''document''', 'content="document"') WHERE name = 'document_fts';
PRAGMA writable_schema = OFF;

CREATE VIEW retrieved AS  -- the rankings, one row per document; give a tag, a qid or both: unpacking takes time
SELECT tag, team, qid, rank, docno, CASE
    WHEN exponent = 2047 THEN sign * 9e999
    WHEN exponent = 0 THEN sign * mantissa * unit
    ELSE sign * (mantissa + 4503599627370496) * unit
END AS score FROM (
    SELECT r.tag, r.team, t.qid, i.key + 1 AS rank, d.docno, p.unit, p.exponent,
        1 - ((instr(b.every, substr(k.scores, i.key * 8 + 8, 1)) - 1) * 1) / 128 * 2 AS sign,
        ((instr(b.every, substr(k.scores, i.key * 8 + 1, 1)) - 1) * 1 + (instr(b.every, substr(k.scores, i.key * 8 + 2, 1)) - 1) * 256 + (instr(b.every, substr(k.scores, i.key * 8 + 3, 1)) - 1) * 65536 + (instr(b.every, substr(k.scores, i.key * 8 + 4, 1)) - 1) * 16777216 + (instr(b.every, substr(k.scores, i.key * 8 + 5, 1)) - 1) * 4294967296 + (instr(b.every, substr(k.scores, i.key * 8 + 6, 1)) - 1) * 1099511627776 + (instr(b.every, substr(k.scores, i.key * 8 + 7, 1)) - 1) * 281474976710656) & 4503599627370495 AS mantissa
    FROM ranking k JOIN run r ON r.id = k.run JOIN topic t ON t.id = k.topic
    JOIN (SELECT X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff' AS every) b
    JOIN json_each('[' || rtrim(replace(hex(zeroblob(length(k.documents) / 4)), '00', '0,'), ',') || ']') i
    JOIN document d ON d.id = (instr(b.every, substr(k.documents, i.key * 4 + 1, 1)) - 1) * 1 + (instr(b.every, substr(k.documents, i.key * 4 + 2, 1)) - 1) * 256 + (instr(b.every, substr(k.documents, i.key * 4 + 3, 1)) - 1) * 65536 + (instr(b.every, substr(k.documents, i.key * 4 + 4, 1)) - 1) * 16777216
    LEFT JOIN (  -- the last binary place of the numbers of each exponent
        WITH RECURSIVE larger (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent + 1, unit * 2 FROM larger WHERE exponent < 2047
        ), smaller (exponent, unit) AS (
            SELECT 1075, 1.0 UNION ALL SELECT exponent - 1, unit / 2 FROM smaller WHERE exponent > 1
        )
        SELECT exponent, unit FROM larger UNION SELECT exponent, unit FROM smaller
        UNION SELECT 0, min(unit) FROM smaller
    ) p ON p.exponent = (((instr(b.every, substr(k.scores, i.key * 8 + 7, 1)) - 1) * 1 + (instr(b.every, substr(k.scores, i.key * 8 + 8, 1)) - 1) * 256) & 32767) / 16
);
