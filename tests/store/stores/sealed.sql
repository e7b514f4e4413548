PRAGMA application_id = 1129467462;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'cranfield','the_first_store','2026-11-23 23:40:22.554953+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'cranfield','the_full_screen','2026-11-23 23:40:22.565649+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'cranfield','the_organiser','2026-11-23 23:40:22.567075+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'cranfield','the_second_look','2026-11-23 23:40:22.580761+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'cranfield','the_unknown','2026-11-23 23:40:22.582385+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'cranfield','the_labels_apart','2026-11-23 23:40:22.583114+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'cranfield','the_way_back','2026-11-23 23:40:22.606210+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'cranfield','the_details','2026-11-23 23:40:22.607289+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'cranfield','the_chain','2026-11-23 23:40:22.626156+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'cranfield','the_pool_of_a_plan','2026-11-23 23:40:22.627820+00:00');
INSERT INTO "_sqlite_migrations" VALUES(11,'cranfield','the_growing_pool','2026-11-23 23:40:22.628122+00:00');
INSERT INTO "_sqlite_migrations" VALUES(12,'cranfield','the_key_first','2026-11-23 23:40:22.628587+00:00');
INSERT INTO "_sqlite_migrations" VALUES(13,'cranfield','the_browser','2026-11-23 23:40:22.629111+00:00');
INSERT INTO "_sqlite_migrations" VALUES(14,'cranfield','the_invitations','2026-11-23 23:40:22.629348+00:00');
INSERT INTO "_sqlite_migrations" VALUES(15,'cranfield','the_adjudicators','2026-11-23 23:40:22.630487+00:00');
INSERT INTO "_sqlite_migrations" VALUES(16,'cranfield','the_audits','2026-11-23 23:40:22.630807+00:00');
INSERT INTO "_sqlite_migrations" VALUES(17,'cranfield','the_answers','2026-11-23 23:40:22.652388+00:00');
INSERT INTO "_sqlite_migrations" VALUES(18,'cranfield','the_nuggets','2026-11-23 23:40:22.654019+00:00');
INSERT INTO "_sqlite_migrations" VALUES(19,'cranfield','the_model_calls','2026-11-23 23:40:22.654999+00:00');
INSERT INTO "_sqlite_migrations" VALUES(20,'cranfield','the_logs','2026-11-23 23:40:22.664704+00:00');
INSERT INTO "_sqlite_migrations" VALUES(21,'cranfield','the_labellers','2026-11-23 23:40:22.701385+00:00');
INSERT INTO "_sqlite_migrations" VALUES(22,'cranfield','the_preferences','2026-11-23 23:40:22.702242+00:00');
INSERT INTO "_sqlite_migrations" VALUES(23,'cranfield','the_links','2026-11-23 23:40:22.703051+00:00');
INSERT INTO "_sqlite_migrations" VALUES(24,'cranfield','the_publication','2026-11-23 23:40:22.703277+00:00');
INSERT INTO "_sqlite_migrations" VALUES(25,'cranfield','the_published_logs','2026-11-23 23:40:22.712658+00:00');
INSERT INTO "_sqlite_migrations" VALUES(26,'cranfield','the_releases','2026-11-23 23:40:22.713948+00:00');
INSERT INTO "_sqlite_migrations" VALUES(27,'cranfield','the_claims','2026-11-23 23:40:22.750297+00:00');
INSERT INTO "_sqlite_migrations" VALUES(28,'cranfield','the_answers_without_claims','2026-11-23 23:40:22.751286+00:00');
INSERT INTO "_sqlite_migrations" VALUES(29,'cranfield','the_linked_calls','2026-11-23 23:40:22.771582+00:00');
INSERT INTO "_sqlite_migrations" VALUES(30,'cranfield','the_names_of_lists','2026-11-23 23:40:22.772439+00:00');
INSERT INTO "_sqlite_migrations" VALUES(31,'cranfield','the_seals','2026-11-23 23:40:22.811234+00:00');
INSERT INTO "_sqlite_migrations" VALUES(32,'cranfield','the_changes','2026-11-23 23:40:22.828092+00:00');
INSERT INTO "_sqlite_migrations" VALUES(33,'cranfield','the_erasures','2026-11-23 23:40:22.843514+00:00');
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
INSERT INTO "answer_run" VALUES(1,'rag','R','automatic','','','2026-11-23T23:40:24.789+00:00');
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
    kind TEXT NOT NULL CHECK (kind IN ('human', 'model', 'import'))
