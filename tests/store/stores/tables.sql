PRAGMA application_id = 1129467462;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
CREATE TABLE collection (  -- one row: what this collection is
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    licence TEXT NOT NULL,
    created TEXT NOT NULL,  -- UTC
    grades TEXT NOT NULL,  -- JSON, grade to its meaning; frozen once a judgment exists
    min_relevant INTEGER NOT NULL  -- the lowest grade that counts as relevant
, guidelines TEXT NOT NULL DEFAULT '', origin TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    docno TEXT NOT NULL UNIQUE,
    title TEXT,
    text TEXT,  -- NULL: known only from a run or from qrels
    url TEXT,
    metadata TEXT,  -- JSON
    sha256 TEXT  -- of the text, in hexadecimal
, removed INTEGER NOT NULL DEFAULT 0  -- 1: taken back; the row keeps its place, for the
    CHECK (removed IN (0, 1)), import INTEGER REFERENCES import (id)) STRICT;
CREATE TABLE topic (
    id INTEGER PRIMARY KEY,
    qid TEXT NOT NULL UNIQUE,
    title TEXT,  -- NULL: known only from a run or from qrels
    description TEXT,
    narrative TEXT,
    metadata TEXT  -- JSON
, removed INTEGER NOT NULL DEFAULT 0  -- 1: taken back
    CHECK (removed IN (0, 1)), import INTEGER REFERENCES import (id)) STRICT;
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    kind TEXT NOT NULL,  -- automatic, manual, ...
    description TEXT NOT NULL,
    pooled INTEGER NOT NULL CHECK (pooled IN (0, 1)),  -- does it contribute to pools
    depth INTEGER,  -- how deep; NULL: as deep as the pool
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    imported TEXT NOT NULL  -- UTC
, import INTEGER REFERENCES import (id), metadata TEXT) STRICT;
CREATE TABLE ranking (  -- what a run retrieved for a topic, in canonical order
    run INTEGER NOT NULL REFERENCES run (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    documents BLOB NOT NULL,  -- document.id, little-endian 32-bit integers
    scores BLOB NOT NULL,  -- as submitted, little-endian 64-bit floats
    PRIMARY KEY (run, topic)
) STRICT;
CREATE TABLE pool (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    parameters TEXT NOT NULL,  -- JSON
    seed INTEGER,
    version TEXT NOT NULL,  -- of the program that built it
    created TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE pool_document (
    pool INTEGER NOT NULL REFERENCES pool (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    depth INTEGER NOT NULL,  -- best rank among the contributing runs
    runs TEXT NOT NULL,  -- JSON, the tags of the contributing runs
    stratum TEXT,
    probability REAL,  -- of inclusion, where the method samples
    PRIMARY KEY (pool, topic, document)
) STRICT, WITHOUT ROWID;
CREATE TABLE assessor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('human', 'model', 'import'))
, repeats INTEGER REFERENCES assessor (id)) STRICT;
CREATE TABLE judgment_event (  -- append-only: the record of everything assessors did
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL
        CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note', 'adjudicate', 'import')),
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    grade INTEGER CHECK ((grade IS NOT NULL) = (kind IN ('label', 'adjudicate', 'import'))),
    unsure INTEGER NOT NULL DEFAULT 0 CHECK (unsure IN (0, 1)),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON
    source TEXT NOT NULL DEFAULT '',  -- of an import: the second column of its qrels
    seconds REAL,  -- of active time
    position INTEGER,  -- how many documents of the topic were shown before, plus one; never a key
    order_policy TEXT NOT NULL DEFAULT '',
    order_seed INTEGER,
    document_sha256 TEXT,  -- of the text as shown
    pool INTEGER REFERENCES pool (id),
    supersedes INTEGER REFERENCES judgment_event (id)  -- the event that this one takes back
, input TEXT NOT NULL DEFAULT '', fast INTEGER NOT NULL DEFAULT 0  -- decided hardly after the document was drawn
    CHECK (fast IN (0, 1)), highlight_terms TEXT NOT NULL DEFAULT '', docno_shown INTEGER NOT NULL DEFAULT 0 CHECK (docno_shown IN (0, 1)), origin TEXT NOT NULL DEFAULT '', previous TEXT NOT NULL DEFAULT '', hash TEXT NOT NULL DEFAULT '') STRICT;
CREATE VIRTUAL TABLE document_fts USING fts5 (
    title, text, content="document", content_rowid = 'id', tokenize = 'porter unicode61'
);
CREATE TABLE criterion (  -- append-only: what an assessor takes to count as relevant, and since when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    text TEXT NOT NULL
) STRICT;
CREATE TABLE plan (  -- how work was distributed, and what was drawn before anybody judged
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,  -- UTC
    pool INTEGER NOT NULL REFERENCES pool (id),
    overlap REAL NOT NULL,  -- the share of the pairs that a second assessor judges too
    repeats INTEGER NOT NULL,  -- the documents a topic that one assessor is shown twice
    seed INTEGER NOT NULL,  -- of both samples
    lease INTEGER NOT NULL  -- seconds without a sign of life after which claimed work is free again
, pinned INTEGER NOT NULL DEFAULT 0  -- 1: its topics stay with its pool; 0: the newest
    CHECK (pinned IN (0, 1))) STRICT;
CREATE TABLE assignment (  -- a topic: all of it for the first assessor, a sample of it for the second
    id INTEGER PRIMARY KEY,
    plan INTEGER NOT NULL REFERENCES plan (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    role TEXT NOT NULL CHECK (role IN ('first', 'second')),
    assessor INTEGER REFERENCES assessor (id),  -- NULL: in the queue, for whoever claims it
    lease TEXT, cannot_judge INTEGER NOT NULL DEFAULT 0  -- 1: a second gets that of the first, too
    CHECK (cannot_judge IN (0, 1)),  -- UTC, until when a claim holds; NULL: for good
    UNIQUE (topic, role)
) STRICT;
CREATE TABLE holder (  -- everybody who has had an assignment; written by triggers
    assignment INTEGER NOT NULL REFERENCES assignment (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    PRIMARY KEY (assignment, assessor)
) STRICT, WITHOUT ROWID;
CREATE TABLE bundle (  -- one row where this store was made for one assessor to judge elsewhere
    id INTEGER PRIMARY KEY CHECK (id = 1),
    assessor TEXT NOT NULL,
    made TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE removal (  -- append-only: what was taken back
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('run', 'topic', 'pool', 'import')),
    name TEXT NOT NULL,  -- the tag, the qid, the number
    what TEXT NOT NULL,  -- JSON, what it was; the rankings of a run are not kept
    reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE frame_document (  -- every document that a stratified pool could have drawn, with its stratum
    pool INTEGER NOT NULL REFERENCES pool (id) ON DELETE CASCADE,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    stratum TEXT NOT NULL,
    PRIMARY KEY (pool, topic, document)
) STRICT, WITHOUT ROWID;
CREATE TABLE origin (  -- append-only: where events came into being; each has a chain of its own
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('store', 'bundle', 'import', 'earlier')),  -- earlier: before there were chains
    name TEXT NOT NULL,  -- of the file, where there is one
    made TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE pool_step (  -- when a topic of a pool that listens to judgments could get documents
    pool INTEGER NOT NULL REFERENCES pool (id),
    step INTEGER NOT NULL,  -- 1, 2, ...; several topics may share one
    topic INTEGER NOT NULL REFERENCES topic (id),
    room INTEGER NOT NULL,  -- how many might come: for the topic or, where topics compete, for all of the step
    PRIMARY KEY (pool, step, topic)
) STRICT, WITHOUT ROWID;
CREATE TABLE pool_heard (  -- the judgments that were new to such a pool at a step
    pool INTEGER NOT NULL REFERENCES pool (id),
    step INTEGER NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    relevant INTEGER CHECK (relevant IN (0, 1)),  -- NULL: the judgment was taken back
    PRIMARY KEY (pool, step, topic, document)
) STRICT, WITHOUT ROWID;
CREATE TABLE sampled (  -- documents drawn beforehand: for a second assessor, or to be shown twice to the first
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('overlap', 'repeat')),
    plan INTEGER NOT NULL REFERENCES plan (id),
    PRIMARY KEY (topic, document, purpose)
) STRICT, WITHOUT ROWID;
CREATE TABLE serving_key (  -- what the opaque names of documents are made with; they outlive a restart
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
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
CREATE TABLE answer_run (  -- the runs of systems that generate answers; a run of the same tag is the same system's
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    kind TEXT NOT NULL,  -- automatic, manual, ...
    description TEXT NOT NULL,
    file TEXT NOT NULL,
    imported TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE answer (  -- what a run answers to a topic
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES answer_run (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    documents TEXT NOT NULL,  -- JSON, the docnos of its list of references, in order
    metadata TEXT,  -- JSON, what else its file says
    sha256 TEXT NOT NULL,  -- of its sentences and what they cite
    import INTEGER REFERENCES import (id),
    UNIQUE (run, topic)
) STRICT;
CREATE TABLE sentence (  -- the sentences of the answers
    answer INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 1),
    text TEXT NOT NULL,
    citations TEXT NOT NULL,  -- JSON, the docnos it cites, in order, each with the stated confidence or null
    PRIMARY KEY (answer, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE nugget (  -- append-only: what a good answer to a topic says; another wording is another nugget
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    text TEXT NOT NULL CHECK (text <> ''),
    author INTEGER NOT NULL REFERENCES assessor (id),
    contributors TEXT NOT NULL DEFAULT '[]',  -- JSON, the tags of the runs whose answers it comes from, where known
    place INTEGER  -- in the list of its topic: that of the nugget it replaces; NULL: its own number
) STRICT;
CREATE TABLE nugget_edit (  -- append-only: which nuggets a topic has, and how important they are
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('vital', 'okay', 'drop', 'retract')),  -- vital, okay: the topic has it, as such
    nugget INTEGER NOT NULL REFERENCES nugget (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    replaces TEXT NOT NULL DEFAULT '[]',  -- JSON, the nuggets that this one was reworded or merged from
    seconds REAL,  -- of active time
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES nugget_edit (id)  -- a retract: the edit that it takes back
) STRICT;
CREATE TABLE nugget_event (  -- append-only: whether an answer says what a nugget says
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    nugget INTEGER NOT NULL REFERENCES nugget (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT CHECK ((label IS NOT NULL) = (kind = 'label'))  -- of a retract, later or cannot-judge: none
        CHECK (label IN ('support', 'partial_support', 'not_support')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES nugget_event (id)
) STRICT;
CREATE TABLE support_event (  -- append-only: whether documents, taken together, support a sentence of an answer
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL,
    sentence INTEGER NOT NULL,  -- its position
    citations TEXT NOT NULL,  -- JSON, the docnos of the set, in the order of the sentence
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT CHECK ((label IS NOT NULL) = (kind = 'label'))  -- of a retract, later or cannot-judge: none
        CHECK (label IN ('support', 'partial_support', 'not_support')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES support_event (id),
    FOREIGN KEY (answer, sentence) REFERENCES sentence (answer, position)
) STRICT;
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
CREATE TABLE user_salt (  -- users and sessions of logs are hashed with it; their own ids are not kept
    id INTEGER PRIMARY KEY CHECK (id = 1),
    salt BLOB NOT NULL
) STRICT;
CREATE TABLE experiment (  -- append-only: what the lists of a log were shown for
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('ab', 'interleave', 'log')),
    method TEXT NOT NULL DEFAULT '',  -- of interleaving
    seed INTEGER,
    started TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE arm (  -- append-only: the systems that an experiment compares; in interleaved lists, team a is the first
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    name TEXT NOT NULL,  -- the tag of a run, where the system has one
    UNIQUE (experiment, name)
) STRICT;
CREATE TABLE query (  -- append-only: what users typed
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE action (  -- append-only: what users did with a list
    impression INTEGER NOT NULL REFERENCES impression (id),
    number INTEGER NOT NULL,  -- from 1, in the order of the log
    at REAL,  -- seconds since 1970
    kind TEXT NOT NULL CHECK (kind IN ('click', 'dwell', 'convert', 'reformulate', 'hover')),
    document INTEGER REFERENCES document (id),
    position INTEGER,  -- of the document in the list, from 1
    seconds REAL,  -- of dwelling
    value REAL,  -- of a conversion
    PRIMARY KEY (impression, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE preference_pair (  -- pairs of documents that an assessor compares, in both orders
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    first INTEGER NOT NULL REFERENCES document (id),
    second INTEGER NOT NULL REFERENCES document (id),
    source TEXT NOT NULL,  -- adjacent, disputed or file
    made TEXT NOT NULL,  -- UTC
    PRIMARY KEY (assessor, topic, first, second),
    CHECK (first <> second)
) STRICT, WITHOUT ROWID;
CREATE TABLE preference_event (  -- append-only: everything assessors say of pairs of documents
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('prefer', 'retract', 'later', 'cannot-judge', 'note', 'import')),
    topic INTEGER NOT NULL REFERENCES topic (id),
    first INTEGER NOT NULL REFERENCES document (id),  -- the document shown first
    second INTEGER NOT NULL REFERENCES document (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    choice TEXT CHECK (choice IN ('first', 'second', 'equal')),  -- which is better
    reason TEXT NOT NULL DEFAULT '',  -- why they cannot be compared
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON; of a model, its call
    seconds REAL,  -- of active time
    position INTEGER,  -- the place of this showing among all of the assessor, from 1
    order_seed INTEGER,
    document_sha256 TEXT,  -- of both texts as shown
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- 1: decided hardly after the pair was shown
    supersedes INTEGER REFERENCES preference_event (id),  -- the event that this one takes back
    CHECK ((choice IS NOT NULL) = (kind IN ('prefer', 'import'))),
    CHECK (first <> second)
) STRICT;
CREATE TABLE event_link (  -- append-only: the events of all logs but that of judgments, as they were recorded
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    log TEXT NOT NULL,  -- nugget_edit, nugget_event, support_event, preference_event
    event INTEGER NOT NULL,  -- its id there
    import INTEGER REFERENCES import (id),  -- that brought it
    origin TEXT NOT NULL REFERENCES origin (id),
    previous TEXT NOT NULL,  -- the hash of the link before it of this origin
    hash TEXT NOT NULL,  -- of `previous` and all that the event says
    UNIQUE (log, event)
) STRICT;
CREATE TABLE publication (  -- what people say of the collection that is to be published
    field TEXT PRIMARY KEY,  -- a key of `cranfield publish describe`
    value TEXT NOT NULL  -- JSON: a text or a list
) STRICT, WITHOUT ROWID;
CREATE TABLE published_log (  -- append-only: what the folder said of a log whose events were imported from it
    origin TEXT PRIMARY KEY REFERENCES origin (id),  -- of the imported events; the id of each is its commitment
    events INTEGER NOT NULL,
    head TEXT NOT NULL,  -- of the log that was published
    chains TEXT NOT NULL  -- JSON, the last commitment of each of its chains
) STRICT, WITHOUT ROWID;
CREATE TABLE release (  -- append-only: named states of this store; one reads `track.db@NAME`
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    date TEXT NOT NULL,  -- of publication, YYYY-MM-DD
    note TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL,  -- UTC, when it was made
    version TEXT NOT NULL,  -- of the program that made it
    head TEXT NOT NULL,  -- of the judgment log
    counts TEXT NOT NULL,  -- JSON, how much of everything it has
    last TEXT NOT NULL,  -- JSON, by table: the number of its last row; later rows are not in this release
    kept TEXT NOT NULL,  -- JSON, by table: the rows of a table whose rows may change later
    hashes TEXT NOT NULL,  -- JSON, by table: the columns, and the SHA-256 of its rows
    sha256 TEXT NOT NULL  -- of all of the above
) STRICT;
CREATE TABLE earlier_document (  -- append-only: documents that changed later, as releases have them: without a text
    document INTEGER NOT NULL REFERENCES document (id),
    release INTEGER NOT NULL REFERENCES release (id),  -- and those before it, back to the next row of this document
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    PRIMARY KEY (document, release)
) STRICT, WITHOUT ROWID;
CREATE TABLE earlier_topic (  -- append-only: topics that changed later, as releases have them: without a text
    topic INTEGER NOT NULL REFERENCES topic (id),
    release INTEGER NOT NULL REFERENCES release (id),  -- and those before it, back to the next row of this topic
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    PRIMARY KEY (topic, release)
) STRICT, WITHOUT ROWID;
CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (
        kind IN ('corpus', 'topics', 'runs', 'qrels', 'votes', 'answers', 'nuggets', 'support', 'log', 'preferences', 'claims')
    ),
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;
CREATE TABLE claim_event (  -- append-only: whether the documents of an answer, taken together, say a claim
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    claim INTEGER NOT NULL REFERENCES claim (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT CHECK ((label IS NOT NULL) = (kind = 'label'))  -- of a retract, later or cannot-judge: none
        CHECK (label IN ('support', 'partial_support', 'not_support')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES claim_event (id)
) STRICT;
CREATE TABLE invitation (  -- a link for an assessor; its token is known to the assessor alone
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    expires TEXT,  -- UTC; NULL: never
    revoked TEXT,  -- UTC; NULL: not revoked
    role TEXT NOT NULL DEFAULT 'judge'  -- what the link is for
        CHECK (role IN ('judge', 'adjudicate', 'prefer', 'nuggets', 'assign', 'support', 'support-each', 'claims'))
) STRICT;
CREATE TABLE claim (  -- append-only: what a reference answer says, sentence by sentence, or an answer, by statements
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    answer INTEGER REFERENCES answer (id),  -- NULL: it is of the topic's reference answer
    position INTEGER NOT NULL CHECK (position >= 0),  -- from 1; 0: the author found that the answer states nothing
    text TEXT NOT NULL CHECK ((text = '') = (position = 0)),
    author INTEGER NOT NULL REFERENCES assessor (id),
    version INTEGER NOT NULL,  -- of what this author says an answer claims; the last one counts
    evidence TEXT,  -- JSON, of a model: its call
    import INTEGER REFERENCES import (id)
) STRICT;
CREATE TABLE impression (  -- append-only: lists that were shown, one row per list
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,  -- its id in the log
    at REAL NOT NULL,  -- seconds since 1970
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    arm INTEGER REFERENCES arm (id),
    user INTEGER,  -- a salted hash
    session INTEGER,  -- a salted hash
    query INTEGER NOT NULL REFERENCES query (id),
    topic INTEGER REFERENCES topic (id),  -- where the log has a qid; others are found by the text of the query
    first INTEGER NOT NULL DEFAULT 0,  -- documents on earlier pages
    documents BLOB NOT NULL,  -- little-endian 32-bit numbers of rows of `document`, in the order of the list
    teams BLOB,  -- one byte for each document of an interleaved list: 0 for team a; 255 for no team
    propensities BLOB,  -- little-endian doubles: the probability of each document at its position
    import INTEGER REFERENCES import (id)
) STRICT;
