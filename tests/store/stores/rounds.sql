PRAGMA application_id = 1129467462;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'cranfield','the_present_names','2026-11-29 18:04:44.440454+00:00');
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
CREATE TABLE answer_run (  -- the runs of systems that generate answers; a run of the same tag is the same system's
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    kind TEXT NOT NULL,  -- automatic, manual, ...
    description TEXT NOT NULL,
    file TEXT NOT NULL,
    imported TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE arm (  -- append-only: the systems that an experiment compares; in interleaved lists, team a is the first
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    name TEXT NOT NULL,  -- the tag of a run, where the system has one
    UNIQUE (experiment, name)
) STRICT;
CREATE TABLE assessor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('human', 'model', 'panel', 'import')),
    repeats INTEGER REFERENCES assessor (id),  -- whose consistency this name measures
    uid TEXT NOT NULL DEFAULT ''  -- random: what stands for the name in hashes
) STRICT;
INSERT INTO "assessor" VALUES(1,'ada','human',NULL,'0be956f948904b3f9d4cb6bbbc912871');
INSERT INTO "assessor" VALUES(2,'eve','human',NULL,'eb5d780ffdd34ea7aa7309cc52abcaba');
CREATE TABLE assessor_salt (  -- of the seals of what an assessor wrote; deleted when she is erased
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    salt BLOB NOT NULL
) STRICT;
INSERT INTO "assessor_salt" VALUES(1,X'E9C93DF2A42292D91E2FD97EE9EB198E51836A467803E84ED7244E616E2B89C5');
INSERT INTO "assessor_salt" VALUES(2,X'B1F6F40B0EE490D00DD4AEB18D34E49D5EE9B8D0B12CD8B56825D725E4881A28');
CREATE TABLE assignment (  -- a topic: all of it for the first assessor, a sample of it for the second
    id INTEGER PRIMARY KEY,
    plan INTEGER NOT NULL REFERENCES plan (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    role TEXT NOT NULL CHECK (role IN ('first', 'second')),
    assessor INTEGER REFERENCES assessor (id),  -- NULL: in the queue, for whoever claims it
    lease TEXT,  -- UTC, until when a claim holds; NULL: for good
    cannot_judge INTEGER NOT NULL DEFAULT 0 CHECK (cannot_judge IN (0, 1)),  -- 1: a second gets that of the first, too
    UNIQUE (topic, role)
) STRICT;
CREATE TABLE attribute (  -- append-only: goes with its list, and with its user
    impression INTEGER NOT NULL REFERENCES impression (id),
    name TEXT NOT NULL,
    of TEXT NOT NULL CHECK (of IN ('list', 'document')),
    value TEXT NOT NULL,  -- of documents: a JSON array, in the order of the list
    PRIMARY KEY (impression, name)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE audited_topic (  -- the topics of a sample of labels of something else than documents
    audit INTEGER NOT NULL REFERENCES audit (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    labels TEXT NOT NULL,  -- nuggets, support, claims
    PRIMARY KEY (audit, topic)
) STRICT, WITHOUT ROWID;
CREATE TABLE bundle (  -- one row where this store was made for one assessor to judge elsewhere
    id INTEGER PRIMARY KEY CHECK (id = 1),
    assessor TEXT NOT NULL,
    made TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE candidate_event (  -- append-only: topics in development: their texts, labels, and what became of them
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('try', 'label', 'keep', 'drop', 'later')),
    qid TEXT NOT NULL,
    assessor INTEGER NOT NULL REFERENCES assessor (id),  -- the author of a topic, who judges it
    texts TEXT NOT NULL DEFAULT '',  -- of a topic that is tried, JSON: title, description, narrative
    document INTEGER REFERENCES document (id),
    grade INTEGER CHECK ((grade IS NOT NULL) = (kind = 'label')),
    reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE change (  -- append-only: what decides labels, pools and who judges, each time that it changed
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- the table
    name TEXT NOT NULL,  -- of one of its rows, or of rows that were recorded together: their key
    said TEXT,  -- JSON, what it says from now on, or the hash of its rows; NULL: it is gone
    sealed TEXT NOT NULL DEFAULT ''  -- the seal of what is personal in it
) STRICT;
INSERT INTO "change" VALUES(1,'2026-11-29T18:04:44.511+00:00','collection','1','{"name": "track", "description": "", "licence": "", "created": "2026-11-29T18:04:43.997+00:00", "grades": "{\"0\": \"no\", \"1\": \"yes\"}", "min_relevant": 1, "guidelines": "", "origin": "ef87254f2bff428587bd4ee689eed22a", "rule": 2}','');
INSERT INTO "change" VALUES(2,'2026-11-29T18:04:44.511+00:00','origin','ef87254f2bff428587bd4ee689eed22a','{"kind": "store", "made": "2026-11-29T18:04:44.510+00:00"}','');
INSERT INTO "change" VALUES(3,'2026-11-29T18:04:44.626+00:00','document','0','{"rows": 10, "sha256": "bfad373558d5983fa7e6bb63f8597858aea2ea99275f19fe6ca3b0e2b6738f6d"}','');
INSERT INTO "change" VALUES(4,'2026-11-29T18:04:44.635+00:00','topic','1','{"qid": "1", "title": "title 1", "description": "", "narrative": "", "removed": 0}','');
INSERT INTO "change" VALUES(5,'2026-11-29T18:04:44.635+00:00','topic','2','{"qid": "2", "title": "title 2", "description": "", "narrative": "", "removed": 0}','');
INSERT INTO "change" VALUES(6,'2026-11-29T18:04:45.751+00:00','import','1','{"at": "2026-11-29T18:04:45.308+00:00", "kind": "runs", "files": "[\"a.run\"]", "first_event": 1, "last_event": 0}','');
INSERT INTO "change" VALUES(7,'2026-11-29T18:04:45.751+00:00','run','1','{"tag": "a", "team": "a", "kind": "automatic", "description": "", "pooled": 1, "file": "a.run", "sha256": "205be419b3649e8ea5fb0c7ee4ace601916aaf95cae1575ac8c8cee208de2a45", "imported": "2026-11-29T18:04:45.742+00:00", "import": 1}','');
INSERT INTO "change" VALUES(8,'2026-11-29T18:04:45.751+00:00','ranking','1','{"rows": 2, "sha256": "7faa1928b0bdcc31df68a0f0ad9c569245ab116ad9ff5a95f882de1cd4901036"}','');
INSERT INTO "change" VALUES(9,'2026-11-29T18:04:47.137+00:00','import','2','{"at": "2026-11-29T18:04:46.680+00:00", "kind": "runs", "files": "[\"b.run\"]", "first_event": 1, "last_event": 0}','');
INSERT INTO "change" VALUES(10,'2026-11-29T18:04:47.137+00:00','run','2','{"tag": "b", "team": "b", "kind": "automatic", "description": "", "pooled": 1, "file": "b.run", "sha256": "e60d4a38db6314c3c0fb8c29b600597a1880e26be5f42e8780c55a211b6655ac", "imported": "2026-11-29T18:04:47.136+00:00", "import": 2}','');
INSERT INTO "change" VALUES(11,'2026-11-29T18:04:47.137+00:00','ranking','2','{"rows": 2, "sha256": "2735654c9b882e5185ac77542a08db22f47388df509196d29b9f95fb67de018e"}','');
INSERT INTO "change" VALUES(12,'2026-11-29T18:04:47.965+00:00','import','3','{"at": "2026-11-29T18:04:47.747+00:00", "kind": "qrels", "files": "[\"qrels.txt\"]", "first_event": 1, "last_event": 5}','');
INSERT INTO "change" VALUES(13,'2026-11-29T18:04:47.965+00:00','assessor','1','{"uid": "0be956f948904b3f9d4cb6bbbc912871", "kind": "human"}','9e3fff89b960f3a5cc405ad98ac123f3930558837b9afb14c7c2bf19aae00ab6');
INSERT INTO "change" VALUES(14,'2026-11-29T18:04:47.965+00:00','origin','148d6587f663443fb24e718211063b70','{"kind": "import", "made": "2026-11-29T18:04:47.963+00:00"}','');
INSERT INTO "change" VALUES(15,'2026-11-29T18:04:49.760+00:00','pool','1','{"method": "depth", "parameters": "{\"depth\": 2, \"runs\": [\"a\", \"b\"]}", "version": "0.1.0", "created": "2026-11-29T18:04:49.754+00:00"}','');
INSERT INTO "change" VALUES(16,'2026-11-29T18:04:49.760+00:00','pool_document','1/1','{"rows": 4, "sha256": "869c1e5b1d42e135aab2853b597b9e9afdf5d29b6ae2c96bfe6d5845a8ab1577"}','');
INSERT INTO "change" VALUES(17,'2026-11-29T18:04:49.760+00:00','pool_document','1/2','{"rows": 3, "sha256": "9669e9e00fde97c715e2cb44c1f0f9e99852f72b83b021a278deaa87d3fac8d3"}','');
INSERT INTO "change" VALUES(18,'2026-11-29T18:04:50.292+00:00','round','1','{"name": "1", "opened": "2026-11-29T18:04:50.291+00:00", "first_event": 1}','');
INSERT INTO "change" VALUES(19,'2026-11-29T18:04:50.292+00:00','round_end','1','{"closed": "2026-11-29T18:04:50.291+00:00"}','');
INSERT INTO "change" VALUES(20,'2026-11-29T18:04:50.783+00:00','round','2','{"name": "2", "opened": "2026-11-29T18:04:50.773+00:00", "first_event": 6, "topics": "[\"1\", \"2\"]", "documents_sha256": "db0c1f2165091e6c59aaf2ebaefefa9e4f05865f1e9a9d8ad4959d927630c40f"}','');
INSERT INTO "change" VALUES(21,'2026-11-29T18:04:50.783+00:00','renamed','2','{"rows": 1, "sha256": "df3448a5d8fb8a64c8cd39195876603a0f1712f68d07df89ff42583ab0ad4a71"}','');
INSERT INTO "change" VALUES(22,'2026-11-29T18:04:50.783+00:00','document','0','{"rows": 11, "sha256": "4960599671d65e4b53dac70fee4d513fc98e7218544e0762e7ba45a6c3215431"}','');
INSERT INTO "change" VALUES(23,'2026-11-29T18:04:51.836+00:00','import','4','{"at": "2026-11-29T18:04:51.421+00:00", "kind": "runs", "files": "[\"a.run\"]", "first_event": 6, "last_event": 5}','');
INSERT INTO "change" VALUES(24,'2026-11-29T18:04:51.836+00:00','run','3','{"tag": "2/a", "team": "a", "kind": "automatic", "description": "", "pooled": 1, "file": "a.run", "sha256": "d6bf30794347adb84cd25978dae1967d5eca523f24c6264702aed9a5b427b729", "imported": "2026-11-29T18:04:51.835+00:00", "import": 4, "round": 2, "submitted": "a"}','');
INSERT INTO "change" VALUES(25,'2026-11-29T18:04:51.836+00:00','ranking','3','{"rows": 2, "sha256": "6fe6d2ee52d088f2f4de414106ad98fdd31932c001b9bea5b11f60aeecb9438d"}','');
INSERT INTO "change" VALUES(26,'2026-11-29T18:04:52.974+00:00','import','5','{"at": "2026-11-29T18:04:52.508+00:00", "kind": "runs", "files": "[\"c.run\"]", "first_event": 6, "last_event": 5}','');
INSERT INTO "change" VALUES(27,'2026-11-29T18:04:52.974+00:00','run','4','{"tag": "c", "team": "c", "kind": "automatic", "description": "", "pooled": 1, "file": "c.run", "sha256": "22de3b12af423c8897831822c0f4440ef8e5410353362f9a3bbbdccd4802858c", "imported": "2026-11-29T18:04:52.973+00:00", "import": 5, "round": 2}','');
INSERT INTO "change" VALUES(28,'2026-11-29T18:04:52.974+00:00','ranking','4','{"rows": 1, "sha256": "54653ad79bfa28cc6a523167a22ed5321a9be9b5954c169f4090960b646f9773"}','');
INSERT INTO "change" VALUES(29,'2026-11-29T18:04:53.702+00:00','import','6','{"at": "2026-11-29T18:04:53.580+00:00", "kind": "qrels", "files": "[\"qrels.txt\"]", "first_event": 6, "last_event": 8}','');
INSERT INTO "change" VALUES(30,'2026-11-29T18:04:53.702+00:00','origin','298cd518370c4f4d89ab6f003d1b2b49','{"kind": "import", "made": "2026-11-29T18:04:53.700+00:00"}','');
INSERT INTO "change" VALUES(31,'2026-11-29T18:04:54.474+00:00','import','7','{"at": "2026-11-29T18:04:54.422+00:00", "kind": "qrels", "files": "[\"qrels.txt\"]", "first_event": 9, "last_event": 9}','');
INSERT INTO "change" VALUES(32,'2026-11-29T18:04:54.474+00:00','round_import','7','{"round": 1}','');
INSERT INTO "change" VALUES(33,'2026-11-29T18:04:54.474+00:00','origin','c268e9a5a7c24eee894c8c635dd014e1','{"kind": "import", "made": "2026-11-29T18:04:54.473+00:00"}','');
INSERT INTO "change" VALUES(34,'2026-11-29T18:04:54.825+00:00','same_system','1','{"at": "2026-11-29T18:04:54.825+00:00", "run": "c", "earlier": "b"}','');
INSERT INTO "change" VALUES(35,'2026-11-29T18:04:55.258+00:00','withdrawal','1','{"at": "2026-11-29T18:04:55.255+00:00", "what": "topic", "item": 2, "name": "2", "reason": "vague"}','');
INSERT INTO "change" VALUES(36,'2026-11-29T18:04:55.258+00:00','assessor','2','{"uid": "eb5d780ffdd34ea7aa7309cc52abcaba", "kind": "human"}','8b2526e20371698f8d8de8b7419ba69b244b4b0b99c49dafafa09ccc6e6db3ba');
INSERT INTO "change" VALUES(37,'2026-11-29T18:04:55.258+00:00','withdrawn_by','1','{"assessor": 2}','');
INSERT INTO "change" VALUES(38,'2026-11-29T18:04:56.227+00:00','withdrawal','2','{"at": "2026-11-29T18:04:56.220+00:00", "what": "topic", "item": 2, "name": "2", "reason": "", "restores": 1}','');
INSERT INTO "change" VALUES(39,'2026-11-29T18:04:56.227+00:00','withdrawn_by','2','{"assessor": 2}','');
INSERT INTO "change" VALUES(40,'2026-11-29T18:04:56.782+00:00','withdrawal','3','{"at": "2026-11-29T18:04:56.781+00:00", "what": "run", "item": 2, "name": "b", "reason": "wrong index"}','');
INSERT INTO "change" VALUES(41,'2026-11-29T18:04:56.782+00:00','withdrawn_by','3','{"assessor": 1}','');
INSERT INTO "change" VALUES(42,'2026-11-29T18:04:57.377+00:00','round_end','2','{"closed": "2026-11-29T18:04:57.376+00:00"}','');
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
CREATE TABLE claim_event (  -- append-only: whether the documents of an answer, taken together, say a claim
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    claim INTEGER NOT NULL REFERENCES claim (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('support', 'partial_support', 'not_support')),
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
CREATE TABLE collection (  -- one row: what this collection is
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    licence TEXT NOT NULL,
    created TEXT NOT NULL,  -- UTC
    grades TEXT NOT NULL,  -- JSON, grade to its meaning; frozen once a judgment exists
    min_relevant INTEGER NOT NULL,  -- the lowest grade that counts as relevant
    guidelines TEXT NOT NULL DEFAULT '',  -- for assessors
    origin TEXT NOT NULL DEFAULT '',  -- of the events that come into being here
    -- by which judgments are hashed; 1: as a bundle that was made before there was the second rule
    rule INTEGER NOT NULL DEFAULT 2 CHECK (rule IN (1, 2))
) STRICT;
INSERT INTO "collection" VALUES(1,'track','','','2026-11-29T18:04:43.997+00:00','{"0": "no", "1": "yes"}',1,'','ef87254f2bff428587bd4ee689eed22a',2);
CREATE TABLE comparison_event (  -- append-only: which of two answers to a topic is better, in the order shown
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    other INTEGER NOT NULL REFERENCES answer (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('first', 'second', 'equal')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES comparison_event (id)
) STRICT;
CREATE TABLE corpus_source (  -- where texts are from, of which only those that are wanted are here
    id INTEGER PRIMARY KEY,
    import INTEGER NOT NULL REFERENCES import (id),
    source TEXT NOT NULL,  -- the path of a file, or ir_datasets:ID
    wanted TEXT NOT NULL,  -- pooled, judged, retrieved, or the name of a list
    fields TEXT NOT NULL,  -- JSON: what the file calls the fields of a document
    sha256 TEXT,  -- of the file; NULL: of no file
    documents INTEGER,  -- that it has; NULL: not known
    kept INTEGER NOT NULL  -- of these, by this import
) STRICT;
CREATE TABLE correctness_event (  -- append-only: whether an answer says a claim of the reference, or the reference a statement of the answer
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    claim INTEGER NOT NULL REFERENCES claim (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('support', 'partial_support', 'not_support')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES correctness_event (id)
) STRICT;
CREATE TABLE criterion (  -- append-only: what an assessor takes to count as relevant, and since when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    text TEXT NOT NULL
) STRICT;
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    docno TEXT NOT NULL UNIQUE,
    title TEXT,
    text TEXT,  -- NULL: known only from a run or from qrels
    url TEXT,
    metadata TEXT,  -- JSON
    sha256 TEXT,  -- in hexadecimal: of the text, and of its layout and the fields shown, if it has any
    -- 1: taken back; the row keeps its place, for the row numbers are places in rankings' vocabulary
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    import INTEGER REFERENCES import (id)  -- that brought its text
) STRICT;
INSERT INTO "document" VALUES(1,'d1','t1','wing 1','',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',0,NULL);
INSERT INTO "document" VALUES(2,'d2','t2','wing 2','',NULL,'534b7656c74b9f8181d1be6fd8bb8eb6e5a67d37243aa4c3fb2c604f266f52c3',0,NULL);
INSERT INTO "document" VALUES(3,'d3','t3','wing 3','',NULL,'62699622fca56703a957c7cdc0110af77d5d36c1737de327caad9236abfc534f',0,NULL);
INSERT INTO "document" VALUES(4,'d4','t4','wing 4','',NULL,'2fff8d683170da99559b8547d11d40cf4bea5946ee63f9730cb14df8525015ee',0,NULL);
INSERT INTO "document" VALUES(5,'d5','t5','wing 5','',NULL,'2ec442acf07a634be4d5072b5dd76e9caebaf601ca515df4c77e0009351d1901',0,NULL);
INSERT INTO "document" VALUES(6,'d6','t6','wing 6','',NULL,'f7d1735e2a48ba62346ff437bcbcceb5ed60a66cb81364ee5d2a43146c7b2c0f',0,NULL);
INSERT INTO "document" VALUES(7,'d7','t7','wing 7','',NULL,'2d9075ad51a1aee779e998a81800b1362c0fd67bc501c1b695e30ee1aad81612',0,NULL);
INSERT INTO "document" VALUES(8,'d8','t8','wing 8','',NULL,'aa384345309ee2ef790f854f3f6de1f570a267c72d3beff2e7713d85cf709ea7',0,NULL);
INSERT INTO "document" VALUES(9,'d9','t9','wing 9','',NULL,'1fa46532fc6e4a5507bbfa243f5354da07279c7beb0697ade1038d137eb49cbf',0,NULL);
INSERT INTO "document" VALUES(10,'d10','t10','wing 10','',NULL,'dcdb385a04723d8ebc755778c1b1e160785003d27192418371e9046515e07f79',0,NULL);
INSERT INTO "document" VALUES(11,'e1',NULL,NULL,NULL,NULL,NULL,0,NULL);
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
CREATE TABLE erasure (  -- append-only: who was erased from this store, and why
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- assessor, user, ...
    name TEXT NOT NULL,  -- what stands for the name
    what TEXT NOT NULL,  -- JSON, in how many rows of each table something was erased
    reason TEXT NOT NULL,
    sha256 TEXT NOT NULL  -- of its redactions
) STRICT;
CREATE TABLE event_link (  -- append-only: the events of all logs but that of judgments, as they were recorded
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    log TEXT NOT NULL,  -- its table: change, nugget_event, preference_event, ...
    event INTEGER NOT NULL,  -- its id there
    import INTEGER REFERENCES import (id),  -- that brought it
    origin TEXT NOT NULL REFERENCES origin (id),
    previous TEXT NOT NULL,  -- the hash of the link before it of this origin
    hash TEXT NOT NULL,  -- of `previous` and all that the event says
    rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2)),  -- by which it is hashed
    UNIQUE (log, event)
) STRICT;
INSERT INTO "event_link" VALUES(1,'change',1,NULL,'ef87254f2bff428587bd4ee689eed22a','','0405c251793284cd1a1e03d9bd1a8ef1810b50c97307c01ac6d51e62c7f425f8',2);
INSERT INTO "event_link" VALUES(2,'change',2,NULL,'ef87254f2bff428587bd4ee689eed22a','0405c251793284cd1a1e03d9bd1a8ef1810b50c97307c01ac6d51e62c7f425f8','84c1d91137f040e168ee7abcb5fa0f6c04cd98807d89e4ea1a36381426bb5086',2);
INSERT INTO "event_link" VALUES(3,'change',3,NULL,'ef87254f2bff428587bd4ee689eed22a','84c1d91137f040e168ee7abcb5fa0f6c04cd98807d89e4ea1a36381426bb5086','d7d4f81f10e987a8fff5c6faa0c46caf37b3a2bfa8c92a98a08c85942f8b87be',2);
INSERT INTO "event_link" VALUES(4,'change',4,NULL,'ef87254f2bff428587bd4ee689eed22a','d7d4f81f10e987a8fff5c6faa0c46caf37b3a2bfa8c92a98a08c85942f8b87be','3725070258aa5cd31d932cb31deb790a8e457213bb09265384def447ffb7664f',2);
INSERT INTO "event_link" VALUES(5,'change',5,NULL,'ef87254f2bff428587bd4ee689eed22a','3725070258aa5cd31d932cb31deb790a8e457213bb09265384def447ffb7664f','d7a5cd2db7f5d4dfc548c9918ebe89766bde0d584566b76dbdb8ab4bf2dfa4ee',2);
INSERT INTO "event_link" VALUES(6,'change',6,NULL,'ef87254f2bff428587bd4ee689eed22a','d7a5cd2db7f5d4dfc548c9918ebe89766bde0d584566b76dbdb8ab4bf2dfa4ee','cdcd239e0ffc387b7bddcdc0daeb16d57ef3f0c0710535447d431b70e1febadc',2);
INSERT INTO "event_link" VALUES(7,'change',7,NULL,'ef87254f2bff428587bd4ee689eed22a','cdcd239e0ffc387b7bddcdc0daeb16d57ef3f0c0710535447d431b70e1febadc','f900f02893a087ce29e3b9edcd869c4eadb96bd75f0b9ac7e746e47272ee6418',2);
INSERT INTO "event_link" VALUES(8,'change',8,NULL,'ef87254f2bff428587bd4ee689eed22a','f900f02893a087ce29e3b9edcd869c4eadb96bd75f0b9ac7e746e47272ee6418','eaea56f8275289b2b10423186d7dfaf8f88c69da339841365d96c97909209f24',2);
INSERT INTO "event_link" VALUES(9,'change',9,NULL,'ef87254f2bff428587bd4ee689eed22a','eaea56f8275289b2b10423186d7dfaf8f88c69da339841365d96c97909209f24','0de2d9242adaaf0c5c8ac58d04e06fa9e2d244faa9f546e8584e9d316f1f294f',2);
INSERT INTO "event_link" VALUES(10,'change',10,NULL,'ef87254f2bff428587bd4ee689eed22a','0de2d9242adaaf0c5c8ac58d04e06fa9e2d244faa9f546e8584e9d316f1f294f','3833522f542325825e8ac4654be574c7b79ae0a272e0462a22b313d045321c64',2);
INSERT INTO "event_link" VALUES(11,'change',11,NULL,'ef87254f2bff428587bd4ee689eed22a','3833522f542325825e8ac4654be574c7b79ae0a272e0462a22b313d045321c64','4b3d548c156b14ddfccadcb424f038f816ae21bb4fe8c1faa746e683cd74d7d8',2);
INSERT INTO "event_link" VALUES(12,'change',12,NULL,'ef87254f2bff428587bd4ee689eed22a','4b3d548c156b14ddfccadcb424f038f816ae21bb4fe8c1faa746e683cd74d7d8','21b14c8ac101b9a38705065ac72798bf5418c32a9a2d7f64dfed84c7dd4c4942',2);
INSERT INTO "event_link" VALUES(13,'change',13,NULL,'ef87254f2bff428587bd4ee689eed22a','21b14c8ac101b9a38705065ac72798bf5418c32a9a2d7f64dfed84c7dd4c4942','4039a7963a09a0ad955620e378046f3eba8a2ac72e19d29dafe07b1ea3cd3b50',2);
INSERT INTO "event_link" VALUES(14,'change',14,NULL,'ef87254f2bff428587bd4ee689eed22a','4039a7963a09a0ad955620e378046f3eba8a2ac72e19d29dafe07b1ea3cd3b50','01757bed56740b0ce26ece43a9751c1b112bb32a786f9cf6b34e0fd54f08b03b',2);
INSERT INTO "event_link" VALUES(15,'change',15,NULL,'ef87254f2bff428587bd4ee689eed22a','01757bed56740b0ce26ece43a9751c1b112bb32a786f9cf6b34e0fd54f08b03b','060bfa4ac8cdc5c24986e8decbb02773bd93d10a9b99e306d866263180e10693',2);
INSERT INTO "event_link" VALUES(16,'change',16,NULL,'ef87254f2bff428587bd4ee689eed22a','060bfa4ac8cdc5c24986e8decbb02773bd93d10a9b99e306d866263180e10693','a15de48aa98a2e5a31dbacd1fcdc1aa7317991c347e8ce893d23dcb7cec5b36b',2);
INSERT INTO "event_link" VALUES(17,'change',17,NULL,'ef87254f2bff428587bd4ee689eed22a','a15de48aa98a2e5a31dbacd1fcdc1aa7317991c347e8ce893d23dcb7cec5b36b','bc320382499a54a4dc7cc8916ad88ce6fc72b4838eaa103c06b9403dc4b4bdba',2);
INSERT INTO "event_link" VALUES(18,'change',18,NULL,'ef87254f2bff428587bd4ee689eed22a','bc320382499a54a4dc7cc8916ad88ce6fc72b4838eaa103c06b9403dc4b4bdba','e6b03fc0495e1cf9eea745cab18d77ca0a97dd4215025dbad89b3fd706433f63',2);
INSERT INTO "event_link" VALUES(19,'change',19,NULL,'ef87254f2bff428587bd4ee689eed22a','e6b03fc0495e1cf9eea745cab18d77ca0a97dd4215025dbad89b3fd706433f63','aeae30f56c8e4b3b25914be85f1eebf1d670b061cec9fc4a8250bc1626f5e870',2);
INSERT INTO "event_link" VALUES(20,'change',20,NULL,'ef87254f2bff428587bd4ee689eed22a','aeae30f56c8e4b3b25914be85f1eebf1d670b061cec9fc4a8250bc1626f5e870','3f856da08f4ae8f6a84c53c736e1655bcc1510f323116669b914317d0ddeeb57',2);
INSERT INTO "event_link" VALUES(21,'change',21,NULL,'ef87254f2bff428587bd4ee689eed22a','3f856da08f4ae8f6a84c53c736e1655bcc1510f323116669b914317d0ddeeb57','f7c32fd5e9e48fac09eeebffc2d69dbec6509fe12ae2e6d2ddf418b1362090f3',2);
INSERT INTO "event_link" VALUES(22,'change',22,NULL,'ef87254f2bff428587bd4ee689eed22a','f7c32fd5e9e48fac09eeebffc2d69dbec6509fe12ae2e6d2ddf418b1362090f3','11a6b324e6d621b8711c43f86762088625da9eab118734673e8a68510212b4d5',2);
INSERT INTO "event_link" VALUES(23,'change',23,NULL,'ef87254f2bff428587bd4ee689eed22a','11a6b324e6d621b8711c43f86762088625da9eab118734673e8a68510212b4d5','f4e4c38dbfb6eb288de759f828462848974c8dce47dbd643bd82e36c9e793cb6',2);
INSERT INTO "event_link" VALUES(24,'change',24,NULL,'ef87254f2bff428587bd4ee689eed22a','f4e4c38dbfb6eb288de759f828462848974c8dce47dbd643bd82e36c9e793cb6','5835832049a22ca60a21b5d34130a3e2d70360cd3d0a4ea9e644645a9e7a4a1e',2);
INSERT INTO "event_link" VALUES(25,'change',25,NULL,'ef87254f2bff428587bd4ee689eed22a','5835832049a22ca60a21b5d34130a3e2d70360cd3d0a4ea9e644645a9e7a4a1e','59b06b7d34655168f622df99a4a38700721caa175daee169e8e36276672a3a0f',2);
INSERT INTO "event_link" VALUES(26,'change',26,NULL,'ef87254f2bff428587bd4ee689eed22a','59b06b7d34655168f622df99a4a38700721caa175daee169e8e36276672a3a0f','9df311934e7e46e910534264c19c1b0cafd43321b3f51391a30f57aa6b626f85',2);
INSERT INTO "event_link" VALUES(27,'change',27,NULL,'ef87254f2bff428587bd4ee689eed22a','9df311934e7e46e910534264c19c1b0cafd43321b3f51391a30f57aa6b626f85','7e81f4f40983b3af7944011cfd84ca04fa8caf90c54668fe716848a1616ca752',2);
INSERT INTO "event_link" VALUES(28,'change',28,NULL,'ef87254f2bff428587bd4ee689eed22a','7e81f4f40983b3af7944011cfd84ca04fa8caf90c54668fe716848a1616ca752','f22f86894e27f59dced7cb3558d2cb076f9ba1febaf71fcf4c7ae2a3f42bf9bf',2);
INSERT INTO "event_link" VALUES(29,'change',29,NULL,'ef87254f2bff428587bd4ee689eed22a','f22f86894e27f59dced7cb3558d2cb076f9ba1febaf71fcf4c7ae2a3f42bf9bf','f531b686e37f4eb4442bce38182469e7d67bf144e1180a3782c14bdc6f387241',2);
INSERT INTO "event_link" VALUES(30,'change',30,NULL,'ef87254f2bff428587bd4ee689eed22a','f531b686e37f4eb4442bce38182469e7d67bf144e1180a3782c14bdc6f387241','6a1e6fd46430d114083ac84cb264ee64028684007349abac3d1273f0f3c0090f',2);
INSERT INTO "event_link" VALUES(31,'change',31,NULL,'ef87254f2bff428587bd4ee689eed22a','6a1e6fd46430d114083ac84cb264ee64028684007349abac3d1273f0f3c0090f','440cdd802888701fb333aa27524026126e2d01e9f630b28e0fbb6d433c6cdc50',2);
INSERT INTO "event_link" VALUES(32,'change',32,NULL,'ef87254f2bff428587bd4ee689eed22a','440cdd802888701fb333aa27524026126e2d01e9f630b28e0fbb6d433c6cdc50','cb7e5190b123df1bf15648ef5b2475b0dfae84758121f1877cdb6cd916ce261e',2);
INSERT INTO "event_link" VALUES(33,'change',33,NULL,'ef87254f2bff428587bd4ee689eed22a','cb7e5190b123df1bf15648ef5b2475b0dfae84758121f1877cdb6cd916ce261e','0e28aeb2689ed921a0aeecc707beab793b9fd7c8744e21b28518e3b8cbf122b5',2);
INSERT INTO "event_link" VALUES(34,'change',34,NULL,'ef87254f2bff428587bd4ee689eed22a','0e28aeb2689ed921a0aeecc707beab793b9fd7c8744e21b28518e3b8cbf122b5','f9102dd1a37ac871504cdb31028a08b7eac522347caca655a459dfc3c161ee23',2);
INSERT INTO "event_link" VALUES(35,'change',35,NULL,'ef87254f2bff428587bd4ee689eed22a','f9102dd1a37ac871504cdb31028a08b7eac522347caca655a459dfc3c161ee23','a801c59f5aed203cbb58a09f4f691b85ba298d046eabaed315f611e240010438',2);
INSERT INTO "event_link" VALUES(36,'change',36,NULL,'ef87254f2bff428587bd4ee689eed22a','a801c59f5aed203cbb58a09f4f691b85ba298d046eabaed315f611e240010438','a48b986111488a379a45d9a281cdf322bfd4e540e2172df8aaaa2b1a4000a92d',2);
INSERT INTO "event_link" VALUES(37,'change',37,NULL,'ef87254f2bff428587bd4ee689eed22a','a48b986111488a379a45d9a281cdf322bfd4e540e2172df8aaaa2b1a4000a92d','48b985ceaeba4284f985aca1e1b511f489fd76b85303d839a1e3cd0a6c346d2d',2);
INSERT INTO "event_link" VALUES(38,'change',38,NULL,'ef87254f2bff428587bd4ee689eed22a','48b985ceaeba4284f985aca1e1b511f489fd76b85303d839a1e3cd0a6c346d2d','619c3fe5391ba7fb623a4f1a189818516fe07d53d8be4d65b46a5744adb93a4b',2);
INSERT INTO "event_link" VALUES(39,'change',39,NULL,'ef87254f2bff428587bd4ee689eed22a','619c3fe5391ba7fb623a4f1a189818516fe07d53d8be4d65b46a5744adb93a4b','ac6b059caeed7aeb61506bac9ad0144202d4c1861bfd32b61ac2c3be353209ec',2);
INSERT INTO "event_link" VALUES(40,'change',40,NULL,'ef87254f2bff428587bd4ee689eed22a','ac6b059caeed7aeb61506bac9ad0144202d4c1861bfd32b61ac2c3be353209ec','964fe4b5deb4e9218108fc3519c88fe93edf4a8a53df57fe4bfa092dbeda5605',2);
INSERT INTO "event_link" VALUES(41,'change',41,NULL,'ef87254f2bff428587bd4ee689eed22a','964fe4b5deb4e9218108fc3519c88fe93edf4a8a53df57fe4bfa092dbeda5605','a6ee30bf2c42275ee47780f14abea5e4c32608417ca823d12d43845822054a96',2);
INSERT INTO "event_link" VALUES(42,'change',42,NULL,'ef87254f2bff428587bd4ee689eed22a','a6ee30bf2c42275ee47780f14abea5e4c32608417ca823d12d43845822054a96','ef6b4c13c4ca3a82c211c70dc5c22c07c96d1f4ce3208f2135c6d82aaa2d02a7',2);
CREATE TABLE experiment (  -- append-only: what the lists of a log were shown for
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('ab', 'interleave', 'log')),
    method TEXT NOT NULL DEFAULT '',  -- of interleaving
    seed INTEGER,
    started TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE feature (  -- append-only: the features that this store has tables of, and what it does with them
    name TEXT NOT NULL,
    part TEXT NOT NULL,  -- their name in the feature
    sql TEXT NOT NULL,  -- that made them
    tables TEXT NOT NULL,  -- JSON, of each: what is hashed, recorded, released and erased
    PRIMARY KEY (name, part)
) STRICT;
CREATE TABLE frame_document (  -- every document that a stratified pool could have drawn, with its stratum
    pool INTEGER NOT NULL REFERENCES pool (id) ON DELETE CASCADE,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    stratum TEXT NOT NULL,
    PRIMARY KEY (pool, topic, document)
) STRICT, WITHOUT ROWID;
CREATE TABLE gold_label (  -- what assessors practise on: the right grade, and the label that says why
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    grade INTEGER NOT NULL,
    label INTEGER NOT NULL REFERENCES judgment_event (id),  -- whose note says why
    PRIMARY KEY (topic, document)
) STRICT, WITHOUT ROWID;
CREATE TABLE holder (  -- everybody who has had an assignment; written by triggers
    assignment INTEGER NOT NULL REFERENCES assignment (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    PRIMARY KEY (assignment, assessor)
) STRICT, WITHOUT ROWID;
CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- corpus, topics, runs, qrels, votes, ...
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;
INSERT INTO "import" VALUES(1,'2026-11-29T18:04:45.308+00:00','runs','["a.run"]',1,0);
INSERT INTO "import" VALUES(2,'2026-11-29T18:04:46.680+00:00','runs','["b.run"]',1,0);
INSERT INTO "import" VALUES(3,'2026-11-29T18:04:47.747+00:00','qrels','["qrels.txt"]',1,5);
INSERT INTO "import" VALUES(4,'2026-11-29T18:04:51.421+00:00','runs','["a.run"]',6,5);
INSERT INTO "import" VALUES(5,'2026-11-29T18:04:52.508+00:00','runs','["c.run"]',6,5);
INSERT INTO "import" VALUES(6,'2026-11-29T18:04:53.580+00:00','qrels','["qrels.txt"]',6,8);
INSERT INTO "import" VALUES(7,'2026-11-29T18:04:54.422+00:00','qrels','["qrels.txt"]',9,9);
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
CREATE TABLE invitation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    expires TEXT,
    revoked TEXT,
    role TEXT NOT NULL DEFAULT 'judge'
) STRICT;
CREATE TABLE judgment_event (  -- append-only: the record of everything assessors did
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note', 'adjudicate', 'import')),
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
    supersedes INTEGER REFERENCES judgment_event (id),  -- the event that this one takes back
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after the document was drawn
    highlight_terms TEXT NOT NULL DEFAULT '',  -- the assessor's own, while marked
    docno_shown INTEGER NOT NULL DEFAULT 0 CHECK (docno_shown IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    previous TEXT NOT NULL DEFAULT '',  -- the hash of the event before it there
    hash TEXT NOT NULL DEFAULT '',  -- of `previous` and all that the event says
    rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2))  -- by which it is hashed
) STRICT;
INSERT INTO "judgment_event" VALUES(1,'16341559b17b4fc69e3670fbfa533432','2026-11-29T18:04:47.963+00:00','import',1,1,1,1,0,'','',NULL,'0',NULL,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,NULL,'',0,'',0,'148d6587f663443fb24e718211063b70','','5de51d889440757050a094038b456b0178ca8e94ab6244b3b120b9a26a054eac',2);
INSERT INTO "judgment_event" VALUES(2,'a504fe2a80594b02b0c1c05241e54b17','2026-11-29T18:04:47.964+00:00','import',1,2,1,0,0,'','',NULL,'0',NULL,NULL,'',NULL,'534b7656c74b9f8181d1be6fd8bb8eb6e5a67d37243aa4c3fb2c604f266f52c3',NULL,NULL,'',0,'',0,'148d6587f663443fb24e718211063b70','5de51d889440757050a094038b456b0178ca8e94ab6244b3b120b9a26a054eac','04c8a9d2b7bb0b4ea809a926e17cf116e682430058efb5f61b6ef8ba002ef28b',2);
INSERT INTO "judgment_event" VALUES(3,'a5ceba57775a4d12bb5f57276856d02f','2026-11-29T18:04:47.964+00:00','import',1,4,1,1,0,'','',NULL,'0',NULL,NULL,'',NULL,'2fff8d683170da99559b8547d11d40cf4bea5946ee63f9730cb14df8525015ee',NULL,NULL,'',0,'',0,'148d6587f663443fb24e718211063b70','04c8a9d2b7bb0b4ea809a926e17cf116e682430058efb5f61b6ef8ba002ef28b','a0d6153d08195d76aac2a9201a792372301c4e2614b3b9984364b137276c3bd1',2);
INSERT INTO "judgment_event" VALUES(4,'7d14389f3d9f48959c9a57da2e601dea','2026-11-29T18:04:47.964+00:00','import',2,2,1,1,0,'','',NULL,'0',NULL,NULL,'',NULL,'534b7656c74b9f8181d1be6fd8bb8eb6e5a67d37243aa4c3fb2c604f266f52c3',NULL,NULL,'',0,'',0,'148d6587f663443fb24e718211063b70','a0d6153d08195d76aac2a9201a792372301c4e2614b3b9984364b137276c3bd1','b69a3827b8cccc9f63d94f715a7db90b937286f934899e65b158b4a89b33686a',2);
INSERT INTO "judgment_event" VALUES(5,'a27b76f7fa9f491c913999dbf9591f36','2026-11-29T18:04:47.964+00:00','import',2,7,1,0,0,'','',NULL,'0',NULL,NULL,'',NULL,'2d9075ad51a1aee779e998a81800b1362c0fd67bc501c1b695e30ee1aad81612',NULL,NULL,'',0,'',0,'148d6587f663443fb24e718211063b70','b69a3827b8cccc9f63d94f715a7db90b937286f934899e65b158b4a89b33686a','9d5b4dd7a73a3e83da605c617c415d1f762f024734b36851074638c362d53b00',2);
INSERT INTO "judgment_event" VALUES(6,'f5f45f2102a94cdfb7afb756192fbfff','2026-11-29T18:04:53.701+00:00','import',1,8,1,1,0,'','',NULL,'0',NULL,NULL,'',NULL,'aa384345309ee2ef790f854f3f6de1f570a267c72d3beff2e7713d85cf709ea7',NULL,NULL,'',0,'',0,'298cd518370c4f4d89ab6f003d1b2b49','','63f7bbdac2b347ff7e054a46fe529d9e43ab07ed0711899d5ddd5a0c93af60f5',2);
INSERT INTO "judgment_event" VALUES(7,'075296711383497399fafca48cdbea39','2026-11-29T18:04:53.701+00:00','import',1,9,1,0,0,'','',NULL,'0',NULL,NULL,'',NULL,'1fa46532fc6e4a5507bbfa243f5354da07279c7beb0697ade1038d137eb49cbf',NULL,NULL,'',0,'',0,'298cd518370c4f4d89ab6f003d1b2b49','63f7bbdac2b347ff7e054a46fe529d9e43ab07ed0711899d5ddd5a0c93af60f5','ef84a19bc8ea8f3eda1c79b2618a6cca508feaaa8842dbdf6a1188fada2a5d54',2);
INSERT INTO "judgment_event" VALUES(8,'6ba71608ab454d4da57569df174be826','2026-11-29T18:04:53.701+00:00','import',2,8,1,0,0,'','',NULL,'0',NULL,NULL,'',NULL,'aa384345309ee2ef790f854f3f6de1f570a267c72d3beff2e7713d85cf709ea7',NULL,NULL,'',0,'',0,'298cd518370c4f4d89ab6f003d1b2b49','ef84a19bc8ea8f3eda1c79b2618a6cca508feaaa8842dbdf6a1188fada2a5d54','49f8801608e51618d2af8762d60d6f4ef1873ea9c43103a685cc165976331112',2);
INSERT INTO "judgment_event" VALUES(9,'930eb8583b874cb4a55c4351c8f97579','2026-11-29T18:04:54.473+00:00','import',2,3,1,1,0,'','',NULL,'0',NULL,NULL,'',NULL,'62699622fca56703a957c7cdc0110af77d5d36c1737de327caad9236abfc534f',NULL,NULL,'',0,'',0,'c268e9a5a7c24eee894c8c635dd014e1','','163cc9bc0c3cfcdcad862c544855a34074a1974f9ef0cae38d91860a5f4a0065',2);
CREATE TABLE label_choice (  -- append-only: whose labels count where several differ; the last row holds
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    assessor INTEGER REFERENCES assessor (id),  -- whose labels alone count
    policy TEXT CHECK (assessor IS NULL OR policy IS NULL),  -- what decides; without both nothing is chosen
    reason TEXT NOT NULL
) STRICT;
CREATE TABLE log_file (  -- files that were imported, all of whose lists are in the log
    sha256 TEXT PRIMARY KEY,  -- of their bytes, and of how they were read
    lists INTEGER NOT NULL,
    notes TEXT NOT NULL  -- JSON: what was said of them
) STRICT, WITHOUT ROWID;
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
CREATE TABLE model_request (  -- append-only: what is sent to a server, recorded before it is sent
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,  -- UTC
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    task TEXT NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    subject TEXT NOT NULL,  -- what is asked about: a docno, an answer, ...
    request_sha256 TEXT NOT NULL  -- of model, URL, parameters and messages
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
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('support', 'partial_support', 'not_support')),
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
CREATE TABLE origin (  -- append-only: where events came into being; each has a chain of its own
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('store', 'bundle', 'import', 'earlier')),  -- earlier: before there were chains
    name TEXT NOT NULL,  -- of the file, where there is one
    made TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "origin" VALUES('ef87254f2bff428587bd4ee689eed22a','store','','2026-11-29T18:04:44.510+00:00');
INSERT INTO "origin" VALUES('148d6587f663443fb24e718211063b70','import','','2026-11-29T18:04:47.963+00:00');
INSERT INTO "origin" VALUES('298cd518370c4f4d89ab6f003d1b2b49','import','','2026-11-29T18:04:53.700+00:00');
INSERT INTO "origin" VALUES('c268e9a5a7c24eee894c8c635dd014e1','import','','2026-11-29T18:04:54.473+00:00');
CREATE TABLE passage_build (  -- one row, where the documents are passages: what they were cut from
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at TEXT NOT NULL,  -- UTC
    name TEXT NOT NULL,  -- of the collection
    head TEXT NOT NULL,  -- of its log then
    options TEXT NOT NULL  -- JSON: by, window, stride, words, language, separator
) STRICT;
CREATE TABLE picture (
    id INTEGER PRIMARY KEY,
    import INTEGER REFERENCES import (id),  -- that brought it first
    sha256 TEXT NOT NULL UNIQUE,  -- in hexadecimal: of its bytes
    type TEXT NOT NULL CHECK (type IN ('png', 'jpeg', 'gif', 'webp')),
    data BLOB NOT NULL
) STRICT;
CREATE TABLE plan (  -- how work was distributed, and what was drawn before anybody judged
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,  -- UTC
    pool INTEGER NOT NULL REFERENCES pool (id),
    overlap REAL NOT NULL,  -- the share of the pairs that a second assessor judges too
    repeats INTEGER NOT NULL,  -- the documents a topic that one assessor is shown twice
    seed INTEGER NOT NULL,  -- of both samples
    lease INTEGER NOT NULL,  -- seconds without a sign of life after which claimed work is free again
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1))  -- 1: its topics stay with its pool; 0: the newest
) STRICT;
CREATE TABLE pool (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    parameters TEXT NOT NULL,  -- JSON
    seed INTEGER,
    version TEXT NOT NULL,  -- of the program that built it
    created TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "pool" VALUES(1,'depth','{"depth": 2, "runs": ["a", "b"]}',NULL,'0.1.0','2026-11-29T18:04:49.754+00:00');
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
INSERT INTO "pool_document" VALUES(1,1,1,1,'["a"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,1,2,2,'["a"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,1,4,1,'["b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,1,6,2,'["b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,2,2,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,2,5,2,'["a"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,2,7,1,'["b"]',NULL,NULL);
CREATE TABLE pool_heard (  -- the judgments that were new to such a pool at a step
    pool INTEGER NOT NULL REFERENCES pool (id),
    step INTEGER NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    relevant INTEGER CHECK (relevant IN (0, 1)),  -- NULL: the judgment was taken back
    PRIMARY KEY (pool, step, topic, document)
) STRICT, WITHOUT ROWID;
CREATE TABLE pool_step (  -- when a topic of a pool that listens to judgments could get documents
    pool INTEGER NOT NULL REFERENCES pool (id),
    step INTEGER NOT NULL,  -- 1, 2, ...; several topics may share one
    topic INTEGER NOT NULL REFERENCES topic (id),
    room INTEGER NOT NULL,  -- how many might come: for the topic or, where topics compete, for all of the step
    PRIMARY KEY (pool, step, topic)
) STRICT, WITHOUT ROWID;
CREATE TABLE practice_label (  -- append-only: the grades that assessors gave while they practised; none of them counts
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    grade INTEGER NOT NULL,
    gold INTEGER NOT NULL  -- the right grade at that time
) STRICT;
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
CREATE TABLE prompt (  -- append-only: what models were asked with
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,  -- of all that follows
    name TEXT NOT NULL,
    task TEXT NOT NULL,  -- relevance, ...
    version INTEGER NOT NULL,
    content TEXT NOT NULL,  -- JSON: its texts, the grammar of answers, the scale
    source TEXT NOT NULL
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
CREATE TABLE query (  -- append-only: what users typed
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE question (  -- append-only: what assessors ask the organiser about topics, and the answers
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),  -- who asked
    text TEXT NOT NULL,
    answers INTEGER REFERENCES question (id)  -- the question to which this is the organiser's answer
) STRICT;
CREATE TABLE ranking (  -- what a run retrieved for a topic, in canonical order
    run INTEGER NOT NULL REFERENCES run (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    documents BLOB NOT NULL,  -- document.id, little-endian 32-bit integers
    scores BLOB NOT NULL,  -- as submitted, little-endian 64-bit floats
    PRIMARY KEY (run, topic)
) STRICT;
INSERT INTO "ranking" VALUES(1,1,X'01000000020000000300000004000000',X'000000000000224000000000000020400000000000001C400000000000001840');
INSERT INTO "ranking" VALUES(1,2,X'020000000500000001000000',X'000000000000224000000000000020400000000000001C40');
INSERT INTO "ranking" VALUES(2,1,X'0400000006000000',X'00000000000022400000000000002040');
INSERT INTO "ranking" VALUES(2,2,X'0700000002000000',X'00000000000022400000000000002040');
INSERT INTO "ranking" VALUES(3,1,X'0B000000080000000200000009000000',X'000000000000224000000000000020400000000000001C400000000000001840');
INSERT INTO "ranking" VALUES(3,2,X'0500000008000000',X'00000000000022400000000000002040');
INSERT INTO "ranking" VALUES(4,1,X'090000000300000001000000',X'000000000000224000000000000020400000000000001C40');
CREATE TABLE redaction (  -- append-only: the rows in which something was erased
    log TEXT NOT NULL,  -- the table
    item TEXT NOT NULL,  -- the number or id of the row
    erasure INTEGER NOT NULL REFERENCES erasure (id),
    kept TEXT NOT NULL,  -- its seal; of what was hashed whole, the hash of what remains
    PRIMARY KEY (log, item, erasure)
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
INSERT INTO "release" VALUES(1,'1.0','2026-11-29','','2026-11-29T18:04:55.787+00:00','0.1.0','0bb29bf1e74a6cface0d10fb0480defdc7773bc62601cd0e6617d5279b18331d','{"documents": 11, "topics": 2, "runs": 4, "judgments": 5}','{"import": 7, "removal": 0, "topic": 2, "document": 11, "run": 4, "pool": 1, "withdrawal": 1, "renamed": 1, "topic_set": 0, "plan": 0, "criterion": 0, "judgment_event": 9, "event_link": 37, "change": 37, "audit": 0, "prompt": 0, "model_request": 0, "model_call": 0, "label_choice": 0, "answer": 0, "nugget": 0, "nugget_edit": 0, "nugget_event": 0, "support_event": 0, "claim": 0, "claim_event": 0, "rubric": 0, "rubric_event": 0, "correctness_event": 0, "comparison_event": 0, "practice_label": 0, "question": 0, "search_event": 0, "candidate_event": 0, "preference_event": 0, "round": 2, "round_end": 1, "same_system": 1, "withdrawn_by": 1, "task": 0, "task_phase": 0, "team": 0, "terms_accepted": 0, "submission": 0, "submission_event": 0, "withdrawal_request": 0}','{"collection": [["id", "name", "description", "licence", "created", "grades", "min_relevant", "guidelines", "origin", "rule"], [1, "track", "", "", "2026-11-29T18:04:43.997+00:00", "{\"0\": \"no\", \"1\": \"yes\"}", 1, "", "ef87254f2bff428587bd4ee689eed22a", 2]], "origin": [["id", "kind", "name", "made"], ["ef87254f2bff428587bd4ee689eed22a", "store", "", "2026-11-29T18:04:44.510+00:00"], ["148d6587f663443fb24e718211063b70", "import", "", "2026-11-29T18:04:47.963+00:00"], ["298cd518370c4f4d89ab6f003d1b2b49", "import", "", "2026-11-29T18:04:53.700+00:00"], ["c268e9a5a7c24eee894c8c635dd014e1", "import", "", "2026-11-29T18:04:54.473+00:00"]], "run": [["id", "tag", "team", "kind", "description", "pooled", "depth", "file", "sha256", "imported", "import", "metadata", "round", "submitted"], [1, "a", "a", "automatic", "", 1, null, "a.run", "205be419b3649e8ea5fb0c7ee4ace601916aaf95cae1575ac8c8cee208de2a45", "2026-11-29T18:04:45.742+00:00", 1, null, null, null], [2, "b", "b", "automatic", "", 1, null, "b.run", "e60d4a38db6314c3c0fb8c29b600597a1880e26be5f42e8780c55a211b6655ac", "2026-11-29T18:04:47.136+00:00", 2, null, null, null], [3, "2/a", "a", "automatic", "", 1, null, "a.run", "d6bf30794347adb84cd25978dae1967d5eca523f24c6264702aed9a5b427b729", "2026-11-29T18:04:51.835+00:00", 4, null, 2, "a"], [4, "c", "c", "automatic", "", 1, null, "c.run", "22de3b12af423c8897831822c0f4440ef8e5410353362f9a3bbbdccd4802858c", "2026-11-29T18:04:52.973+00:00", 5, null, 2, null]], "pool": [["id", "method", "parameters", "seed", "version", "created"], [1, "depth", "{\"depth\": 2, \"runs\": [\"a\", \"b\"]}", null, "0.1.0", "2026-11-29T18:04:49.754+00:00"]], "assessor": [["id", "name", "kind", "repeats", "uid"], [1, "ada", "human", null, "0be956f948904b3f9d4cb6bbbc912871"], [2, "eve", "human", null, "eb5d780ffdd34ea7aa7309cc52abcaba"]], "plan": [["id", "made", "pool", "overlap", "repeats", "seed", "lease", "pinned"]], "assignment": [["id", "plan", "topic", "role", "assessor", "lease", "cannot_judge"]], "holder": [["assignment", "assessor"]], "bundle": [["id", "assessor", "made"]], "model_setting": [["assessor", "task", "model", "prompt", "parameters", "made"]], "answer_run": [["id", "tag", "team", "kind", "description", "file", "imported"]], "gold_label": [["topic", "document", "grade", "label"]], "searcher": [["assessor", "at"]], "variation": [["topic", "vid", "query", "count"]], "passage_build": [["id", "at", "name", "head", "options"]], "shown_field": [["id", "name", "type"]], "preference_pair": [["assessor", "topic", "first", "second", "source", "made"]], "published_log": [["origin", "events", "head", "chains"]], "pool_document": [["pool", "topic", "document", "depth", "runs", "stratum", "probability"]], "pool_step": [["pool", "step", "topic", "room"]], "pool_heard": [["pool", "step", "topic", "document", "relevant"]]}','{"collection": [["id", "name", "description", "licence", "created", "grades", "min_relevant", "guidelines", "origin", "rule"], "92a564f6196a85617802614f429946cbb4dd3982874207bb8258d898f7eae2dc"], "origin": [["id", "kind", "name", "made"], "01b3c4d0125556ae94c457455a4bcf48ec8b1fd7ccc240e8b5ad60de9de6b907"], "import": [["id", "at", "kind", "files", "first_event", "last_event"], "313c419b07d4e581fe5da1539eb1026bb87554240831154e54b489e2c035d494"], "removal": [["id", "at", "kind", "name", "what", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "topic": [["id", "qid", "title", "description", "narrative", "metadata", "removed", "import"], "c6120be74b06f3907ce9e6a8979048ac0e120263ff382ff4cb8b20362853bbad"], "document": [["id", "docno", "title", "url", "metadata", "sha256", "removed", "import"], "2470438a060087afd179505c1c3cc58502fc13e08e62a2426b0e0164a1bd183e"], "run": [["id", "tag", "team", "kind", "description", "pooled", "depth", "file", "sha256", "imported", "import", "metadata", "round", "submitted"], "d545b8cc4803b55e0561df37db2fc65d60cb7510534c35b3fa97dc1f13ed9c0f"], "ranking": [["run", "topic", "documents", "scores"], "700619869f396d5b9924ecb4fadac611cca718e7915ff1b6c5f29cd4e7d1fb94"], "pool": [["id", "method", "parameters", "seed", "version", "created"], "d037658a0023380c0239e7573d3bcd19ad8af8b8ba0aae7b45bd7535f7d1036c"], "pool_document": [["pool", "topic", "document", "depth", "runs", "stratum", "probability"], "5e82eb5cc6a80d5fb3018693173cc9cbd3f310d7a4ffb5c36ea6ffde4a6c1a27"], "frame_document": [["pool", "topic", "document", "stratum"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "pool_step": [["pool", "step", "topic", "room"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "pool_heard": [["pool", "step", "topic", "document", "relevant"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "withdrawal": [["id", "at", "what", "item", "name", "reason", "restores"], "48b0212105574a413a735d434d047337254a8cb9da3daac07dcbfd81c07c26e0"], "renamed": [["id", "round", "old", "new"], "71bf3feac8f66703e83d59c89567a1b04b91c8499bf4e9b62da01e5d4be9f43f"], "topic_set": [["id", "at", "name", "version", "topics", "origin"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "assessor": [["id", "name", "kind", "repeats", "uid"], "b597a996a530a889725d249fa26f9b0644626494840da2c2f7c6804ca463d451"], "plan": [["id", "made", "pool", "overlap", "repeats", "seed", "lease", "pinned"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "assignment": [["id", "plan", "topic", "role", "assessor", "lease", "cannot_judge"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "holder": [["assignment", "assessor"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "sampled": [["topic", "document", "purpose", "plan"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "criterion": [["id", "at", "topic", "assessor", "text"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "judgment_event": [["id", "hash"], "02e75347ba7eb75f555a00d108729bc4f16d9043a800e09f0c85883bf68649cf"], "event_link": [["id", "log", "event", "import", "origin", "previous", "hash", "rule"], "efc3caedd0d62b21be9be7bdeb9811b4d206dc4e93aa2611a52b8a7965b98605"], "change": [["id", "at", "kind", "name", "said", "sealed"], "fca205288597d75de4b220a1f78dc2dbd5ac521e89a4af81b573591993300921"], "bundle": [["id", "assessor", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "audit": [["id", "model", "assessor", "unit", "strata_by", "seed", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "audit_stratum": [["audit", "stratum", "units"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "audited": [["audit", "topic", "document", "stratum"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "prompt": [["id", "sha256", "name", "task", "version", "content", "source"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "model_setting": [["assessor", "task", "model", "prompt", "parameters", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "model_request": [["id", "at", "assessor", "task", "topic", "subject", "request_sha256"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "model_call": [["id", "at", "request", "reused", "assessor", "task", "topic", "document", "subject", "prompt", "document_sha256", "model", "answered_by", "host", "parameters", "request_sha256", "answer", "reasoning", "finish_reason", "tokens_in", "tokens_out", "cost", "seconds", "attempt", "status", "outcome", "reason", "parser", "characters_cut", "addresses_judge"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "audited_topic": [["audit", "topic", "labels"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "label_choice": [["id", "at", "assessor", "policy", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "answer_run": [["id", "tag", "team", "kind", "description", "file", "imported"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "answer": [["id", "run", "topic", "documents", "metadata", "sha256", "import"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "sentence": [["answer", "position", "text", "citations"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "nugget": [["id", "at", "topic", "text", "author", "contributors", "place"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "nugget_edit": [["id", "event_id", "at", "kind", "nugget", "assessor", "replaces", "seconds", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "nugget_event": [["id", "event_id", "at", "kind", "answer", "nugget", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "support_event": [["id", "event_id", "at", "kind", "answer", "sentence", "citations", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "claim": [["id", "at", "topic", "answer", "position", "text", "author", "version", "evidence", "import"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "claim_event": [["id", "event_id", "at", "kind", "answer", "claim", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "rubric": [["id", "at", "topic", "position", "text", "weight", "author", "version", "import"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "rubric_event": [["id", "event_id", "at", "kind", "answer", "rubric", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "correctness_event": [["id", "event_id", "at", "kind", "answer", "claim", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "comparison_event": [["id", "event_id", "at", "kind", "answer", "other", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "gold_label": [["topic", "document", "grade", "label"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "practice_label": [["id", "event_id", "at", "topic", "document", "assessor", "grade", "gold"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "question": [["id", "event_id", "at", "topic", "assessor", "text", "answers"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "searcher": [["assessor", "at"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "search_event": [["id", "event_id", "at", "topic", "assessor", "query", "engine", "version", "shown", "seconds"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "candidate_event": [["id", "event_id", "at", "kind", "qid", "assessor", "texts", "document", "grade", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "variation": [["topic", "vid", "query", "count"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "passage_build": [["id", "at", "name", "head", "options"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "corpus_source": [["id", "import", "source", "wanted", "fields", "sha256", "documents", "kept"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "shown_field": [["id", "name", "type"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "picture": [["id", "import", "sha256", "type", "data"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "preference_pair": [["assessor", "topic", "first", "second", "source", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "preference_event": [["id", "event_id", "at", "kind", "topic", "first", "second", "assessor", "choice", "reason", "note", "evidence", "seconds", "position", "order_seed", "document_sha256", "input", "fast", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "published_log": [["origin", "events", "head", "chains"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "round": [["id", "name", "opened", "first_event", "topics", "documents", "documents_sha256"], "240ddb65d7bbc4d5d19b109ec382fc346a8154246ce60e1c584dc9e1ba6249fc"], "round_end": [["id", "closed"], "87f66aef8e80ebe364ff3b0a25ed1829d701c6ee9296c8dca96ae190f1debb76"], "round_import": [["id", "round"], "ed438dace6432c1fc14d4e7395271ffcf1128156b42933bbb6b7c4861fafcdfe"], "same_system": [["id", "at", "run", "earlier"], "537a8aa691f15c631c4a6cf7cfb2ecabfc8f4feb63dcec808928240e3a5f1091"], "withdrawn_by": [["id", "assessor"], "0f99aed32426007c8506b83fccbdc38cffbf39d424ca937978c6d04e4c9273e7"], "task": [["id", "at", "text"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "task_phase": [["id", "at", "phase", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "team": [["id", "at", "name"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "terms_accepted": [["id", "at", "team", "sha256"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "submission": [["id", "team", "tag", "at", "received", "late", "bytes", "sha256", "unpacked", "unpacked_sha256", "priority", "metadata"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "submission_event": [["id", "at", "submission", "kind", "said"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "withdrawal_request": [["id", "at", "submission", "kind", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"]}','7f745710740380cfeed2b4665a100b9556adfd3b2fbdaed74d21dd2dcc3dc897');
INSERT INTO "release" VALUES(2,'1.1','2026-11-29','','2026-11-29T18:04:59.809+00:00','0.1.0','0bb29bf1e74a6cface0d10fb0480defdc7773bc62601cd0e6617d5279b18331d','{"documents": 11, "topics": 2, "runs": 4, "judgments": 9}','{"import": 7, "removal": 0, "topic": 2, "document": 11, "run": 4, "pool": 1, "withdrawal": 3, "renamed": 1, "topic_set": 0, "plan": 0, "criterion": 0, "judgment_event": 9, "event_link": 42, "change": 42, "audit": 0, "prompt": 0, "model_request": 0, "model_call": 0, "label_choice": 0, "answer": 0, "nugget": 0, "nugget_edit": 0, "nugget_event": 0, "support_event": 0, "claim": 0, "claim_event": 0, "rubric": 0, "rubric_event": 0, "correctness_event": 0, "comparison_event": 0, "practice_label": 0, "question": 0, "search_event": 0, "candidate_event": 0, "preference_event": 0, "round": 2, "round_end": 2, "same_system": 1, "withdrawn_by": 3, "task": 0, "task_phase": 0, "team": 0, "terms_accepted": 0, "submission": 0, "submission_event": 0, "withdrawal_request": 0}','{"collection": [["id", "name", "description", "licence", "created", "grades", "min_relevant", "guidelines", "origin", "rule"], [1, "track", "", "", "2026-11-29T18:04:43.997+00:00", "{\"0\": \"no\", \"1\": \"yes\"}", 1, "", "ef87254f2bff428587bd4ee689eed22a", 2]], "origin": [["id", "kind", "name", "made"], ["ef87254f2bff428587bd4ee689eed22a", "store", "", "2026-11-29T18:04:44.510+00:00"], ["148d6587f663443fb24e718211063b70", "import", "", "2026-11-29T18:04:47.963+00:00"], ["298cd518370c4f4d89ab6f003d1b2b49", "import", "", "2026-11-29T18:04:53.700+00:00"], ["c268e9a5a7c24eee894c8c635dd014e1", "import", "", "2026-11-29T18:04:54.473+00:00"]], "run": [["id", "tag", "team", "kind", "description", "pooled", "depth", "file", "sha256", "imported", "import", "metadata", "round", "submitted"], [1, "a", "a", "automatic", "", 1, null, "a.run", "205be419b3649e8ea5fb0c7ee4ace601916aaf95cae1575ac8c8cee208de2a45", "2026-11-29T18:04:45.742+00:00", 1, null, null, null], [2, "b", "b", "automatic", "", 1, null, "b.run", "e60d4a38db6314c3c0fb8c29b600597a1880e26be5f42e8780c55a211b6655ac", "2026-11-29T18:04:47.136+00:00", 2, null, null, null], [3, "2/a", "a", "automatic", "", 1, null, "a.run", "d6bf30794347adb84cd25978dae1967d5eca523f24c6264702aed9a5b427b729", "2026-11-29T18:04:51.835+00:00", 4, null, 2, "a"], [4, "c", "c", "automatic", "", 1, null, "c.run", "22de3b12af423c8897831822c0f4440ef8e5410353362f9a3bbbdccd4802858c", "2026-11-29T18:04:52.973+00:00", 5, null, 2, null]], "pool": [["id", "method", "parameters", "seed", "version", "created"], [1, "depth", "{\"depth\": 2, \"runs\": [\"a\", \"b\"]}", null, "0.1.0", "2026-11-29T18:04:49.754+00:00"]], "assessor": [["id", "name", "kind", "repeats", "uid"], [1, "ada", "human", null, "0be956f948904b3f9d4cb6bbbc912871"], [2, "eve", "human", null, "eb5d780ffdd34ea7aa7309cc52abcaba"]], "plan": [["id", "made", "pool", "overlap", "repeats", "seed", "lease", "pinned"]], "assignment": [["id", "plan", "topic", "role", "assessor", "lease", "cannot_judge"]], "holder": [["assignment", "assessor"]], "bundle": [["id", "assessor", "made"]], "model_setting": [["assessor", "task", "model", "prompt", "parameters", "made"]], "answer_run": [["id", "tag", "team", "kind", "description", "file", "imported"]], "gold_label": [["topic", "document", "grade", "label"]], "searcher": [["assessor", "at"]], "variation": [["topic", "vid", "query", "count"]], "passage_build": [["id", "at", "name", "head", "options"]], "shown_field": [["id", "name", "type"]], "preference_pair": [["assessor", "topic", "first", "second", "source", "made"]], "published_log": [["origin", "events", "head", "chains"]], "pool_document": [["pool", "topic", "document", "depth", "runs", "stratum", "probability"]], "pool_step": [["pool", "step", "topic", "room"]], "pool_heard": [["pool", "step", "topic", "document", "relevant"]]}','{"collection": [["id", "name", "description", "licence", "created", "grades", "min_relevant", "guidelines", "origin", "rule"], "92a564f6196a85617802614f429946cbb4dd3982874207bb8258d898f7eae2dc"], "origin": [["id", "kind", "name", "made"], "01b3c4d0125556ae94c457455a4bcf48ec8b1fd7ccc240e8b5ad60de9de6b907"], "import": [["id", "at", "kind", "files", "first_event", "last_event"], "313c419b07d4e581fe5da1539eb1026bb87554240831154e54b489e2c035d494"], "removal": [["id", "at", "kind", "name", "what", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "topic": [["id", "qid", "title", "description", "narrative", "metadata", "removed", "import"], "c6120be74b06f3907ce9e6a8979048ac0e120263ff382ff4cb8b20362853bbad"], "document": [["id", "docno", "title", "url", "metadata", "sha256", "removed", "import"], "2470438a060087afd179505c1c3cc58502fc13e08e62a2426b0e0164a1bd183e"], "run": [["id", "tag", "team", "kind", "description", "pooled", "depth", "file", "sha256", "imported", "import", "metadata", "round", "submitted"], "d545b8cc4803b55e0561df37db2fc65d60cb7510534c35b3fa97dc1f13ed9c0f"], "ranking": [["run", "topic", "documents", "scores"], "700619869f396d5b9924ecb4fadac611cca718e7915ff1b6c5f29cd4e7d1fb94"], "pool": [["id", "method", "parameters", "seed", "version", "created"], "d037658a0023380c0239e7573d3bcd19ad8af8b8ba0aae7b45bd7535f7d1036c"], "pool_document": [["pool", "topic", "document", "depth", "runs", "stratum", "probability"], "5e82eb5cc6a80d5fb3018693173cc9cbd3f310d7a4ffb5c36ea6ffde4a6c1a27"], "frame_document": [["pool", "topic", "document", "stratum"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "pool_step": [["pool", "step", "topic", "room"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "pool_heard": [["pool", "step", "topic", "document", "relevant"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "withdrawal": [["id", "at", "what", "item", "name", "reason", "restores"], "3ca0c23840de012cea78b3e46d44e1662996e1817f3d2b5b170747728f5932ce"], "renamed": [["id", "round", "old", "new"], "71bf3feac8f66703e83d59c89567a1b04b91c8499bf4e9b62da01e5d4be9f43f"], "topic_set": [["id", "at", "name", "version", "topics", "origin"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "assessor": [["id", "name", "kind", "repeats", "uid"], "b597a996a530a889725d249fa26f9b0644626494840da2c2f7c6804ca463d451"], "plan": [["id", "made", "pool", "overlap", "repeats", "seed", "lease", "pinned"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "assignment": [["id", "plan", "topic", "role", "assessor", "lease", "cannot_judge"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "holder": [["assignment", "assessor"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "sampled": [["topic", "document", "purpose", "plan"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "criterion": [["id", "at", "topic", "assessor", "text"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "judgment_event": [["id", "hash"], "02e75347ba7eb75f555a00d108729bc4f16d9043a800e09f0c85883bf68649cf"], "event_link": [["id", "log", "event", "import", "origin", "previous", "hash", "rule"], "acee31413792a4e97b2e8e76361ab54342c0ede9f4e75f1423f4db0fe2641ca6"], "change": [["id", "at", "kind", "name", "said", "sealed"], "85a8340090de3cabd46a528e7740496494ff58dc123d8ec1c6c585ea9e436d39"], "bundle": [["id", "assessor", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "audit": [["id", "model", "assessor", "unit", "strata_by", "seed", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "audit_stratum": [["audit", "stratum", "units"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "audited": [["audit", "topic", "document", "stratum"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "prompt": [["id", "sha256", "name", "task", "version", "content", "source"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "model_setting": [["assessor", "task", "model", "prompt", "parameters", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "model_request": [["id", "at", "assessor", "task", "topic", "subject", "request_sha256"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "model_call": [["id", "at", "request", "reused", "assessor", "task", "topic", "document", "subject", "prompt", "document_sha256", "model", "answered_by", "host", "parameters", "request_sha256", "answer", "reasoning", "finish_reason", "tokens_in", "tokens_out", "cost", "seconds", "attempt", "status", "outcome", "reason", "parser", "characters_cut", "addresses_judge"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "audited_topic": [["audit", "topic", "labels"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "label_choice": [["id", "at", "assessor", "policy", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "answer_run": [["id", "tag", "team", "kind", "description", "file", "imported"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "answer": [["id", "run", "topic", "documents", "metadata", "sha256", "import"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "sentence": [["answer", "position", "text", "citations"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "nugget": [["id", "at", "topic", "text", "author", "contributors", "place"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "nugget_edit": [["id", "event_id", "at", "kind", "nugget", "assessor", "replaces", "seconds", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "nugget_event": [["id", "event_id", "at", "kind", "answer", "nugget", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "support_event": [["id", "event_id", "at", "kind", "answer", "sentence", "citations", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "claim": [["id", "at", "topic", "answer", "position", "text", "author", "version", "evidence", "import"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "claim_event": [["id", "event_id", "at", "kind", "answer", "claim", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "rubric": [["id", "at", "topic", "position", "text", "weight", "author", "version", "import"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "rubric_event": [["id", "event_id", "at", "kind", "answer", "rubric", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "correctness_event": [["id", "event_id", "at", "kind", "answer", "claim", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "comparison_event": [["id", "event_id", "at", "kind", "answer", "other", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "gold_label": [["topic", "document", "grade", "label"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "practice_label": [["id", "event_id", "at", "topic", "document", "assessor", "grade", "gold"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "question": [["id", "event_id", "at", "topic", "assessor", "text", "answers"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "searcher": [["assessor", "at"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "search_event": [["id", "event_id", "at", "topic", "assessor", "query", "engine", "version", "shown", "seconds"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "candidate_event": [["id", "event_id", "at", "kind", "qid", "assessor", "texts", "document", "grade", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "variation": [["topic", "vid", "query", "count"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "passage_build": [["id", "at", "name", "head", "options"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "corpus_source": [["id", "import", "source", "wanted", "fields", "sha256", "documents", "kept"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "shown_field": [["id", "name", "type"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "picture": [["id", "import", "sha256", "type", "data"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "preference_pair": [["assessor", "topic", "first", "second", "source", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "preference_event": [["id", "event_id", "at", "kind", "topic", "first", "second", "assessor", "choice", "reason", "note", "evidence", "seconds", "position", "order_seed", "document_sha256", "input", "fast", "supersedes"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "published_log": [["origin", "events", "head", "chains"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "round": [["id", "name", "opened", "first_event", "topics", "documents", "documents_sha256"], "240ddb65d7bbc4d5d19b109ec382fc346a8154246ce60e1c584dc9e1ba6249fc"], "round_end": [["id", "closed"], "4c5e8f4ffd74b409c8c9fdfa6925a9275e8a5d59ee2fb8529c3640022ff402fe"], "round_import": [["id", "round"], "ed438dace6432c1fc14d4e7395271ffcf1128156b42933bbb6b7c4861fafcdfe"], "same_system": [["id", "at", "run", "earlier"], "537a8aa691f15c631c4a6cf7cfb2ecabfc8f4feb63dcec808928240e3a5f1091"], "withdrawn_by": [["id", "assessor"], "be62c587b9d00196cc22080d6f40b7c45d8f3ae614238490c132d7d0e996557d"], "task": [["id", "at", "text"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "task_phase": [["id", "at", "phase", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "team": [["id", "at", "name"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "terms_accepted": [["id", "at", "team", "sha256"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "submission": [["id", "team", "tag", "at", "received", "late", "bytes", "sha256", "unpacked", "unpacked_sha256", "priority", "metadata"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "submission_event": [["id", "at", "submission", "kind", "said"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "withdrawal_request": [["id", "at", "submission", "kind", "reason"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"]}','2dcefdd0e192793907338e7b30b469a7c464fad01185f1df66b04f8a3c17a478');
CREATE TABLE removal (  -- append-only: what was taken back
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- run, topic, pool, import, ...
    name TEXT NOT NULL,  -- the tag, the qid, the number
    what TEXT NOT NULL,  -- JSON, what it was; the rankings of a run are not kept
    reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE renamed (  -- append-only: documents that have another name from a round on
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    old INTEGER NOT NULL REFERENCES document (id),
    new INTEGER NOT NULL REFERENCES document (id),
    UNIQUE (round, old)
) STRICT;
INSERT INTO "renamed" VALUES(1,2,1,11);
CREATE TABLE round (  -- append-only: when each round began, and with what
    id INTEGER PRIMARY KEY,  -- 1, 2, ...: their order
    name TEXT NOT NULL UNIQUE,
    opened TEXT NOT NULL,  -- UTC
    first_event INTEGER NOT NULL,  -- judgments from this event on are of it, until the next one is opened
    topics TEXT,  -- JSON, its qids; NULL: all that had come by then
    documents BLOB,  -- document.id, little-endian 32-bit integers; NULL: all
    documents_sha256 TEXT  -- of these
) STRICT;
INSERT INTO "round" VALUES(1,'1','2026-11-29T18:04:50.291+00:00',1,NULL,NULL,NULL);
INSERT INTO "round" VALUES(2,'2','2026-11-29T18:04:50.773+00:00',6,'["1", "2"]',X'02000000030000000500000008000000090000000B000000','db0c1f2165091e6c59aaf2ebaefefa9e4f05865f1e9a9d8ad4959d927630c40f');
CREATE TABLE round_end (  -- the rounds that are closed
    id INTEGER PRIMARY KEY REFERENCES round (id),
    closed TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "round_end" VALUES(1,'2026-11-29T18:04:50.291+00:00');
INSERT INTO "round_end" VALUES(2,'2026-11-29T18:04:57.376+00:00');
CREATE TABLE round_import (  -- imports that were said to be of a round
    id INTEGER PRIMARY KEY REFERENCES import (id),
    round INTEGER NOT NULL
) STRICT;
INSERT INTO "round_import" VALUES(7,1);
CREATE TABLE rubric (  -- append-only: what is asked of every answer to a topic, each question with its weight
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    position INTEGER NOT NULL CHECK (position >= 1),
    text TEXT NOT NULL CHECK (text <> ''),
    weight REAL NOT NULL CHECK (weight > 0),
    author INTEGER NOT NULL REFERENCES assessor (id),
    version INTEGER NOT NULL,  -- of the questions of this topic; the last one counts
    import INTEGER REFERENCES import (id)
) STRICT;
CREATE TABLE rubric_event (  -- append-only: whether an answer meets a question of its rubric
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    rubric INTEGER NOT NULL REFERENCES rubric (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('yes', 'no')),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES rubric_event (id)
) STRICT;
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,  -- what it is called here: its tag, 2/tag or 2/team/tag
    team TEXT NOT NULL,
    kind TEXT NOT NULL,  -- automatic, manual, ...
    description TEXT NOT NULL,
    pooled INTEGER NOT NULL CHECK (pooled IN (0, 1)),  -- does it contribute to pools
    depth INTEGER,  -- how deep; NULL: as deep as the pool
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    imported TEXT NOT NULL,  -- UTC
    import INTEGER REFERENCES import (id),
    metadata TEXT,  -- JSON, what the ir_metadata header of its file says
    round INTEGER,  -- that it was made for; NULL: the first
    submitted TEXT  -- its tag as its team gave it, where another round or team has that too; NULL: the same
) STRICT;
INSERT INTO "run" VALUES(1,'a','a','automatic','',1,NULL,'a.run','205be419b3649e8ea5fb0c7ee4ace601916aaf95cae1575ac8c8cee208de2a45','2026-11-29T18:04:45.742+00:00',1,NULL,NULL,NULL);
INSERT INTO "run" VALUES(2,'b','b','automatic','',1,NULL,'b.run','e60d4a38db6314c3c0fb8c29b600597a1880e26be5f42e8780c55a211b6655ac','2026-11-29T18:04:47.136+00:00',2,NULL,NULL,NULL);
INSERT INTO "run" VALUES(3,'2/a','a','automatic','',1,NULL,'a.run','d6bf30794347adb84cd25978dae1967d5eca523f24c6264702aed9a5b427b729','2026-11-29T18:04:51.835+00:00',4,NULL,2,'a');
INSERT INTO "run" VALUES(4,'c','c','automatic','',1,NULL,'c.run','22de3b12af423c8897831822c0f4440ef8e5410353362f9a3bbbdccd4802858c','2026-11-29T18:04:52.973+00:00',5,NULL,2,NULL);
CREATE TABLE same_system (  -- runs of different teams or tags that are of one system, as somebody declared
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,  -- UTC
    run TEXT NOT NULL,
    earlier TEXT NOT NULL
) STRICT;
INSERT INTO "same_system" VALUES(1,'2026-11-29T18:04:54.825+00:00','c','b');
CREATE TABLE sampled (  -- documents drawn beforehand: for a second assessor, or to be shown twice to the first
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('overlap', 'repeat')),
    plan INTEGER NOT NULL REFERENCES plan (id),
    PRIMARY KEY (topic, document, purpose)
) STRICT, WITHOUT ROWID;
CREATE TABLE search_event (  -- append-only: the searches of assessors, with what they were shown
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    query TEXT NOT NULL,
    engine TEXT NOT NULL CHECK (engine IN ('text', 'learnt', 'like')),
    version TEXT NOT NULL,  -- of the program
    shown TEXT NOT NULL,  -- JSON, the docnos in the order of the list
    seconds REAL NOT NULL  -- that the search took
) STRICT;
CREATE TABLE searcher (  -- the assessors who may search, and judge what they find
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    at TEXT NOT NULL  -- UTC, since when
) STRICT;
CREATE TABLE sentence (  -- the sentences of the answers
    answer INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 1),
    text TEXT NOT NULL,
    citations TEXT NOT NULL,  -- JSON, the docnos it cites, in order, each with the stated confidence or null
    PRIMARY KEY (answer, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE serving_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
CREATE TABLE shown_field (  -- which fields of its metadata are shown with each document
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL  -- text, date, number, link
) STRICT;
CREATE TABLE submission (  -- append-only: a run as a team sent it
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    tag TEXT NOT NULL,
    at TEXT NOT NULL,  -- UTC
    received TEXT NOT NULL,  -- UTC, the last byte
    late INTEGER NOT NULL CHECK (late IN (0, 1)),
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,  -- of the file as sent
    unpacked INTEGER NOT NULL,  -- bytes
    unpacked_sha256 TEXT NOT NULL,
    priority INTEGER NOT NULL,
    metadata TEXT NOT NULL  -- JSON, what the form and the header of the file say
) STRICT;
CREATE TABLE submission_event (  -- append-only
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    submission INTEGER NOT NULL REFERENCES submission (id),
    kind TEXT NOT NULL CHECK (kind IN ('accepted', 'replaced', 'withdrawn', 'taken', 'scored')),
    said TEXT NOT NULL DEFAULT ''  -- JSON: of one that was accepted, what its receipt says
) STRICT;
CREATE TABLE submission_piece (  -- of such a file
    id INTEGER PRIMARY KEY,
    upload INTEGER NOT NULL REFERENCES submission_upload (id) ON DELETE CASCADE,
    content BLOB NOT NULL
) STRICT;
CREATE TABLE submission_upload (  -- a file that was sent; deleted when it is replaced, or withdrawn before the close
    id INTEGER PRIMARY KEY,
    submission INTEGER UNIQUE REFERENCES submission (id)  -- NULL until it is accepted
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
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN ('support', 'partial_support', 'not_support')),
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
CREATE TABLE task (  -- append-only: the versions of the task's description
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    text TEXT NOT NULL  -- TOML
) STRICT;
CREATE TABLE task_phase (  -- append-only: the phases that the organisers began, besides those that dates begin
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    phase TEXT NOT NULL CHECK (phase IN ('announced', 'topics', 'open', 'closed', 'results')),
    reason TEXT NOT NULL DEFAULT ''  -- of going back
) STRICT;
CREATE TABLE team (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE team_contact (  -- in no chain and no archive
    team INTEGER PRIMARY KEY REFERENCES team (id),
    contact TEXT NOT NULL
) STRICT;
CREATE TABLE team_link (  -- in no chain: tokens are stored as their hashes only
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    revoked TEXT  -- UTC
) STRICT;
CREATE TABLE terms_accepted (  -- append-only
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    team INTEGER NOT NULL REFERENCES team (id),
    sha256 TEXT NOT NULL  -- of the terms
) STRICT;
CREATE TABLE topic (
    id INTEGER PRIMARY KEY,
    qid TEXT NOT NULL UNIQUE,
    title TEXT,  -- NULL: known only from a run or from qrels
    description TEXT,
    narrative TEXT,
    metadata TEXT,  -- JSON
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),  -- 1: taken back
    import INTEGER REFERENCES import (id)  -- that brought its title
) STRICT;
INSERT INTO "topic" VALUES(1,'1','title 1','','',NULL,0,NULL);
INSERT INTO "topic" VALUES(2,'2','title 2','','',NULL,0,NULL);
CREATE TABLE topic_set (  -- append-only: named sets of topics; a set that changes has another version
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    topics TEXT NOT NULL,  -- JSON, the qids
    origin TEXT NOT NULL,  -- JSON, how it was made: its file, or the set, the number of folds and the seed
    UNIQUE (name, version)
) STRICT;
CREATE TABLE unrecorded (  -- what a transaction has touched; before and after one, what was changed by hand
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (kind, name)
) STRICT;
CREATE TABLE user_salt (  -- users and sessions of logs are hashed with it; their own ids are not kept
    id INTEGER PRIMARY KEY CHECK (id = 1),
    salt BLOB NOT NULL
) STRICT;
CREATE TABLE variation (  -- the queries in which people put the need of a topic
    topic INTEGER NOT NULL REFERENCES topic (id),
    vid TEXT NOT NULL,  -- runs answer it as qid/vid
    query TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0),  -- how many people put it so
    PRIMARY KEY (topic, vid)
) STRICT, WITHOUT ROWID;
CREATE TABLE withdrawal (  -- append-only: what no analysis takes any more, and what one takes again; nothing is deleted
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    what TEXT NOT NULL CHECK (what IN ('run', 'topic', 'document')),
    item INTEGER NOT NULL,  -- the number of its row
    name TEXT NOT NULL,  -- its tag, qid or docno
    reason TEXT NOT NULL,
    restores INTEGER UNIQUE REFERENCES withdrawal (id)  -- the withdrawal that this one undoes; NULL: it is one
) STRICT;
INSERT INTO "withdrawal" VALUES(1,'2026-11-29T18:04:55.255+00:00','topic',2,'2','vague',NULL);
INSERT INTO "withdrawal" VALUES(2,'2026-11-29T18:04:56.220+00:00','topic',2,'2','',1);
INSERT INTO "withdrawal" VALUES(3,'2026-11-29T18:04:56.781+00:00','run',2,'b','wrong index',NULL);
CREATE TABLE withdrawal_request (  -- append-only: a team asks for a withdrawal after the close; the organiser decides
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    submission INTEGER NOT NULL REFERENCES submission (id),
    kind TEXT NOT NULL CHECK (kind IN ('asked', 'granted', 'refused')),
    reason TEXT NOT NULL  -- the team's or, where it is decided, the organiser's
) STRICT;
CREATE TABLE withdrawn_by (  -- append-only: who withdrew something, or restored it
    id INTEGER PRIMARY KEY REFERENCES withdrawal (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id)
) STRICT;
INSERT INTO "withdrawn_by" VALUES(1,2);
INSERT INTO "withdrawn_by" VALUES(2,2);
INSERT INTO "withdrawn_by" VALUES(3,1);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX document_removed ON document (removed) WHERE removed = 1;
CREATE INDEX renamed_old ON renamed (old, round);
CREATE INDEX judgment_event_pair ON judgment_event (topic, document, assessor);
CREATE INDEX judgment_event_document ON judgment_event (document);
CREATE INDEX judgment_event_retracted ON judgment_event (supersedes) WHERE kind = 'retract';
CREATE INDEX judgment_event_about ON judgment_event (id) WHERE kind = 'import' AND evidence IS NOT NULL;
CREATE INDEX judgment_event_origin ON judgment_event (origin, id);
CREATE UNIQUE INDEX assessor_uid ON assessor (uid) WHERE uid <> '';
CREATE INDEX event_link_origin ON event_link (origin, id);
CREATE INDEX event_link_import ON event_link (import) WHERE import IS NOT NULL;
CREATE INDEX change_name ON change (kind, name);
CREATE INDEX model_call_request ON model_call (request_sha256) WHERE outcome <> 'error';
CREATE INDEX model_call_about ON model_call (assessor, task, topic, subject);
CREATE INDEX model_request_about ON model_request (assessor, task, topic, subject);
CREATE INDEX nugget_topic ON nugget (topic);
CREATE INDEX nugget_edit_nugget ON nugget_edit (nugget);
CREATE INDEX nugget_edit_retracted ON nugget_edit (supersedes) WHERE kind = 'retract';
CREATE INDEX nugget_event_item ON nugget_event (answer, nugget, assessor);
CREATE INDEX nugget_event_retracted ON nugget_event (supersedes) WHERE kind = 'retract';
CREATE INDEX support_event_item ON support_event (answer, sentence, citations, assessor);
CREATE INDEX support_event_retracted ON support_event (supersedes) WHERE kind = 'retract';
CREATE INDEX claim_event_item ON claim_event (answer, claim, assessor);
CREATE INDEX claim_event_retracted ON claim_event (supersedes) WHERE kind = 'retract';
CREATE INDEX claim_about ON claim (topic, answer);
CREATE INDEX rubric_event_item ON rubric_event (answer, rubric, assessor);
CREATE INDEX rubric_event_retracted ON rubric_event (supersedes) WHERE kind = 'retract';
CREATE INDEX correctness_event_item ON correctness_event (answer, claim, assessor);
CREATE INDEX correctness_event_retracted ON correctness_event (supersedes) WHERE kind = 'retract';
CREATE INDEX comparison_event_item ON comparison_event (answer, other, assessor);
CREATE INDEX comparison_event_retracted ON comparison_event (supersedes) WHERE kind = 'retract';
CREATE UNIQUE INDEX impression_name ON impression (name);
CREATE INDEX preference_event_pair ON preference_event (assessor, topic, first, second);
CREATE INDEX preference_event_retracted ON preference_event (supersedes) WHERE kind = 'retract';
CREATE INDEX submission_team ON submission (team, tag);
CREATE INDEX submission_piece_upload ON submission_piece (upload);
CREATE INDEX submission_event_submission ON submission_event (submission);
CREATE INDEX withdrawal_request_submission ON withdrawal_request (submission);
CREATE INDEX document_without_text ON document (removed) WHERE text IS NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('unrecorded',49);
INSERT INTO "sqlite_sequence" VALUES('change',42);
INSERT INTO "sqlite_sequence" VALUES('event_link',42);
INSERT INTO "sqlite_sequence" VALUES('import',7);
INSERT INTO "sqlite_sequence" VALUES('judgment_event',9);
INSERT INTO "sqlite_sequence" VALUES('withdrawal',3);
