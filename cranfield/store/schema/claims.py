"""Claims: the sentences of reference answers and the statements of answers, and whether documents say them."""

from __future__ import annotations

from cranfield.store.schema.answers import MORE_IMPORTS
from cranfield.store.schema.nuggets import APPENDED, LABELS
from cranfield.store.schema.serving import MORE_ROLES

CLAIM_IMPORTS = MORE_IMPORTS.replace("'log'", "'log', 'preferences', 'claims'")
CLAIM_ROLES = MORE_ROLES.replace("'support-each'", "'support-each', 'claims'")
CLAIM_TABLE = """
CREATE TABLE claim (  -- append-only: what a reference answer says, sentence by sentence, or an answer, by statements
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    answer INTEGER REFERENCES answer (id),  -- NULL: it is of the topic's reference answer
    position INTEGER NOT NULL CHECK (position >= 1),
    text TEXT NOT NULL CHECK (text <> ''),
    author INTEGER NOT NULL REFERENCES assessor (id),
    version INTEGER NOT NULL,  -- of what this author says an answer claims; the last one counts
    evidence TEXT,  -- JSON, of a model: its call
    import INTEGER REFERENCES import (id)
) STRICT;

CREATE INDEX claim_about ON claim (topic, answer);
"""
CLAIM_VIEWS = """
CREATE VIEW counted_claim AS  -- those whose import was not removed, with what decides which authors count
SELECT c.*, t.qid, a.name, a.kind = 'model' AS by_model FROM claim c JOIN topic t ON t.id = c.topic
JOIN assessor a ON a.id = c.author WHERE c.import IS NULL OR NOT EXISTS (
    SELECT 1 FROM removal r WHERE r.kind = 'import' AND r.name = CAST(c.import AS TEXT));

CREATE VIEW current_claim AS  -- the claims that count: people's before models', of the first author, the last version
SELECT c.* FROM counted_claim c WHERE NOT EXISTS (
    SELECT 1 FROM counted_claim o WHERE o.topic = c.topic AND o.answer IS c.answer
        AND (o.by_model, o.author, -o.version) < (c.by_model, c.author, -c.version));
"""
CLAIMS = CLAIM_TABLE + CLAIM_VIEWS
CLAIM_EVENTS = LABELS.format(
    table="claim_event",
    about="whether the documents of an answer, taken together, say a claim",
    item="answer, claim",
    columns="    answer INTEGER NOT NULL REFERENCES answer (id),\n    claim INTEGER NOT NULL REFERENCES claim (id),",
    keys="",
)
CLAIM_GUARDS = "".join(APPENDED.format(table=table) for table in ("claim", "claim_event"))

ANY_CLAIMS = CLAIM_TABLE.replace(
    "CHECK (position >= 1),", "CHECK (position >= 0),  -- from 1; 0: the author found that the answer states nothing"
).replace("CHECK (text <> '')", "CHECK ((text = '') = (position = 0))")
LATEST = CLAIM_VIEWS.replace(
    "current_claim AS  -- the claims that count: people's before models', of the first author, the last version",
    "latest_claim AS  -- what counts: people's before models', of the first author, the last version",
)
NO_CLAIMS = f"""
PRAGMA defer_foreign_keys = ON;
DROP VIEW current_claim;
DROP VIEW counted_claim;
CREATE TEMP TABLE kept AS SELECT * FROM main.claim;
DROP TABLE claim;
{ANY_CLAIMS}
INSERT INTO claim SELECT * FROM temp.kept;
DROP TABLE temp.kept;
{APPENDED.format(table="claim")}
{LATEST}
CREATE VIEW current_claim AS  -- the claims that count: people's before models', of the first author, the last version
SELECT * FROM latest_claim WHERE position > 0;
"""
