PRAGMA application_id = 1129467462;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'cranfield','the_schema','2026-11-26 11:21:30.371152+00:00');
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
INSERT INTO "action" VALUES(1,1,1.0,'click',3,2,NULL,NULL);
INSERT INTO "action" VALUES(2,1,2.0,'click',3,2,NULL,NULL);
INSERT INTO "action" VALUES(3,1,3.0,'click',3,2,NULL,NULL);
INSERT INTO "action" VALUES(4,1,4.0,'click',3,2,NULL,NULL);
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
INSERT INTO "answer" VALUES(1,1,1,'["d1", "d2"]','{"k": 1}','7990e7a0cfefba776b8e1382f3c504ee7adab4a09d22e8ba9db45f5640b0e62e',8);
CREATE TABLE answer_run (  -- the runs of systems that generate answers; a run of the same tag is the same system's
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    kind TEXT NOT NULL,  -- automatic, manual, ...
    description TEXT NOT NULL,
    file TEXT NOT NULL,
    imported TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "answer_run" VALUES(1,'rag','R','automatic','','','2026-11-26T11:21:32.516+00:00');
CREATE TABLE arm (  -- append-only: the systems that an experiment compares; in interleaved lists, team a is the first
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    name TEXT NOT NULL,  -- the tag of a run, where the system has one
    UNIQUE (experiment, name)
) STRICT;
INSERT INTO "arm" VALUES(1,1,'A');
INSERT INTO "arm" VALUES(2,1,'B');
CREATE TABLE assessor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('human', 'model', 'import')),
    repeats INTEGER REFERENCES assessor (id),  -- whose consistency this name measures
    uid TEXT NOT NULL DEFAULT ''  -- random: what stands for the name in hashes
) STRICT;
INSERT INTO "assessor" VALUES(1,'import','import',NULL,'cf21439029b8419785e6119146185d90');
INSERT INTO "assessor" VALUES(2,'vic','human',NULL,'514bf60ef57e4ffd977535ed509453a2');
INSERT INTO "assessor" VALUES(3,'Ada Quillfeather','human',NULL,'d007771984ff46e9b06cc7f123aa391f');
INSERT INTO "assessor" VALUES(4,'Ada Quillfeather (repeat)','human',3,'9062d5f2433545bcaca664d27eb15229');
INSERT INTO "assessor" VALUES(5,'bob','human',NULL,'4446493f73b44f6199652c1701237b84');
INSERT INTO "assessor" VALUES(6,'bob (repeat)','human',5,'73b8396e38a5455788c41aca1755a1f6');
INSERT INTO "assessor" VALUES(7,'llm','model',NULL,'29c56dc4684d42cda74733df1d8841ab');
CREATE TABLE assessor_salt (  -- of the seals of what an assessor wrote; deleted when she is erased
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    salt BLOB NOT NULL
) STRICT;
INSERT INTO "assessor_salt" VALUES(1,X'0EFA432B17E582733AA66FF521AE8700D5496AC6E909752D369C3A942A134196');
INSERT INTO "assessor_salt" VALUES(2,X'4A8D41B0BCB7362238F81421B6473AFC14DD364C630B4F402E0E3661DA3056A8');
INSERT INTO "assessor_salt" VALUES(3,X'AA321EF7C05228E2AC53C9254620610B3E3B9B048445B25F9A622DE3A1D46957');
INSERT INTO "assessor_salt" VALUES(4,X'FC772CDAD9F0D51A0BB683CE0C3FE7A5F393898FF2FA2AAA5CC95FD370A4042E');
INSERT INTO "assessor_salt" VALUES(5,X'FB493E7FC5D19C0FACC0DE3762EC36AD55EE57E6895616E546F3D6DBB50CE48A');
INSERT INTO "assessor_salt" VALUES(6,X'C8928949D253D90B9DD47FA7D72D31EB05DC5C5DC29C2500AE6A357E62FEA963');
INSERT INTO "assessor_salt" VALUES(7,X'057E9297EA43AB0376A6833C971B2C2A51A62FEF4A27A1DF91F36714874DBEF1');
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
INSERT INTO "assignment" VALUES(1,1,1,'first',3,NULL,0);
INSERT INTO "assignment" VALUES(2,1,2,'first',5,NULL,0);
INSERT INTO "assignment" VALUES(3,1,3,'first',5,NULL,0);
INSERT INTO "assignment" VALUES(4,1,1,'second',5,NULL,0);
INSERT INTO "assignment" VALUES(5,1,2,'second',3,NULL,0);
CREATE TABLE audit (  -- a random sample of what a model labelled, judged by a person
    id INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES assessor (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),  -- who judges the sample
    unit TEXT NOT NULL CHECK (unit IN ('pair', 'topic')),  -- what was drawn
    strata_by TEXT NOT NULL CHECK (strata_by IN ('', 'grade', 'topic')),  -- empty: one stratum
    seed INTEGER NOT NULL,
    made TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "audit" VALUES(1,7,3,'pair','grade',5,'2026-11-26T11:21:32.807+00:00');
CREATE TABLE audit_stratum (  -- how many pairs or topics a sample was drawn from
    audit INTEGER NOT NULL REFERENCES audit (id),
    stratum TEXT NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (audit, stratum)
) STRICT, WITHOUT ROWID;
INSERT INTO "audit_stratum" VALUES(1,'1',1);
CREATE TABLE audited (  -- the documents of a sample
    audit INTEGER NOT NULL REFERENCES audit (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    stratum TEXT NOT NULL,
    PRIMARY KEY (audit, topic, document)
) STRICT, WITHOUT ROWID;
INSERT INTO "audited" VALUES(1,1,2,'1');
CREATE TABLE bundle (  -- one row where this store was made for one assessor to judge elsewhere
    id INTEGER PRIMARY KEY CHECK (id = 1),
    assessor TEXT NOT NULL,
    made TEXT NOT NULL  -- UTC
) STRICT;
CREATE TABLE change (  -- append-only: what decides labels, pools and who judges, each time that it changed
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL,  -- the table
    name TEXT NOT NULL,  -- of one of its rows, or of rows that were recorded together: their key
    said TEXT,  -- JSON, what it says from now on, or the hash of its rows; NULL: it is gone
    sealed TEXT NOT NULL DEFAULT ''  -- the seal of what is personal in it
) STRICT;
INSERT INTO "change" VALUES(1,'2026-11-26T11:21:30.433+00:00','collection','1','{"name": "full", "description": "about", "licence": "CC0", "created": "2026-11-26T11:21:29.434+00:00", "grades": "{\"0\": \"no\", \"1\": \"yes\", \"2\": \"very\"}", "min_relevant": 1, "guidelines": "", "origin": "4b36083690ec433fb12d54aa0927d599", "rule": 2}','');
INSERT INTO "change" VALUES(2,'2026-11-26T11:21:30.433+00:00','origin','4b36083690ec433fb12d54aa0927d599','{"kind": "store", "made": "2026-11-26T11:21:30.432+00:00"}','');
INSERT INTO "change" VALUES(3,'2026-11-26T11:21:30.604+00:00','import','1','{"at": "2026-11-26T11:21:30.532+00:00", "kind": "corpus", "files": "[\"corpus.jsonl\"]", "first_event": 1, "last_event": 0}','');
INSERT INTO "change" VALUES(4,'2026-11-26T11:21:30.604+00:00','document','0','{"rows": 9, "sha256": "cdbe19acc6cd301a650db34db6b98e1d3ff89787605fca1b2499bba8ca96c433"}','');
INSERT INTO "change" VALUES(5,'2026-11-26T11:21:30.673+00:00','import','2','{"at": "2026-11-26T11:21:30.665+00:00", "kind": "topics", "files": "[\"topics.jsonl\"]", "first_event": 1, "last_event": 0}','');
INSERT INTO "change" VALUES(6,'2026-11-26T11:21:30.673+00:00','topic','1','{"qid": "1", "title": "a", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2}','');
INSERT INTO "change" VALUES(7,'2026-11-26T11:21:30.673+00:00','topic','2','{"qid": "2", "title": "b", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2}','');
INSERT INTO "change" VALUES(8,'2026-11-26T11:21:30.673+00:00','topic','3','{"qid": "3", "title": "c", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2}','');
INSERT INTO "change" VALUES(9,'2026-11-26T11:21:30.673+00:00','topic','4','{"qid": "4", "title": "d", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2}','');
INSERT INTO "change" VALUES(10,'2026-11-26T11:21:30.901+00:00','import','3','{"at": "2026-11-26T11:21:30.882+00:00", "kind": "runs", "files": "[\"a\", \"b\", \"late.run\"]", "first_event": 1, "last_event": 0}','');
INSERT INTO "change" VALUES(11,'2026-11-26T11:21:30.901+00:00','run','1','{"tag": "a", "team": "a", "kind": "automatic", "description": "", "pooled": 1, "file": "a", "sha256": "64842add188fa74eeb06f9d6a31c162c5a9e51ae53bca0d9cd3207951365f846", "imported": "2026-11-26T11:21:30.892+00:00", "import": 3}','');
INSERT INTO "change" VALUES(12,'2026-11-26T11:21:30.901+00:00','run','2','{"tag": "b", "team": "b", "kind": "automatic", "description": "", "pooled": 1, "file": "b", "sha256": "90d8035ee6492fcc72b3266b52f6d9b76ce29d7184b4861285ca92cefc45a581", "imported": "2026-11-26T11:21:30.893+00:00", "import": 3}','');
INSERT INTO "change" VALUES(13,'2026-11-26T11:21:30.901+00:00','run','3','{"tag": "late", "team": "late", "kind": "automatic", "description": "", "pooled": 1, "file": "late.run", "sha256": "02a8b3cf73cf39c53d8781aa4b6d2149e8779252966b880a7b268a8db257dad5", "imported": "2026-11-26T11:21:30.894+00:00", "import": 3}','');
INSERT INTO "change" VALUES(14,'2026-11-26T11:21:30.901+00:00','ranking','1','{"rows": 2, "sha256": "de272cd303413b59ec77bad35fb2bcb6cdc6e118867a5ded5b223c4a39ed6401"}','');
INSERT INTO "change" VALUES(15,'2026-11-26T11:21:30.901+00:00','ranking','2','{"rows": 2, "sha256": "8ec1210f4d199230b5876734ed82c721671d86f6cf9a81b8d30adc5d9b2b1655"}','');
INSERT INTO "change" VALUES(16,'2026-11-26T11:21:30.901+00:00','ranking','3','{"rows": 2, "sha256": "a7c8b049a03c2c57332fd518e0353be55730618e6910ef659127d4234c23f8de"}','');
INSERT INTO "change" VALUES(17,'2026-11-26T11:21:30.901+00:00','document','0','{"rows": 10, "sha256": "42c487644b3258ad7f7a45cb13400d373aa7177601315bf5fabad3dd7b4491a4"}','');
INSERT INTO "change" VALUES(18,'2026-11-26T11:21:31.206+00:00','import','4','{"at": "2026-11-26T11:21:31.172+00:00", "kind": "qrels", "files": "[\"judged.txt\"]", "first_event": 1, "last_event": 2}','');
INSERT INTO "change" VALUES(19,'2026-11-26T11:21:31.206+00:00','assessor','1','{"uid": "cf21439029b8419785e6119146185d90", "kind": "import"}','607e7b1a65f86409210d91a0c04540b64c8cb40ba214d719f767368a46be7a74');
INSERT INTO "change" VALUES(20,'2026-11-26T11:21:31.206+00:00','origin','681fa9b18b0b488496848cd8da586a59','{"kind": "import", "made": "2026-11-26T11:21:31.204+00:00"}','');
INSERT INTO "change" VALUES(21,'2026-11-26T11:21:31.362+00:00','import','5','{"at": "2026-11-26T11:21:31.316+00:00", "kind": "votes", "files": "[\"votes.csv\"]", "first_event": 3, "last_event": 4}','');
INSERT INTO "change" VALUES(22,'2026-11-26T11:21:31.362+00:00','assessor','2','{"uid": "514bf60ef57e4ffd977535ed509453a2", "kind": "human"}','d99072b3b16bdaaff6120c3ad23172ffbe2c661f0d0c250b86db9492e6c5f290');
INSERT INTO "change" VALUES(23,'2026-11-26T11:21:31.362+00:00','assessor','3','{"uid": "d007771984ff46e9b06cc7f123aa391f", "kind": "human"}','53816fbd115d1e6ae1762d747cc26d7a2b4639d436339e84658358fb470e4a28');
INSERT INTO "change" VALUES(24,'2026-11-26T11:21:31.362+00:00','origin','5d9379afad9344719ceb5df556402de4','{"kind": "import", "made": "2026-11-26T11:21:31.354+00:00"}','a09a551e90f68d3f1624f381b0521ecef00a2ff5dc0f2196a3e0d2a186d7423d');
INSERT INTO "change" VALUES(25,'2026-11-26T11:21:31.496+00:00','pool','1','{"method": "mtf", "parameters": "{\"depth\": null, \"runs\": [\"a\", \"b\", \"late\"], \"considered\": 100, \"budget\": 4, \"batch\": 10, \"options\": {\"reset\": \"paper\", \"scope\": \"local\"}, \"batches\": {\"1\": [4], \"2\": [4], \"3\": [1]}}", "seed": 0, "version": "0.1.0", "created": "2026-11-26T11:21:31.489+00:00"}','');
INSERT INTO "change" VALUES(26,'2026-11-26T11:21:31.496+00:00','pool_document','1/1','{"rows": 4, "sha256": "a13263ba230b92e67ad3814fdad87d069e44efe81d48a872716556af5d161c52"}','');
INSERT INTO "change" VALUES(27,'2026-11-26T11:21:31.496+00:00','pool_document','1/2','{"rows": 4, "sha256": "10d2bcf2ddab1e1229207252d03b272535747c353f3996fb61d7b95b0690c5ce"}','');
INSERT INTO "change" VALUES(28,'2026-11-26T11:21:31.496+00:00','pool_document','1/3','{"rows": 1, "sha256": "52c026b61babb8b657b8f7a156d766651c3f23f005308bfed790c1128de8332b"}','');
INSERT INTO "change" VALUES(29,'2026-11-26T11:21:31.496+00:00','pool_step','1/1','{"rows": 3, "sha256": "985b731ca86c3df8800b8a384294565253521f24130db631e8ab35b110cce350"}','');
INSERT INTO "change" VALUES(30,'2026-11-26T11:21:31.496+00:00','pool_heard','1/1','{"rows": 3, "sha256": "4838496da435d5c3902b377860e81b10c55b9fc78f0135eec9e8f8ff2e04e0ee"}','');
INSERT INTO "change" VALUES(31,'2026-11-26T11:21:31.601+00:00','pool','2','{"method": "stratified", "parameters": "{\"depth\": null, \"runs\": [\"a\", \"b\", \"late\"], \"considered\": 3, \"budget\": 4, \"options\": {\"bounds\": \"10,30\", \"rates\": \"4,2,1\"}}", "seed": 0, "version": "0.1.0", "created": "2026-11-26T11:21:31.592+00:00"}','');
INSERT INTO "change" VALUES(32,'2026-11-26T11:21:31.601+00:00','pool_document','2/1','{"rows": 4, "sha256": "56c81272fd5b93cb0fda7f7b7bcf1eb88a32d12b5a9b9e7e5d0a55b68b4dab71"}','');
INSERT INTO "change" VALUES(33,'2026-11-26T11:21:31.601+00:00','pool_document','2/2','{"rows": 4, "sha256": "4564abb5a38c53c50175c5c7dc7cc051e7b24d0fb7c997e2dc5774934f44606b"}','');
INSERT INTO "change" VALUES(34,'2026-11-26T11:21:31.601+00:00','pool_document','2/3','{"rows": 1, "sha256": "71de36aa40fa9232706a72257677fb7655e4ffaa531ab0b58523b62f7546f9f6"}','');
INSERT INTO "change" VALUES(35,'2026-11-26T11:21:31.601+00:00','frame_document','2/1','{"rows": 5, "sha256": "6f2d149bf7881fccceacc786f2031eecaed068ec538f957eb4eecaa461b0c96f"}','');
INSERT INTO "change" VALUES(36,'2026-11-26T11:21:31.601+00:00','frame_document','2/2','{"rows": 4, "sha256": "590db48f4cb53e2078d55bbbae1d2bb48801870cd4a3c832f70b89a843441162"}','');
INSERT INTO "change" VALUES(37,'2026-11-26T11:21:31.601+00:00','frame_document','2/3','{"rows": 1, "sha256": "1340d1e7d8bee62a979b4f8e4a5ee6e7c0e0713617dba1ab4f5f92e408045eeb"}','');
INSERT INTO "change" VALUES(38,'2026-11-26T11:21:31.706+00:00','pool','3','{"method": "depth", "parameters": "{\"depth\": 3, \"runs\": [\"a\", \"b\", \"late\"]}", "version": "0.1.0", "created": "2026-11-26T11:21:31.698+00:00"}','');
INSERT INTO "change" VALUES(39,'2026-11-26T11:21:31.706+00:00','pool_document','3/1','{"rows": 5, "sha256": "d085cf983bc88d82b7ad96f6ccb177255867e4362a5509b60d321ec73bee4e37"}','');
INSERT INTO "change" VALUES(40,'2026-11-26T11:21:31.706+00:00','pool_document','3/2','{"rows": 4, "sha256": "272777ac1845c259c54837080319ff8e5d80d8463d6616b7d128d2ab20b20c92"}','');
INSERT INTO "change" VALUES(41,'2026-11-26T11:21:31.706+00:00','pool_document','3/3','{"rows": 1, "sha256": "f4a234fae06a59285c3a4a70588e474b18f671c1166d13b588b8f7e0c4186838"}','');
INSERT INTO "change" VALUES(42,'2026-11-26T11:21:32.115+00:00','import','6','{"at": "2026-11-26T11:21:32.061+00:00", "kind": "log", "files": "[\"log.jsonl\"]", "first_event": 5, "last_event": 4}','');
INSERT INTO "change" VALUES(43,'2026-11-26T11:21:32.195+00:00','import','7','{"at": "2026-11-26T11:21:32.192+00:00", "kind": "runs", "files": "[\"x.run\"]", "first_event": 5, "last_event": 4}','');
INSERT INTO "change" VALUES(44,'2026-11-26T11:21:32.195+00:00','run','4','{"tag": "x", "team": "x", "kind": "automatic", "description": "", "pooled": 1, "file": "x.run", "sha256": "2482bef7db2a1b536c749b8cedb5e19c4a38ae49f7cfc3c948628c02fb62fcee", "imported": "2026-11-26T11:21:32.194+00:00", "import": 7}','');
INSERT INTO "change" VALUES(45,'2026-11-26T11:21:32.195+00:00','ranking','4','{"rows": 2, "sha256": "fa2c923ee84db7335d39a51579c348a54575be45a5f80ba3c4a2be136096cc17"}','');
INSERT INTO "change" VALUES(46,'2026-11-26T11:21:32.295+00:00','ranking','4',NULL,'');
INSERT INTO "change" VALUES(47,'2026-11-26T11:21:32.295+00:00','run','4',NULL,'');
INSERT INTO "change" VALUES(48,'2026-11-26T11:21:32.295+00:00','removal','1','{"at": "2026-11-26T11:21:32.287+00:00", "kind": "run", "name": "x", "what": "{\"id\": 4, \"tag\": \"x\", \"team\": \"x\", \"kind\": \"automatic\", \"description\": \"\", \"pooled\": 1, \"file\": \"x.run\", \"sha256\": \"2482bef7db2a1b536c749b8cedb5e19c4a38ae49f7cfc3c948628c02fb62fcee\", \"imported\": \"2026-11-26T11:21:32.194+00:00\", \"import\": 7, \"rankings\": 2}", "reason": ""}','');
INSERT INTO "change" VALUES(49,'2026-11-26T11:21:32.338+00:00','topic','4','{"qid": "4", "removed": 1}','');
INSERT INTO "change" VALUES(50,'2026-11-26T11:21:32.338+00:00','removal','2','{"at": "2026-11-26T11:21:32.337+00:00", "kind": "topic", "name": "4", "what": "{\"id\": 4, \"qid\": \"4\", \"title\": \"d\", \"description\": \"d\", \"narrative\": \"n\", \"metadata\": \"{\\\"k\\\": 1}\", \"removed\": 0, \"import\": 2, \"rankings\": 0}", "reason": ""}','');
INSERT INTO "change" VALUES(51,'2026-11-26T11:21:32.420+00:00','plan','1','{"made": "2026-11-26T11:21:32.412+00:00", "pool": 3, "overlap": 0.5, "repeats": 1, "seed": 0, "lease": 86400, "pinned": 0}','');
INSERT INTO "change" VALUES(52,'2026-11-26T11:21:32.420+00:00','assessor','4','{"uid": "9062d5f2433545bcaca664d27eb15229", "kind": "human", "repeats": 3}','73f0f0bace78c8957b7eac060d8e4906284cbb293275a629105c67e63a6d08f3');
INSERT INTO "change" VALUES(53,'2026-11-26T11:21:32.420+00:00','assessor','5','{"uid": "4446493f73b44f6199652c1701237b84", "kind": "human"}','7cab884ec2653a1418e615465bac5eeefa74c134a3e60ba7399a61d80adb05ab');
INSERT INTO "change" VALUES(54,'2026-11-26T11:21:32.420+00:00','assessor','6','{"uid": "73b8396e38a5455788c41aca1755a1f6", "kind": "human", "repeats": 5}','759fba27a3eca988fb501b1fe876a941648c5779528a8586f4661438fe4f6d2b');
INSERT INTO "change" VALUES(55,'2026-11-26T11:21:32.420+00:00','assignment','1','{"plan": 1, "topic": 1, "role": "first", "assessor": 3, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(56,'2026-11-26T11:21:32.420+00:00','holder','1/3','{"assessor": 3}','');
INSERT INTO "change" VALUES(57,'2026-11-26T11:21:32.420+00:00','assignment','2','{"plan": 1, "topic": 2, "role": "first", "assessor": 5, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(58,'2026-11-26T11:21:32.420+00:00','holder','2/5','{"assessor": 5}','');
INSERT INTO "change" VALUES(59,'2026-11-26T11:21:32.420+00:00','assignment','3','{"plan": 1, "topic": 3, "role": "first", "assessor": 5, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(60,'2026-11-26T11:21:32.420+00:00','holder','3/5','{"assessor": 5}','');
INSERT INTO "change" VALUES(61,'2026-11-26T11:21:32.420+00:00','assignment','4','{"plan": 1, "topic": 1, "role": "second", "assessor": 5, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(62,'2026-11-26T11:21:32.420+00:00','holder','4/5','{"assessor": 5}','');
INSERT INTO "change" VALUES(63,'2026-11-26T11:21:32.420+00:00','assignment','5','{"plan": 1, "topic": 2, "role": "second", "assessor": 3, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(64,'2026-11-26T11:21:32.420+00:00','holder','5/3','{"assessor": 3}','');
INSERT INTO "change" VALUES(65,'2026-11-26T11:21:32.420+00:00','sampled','1/2','{"rows": 3, "sha256": "138caa66252b77625083e6dae26fe38b8efdc672e4536c0c720183ef37c8a275"}','');
INSERT INTO "change" VALUES(66,'2026-11-26T11:21:32.420+00:00','sampled','1/1','{"rows": 2, "sha256": "2edde4501e9b239327c0445fdb90a1466fa2df10f9a8fab3591a21e50a2962b9"}','');
INSERT INTO "change" VALUES(67,'2026-11-26T11:21:32.462+00:00','collection','1','{"name": "full", "description": "about", "licence": "CC0", "created": "2026-11-26T11:21:29.434+00:00", "grades": "{\"0\": \"no\", \"1\": \"yes\", \"2\": \"very\"}", "min_relevant": 1, "guidelines": "Read it all.", "origin": "4b36083690ec433fb12d54aa0927d599", "rule": 2}','');
INSERT INTO "change" VALUES(68,'2026-11-26T11:21:32.504+00:00','criterion','1','{"at": "2026-11-26T11:21:32.503+00:00", "topic": 1, "assessor": 3}','e769edb4193dff32522e4d7d7a2d8309e30f522c2b591b8648d21d27c00268e6');
INSERT INTO "change" VALUES(69,'2026-11-26T11:21:32.517+00:00','import','8','{"at": "2026-11-26T11:21:32.515+00:00", "kind": "answers", "files": "[\"answers.jsonl\"]", "first_event": 11, "last_event": 10}','');
INSERT INTO "change" VALUES(70,'2026-11-26T11:21:32.517+00:00','answer_run','1','{"tag": "rag", "team": "R", "kind": "automatic", "description": "", "file": "", "imported": "2026-11-26T11:21:32.516+00:00"}','');
INSERT INTO "change" VALUES(71,'2026-11-26T11:21:32.517+00:00','answer','1','{"rows": 1, "sha256": "71c64386cdd391779ff65438b992887b2f4029546fd39e11f3139dd9db8b20aa"}','');
INSERT INTO "change" VALUES(72,'2026-11-26T11:21:32.517+00:00','sentence','1','{"rows": 1, "sha256": "60ba1829156b32ec9599b5b854dcb3e7eed426b60dce03e1f7436419dc94e25a"}','');
INSERT INTO "change" VALUES(73,'2026-11-26T11:21:32.668+00:00','preference_pair','3','{"rows": 1, "sha256": "76d9efcb867f8c0a2cc9e1a2c1dda5a66b938ffca4282bf3dc8b32d16efc99d7"}','');
INSERT INTO "change" VALUES(74,'2026-11-26T11:21:32.714+00:00','assessor','7','{"uid": "29c56dc4684d42cda74733df1d8841ab", "kind": "model"}','b7c71c03e528fbcd17d33a380f92741d7c446a52731662fb8a0791d9c6678843');
INSERT INTO "change" VALUES(75,'2026-11-26T11:21:32.714+00:00','prompt','1','{"sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", "name": "p", "task": "relevance", "version": 1, "source": "built in"}','');
INSERT INTO "change" VALUES(76,'2026-11-26T11:21:32.714+00:00','model_setting','7/relevance','{"model": "m", "prompt": 1, "parameters": "{\"temperature\": 0}", "made": "2026-11-26T11:21:32.713+00:00"}','');
INSERT INTO "change" VALUES(77,'2026-11-26T11:21:32.808+00:00','audit','1','{"model": 7, "assessor": 3, "unit": "pair", "strata_by": "grade", "seed": 5, "made": "2026-11-26T11:21:32.807+00:00"}','');
INSERT INTO "change" VALUES(78,'2026-11-26T11:21:32.808+00:00','audit_stratum','1','{"rows": 1, "sha256": "4dcb4aad83154f2f325130b9c89a2b249125850fbaa944544e7c052929b5521d"}','');
INSERT INTO "change" VALUES(79,'2026-11-26T11:21:32.808+00:00','audited','1','{"rows": 1, "sha256": "eb2e2c289b0b4a909d74c9fec0336ca28cfecccbaec19ce599b260004873f6bb"}','');
INSERT INTO "change" VALUES(80,'2026-11-26T11:21:33.004+00:00','origin','bf728609b38f4790a90dedfa94851f98','{"kind": "bundle", "made": "2026-11-26T11:21:32.975+00:00"}','1ff1461442903f43f0310aa19e15de0e44a6b62fd92ace5e281e42e9f9911a8f');
INSERT INTO "change" VALUES(81,'2026-11-26T11:21:33.169+00:00','criterion','2','{"at": "2026-11-26T11:21:33.079+00:00", "topic": 1, "assessor": 3}','2d3ef9b00c50ccd8a7a69fa683073a1b238763241e5cef3111267f351801b63a');
INSERT INTO "change" VALUES(82,'2026-11-26T11:21:33.265+00:00','document','0','{"rows": 10, "sha256": "6e93916c4a17422481fc4e823aa3456b66d92e255a8df58840d59358ef6367fb"}','');
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
INSERT INTO "claim" VALUES(1,'2026-11-26T11:21:32.619+00:00',1,1,1,'wings lift',3,1,'{}',NULL);
INSERT INTO "claim" VALUES(2,'2026-11-26T11:21:32.619+00:00',2,NULL,1,'wings drag',3,1,NULL,NULL);
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
INSERT INTO "claim_event" VALUES(1,'78cc761a14da447a913a7fd856c9ae14','2026-11-26T11:21:32.635+00:00','label',1,1,3,'support','Quillfeather''s eyes','said Quillfeather','[]',2.0,1,1,0,'key',NULL);
INSERT INTO "claim_event" VALUES(2,'95924781328b483aba6853ce9f24e735','2026-11-26T11:21:32.651+00:00','retract',1,1,3,NULL,'','',NULL,NULL,NULL,NULL,0,'',1);
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
INSERT INTO "collection" VALUES(1,'full','about','CC0','2026-11-26T11:21:29.434+00:00','{"0": "no", "1": "yes", "2": "very"}',1,'Read it all.','4b36083690ec433fb12d54aa0927d599',2);
CREATE TABLE criterion (  -- append-only: what an assessor takes to count as relevant, and since when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    text TEXT NOT NULL
) STRICT;
INSERT INTO "criterion" VALUES(1,'2026-11-26T11:21:32.503+00:00',1,3,'Quillfeather''s rule');
INSERT INTO "criterion" VALUES(2,'2026-11-26T11:21:33.079+00:00',1,3,'Quillfeather''s rule');
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    docno TEXT NOT NULL UNIQUE,
    title TEXT,
    text TEXT,  -- NULL: known only from a run or from qrels
    url TEXT,
    metadata TEXT,  -- JSON
    sha256 TEXT,  -- of the text, in hexadecimal
    -- 1: taken back; the row keeps its place, for the row numbers are places in rankings' vocabulary
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    import INTEGER REFERENCES import (id)  -- that brought its text
) STRICT;
INSERT INTO "document" VALUES(1,'d0','t0','wing 0','u0','{"k": [1]}','bb5dad522f624df714ebaee228837bbc703a8b4ecfe91304b6fbfcf0eb41e688',0,1);
INSERT INTO "document" VALUES(2,'d1','t1','wing 1','u1','{"k": [1]}','43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',0,1);
INSERT INTO "document" VALUES(3,'d2','t2','wing 2','u2','{"k": [1]}','534b7656c74b9f8181d1be6fd8bb8eb6e5a67d37243aa4c3fb2c604f266f52c3',0,1);
INSERT INTO "document" VALUES(4,'d3','t3','wing 3','u3','{"k": [1]}','62699622fca56703a957c7cdc0110af77d5d36c1737de327caad9236abfc534f',0,1);
INSERT INTO "document" VALUES(5,'d4','t4','wing 4','u4','{"k": [1]}','2fff8d683170da99559b8547d11d40cf4bea5946ee63f9730cb14df8525015ee',0,1);
INSERT INTO "document" VALUES(6,'d5','t5','wing 5','u5','{"k": [1]}','2ec442acf07a634be4d5072b5dd76e9caebaf601ca515df4c77e0009351d1901',0,1);
INSERT INTO "document" VALUES(7,'d6','t6','wing 6','u6','{"k": [1]}','f7d1735e2a48ba62346ff437bcbcceb5ed60a66cb81364ee5d2a43146c7b2c0f',0,1);
INSERT INTO "document" VALUES(8,'d7','t7','wing 7','u7','{"k": [1]}','2d9075ad51a1aee779e998a81800b1362c0fd67bc501c1b695e30ee1aad81612',0,1);
INSERT INTO "document" VALUES(9,'d8','t8','wing 8','u8','{"k": [1]}','aa384345309ee2ef790f854f3f6de1f570a267c72d3beff2e7713d85cf709ea7',0,1);
INSERT INTO "document" VALUES(10,'d9','','wing 9','',NULL,'1fa46532fc6e4a5507bbfa243f5354da07279c7beb0697ade1038d137eb49cbf',0,NULL);
CREATE TABLE earlier_document (  -- append-only: documents that changed later, as releases have them: without a text
    document INTEGER NOT NULL REFERENCES document (id),
    release INTEGER NOT NULL REFERENCES release (id),  -- and those before it, back to the next row of this document
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    PRIMARY KEY (document, release)
) STRICT, WITHOUT ROWID;
INSERT INTO "earlier_document" VALUES(10,1,0);
CREATE TABLE earlier_topic (  -- append-only: topics that changed later, as releases have them: without a text
    topic INTEGER NOT NULL REFERENCES topic (id),
    release INTEGER NOT NULL REFERENCES release (id),  -- and those before it, back to the next row of this topic
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    PRIMARY KEY (topic, release)
) STRICT, WITHOUT ROWID;
CREATE TABLE erasure (  -- append-only: who was erased from this store, and why
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('assessor', 'user')),
    name TEXT NOT NULL,  -- what stands for the name
    what TEXT NOT NULL,  -- JSON, in how many rows of each table something was erased
    reason TEXT NOT NULL,
    sha256 TEXT NOT NULL  -- of its redactions
) STRICT;
CREATE TABLE event_link (  -- append-only: the events of all logs but that of judgments, as they were recorded
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    log TEXT NOT NULL,  -- nugget_edit, nugget_event, support_event, preference_event
    event INTEGER NOT NULL,  -- its id there
    import INTEGER REFERENCES import (id),  -- that brought it
    origin TEXT NOT NULL REFERENCES origin (id),
    previous TEXT NOT NULL,  -- the hash of the link before it of this origin
    hash TEXT NOT NULL,  -- of `previous` and all that the event says
    rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2)),  -- by which it is hashed
    UNIQUE (log, event)
) STRICT;
INSERT INTO "event_link" VALUES(1,'change',1,NULL,'4b36083690ec433fb12d54aa0927d599','','513081f936acbc840ae8583219cc7df2d3d8e4a8a07a223469c79c455be5c815',2);
INSERT INTO "event_link" VALUES(2,'change',2,NULL,'4b36083690ec433fb12d54aa0927d599','513081f936acbc840ae8583219cc7df2d3d8e4a8a07a223469c79c455be5c815','34189f45157398a0143f26b4e039f368977f933afe0a16b466209796fb4ffedd',2);
INSERT INTO "event_link" VALUES(3,'change',3,NULL,'4b36083690ec433fb12d54aa0927d599','34189f45157398a0143f26b4e039f368977f933afe0a16b466209796fb4ffedd','59f8550f01f39d80663eb9db477a65d675355b43cb0fd891a82a03dc8c157093',2);
INSERT INTO "event_link" VALUES(4,'change',4,NULL,'4b36083690ec433fb12d54aa0927d599','59f8550f01f39d80663eb9db477a65d675355b43cb0fd891a82a03dc8c157093','76f75573f866aa2cbd1c7a143ea1fc689d8507c33bbc0b1d18e3081e742b8788',2);
INSERT INTO "event_link" VALUES(5,'change',5,NULL,'4b36083690ec433fb12d54aa0927d599','76f75573f866aa2cbd1c7a143ea1fc689d8507c33bbc0b1d18e3081e742b8788','98bafb389ae9d2ad3a404fefbcd7de54c4a3165fde5a1153bb63360622a6456b',2);
INSERT INTO "event_link" VALUES(6,'change',6,NULL,'4b36083690ec433fb12d54aa0927d599','98bafb389ae9d2ad3a404fefbcd7de54c4a3165fde5a1153bb63360622a6456b','8f5e10b1169bfd4c24f31c2f820156c592810abf2b4d6ab0db1ef290ffaa969a',2);
INSERT INTO "event_link" VALUES(7,'change',7,NULL,'4b36083690ec433fb12d54aa0927d599','8f5e10b1169bfd4c24f31c2f820156c592810abf2b4d6ab0db1ef290ffaa969a','62b26805b154148278168fd90f29cb24864e9fc71204117114e5a9cf0da0b458',2);
INSERT INTO "event_link" VALUES(8,'change',8,NULL,'4b36083690ec433fb12d54aa0927d599','62b26805b154148278168fd90f29cb24864e9fc71204117114e5a9cf0da0b458','f194b2ce357861a4277fe26c809e0ebebdc31d793b9abcd70e0a7ba20e09edc1',2);
INSERT INTO "event_link" VALUES(9,'change',9,NULL,'4b36083690ec433fb12d54aa0927d599','f194b2ce357861a4277fe26c809e0ebebdc31d793b9abcd70e0a7ba20e09edc1','f854bcc6bc3e7f87583583ec6ac32cfac523933d56bd9dc0baa1294823734f55',2);
INSERT INTO "event_link" VALUES(10,'change',10,NULL,'4b36083690ec433fb12d54aa0927d599','f854bcc6bc3e7f87583583ec6ac32cfac523933d56bd9dc0baa1294823734f55','cb0d42ef24ca92f4e7b0c1ae50a3bc9b598b06c1ab651b8db51f41036f07611d',2);
INSERT INTO "event_link" VALUES(11,'change',11,NULL,'4b36083690ec433fb12d54aa0927d599','cb0d42ef24ca92f4e7b0c1ae50a3bc9b598b06c1ab651b8db51f41036f07611d','bea7895cd13c27fb2a476b0e047ce430f0d79222543fc132d2cfea41fba346da',2);
INSERT INTO "event_link" VALUES(12,'change',12,NULL,'4b36083690ec433fb12d54aa0927d599','bea7895cd13c27fb2a476b0e047ce430f0d79222543fc132d2cfea41fba346da','18d1b94a7db58ba5030769fad63bd271428dd58f8a4873a30863dc450a5e3ec9',2);
INSERT INTO "event_link" VALUES(13,'change',13,NULL,'4b36083690ec433fb12d54aa0927d599','18d1b94a7db58ba5030769fad63bd271428dd58f8a4873a30863dc450a5e3ec9','ac272891d06f39d62e38cbfbafbbcb99665058d01c03911fdf6bf1c8a73d95ab',2);
INSERT INTO "event_link" VALUES(14,'change',14,NULL,'4b36083690ec433fb12d54aa0927d599','ac272891d06f39d62e38cbfbafbbcb99665058d01c03911fdf6bf1c8a73d95ab','a1f0353b5f96a7b9962e0043df6309b699402c2c4f7883199a7730eaa1e8c58a',2);
INSERT INTO "event_link" VALUES(15,'change',15,NULL,'4b36083690ec433fb12d54aa0927d599','a1f0353b5f96a7b9962e0043df6309b699402c2c4f7883199a7730eaa1e8c58a','19dba7decc70b089ca6f370a333107c0f5074d631d379caeb314948bea83f886',2);
INSERT INTO "event_link" VALUES(16,'change',16,NULL,'4b36083690ec433fb12d54aa0927d599','19dba7decc70b089ca6f370a333107c0f5074d631d379caeb314948bea83f886','d8307247a09500fca03b6df52813f7310f42ae1138ea35ff12c9de0a60b677c0',2);
INSERT INTO "event_link" VALUES(17,'change',17,NULL,'4b36083690ec433fb12d54aa0927d599','d8307247a09500fca03b6df52813f7310f42ae1138ea35ff12c9de0a60b677c0','e3fea1758de5709dab4568427aac6fefe6f7e611558926421482b77decedffef',2);
INSERT INTO "event_link" VALUES(18,'change',18,NULL,'4b36083690ec433fb12d54aa0927d599','e3fea1758de5709dab4568427aac6fefe6f7e611558926421482b77decedffef','8eaae7307473b81f1dbddd60848e746ef564a1926c2cd26d0d4c5215efdfadf1',2);
INSERT INTO "event_link" VALUES(19,'change',19,NULL,'4b36083690ec433fb12d54aa0927d599','8eaae7307473b81f1dbddd60848e746ef564a1926c2cd26d0d4c5215efdfadf1','f695df471077d4201d682a0379242485efd310b23876662b05c6e370ce2b117e',2);
INSERT INTO "event_link" VALUES(20,'change',20,NULL,'4b36083690ec433fb12d54aa0927d599','f695df471077d4201d682a0379242485efd310b23876662b05c6e370ce2b117e','9159f7151104485e60368947181f7320b9f6625dfd276e568b2e0a233abd6151',2);
INSERT INTO "event_link" VALUES(21,'change',21,NULL,'4b36083690ec433fb12d54aa0927d599','9159f7151104485e60368947181f7320b9f6625dfd276e568b2e0a233abd6151','8ae89dc920c6d2f6b52d9040977983c18a2b42ef962704389b1f8e4439ab8690',2);
INSERT INTO "event_link" VALUES(22,'change',22,NULL,'4b36083690ec433fb12d54aa0927d599','8ae89dc920c6d2f6b52d9040977983c18a2b42ef962704389b1f8e4439ab8690','ffc974159607f310590fa84e72fb3d5ead29c59556b82807e53b4a7a704d0b14',2);
INSERT INTO "event_link" VALUES(23,'change',23,NULL,'4b36083690ec433fb12d54aa0927d599','ffc974159607f310590fa84e72fb3d5ead29c59556b82807e53b4a7a704d0b14','5d9e84e74d9d37ab67e3a579567da2af6c588ae4e790179eb359b878ea243abd',2);
INSERT INTO "event_link" VALUES(24,'change',24,NULL,'4b36083690ec433fb12d54aa0927d599','5d9e84e74d9d37ab67e3a579567da2af6c588ae4e790179eb359b878ea243abd','c68ed096fca9e7b014ec658cac7fcfc934299716c69d693d13a1dded56c1da10',2);
INSERT INTO "event_link" VALUES(25,'change',25,NULL,'4b36083690ec433fb12d54aa0927d599','c68ed096fca9e7b014ec658cac7fcfc934299716c69d693d13a1dded56c1da10','f3fc3291eb2028dd88e0ea6bb2ebd885089263d305d54ca57136d730c2b1158f',2);
INSERT INTO "event_link" VALUES(26,'change',26,NULL,'4b36083690ec433fb12d54aa0927d599','f3fc3291eb2028dd88e0ea6bb2ebd885089263d305d54ca57136d730c2b1158f','75c92052f120f9e70dc4f38e9a454fdfe110064aaa9188a68b1b8b0ef41e3c1a',2);
INSERT INTO "event_link" VALUES(27,'change',27,NULL,'4b36083690ec433fb12d54aa0927d599','75c92052f120f9e70dc4f38e9a454fdfe110064aaa9188a68b1b8b0ef41e3c1a','c97d837c60ae8f37b65f56e70ce4604665cab9d341a47d95fbe44973f18685fd',2);
INSERT INTO "event_link" VALUES(28,'change',28,NULL,'4b36083690ec433fb12d54aa0927d599','c97d837c60ae8f37b65f56e70ce4604665cab9d341a47d95fbe44973f18685fd','c251e452a707a85cf456dfd9e4d1ee289070a0c5a6f10528ef4e413626f7b003',2);
INSERT INTO "event_link" VALUES(29,'change',29,NULL,'4b36083690ec433fb12d54aa0927d599','c251e452a707a85cf456dfd9e4d1ee289070a0c5a6f10528ef4e413626f7b003','b6c84e10d0ced0d489a9aa9589c030bf31305a9d7a7b9f5f89821ca987c6feef',2);
INSERT INTO "event_link" VALUES(30,'change',30,NULL,'4b36083690ec433fb12d54aa0927d599','b6c84e10d0ced0d489a9aa9589c030bf31305a9d7a7b9f5f89821ca987c6feef','ef1cf655f579dd5086a1dc99996fc3d7410a9ba162c18f37fc727d69fe08fdd8',2);
INSERT INTO "event_link" VALUES(31,'change',31,NULL,'4b36083690ec433fb12d54aa0927d599','ef1cf655f579dd5086a1dc99996fc3d7410a9ba162c18f37fc727d69fe08fdd8','251f6e46927deb430e45903ed54da9cba527a9d0deab9c524ca0282a080d9823',2);
INSERT INTO "event_link" VALUES(32,'change',32,NULL,'4b36083690ec433fb12d54aa0927d599','251f6e46927deb430e45903ed54da9cba527a9d0deab9c524ca0282a080d9823','901085cdb9c8dfe7d285d40811c0498fe471865b8448031d40eab962eaa43173',2);
INSERT INTO "event_link" VALUES(33,'change',33,NULL,'4b36083690ec433fb12d54aa0927d599','901085cdb9c8dfe7d285d40811c0498fe471865b8448031d40eab962eaa43173','d858719f205f823139052708b710aa16d992ab650d7182023de28f81212a64e1',2);
INSERT INTO "event_link" VALUES(34,'change',34,NULL,'4b36083690ec433fb12d54aa0927d599','d858719f205f823139052708b710aa16d992ab650d7182023de28f81212a64e1','1861d7bb4d8bbb125250e781de052ec4f180d04ed5d16ca085916835ccf85f00',2);
INSERT INTO "event_link" VALUES(35,'change',35,NULL,'4b36083690ec433fb12d54aa0927d599','1861d7bb4d8bbb125250e781de052ec4f180d04ed5d16ca085916835ccf85f00','64828e852236aeda63392aa401a798a755b96b228a9cbeceab796456c556b149',2);
INSERT INTO "event_link" VALUES(36,'change',36,NULL,'4b36083690ec433fb12d54aa0927d599','64828e852236aeda63392aa401a798a755b96b228a9cbeceab796456c556b149','9c9e8c43fc42203cb307ef30217989752e8779f0ddb8ee0b648e57c660324b65',2);
INSERT INTO "event_link" VALUES(37,'change',37,NULL,'4b36083690ec433fb12d54aa0927d599','9c9e8c43fc42203cb307ef30217989752e8779f0ddb8ee0b648e57c660324b65','b1eafa2ecb7492fb0f7498089409c4b2912092723f103acd54e5b8e4fbcaa3d1',2);
INSERT INTO "event_link" VALUES(38,'change',38,NULL,'4b36083690ec433fb12d54aa0927d599','b1eafa2ecb7492fb0f7498089409c4b2912092723f103acd54e5b8e4fbcaa3d1','7a343545e502d6c30cfdbe80086b8f0769cafa0796a1d1bd2e1a296b6eac1afa',2);
INSERT INTO "event_link" VALUES(39,'change',39,NULL,'4b36083690ec433fb12d54aa0927d599','7a343545e502d6c30cfdbe80086b8f0769cafa0796a1d1bd2e1a296b6eac1afa','a5ad1ecba2c2fde1a21fbf9c2d55357e29a98a43fc71996fde05501d3f076ca2',2);
INSERT INTO "event_link" VALUES(40,'change',40,NULL,'4b36083690ec433fb12d54aa0927d599','a5ad1ecba2c2fde1a21fbf9c2d55357e29a98a43fc71996fde05501d3f076ca2','977ce5dd144709726b1a26220f5960f63f57e61fdfa44a7af00ec99cf1012d0e',2);
INSERT INTO "event_link" VALUES(41,'change',41,NULL,'4b36083690ec433fb12d54aa0927d599','977ce5dd144709726b1a26220f5960f63f57e61fdfa44a7af00ec99cf1012d0e','e98ce2c62472a953878fd836e2b39f44a4af93de46c3df10acb26ebdaf17adda',2);
INSERT INTO "event_link" VALUES(42,'change',42,NULL,'4b36083690ec433fb12d54aa0927d599','e98ce2c62472a953878fd836e2b39f44a4af93de46c3df10acb26ebdaf17adda','b8ccaabc0777e473932ef0660e6e71966297d8a3af62cf845e18aacd50d40b10',2);
INSERT INTO "event_link" VALUES(43,'change',43,NULL,'4b36083690ec433fb12d54aa0927d599','b8ccaabc0777e473932ef0660e6e71966297d8a3af62cf845e18aacd50d40b10','7df22f191876d0463fcee0f801e2e1b96f15c71d785881f7cfc3b170352b4719',2);
INSERT INTO "event_link" VALUES(44,'change',44,NULL,'4b36083690ec433fb12d54aa0927d599','7df22f191876d0463fcee0f801e2e1b96f15c71d785881f7cfc3b170352b4719','8e3c126d67b90ef0eb0f7a67f0ad5b890555e74006aaf264f99bc394d755f387',2);
INSERT INTO "event_link" VALUES(45,'change',45,NULL,'4b36083690ec433fb12d54aa0927d599','8e3c126d67b90ef0eb0f7a67f0ad5b890555e74006aaf264f99bc394d755f387','8f87b6ddd301222591dda9d3119b68833827fc214f6fadeb5c2bdc10b87ce3ce',2);
INSERT INTO "event_link" VALUES(46,'change',46,NULL,'4b36083690ec433fb12d54aa0927d599','8f87b6ddd301222591dda9d3119b68833827fc214f6fadeb5c2bdc10b87ce3ce','61797903f285d89a64517d09e3220c46da51c9a180352ccbe0eae42ba58a323c',2);
INSERT INTO "event_link" VALUES(47,'change',47,NULL,'4b36083690ec433fb12d54aa0927d599','61797903f285d89a64517d09e3220c46da51c9a180352ccbe0eae42ba58a323c','05ac11e05db6f8633f75959a6b5f2e89d55b5abdd865510e1c71f840fccf01ad',2);
INSERT INTO "event_link" VALUES(48,'change',48,NULL,'4b36083690ec433fb12d54aa0927d599','05ac11e05db6f8633f75959a6b5f2e89d55b5abdd865510e1c71f840fccf01ad','beb3fd09be38baad0550a985d70f9eea277ae3e236b6401fc192e51bc5078ef4',2);
INSERT INTO "event_link" VALUES(49,'change',49,NULL,'4b36083690ec433fb12d54aa0927d599','beb3fd09be38baad0550a985d70f9eea277ae3e236b6401fc192e51bc5078ef4','736f4d3559c0ee77e4376642d9eb59d387e03d364f1d56c831a303f331525f48',2);
INSERT INTO "event_link" VALUES(50,'change',50,NULL,'4b36083690ec433fb12d54aa0927d599','736f4d3559c0ee77e4376642d9eb59d387e03d364f1d56c831a303f331525f48','24e6b0f57f7b07a3ed8246062ec9fa0870394412f69c217bdca1c29c34421760',2);
INSERT INTO "event_link" VALUES(51,'change',51,NULL,'4b36083690ec433fb12d54aa0927d599','24e6b0f57f7b07a3ed8246062ec9fa0870394412f69c217bdca1c29c34421760','fddca4eb28f190d87c5e0a4197a75734ab96067c1204a12794e1f53fae23a8ab',2);
INSERT INTO "event_link" VALUES(52,'change',52,NULL,'4b36083690ec433fb12d54aa0927d599','fddca4eb28f190d87c5e0a4197a75734ab96067c1204a12794e1f53fae23a8ab','7bf9fac288f03196450e1cc70ce181e5e6729914336fea066526c4a6a480082a',2);
INSERT INTO "event_link" VALUES(53,'change',53,NULL,'4b36083690ec433fb12d54aa0927d599','7bf9fac288f03196450e1cc70ce181e5e6729914336fea066526c4a6a480082a','02eeb10d984184df8f409a9603a0950b625f10fe47bcc66e8a613289b625b979',2);
INSERT INTO "event_link" VALUES(54,'change',54,NULL,'4b36083690ec433fb12d54aa0927d599','02eeb10d984184df8f409a9603a0950b625f10fe47bcc66e8a613289b625b979','44495cce8ebec0a5553136a554ba80d3c0ffafe7ef4c93615ff82d5dc5522fa8',2);
INSERT INTO "event_link" VALUES(55,'change',55,NULL,'4b36083690ec433fb12d54aa0927d599','44495cce8ebec0a5553136a554ba80d3c0ffafe7ef4c93615ff82d5dc5522fa8','2769a49f4d1a2d613c3550992ebbb0cc3bf6f42d8019716c503ba62bf4f3fc64',2);
INSERT INTO "event_link" VALUES(56,'change',56,NULL,'4b36083690ec433fb12d54aa0927d599','2769a49f4d1a2d613c3550992ebbb0cc3bf6f42d8019716c503ba62bf4f3fc64','4f22e04ab761843d8b9e0ae9ef38b175c5bc83b99f70bdb5575317f8c2d02e8c',2);
INSERT INTO "event_link" VALUES(57,'change',57,NULL,'4b36083690ec433fb12d54aa0927d599','4f22e04ab761843d8b9e0ae9ef38b175c5bc83b99f70bdb5575317f8c2d02e8c','e09fe26fb89d5ce84dba713da169323bd111ee86ad6b638767a6fb64f7279e63',2);
INSERT INTO "event_link" VALUES(58,'change',58,NULL,'4b36083690ec433fb12d54aa0927d599','e09fe26fb89d5ce84dba713da169323bd111ee86ad6b638767a6fb64f7279e63','2a3b2a6f0c7ed1986375d7f1ef2bc54b7da5a69d6d0bd9b2ecf4a8f441e84c21',2);
INSERT INTO "event_link" VALUES(59,'change',59,NULL,'4b36083690ec433fb12d54aa0927d599','2a3b2a6f0c7ed1986375d7f1ef2bc54b7da5a69d6d0bd9b2ecf4a8f441e84c21','a97eb985bb826a6036614e7730aeb22c83b8ea32173cb9822cfdc68dfcbb9cfb',2);
INSERT INTO "event_link" VALUES(60,'change',60,NULL,'4b36083690ec433fb12d54aa0927d599','a97eb985bb826a6036614e7730aeb22c83b8ea32173cb9822cfdc68dfcbb9cfb','5922d30d9774fced5b31702e19ac277daf4494ff6153a66030895c5fe38d93c1',2);
INSERT INTO "event_link" VALUES(61,'change',61,NULL,'4b36083690ec433fb12d54aa0927d599','5922d30d9774fced5b31702e19ac277daf4494ff6153a66030895c5fe38d93c1','a13933495a4f2bd774ab2c66df880b56c9cd41ef2aa7baab3a6b5fd8e9f5362b',2);
INSERT INTO "event_link" VALUES(62,'change',62,NULL,'4b36083690ec433fb12d54aa0927d599','a13933495a4f2bd774ab2c66df880b56c9cd41ef2aa7baab3a6b5fd8e9f5362b','0f31174875dc62a8cbc7393a1a55bacbb6eb69a759de40330f61f0424e963dc2',2);
INSERT INTO "event_link" VALUES(63,'change',63,NULL,'4b36083690ec433fb12d54aa0927d599','0f31174875dc62a8cbc7393a1a55bacbb6eb69a759de40330f61f0424e963dc2','d1ed9b72a65b318a6c0b71a9c56d348cd330d4b18fb2f857177cdcbcbba5427c',2);
INSERT INTO "event_link" VALUES(64,'change',64,NULL,'4b36083690ec433fb12d54aa0927d599','d1ed9b72a65b318a6c0b71a9c56d348cd330d4b18fb2f857177cdcbcbba5427c','d44debca19165da8893bda0e762a23508530ef1a4a71d1bc4f86a00d9397fb16',2);
INSERT INTO "event_link" VALUES(65,'change',65,NULL,'4b36083690ec433fb12d54aa0927d599','d44debca19165da8893bda0e762a23508530ef1a4a71d1bc4f86a00d9397fb16','541328923d82d52c6cf5b48c11327d3ace7ba9a8fbc3ce78a5ac13be9ed41f89',2);
INSERT INTO "event_link" VALUES(66,'change',66,NULL,'4b36083690ec433fb12d54aa0927d599','541328923d82d52c6cf5b48c11327d3ace7ba9a8fbc3ce78a5ac13be9ed41f89','c5dd524246f1b4573a2a2abde98d332c208e2fd073c57afa8f4e4ba24ee697b0',2);
INSERT INTO "event_link" VALUES(67,'change',67,NULL,'4b36083690ec433fb12d54aa0927d599','c5dd524246f1b4573a2a2abde98d332c208e2fd073c57afa8f4e4ba24ee697b0','21727a34c8da64d44c8c5595bc1dc46deafa2f925e95abae67db8d404ca07715',2);
INSERT INTO "event_link" VALUES(68,'change',68,NULL,'4b36083690ec433fb12d54aa0927d599','21727a34c8da64d44c8c5595bc1dc46deafa2f925e95abae67db8d404ca07715','e82dc735477fcf52dba679535a975edff3cf551e88874fc18f98b9fae5dcc6e5',2);
INSERT INTO "event_link" VALUES(69,'change',69,NULL,'4b36083690ec433fb12d54aa0927d599','e82dc735477fcf52dba679535a975edff3cf551e88874fc18f98b9fae5dcc6e5','ef60545b0260023f61f1bfc8d591e411b520ed794e8066b5735d83368cd8dc43',2);
INSERT INTO "event_link" VALUES(70,'change',70,NULL,'4b36083690ec433fb12d54aa0927d599','ef60545b0260023f61f1bfc8d591e411b520ed794e8066b5735d83368cd8dc43','a602f6327e40b4e522bf665075174151926c19a2577b7358a93d668bc1b24a76',2);
INSERT INTO "event_link" VALUES(71,'change',71,NULL,'4b36083690ec433fb12d54aa0927d599','a602f6327e40b4e522bf665075174151926c19a2577b7358a93d668bc1b24a76','81f750ecb98ab6085dfbd417b73e232d25090b1971dd9825a5957954bafa518f',2);
INSERT INTO "event_link" VALUES(72,'change',72,NULL,'4b36083690ec433fb12d54aa0927d599','81f750ecb98ab6085dfbd417b73e232d25090b1971dd9825a5957954bafa518f','3e43605a0cb46663a242caac8f707e0d5c8d6375a4df7f5cc9ea8e0763da5230',2);
INSERT INTO "event_link" VALUES(73,'nugget_edit',1,NULL,'4b36083690ec433fb12d54aa0927d599','3e43605a0cb46663a242caac8f707e0d5c8d6375a4df7f5cc9ea8e0763da5230','18c7394a55a389d225bc500e9813b533928aba0248734bf822f5db612e8a6bad',2);
INSERT INTO "event_link" VALUES(74,'nugget_edit',2,NULL,'4b36083690ec433fb12d54aa0927d599','18c7394a55a389d225bc500e9813b533928aba0248734bf822f5db612e8a6bad','a3b832da3652bfccab20f35e2ddbceeca3fdf0907a3b2448878897131505d2e8',2);
INSERT INTO "event_link" VALUES(75,'nugget_edit',3,NULL,'4b36083690ec433fb12d54aa0927d599','a3b832da3652bfccab20f35e2ddbceeca3fdf0907a3b2448878897131505d2e8','4be31e8acd864b5d7b72b2a9c9dbb4a2cf16f09e8ea3f56c3c84d710c1038512',2);
INSERT INTO "event_link" VALUES(76,'nugget_event',1,NULL,'4b36083690ec433fb12d54aa0927d599','4be31e8acd864b5d7b72b2a9c9dbb4a2cf16f09e8ea3f56c3c84d710c1038512','b840b060162235d5800a0267f3b10547e09c2e27fae6322d49034fdaabf15aad',2);
INSERT INTO "event_link" VALUES(77,'nugget_event',2,NULL,'4b36083690ec433fb12d54aa0927d599','b840b060162235d5800a0267f3b10547e09c2e27fae6322d49034fdaabf15aad','6ee811194fe5658a5ff5098aee1149cfd7492b2f1eed00427de2004b3451e5d6',2);
INSERT INTO "event_link" VALUES(78,'support_event',1,NULL,'4b36083690ec433fb12d54aa0927d599','6ee811194fe5658a5ff5098aee1149cfd7492b2f1eed00427de2004b3451e5d6','43a9acbb63f0f6595e0ab4bcfdbeb4acdb9431756cde4bc3f22ed56da6f37a9e',2);
INSERT INTO "event_link" VALUES(79,'support_event',2,NULL,'4b36083690ec433fb12d54aa0927d599','43a9acbb63f0f6595e0ab4bcfdbeb4acdb9431756cde4bc3f22ed56da6f37a9e','d59dbf4a49ea82db081e765699d6e57ccf9743cea831df86d4205453a2a0abab',2);
INSERT INTO "event_link" VALUES(80,'claim',1,NULL,'4b36083690ec433fb12d54aa0927d599','d59dbf4a49ea82db081e765699d6e57ccf9743cea831df86d4205453a2a0abab','159225835089dbe18aea97893018bd75791f045373491bfd70b3889de96c6ffb',2);
INSERT INTO "event_link" VALUES(81,'claim',2,NULL,'4b36083690ec433fb12d54aa0927d599','159225835089dbe18aea97893018bd75791f045373491bfd70b3889de96c6ffb','83815653075e0162733dc41847a2f603016e7454d05b0cb88db5dfb5f934f595',2);
INSERT INTO "event_link" VALUES(82,'claim_event',1,NULL,'4b36083690ec433fb12d54aa0927d599','83815653075e0162733dc41847a2f603016e7454d05b0cb88db5dfb5f934f595','66caed2966946162f9e066fd06a8f3bbc54a20dece3b9ef01169b033bd3624ff',2);
INSERT INTO "event_link" VALUES(83,'claim_event',2,NULL,'4b36083690ec433fb12d54aa0927d599','66caed2966946162f9e066fd06a8f3bbc54a20dece3b9ef01169b033bd3624ff','935663981aeafe004d7d19236215a1972f1fd709f0f83e4a5ee628bc7ecb43cc',2);
INSERT INTO "event_link" VALUES(84,'change',73,NULL,'4b36083690ec433fb12d54aa0927d599','935663981aeafe004d7d19236215a1972f1fd709f0f83e4a5ee628bc7ecb43cc','314250f3f2c06f188ba097728f4454d62ace44bcbe74c5cf0f242b75c2bf11cc',2);
INSERT INTO "event_link" VALUES(85,'preference_event',1,NULL,'4b36083690ec433fb12d54aa0927d599','314250f3f2c06f188ba097728f4454d62ace44bcbe74c5cf0f242b75c2bf11cc','92a2f76e269eb84b8646fcf076bc4e57a347068ac0a4e006b7024e38570dd0ca',2);
INSERT INTO "event_link" VALUES(86,'preference_event',2,NULL,'4b36083690ec433fb12d54aa0927d599','92a2f76e269eb84b8646fcf076bc4e57a347068ac0a4e006b7024e38570dd0ca','5c5cb9adc287918225164d5c07bdaffc37cad331709197cc51bb316ff62f1d81',2);
INSERT INTO "event_link" VALUES(87,'change',74,NULL,'4b36083690ec433fb12d54aa0927d599','5c5cb9adc287918225164d5c07bdaffc37cad331709197cc51bb316ff62f1d81','77d6da1c293bfa957c9fdc3006b244123d0c1662d37f6a5b9223eca27fc00d70',2);
INSERT INTO "event_link" VALUES(88,'change',75,NULL,'4b36083690ec433fb12d54aa0927d599','77d6da1c293bfa957c9fdc3006b244123d0c1662d37f6a5b9223eca27fc00d70','49af49e7e2777c1ed03fa13e68a7606ee25d53b7d3f799be98483035400efad8',2);
INSERT INTO "event_link" VALUES(89,'change',76,NULL,'4b36083690ec433fb12d54aa0927d599','49af49e7e2777c1ed03fa13e68a7606ee25d53b7d3f799be98483035400efad8','30ef9e0e986ebaa73f1d42bfadd0fb85d02a5e405579bd19330a1589e0deca25',2);
INSERT INTO "event_link" VALUES(90,'model_call',1,NULL,'4b36083690ec433fb12d54aa0927d599','30ef9e0e986ebaa73f1d42bfadd0fb85d02a5e405579bd19330a1589e0deca25','ca32ac741497b8ce95dc4f620a5c414a0f957da38a56c9a31d34393d8a539404',2);
INSERT INTO "event_link" VALUES(91,'model_call',2,NULL,'4b36083690ec433fb12d54aa0927d599','ca32ac741497b8ce95dc4f620a5c414a0f957da38a56c9a31d34393d8a539404','3513d7afffe6157d75b3ab212064bb8a6b00d8ef37d7d04f7b59f00a74594ca1',2);
INSERT INTO "event_link" VALUES(92,'change',77,NULL,'4b36083690ec433fb12d54aa0927d599','3513d7afffe6157d75b3ab212064bb8a6b00d8ef37d7d04f7b59f00a74594ca1','f9bdc7e287769ce3e2e9374241867419a0871f7efc59e87ef8ba36e9d8ee6c63',2);
INSERT INTO "event_link" VALUES(93,'change',78,NULL,'4b36083690ec433fb12d54aa0927d599','f9bdc7e287769ce3e2e9374241867419a0871f7efc59e87ef8ba36e9d8ee6c63','6887819c8f6a49fdaa8b5d1d94de2c63cc22a377a3254b1e57f8a4f766f6d60b',2);
INSERT INTO "event_link" VALUES(94,'change',79,NULL,'4b36083690ec433fb12d54aa0927d599','6887819c8f6a49fdaa8b5d1d94de2c63cc22a377a3254b1e57f8a4f766f6d60b','ffdeb1cb228d4859a65366abc535abd16205ba1e1b7fcef773eeeae3227d47d2',2);
INSERT INTO "event_link" VALUES(95,'change',80,NULL,'4b36083690ec433fb12d54aa0927d599','ffdeb1cb228d4859a65366abc535abd16205ba1e1b7fcef773eeeae3227d47d2','07303096c683de8f9a3bdda8deed2ff69c7c9e11d17bea37ac11373a3965b913',2);
INSERT INTO "event_link" VALUES(96,'change',81,NULL,'4b36083690ec433fb12d54aa0927d599','07303096c683de8f9a3bdda8deed2ff69c7c9e11d17bea37ac11373a3965b913','e1dda37959a2226fc35ba9e40773bbdea437f87387ffa79880c133022dd820fb',2);
INSERT INTO "event_link" VALUES(97,'change',82,NULL,'4b36083690ec433fb12d54aa0927d599','e1dda37959a2226fc35ba9e40773bbdea437f87387ffa79880c133022dd820fb','fb6af41ab1f81f7ed272778daf76c84a6a9108b2931f0983fcd8f5943a456d09',2);
CREATE TABLE experiment (  -- append-only: what the lists of a log were shown for
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('ab', 'interleave', 'log')),
    method TEXT NOT NULL DEFAULT '',  -- of interleaving
    seed INTEGER,
    started TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "experiment" VALUES(1,'log','ab','',NULL,'2026-11-26T11:21:32.096+00:00');
CREATE TABLE frame_document (  -- every document that a stratified pool could have drawn, with its stratum
    pool INTEGER NOT NULL REFERENCES pool (id) ON DELETE CASCADE,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    stratum TEXT NOT NULL,
    PRIMARY KEY (pool, topic, document)
) STRICT, WITHOUT ROWID;
INSERT INTO "frame_document" VALUES(2,1,2,'1-10');
INSERT INTO "frame_document" VALUES(2,1,3,'1-10');
INSERT INTO "frame_document" VALUES(2,1,4,'1-10');
INSERT INTO "frame_document" VALUES(2,1,5,'1-10');
INSERT INTO "frame_document" VALUES(2,1,10,'1-10');
INSERT INTO "frame_document" VALUES(2,2,2,'1-10');
INSERT INTO "frame_document" VALUES(2,2,3,'1-10');
INSERT INTO "frame_document" VALUES(2,2,4,'1-10');
INSERT INTO "frame_document" VALUES(2,2,5,'1-10');
INSERT INTO "frame_document" VALUES(2,3,2,'1-10');
CREATE TABLE holder (  -- everybody who has had an assignment; written by triggers
    assignment INTEGER NOT NULL REFERENCES assignment (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    PRIMARY KEY (assignment, assessor)
) STRICT, WITHOUT ROWID;
INSERT INTO "holder" VALUES(1,3);
INSERT INTO "holder" VALUES(2,5);
INSERT INTO "holder" VALUES(3,5);
INSERT INTO "holder" VALUES(4,5);
INSERT INTO "holder" VALUES(5,3);
CREATE TABLE import (  -- append-only: what came from files, and when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL
        CHECK (kind IN ('corpus', 'topics', 'runs', 'qrels', 'votes', 'answers', 'nuggets', 'support', 'log', 'preferences', 'claims')),
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;
INSERT INTO "import" VALUES(1,'2026-11-26T11:21:30.532+00:00','corpus','["corpus.jsonl"]',1,0);
INSERT INTO "import" VALUES(2,'2026-11-26T11:21:30.665+00:00','topics','["topics.jsonl"]',1,0);
INSERT INTO "import" VALUES(3,'2026-11-26T11:21:30.882+00:00','runs','["a", "b", "late.run"]',1,0);
INSERT INTO "import" VALUES(4,'2026-11-26T11:21:31.172+00:00','qrels','["judged.txt"]',1,2);
INSERT INTO "import" VALUES(5,'2026-11-26T11:21:31.316+00:00','votes','["votes.csv"]',3,4);
INSERT INTO "import" VALUES(6,'2026-11-26T11:21:32.061+00:00','log','["log.jsonl"]',5,4);
INSERT INTO "import" VALUES(7,'2026-11-26T11:21:32.192+00:00','runs','["x.run"]',5,4);
INSERT INTO "import" VALUES(8,'2026-11-26T11:21:32.515+00:00','answers','["answers.jsonl"]',11,10);
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
INSERT INTO "impression" VALUES(1,'i0',0.0,1,1,3770897945703833176,556857629900295147,2,NULL,0,X'0200000003000000',NULL,NULL,6);
INSERT INTO "impression" VALUES(2,'i1',1.0,1,2,3770897945703833176,556857629900295147,1,NULL,0,X'0200000003000000',NULL,NULL,6);
INSERT INTO "impression" VALUES(3,'i2',2.0,1,1,5365030920796151010,556857629900295147,2,NULL,0,X'0200000003000000',NULL,NULL,6);
INSERT INTO "impression" VALUES(4,'i3',3.0,1,2,5365030920796151010,556857629900295147,2,NULL,0,X'0200000003000000',NULL,NULL,6);
CREATE TABLE invitation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    token_sha256 TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    expires TEXT,
    revoked TEXT,
    role TEXT NOT NULL DEFAULT 'judge'
        CHECK (role IN ('judge', 'adjudicate', 'prefer', 'nuggets', 'assign', 'support', 'support-each', 'claims'))
) STRICT;
INSERT INTO "invitation" VALUES(1,3,'0f3231ef6910d6ef5bb3b5210a2fcdf2c534ca096d3fb6409332ce67a3b8aece','2026-11-26T11:21:32.824+00:00',NULL,NULL,'judge');
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
INSERT INTO "judgment_event" VALUES(1,'b8aa018a242740328ba6ee62d1dececc','2026-11-26T11:21:31.205+00:00','import',1,2,1,1,0,'','','{"subtopics": {"1": 1, "2": 0}}','',NULL,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,NULL,'',0,'',0,'681fa9b18b0b488496848cd8da586a59','','448f58bfb7c9ddbcb39835c9035f09af9ff38b870b902d194c142efd040dc2b3',2);
INSERT INTO "judgment_event" VALUES(2,'2f9b5e45bd6049a9a5ce9fc44983b11d','2026-11-26T11:21:31.205+00:00','import',2,5,1,1,0,'','','{"subtopics": {"1": 1}}','',NULL,NULL,'',NULL,'2fff8d683170da99559b8547d11d40cf4bea5946ee63f9730cb14df8525015ee',NULL,NULL,'',0,'',0,'681fa9b18b0b488496848cd8da586a59','448f58bfb7c9ddbcb39835c9035f09af9ff38b870b902d194c142efd040dc2b3','849b18f86c3e06e436bba6fd31ad0bd31c1651c67cb4ba92fe72ffadb064a13e',2);
INSERT INTO "judgment_event" VALUES(3,'2990d5ba35a841a7b5a8ec5dab73f1c7','2026-11-26T11:21:31.354+00:00','import',1,3,2,1,0,'','seen',NULL,'csv',NULL,NULL,'',NULL,'534b7656c74b9f8181d1be6fd8bb8eb6e5a67d37243aa4c3fb2c604f266f52c3',NULL,NULL,'',0,'',0,'5d9379afad9344719ceb5df556402de4','','b5149a25e66ec031c481163fa37102a47d48e857d2740202bd74f8c40c95368d',2);
INSERT INTO "judgment_event" VALUES(4,'9c4e825598d6421fb88704775740d0ee','2026-11-26T11:21:31.354+00:00','import',2,6,3,1,0,'','said Quillfeather',NULL,'csv',NULL,NULL,'',NULL,'2ec442acf07a634be4d5072b5dd76e9caebaf601ca515df4c77e0009351d1901',NULL,NULL,'',0,'',0,'5d9379afad9344719ceb5df556402de4','b5149a25e66ec031c481163fa37102a47d48e857d2740202bd74f8c40c95368d','3b7f77fefd2ba197c8f851e9d11a7f61513bfaa098cfbd17cf32e86402de9e7e',2);
INSERT INTO "judgment_event" VALUES(5,'2aaa68f5860a4030a6e14efc89f61979','2026-11-26T11:21:32.487+00:00','label',1,2,3,2,1,'','said Quillfeather','[{"start": 0, "end": 4, "quote": "wing"}]','',2.5,1,'hash',7,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',3,NULL,'key',0,'quill',0,'4b36083690ec433fb12d54aa0927d599','','ec2e7277c06b90c88709d0a068dad07e2d8a3cb24c71a5de7458f26bfef1ce79',2);
INSERT INTO "judgment_event" VALUES(6,'6515a3c9b0a04ba68d78deff95b45a24','2026-11-26T11:21:32.488+00:00','label',1,2,5,0,0,'','no',NULL,'',2.5,1,'hash',7,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',3,NULL,'key',1,'',1,'4b36083690ec433fb12d54aa0927d599','ec2e7277c06b90c88709d0a068dad07e2d8a3cb24c71a5de7458f26bfef1ce79','7de45a0e1fbe2482e45cf948a5617b15796225f6a75514c02d1ba37352635c30',2);
INSERT INTO "judgment_event" VALUES(7,'cf7cea3522df4de1a93b111474a7eb10','2026-11-26T11:21:32.488+00:00','cannot-judge',1,4,3,NULL,0,'Quillfeather''s eyes','',NULL,'',2.5,1,'hash',7,'62699622fca56703a957c7cdc0110af77d5d36c1737de327caad9236abfc534f',3,NULL,'key',0,'',0,'4b36083690ec433fb12d54aa0927d599','7de45a0e1fbe2482e45cf948a5617b15796225f6a75514c02d1ba37352635c30','b0b6a3776f3bcf53f2495b2c0d68871c8fb16e5d1620b6b73a1555999fefd6ba',2);
INSERT INTO "judgment_event" VALUES(8,'18e114435d8a4af7a252924de0e4f7dd','2026-11-26T11:21:32.488+00:00','label',2,2,5,1,0,'','',NULL,'',2.5,1,'hash',7,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',3,NULL,'key',0,'',0,'4b36083690ec433fb12d54aa0927d599','b0b6a3776f3bcf53f2495b2c0d68871c8fb16e5d1620b6b73a1555999fefd6ba','ea177e5573aa8c3c3a20647b90a270c4e3f484580dc58c22e1b84539e6064055',2);
INSERT INTO "judgment_event" VALUES(9,'26c1d0495e7c4589b02d9b97c0e936e8','2026-11-26T11:21:32.489+00:00','adjudicate',1,2,5,1,0,'','',NULL,'adjudication',NULL,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,NULL,'',0,'',0,'4b36083690ec433fb12d54aa0927d599','ea177e5573aa8c3c3a20647b90a270c4e3f484580dc58c22e1b84539e6064055','7264f9ab42f02d184e6ae6e1b0861acc61a5a7dc85beef487858106d37afce9b',2);
INSERT INTO "judgment_event" VALUES(10,'6a944ba9864f4ee0a2348bfec7685859','2026-11-26T11:21:32.492+00:00','retract',2,2,5,NULL,0,'','',NULL,'',NULL,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,8,'',0,'',0,'4b36083690ec433fb12d54aa0927d599','7264f9ab42f02d184e6ae6e1b0861acc61a5a7dc85beef487858106d37afce9b','d624a8d04f8f2f97c0b884de0056b8a96daf6e65da7648d7a90e038f2af4ed8d',2);
INSERT INTO "judgment_event" VALUES(11,'a2cf5c9ec2284cfe86c56b5fce089285','2026-11-26T11:21:32.791+00:00','label',1,2,7,1,0,'','','{"call": 1}','',1.5,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,NULL,'model',0,'',0,'4b36083690ec433fb12d54aa0927d599','d624a8d04f8f2f97c0b884de0056b8a96daf6e65da7648d7a90e038f2af4ed8d','280dd541a400e58b39217b68686a7a5d284d3c74be5f0f6153e7d184104f4695',2);
INSERT INTO "judgment_event" VALUES(12,'2adccf2a22ad4836ac6e37cc15374c5e','2026-11-26T11:21:33.055+00:00','label',1,2,3,1,0,'','said Quillfeather',NULL,'',1.0,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',3,NULL,'',0,'',0,'bf728609b38f4790a90dedfa94851f98','','89fb133fe26775ec2bf975a1c0a3d93100ff5139cf9cb798534ea1d794e2ae69',2);
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
INSERT INTO "model_call" VALUES(1,'2026-11-26T11:21:32.759+00:00',1,NULL,7,'relevance',1,2,'d1',1,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f','m','m','here','{}','r','1','why','stop',5,2,0.1,1.5,1,200,'ok','none',1,0,0);
INSERT INTO "model_call" VALUES(2,'2026-11-26T11:21:32.775+00:00',NULL,1,7,'relevance',1,2,'d1',1,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f','m','m','here','{}','r','1','why','stop',5,2,0.1,1.5,1,200,'ok','none',1,0,0);
CREATE TABLE model_request (  -- append-only: what is sent to a server, recorded before it is sent
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,  -- UTC
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    task TEXT NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    subject TEXT NOT NULL,  -- what is asked about: a docno, an answer, ...
    request_sha256 TEXT NOT NULL  -- of model, URL, parameters and messages
) STRICT;
INSERT INTO "model_request" VALUES(1,'2026-11-26T11:21:32.739+00:00',7,'relevance',1,'d1','r');
CREATE TABLE model_setting (  -- append-only: an assessor is one model with one prompt and one set of parameters
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    task TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt INTEGER NOT NULL REFERENCES prompt (id),
    parameters TEXT NOT NULL,  -- JSON
    made TEXT NOT NULL,  -- UTC
    PRIMARY KEY (assessor, task)
) STRICT, WITHOUT ROWID;
INSERT INTO "model_setting" VALUES(7,'relevance','m',1,'{"temperature": 0}','2026-11-26T11:21:32.713+00:00');
CREATE TABLE nugget (  -- append-only: what a good answer to a topic says; another wording is another nugget
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    text TEXT NOT NULL CHECK (text <> ''),
    author INTEGER NOT NULL REFERENCES assessor (id),
    contributors TEXT NOT NULL DEFAULT '[]',  -- JSON, the tags of the runs whose answers it comes from, where known
    place INTEGER  -- in the list of its topic: that of the nugget it replaces; NULL: its own number
) STRICT;
INSERT INTO "nugget" VALUES(1,'2026-11-26T11:21:32.539+00:00',1,'wings lift',3,'["rag"]',NULL);
INSERT INTO "nugget" VALUES(2,'2026-11-26T11:21:32.540+00:00',1,'wings do lift',3,'[]',1);
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
INSERT INTO "nugget_edit" VALUES(1,'fe0894c54fb34fb08f4a7f137ee5bd1a','2026-11-26T11:21:32.539+00:00','vital',1,3,'[]',3.0,'key',NULL);
INSERT INTO "nugget_edit" VALUES(2,'39f30b43599e44afad5ae87e1d9b1663','2026-11-26T11:21:32.540+00:00','okay',2,3,'[1]',NULL,'',NULL);
INSERT INTO "nugget_edit" VALUES(3,'9e4dbeb5e31945babd173a26d8a07e0d','2026-11-26T11:21:32.540+00:00','retract',2,3,'[]',NULL,'',2);
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
INSERT INTO "nugget_event" VALUES(1,'fe24ed98a2f94aae8b4a97fd5edd3930','2026-11-26T11:21:32.559+00:00','label',1,1,3,'support','Quillfeather''s eyes','said Quillfeather','[]',2.0,1,1,1,'key',NULL);
INSERT INTO "nugget_event" VALUES(2,'027e9d9857ca4af480e4e5d5263c0d81','2026-11-26T11:21:32.575+00:00','retract',1,1,3,NULL,'','',NULL,NULL,NULL,NULL,0,'',1);
CREATE TABLE origin (  -- append-only: where events came into being; each has a chain of its own
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('store', 'bundle', 'import', 'earlier')),  -- earlier: before there were chains
    name TEXT NOT NULL,  -- of the file, where there is one
    made TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "origin" VALUES('4b36083690ec433fb12d54aa0927d599','store','','2026-11-26T11:21:30.432+00:00');
INSERT INTO "origin" VALUES('681fa9b18b0b488496848cd8da586a59','import','','2026-11-26T11:21:31.204+00:00');
INSERT INTO "origin" VALUES('5d9379afad9344719ceb5df556402de4','import','votes.csv','2026-11-26T11:21:31.354+00:00');
INSERT INTO "origin" VALUES('bf728609b38f4790a90dedfa94851f98','bundle','Ada Quillfeather','2026-11-26T11:21:32.975+00:00');
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
INSERT INTO "plan" VALUES(1,'2026-11-26T11:21:32.412+00:00',3,0.5,1,0,86400,0);
CREATE TABLE pool (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    parameters TEXT NOT NULL,  -- JSON
    seed INTEGER,
    version TEXT NOT NULL,  -- of the program that built it
    created TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "pool" VALUES(1,'mtf','{"depth": null, "runs": ["a", "b", "late"], "considered": 100, "budget": 4, "batch": 10, "options": {"reset": "paper", "scope": "local"}, "batches": {"1": [4], "2": [4], "3": [1]}}',0,'0.1.0','2026-11-26T11:21:31.489+00:00');
INSERT INTO "pool" VALUES(2,'stratified','{"depth": null, "runs": ["a", "b", "late"], "considered": 3, "budget": 4, "options": {"bounds": "10,30", "rates": "4,2,1"}}',0,'0.1.0','2026-11-26T11:21:31.592+00:00');
INSERT INTO "pool" VALUES(3,'depth','{"depth": 3, "runs": ["a", "b", "late"]}',NULL,'0.1.0','2026-11-26T11:21:31.698+00:00');
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
INSERT INTO "pool_document" VALUES(1,1,2,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,1,3,2,'["a"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,1,4,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,1,10,1,'["late"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,2,2,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,2,3,2,'["a"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,2,4,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,2,5,2,'["b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(1,3,2,1,'["late"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(2,1,3,2,'["a"]','1-10',0.8);
INSERT INTO "pool_document" VALUES(2,1,4,1,'["a", "b"]','1-10',0.8);
INSERT INTO "pool_document" VALUES(2,1,5,2,'["b"]','1-10',0.8);
INSERT INTO "pool_document" VALUES(2,1,10,1,'["late"]','1-10',0.8);
INSERT INTO "pool_document" VALUES(2,2,2,1,'["a", "b"]','1-10',1.0);
INSERT INTO "pool_document" VALUES(2,2,3,2,'["a"]','1-10',1.0);
INSERT INTO "pool_document" VALUES(2,2,4,1,'["a", "b"]','1-10',1.0);
INSERT INTO "pool_document" VALUES(2,2,5,2,'["b"]','1-10',1.0);
INSERT INTO "pool_document" VALUES(2,3,2,1,'["late"]','1-10',1.0);
INSERT INTO "pool_document" VALUES(3,1,2,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,1,3,2,'["a"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,1,4,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,1,5,2,'["b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,1,10,1,'["late"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,2,2,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,2,3,2,'["a"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,2,4,1,'["a", "b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,2,5,2,'["b"]',NULL,NULL);
INSERT INTO "pool_document" VALUES(3,3,2,1,'["late"]',NULL,NULL);
CREATE TABLE pool_heard (  -- the judgments that were new to such a pool at a step
    pool INTEGER NOT NULL REFERENCES pool (id),
    step INTEGER NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    relevant INTEGER CHECK (relevant IN (0, 1)),  -- NULL: the judgment was taken back
    PRIMARY KEY (pool, step, topic, document)
) STRICT, WITHOUT ROWID;
INSERT INTO "pool_heard" VALUES(1,1,1,2,1);
INSERT INTO "pool_heard" VALUES(1,1,1,3,1);
INSERT INTO "pool_heard" VALUES(1,1,2,5,1);
CREATE TABLE pool_step (  -- when a topic of a pool that listens to judgments could get documents
    pool INTEGER NOT NULL REFERENCES pool (id),
    step INTEGER NOT NULL,  -- 1, 2, ...; several topics may share one
    topic INTEGER NOT NULL REFERENCES topic (id),
    room INTEGER NOT NULL,  -- how many might come: for the topic or, where topics compete, for all of the step
    PRIMARY KEY (pool, step, topic)
) STRICT, WITHOUT ROWID;
INSERT INTO "pool_step" VALUES(1,1,1,10);
INSERT INTO "pool_step" VALUES(1,1,2,10);
INSERT INTO "pool_step" VALUES(1,1,3,10);
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
INSERT INTO "preference_event" VALUES(1,'b0203a7c387740cc91bf0aee3aae1589','2026-11-26T11:21:32.683+00:00','prefer',1,2,3,3,'second','Quillfeather''s eyes','said Quillfeather','[]',2.0,1,1,'ff7772053abf7d817d6eec229a09e14f0d1552f1cb0aeedb2ac73784ac2d2e39','key',1,NULL);
INSERT INTO "preference_event" VALUES(2,'f4e7588a5cae4ee29edb6b526038f77e','2026-11-26T11:21:32.699+00:00','retract',1,2,3,3,NULL,'','',NULL,NULL,NULL,NULL,NULL,'',0,1);
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
INSERT INTO "preference_pair" VALUES(3,1,2,3,'file','2026-11-26T11:21:32.667+00:00');
CREATE TABLE prompt (  -- append-only: what models were asked with
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,  -- of all that follows
    name TEXT NOT NULL,
    task TEXT NOT NULL,  -- relevance, ...
    version INTEGER NOT NULL,
    content TEXT NOT NULL,  -- JSON: its texts, the grammar of answers, the scale
    source TEXT NOT NULL
) STRICT;
INSERT INTO "prompt" VALUES(1,'44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a','p','relevance',1,'{}','built in');
CREATE TABLE publication (  -- what people say of the collection that is to be published
    field TEXT PRIMARY KEY,  -- a key of `cranfield publish describe`
    value TEXT NOT NULL  -- JSON: a text or a list
) STRICT, WITHOUT ROWID;
INSERT INTO "publication" VALUES('title','"Full"');
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
INSERT INTO "query" VALUES(1,'what Quillfeather typed');
INSERT INTO "query" VALUES(2,'wings');
CREATE TABLE ranking (  -- what a run retrieved for a topic, in canonical order
    run INTEGER NOT NULL REFERENCES run (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    documents BLOB NOT NULL,  -- document.id, little-endian 32-bit integers
    scores BLOB NOT NULL,  -- as submitted, little-endian 64-bit floats
    PRIMARY KEY (run, topic)
) STRICT;
INSERT INTO "ranking" VALUES(1,1,X'020000000300000004000000',X'000000000000224000000000000020400000000000001C40');
INSERT INTO "ranking" VALUES(1,2,X'020000000300000004000000',X'000000000000224000000000000020400000000000001C40');
INSERT INTO "ranking" VALUES(2,1,X'040000000500000002000000',X'000000000000224000000000000020400000000000001C40');
INSERT INTO "ranking" VALUES(2,2,X'040000000500000002000000',X'000000000000224000000000000020400000000000001C40');
INSERT INTO "ranking" VALUES(3,1,X'0A000000',X'000000000000F03F');
INSERT INTO "ranking" VALUES(3,3,X'02000000',X'000000000000F03F');
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
INSERT INTO "release" VALUES(1,'1.0','2026-01-31','','2026-11-26T11:21:33.238+00:00','0.1.0','f0867bb98f3b5a5a2f317d13a2efc956950da119398bda865862c6346910b915','{"documents": 10, "topics": 3, "runs": 3, "judgments": 4}','{"document": 10, "topic": 4, "judgment_event": 12, "criterion": 2, "preference_event": 2, "answer": 1, "nugget": 2, "nugget_edit": 3, "nugget_event": 2, "support_event": 2, "claim": 2, "claim_event": 2, "event_link": 96, "change": 81, "import": 8, "removal": 2, "audit": 1, "prompt": 1, "model_request": 1, "model_call": 2, "run": 3, "pool": 3, "plan": 1}','{"collection": [["id", "name", "description", "licence", "created", "grades", "min_relevant", "guidelines", "origin", "rule"], [1, "full", "about", "CC0", "2026-11-26T11:21:29.434+00:00", "{\"0\": \"no\", \"1\": \"yes\", \"2\": \"very\"}", 1, "Read it all.", "4b36083690ec433fb12d54aa0927d599", 2]], "assessor": [["id", "name", "kind", "repeats", "uid"], [1, "import", "import", null, "cf21439029b8419785e6119146185d90"], [2, "vic", "human", null, "514bf60ef57e4ffd977535ed509453a2"], [3, "Ada Quillfeather", "human", null, "d007771984ff46e9b06cc7f123aa391f"], [4, "Ada Quillfeather (repeat)", "human", 3, "9062d5f2433545bcaca664d27eb15229"], [5, "bob", "human", null, "4446493f73b44f6199652c1701237b84"], [6, "bob (repeat)", "human", 5, "73b8396e38a5455788c41aca1755a1f6"], [7, "llm", "model", null, "29c56dc4684d42cda74733df1d8841ab"]], "origin": [["id", "kind", "name", "made"], ["4b36083690ec433fb12d54aa0927d599", "store", "", "2026-11-26T11:21:30.432+00:00"], ["681fa9b18b0b488496848cd8da586a59", "import", "", "2026-11-26T11:21:31.204+00:00"], ["5d9379afad9344719ceb5df556402de4", "import", "votes.csv", "2026-11-26T11:21:31.354+00:00"], ["bf728609b38f4790a90dedfa94851f98", "bundle", "Ada Quillfeather", "2026-11-26T11:21:32.975+00:00"]], "run": [["id", "tag", "team", "kind", "description", "pooled", "depth", "file", "sha256", "imported", "import", "metadata"], [1, "a", "a", "automatic", "", 1, null, "a", "64842add188fa74eeb06f9d6a31c162c5a9e51ae53bca0d9cd3207951365f846", "2026-11-26T11:21:30.892+00:00", 3, null], [2, "b", "b", "automatic", "", 1, null, "b", "90d8035ee6492fcc72b3266b52f6d9b76ce29d7184b4861285ca92cefc45a581", "2026-11-26T11:21:30.893+00:00", 3, null], [3, "late", "late", "automatic", "", 1, null, "late.run", "02a8b3cf73cf39c53d8781aa4b6d2149e8779252966b880a7b268a8db257dad5", "2026-11-26T11:21:30.894+00:00", 3, null]], "pool": [["id", "method", "parameters", "seed", "version", "created"], [1, "mtf", "{\"depth\": null, \"runs\": [\"a\", \"b\", \"late\"], \"considered\": 100, \"budget\": 4, \"batch\": 10, \"options\": {\"reset\": \"paper\", \"scope\": \"local\"}, \"batches\": {\"1\": [4], \"2\": [4], \"3\": [1]}}", 0, "0.1.0", "2026-11-26T11:21:31.489+00:00"], [2, "stratified", "{\"depth\": null, \"runs\": [\"a\", \"b\", \"late\"], \"considered\": 3, \"budget\": 4, \"options\": {\"bounds\": \"10,30\", \"rates\": \"4,2,1\"}}", 0, "0.1.0", "2026-11-26T11:21:31.592+00:00"], [3, "depth", "{\"depth\": 3, \"runs\": [\"a\", \"b\", \"late\"]}", null, "0.1.0", "2026-11-26T11:21:31.698+00:00"]], "plan": [["id", "made", "pool", "overlap", "repeats", "seed", "lease", "pinned"], [1, "2026-11-26T11:21:32.412+00:00", 3, 0.5, 1, 0, 86400, 0]], "assignment": [["id", "plan", "topic", "role", "assessor", "lease", "cannot_judge"], [1, 1, 1, "first", 3, null, 0], [2, 1, 2, "first", 5, null, 0], [3, 1, 3, "first", 5, null, 0], [4, 1, 1, "second", 5, null, 0], [5, 1, 2, "second", 3, null, 0]], "holder": [["assignment", "assessor"], [1, 3], [2, 5], [3, 5], [4, 5], [5, 3]], "answer_run": [["id", "tag", "team", "kind", "description", "file", "imported"], [1, "rag", "R", "automatic", "", "", "2026-11-26T11:21:32.516+00:00"]], "preference_pair": [["assessor", "topic", "first", "second", "source", "made"], [3, 1, 2, 3, "file", "2026-11-26T11:21:32.667+00:00"]], "model_setting": [["assessor", "task", "model", "prompt", "parameters", "made"], [7, "relevance", "m", 1, "{\"temperature\": 0}", "2026-11-26T11:21:32.713+00:00"]], "bundle": [["id", "assessor", "made"]], "published_log": [["origin", "events", "head", "chains"]], "pool_document": [["pool", "topic", "document", "depth", "runs", "stratum", "probability"], [1, 1, 2, 1, "[\"a\", \"b\"]", null, null], [1, 1, 3, 2, "[\"a\"]", null, null], [1, 1, 4, 1, "[\"a\", \"b\"]", null, null], [1, 1, 10, 1, "[\"late\"]", null, null], [1, 2, 2, 1, "[\"a\", \"b\"]", null, null], [1, 2, 3, 2, "[\"a\"]", null, null], [1, 2, 4, 1, "[\"a\", \"b\"]", null, null], [1, 2, 5, 2, "[\"b\"]", null, null], [1, 3, 2, 1, "[\"late\"]", null, null]], "pool_step": [["pool", "step", "topic", "room"], [1, 1, 1, 10], [1, 1, 2, 10], [1, 1, 3, 10]], "pool_heard": [["pool", "step", "topic", "document", "relevant"], [1, 1, 1, 2, 1], [1, 1, 1, 3, 1], [1, 1, 2, 5, 1]]}','{"document": [["id", "docno", "title", "url", "metadata", "sha256", "removed", "import"], "65db89fdd905a009c7ad31f43f05b04888df25a6aab16f917a0757e02c555123"], "topic": [["id", "qid", "title", "description", "narrative", "metadata", "removed", "import"], "88d883175e09486d9ca3f95b40a065cee7f513bddfab2165016e230bd9698889"], "judgment_event": [["id", "hash"], "2d1137f9d1344159a7cdbfc70cc755050d7aa1552974c8cfabc1633dca3566c3"], "criterion": [["id", "at", "topic", "assessor", "text"], "cf0573e319031df569d187e683a50de3ae6cec9d84c725b51c76bd1a96b18c85"], "preference_event": [["id", "event_id", "at", "kind", "topic", "first", "second", "assessor", "choice", "reason", "note", "evidence", "seconds", "position", "order_seed", "document_sha256", "input", "fast", "supersedes"], "5d6367249db1164c3d6712a4eada2cfed0b15a6b2ec1e557964c6f7f625eded1"], "answer": [["id", "run", "topic", "documents", "metadata", "sha256", "import"], "71c64386cdd391779ff65438b992887b2f4029546fd39e11f3139dd9db8b20aa"], "nugget": [["id", "at", "topic", "text", "author", "contributors", "place"], "e99374ee3d749e54c5389dd2ea02423cd375ee2ac0625160f8d32582f19a50dc"], "nugget_edit": [["id", "event_id", "at", "kind", "nugget", "assessor", "replaces", "seconds", "input", "supersedes"], "14af9450b19ece0c58ffc92cb83983cff0edd26ffb33f76a56ecc756604da40a"], "nugget_event": [["id", "event_id", "at", "kind", "answer", "nugget", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "f83f4e2bfc0e509b55cb6793c778bfae6b4ffdca60252da8cbedec35e8b6225c"], "support_event": [["id", "event_id", "at", "kind", "answer", "sentence", "citations", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "5d7fe6409ea76e6118f656504ab54c3c155c39edac625eba9153398a42e80431"], "claim": [["id", "at", "topic", "answer", "position", "text", "author", "version", "evidence", "import"], "463430aee8babbfb89f64a983200c5d494a2d131add9ae2ae489a55150fe703f"], "claim_event": [["id", "event_id", "at", "kind", "answer", "claim", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "d3a98609e71ec73da407d613fb0265c94d4d686a8df07f5e3d3b3d510a9a82c8"], "event_link": [["id", "log", "event", "import", "origin", "previous", "hash", "rule"], "b6e5b07935ed9105a52791bfcbb3a1be1d3a899e3841d734c307bd4ab9c9a718"], "change": [["id", "at", "kind", "name", "said", "sealed"], "5669915ddf956fadb61d580dd918e6e5517acf5594b5bcdb7e4672b777ca231f"], "import": [["id", "at", "kind", "files", "first_event", "last_event"], "85e21de08b0b123918d62bb22ff9d702e228e0158b126f8377ca2b628a8f661d"], "removal": [["id", "at", "kind", "name", "what", "reason"], "273b517e24cece7eeb016ae960f48d346b3ab71a3798168f04f7dc4cafcd9d51"], "audit": [["id", "model", "assessor", "unit", "strata_by", "seed", "made"], "2638951d18eae5c0bd002e80a7511a17c3aa9c978e0fd0941ea3deaac3341087"], "prompt": [["id", "sha256", "name", "task", "version", "content", "source"], "592ba8c36956daac34ea350a5fea52067eb47e2bc4d1d2028dc3f6f444fc070a"], "model_request": [["id", "at", "assessor", "task", "topic", "subject", "request_sha256"], "b23ac8e05c293a571583714b30cfe394c4a56c9edceea383328388d0fec6b1a1"], "model_call": [["id", "at", "request", "reused", "assessor", "task", "topic", "document", "subject", "prompt", "document_sha256", "model", "answered_by", "host", "parameters", "request_sha256", "answer", "reasoning", "finish_reason", "tokens_in", "tokens_out", "cost", "seconds", "attempt", "status", "outcome", "reason", "parser", "characters_cut", "addresses_judge"], "5ad11f47cb1ad5b13e8a71318784f89d91abf3b9978cc13a668a3a8f37d1bfc2"], "ranking": [["run", "topic", "documents", "scores"], "9def064a21049f1db723b10f5d5479e09190ba2250f96f62af5304387bf95fbb"], "frame_document": [["pool", "topic", "document", "stratum"], "57666ab701e8f9679ee65518c7862e1dfd797ff4ef8c705b8fef1a15e94a63b1"], "sampled": [["topic", "document", "purpose", "plan"], "690cea5c67ca3ed1d43c6fa7fe5c24148dfa72388686419b77ca8c8130a82cda"], "sentence": [["answer", "position", "text", "citations"], "60ba1829156b32ec9599b5b854dcb3e7eed426b60dce03e1f7436419dc94e25a"], "audit_stratum": [["audit", "stratum", "units"], "4dcb4aad83154f2f325130b9c89a2b249125850fbaa944544e7c052929b5521d"], "audited": [["audit", "topic", "document", "stratum"], "eb2e2c289b0b4a909d74c9fec0336ca28cfecccbaec19ce599b260004873f6bb"], "pool_document": [["pool", "topic", "document", "depth", "runs", "stratum", "probability"], "f9cccc25fc790ef23f874592aeefb80229d2a6cf77a4dc8cd5768f9873ac63e5"], "pool_step": [["pool", "step", "topic", "room"], "dc6cb21e5b04e29711c13a723c5cca47b08c30ef5da40f3d132ea9a94090d631"], "pool_heard": [["pool", "step", "topic", "document", "relevant"], "1e5d35b353883039f9022060699e8ff9b090b88a837534af4268ac0eb1260c45"], "collection": [["id", "name", "description", "licence", "created", "grades", "min_relevant", "guidelines", "origin", "rule"], "e98abcc899b565fe43c3e1a16b6737b9fb8423e49851f38e813b8fcb73b7dcb2"], "assessor": [["id", "name", "kind", "repeats", "uid"], "81efe7d8925eb7807809f9d5ea465b3aef18060a3179cbe639a8ee8f4ec8dff2"], "origin": [["id", "kind", "name", "made"], "a7569e57e98861ce41330346b33eea5b56ca53d237b260e53384a6c65045a329"], "run": [["id", "tag", "team", "kind", "description", "pooled", "depth", "file", "sha256", "imported", "import", "metadata"], "b16448b9464406feab479d904b902a13ae619d3de0c9b9da1acfe37a568826d6"], "pool": [["id", "method", "parameters", "seed", "version", "created"], "b3a6817af5f8049b76e90e6d31bd38a6b78f74c363b1206a8c90cdecda153213"], "plan": [["id", "made", "pool", "overlap", "repeats", "seed", "lease", "pinned"], "a4d79136b4c5bd7bce4250f60ab91843aa64e59f2397e2359eb0d46108e212ac"], "assignment": [["id", "plan", "topic", "role", "assessor", "lease", "cannot_judge"], "3203665f3cda94b12e06252bba44d0f96cc38b6deeb3916b6fcf53d44403767b"], "holder": [["assignment", "assessor"], "9553f8b3e42355f99761bf9456617c41dcd372942d35f7a70a9894b88c997d0f"], "answer_run": [["id", "tag", "team", "kind", "description", "file", "imported"], "cb0e6c272f83fbb2735e0e2e0f28fade68a4158d06d78fc007eac588f1ecc412"], "preference_pair": [["assessor", "topic", "first", "second", "source", "made"], "76d9efcb867f8c0a2cc9e1a2c1dda5a66b938ffca4282bf3dc8b32d16efc99d7"], "model_setting": [["assessor", "task", "model", "prompt", "parameters", "made"], "a849371345e206996eb04063c177f0dbd5fe21cc2ffa267b7fcd2c698e27d682"], "bundle": [["id", "assessor", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "published_log": [["origin", "events", "head", "chains"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"]}','084c6a07c608fb2804eb4b6403ef36ca242a0c103fc7c4a796227d1ae9df9918');
CREATE TABLE removal (  -- append-only: what was taken back
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('run', 'topic', 'pool', 'import')),
    name TEXT NOT NULL,  -- the tag, the qid, the number
    what TEXT NOT NULL,  -- JSON, what it was; the rankings of a run are not kept
    reason TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO "removal" VALUES(1,'2026-11-26T11:21:32.287+00:00','run','x','{"id": 4, "tag": "x", "team": "x", "kind": "automatic", "description": "", "pooled": 1, "file": "x.run", "sha256": "2482bef7db2a1b536c749b8cedb5e19c4a38ae49f7cfc3c948628c02fb62fcee", "imported": "2026-11-26T11:21:32.194+00:00", "import": 7, "rankings": 2}','');
INSERT INTO "removal" VALUES(2,'2026-11-26T11:21:32.337+00:00','topic','4','{"id": 4, "qid": "4", "title": "d", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2, "rankings": 0}','');
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
    imported TEXT NOT NULL,  -- UTC
    import INTEGER REFERENCES import (id),
    metadata TEXT  -- JSON, what the ir_metadata header of its file says
) STRICT;
INSERT INTO "run" VALUES(1,'a','a','automatic','',1,NULL,'a','64842add188fa74eeb06f9d6a31c162c5a9e51ae53bca0d9cd3207951365f846','2026-11-26T11:21:30.892+00:00',3,NULL);
INSERT INTO "run" VALUES(2,'b','b','automatic','',1,NULL,'b','90d8035ee6492fcc72b3266b52f6d9b76ce29d7184b4861285ca92cefc45a581','2026-11-26T11:21:30.893+00:00',3,NULL);
INSERT INTO "run" VALUES(3,'late','late','automatic','',1,NULL,'late.run','02a8b3cf73cf39c53d8781aa4b6d2149e8779252966b880a7b268a8db257dad5','2026-11-26T11:21:30.894+00:00',3,NULL);
CREATE TABLE sampled (  -- documents drawn beforehand: for a second assessor, or to be shown twice to the first
    topic INTEGER NOT NULL REFERENCES topic (id),
    document INTEGER NOT NULL REFERENCES document (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('overlap', 'repeat')),
    plan INTEGER NOT NULL REFERENCES plan (id),
    PRIMARY KEY (topic, document, purpose)
) STRICT, WITHOUT ROWID;
INSERT INTO "sampled" VALUES(1,5,'overlap',1);
INSERT INTO "sampled" VALUES(1,10,'overlap',1);
INSERT INTO "sampled" VALUES(2,2,'overlap',1);
INSERT INTO "sampled" VALUES(2,4,'overlap',1);
INSERT INTO "sampled" VALUES(2,5,'overlap',1);
CREATE TABLE sentence (  -- the sentences of the answers
    answer INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 1),
    text TEXT NOT NULL,
    citations TEXT NOT NULL,  -- JSON, the docnos it cites, in order, each with the stated confidence or null
    PRIMARY KEY (answer, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "sentence" VALUES(1,1,'Wings lift.','{"d1": 0.5, "d2": null}');
CREATE TABLE serving_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
INSERT INTO "serving_key" VALUES(1,X'44FB7B5DB141EFA10CEB6F1B0793D1852B33B156B464175253825696B7B78E84');
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
INSERT INTO "support_event" VALUES(1,'33a3a0ee03c24779981f328e910f64a2','2026-11-26T11:21:32.590+00:00','label',1,1,'["d1"]',3,'support','Quillfeather''s eyes','said Quillfeather','[]',2.0,1,1,0,'key',NULL);
INSERT INTO "support_event" VALUES(2,'50a8554ac0984e779ea5e084c595b42c','2026-11-26T11:21:32.607+00:00','retract',1,1,'["d1"]',3,NULL,'','',NULL,NULL,NULL,NULL,0,'',1);
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
INSERT INTO "topic" VALUES(1,'1','a','d','n','{"k": 1}',0,2);
INSERT INTO "topic" VALUES(2,'2','b','d','n','{"k": 1}',0,2);
INSERT INTO "topic" VALUES(3,'3','c','d','n','{"k": 1}',0,2);
INSERT INTO "topic" VALUES(4,'4',NULL,NULL,NULL,NULL,1,NULL);
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
INSERT INTO "user_salt" VALUES(1,X'C2DD71592F6F6D25DD90323307B1FACC');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX document_without_text ON document (removed) WHERE text IS NULL;
CREATE VIEW run_overview AS
SELECT r.tag, r.team, r.kind, r.pooled, r.depth, count(k.topic) AS topics,
    total(length(k.documents)) / 4 AS documents, r.file, r.imported
FROM run r LEFT JOIN ranking k ON k.run = r.id GROUP BY r.id;
CREATE VIEW unknown_document AS  -- named by runs or judgments, but not in the corpus; where there is none, all are
SELECT id, docno FROM document WHERE text IS NULL AND removed = 0;
CREATE VIEW unknown_topic AS  -- named by runs or judgments, but not among the topics
SELECT id, qid FROM topic WHERE title IS NULL AND removed = 0;
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
CREATE INDEX judgment_event_pair ON judgment_event (topic, document, assessor);
CREATE INDEX judgment_event_retracted ON judgment_event (supersedes) WHERE kind = 'retract';
CREATE INDEX judgment_event_about ON judgment_event (id) WHERE kind = 'import' AND evidence IS NOT NULL;
CREATE INDEX judgment_event_origin ON judgment_event (origin, id);
CREATE UNIQUE INDEX assessor_uid ON assessor (uid) WHERE uid <> '';
CREATE VIEW current_judgment AS
SELECT l.* FROM current_event c JOIN judgment_log l ON l.id = c.id;
CREATE VIEW criteria AS  -- the diary of criteria, with names for numbers
SELECT c.id, c.at, t.qid, a.name AS assessor, c.text
FROM criterion c JOIN topic t ON t.id = c.topic JOIN assessor a ON a.id = c.assessor;
CREATE VIEW settled AS  -- pairs that an assessor has a label for or cannot judge: finished work
SELECT e.topic, e.document, e.assessor FROM judgment_event e
WHERE e.kind IN ('label', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l WHERE l.topic = e.topic AND l.document = e.document
            AND l.assessor = e.assessor AND l.id > e.id AND l.kind = 'later'
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );
CREATE VIEW unfinished AS  -- what of it nobody who had it has settled
SELECT d.* FROM assigned d WHERE NOT EXISTS (
    SELECT 1 FROM holder h JOIN settled s ON s.assessor = h.assessor
    WHERE h.assignment = d.assignment AND s.topic = d.topic AND s.document = d.document
);
CREATE VIEW given_up AS  -- what a topic's first assessor cannot judge, as her last word
SELECT e.topic, e.document, e.assessor FROM judgment_event e
JOIN holder h ON h.assessor = e.assessor
JOIN assignment a ON a.id = h.assignment AND a.topic = e.topic AND a.role = 'first'
WHERE e.kind = 'cannot-judge'
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l WHERE l.topic = e.topic AND l.document = e.document
            AND l.assessor = e.assessor AND l.id > e.id AND l.kind NOT IN ('retract', 'note')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );
CREATE VIEW current_event AS  -- per topic, document and assessor the last word that was not taken back
SELECT e.id, e.topic, e.document, e.assessor FROM judgment_event e
WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    );
CREATE VIEW qrels_event AS
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind = 'model' AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
            SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
            WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
        ) - e.assessor
    ) AS precedence
    FROM judgment_event e JOIN assessor a ON a.id = e.assessor
    WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    )
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND true
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;
CREATE VIEW qrels_event_people AS
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind = 'model' AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
            SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
            WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
        ) - e.assessor
    ) AS precedence
    FROM judgment_event e JOIN assessor a ON a.id = e.assessor
    WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    )
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND a.kind <> 'model'
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;
CREATE VIEW qrels_event_models AS
-- pair cannot be judged, else a model only where nobody else labelled, else the topic's first assessor, else who came
-- first
SELECT id, topic, document, assessor, grade, source, by_model FROM (
    SELECT e.id, e.topic, e.document, e.assessor, e.grade, e.source, a.kind = 'model' AS by_model, max(
        4e9 * (e.kind IN ('adjudicate', 'cannot-judge')) + 2e9 * (a.kind <> 'model') + 1e9 * EXISTS (
            SELECT 1 FROM assignment g JOIN holder h ON h.assignment = g.id
            WHERE g.topic = e.topic AND g.role = 'first' AND h.assessor = e.assessor
        ) - e.assessor
    ) AS precedence
    FROM judgment_event e JOIN assessor a ON a.id = e.assessor
    WHERE e.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    AND NOT EXISTS (
        SELECT 1 FROM judgment_event l
        WHERE l.topic = e.topic AND l.document = e.document AND l.assessor = e.assessor AND l.id > e.id
            AND l.kind IN ('label', 'later', 'cannot-judge', 'adjudicate', 'import')
            AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = l.id)
    )
        AND (e.grade IS NOT NULL OR e.kind = 'cannot-judge' AND e.source = 'adjudication')
        AND a.repeats IS NULL  -- what was shown twice counts once
        AND a.kind = 'model'
    GROUP BY e.topic, e.document
) WHERE grade IS NOT NULL;
CREATE VIEW qrels AS
SELECT t.qid, d.docno, q.grade, a.name AS assessor, q.source, 'primary' AS policy, q.by_model FROM qrels_event q
JOIN topic t ON t.id = q.topic JOIN document d ON d.id = q.document JOIN assessor a ON a.id = q.assessor;
CREATE VIEW standing_event AS  -- what assessors did and nobody took back
SELECT e.* FROM judgment_event e WHERE e.kind <> 'retract'
    AND NOT EXISTS (SELECT 1 FROM judgment_event r WHERE r.kind = 'retract' AND r.supersedes = e.id);
CREATE VIEW judgment_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, d.docno, a.name AS assessor, a.kind AS assessor_kind, e.grade, e.unsure,
    e.reason, e.note, e.evidence, e.source, e.seconds, e.position, e.order_policy, e.order_seed,
    e.document_sha256, e.pool, e.supersedes, e.event_id, e.input, e.fast, e.highlight_terms, e.docno_shown,
    e.origin, e.previous, e.hash, e.rule
FROM judgment_event e
JOIN topic t ON t.id = e.topic JOIN document d ON d.id = e.document JOIN assessor a ON a.id = e.assessor;
CREATE VIEW pooled AS  -- the documents of every pool
SELECT p.pool, t.qid, d.docno, p.depth, p.runs, p.stratum, p.probability
FROM pool_document p JOIN topic t ON t.id = p.topic JOIN document d ON d.id = p.document;
CREATE VIEW assigned AS  -- the documents of every assignment, from the newest pool or the one that its plan stays with
SELECT a.id AS assignment, a.topic, a.role, a.assessor, a.lease, p.document, p.pool
FROM assignment a JOIN plan ON plan.id = a.plan
JOIN pool_document p ON p.topic = a.topic
    AND p.pool = CASE plan.pinned WHEN 1 THEN plan.pool ELSE (SELECT max(id) FROM pool) END
WHERE a.role = 'first' OR EXISTS (
    SELECT 1 FROM sampled s WHERE s.topic = a.topic AND s.document = p.document AND s.purpose = 'overlap'
) OR a.cannot_judge AND EXISTS (
    SELECT 1 FROM given_up g WHERE g.topic = a.topic AND g.document = p.document
);
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
CREATE VIEW answered AS  -- every sentence of every answer, with names for numbers
SELECT r.tag AS run, r.team, t.qid, s.position, s.text, s.citations, a.id AS answer
FROM answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic LEFT JOIN sentence s ON s.answer = a.id
ORDER BY r.id, t.id, s.position;
CREATE VIEW standing_nugget_edit AS  -- what was done to nuggets and not taken back
SELECT e.* FROM nugget_edit e WHERE e.kind <> 'retract'
    AND NOT EXISTS (SELECT 1 FROM nugget_edit r WHERE r.kind = 'retract' AND r.supersedes = e.id);
CREATE VIEW current_nugget AS  -- the nuggets of each topic as they are now, with names for numbers
SELECT n.id, t.qid, n.text, e.kind AS importance, a.name AS author, n.contributors, coalesce(n.place, n.id) AS place,
    e.id AS edit
FROM nugget n JOIN topic t ON t.id = n.topic JOIN assessor a ON a.id = n.author
JOIN (SELECT nugget, max(id) AS id FROM standing_nugget_edit GROUP BY nugget) last ON last.nugget = n.id
JOIN nugget_edit e ON e.id = last.id
WHERE e.kind <> 'drop'
    AND n.id NOT IN (SELECT o.value FROM standing_nugget_edit s, json_each(s.replaces) o);
CREATE VIEW current_nugget_event AS
SELECT e.*, a.name, a.kind AS assessor_kind FROM nugget_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM nugget_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM nugget_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, nugget, assessor);
CREATE VIEW current_support_event AS
SELECT e.*, a.name, a.kind AS assessor_kind FROM support_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM support_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM support_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, sentence, citations, assessor);
CREATE VIEW current_claim_event AS
SELECT e.*, a.name, a.kind AS assessor_kind FROM claim_event e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM claim_event w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM claim_event r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, claim, assessor);
CREATE VIEW counted_claim AS  -- those whose import was not removed, with what decides which authors count
SELECT c.*, t.qid, a.name, a.kind = 'model' AS by_model FROM claim c JOIN topic t ON t.id = c.topic
JOIN assessor a ON a.id = c.author WHERE c.import IS NULL OR NOT EXISTS (
    SELECT 1 FROM removal r WHERE r.kind = 'import' AND r.name = CAST(c.import AS TEXT));
CREATE VIEW latest_claim AS  -- what counts: people's before models', of the first author, the last version
SELECT c.* FROM counted_claim c WHERE NOT EXISTS (
    SELECT 1 FROM counted_claim o WHERE o.topic = c.topic AND o.answer IS c.answer
        AND (o.by_model, o.author, -o.version) < (c.by_model, c.author, -c.version));
CREATE VIEW current_claim AS  -- the claims that count: people's before models', of the first author, the last version
SELECT * FROM latest_claim WHERE position > 0;
CREATE INDEX preference_event_pair ON preference_event (assessor, topic, first, second);
CREATE INDEX preference_event_retracted ON preference_event (supersedes) WHERE kind = 'retract';
CREATE VIEW preference_log AS  -- every event, with names for numbers
SELECT e.id, e.at, e.kind, t.qid, f.docno AS first, s.docno AS second, a.name AS assessor, a.kind AS assessor_kind,
    e.choice, e.reason, e.note, e.evidence, e.seconds, e.position, e.order_seed, e.document_sha256, e.input, e.fast,
    e.supersedes, e.event_id
FROM preference_event e JOIN topic t ON t.id = e.topic JOIN document f ON f.id = e.first
JOIN document s ON s.id = e.second JOIN assessor a ON a.id = e.assessor;
CREATE VIEW current_preference AS  -- the last word of each assessor on each pair in each order, if not taken back
SELECT l.* FROM preference_log l WHERE l.id IN (
    SELECT max(e.id) FROM preference_event e
    WHERE e.kind IN ('prefer', 'later', 'cannot-judge', 'import')
        AND NOT EXISTS (SELECT 1 FROM preference_event r WHERE r.kind = 'retract' AND r.supersedes = e.id)
    GROUP BY e.assessor, e.topic, e.first, e.second
);
CREATE TRIGGER document_stays BEFORE DELETE ON document BEGIN
    SELECT RAISE (ABORT, 'documents are never deleted: rankings refer to them');
END;
CREATE TRIGGER topic_stays BEFORE DELETE ON topic BEGIN
    SELECT RAISE (ABORT, 'topics are never deleted: rankings and judgments refer to them');
END;
CREATE TRIGGER scale_frozen BEFORE UPDATE OF grades, min_relevant ON collection
WHEN EXISTS (SELECT 1 FROM judgment_event) BEGIN
    SELECT RAISE (ABORT, 'the grade scale is frozen: judgments exist');
END;
CREATE TRIGGER removal_unchanged BEFORE UPDATE ON removal BEGIN
    SELECT RAISE (ABORT, 'removals are never changed');
END;
CREATE TRIGGER removal_stays BEFORE DELETE ON removal BEGIN
    SELECT RAISE (ABORT, 'removals are never deleted');
END;
CREATE TRIGGER collection_new BEFORE INSERT ON collection WHEN EXISTS (SELECT 1 FROM collection) BEGIN
    SELECT RAISE (ABORT, 'a store has one collection');
END;
CREATE TRIGGER collection_stays BEFORE DELETE ON collection BEGIN
    SELECT RAISE (ABORT, 'a store has one collection');
END;
CREATE TRIGGER document_changes BEFORE UPDATE ON document
WHEN old.text IS NULL AND (new.text IS NOT NULL OR new.removed <> old.removed)
    AND old.id <= (SELECT max(json_extract(last, '$.document')) FROM release) BEGIN
    INSERT INTO earlier_document (document, release, removed)
        SELECT old.id, r.id, old.removed FROM release r
        WHERE r.id = (SELECT max(id) FROM release WHERE json_extract(last, '$.document') >= old.id)
            AND NOT EXISTS (SELECT 1 FROM earlier_document e WHERE e.document = old.id AND e.release = r.id);
END;
CREATE TRIGGER document_released BEFORE UPDATE ON document
WHEN old.text IS NOT NULL AND old.id <= (SELECT max(json_extract(last, '$.document')) FROM release)
    AND EXISTS (
        SELECT 1 FROM release r WHERE json_extract(r.last, '$.document') >= old.id
            AND NOT EXISTS (SELECT 1 FROM earlier_document e WHERE e.document = old.id AND e.release >= r.id)
    ) BEGIN
    SELECT RAISE (ABORT, 'a release has this document: it stays as it is');
END;
CREATE TRIGGER topic_changes BEFORE UPDATE ON topic
WHEN old.title IS NULL AND (new.title IS NOT NULL OR new.removed <> old.removed)
    AND old.id <= (SELECT max(json_extract(last, '$.topic')) FROM release) BEGIN
    INSERT INTO earlier_topic (topic, release, removed)
        SELECT old.id, r.id, old.removed FROM release r
        WHERE r.id = (SELECT max(id) FROM release WHERE json_extract(last, '$.topic') >= old.id)
            AND NOT EXISTS (SELECT 1 FROM earlier_topic e WHERE e.topic = old.id AND e.release = r.id);
END;
CREATE TRIGGER topic_released BEFORE UPDATE ON topic
WHEN old.title IS NOT NULL AND old.id <= (SELECT max(json_extract(last, '$.topic')) FROM release)
    AND EXISTS (
        SELECT 1 FROM release r WHERE json_extract(r.last, '$.topic') >= old.id
            AND NOT EXISTS (SELECT 1 FROM earlier_topic e WHERE e.topic = old.id AND e.release >= r.id)
    ) BEGIN
    SELECT RAISE (ABORT, 'a release has this topic: it stays as it is');
END;
CREATE TRIGGER run_released_stays BEFORE DELETE ON run
WHEN old.id <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays');
END;
CREATE TRIGGER ranking_released_stays BEFORE DELETE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays');
END;
CREATE TRIGGER ranking_released BEFORE UPDATE ON ranking
WHEN old.run <= (SELECT max(json_extract(last, '$.run')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this run: it stays as it is');
END;
CREATE TRIGGER import_unchanged BEFORE UPDATE ON import WHEN old.last_event IS NOT NULL BEGIN
    SELECT RAISE (ABORT, 'imports are never changed: `cranfield store remove` takes one back');
END;
CREATE TRIGGER import_stays BEFORE DELETE ON import BEGIN
    SELECT RAISE (ABORT, 'imports are never deleted: `cranfield store remove` takes one back');
END;
CREATE TRIGGER judgment_event_stays BEFORE DELETE ON judgment_event BEGIN
    SELECT RAISE (ABORT, 'judgments are never deleted: append a retract event');
END;
CREATE TRIGGER criterion_stays BEFORE DELETE ON criterion BEGIN
    SELECT RAISE (ABORT, 'criteria are never deleted: append another');
END;
CREATE TRIGGER lease_renewed AFTER INSERT ON judgment_event BEGIN  -- any sign of life renews it
    UPDATE assignment SET lease = coalesce(max(lease, strftime('%Y-%m-%dT%H:%M:%f+00:00', new.at,
        '+' || (SELECT plan.lease FROM plan WHERE plan.id = assignment.plan) || ' seconds')), lease)
    WHERE topic = new.topic AND assessor = new.assessor AND lease IS NOT NULL;
END;
CREATE TRIGGER bundle_is_one_persons BEFORE INSERT ON assessor
WHEN EXISTS (SELECT 1 FROM bundle) AND NOT EXISTS (SELECT 1 FROM assessor WHERE name = new.name) BEGIN
    SELECT RAISE (ABORT, 'this bundle was made for another assessor');
END;
CREATE TRIGGER judgment_event_new BEFORE INSERT ON judgment_event
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE id = new.id OR event_id = new.event_id) BEGIN
    SELECT RAISE (ABORT, 'judgments are never replaced: append an event');
END;
CREATE TRIGGER judgment_event_on_scale BEFORE INSERT ON judgment_event
WHEN new.grade IS NOT NULL AND new.grade NOT IN (SELECT CAST(key AS INTEGER) FROM collection, json_each(grades)) BEGIN
    SELECT RAISE (ABORT, 'the grade is not on the scale of this collection');
END;
CREATE TRIGGER assessor_new BEFORE INSERT ON assessor
WHEN EXISTS (SELECT 1 FROM assessor WHERE id = new.id OR name = new.name) BEGIN
    SELECT RAISE (ABORT, 'this assessor is known already');
END;
CREATE TRIGGER assessor_stays BEFORE DELETE ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
CREATE TRIGGER origin_stays BEFORE DELETE ON origin BEGIN
    SELECT RAISE (ABORT, 'origins are never deleted');
END;
CREATE TRIGGER origin_new BEFORE INSERT ON origin WHEN EXISTS (SELECT 1 FROM origin WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'origins are never replaced');
END;
CREATE TRIGGER assessor_keeps_uid BEFORE UPDATE OF uid ON assessor WHEN old.uid <> '' BEGIN
    SELECT RAISE (ABORT, 'the id of an assessor is never changed: hashes have it');
END;
CREATE TRIGGER assessor_salt_unchanged BEFORE UPDATE ON assessor_salt BEGIN
    SELECT RAISE (ABORT, 'salts are never changed: seals are made with them');
END;
CREATE TRIGGER assessor_keeps_kind BEFORE UPDATE OF id, name, kind ON assessor
WHEN EXISTS (SELECT 1 FROM judgment_event WHERE assessor = old.id)
    AND (new.id <> old.id OR new.kind <> old.kind OR new.name NOT LIKE 'erased %'
    OR NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'assessor' AND item = CAST(old.id AS TEXT))) BEGIN
    SELECT RAISE (ABORT, 'judgments exist: whose they are does not change');
END;
CREATE TRIGGER judgment_event_unchanged BEFORE UPDATE ON judgment_event
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'judgment_event' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.event_id IS NOT old.event_id
    OR new.at IS NOT old.at
    OR new.kind IS NOT old.kind
    OR new.topic IS NOT old.topic
    OR new.document IS NOT old.document
    OR new.assessor IS NOT old.assessor
    OR new.grade IS NOT old.grade
    OR new.unsure IS NOT old.unsure
    OR new.source IS NOT old.source
    OR new.position IS NOT old.position
    OR new.order_policy IS NOT old.order_policy
    OR new.order_seed IS NOT old.order_seed
    OR new.document_sha256 IS NOT old.document_sha256
    OR new.pool IS NOT old.pool
    OR new.supersedes IS NOT old.supersedes
    OR new.input IS NOT old.input
    OR new.fast IS NOT old.fast
    OR new.docno_shown IS NOT old.docno_shown
    OR new.origin IS NOT old.origin
    OR new.previous IS NOT old.previous
    OR new.hash IS NOT old.hash
    OR new.rule IS NOT old.rule
    OR new.reason IS NOT old.reason AND coalesce(new.reason, '') <> '' AND new.reason NOT LIKE 'erased %'
    OR new.note IS NOT old.note AND coalesce(new.note, '') <> '' AND new.note NOT LIKE 'erased %'
    OR new.seconds IS NOT old.seconds AND coalesce(new.seconds, '') <> '' AND new.seconds NOT LIKE 'erased %'
    OR new.highlight_terms IS NOT old.highlight_terms AND coalesce(new.highlight_terms, '') <> '' AND new.highlight_terms NOT LIKE 'erased %'
    OR new.evidence IS NOT old.evidence AND coalesce(new.evidence, '') <> '' AND new.evidence NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'judgments are never changed: append an event');
END;
CREATE TRIGGER criterion_unchanged BEFORE UPDATE ON criterion
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'criterion' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.at IS NOT old.at
    OR new.topic IS NOT old.topic
    OR new.assessor IS NOT old.assessor
    OR new.text IS NOT old.text AND coalesce(new.text, '') <> '' AND new.text NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'criteria are never changed: append another');
END;
CREATE TRIGGER origin_unchanged BEFORE UPDATE ON origin
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'origin' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.kind IS NOT old.kind
    OR new.made IS NOT old.made
    OR new.name IS NOT old.name AND coalesce(new.name, '') <> '' AND new.name NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'origins are never changed');
END;
CREATE TRIGGER assignment_given AFTER INSERT ON assignment WHEN new.assessor IS NOT NULL BEGIN
    INSERT OR IGNORE INTO holder VALUES (new.id, new.assessor);
END;
CREATE TRIGGER assignment_taken AFTER UPDATE OF assessor ON assignment WHEN new.assessor IS NOT NULL BEGIN
    INSERT OR IGNORE INTO holder VALUES (new.id, new.assessor);
END;
CREATE TRIGGER pool_released_stays BEFORE DELETE ON pool
WHEN old.id <= (SELECT max(json_extract(last, '$.pool')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this pool: it stays');
END;
CREATE TRIGGER event_link_unchanged BEFORE UPDATE ON event_link BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never changed');
END;
CREATE TRIGGER event_link_stays BEFORE DELETE ON event_link BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never deleted');
END;
CREATE TRIGGER event_link_new BEFORE INSERT ON event_link
WHEN EXISTS (SELECT 1 FROM event_link WHERE id = new.id OR (log = new.log AND event = new.event)) BEGIN
    SELECT RAISE (ABORT, 'links of the logs are never replaced');
END;
CREATE TRIGGER release_stays BEFORE DELETE ON release BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER release_new BEFORE INSERT ON release
WHEN EXISTS (SELECT 1 FROM release WHERE id = new.id OR name = new.name) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
CREATE TRIGGER earlier_document_unchanged BEFORE UPDATE ON earlier_document BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER earlier_document_stays BEFORE DELETE ON earlier_document BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER earlier_document_new BEFORE INSERT ON earlier_document
WHEN EXISTS (SELECT 1 FROM earlier_document WHERE document = new.document AND release = new.release) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
CREATE TRIGGER earlier_topic_unchanged BEFORE UPDATE ON earlier_topic BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER earlier_topic_stays BEFORE DELETE ON earlier_topic BEGIN
    SELECT RAISE (ABORT, 'releases are never deleted');
END;
CREATE TRIGGER earlier_topic_new BEFORE INSERT ON earlier_topic
WHEN EXISTS (SELECT 1 FROM earlier_topic WHERE topic = new.topic AND release = new.release) BEGIN
    SELECT RAISE (ABORT, 'releases are never replaced');
END;
CREATE TRIGGER change_unchanged BEFORE UPDATE ON change BEGIN
    SELECT RAISE (ABORT, 'change is append-only: nothing in it is changed');
END;
CREATE TRIGGER change_stays BEFORE DELETE ON change BEGIN
    SELECT RAISE (ABORT, 'change is append-only: nothing in it is deleted');
END;
CREATE TRIGGER change_new BEFORE INSERT ON change WHEN EXISTS (SELECT 1 FROM change WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'change is append-only: nothing in it is replaced');
END;
CREATE TRIGGER erasure_unchanged BEFORE UPDATE ON erasure BEGIN
    SELECT RAISE (ABORT, 'erasure is append-only: nothing in it is changed');
END;
CREATE TRIGGER erasure_stays BEFORE DELETE ON erasure BEGIN
    SELECT RAISE (ABORT, 'erasure is append-only: nothing in it is deleted');
END;
CREATE TRIGGER erasure_new BEFORE INSERT ON erasure WHEN EXISTS (SELECT 1 FROM erasure WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'erasure is append-only: nothing in it is replaced');
END;
CREATE TRIGGER redaction_unchanged BEFORE UPDATE ON redaction BEGIN
    SELECT RAISE (ABORT, 'redaction is append-only: nothing in it is changed');
END;
CREATE TRIGGER redaction_stays BEFORE DELETE ON redaction BEGIN
    SELECT RAISE (ABORT, 'redaction is append-only: nothing in it is deleted');
END;
CREATE TRIGGER release_unchanged BEFORE UPDATE ON release
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'release' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.name IS NOT old.name
    OR new.date IS NOT old.date
    OR new.note IS NOT old.note
    OR new.at IS NOT old.at
    OR new.version IS NOT old.version
    OR new.head IS NOT old.head
    OR new.counts IS NOT old.counts
    OR new.last IS NOT old.last
    OR new.sha256 IS NOT old.sha256 BEGIN
    SELECT RAISE (ABORT, 'releases are never changed');
END;
CREATE TRIGGER prompt_unchanged BEFORE UPDATE ON prompt BEGIN
    SELECT RAISE (ABORT, 'prompts are never changed');
END;
CREATE TRIGGER prompt_stays BEFORE DELETE ON prompt BEGIN
    SELECT RAISE (ABORT, 'prompts are never deleted');
END;
CREATE TRIGGER prompt_new BEFORE INSERT ON prompt
WHEN EXISTS (SELECT 1 FROM prompt WHERE id = new.id OR sha256 = new.sha256) BEGIN
    SELECT RAISE (ABORT, 'prompts are never replaced');
END;
CREATE TRIGGER model_setting_unchanged BEFORE UPDATE ON model_setting BEGIN
    SELECT RAISE (ABORT, 'settings of models are never changed');
END;
CREATE TRIGGER model_setting_stays BEFORE DELETE ON model_setting BEGIN
    SELECT RAISE (ABORT, 'settings of models are never deleted');
END;
CREATE TRIGGER model_setting_new BEFORE INSERT ON model_setting
WHEN EXISTS (SELECT 1 FROM model_setting WHERE assessor = new.assessor AND task = new.task) BEGIN
    SELECT RAISE (ABORT, 'settings of models are never replaced');
END;
CREATE TRIGGER model_request_unchanged BEFORE UPDATE ON model_request BEGIN
    SELECT RAISE (ABORT, 'requests are never changed');
END;
CREATE TRIGGER model_request_stays BEFORE DELETE ON model_request BEGIN
    SELECT RAISE (ABORT, 'requests are never deleted');
END;
CREATE TRIGGER model_request_new BEFORE INSERT ON model_request
WHEN EXISTS (SELECT 1 FROM model_request WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'requests are never replaced');
END;
CREATE TRIGGER model_call_unchanged BEFORE UPDATE ON model_call BEGIN
    SELECT RAISE (ABORT, 'calls are never changed');
END;
CREATE TRIGGER model_call_stays BEFORE DELETE ON model_call BEGIN
    SELECT RAISE (ABORT, 'calls are never deleted');
END;
CREATE TRIGGER model_call_new BEFORE INSERT ON model_call
WHEN EXISTS (SELECT 1 FROM model_call WHERE id = new.id OR request = new.request) BEGIN
    SELECT RAISE (ABORT, 'calls are never replaced');
END;
CREATE TRIGGER answer_unchanged BEFORE UPDATE ON answer BEGIN
    SELECT RAISE (ABORT, 'answers are never changed: `cranfield store remove` removes an import of them');
END;
CREATE TRIGGER sentence_unchanged BEFORE UPDATE ON sentence BEGIN
    SELECT RAISE (ABORT, 'sentences are never changed: `cranfield store remove` removes an import of answers');
END;
CREATE TRIGGER sentence_stays BEFORE DELETE ON sentence WHEN EXISTS (SELECT 1 FROM answer WHERE id = old.answer) BEGIN
    SELECT RAISE (ABORT, 'sentences are never deleted by themselves');
END;
CREATE TRIGGER nugget_unchanged BEFORE UPDATE ON nugget BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is changed');
END;
CREATE TRIGGER nugget_stays BEFORE DELETE ON nugget BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_new BEFORE INSERT ON nugget WHEN EXISTS (SELECT 1 FROM nugget WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget is append-only: nothing in it is replaced');
END;
CREATE TRIGGER nugget_edit_stays BEFORE DELETE ON nugget_edit BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_edit_new BEFORE INSERT ON nugget_edit
WHEN EXISTS (SELECT 1 FROM nugget_edit WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is replaced');
END;
CREATE TRIGGER nugget_event_stays BEFORE DELETE ON nugget_event BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER nugget_event_new BEFORE INSERT ON nugget_event
WHEN EXISTS (SELECT 1 FROM nugget_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is replaced');
END;
CREATE TRIGGER support_event_stays BEFORE DELETE ON support_event BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER support_event_new BEFORE INSERT ON support_event
WHEN EXISTS (SELECT 1 FROM support_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is replaced');
END;
CREATE TRIGGER answer_released_stays BEFORE DELETE ON answer
WHEN old.id <= (SELECT max(json_extract(last, '$.answer')) FROM release) BEGIN
    SELECT RAISE (ABORT, 'a release has this answer: it stays');
END;
CREATE TRIGGER claim_event_stays BEFORE DELETE ON claim_event BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is deleted');
END;
CREATE TRIGGER claim_event_new BEFORE INSERT ON claim_event
WHEN EXISTS (SELECT 1 FROM claim_event WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is replaced');
END;
CREATE TRIGGER claim_unchanged BEFORE UPDATE ON claim BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is changed');
END;
CREATE TRIGGER claim_stays BEFORE DELETE ON claim BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is deleted');
END;
CREATE TRIGGER claim_new BEFORE INSERT ON claim WHEN EXISTS (SELECT 1 FROM claim WHERE id = new.id) BEGIN
    SELECT RAISE (ABORT, 'claim is append-only: nothing in it is replaced');
END;
CREATE TRIGGER nugget_edit_unchanged BEFORE UPDATE ON nugget_edit
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'nugget_edit' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.event_id IS NOT old.event_id
    OR new.at IS NOT old.at
    OR new.kind IS NOT old.kind
    OR new.nugget IS NOT old.nugget
    OR new.assessor IS NOT old.assessor
    OR new.replaces IS NOT old.replaces
    OR new.input IS NOT old.input
    OR new.supersedes IS NOT old.supersedes
    OR new.seconds IS NOT old.seconds AND coalesce(new.seconds, '') <> '' AND new.seconds NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'nugget_edit is append-only: nothing in it is changed');
END;
CREATE TRIGGER nugget_event_unchanged BEFORE UPDATE ON nugget_event
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'nugget_event' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.event_id IS NOT old.event_id
    OR new.at IS NOT old.at
    OR new.kind IS NOT old.kind
    OR new.answer IS NOT old.answer
    OR new.nugget IS NOT old.nugget
    OR new.assessor IS NOT old.assessor
    OR new.label IS NOT old.label
    OR new.position IS NOT old.position
    OR new.order_seed IS NOT old.order_seed
    OR new.fast IS NOT old.fast
    OR new.input IS NOT old.input
    OR new.supersedes IS NOT old.supersedes
    OR new.reason IS NOT old.reason AND coalesce(new.reason, '') <> '' AND new.reason NOT LIKE 'erased %'
    OR new.note IS NOT old.note AND coalesce(new.note, '') <> '' AND new.note NOT LIKE 'erased %'
    OR new.evidence IS NOT old.evidence AND coalesce(new.evidence, '') <> '' AND new.evidence NOT LIKE 'erased %'
    OR new.seconds IS NOT old.seconds AND coalesce(new.seconds, '') <> '' AND new.seconds NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'nugget_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER claim_event_unchanged BEFORE UPDATE ON claim_event
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'claim_event' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.event_id IS NOT old.event_id
    OR new.at IS NOT old.at
    OR new.kind IS NOT old.kind
    OR new.answer IS NOT old.answer
    OR new.claim IS NOT old.claim
    OR new.assessor IS NOT old.assessor
    OR new.label IS NOT old.label
    OR new.position IS NOT old.position
    OR new.order_seed IS NOT old.order_seed
    OR new.fast IS NOT old.fast
    OR new.input IS NOT old.input
    OR new.supersedes IS NOT old.supersedes
    OR new.reason IS NOT old.reason AND coalesce(new.reason, '') <> '' AND new.reason NOT LIKE 'erased %'
    OR new.note IS NOT old.note AND coalesce(new.note, '') <> '' AND new.note NOT LIKE 'erased %'
    OR new.evidence IS NOT old.evidence AND coalesce(new.evidence, '') <> '' AND new.evidence NOT LIKE 'erased %'
    OR new.seconds IS NOT old.seconds AND coalesce(new.seconds, '') <> '' AND new.seconds NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'claim_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER support_event_unchanged BEFORE UPDATE ON support_event
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'support_event' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.event_id IS NOT old.event_id
    OR new.at IS NOT old.at
    OR new.kind IS NOT old.kind
    OR new.answer IS NOT old.answer
    OR new.sentence IS NOT old.sentence
    OR new.citations IS NOT old.citations
    OR new.assessor IS NOT old.assessor
    OR new.label IS NOT old.label
    OR new.position IS NOT old.position
    OR new.order_seed IS NOT old.order_seed
    OR new.fast IS NOT old.fast
    OR new.input IS NOT old.input
    OR new.supersedes IS NOT old.supersedes
    OR new.reason IS NOT old.reason AND coalesce(new.reason, '') <> '' AND new.reason NOT LIKE 'erased %'
    OR new.note IS NOT old.note AND coalesce(new.note, '') <> '' AND new.note NOT LIKE 'erased %'
    OR new.evidence IS NOT old.evidence AND coalesce(new.evidence, '') <> '' AND new.evidence NOT LIKE 'erased %'
    OR new.seconds IS NOT old.seconds AND coalesce(new.seconds, '') <> '' AND new.seconds NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'support_event is append-only: nothing in it is changed');
END;
CREATE TRIGGER action_unchanged BEFORE UPDATE ON action BEGIN
    SELECT RAISE (ABORT, 'logs are never changed: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER action_stays BEFORE DELETE ON action
WHEN EXISTS (SELECT 1 FROM impression m LEFT JOIN import i ON i.id = m.import WHERE m.id = old.impression
    AND (m.import IS NULL OR i.last_event IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM removal WHERE kind = 'import' AND name = CAST(m.import AS TEXT)))) BEGIN
    SELECT RAISE (ABORT, 'logs are never deleted: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER experiment_unchanged BEFORE UPDATE ON experiment BEGIN
    SELECT RAISE (ABORT, 'experiments are never changed');
END;
CREATE TRIGGER experiment_stays BEFORE DELETE ON experiment BEGIN
    SELECT RAISE (ABORT, 'experiments are never deleted');
END;
CREATE TRIGGER arm_unchanged BEFORE UPDATE ON arm BEGIN
    SELECT RAISE (ABORT, 'arms are never changed');
END;
CREATE TRIGGER arm_stays BEFORE DELETE ON arm BEGIN
    SELECT RAISE (ABORT, 'arms are never deleted');
END;
CREATE TRIGGER user_salt_unchanged BEFORE UPDATE ON user_salt BEGIN
    SELECT RAISE (ABORT, 'the salt is never changed: users would be other users');
END;
CREATE TRIGGER user_salt_stays BEFORE DELETE ON user_salt BEGIN
    SELECT RAISE (ABORT, 'the salt is never deleted: users would be other users');
END;
CREATE TRIGGER impression_stays BEFORE DELETE ON impression
WHEN EXISTS (SELECT 1 FROM import WHERE id = old.import AND last_event IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM removal WHERE kind = 'import' AND name = CAST(old.import AS TEXT))
    OR old.import IS NULL BEGIN
    SELECT RAISE (ABORT, 'logs are never deleted: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER impression_unchanged BEFORE UPDATE ON impression
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'impression' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.at IS NOT old.at
    OR new.experiment IS NOT old.experiment
    OR new.arm IS NOT old.arm
    OR new.query IS NOT old.query
    OR new.topic IS NOT old.topic
    OR new.first IS NOT old.first
    OR new.documents IS NOT old.documents
    OR new.teams IS NOT old.teams
    OR new.propensities IS NOT old.propensities
    OR new.import IS NOT old.import
    OR new.name IS NOT old.name AND coalesce(new.name, '') <> '' AND new.name NOT LIKE 'erased %'
    OR new.user IS NOT old.user AND coalesce(new.user, '') <> '' AND new.user NOT LIKE 'erased %'
    OR new.session IS NOT old.session AND coalesce(new.session, '') <> '' AND new.session NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'logs are never changed: `cranfield store remove` takes an import back');
END;
CREATE TRIGGER query_unchanged BEFORE UPDATE ON query
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'query' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.text IS NOT old.text AND coalesce(new.text, '') <> '' AND new.text NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'queries are never changed');
END;
CREATE TRIGGER preference_event_stays BEFORE DELETE ON preference_event BEGIN
    SELECT RAISE (ABORT, 'preferences are never deleted: append a retract event');
END;
CREATE TRIGGER preference_event_new BEFORE INSERT ON preference_event
WHEN EXISTS (SELECT 1 FROM preference_event WHERE id = new.id OR event_id = new.event_id) BEGIN
    SELECT RAISE (ABORT, 'preferences are never replaced: append an event');
END;
CREATE TRIGGER preference_event_unchanged BEFORE UPDATE ON preference_event
WHEN NOT EXISTS (SELECT 1 FROM redaction WHERE log = 'preference_event' AND item = CAST(old.id AS TEXT))
    OR new.id IS NOT old.id
    OR new.event_id IS NOT old.event_id
    OR new.at IS NOT old.at
    OR new.kind IS NOT old.kind
    OR new.topic IS NOT old.topic
    OR new.first IS NOT old.first
    OR new.second IS NOT old.second
    OR new.assessor IS NOT old.assessor
    OR new.choice IS NOT old.choice
    OR new.position IS NOT old.position
    OR new.order_seed IS NOT old.order_seed
    OR new.document_sha256 IS NOT old.document_sha256
    OR new.input IS NOT old.input
    OR new.fast IS NOT old.fast
    OR new.supersedes IS NOT old.supersedes
    OR new.reason IS NOT old.reason AND coalesce(new.reason, '') <> '' AND new.reason NOT LIKE 'erased %'
    OR new.note IS NOT old.note AND coalesce(new.note, '') <> '' AND new.note NOT LIKE 'erased %'
    OR new.evidence IS NOT old.evidence AND coalesce(new.evidence, '') <> '' AND new.evidence NOT LIKE 'erased %'
    OR new.seconds IS NOT old.seconds AND coalesce(new.seconds, '') <> '' AND new.seconds NOT LIKE 'erased %' BEGIN
    SELECT RAISE (ABORT, 'preferences are never changed: append an event');
END;
CREATE TRIGGER published_log_unchanged BEFORE UPDATE ON published_log BEGIN
    SELECT RAISE (ABORT, 'what was published is never changed');
END;
CREATE TRIGGER published_log_stays BEFORE DELETE ON published_log BEGIN
    SELECT RAISE (ABORT, 'what was published is never deleted');
END;
CREATE TRIGGER recorded_collection_insert AFTER INSERT ON collection BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('collection', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_collection_update AFTER UPDATE OF id, name, description, licence, created, grades, min_relevant, guidelines, origin, rule ON collection BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'collection', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'collection' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'collection', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'collection' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_collection_delete AFTER DELETE ON collection BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('collection', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_origin_insert AFTER INSERT ON origin BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('origin', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_origin_update AFTER UPDATE OF id, kind, made, name ON origin BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'origin', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'origin' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'origin', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'origin' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_origin_delete AFTER DELETE ON origin BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('origin', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_import_insert AFTER INSERT ON import BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('import', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_import_update AFTER UPDATE OF id, at, kind, files, first_event, last_event ON import BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'import', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'import' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'import', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'import' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_import_delete AFTER DELETE ON import BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('import', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_removal_insert AFTER INSERT ON removal BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('removal', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_removal_update AFTER UPDATE OF id, at, kind, name, what, reason ON removal BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'removal', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'removal' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'removal', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'removal' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_removal_delete AFTER DELETE ON removal BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('removal', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_topic_insert AFTER INSERT ON topic BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('topic', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_topic_update AFTER UPDATE OF id, qid, title, description, narrative, metadata, removed, import ON topic BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'topic', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'topic' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'topic', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'topic' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_topic_delete AFTER DELETE ON topic BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('topic', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_document_update AFTER UPDATE OF id, docno, title, url, metadata, sha256, removed, import ON document BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'document', CAST(old.id / 1000 AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'document' AND name = CAST(old.id / 1000 AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'document', CAST(new.id / 1000 AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'document' AND name = CAST(new.id / 1000 AS TEXT));
END;
CREATE TRIGGER recorded_document_delete AFTER DELETE ON document BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('document', CAST(old.id / 1000 AS TEXT));
END;
CREATE TRIGGER recorded_run_insert AFTER INSERT ON run BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('run', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_run_update AFTER UPDATE OF id, tag, team, kind, description, pooled, depth, file, sha256, imported, metadata, import ON run BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'run', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'run' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'run', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'run' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_run_delete AFTER DELETE ON run BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('run', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_ranking_insert AFTER INSERT ON ranking BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('ranking', CAST(new.run AS TEXT));
END;
CREATE TRIGGER recorded_ranking_update AFTER UPDATE OF run, topic, documents, scores ON ranking BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'ranking', CAST(old.run AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'ranking' AND name = CAST(old.run AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'ranking', CAST(new.run AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'ranking' AND name = CAST(new.run AS TEXT));
END;
CREATE TRIGGER recorded_ranking_delete AFTER DELETE ON ranking BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('ranking', CAST(old.run AS TEXT));
END;
CREATE TRIGGER recorded_pool_insert AFTER INSERT ON pool BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('pool', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_pool_update AFTER UPDATE OF id, method, parameters, seed, version, created ON pool BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'pool', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'pool' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'pool', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'pool' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_pool_delete AFTER DELETE ON pool BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('pool', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_pool_document_insert AFTER INSERT ON pool_document BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('pool_document', CAST(new.pool || '/' || new.topic AS TEXT));
END;
CREATE TRIGGER recorded_pool_document_update AFTER UPDATE OF pool, topic, document, depth, runs, stratum, probability ON pool_document BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'pool_document', CAST(old.pool || '/' || old.topic AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'pool_document' AND name = CAST(old.pool || '/' || old.topic AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'pool_document', CAST(new.pool || '/' || new.topic AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'pool_document' AND name = CAST(new.pool || '/' || new.topic AS TEXT));
END;
CREATE TRIGGER recorded_pool_document_delete AFTER DELETE ON pool_document BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('pool_document', CAST(old.pool || '/' || old.topic AS TEXT));
END;
CREATE TRIGGER recorded_frame_document_insert AFTER INSERT ON frame_document BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('frame_document', CAST(new.pool || '/' || new.topic AS TEXT));
END;
CREATE TRIGGER recorded_frame_document_update AFTER UPDATE OF pool, topic, document, stratum ON frame_document BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'frame_document', CAST(old.pool || '/' || old.topic AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'frame_document' AND name = CAST(old.pool || '/' || old.topic AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'frame_document', CAST(new.pool || '/' || new.topic AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'frame_document' AND name = CAST(new.pool || '/' || new.topic AS TEXT));
END;
CREATE TRIGGER recorded_frame_document_delete AFTER DELETE ON frame_document BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('frame_document', CAST(old.pool || '/' || old.topic AS TEXT));
END;
CREATE TRIGGER recorded_pool_step_insert AFTER INSERT ON pool_step BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('pool_step', CAST(new.pool || '/' || new.step AS TEXT));
END;
CREATE TRIGGER recorded_pool_step_update AFTER UPDATE OF pool, step, topic, room ON pool_step BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'pool_step', CAST(old.pool || '/' || old.step AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'pool_step' AND name = CAST(old.pool || '/' || old.step AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'pool_step', CAST(new.pool || '/' || new.step AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'pool_step' AND name = CAST(new.pool || '/' || new.step AS TEXT));
END;
CREATE TRIGGER recorded_pool_step_delete AFTER DELETE ON pool_step BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('pool_step', CAST(old.pool || '/' || old.step AS TEXT));
END;
CREATE TRIGGER recorded_pool_heard_insert AFTER INSERT ON pool_heard BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('pool_heard', CAST(new.pool || '/' || new.step AS TEXT));
END;
CREATE TRIGGER recorded_pool_heard_update AFTER UPDATE OF pool, step, topic, document, relevant ON pool_heard BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'pool_heard', CAST(old.pool || '/' || old.step AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'pool_heard' AND name = CAST(old.pool || '/' || old.step AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'pool_heard', CAST(new.pool || '/' || new.step AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'pool_heard' AND name = CAST(new.pool || '/' || new.step AS TEXT));
END;
CREATE TRIGGER recorded_pool_heard_delete AFTER DELETE ON pool_heard BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('pool_heard', CAST(old.pool || '/' || old.step AS TEXT));
END;
CREATE TRIGGER recorded_assessor_insert AFTER INSERT ON assessor BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('assessor', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_assessor_update AFTER UPDATE OF id, uid, kind, repeats, name ON assessor BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'assessor', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'assessor' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'assessor', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'assessor' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_assessor_delete AFTER DELETE ON assessor BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('assessor', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_plan_insert AFTER INSERT ON plan BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('plan', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_plan_update AFTER UPDATE OF id, made, pool, overlap, repeats, seed, lease, pinned ON plan BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'plan', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'plan' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'plan', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'plan' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_plan_delete AFTER DELETE ON plan BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('plan', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_assignment_insert AFTER INSERT ON assignment BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('assignment', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_assignment_update AFTER UPDATE OF id, plan, topic, role, assessor, cannot_judge ON assignment BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'assignment', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'assignment' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'assignment', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'assignment' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_assignment_delete AFTER DELETE ON assignment BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('assignment', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_holder_insert AFTER INSERT ON holder BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('holder', CAST(new.assignment || '/' || new.assessor AS TEXT));
END;
CREATE TRIGGER recorded_holder_update AFTER UPDATE OF assignment, assessor ON holder BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'holder', CAST(old.assignment || '/' || old.assessor AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'holder' AND name = CAST(old.assignment || '/' || old.assessor AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'holder', CAST(new.assignment || '/' || new.assessor AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'holder' AND name = CAST(new.assignment || '/' || new.assessor AS TEXT));
END;
CREATE TRIGGER recorded_holder_delete AFTER DELETE ON holder BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('holder', CAST(old.assignment || '/' || old.assessor AS TEXT));
END;
CREATE TRIGGER recorded_sampled_insert AFTER INSERT ON sampled BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('sampled', CAST(new.plan || '/' || new.topic AS TEXT));
END;
CREATE TRIGGER recorded_sampled_update AFTER UPDATE OF plan, topic, document, purpose ON sampled BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'sampled', CAST(old.plan || '/' || old.topic AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'sampled' AND name = CAST(old.plan || '/' || old.topic AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'sampled', CAST(new.plan || '/' || new.topic AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'sampled' AND name = CAST(new.plan || '/' || new.topic AS TEXT));
END;
CREATE TRIGGER recorded_sampled_delete AFTER DELETE ON sampled BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('sampled', CAST(old.plan || '/' || old.topic AS TEXT));
END;
CREATE TRIGGER recorded_criterion_insert AFTER INSERT ON criterion BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('criterion', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_criterion_update AFTER UPDATE OF id, at, topic, assessor, text ON criterion BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'criterion', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'criterion' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'criterion', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'criterion' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_criterion_delete AFTER DELETE ON criterion BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('criterion', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_audit_insert AFTER INSERT ON audit BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('audit', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_audit_update AFTER UPDATE OF id, model, assessor, unit, strata_by, seed, made ON audit BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'audit', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'audit' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'audit', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'audit' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_audit_delete AFTER DELETE ON audit BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('audit', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_audit_stratum_insert AFTER INSERT ON audit_stratum BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('audit_stratum', CAST(new.audit AS TEXT));
END;
CREATE TRIGGER recorded_audit_stratum_update AFTER UPDATE OF audit, stratum, units ON audit_stratum BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'audit_stratum', CAST(old.audit AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'audit_stratum' AND name = CAST(old.audit AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'audit_stratum', CAST(new.audit AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'audit_stratum' AND name = CAST(new.audit AS TEXT));
END;
CREATE TRIGGER recorded_audit_stratum_delete AFTER DELETE ON audit_stratum BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('audit_stratum', CAST(old.audit AS TEXT));
END;
CREATE TRIGGER recorded_audited_insert AFTER INSERT ON audited BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('audited', CAST(new.audit AS TEXT));
END;
CREATE TRIGGER recorded_audited_update AFTER UPDATE OF audit, topic, document, stratum ON audited BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'audited', CAST(old.audit AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'audited' AND name = CAST(old.audit AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'audited', CAST(new.audit AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'audited' AND name = CAST(new.audit AS TEXT));
END;
CREATE TRIGGER recorded_audited_delete AFTER DELETE ON audited BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('audited', CAST(old.audit AS TEXT));
END;
CREATE TRIGGER recorded_preference_pair_insert AFTER INSERT ON preference_pair BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('preference_pair', CAST(new.assessor AS TEXT));
END;
CREATE TRIGGER recorded_preference_pair_update AFTER UPDATE OF assessor, topic, first, second, source, made ON preference_pair BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'preference_pair', CAST(old.assessor AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'preference_pair' AND name = CAST(old.assessor AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'preference_pair', CAST(new.assessor AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'preference_pair' AND name = CAST(new.assessor AS TEXT));
END;
CREATE TRIGGER recorded_preference_pair_delete AFTER DELETE ON preference_pair BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('preference_pair', CAST(old.assessor AS TEXT));
END;
CREATE TRIGGER recorded_prompt_insert AFTER INSERT ON prompt BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('prompt', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_prompt_update AFTER UPDATE OF id, sha256, name, task, version, source ON prompt BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'prompt', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'prompt' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'prompt', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'prompt' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_prompt_delete AFTER DELETE ON prompt BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('prompt', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_model_setting_insert AFTER INSERT ON model_setting BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('model_setting', CAST(new.assessor || '/' || new.task AS TEXT));
END;
CREATE TRIGGER recorded_model_setting_update AFTER UPDATE OF assessor, task, model, prompt, parameters, made ON model_setting BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'model_setting', CAST(old.assessor || '/' || old.task AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'model_setting' AND name = CAST(old.assessor || '/' || old.task AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'model_setting', CAST(new.assessor || '/' || new.task AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'model_setting' AND name = CAST(new.assessor || '/' || new.task AS TEXT));
END;
CREATE TRIGGER recorded_model_setting_delete AFTER DELETE ON model_setting BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('model_setting', CAST(old.assessor || '/' || old.task AS TEXT));
END;
CREATE TRIGGER recorded_answer_run_insert AFTER INSERT ON answer_run BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('answer_run', CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_answer_run_update AFTER UPDATE OF id, tag, team, kind, description, file, imported ON answer_run BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'answer_run', CAST(old.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'answer_run' AND name = CAST(old.id AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'answer_run', CAST(new.id AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'answer_run' AND name = CAST(new.id AS TEXT));
END;
CREATE TRIGGER recorded_answer_run_delete AFTER DELETE ON answer_run BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('answer_run', CAST(old.id AS TEXT));
END;
CREATE TRIGGER recorded_answer_insert AFTER INSERT ON answer BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('answer', CAST(new.run AS TEXT));
END;
CREATE TRIGGER recorded_answer_update AFTER UPDATE OF run, id, topic, documents, metadata, sha256, import ON answer BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'answer', CAST(old.run AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'answer' AND name = CAST(old.run AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'answer', CAST(new.run AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'answer' AND name = CAST(new.run AS TEXT));
END;
CREATE TRIGGER recorded_answer_delete AFTER DELETE ON answer BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('answer', CAST(old.run AS TEXT));
END;
CREATE TRIGGER recorded_sentence_insert AFTER INSERT ON sentence BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('sentence', CAST(new.answer AS TEXT));
END;
CREATE TRIGGER recorded_sentence_update AFTER UPDATE OF answer, position, text, citations ON sentence BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'sentence', CAST(old.answer AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'sentence' AND name = CAST(old.answer AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'sentence', CAST(new.answer AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'sentence' AND name = CAST(new.answer AS TEXT));
END;
CREATE TRIGGER recorded_sentence_delete AFTER DELETE ON sentence BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('sentence', CAST(old.answer AS TEXT));
END;
CREATE TRIGGER recorded_published_log_insert AFTER INSERT ON published_log BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('published_log', CAST(new.origin AS TEXT));
END;
CREATE TRIGGER recorded_published_log_update AFTER UPDATE OF origin, events, head, chains ON published_log BEGIN  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'published_log', CAST(old.origin AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'published_log' AND name = CAST(old.origin AS TEXT));  -- what is said of conflicts in an upsert overrules IGNORE
    INSERT INTO unrecorded (kind, name) SELECT 'published_log', CAST(new.origin AS TEXT)
    WHERE NOT EXISTS (SELECT 1 FROM unrecorded WHERE kind = 'published_log' AND name = CAST(new.origin AS TEXT));
END;
CREATE TRIGGER recorded_published_log_delete AFTER DELETE ON published_log BEGIN
    INSERT OR IGNORE INTO unrecorded (kind, name) VALUES ('published_log', CAST(old.origin AS TEXT));
END;
CREATE UNIQUE INDEX impression_name ON impression (name);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('unrecorded',119);
INSERT INTO "sqlite_sequence" VALUES('change',82);
INSERT INTO "sqlite_sequence" VALUES('event_link',97);
INSERT INTO "sqlite_sequence" VALUES('import',8);
INSERT INTO "sqlite_sequence" VALUES('judgment_event',12);
INSERT INTO "sqlite_sequence" VALUES('removal',2);
INSERT INTO "sqlite_sequence" VALUES('criterion',2);
INSERT INTO "sqlite_sequence" VALUES('answer',1);
INSERT INTO "sqlite_sequence" VALUES('nugget',2);
INSERT INTO "sqlite_sequence" VALUES('nugget_edit',3);
INSERT INTO "sqlite_sequence" VALUES('nugget_event',2);
INSERT INTO "sqlite_sequence" VALUES('support_event',2);
INSERT INTO "sqlite_sequence" VALUES('claim',2);
INSERT INTO "sqlite_sequence" VALUES('claim_event',2);
INSERT INTO "sqlite_sequence" VALUES('preference_event',2);
INSERT INTO "sqlite_sequence" VALUES('model_call',2);
INSERT INTO "sqlite_sequence" VALUES('invitation',1);
