-- Language models: what they were asked and answered, and samples of their labels for people to judge.

CREATE TABLE audit (  -- a random sample of what a model labelled, judged by a person
    id INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES assessor (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),  -- who judges the sample
    unit TEXT NOT NULL CHECK (unit IN ('pair', 'topic')),  -- what was drawn
    strata_by TEXT NOT NULL CHECK (strata_by IN ('', 'grade', 'topic')),  -- empty: one stratum
    seed INTEGER NOT NULL,
    made TEXT NOT NULL  -- UTC
) STRICT;

CREATE TABLE audit_stratum (  -- how many pairs or topics a sample was drawn from
    audit INTEGER NOT NULL REFERENCES audit (id),
    stratum TEXT NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (audit, stratum)
) STRICT, WITHOUT ROWID;

CREATE TABLE audited (  -- the documents of a sample
    audit INTEGER NOT NULL REFERENCES audit (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    stratum TEXT NOT NULL,
    PRIMARY KEY (audit, topic, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE prompt (  -- append-only: what models were asked with
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,  -- of all that follows
    name TEXT NOT NULL,
    task TEXT NOT NULL,  -- relevance, ...
    version INTEGER NOT NULL,
    content TEXT NOT NULL,  -- JSON: its texts, the grammar of answers, the scale
    source TEXT NOT NULL
) STRICT;

CREATE TABLE model_setting (  -- append-only: an assessor is one model with one prompt and one set of parameters
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    task TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt INTEGER NOT NULL REFERENCES prompt (id),
    parameters TEXT NOT NULL,  -- JSON
    made TEXT NOT NULL,  -- UTC
    PRIMARY KEY (assessor, task)
) STRICT, WITHOUT ROWID;

CREATE TABLE model_request (  -- append-only: what is sent to a server, recorded before it is sent
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,  -- UTC
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    task TEXT NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    subject TEXT NOT NULL,  -- what is asked about: a docno, an answer, ...
    request_sha256 TEXT NOT NULL  -- of model, URL, parameters and messages
) STRICT;

CREATE TABLE model_call (  -- append-only: every answer of a model, and every failure to get one
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    request INTEGER UNIQUE REFERENCES model_request (id),  -- NULL: nothing was sent
    reused INTEGER REFERENCES model_call (id),  -- the call whose answer was used again
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    task TEXT NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER REFERENCES document (id),  -- NULL: it is about something else
    subject TEXT NOT NULL,  -- what was asked about: a docno, an answer, ...
    prompt INTEGER NOT NULL REFERENCES prompt (id),
    document_sha256 TEXT,  -- of the text
    model TEXT NOT NULL,  -- as asked for
    answered_by TEXT NOT NULL,  -- the model that the server names
    host TEXT NOT NULL,
    parameters TEXT NOT NULL,  -- JSON
    request_sha256 TEXT NOT NULL,  -- of model, URL, parameters and messages
    answer TEXT NOT NULL,  -- as it came, without reasoning
    reasoning TEXT NOT NULL,
    finish_reason TEXT NOT NULL,
    tokens_in INTEGER,  -- NULL: the server does not say
    tokens_out INTEGER,
    cost REAL,  -- NULL: no price is known
    seconds REAL NOT NULL,
    attempt INTEGER NOT NULL,
    status INTEGER,  -- of HTTP; NULL: there was no answer
    outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'refused', 'cut-off', 'unparsable', 'off-scale', 'error')),
    reason TEXT NOT NULL,  -- what was wrong
    parser INTEGER NOT NULL,  -- the version of what reads answers
    characters_cut INTEGER NOT NULL,  -- of the text, which was too long
    addresses_judge INTEGER NOT NULL CHECK (addresses_judge IN (0, 1))  -- 1: the text talks to its judge
) STRICT;

CREATE INDEX model_call_request ON model_call (request_sha256) WHERE outcome <> 'error';
CREATE INDEX model_call_about ON model_call (assessor, task, topic, subject);
CREATE INDEX model_request_about ON model_request (assessor, task, topic, subject);