, repeats INTEGER REFERENCES assessor (id), uid TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "assessor" VALUES(1,'import','import',NULL,'f3351828771e4ea0b8b1ca07b86aafcb');
INSERT INTO "assessor" VALUES(2,'vic','human',NULL,'ceac02927bbd43a4b2fdc95b5eb8140f');
INSERT INTO "assessor" VALUES(3,'Ada Quillfeather','human',NULL,'14188cd3aad54c45a4545c31e8f81169');
INSERT INTO "assessor" VALUES(4,'Ada Quillfeather (repeat)','human',3,'7aef0d770e9b46598f6963507c65c09c');
INSERT INTO "assessor" VALUES(5,'bob','human',NULL,'138f5bb13ce84296bb71a8e47e6e7282');
INSERT INTO "assessor" VALUES(6,'bob (repeat)','human',5,'95ed2aac43de4621bf00645ae44c3227');
INSERT INTO "assessor" VALUES(7,'llm','model',NULL,'a908b55751bb46b3b20956e1821cd47f');
CREATE TABLE assessor_salt (  -- of the seals of what an assessor wrote; deleted when she is erased
    assessor INTEGER PRIMARY KEY REFERENCES assessor (id),
    salt BLOB NOT NULL
) STRICT;
INSERT INTO "assessor_salt" VALUES(1,X'96D991F9B64739574D3A3527522336B8130E2592FE108D8ECDABEB771FCCF020');
INSERT INTO "assessor_salt" VALUES(2,X'9D74C7E6877109ED101E8D61265285E0F5CE14CCEEEC12A57B5EEDF9E6648E26');
INSERT INTO "assessor_salt" VALUES(3,X'72FD1A21D44ECC0B2D84C97DFEF674774CB95AD12B2D9CEA4E13D9BDE13397EA');
INSERT INTO "assessor_salt" VALUES(4,X'CFE9803226E87D8F330BD87636DC01F50A8ABCF147A8EAAEF44A8BBFE5C12501');
INSERT INTO "assessor_salt" VALUES(5,X'8F387CC865C37D7F505CD0AE9BFFF874D0D329ED2613EF9FCEFA658604905B9E');
INSERT INTO "assessor_salt" VALUES(6,X'0333D036FB71674A83B000368126D9D2DEB33283D0257CAB7C996B263543B785');
INSERT INTO "assessor_salt" VALUES(7,X'36DFD9BEA8FDDDAD42C36EAD50B5F34BCFD9D9BE9FC649AC00957769B416D2D6');
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
INSERT INTO "audit" VALUES(1,7,3,'pair','grade',5,'2026-11-23T23:40:24.818+00:00');
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
INSERT INTO "change" VALUES(1,'2026-11-23T23:40:22.934+00:00','collection','1','{"name": "full", "description": "about", "licence": "CC0", "created": "2026-11-23T23:40:21.558+00:00", "grades": "{\"0\": \"no\", \"1\": \"yes\", \"2\": \"very\"}", "min_relevant": 1, "guidelines": "", "origin": "2c2c122448b94f0d9d6565d7bfce1163", "rule": 2}','');
INSERT INTO "change" VALUES(2,'2026-11-23T23:40:22.934+00:00','origin','2c2c122448b94f0d9d6565d7bfce1163','{"kind": "store", "made": "2026-11-23T23:40:22.933+00:00"}','');
INSERT INTO "change" VALUES(3,'2026-11-23T23:40:23.030+00:00','import','1','{"at": "2026-11-23T23:40:23.011+00:00", "kind": "corpus", "files": "[\"corpus.jsonl\"]", "first_event": 1, "last_event": 0}','');
INSERT INTO "change" VALUES(4,'2026-11-23T23:40:23.030+00:00','document','0','{"rows": 9, "sha256": "cdbe19acc6cd301a650db34db6b98e1d3ff89787605fca1b2499bba8ca96c433"}','');
INSERT INTO "change" VALUES(5,'2026-11-23T23:40:23.121+00:00','import','2','{"at": "2026-11-23T23:40:23.120+00:00", "kind": "topics", "files": "[\"topics.jsonl\"]", "first_event": 1, "last_event": 0}','');
INSERT INTO "change" VALUES(6,'2026-11-23T23:40:23.121+00:00','topic','1','{"qid": "1", "title": "a", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2}','');
INSERT INTO "change" VALUES(7,'2026-11-23T23:40:23.121+00:00','topic','2','{"qid": "2", "title": "b", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2}','');
INSERT INTO "change" VALUES(8,'2026-11-23T23:40:23.121+00:00','topic','3','{"qid": "3", "title": "c", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2}','');
INSERT INTO "change" VALUES(9,'2026-11-23T23:40:23.121+00:00','topic','4','{"qid": "4", "title": "d", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2}','');
INSERT INTO "change" VALUES(10,'2026-11-23T23:40:23.268+00:00','import','3','{"at": "2026-11-23T23:40:23.264+00:00", "kind": "runs", "files": "[\"a\", \"b\", \"late.run\"]", "first_event": 1, "last_event": 0}','');
INSERT INTO "change" VALUES(11,'2026-11-23T23:40:23.268+00:00','run','1','{"tag": "a", "team": "a", "kind": "automatic", "description": "", "pooled": 1, "file": "a", "sha256": "64842add188fa74eeb06f9d6a31c162c5a9e51ae53bca0d9cd3207951365f846", "imported": "2026-11-23T23:40:23.266+00:00", "import": 3}','');
INSERT INTO "change" VALUES(12,'2026-11-23T23:40:23.268+00:00','run','2','{"tag": "b", "team": "b", "kind": "automatic", "description": "", "pooled": 1, "file": "b", "sha256": "90d8035ee6492fcc72b3266b52f6d9b76ce29d7184b4861285ca92cefc45a581", "imported": "2026-11-23T23:40:23.266+00:00", "import": 3}','');
INSERT INTO "change" VALUES(13,'2026-11-23T23:40:23.268+00:00','run','3','{"tag": "late", "team": "late", "kind": "automatic", "description": "", "pooled": 1, "file": "late.run", "sha256": "02a8b3cf73cf39c53d8781aa4b6d2149e8779252966b880a7b268a8db257dad5", "imported": "2026-11-23T23:40:23.267+00:00", "import": 3}','');
INSERT INTO "change" VALUES(14,'2026-11-23T23:40:23.268+00:00','ranking','1','{"rows": 2, "sha256": "de272cd303413b59ec77bad35fb2bcb6cdc6e118867a5ded5b223c4a39ed6401"}','');
INSERT INTO "change" VALUES(15,'2026-11-23T23:40:23.268+00:00','ranking','2','{"rows": 2, "sha256": "8ec1210f4d199230b5876734ed82c721671d86f6cf9a81b8d30adc5d9b2b1655"}','');
INSERT INTO "change" VALUES(16,'2026-11-23T23:40:23.268+00:00','ranking','3','{"rows": 2, "sha256": "a7c8b049a03c2c57332fd518e0353be55730618e6910ef659127d4234c23f8de"}','');
INSERT INTO "change" VALUES(17,'2026-11-23T23:40:23.268+00:00','document','0','{"rows": 10, "sha256": "42c487644b3258ad7f7a45cb13400d373aa7177601315bf5fabad3dd7b4491a4"}','');
INSERT INTO "change" VALUES(18,'2026-11-23T23:40:23.449+00:00','import','4','{"at": "2026-11-23T23:40:23.390+00:00", "kind": "qrels", "files": "[\"judged.txt\"]", "first_event": 1, "last_event": 2}','');
INSERT INTO "change" VALUES(19,'2026-11-23T23:40:23.449+00:00','assessor','1','{"uid": "f3351828771e4ea0b8b1ca07b86aafcb", "kind": "import"}','de2e10420b2726ea18ecd846044f0585ce36779a0c88a2e619ab14c08e6c83fe');
INSERT INTO "change" VALUES(20,'2026-11-23T23:40:23.449+00:00','origin','9ff26a2897d540f4942ce99057782742','{"kind": "import", "made": "2026-11-23T23:40:23.447+00:00"}','');
INSERT INTO "change" VALUES(21,'2026-11-23T23:40:23.635+00:00','import','5','{"at": "2026-11-23T23:40:23.596+00:00", "kind": "votes", "files": "[\"votes.csv\"]", "first_event": 3, "last_event": 4}','');
INSERT INTO "change" VALUES(22,'2026-11-23T23:40:23.635+00:00','assessor','2','{"uid": "ceac02927bbd43a4b2fdc95b5eb8140f", "kind": "human"}','4b5a2f0279659dcfc9e25437c7e332a7dc74aff98f97c8ee01b6c4460ca6cd56');
INSERT INTO "change" VALUES(23,'2026-11-23T23:40:23.635+00:00','assessor','3','{"uid": "14188cd3aad54c45a4545c31e8f81169", "kind": "human"}','e8c5dd38850560ca22928cbb3132e3821f12c487568fb30d29a76634ef69d73e');
INSERT INTO "change" VALUES(24,'2026-11-23T23:40:23.635+00:00','origin','e701ccb8333b48f3827211d0172841e9','{"kind": "import", "made": "2026-11-23T23:40:23.632+00:00"}','f5e9ed82b30bfe089742e560158a4a4bce4a99fada0ffc8ac63cbf98413648f8');
INSERT INTO "change" VALUES(25,'2026-11-23T23:40:23.820+00:00','pool','1','{"method": "mtf", "parameters": "{\"depth\": null, \"runs\": [\"a\", \"b\", \"late\"], \"considered\": 100, \"budget\": 4, \"batch\": 10, \"options\": {\"reset\": \"paper\", \"scope\": \"local\"}, \"batches\": {\"1\": [4], \"2\": [4], \"3\": [1]}}", "seed": 0, "version": "0.1.0", "created": "2026-11-23T23:40:23.800+00:00"}','');
INSERT INTO "change" VALUES(26,'2026-11-23T23:40:23.820+00:00','pool_document','1/1','{"rows": 4, "sha256": "a13263ba230b92e67ad3814fdad87d069e44efe81d48a872716556af5d161c52"}','');
INSERT INTO "change" VALUES(27,'2026-11-23T23:40:23.820+00:00','pool_document','1/2','{"rows": 4, "sha256": "10d2bcf2ddab1e1229207252d03b272535747c353f3996fb61d7b95b0690c5ce"}','');
INSERT INTO "change" VALUES(28,'2026-11-23T23:40:23.820+00:00','pool_document','1/3','{"rows": 1, "sha256": "52c026b61babb8b657b8f7a156d766651c3f23f005308bfed790c1128de8332b"}','');
INSERT INTO "change" VALUES(29,'2026-11-23T23:40:23.820+00:00','pool_step','1/1','{"rows": 3, "sha256": "985b731ca86c3df8800b8a384294565253521f24130db631e8ab35b110cce350"}','');
INSERT INTO "change" VALUES(30,'2026-11-23T23:40:23.820+00:00','pool_heard','1/1','{"rows": 3, "sha256": "4838496da435d5c3902b377860e81b10c55b9fc78f0135eec9e8f8ff2e04e0ee"}','');
INSERT INTO "change" VALUES(31,'2026-11-23T23:40:23.861+00:00','pool','2','{"method": "stratified", "parameters": "{\"depth\": null, \"runs\": [\"a\", \"b\", \"late\"], \"considered\": 3, \"budget\": 4, \"options\": {\"bounds\": \"10,30\", \"rates\": \"4,2,1\"}}", "seed": 0, "version": "0.1.0", "created": "2026-11-23T23:40:23.859+00:00"}','');
INSERT INTO "change" VALUES(32,'2026-11-23T23:40:23.861+00:00','pool_document','2/1','{"rows": 4, "sha256": "56c81272fd5b93cb0fda7f7b7bcf1eb88a32d12b5a9b9e7e5d0a55b68b4dab71"}','');
INSERT INTO "change" VALUES(33,'2026-11-23T23:40:23.861+00:00','pool_document','2/2','{"rows": 4, "sha256": "4564abb5a38c53c50175c5c7dc7cc051e7b24d0fb7c997e2dc5774934f44606b"}','');
INSERT INTO "change" VALUES(34,'2026-11-23T23:40:23.861+00:00','pool_document','2/3','{"rows": 1, "sha256": "71de36aa40fa9232706a72257677fb7655e4ffaa531ab0b58523b62f7546f9f6"}','');
INSERT INTO "change" VALUES(35,'2026-11-23T23:40:23.861+00:00','frame_document','2/1','{"rows": 5, "sha256": "6f2d149bf7881fccceacc786f2031eecaed068ec538f957eb4eecaa461b0c96f"}','');
INSERT INTO "change" VALUES(36,'2026-11-23T23:40:23.861+00:00','frame_document','2/2','{"rows": 4, "sha256": "590db48f4cb53e2078d55bbbae1d2bb48801870cd4a3c832f70b89a843441162"}','');
INSERT INTO "change" VALUES(37,'2026-11-23T23:40:23.861+00:00','frame_document','2/3','{"rows": 1, "sha256": "1340d1e7d8bee62a979b4f8e4a5ee6e7c0e0713617dba1ab4f5f92e408045eeb"}','');
INSERT INTO "change" VALUES(38,'2026-11-23T23:40:23.885+00:00','pool','3','{"method": "depth", "parameters": "{\"depth\": 3, \"runs\": [\"a\", \"b\", \"late\"]}", "version": "0.1.0", "created": "2026-11-23T23:40:23.884+00:00"}','');
INSERT INTO "change" VALUES(39,'2026-11-23T23:40:23.885+00:00','pool_document','3/1','{"rows": 5, "sha256": "d085cf983bc88d82b7ad96f6ccb177255867e4362a5509b60d321ec73bee4e37"}','');
INSERT INTO "change" VALUES(40,'2026-11-23T23:40:23.885+00:00','pool_document','3/2','{"rows": 4, "sha256": "272777ac1845c259c54837080319ff8e5d80d8463d6616b7d128d2ab20b20c92"}','');
INSERT INTO "change" VALUES(41,'2026-11-23T23:40:23.885+00:00','pool_document','3/3','{"rows": 1, "sha256": "f4a234fae06a59285c3a4a70588e474b18f671c1166d13b588b8f7e0c4186838"}','');
INSERT INTO "change" VALUES(42,'2026-11-23T23:40:24.170+00:00','import','6','{"at": "2026-11-23T23:40:24.104+00:00", "kind": "log", "files": "[\"log.jsonl\"]", "first_event": 5, "last_event": 4}','');
INSERT INTO "change" VALUES(43,'2026-11-23T23:40:24.292+00:00','import','7','{"at": "2026-11-23T23:40:24.272+00:00", "kind": "runs", "files": "[\"x.run\"]", "first_event": 5, "last_event": 4}','');
INSERT INTO "change" VALUES(44,'2026-11-23T23:40:24.292+00:00','run','4','{"tag": "x", "team": "x", "kind": "automatic", "description": "", "pooled": 1, "file": "x.run", "sha256": "2482bef7db2a1b536c749b8cedb5e19c4a38ae49f7cfc3c948628c02fb62fcee", "imported": "2026-11-23T23:40:24.274+00:00", "import": 7}','');
INSERT INTO "change" VALUES(45,'2026-11-23T23:40:24.292+00:00','ranking','4','{"rows": 2, "sha256": "fa2c923ee84db7335d39a51579c348a54575be45a5f80ba3c4a2be136096cc17"}','');
INSERT INTO "change" VALUES(46,'2026-11-23T23:40:24.445+00:00','ranking','4',NULL,'');
INSERT INTO "change" VALUES(47,'2026-11-23T23:40:24.445+00:00','run','4',NULL,'');
INSERT INTO "change" VALUES(48,'2026-11-23T23:40:24.445+00:00','removal','1','{"at": "2026-11-23T23:40:24.430+00:00", "kind": "run", "name": "x", "what": "{\"id\": 4, \"tag\": \"x\", \"team\": \"x\", \"kind\": \"automatic\", \"description\": \"\", \"pooled\": 1, \"file\": \"x.run\", \"sha256\": \"2482bef7db2a1b536c749b8cedb5e19c4a38ae49f7cfc3c948628c02fb62fcee\", \"imported\": \"2026-11-23T23:40:24.274+00:00\", \"import\": 7, \"rankings\": 2}", "reason": ""}','');
INSERT INTO "change" VALUES(49,'2026-11-23T23:40:24.537+00:00','topic','4','{"qid": "4", "removed": 1}','');
INSERT INTO "change" VALUES(50,'2026-11-23T23:40:24.537+00:00','removal','2','{"at": "2026-11-23T23:40:24.535+00:00", "kind": "topic", "name": "4", "what": "{\"id\": 4, \"qid\": \"4\", \"title\": \"d\", \"description\": \"d\", \"narrative\": \"n\", \"metadata\": \"{\\\"k\\\": 1}\", \"removed\": 0, \"import\": 2, \"rankings\": 0}", "reason": ""}','');
INSERT INTO "change" VALUES(51,'2026-11-23T23:40:24.613+00:00','plan','1','{"made": "2026-11-23T23:40:24.610+00:00", "pool": 3, "overlap": 0.5, "repeats": 1, "seed": 0, "lease": 86400, "pinned": 0}','');
INSERT INTO "change" VALUES(52,'2026-11-23T23:40:24.613+00:00','assessor','4','{"uid": "7aef0d770e9b46598f6963507c65c09c", "kind": "human", "repeats": 3}','b687844e3ac079d7c2b9141b568490fb9a9c3cc7029a121cbfb9fc512352c321');
INSERT INTO "change" VALUES(53,'2026-11-23T23:40:24.613+00:00','assessor','5','{"uid": "138f5bb13ce84296bb71a8e47e6e7282", "kind": "human"}','9d022807c4ac2232bc0019a6ab676676e2c25e09e9feeb5c11fef8b60e10ae28');
INSERT INTO "change" VALUES(54,'2026-11-23T23:40:24.613+00:00','assessor','6','{"uid": "95ed2aac43de4621bf00645ae44c3227", "kind": "human", "repeats": 5}','44cedfc37d601b493a788d0a2d8ce1b2572d00f4e8d0becedd8cde3f649e8c6e');
INSERT INTO "change" VALUES(55,'2026-11-23T23:40:24.613+00:00','assignment','1','{"plan": 1, "topic": 1, "role": "first", "assessor": 3, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(56,'2026-11-23T23:40:24.613+00:00','holder','1/3','{"assessor": 3}','');
INSERT INTO "change" VALUES(57,'2026-11-23T23:40:24.613+00:00','assignment','2','{"plan": 1, "topic": 2, "role": "first", "assessor": 5, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(58,'2026-11-23T23:40:24.613+00:00','holder','2/5','{"assessor": 5}','');
INSERT INTO "change" VALUES(59,'2026-11-23T23:40:24.613+00:00','assignment','3','{"plan": 1, "topic": 3, "role": "first", "assessor": 5, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(60,'2026-11-23T23:40:24.613+00:00','holder','3/5','{"assessor": 5}','');
INSERT INTO "change" VALUES(61,'2026-11-23T23:40:24.613+00:00','assignment','4','{"plan": 1, "topic": 1, "role": "second", "assessor": 5, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(62,'2026-11-23T23:40:24.613+00:00','holder','4/5','{"assessor": 5}','');
INSERT INTO "change" VALUES(63,'2026-11-23T23:40:24.613+00:00','assignment','5','{"plan": 1, "topic": 2, "role": "second", "assessor": 3, "cannot_judge": 0}','');
INSERT INTO "change" VALUES(64,'2026-11-23T23:40:24.613+00:00','holder','5/3','{"assessor": 3}','');
INSERT INTO "change" VALUES(65,'2026-11-23T23:40:24.613+00:00','sampled','1/2','{"rows": 3, "sha256": "138caa66252b77625083e6dae26fe38b8efdc672e4536c0c720183ef37c8a275"}','');
INSERT INTO "change" VALUES(66,'2026-11-23T23:40:24.613+00:00','sampled','1/1','{"rows": 2, "sha256": "2edde4501e9b239327c0445fdb90a1466fa2df10f9a8fab3591a21e50a2962b9"}','');
INSERT INTO "change" VALUES(67,'2026-11-23T23:40:24.694+00:00','collection','1','{"name": "full", "description": "about", "licence": "CC0", "created": "2026-11-23T23:40:21.558+00:00", "grades": "{\"0\": \"no\", \"1\": \"yes\", \"2\": \"very\"}", "min_relevant": 1, "guidelines": "Read it all.", "origin": "2c2c122448b94f0d9d6565d7bfce1163", "rule": 2}','');
INSERT INTO "change" VALUES(68,'2026-11-23T23:40:24.764+00:00','criterion','1','{"at": "2026-11-23T23:40:24.763+00:00", "topic": 1, "assessor": 3}','2f73c8e8c0c1a453f791a15081ce0658e73a704292e60b7cfaa084e0009bce1e');
INSERT INTO "change" VALUES(69,'2026-11-23T23:40:24.790+00:00','import','8','{"at": "2026-11-23T23:40:24.788+00:00", "kind": "answers", "files": "[\"answers.jsonl\"]", "first_event": 11, "last_event": 10}','');
INSERT INTO "change" VALUES(70,'2026-11-23T23:40:24.790+00:00','answer_run','1','{"tag": "rag", "team": "R", "kind": "automatic", "description": "", "file": "", "imported": "2026-11-23T23:40:24.789+00:00"}','');
INSERT INTO "change" VALUES(71,'2026-11-23T23:40:24.790+00:00','answer','1','{"rows": 1, "sha256": "71c64386cdd391779ff65438b992887b2f4029546fd39e11f3139dd9db8b20aa"}','');
INSERT INTO "change" VALUES(72,'2026-11-23T23:40:24.790+00:00','sentence','1','{"rows": 1, "sha256": "60ba1829156b32ec9599b5b854dcb3e7eed426b60dce03e1f7436419dc94e25a"}','');
INSERT INTO "change" VALUES(73,'2026-11-23T23:40:24.803+00:00','preference_pair','3','{"rows": 1, "sha256": "6a10eddda28c0e4403e96a80ee7f84d750382272f877b434d67360e31e5314d8"}','');
INSERT INTO "change" VALUES(74,'2026-11-23T23:40:24.809+00:00','assessor','7','{"uid": "a908b55751bb46b3b20956e1821cd47f", "kind": "model"}','38c4351425dbd97fec83fb71a2a9ca865b469de1ef8e108a7476d83fb464cb75');
INSERT INTO "change" VALUES(75,'2026-11-23T23:40:24.809+00:00','prompt','1','{"sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", "name": "p", "task": "relevance", "version": 1, "source": "built in"}','');
INSERT INTO "change" VALUES(76,'2026-11-23T23:40:24.809+00:00','model_setting','7/relevance','{"model": "m", "prompt": 1, "parameters": "{\"temperature\": 0}", "made": "2026-11-23T23:40:24.808+00:00"}','');
INSERT INTO "change" VALUES(77,'2026-11-23T23:40:24.818+00:00','audit','1','{"model": 7, "assessor": 3, "unit": "pair", "strata_by": "grade", "seed": 5, "made": "2026-11-23T23:40:24.818+00:00"}','');
INSERT INTO "change" VALUES(78,'2026-11-23T23:40:24.818+00:00','audit_stratum','1','{"rows": 1, "sha256": "4dcb4aad83154f2f325130b9c89a2b249125850fbaa944544e7c052929b5521d"}','');
INSERT INTO "change" VALUES(79,'2026-11-23T23:40:24.818+00:00','audited','1','{"rows": 1, "sha256": "eb2e2c289b0b4a909d74c9fec0336ca28cfecccbaec19ce599b260004873f6bb"}','');
INSERT INTO "change" VALUES(80,'2026-11-23T23:40:24.863+00:00','origin','115c708d47f54fa5bef16eaf79d8ac41','{"kind": "bundle", "made": "2026-11-23T23:40:24.858+00:00"}','0d7ff762bf0fdb7385852359332180158d713fcf634814a0facb9998d5880a87');
INSERT INTO "change" VALUES(81,'2026-11-23T23:40:24.915+00:00','criterion','2','{"at": "2026-11-23T23:40:24.877+00:00", "topic": 1, "assessor": 3}','b07baec73ec53537441cc0b23a591977962af45c8f8efaf2a701a0c317a1a2b5');
INSERT INTO "change" VALUES(82,'2026-11-23T23:40:24.943+00:00','document','0','{"rows": 10, "sha256": "6e93916c4a17422481fc4e823aa3456b66d92e255a8df58840d59358ef6367fb"}','');
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
INSERT INTO "claim" VALUES(1,'2026-11-23T23:40:24.799+00:00',1,1,1,'wings lift',3,1,'{}',NULL);
INSERT INTO "claim" VALUES(2,'2026-11-23T23:40:24.799+00:00',2,NULL,1,'wings drag',3,1,NULL,NULL);
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
INSERT INTO "claim_event" VALUES(1,'0fc6f58551d8481182d74a1d3afb5a21','2026-11-23T23:40:24.800+00:00','label',1,1,3,'support','Quillfeather''s eyes','said Quillfeather','[]',2.0,1,1,0,'key',NULL);
INSERT INTO "claim_event" VALUES(2,'97200803c39949a4b2222d88ba1c4d01','2026-11-23T23:40:24.802+00:00','retract',1,1,3,NULL,'','',NULL,NULL,NULL,NULL,0,'',1);
CREATE TABLE collection (  -- one row: what this collection is
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    licence TEXT NOT NULL,
    created TEXT NOT NULL,  -- UTC
    grades TEXT NOT NULL,  -- JSON, grade to its meaning; frozen once a judgment exists
    min_relevant INTEGER NOT NULL  -- the lowest grade that counts as relevant
, guidelines TEXT NOT NULL DEFAULT '', origin TEXT NOT NULL DEFAULT '', rule INTEGER NOT NULL DEFAULT 2  -- by which judgments are hashed; 1: as a bundle that
    CHECK (rule IN (1, 2))) STRICT;
INSERT INTO "collection" VALUES(1,'full','about','CC0','2026-11-23T23:40:21.558+00:00','{"0": "no", "1": "yes", "2": "very"}',1,'Read it all.','2c2c122448b94f0d9d6565d7bfce1163',2);
CREATE TABLE criterion (  -- append-only: what an assessor takes to count as relevant, and since when
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    text TEXT NOT NULL
) STRICT;
INSERT INTO "criterion" VALUES(1,'2026-11-23T23:40:24.763+00:00',1,3,'Quillfeather''s rule');
INSERT INTO "criterion" VALUES(2,'2026-11-23T23:40:24.877+00:00',1,3,'Quillfeather''s rule');
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
    hash TEXT NOT NULL, rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2)),  -- of `previous` and all that the event says
    UNIQUE (log, event)
) STRICT;
INSERT INTO "event_link" VALUES(1,'change',1,NULL,'2c2c122448b94f0d9d6565d7bfce1163','','fe4a7df21110b76656ff366310b303d2e7a01b3dd0d35a4cf2d77f90b94a387f',2);
INSERT INTO "event_link" VALUES(2,'change',2,NULL,'2c2c122448b94f0d9d6565d7bfce1163','fe4a7df21110b76656ff366310b303d2e7a01b3dd0d35a4cf2d77f90b94a387f','4525a2b49baa72f544b69a58ec4b906a467deb95b90d1366763d23fae7f13411',2);
INSERT INTO "event_link" VALUES(3,'change',3,NULL,'2c2c122448b94f0d9d6565d7bfce1163','4525a2b49baa72f544b69a58ec4b906a467deb95b90d1366763d23fae7f13411','9e1b196dcdafd648889fd184799757e344b419f00169d59433a1ab608b3910b7',2);
INSERT INTO "event_link" VALUES(4,'change',4,NULL,'2c2c122448b94f0d9d6565d7bfce1163','9e1b196dcdafd648889fd184799757e344b419f00169d59433a1ab608b3910b7','9a698b036844383236bbeee7ac15d955b3cbb279785a04ae2a375616061383c2',2);
INSERT INTO "event_link" VALUES(5,'change',5,NULL,'2c2c122448b94f0d9d6565d7bfce1163','9a698b036844383236bbeee7ac15d955b3cbb279785a04ae2a375616061383c2','9005454ff2c15a3925f6a1746a8c6d0545a93f5cb835c00969605923c6c5ed82',2);
INSERT INTO "event_link" VALUES(6,'change',6,NULL,'2c2c122448b94f0d9d6565d7bfce1163','9005454ff2c15a3925f6a1746a8c6d0545a93f5cb835c00969605923c6c5ed82','6909eff959770b08bbf5af9b841cca8651a1dd013194ca5db46e19589e2a91e4',2);
INSERT INTO "event_link" VALUES(7,'change',7,NULL,'2c2c122448b94f0d9d6565d7bfce1163','6909eff959770b08bbf5af9b841cca8651a1dd013194ca5db46e19589e2a91e4','5d267224dccc0527ea7db76092c400cc3a60d44d62158311c3da1d171adffa22',2);
INSERT INTO "event_link" VALUES(8,'change',8,NULL,'2c2c122448b94f0d9d6565d7bfce1163','5d267224dccc0527ea7db76092c400cc3a60d44d62158311c3da1d171adffa22','23a762a0af642804502440e881b3ef727c1bc9feef8bc8f1e70db8ba9bebf33b',2);
INSERT INTO "event_link" VALUES(9,'change',9,NULL,'2c2c122448b94f0d9d6565d7bfce1163','23a762a0af642804502440e881b3ef727c1bc9feef8bc8f1e70db8ba9bebf33b','eeee076e8e7a0e8f11b0a6329398f5241644ec3361f6b28f1af26a083066f64d',2);
INSERT INTO "event_link" VALUES(10,'change',10,NULL,'2c2c122448b94f0d9d6565d7bfce1163','eeee076e8e7a0e8f11b0a6329398f5241644ec3361f6b28f1af26a083066f64d','2323b6ba068adb176e54c2950670f9c7a86d3dde9838ff51a133a56e85f0c310',2);
INSERT INTO "event_link" VALUES(11,'change',11,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2323b6ba068adb176e54c2950670f9c7a86d3dde9838ff51a133a56e85f0c310','92e7f80b399d953b027f18795e62b65266f13034dcfc4bcc323eb0f402b3dcd5',2);
INSERT INTO "event_link" VALUES(12,'change',12,NULL,'2c2c122448b94f0d9d6565d7bfce1163','92e7f80b399d953b027f18795e62b65266f13034dcfc4bcc323eb0f402b3dcd5','433e3cf66d886adadf30a09b39d5859ed91e5b5a04f150348208ecb9d1cd9483',2);
INSERT INTO "event_link" VALUES(13,'change',13,NULL,'2c2c122448b94f0d9d6565d7bfce1163','433e3cf66d886adadf30a09b39d5859ed91e5b5a04f150348208ecb9d1cd9483','2163b3437d7c17af9b55ea3531a5e2684ff28ff46358cab6a3e9777981bb25d8',2);
INSERT INTO "event_link" VALUES(14,'change',14,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2163b3437d7c17af9b55ea3531a5e2684ff28ff46358cab6a3e9777981bb25d8','f167960c6837cfe38af9471620d36d8ce374031573394d5d109323d7d2ee359e',2);
INSERT INTO "event_link" VALUES(15,'change',15,NULL,'2c2c122448b94f0d9d6565d7bfce1163','f167960c6837cfe38af9471620d36d8ce374031573394d5d109323d7d2ee359e','889014b38d9990444eb0a221104d0652b5461fc517dd8596adad2dd16d5795d5',2);
INSERT INTO "event_link" VALUES(16,'change',16,NULL,'2c2c122448b94f0d9d6565d7bfce1163','889014b38d9990444eb0a221104d0652b5461fc517dd8596adad2dd16d5795d5','3b8a0120ebd6e2cdd0d2929e9e3248d57b36996f31f24f461a31ac7e44925786',2);
INSERT INTO "event_link" VALUES(17,'change',17,NULL,'2c2c122448b94f0d9d6565d7bfce1163','3b8a0120ebd6e2cdd0d2929e9e3248d57b36996f31f24f461a31ac7e44925786','1a3bf0ff88408add6d503bbb076982294d7e8dc661b2097e8fa72c6744539e24',2);
INSERT INTO "event_link" VALUES(18,'change',18,NULL,'2c2c122448b94f0d9d6565d7bfce1163','1a3bf0ff88408add6d503bbb076982294d7e8dc661b2097e8fa72c6744539e24','3a30411afe2b4fa1ad361b1f8af7d2b5ba70b63ea64676cd518cfc4015114856',2);
INSERT INTO "event_link" VALUES(19,'change',19,NULL,'2c2c122448b94f0d9d6565d7bfce1163','3a30411afe2b4fa1ad361b1f8af7d2b5ba70b63ea64676cd518cfc4015114856','026770d382010eea190fa442eb668a4923b8b3a9b67ee6f3c07d0cd42c170d66',2);
INSERT INTO "event_link" VALUES(20,'change',20,NULL,'2c2c122448b94f0d9d6565d7bfce1163','026770d382010eea190fa442eb668a4923b8b3a9b67ee6f3c07d0cd42c170d66','9cce912a5ec29e844b967c307fcf3beb532a9228c8be209982d38793faf61f3f',2);
INSERT INTO "event_link" VALUES(21,'change',21,NULL,'2c2c122448b94f0d9d6565d7bfce1163','9cce912a5ec29e844b967c307fcf3beb532a9228c8be209982d38793faf61f3f','7266a2143281a689a6deb2d949ec8ef42401cf0aeda5b9987fc3a93ce58a6897',2);
INSERT INTO "event_link" VALUES(22,'change',22,NULL,'2c2c122448b94f0d9d6565d7bfce1163','7266a2143281a689a6deb2d949ec8ef42401cf0aeda5b9987fc3a93ce58a6897','f18d5c3c1087cff41ca1722de35cc3caf9c8f447720f9e9fe1b077bbbbcb3e80',2);
INSERT INTO "event_link" VALUES(23,'change',23,NULL,'2c2c122448b94f0d9d6565d7bfce1163','f18d5c3c1087cff41ca1722de35cc3caf9c8f447720f9e9fe1b077bbbbcb3e80','276d340103de97cd4d5c754475bc7aae13b15295048d8650c1318b82845fa322',2);
INSERT INTO "event_link" VALUES(24,'change',24,NULL,'2c2c122448b94f0d9d6565d7bfce1163','276d340103de97cd4d5c754475bc7aae13b15295048d8650c1318b82845fa322','f45598bbf855781dd744c2652db5878966868640fa8fddd30a3e5613ef609046',2);
INSERT INTO "event_link" VALUES(25,'change',25,NULL,'2c2c122448b94f0d9d6565d7bfce1163','f45598bbf855781dd744c2652db5878966868640fa8fddd30a3e5613ef609046','f7996db37ed36df198f5a8163c2a97ea5827903991e8da9032d1cc44900c7a12',2);
INSERT INTO "event_link" VALUES(26,'change',26,NULL,'2c2c122448b94f0d9d6565d7bfce1163','f7996db37ed36df198f5a8163c2a97ea5827903991e8da9032d1cc44900c7a12','2142738d98f1ba9346fd33f329e53c51025db824f371232ca62f289f0cbea72a',2);
INSERT INTO "event_link" VALUES(27,'change',27,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2142738d98f1ba9346fd33f329e53c51025db824f371232ca62f289f0cbea72a','2f2a7090df738f459f7def8f1a12aebafaeb25efa774df6783278cb314266b81',2);
INSERT INTO "event_link" VALUES(28,'change',28,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2f2a7090df738f459f7def8f1a12aebafaeb25efa774df6783278cb314266b81','c6c673f06caf68e2f3b20a7f2a1f75766fae351b1300ca5595463e5c0ff58f0f',2);
INSERT INTO "event_link" VALUES(29,'change',29,NULL,'2c2c122448b94f0d9d6565d7bfce1163','c6c673f06caf68e2f3b20a7f2a1f75766fae351b1300ca5595463e5c0ff58f0f','245975496e5dac067f40d56b56e8c34cb06be461ff09f400c071a068878326cd',2);
INSERT INTO "event_link" VALUES(30,'change',30,NULL,'2c2c122448b94f0d9d6565d7bfce1163','245975496e5dac067f40d56b56e8c34cb06be461ff09f400c071a068878326cd','ec7ceeea16b0ec93aeaab567c210f13f42be6453d8c9bdd8920a54296cdca882',2);
INSERT INTO "event_link" VALUES(31,'change',31,NULL,'2c2c122448b94f0d9d6565d7bfce1163','ec7ceeea16b0ec93aeaab567c210f13f42be6453d8c9bdd8920a54296cdca882','9114406157ec069b8f647a60342158509e9ed4474f402d423c30787b4a94f625',2);
INSERT INTO "event_link" VALUES(32,'change',32,NULL,'2c2c122448b94f0d9d6565d7bfce1163','9114406157ec069b8f647a60342158509e9ed4474f402d423c30787b4a94f625','beb2bdabe7da95aa5e23af3eb658218e8f681e9cbcdc01c711125390fd3294e6',2);
INSERT INTO "event_link" VALUES(33,'change',33,NULL,'2c2c122448b94f0d9d6565d7bfce1163','beb2bdabe7da95aa5e23af3eb658218e8f681e9cbcdc01c711125390fd3294e6','4238e4571cf5ce04bd6493d0d9a0b0a7db3159f4400e5840f6d4db3562c7f47c',2);
INSERT INTO "event_link" VALUES(34,'change',34,NULL,'2c2c122448b94f0d9d6565d7bfce1163','4238e4571cf5ce04bd6493d0d9a0b0a7db3159f4400e5840f6d4db3562c7f47c','e9647d4a68948b1775edb708d98a148984abea2659fc18bcdf0c2e238feaf703',2);
INSERT INTO "event_link" VALUES(35,'change',35,NULL,'2c2c122448b94f0d9d6565d7bfce1163','e9647d4a68948b1775edb708d98a148984abea2659fc18bcdf0c2e238feaf703','628a791ffda52bfd2edc175736494b9d2732328360a8f0a287107b4b0a11f2c1',2);
INSERT INTO "event_link" VALUES(36,'change',36,NULL,'2c2c122448b94f0d9d6565d7bfce1163','628a791ffda52bfd2edc175736494b9d2732328360a8f0a287107b4b0a11f2c1','d9d7dd2366de4d8aaf5902d7efb7bb64f341debe9cbb5901497ce8ec01173a24',2);
INSERT INTO "event_link" VALUES(37,'change',37,NULL,'2c2c122448b94f0d9d6565d7bfce1163','d9d7dd2366de4d8aaf5902d7efb7bb64f341debe9cbb5901497ce8ec01173a24','885dbe57c767e009dd2bcdf15f0a245934c483a4ea0f68652a17938591f869d2',2);
INSERT INTO "event_link" VALUES(38,'change',38,NULL,'2c2c122448b94f0d9d6565d7bfce1163','885dbe57c767e009dd2bcdf15f0a245934c483a4ea0f68652a17938591f869d2','54b10dcd1eca040a31e71373261414bbca3625bb2cf87fe375167abe064d2ea1',2);
INSERT INTO "event_link" VALUES(39,'change',39,NULL,'2c2c122448b94f0d9d6565d7bfce1163','54b10dcd1eca040a31e71373261414bbca3625bb2cf87fe375167abe064d2ea1','03f2f8a4ab48d23eba7f49ccfc5709a622894f86df0611438a2fdc7424beb4b1',2);
INSERT INTO "event_link" VALUES(40,'change',40,NULL,'2c2c122448b94f0d9d6565d7bfce1163','03f2f8a4ab48d23eba7f49ccfc5709a622894f86df0611438a2fdc7424beb4b1','d5ebfc31f55f20a3a2762949f1304c262259b8a35180f8173cdbde42efb4ff6f',2);
INSERT INTO "event_link" VALUES(41,'change',41,NULL,'2c2c122448b94f0d9d6565d7bfce1163','d5ebfc31f55f20a3a2762949f1304c262259b8a35180f8173cdbde42efb4ff6f','5d103084b55e642b88ad592059aa83c11f6401be08db8eae90189e7133e1a18e',2);
INSERT INTO "event_link" VALUES(42,'change',42,NULL,'2c2c122448b94f0d9d6565d7bfce1163','5d103084b55e642b88ad592059aa83c11f6401be08db8eae90189e7133e1a18e','acb1a7754f11c8b581e29ad4c91736faa5baf186a12e47f1d9ea73229ed6406a',2);
INSERT INTO "event_link" VALUES(43,'change',43,NULL,'2c2c122448b94f0d9d6565d7bfce1163','acb1a7754f11c8b581e29ad4c91736faa5baf186a12e47f1d9ea73229ed6406a','20d14b2fdda1662dcb9b390c81a5d675e831f901746753b351a8feb05e333253',2);
INSERT INTO "event_link" VALUES(44,'change',44,NULL,'2c2c122448b94f0d9d6565d7bfce1163','20d14b2fdda1662dcb9b390c81a5d675e831f901746753b351a8feb05e333253','81267702dde758b5f5fa1e61afc828b611dd01d36f3a74c6ae6f45103e960caa',2);
INSERT INTO "event_link" VALUES(45,'change',45,NULL,'2c2c122448b94f0d9d6565d7bfce1163','81267702dde758b5f5fa1e61afc828b611dd01d36f3a74c6ae6f45103e960caa','39a672c360194d1fcb9d0b68e7eda3ad853a5c6b00a08430c3783fbf2e103947',2);
INSERT INTO "event_link" VALUES(46,'change',46,NULL,'2c2c122448b94f0d9d6565d7bfce1163','39a672c360194d1fcb9d0b68e7eda3ad853a5c6b00a08430c3783fbf2e103947','ce08a0d4975980c0f8933869959c89e75ec24acdbfe5c0a66ce89306e88e3fa6',2);
INSERT INTO "event_link" VALUES(47,'change',47,NULL,'2c2c122448b94f0d9d6565d7bfce1163','ce08a0d4975980c0f8933869959c89e75ec24acdbfe5c0a66ce89306e88e3fa6','eb699688794e7db43b3262278fffb95123b2e5ff2771f950c43a3ff5c3472691',2);
INSERT INTO "event_link" VALUES(48,'change',48,NULL,'2c2c122448b94f0d9d6565d7bfce1163','eb699688794e7db43b3262278fffb95123b2e5ff2771f950c43a3ff5c3472691','d294e0d8fc44f448cb55776728dd6e841f0e625b9bc8b9236cd0e46e219fe2ff',2);
INSERT INTO "event_link" VALUES(49,'change',49,NULL,'2c2c122448b94f0d9d6565d7bfce1163','d294e0d8fc44f448cb55776728dd6e841f0e625b9bc8b9236cd0e46e219fe2ff','1101f446ab8453d67ee7abff98265a7f7f349de652f286cdfd0422cf9d37b8a0',2);
INSERT INTO "event_link" VALUES(50,'change',50,NULL,'2c2c122448b94f0d9d6565d7bfce1163','1101f446ab8453d67ee7abff98265a7f7f349de652f286cdfd0422cf9d37b8a0','9f6c131c28546c01e57087dfb0025452a9165507e1b10934c88780379be3eab0',2);
INSERT INTO "event_link" VALUES(51,'change',51,NULL,'2c2c122448b94f0d9d6565d7bfce1163','9f6c131c28546c01e57087dfb0025452a9165507e1b10934c88780379be3eab0','2bfc4a25b848f4f315760abc7b78aa149f14dad77078fff1f65ab799de68e9ca',2);
INSERT INTO "event_link" VALUES(52,'change',52,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2bfc4a25b848f4f315760abc7b78aa149f14dad77078fff1f65ab799de68e9ca','dec122febce5b52c0be4651cab8a902fd6672728ccb2ce83890d915586eaacf4',2);
INSERT INTO "event_link" VALUES(53,'change',53,NULL,'2c2c122448b94f0d9d6565d7bfce1163','dec122febce5b52c0be4651cab8a902fd6672728ccb2ce83890d915586eaacf4','0ee0b6987ac7b40b75b7894074079d20b5099f9eac92811d3236286b3a8a6265',2);
INSERT INTO "event_link" VALUES(54,'change',54,NULL,'2c2c122448b94f0d9d6565d7bfce1163','0ee0b6987ac7b40b75b7894074079d20b5099f9eac92811d3236286b3a8a6265','2418adfe8da53b520458961a97da18a277b7147277cfa02af00a797d24b4eb1e',2);
INSERT INTO "event_link" VALUES(55,'change',55,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2418adfe8da53b520458961a97da18a277b7147277cfa02af00a797d24b4eb1e','a5a625494dca43715acf935e63f2d2a9c3edd52e0ae675c4189b39253bf225de',2);
INSERT INTO "event_link" VALUES(56,'change',56,NULL,'2c2c122448b94f0d9d6565d7bfce1163','a5a625494dca43715acf935e63f2d2a9c3edd52e0ae675c4189b39253bf225de','5128140b128b586bd409b7a47d65766e806ffe4bfbc3817f9d060059fb4dd174',2);
INSERT INTO "event_link" VALUES(57,'change',57,NULL,'2c2c122448b94f0d9d6565d7bfce1163','5128140b128b586bd409b7a47d65766e806ffe4bfbc3817f9d060059fb4dd174','311badd0f62d699c83decb7a734976d9a7659489a28ae848b2f69ba4bf08ac8f',2);
INSERT INTO "event_link" VALUES(58,'change',58,NULL,'2c2c122448b94f0d9d6565d7bfce1163','311badd0f62d699c83decb7a734976d9a7659489a28ae848b2f69ba4bf08ac8f','7f76642256368ef5ee72cd914157dd031d9634dbd0389421889d77a472cd0f14',2);
INSERT INTO "event_link" VALUES(59,'change',59,NULL,'2c2c122448b94f0d9d6565d7bfce1163','7f76642256368ef5ee72cd914157dd031d9634dbd0389421889d77a472cd0f14','e290a44d290f111373314300d2ba4524d69bdbb9f7c8c87b27542f7c1a8076a6',2);
INSERT INTO "event_link" VALUES(60,'change',60,NULL,'2c2c122448b94f0d9d6565d7bfce1163','e290a44d290f111373314300d2ba4524d69bdbb9f7c8c87b27542f7c1a8076a6','b2f86d92e0ea236177fd28ded878a3c203703d2a77f9bffb2e048bda88a51f45',2);
INSERT INTO "event_link" VALUES(61,'change',61,NULL,'2c2c122448b94f0d9d6565d7bfce1163','b2f86d92e0ea236177fd28ded878a3c203703d2a77f9bffb2e048bda88a51f45','65983e42c98fd40847350336fc88a709f09d1ca216270461b1ccff1c1ed266cc',2);
INSERT INTO "event_link" VALUES(62,'change',62,NULL,'2c2c122448b94f0d9d6565d7bfce1163','65983e42c98fd40847350336fc88a709f09d1ca216270461b1ccff1c1ed266cc','55d22767b6be9ea34356a4b11a9dc706663f3c33764fa47de408b9ac6ec081c2',2);
INSERT INTO "event_link" VALUES(63,'change',63,NULL,'2c2c122448b94f0d9d6565d7bfce1163','55d22767b6be9ea34356a4b11a9dc706663f3c33764fa47de408b9ac6ec081c2','62f038d69128ba5e6f9b5f1e4c9623e816263f7b5cb4c37a37b9a8eaef7d928a',2);
INSERT INTO "event_link" VALUES(64,'change',64,NULL,'2c2c122448b94f0d9d6565d7bfce1163','62f038d69128ba5e6f9b5f1e4c9623e816263f7b5cb4c37a37b9a8eaef7d928a','d81997139635b84f031b7ef7449fa4eb650748cbb85bee3c4fceed6790756a88',2);
INSERT INTO "event_link" VALUES(65,'change',65,NULL,'2c2c122448b94f0d9d6565d7bfce1163','d81997139635b84f031b7ef7449fa4eb650748cbb85bee3c4fceed6790756a88','5231e1919b8497587e200c6a2b4d4eabd50c4b70b8327635073d22b89ed443f3',2);
INSERT INTO "event_link" VALUES(66,'change',66,NULL,'2c2c122448b94f0d9d6565d7bfce1163','5231e1919b8497587e200c6a2b4d4eabd50c4b70b8327635073d22b89ed443f3','20f85b9be3228ad3ac2269ee09f32b1fd99141685c2b4811a5f3f9f0cd8573e1',2);
INSERT INTO "event_link" VALUES(67,'change',67,NULL,'2c2c122448b94f0d9d6565d7bfce1163','20f85b9be3228ad3ac2269ee09f32b1fd99141685c2b4811a5f3f9f0cd8573e1','55db75c9898b2836e29ab0d4dec7654d8845e8f769407171d0e77024c307d7dc',2);
INSERT INTO "event_link" VALUES(68,'change',68,NULL,'2c2c122448b94f0d9d6565d7bfce1163','55db75c9898b2836e29ab0d4dec7654d8845e8f769407171d0e77024c307d7dc','cb1122ffd4953ad8a17fe7aca70a689b652058b973469cebf628bbea92220cae',2);
INSERT INTO "event_link" VALUES(69,'change',69,NULL,'2c2c122448b94f0d9d6565d7bfce1163','cb1122ffd4953ad8a17fe7aca70a689b652058b973469cebf628bbea92220cae','7b10f969f6e151d422d779893de95bf4769bf341285f16d8897268b6df749c38',2);
INSERT INTO "event_link" VALUES(70,'change',70,NULL,'2c2c122448b94f0d9d6565d7bfce1163','7b10f969f6e151d422d779893de95bf4769bf341285f16d8897268b6df749c38','61513eaf0a324b250b91a3c5379425f764d8afbbca659a3602183e10a7550e18',2);
INSERT INTO "event_link" VALUES(71,'change',71,NULL,'2c2c122448b94f0d9d6565d7bfce1163','61513eaf0a324b250b91a3c5379425f764d8afbbca659a3602183e10a7550e18','9400807897a35b296d54f706ad163b7e16fe24e9b794b83e674352d1f85c3a51',2);
INSERT INTO "event_link" VALUES(72,'change',72,NULL,'2c2c122448b94f0d9d6565d7bfce1163','9400807897a35b296d54f706ad163b7e16fe24e9b794b83e674352d1f85c3a51','a168eb975898004fb7f7e4e01eb4d76e86a4fe281b4d7b07084b03b60b225a04',2);
INSERT INTO "event_link" VALUES(73,'nugget_edit',1,NULL,'2c2c122448b94f0d9d6565d7bfce1163','a168eb975898004fb7f7e4e01eb4d76e86a4fe281b4d7b07084b03b60b225a04','1dc79a147dd46a47f60f28334346efb69ec44af8cda966d21a7e3b52b4afe494',2);
INSERT INTO "event_link" VALUES(74,'nugget_edit',2,NULL,'2c2c122448b94f0d9d6565d7bfce1163','1dc79a147dd46a47f60f28334346efb69ec44af8cda966d21a7e3b52b4afe494','96c7d777f6c962e4802a93a88dc2a39b0867a4db6c95e3dc75699d8f9a9ada94',2);
INSERT INTO "event_link" VALUES(75,'nugget_edit',3,NULL,'2c2c122448b94f0d9d6565d7bfce1163','96c7d777f6c962e4802a93a88dc2a39b0867a4db6c95e3dc75699d8f9a9ada94','b865af631c6586c5cf18e4159286ff3c9a6a4a797027a3af81ee9d9ee4dad9fc',2);
INSERT INTO "event_link" VALUES(76,'nugget_event',1,NULL,'2c2c122448b94f0d9d6565d7bfce1163','b865af631c6586c5cf18e4159286ff3c9a6a4a797027a3af81ee9d9ee4dad9fc','be6123d62506f04dc71f9ef21b2dff7eacbdf1c5988d39a47022af74c78ffb26',2);
INSERT INTO "event_link" VALUES(77,'nugget_event',2,NULL,'2c2c122448b94f0d9d6565d7bfce1163','be6123d62506f04dc71f9ef21b2dff7eacbdf1c5988d39a47022af74c78ffb26','f2b27a2369ffc55c02cf1a8e116d64592918c8afbdd70068e2d8cee98d8eca9a',2);
INSERT INTO "event_link" VALUES(78,'support_event',1,NULL,'2c2c122448b94f0d9d6565d7bfce1163','f2b27a2369ffc55c02cf1a8e116d64592918c8afbdd70068e2d8cee98d8eca9a','2a656079fbf56b263f8a238e806ab592877509a007a64c0498f89d41efbb0676',2);
INSERT INTO "event_link" VALUES(79,'support_event',2,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2a656079fbf56b263f8a238e806ab592877509a007a64c0498f89d41efbb0676','c99c201fdd7ae98c5a9314b814dc7e39988f6f96a7c62b1a6d497ae0f5362290',2);
INSERT INTO "event_link" VALUES(80,'claim',1,NULL,'2c2c122448b94f0d9d6565d7bfce1163','c99c201fdd7ae98c5a9314b814dc7e39988f6f96a7c62b1a6d497ae0f5362290','8ff216affbf27dd2ac1b5d702ee18cb2cbef46686b667b320b9c3cabb86487b8',2);
INSERT INTO "event_link" VALUES(81,'claim',2,NULL,'2c2c122448b94f0d9d6565d7bfce1163','8ff216affbf27dd2ac1b5d702ee18cb2cbef46686b667b320b9c3cabb86487b8','dc81b1fd523eef7691d8f9c6a07dcfa399e0736ecbf6cd640b80ddad386dc60f',2);
INSERT INTO "event_link" VALUES(82,'claim_event',1,NULL,'2c2c122448b94f0d9d6565d7bfce1163','dc81b1fd523eef7691d8f9c6a07dcfa399e0736ecbf6cd640b80ddad386dc60f','9ab193e16ee019811ebb472dc1dc72ac033d3763786add544fd1125ab3b84ac4',2);
INSERT INTO "event_link" VALUES(83,'claim_event',2,NULL,'2c2c122448b94f0d9d6565d7bfce1163','9ab193e16ee019811ebb472dc1dc72ac033d3763786add544fd1125ab3b84ac4','fc54210b0f09677e077aa3c2a7b6efc71e5b01350d6d911023dd98e01b728e2f',2);
INSERT INTO "event_link" VALUES(84,'change',73,NULL,'2c2c122448b94f0d9d6565d7bfce1163','fc54210b0f09677e077aa3c2a7b6efc71e5b01350d6d911023dd98e01b728e2f','b0e5b75f76be5808bd7bbe70d62a6586a602102c4195097b194449edd564f0b0',2);
INSERT INTO "event_link" VALUES(85,'preference_event',1,NULL,'2c2c122448b94f0d9d6565d7bfce1163','b0e5b75f76be5808bd7bbe70d62a6586a602102c4195097b194449edd564f0b0','3d468cca1e6d3f9af7c9a13835cee35b5aee40d692b54ba7b77a55d238c07f36',2);
INSERT INTO "event_link" VALUES(86,'preference_event',2,NULL,'2c2c122448b94f0d9d6565d7bfce1163','3d468cca1e6d3f9af7c9a13835cee35b5aee40d692b54ba7b77a55d238c07f36','2814e591c6b0ff70c8d30d404476c931ce422bdec039a99b4b301e2c53e4f87a',2);
INSERT INTO "event_link" VALUES(87,'change',74,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2814e591c6b0ff70c8d30d404476c931ce422bdec039a99b4b301e2c53e4f87a','26d638779f42cf7a0d3ddb65b9f7c79eebf5a946946676cce19536b1a985c68c',2);
INSERT INTO "event_link" VALUES(88,'change',75,NULL,'2c2c122448b94f0d9d6565d7bfce1163','26d638779f42cf7a0d3ddb65b9f7c79eebf5a946946676cce19536b1a985c68c','ecb477153de3dd346ae45757e183a5f4caf229f2724085b0ab6f602a408c3481',2);
INSERT INTO "event_link" VALUES(89,'change',76,NULL,'2c2c122448b94f0d9d6565d7bfce1163','ecb477153de3dd346ae45757e183a5f4caf229f2724085b0ab6f602a408c3481','273400631c85ae0cbda5a8cd8e266700f5445cd4b40dad1aee06ebbd514f0542',2);
INSERT INTO "event_link" VALUES(90,'model_call',1,NULL,'2c2c122448b94f0d9d6565d7bfce1163','273400631c85ae0cbda5a8cd8e266700f5445cd4b40dad1aee06ebbd514f0542','44a5484e48eb80886cd6fe74c92f328695973eb97477649263bbad9efc55bea1',2);
INSERT INTO "event_link" VALUES(91,'model_call',2,NULL,'2c2c122448b94f0d9d6565d7bfce1163','44a5484e48eb80886cd6fe74c92f328695973eb97477649263bbad9efc55bea1','2ca8b8643dd3d6e76990bd49d4e4b73946ee975f36a023e969a1bdbccf43304d',2);
INSERT INTO "event_link" VALUES(92,'change',77,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2ca8b8643dd3d6e76990bd49d4e4b73946ee975f36a023e969a1bdbccf43304d','facde8fc774875508e42de6583c3dec5b1b055d775316229601490d5a2da6c43',2);
INSERT INTO "event_link" VALUES(93,'change',78,NULL,'2c2c122448b94f0d9d6565d7bfce1163','facde8fc774875508e42de6583c3dec5b1b055d775316229601490d5a2da6c43','2711e2e032e63ef0779f6cc873e6b7356e21d8cf8503ddfa4f9bbd61bab5de7a',2);
INSERT INTO "event_link" VALUES(94,'change',79,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2711e2e032e63ef0779f6cc873e6b7356e21d8cf8503ddfa4f9bbd61bab5de7a','37f4283fceb8dc50b6838aa0769ea11e71fe8ed10237db3f29f2e601ec9fba47',2);
INSERT INTO "event_link" VALUES(95,'change',80,NULL,'2c2c122448b94f0d9d6565d7bfce1163','37f4283fceb8dc50b6838aa0769ea11e71fe8ed10237db3f29f2e601ec9fba47','2cc0899ebcaaf90870a3f22795af6e711902b09a4f29bcc1f2cde833dcb0802f',2);
INSERT INTO "event_link" VALUES(96,'change',81,NULL,'2c2c122448b94f0d9d6565d7bfce1163','2cc0899ebcaaf90870a3f22795af6e711902b09a4f29bcc1f2cde833dcb0802f','a2f0c95c9cc5bee4142672c5842621181156479944fbc2dd8f15f6e170ca1086',2);
INSERT INTO "event_link" VALUES(97,'change',82,NULL,'2c2c122448b94f0d9d6565d7bfce1163','a2f0c95c9cc5bee4142672c5842621181156479944fbc2dd8f15f6e170ca1086','966d5e24980b283bdd9f89695dcf7491ddbcec09f5e51fd1d711fd73a9eaf88f',2);
CREATE TABLE experiment (  -- append-only: what the lists of a log were shown for
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('ab', 'interleave', 'log')),
    method TEXT NOT NULL DEFAULT '',  -- of interleaving
    seed INTEGER,
    started TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "experiment" VALUES(1,'log','ab','',NULL,'2026-11-23T23:40:24.154+00:00');
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
    kind TEXT NOT NULL CHECK (
        kind IN ('corpus', 'topics', 'runs', 'qrels', 'votes', 'answers', 'nuggets', 'support', 'log', 'preferences', 'claims')
    ),
    files TEXT NOT NULL,  -- JSON, their names
    first_event INTEGER NOT NULL,  -- its events of judgment_event have ids from this one ...
    last_event INTEGER  -- ... to this one; none where it is the lower
) STRICT;
INSERT INTO "import" VALUES(1,'2026-11-23T23:40:23.011+00:00','corpus','["corpus.jsonl"]',1,0);
INSERT INTO "import" VALUES(2,'2026-11-23T23:40:23.120+00:00','topics','["topics.jsonl"]',1,0);
INSERT INTO "import" VALUES(3,'2026-11-23T23:40:23.264+00:00','runs','["a", "b", "late.run"]',1,0);
INSERT INTO "import" VALUES(4,'2026-11-23T23:40:23.390+00:00','qrels','["judged.txt"]',1,2);
INSERT INTO "import" VALUES(5,'2026-11-23T23:40:23.596+00:00','votes','["votes.csv"]',3,4);
INSERT INTO "import" VALUES(6,'2026-11-23T23:40:24.104+00:00','log','["log.jsonl"]',5,4);
INSERT INTO "import" VALUES(7,'2026-11-23T23:40:24.272+00:00','runs','["x.run"]',5,4);
INSERT INTO "import" VALUES(8,'2026-11-23T23:40:24.788+00:00','answers','["answers.jsonl"]',11,10);
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
INSERT INTO "impression" VALUES(1,'i0',0.0,1,1,713197101274395940,6272560664749760979,2,NULL,0,X'0200000003000000',NULL,NULL,6);
INSERT INTO "impression" VALUES(2,'i1',1.0,1,2,713197101274395940,6272560664749760979,1,NULL,0,X'0200000003000000',NULL,NULL,6);
INSERT INTO "impression" VALUES(3,'i2',2.0,1,1,7598166590654892386,6272560664749760979,2,NULL,0,X'0200000003000000',NULL,NULL,6);
INSERT INTO "impression" VALUES(4,'i3',3.0,1,2,7598166590654892386,6272560664749760979,2,NULL,0,X'0200000003000000',NULL,NULL,6);
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
INSERT INTO "invitation" VALUES(1,3,'0233d35c7fe59617c1ade6a7878cb517edebbf945262b4a04d367e4b8d40f3bd','2026-11-23T23:40:24.820+00:00',NULL,NULL,'judge');
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
    CHECK (fast IN (0, 1)), highlight_terms TEXT NOT NULL DEFAULT '', docno_shown INTEGER NOT NULL DEFAULT 0 CHECK (docno_shown IN (0, 1)), origin TEXT NOT NULL DEFAULT '', previous TEXT NOT NULL DEFAULT '', hash TEXT NOT NULL DEFAULT '', rule INTEGER NOT NULL DEFAULT 1 CHECK (rule IN (1, 2))) STRICT;
INSERT INTO "judgment_event" VALUES(1,'6f996fb85dd74574a4ebfcad3274ce15','2026-11-23T23:40:23.448+00:00','import',1,2,1,1,0,'','','{"subtopics": {"1": 1, "2": 0}}','',NULL,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,NULL,'',0,'',0,'9ff26a2897d540f4942ce99057782742','','c96110af0a589530059770bde0506e5b43f2572f8d77ec9aa4f93a86fdf57131',2);
INSERT INTO "judgment_event" VALUES(2,'5bf60db38f544fdeb0c1afae218aa0a2','2026-11-23T23:40:23.448+00:00','import',2,5,1,1,0,'','','{"subtopics": {"1": 1}}','',NULL,NULL,'',NULL,'2fff8d683170da99559b8547d11d40cf4bea5946ee63f9730cb14df8525015ee',NULL,NULL,'',0,'',0,'9ff26a2897d540f4942ce99057782742','c96110af0a589530059770bde0506e5b43f2572f8d77ec9aa4f93a86fdf57131','f03f4d715788a859e21f45badcbf224976fa8416a18bc284f37ee16b88957899',2);
INSERT INTO "judgment_event" VALUES(3,'8383dc7412eb4916b32b65c231f165b4','2026-11-23T23:40:23.632+00:00','import',1,3,2,1,0,'','seen',NULL,'csv',NULL,NULL,'',NULL,'534b7656c74b9f8181d1be6fd8bb8eb6e5a67d37243aa4c3fb2c604f266f52c3',NULL,NULL,'',0,'',0,'e701ccb8333b48f3827211d0172841e9','','983003e01b3d323daa7bf5e7c70d0ccfac46c113bf4614cc7c17e4acc19f7168',2);
INSERT INTO "judgment_event" VALUES(4,'7dd7771f04a641e4af1b68f9899b75db','2026-11-23T23:40:23.632+00:00','import',2,6,3,1,0,'','said Quillfeather',NULL,'csv',NULL,NULL,'',NULL,'2ec442acf07a634be4d5072b5dd76e9caebaf601ca515df4c77e0009351d1901',NULL,NULL,'',0,'',0,'e701ccb8333b48f3827211d0172841e9','983003e01b3d323daa7bf5e7c70d0ccfac46c113bf4614cc7c17e4acc19f7168','02a4db6695464432c9d12b3291cd6602e155a72e5edef05faf53dd9de12384a2',2);
INSERT INTO "judgment_event" VALUES(5,'e5af1a184ec943cea6cf4ac99b212fe9','2026-11-23T23:40:24.718+00:00','label',1,2,3,2,1,'','said Quillfeather','[{"start": 0, "end": 4, "quote": "wing"}]','',2.5,1,'hash',7,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',3,NULL,'key',0,'quill',0,'2c2c122448b94f0d9d6565d7bfce1163','','5935fb3421aaf652bd264a1129f28c64a95dc80cecf092cb363b91cd6d304cad',2);
INSERT INTO "judgment_event" VALUES(6,'4b29351f07da4ddd9f69106d5e304618','2026-11-23T23:40:24.719+00:00','label',1,2,5,0,0,'','no',NULL,'',2.5,1,'hash',7,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',3,NULL,'key',1,'',1,'2c2c122448b94f0d9d6565d7bfce1163','5935fb3421aaf652bd264a1129f28c64a95dc80cecf092cb363b91cd6d304cad','70970ccdad3663216c1f6a7ae285519abb088536b42bc938aca4931a965f0bf7',2);
INSERT INTO "judgment_event" VALUES(7,'b3f9e34fb49f4a9690f5e8172c67b8d5','2026-11-23T23:40:24.719+00:00','cannot-judge',1,4,3,NULL,0,'Quillfeather''s eyes','',NULL,'',2.5,1,'hash',7,'62699622fca56703a957c7cdc0110af77d5d36c1737de327caad9236abfc534f',3,NULL,'key',0,'',0,'2c2c122448b94f0d9d6565d7bfce1163','70970ccdad3663216c1f6a7ae285519abb088536b42bc938aca4931a965f0bf7','5ef32d3f143501a1747ff0882e13a2b13d7792429b9ce09a7e27b05f449bd838',2);
INSERT INTO "judgment_event" VALUES(8,'837663ad1a9f4c9cb9d31bf2e5c94167','2026-11-23T23:40:24.719+00:00','label',2,2,5,1,0,'','',NULL,'',2.5,1,'hash',7,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',3,NULL,'key',0,'',0,'2c2c122448b94f0d9d6565d7bfce1163','5ef32d3f143501a1747ff0882e13a2b13d7792429b9ce09a7e27b05f449bd838','e35192a8c84a254571c543da54af62a4718c9012297c1e6b501a6424be9e1829',2);
INSERT INTO "judgment_event" VALUES(9,'59735beb32fc49df954ec940e95dafcb','2026-11-23T23:40:24.719+00:00','adjudicate',1,2,5,1,0,'','',NULL,'adjudication',NULL,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,NULL,'',0,'',0,'2c2c122448b94f0d9d6565d7bfce1163','e35192a8c84a254571c543da54af62a4718c9012297c1e6b501a6424be9e1829','89488b9f247ae8ca9fd87c61862740475749844ba95cef21f74a8d5c55b5da02',2);
INSERT INTO "judgment_event" VALUES(10,'5ca8f3edcce44224bac177db5134a89b','2026-11-23T23:40:24.750+00:00','retract',2,2,5,NULL,0,'','',NULL,'',NULL,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,8,'',0,'',0,'2c2c122448b94f0d9d6565d7bfce1163','89488b9f247ae8ca9fd87c61862740475749844ba95cef21f74a8d5c55b5da02','0be1d6b79e03e1dd6b15a5f959a77dab2e402411cbba0bbcb8409d8d7597e6d7',2);
INSERT INTO "judgment_event" VALUES(11,'16e88cb93c7541e284f22c247ce9b0b5','2026-11-23T23:40:24.817+00:00','label',1,2,7,1,0,'','','{"call": 1}','',1.5,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',NULL,NULL,'model',0,'',0,'2c2c122448b94f0d9d6565d7bfce1163','0be1d6b79e03e1dd6b15a5f959a77dab2e402411cbba0bbcb8409d8d7597e6d7','f63d6714af702b7e4b0c6cbbe095b5c4334c187ebb20e5abd180eccf6e21c9cb',2);
INSERT INTO "judgment_event" VALUES(12,'dd94dcfa9caf4917bbf2413bef132ebf','2026-11-23T23:40:24.874+00:00','label',1,2,3,1,0,'','said Quillfeather',NULL,'',1.0,NULL,'',NULL,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f',3,NULL,'',0,'',0,'115c708d47f54fa5bef16eaf79d8ac41','','e7fdb3215898a7e2b4492660958556794344425d608a8155ce469db7caccc779',2);
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
INSERT INTO "model_call" VALUES(1,'2026-11-23T23:40:24.814+00:00',1,NULL,7,'relevance',1,2,'d1',1,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f','m','m','here','{}','r','1','why','stop',5,2,0.1,1.5,1,200,'ok','none',1,0,0);
INSERT INTO "model_call" VALUES(2,'2026-11-23T23:40:24.815+00:00',NULL,1,7,'relevance',1,2,'d1',1,'43d724273a861f19d12e979a82b99c8c695da1b881c0d280c77345b35906c29f','m','m','here','{}','r','1','why','stop',5,2,0.1,1.5,1,200,'ok','none',1,0,0);
CREATE TABLE model_request (  -- append-only: what is sent to a server, recorded before it is sent
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,  -- UTC
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    task TEXT NOT NULL,
    topic INTEGER NOT NULL REFERENCES topic (id),
    subject TEXT NOT NULL,  -- what is asked about: a docno, an answer, ...
    request_sha256 TEXT NOT NULL  -- of model, URL, parameters and messages
) STRICT;
INSERT INTO "model_request" VALUES(1,'2026-11-23T23:40:24.813+00:00',7,'relevance',1,'d1','r');
CREATE TABLE model_setting (  -- append-only: an assessor is one model with one prompt and one set of parameters
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    task TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt INTEGER NOT NULL REFERENCES prompt (id),
    parameters TEXT NOT NULL,  -- JSON
    made TEXT NOT NULL,  -- UTC
    PRIMARY KEY (assessor, task)
) STRICT, WITHOUT ROWID;
INSERT INTO "model_setting" VALUES(7,'relevance','m',1,'{"temperature": 0}','2026-11-23T23:40:24.808+00:00');
CREATE TABLE nugget (  -- append-only: what a good answer to a topic says; another wording is another nugget
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    text TEXT NOT NULL CHECK (text <> ''),
    author INTEGER NOT NULL REFERENCES assessor (id),
    contributors TEXT NOT NULL DEFAULT '[]',  -- JSON, the tags of the runs whose answers it comes from, where known
    place INTEGER  -- in the list of its topic: that of the nugget it replaces; NULL: its own number
) STRICT;
INSERT INTO "nugget" VALUES(1,'2026-11-23T23:40:24.792+00:00',1,'wings lift',3,'["rag"]',NULL);
INSERT INTO "nugget" VALUES(2,'2026-11-23T23:40:24.792+00:00',1,'wings do lift',3,'[]',1);
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
INSERT INTO "nugget_edit" VALUES(1,'8cc30ef97e7c4659834876242af9823f','2026-11-23T23:40:24.792+00:00','vital',1,3,'[]',3.0,'key',NULL);
INSERT INTO "nugget_edit" VALUES(2,'817a5bd4762c4f679c481a506eca6547','2026-11-23T23:40:24.792+00:00','okay',2,3,'[1]',NULL,'',NULL);
INSERT INTO "nugget_edit" VALUES(3,'9cb221ebbd494b13956498d841f655f4','2026-11-23T23:40:24.792+00:00','retract',2,3,'[]',NULL,'',2);
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
INSERT INTO "nugget_event" VALUES(1,'e018d5b0aeed4eb7871f9d74f07917b3','2026-11-23T23:40:24.794+00:00','label',1,1,3,'support','Quillfeather''s eyes','said Quillfeather','[]',2.0,1,1,1,'key',NULL);
INSERT INTO "nugget_event" VALUES(2,'c4e6044f6a704d6b9bea4ebb2759da9b','2026-11-23T23:40:24.795+00:00','retract',1,1,3,NULL,'','',NULL,NULL,NULL,NULL,0,'',1);
CREATE TABLE origin (  -- append-only: where events came into being; each has a chain of its own
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('store', 'bundle', 'import', 'earlier')),  -- earlier: before there were chains
    name TEXT NOT NULL,  -- of the file, where there is one
    made TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "origin" VALUES('2c2c122448b94f0d9d6565d7bfce1163','store','','2026-11-23T23:40:22.933+00:00');
INSERT INTO "origin" VALUES('9ff26a2897d540f4942ce99057782742','import','','2026-11-23T23:40:23.447+00:00');
INSERT INTO "origin" VALUES('e701ccb8333b48f3827211d0172841e9','import','votes.csv','2026-11-23T23:40:23.632+00:00');
INSERT INTO "origin" VALUES('115c708d47f54fa5bef16eaf79d8ac41','bundle','Ada Quillfeather','2026-11-23T23:40:24.858+00:00');
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
INSERT INTO "plan" VALUES(1,'2026-11-23T23:40:24.610+00:00',3,0.5,1,0,86400,0);
CREATE TABLE pool (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    parameters TEXT NOT NULL,  -- JSON
    seed INTEGER,
    version TEXT NOT NULL,  -- of the program that built it
    created TEXT NOT NULL  -- UTC
) STRICT;
INSERT INTO "pool" VALUES(1,'mtf','{"depth": null, "runs": ["a", "b", "late"], "considered": 100, "budget": 4, "batch": 10, "options": {"reset": "paper", "scope": "local"}, "batches": {"1": [4], "2": [4], "3": [1]}}',0,'0.1.0','2026-11-23T23:40:23.800+00:00');
INSERT INTO "pool" VALUES(2,'stratified','{"depth": null, "runs": ["a", "b", "late"], "considered": 3, "budget": 4, "options": {"bounds": "10,30", "rates": "4,2,1"}}',0,'0.1.0','2026-11-23T23:40:23.859+00:00');
INSERT INTO "pool" VALUES(3,'depth','{"depth": 3, "runs": ["a", "b", "late"]}',NULL,'0.1.0','2026-11-23T23:40:23.884+00:00');
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
INSERT INTO "preference_event" VALUES(1,'d76339d1a6584278839f07a580eba0f0','2026-11-23T23:40:24.805+00:00','prefer',1,2,3,3,'second','Quillfeather''s eyes','said Quillfeather','[]',2.0,1,1,'ff7772053abf7d817d6eec229a09e14f0d1552f1cb0aeedb2ac73784ac2d2e39','key',1,NULL);
INSERT INTO "preference_event" VALUES(2,'e23362258d3a43c38df0e1032d239ba7','2026-11-23T23:40:24.806+00:00','retract',1,2,3,3,NULL,'','',NULL,NULL,NULL,NULL,NULL,'',0,1);
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
INSERT INTO "preference_pair" VALUES(3,1,2,3,'file','2026-11-23T23:40:24.803+00:00');
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
INSERT INTO "release" VALUES(1,'1.0','2026-01-31','','2026-11-23T23:40:24.939+00:00','0.1.0','d43997271b48d758190806a695fd4c90d9fda7d8918f6921f971dc5c34d7eeea','{"documents": 10, "topics": 3, "runs": 3, "judgments": 4}','{"document": 10, "topic": 4, "judgment_event": 12, "criterion": 2, "preference_event": 2, "answer": 1, "nugget": 2, "nugget_edit": 3, "nugget_event": 2, "support_event": 2, "claim": 2, "claim_event": 2, "event_link": 96, "change": 81, "import": 8, "removal": 2, "audit": 1, "prompt": 1, "model_request": 1, "model_call": 2, "run": 3, "pool": 3, "plan": 1}','{"collection": [["id", "name", "description", "licence", "created", "grades", "min_relevant", "guidelines", "origin", "rule"], [1, "full", "about", "CC0", "2026-11-23T23:40:21.558+00:00", "{\"0\": \"no\", \"1\": \"yes\", \"2\": \"very\"}", 1, "Read it all.", "2c2c122448b94f0d9d6565d7bfce1163", 2]], "assessor": [["id", "name", "kind", "repeats", "uid"], [1, "import", "import", null, "f3351828771e4ea0b8b1ca07b86aafcb"], [2, "vic", "human", null, "ceac02927bbd43a4b2fdc95b5eb8140f"], [3, "Ada Quillfeather", "human", null, "14188cd3aad54c45a4545c31e8f81169"], [4, "Ada Quillfeather (repeat)", "human", 3, "7aef0d770e9b46598f6963507c65c09c"], [5, "bob", "human", null, "138f5bb13ce84296bb71a8e47e6e7282"], [6, "bob (repeat)", "human", 5, "95ed2aac43de4621bf00645ae44c3227"], [7, "llm", "model", null, "a908b55751bb46b3b20956e1821cd47f"]], "origin": [["id", "kind", "name", "made"], ["2c2c122448b94f0d9d6565d7bfce1163", "store", "", "2026-11-23T23:40:22.933+00:00"], ["9ff26a2897d540f4942ce99057782742", "import", "", "2026-11-23T23:40:23.447+00:00"], ["e701ccb8333b48f3827211d0172841e9", "import", "votes.csv", "2026-11-23T23:40:23.632+00:00"], ["115c708d47f54fa5bef16eaf79d8ac41", "bundle", "Ada Quillfeather", "2026-11-23T23:40:24.858+00:00"]], "run": [["id", "tag", "team", "kind", "description", "pooled", "depth", "file", "sha256", "imported", "import", "metadata"], [1, "a", "a", "automatic", "", 1, null, "a", "64842add188fa74eeb06f9d6a31c162c5a9e51ae53bca0d9cd3207951365f846", "2026-11-23T23:40:23.266+00:00", 3, null], [2, "b", "b", "automatic", "", 1, null, "b", "90d8035ee6492fcc72b3266b52f6d9b76ce29d7184b4861285ca92cefc45a581", "2026-11-23T23:40:23.266+00:00", 3, null], [3, "late", "late", "automatic", "", 1, null, "late.run", "02a8b3cf73cf39c53d8781aa4b6d2149e8779252966b880a7b268a8db257dad5", "2026-11-23T23:40:23.267+00:00", 3, null]], "pool": [["id", "method", "parameters", "seed", "version", "created"], [1, "mtf", "{\"depth\": null, \"runs\": [\"a\", \"b\", \"late\"], \"considered\": 100, \"budget\": 4, \"batch\": 10, \"options\": {\"reset\": \"paper\", \"scope\": \"local\"}, \"batches\": {\"1\": [4], \"2\": [4], \"3\": [1]}}", 0, "0.1.0", "2026-11-23T23:40:23.800+00:00"], [2, "stratified", "{\"depth\": null, \"runs\": [\"a\", \"b\", \"late\"], \"considered\": 3, \"budget\": 4, \"options\": {\"bounds\": \"10,30\", \"rates\": \"4,2,1\"}}", 0, "0.1.0", "2026-11-23T23:40:23.859+00:00"], [3, "depth", "{\"depth\": 3, \"runs\": [\"a\", \"b\", \"late\"]}", null, "0.1.0", "2026-11-23T23:40:23.884+00:00"]], "plan": [["id", "made", "pool", "overlap", "repeats", "seed", "lease", "pinned"], [1, "2026-11-23T23:40:24.610+00:00", 3, 0.5, 1, 0, 86400, 0]], "assignment": [["id", "plan", "topic", "role", "assessor", "lease", "cannot_judge"], [1, 1, 1, "first", 3, null, 0], [2, 1, 2, "first", 5, null, 0], [3, 1, 3, "first", 5, null, 0], [4, 1, 1, "second", 5, null, 0], [5, 1, 2, "second", 3, null, 0]], "holder": [["assignment", "assessor"], [1, 3], [2, 5], [3, 5], [4, 5], [5, 3]], "answer_run": [["id", "tag", "team", "kind", "description", "file", "imported"], [1, "rag", "R", "automatic", "", "", "2026-11-23T23:40:24.789+00:00"]], "preference_pair": [["assessor", "topic", "first", "second", "source", "made"], [3, 1, 2, 3, "file", "2026-11-23T23:40:24.803+00:00"]], "model_setting": [["assessor", "task", "model", "prompt", "parameters", "made"], [7, "relevance", "m", 1, "{\"temperature\": 0}", "2026-11-23T23:40:24.808+00:00"]], "bundle": [["id", "assessor", "made"]], "published_log": [["origin", "events", "head", "chains"]], "pool_document": [["pool", "topic", "document", "depth", "runs", "stratum", "probability"], [1, 1, 2, 1, "[\"a\", \"b\"]", null, null], [1, 1, 3, 2, "[\"a\"]", null, null], [1, 1, 4, 1, "[\"a\", \"b\"]", null, null], [1, 1, 10, 1, "[\"late\"]", null, null], [1, 2, 2, 1, "[\"a\", \"b\"]", null, null], [1, 2, 3, 2, "[\"a\"]", null, null], [1, 2, 4, 1, "[\"a\", \"b\"]", null, null], [1, 2, 5, 2, "[\"b\"]", null, null], [1, 3, 2, 1, "[\"late\"]", null, null]], "pool_step": [["pool", "step", "topic", "room"], [1, 1, 1, 10], [1, 1, 2, 10], [1, 1, 3, 10]], "pool_heard": [["pool", "step", "topic", "document", "relevant"], [1, 1, 1, 2, 1], [1, 1, 1, 3, 1], [1, 1, 2, 5, 1]]}','{"document": [["id", "docno", "title", "url", "metadata", "sha256", "removed", "import"], "65db89fdd905a009c7ad31f43f05b04888df25a6aab16f917a0757e02c555123"], "topic": [["id", "qid", "title", "description", "narrative", "metadata", "removed", "import"], "88d883175e09486d9ca3f95b40a065cee7f513bddfab2165016e230bd9698889"], "judgment_event": [["id", "hash"], "ae46413e8a12f6e2224980114cd55ffd2238d7be75a04037f77435d1f4df73bd"], "criterion": [["id", "at", "topic", "assessor", "text"], "2f634c045f1743e4230634d929992352ac20640aa9fe47bd72dc3aa9081de761"], "preference_event": [["id", "event_id", "at", "kind", "topic", "first", "second", "assessor", "choice", "reason", "note", "evidence", "seconds", "position", "order_seed", "document_sha256", "input", "fast", "supersedes"], "323529b002fc35c5b45069c8ef127a308041c1285d166c8250efc59cdb1c7565"], "answer": [["id", "run", "topic", "documents", "metadata", "sha256", "import"], "71c64386cdd391779ff65438b992887b2f4029546fd39e11f3139dd9db8b20aa"], "nugget": [["id", "at", "topic", "text", "author", "contributors", "place"], "491d453b64150eba919f2c1ddd7acd0a69baeb17da7031474d31cbe2ad3c440b"], "nugget_edit": [["id", "event_id", "at", "kind", "nugget", "assessor", "replaces", "seconds", "input", "supersedes"], "9c6d2ea843c43fa14388421c3af5a4168c5eab4796ca74cd48c066b2c4a700fb"], "nugget_event": [["id", "event_id", "at", "kind", "answer", "nugget", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "0c28634754499e46583b43045c6b79af0fdfadea2307de2786aac70c8cdc03ba"], "support_event": [["id", "event_id", "at", "kind", "answer", "sentence", "citations", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "1c3fd20c29bda72bc12c9bee82055c92e892bd2a29deaf26053703ff8c69c5e2"], "claim": [["id", "at", "topic", "answer", "position", "text", "author", "version", "evidence", "import"], "04dc7c5364f2796515ff7b52ec40aa96a0f6a11ad3d2032d26fc19b3f4b6f5f2"], "claim_event": [["id", "event_id", "at", "kind", "answer", "claim", "assessor", "label", "reason", "note", "evidence", "seconds", "position", "order_seed", "fast", "input", "supersedes"], "8b506a169ae4817fb26cb8754885a83da31b6bd42d65216963c94064287cc6b5"], "event_link": [["id", "log", "event", "import", "origin", "previous", "hash", "rule"], "c7dad0f2938a442745a018622cb7cbbe1fd456a0f29aa7386b7ea894d26d0940"], "change": [["id", "at", "kind", "name", "said", "sealed"], "6ec75a31e2c390fbde5b5ec8ba7b3385c6c60abbc535756c8f9451c746dc050b"], "import": [["id", "at", "kind", "files", "first_event", "last_event"], "c1cd096c8911e1b4efcdaeb9a0984faaa53ac0ec7a0a0c9ae860c358e88e1afc"], "removal": [["id", "at", "kind", "name", "what", "reason"], "98e3edc215df6199b7aad71b781198af195629cf717b999d697df45d27813deb"], "audit": [["id", "model", "assessor", "unit", "strata_by", "seed", "made"], "944ece26859e7fb1b951d554c398cd79cef4e3487a8a0ab5dfd8a1866f06704e"], "prompt": [["id", "sha256", "name", "task", "version", "content", "source"], "592ba8c36956daac34ea350a5fea52067eb47e2bc4d1d2028dc3f6f444fc070a"], "model_request": [["id", "at", "assessor", "task", "topic", "subject", "request_sha256"], "5a8e90b9f7f8617e49a45668c72c61af6bfccffecd98f1cff0cbdef18afafc9f"], "model_call": [["id", "at", "request", "reused", "assessor", "task", "topic", "document", "subject", "prompt", "document_sha256", "model", "answered_by", "host", "parameters", "request_sha256", "answer", "reasoning", "finish_reason", "tokens_in", "tokens_out", "cost", "seconds", "attempt", "status", "outcome", "reason", "parser", "characters_cut", "addresses_judge"], "28f5ba7b668432378cb3ead12ba0722506b37f15ffde36a42857ceac6e569e08"], "ranking": [["run", "topic", "documents", "scores"], "9def064a21049f1db723b10f5d5479e09190ba2250f96f62af5304387bf95fbb"], "frame_document": [["pool", "topic", "document", "stratum"], "57666ab701e8f9679ee65518c7862e1dfd797ff4ef8c705b8fef1a15e94a63b1"], "sampled": [["topic", "document", "purpose", "plan"], "690cea5c67ca3ed1d43c6fa7fe5c24148dfa72388686419b77ca8c8130a82cda"], "sentence": [["answer", "position", "text", "citations"], "60ba1829156b32ec9599b5b854dcb3e7eed426b60dce03e1f7436419dc94e25a"], "audit_stratum": [["audit", "stratum", "units"], "4dcb4aad83154f2f325130b9c89a2b249125850fbaa944544e7c052929b5521d"], "audited": [["audit", "topic", "document", "stratum"], "eb2e2c289b0b4a909d74c9fec0336ca28cfecccbaec19ce599b260004873f6bb"], "pool_document": [["pool", "topic", "document", "depth", "runs", "stratum", "probability"], "f9cccc25fc790ef23f874592aeefb80229d2a6cf77a4dc8cd5768f9873ac63e5"], "pool_step": [["pool", "step", "topic", "room"], "dc6cb21e5b04e29711c13a723c5cca47b08c30ef5da40f3d132ea9a94090d631"], "pool_heard": [["pool", "step", "topic", "document", "relevant"], "1e5d35b353883039f9022060699e8ff9b090b88a837534af4268ac0eb1260c45"], "collection": [["id", "name", "description", "licence", "created", "grades", "min_relevant", "guidelines", "origin", "rule"], "deea9a48267e2a7ffa908920b82cdc5782612eb96c630951bac37620eb3a1fcb"], "assessor": [["id", "name", "kind", "repeats", "uid"], "70c278bf776f2cfab55242c1d3d0eff13d37d698c4ba88d49dedb6c456ccfad2"], "origin": [["id", "kind", "name", "made"], "73e1bbd2331fb67aede0a396e6032423c21ea9eb1944ac8545eb3d25a249ce54"], "run": [["id", "tag", "team", "kind", "description", "pooled", "depth", "file", "sha256", "imported", "import", "metadata"], "1b568ed1ec94719a4b4ca4b21c097541d1b3ed5f3b96bd451c5cf7f0eb87ffbf"], "pool": [["id", "method", "parameters", "seed", "version", "created"], "e6c3337b068116f96f74fff3077e18e6a04e072a23561d722a6e3e6ad9ac6143"], "plan": [["id", "made", "pool", "overlap", "repeats", "seed", "lease", "pinned"], "884ab108c87f8ac4541e3bef488677627c8b8684af9367754cd0f2a391b165d8"], "assignment": [["id", "plan", "topic", "role", "assessor", "lease", "cannot_judge"], "3203665f3cda94b12e06252bba44d0f96cc38b6deeb3916b6fcf53d44403767b"], "holder": [["assignment", "assessor"], "9553f8b3e42355f99761bf9456617c41dcd372942d35f7a70a9894b88c997d0f"], "answer_run": [["id", "tag", "team", "kind", "description", "file", "imported"], "5a883ddddf44df7a86422efca05106017f571862243786fe1d80a453a04c023c"], "preference_pair": [["assessor", "topic", "first", "second", "source", "made"], "6a10eddda28c0e4403e96a80ee7f84d750382272f877b434d67360e31e5314d8"], "model_setting": [["assessor", "task", "model", "prompt", "parameters", "made"], "0baa906a4f7652dd33156ce5aac4da1453ed6961f0f250538b160ab67b7868e9"], "bundle": [["id", "assessor", "made"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"], "published_log": [["origin", "events", "head", "chains"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"]}','d7fc352392f69b98d77d22fa7296b5e691dad4ca7d94bae4f964cbe12520dc19');
CREATE TABLE removal (  -- append-only: what was taken back
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('run', 'topic', 'pool', 'import')),
    name TEXT NOT NULL,  -- the tag, the qid, the number
    what TEXT NOT NULL,  -- JSON, what it was; the rankings of a run are not kept
    reason TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO "removal" VALUES(1,'2026-11-23T23:40:24.430+00:00','run','x','{"id": 4, "tag": "x", "team": "x", "kind": "automatic", "description": "", "pooled": 1, "file": "x.run", "sha256": "2482bef7db2a1b536c749b8cedb5e19c4a38ae49f7cfc3c948628c02fb62fcee", "imported": "2026-11-23T23:40:24.274+00:00", "import": 7, "rankings": 2}','');
INSERT INTO "removal" VALUES(2,'2026-11-23T23:40:24.535+00:00','topic','4','{"id": 4, "qid": "4", "title": "d", "description": "d", "narrative": "n", "metadata": "{\"k\": 1}", "removed": 0, "import": 2, "rankings": 0}','');
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
INSERT INTO "run" VALUES(1,'a','a','automatic','',1,NULL,'a','64842add188fa74eeb06f9d6a31c162c5a9e51ae53bca0d9cd3207951365f846','2026-11-23T23:40:23.266+00:00',3,NULL);
INSERT INTO "run" VALUES(2,'b','b','automatic','',1,NULL,'b','90d8035ee6492fcc72b3266b52f6d9b76ce29d7184b4861285ca92cefc45a581','2026-11-23T23:40:23.266+00:00',3,NULL);
INSERT INTO "run" VALUES(3,'late','late','automatic','',1,NULL,'late.run','02a8b3cf73cf39c53d8781aa4b6d2149e8779252966b880a7b268a8db257dad5','2026-11-23T23:40:23.267+00:00',3,NULL);
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
CREATE TABLE serving_key (  -- what the opaque names of documents are made with; they outlive a restart
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
INSERT INTO "serving_key" VALUES(1,X'09C1F1551E52542A8EF8D124CFE06FC86556727B5611BC233C53F67A735BD5CC');
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
INSERT INTO "support_event" VALUES(1,'37fc2d0f1b80484a8a97cd725a2fc2a1','2026-11-23T23:40:24.797+00:00','label',1,1,'["d1"]',3,'support','Quillfeather''s eyes','said Quillfeather','[]',2.0,1,1,0,'key',NULL);
INSERT INTO "support_event" VALUES(2,'47ecfb9ebdc949368c72aabf8ddbe5e8','2026-11-23T23:40:24.798+00:00','retract',1,1,'["d1"]',3,NULL,'','',NULL,NULL,NULL,NULL,0,'',1);
CREATE TABLE topic (
    id INTEGER PRIMARY KEY,
    qid TEXT NOT NULL UNIQUE,
    title TEXT,  -- NULL: known only from a run or from qrels
    description TEXT,
    narrative TEXT,
    metadata TEXT  -- JSON
, removed INTEGER NOT NULL DEFAULT 0  -- 1: taken back
    CHECK (removed IN (0, 1)), import INTEGER REFERENCES import (id)) STRICT;
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
INSERT INTO "user_salt" VALUES(1,X'7EDAD0F0D10F166DB0217AF03062DF55');
INSERT INTO "sqlite_sequence" VALUES('import',8);
INSERT INTO "sqlite_sequence" VALUES('invitation',1);
INSERT INTO "sqlite_sequence" VALUES('claim',2);
INSERT INTO "sqlite_sequence" VALUES('unrecorded',119);
INSERT INTO "sqlite_sequence" VALUES('change',82);
INSERT INTO "sqlite_sequence" VALUES('event_link',97);
INSERT INTO "sqlite_sequence" VALUES('judgment_event',12);
INSERT INTO "sqlite_sequence" VALUES('removal',2);
INSERT INTO "sqlite_sequence" VALUES('criterion',2);
INSERT INTO "sqlite_sequence" VALUES('answer',1);
INSERT INTO "sqlite_sequence" VALUES('nugget',2);
INSERT INTO "sqlite_sequence" VALUES('nugget_edit',3);
INSERT INTO "sqlite_sequence" VALUES('nugget_event',2);
INSERT INTO "sqlite_sequence" VALUES('support_event',2);
INSERT INTO "sqlite_sequence" VALUES('claim_event',2);
INSERT INTO "sqlite_sequence" VALUES('preference_event',2);
INSERT INTO "sqlite_sequence" VALUES('model_call',2);
