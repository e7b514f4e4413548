"""What has to be true of a store whatever happened, and a small store to do things to."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from cranfield.errors import CranfieldError
from cranfield.features.answers.judging.tasks import BETTER, SUPPORTS, YES_NO
from cranfield.features.answers.store.labels import LabelLog
from cranfield.features.answers.store.nuggets import current_nuggets
from cranfield.features.preferences.pairs import GRADES
from cranfield.features.preferences.store import preference_events
from cranfield.store.connection import Connection
from cranfield.store.schema import completed_steps, is_older
from cranfield.store.store import Store
from cranfield.store.verification import verify

MAGIC = b"SQLite format 3\0"
VARYING = frozenset(
    {"at", "made", "created", "imported", "applied_at", "event_id", "previous", "hash", "origin", "lease", "seconds",
     "block", "fast", "id", "salt", "started", "uid", "said", "sealed"}
)  # fmt: skip
VARYING_IN = {  # where it counts only whether there is something
    "release": ("sha256",),  # of all, the time included
    "invitation": ("token_sha256", "expires", "revoked"),
    "impression": ("user", "session"),  # by the salt
    "change": ("name",),  # of an origin, its id
    "round": ("opened",),
    "round_end": ("closed",),
}
GRADES_OF = SUPPORTS.grade_of | YES_NO.grade_of | BETTER.grade_of
SKIPPED = ("sqlite_", "_sqlite", "document_fts_")
QIDS, DOCNOS = ("q1", "q2", "q3"), tuple(f"d{number:02}" for number in range(30))
ASKED = [{"query": "q"}, {"qid": QIDS[0]}]  # a query that is no topic, and one that is
Facts = dict[str, list[Any]]


def is_store(path: Path) -> bool:
    """Whether a file is an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def wrong_in(path: Path) -> str:
    """What is wrong with a store, nothing if all is well."""
    try:
        with Connection(path) as store:
            problems = store.rows("PRAGMA integrity_check")
            if problems != [("ok",)]:
                return f"{path.name}: integrity_check says {problems[0][0]}"
            if strays := store.rows("PRAGMA foreign_key_check"):
                return f"{path.name}: {len(strays)} rows refer to nothing"
            older = is_older(completed_steps(store.conn))
        if not older:
            with Store.open(path) as store:
                verify(store)
    except (CranfieldError, sqlite3.DatabaseError) as error:
        return f"{path.name}: {error}"
    return ""


def facts(path: Path) -> Facts:
    """All that a store says, without what differs whenever it is said."""
    with Connection(path) as store:  # it may be of an earlier version
        tables = [name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        contents: Facts = {}
        for table in tables:
            if not table.startswith(SKIPPED):
                about = store.rows(f"PRAGMA table_info({table})")
                names, there = [row[1] for row in about if row[1] not in VARYING], VARYING_IN.get(table, ())
                columns = ", ".join(f'"{name}"' + " IS NULL" * (name in there) for name in names) or "count(*)"
                contents[table] = sorted(map(repr, store.rows(f'SELECT {columns} FROM "{table}"')))
        return contents


def grades(path: Path, assessor: str) -> list[int | None]:
    """The grades of an assessor's labels in the order of the log."""
    with Store.open(path) as store:
        query = "SELECT grade FROM judgment_log WHERE assessor = ? AND kind IN ('label', 'adjudicate') ORDER BY id"
        return [grade for (grade,) in store.rows(query, [assessor])]


def answers(path: Path, assessor: str) -> list[int | None]:
    """An assessor's answers about pairs in the order of the log."""
    with Store.open(path) as store:
        events = preference_events(store, assessor)
        return [GRADES[event.choice] for event in events if event.choice]


def nuggets(path: Path, assessor: str) -> list[int | None]:
    """The nuggets that an assessor has added, which are numbers, in the order of the log."""
    with Store.open(path) as store:
        return [int(one.text) for one in current_nuggets(store) if one.author == assessor]


def labels_of(log: LabelLog) -> Callable[[Path, str], list[int | None]]:
    """The labels of an assessor in one of the logs about answers, as grades."""

    def labels(path: Path, assessor: str) -> list[int | None]:
        with Store.open(path) as store:
            return [GRADES_OF[event.label] for event in log.events(store, assessor) if event.label]

    return labels


def material(folder: Path) -> None:
    """Files to import: a corpus, topics, runs, qrels, votes, teams, guidelines, a recipe."""
    texts = [
        {"_id": d, "title": f"title {d}", "text": f"lift of wings {d} drag {at % 3}"} for at, d in enumerate(DOCNOS)
    ]
    wide = [{"_id": f"n{number}", "text": f"text {number}"} for number in range(1500)]
    topics = [{"qid": qid, "title": f"lift {qid}", "narrative": "n"} for qid in QIDS]
    _lines(folder / "corpus.jsonl", map(json.dumps, texts))
    _lines(folder / "wide.jsonl", map(json.dumps, wide))
    _lines(folder / "topics.jsonl", map(json.dumps, topics))
    for at, name in enumerate(("r1", "r2", "r3", "late")):
        ranks = [
            (qid, DOCNOS[(7 * at + step * (1, 7, 11, 13)[at]) % 30], 12 - step) for qid in QIDS for step in range(12)
        ]
        _lines(folder / f"{name}.run", [f"{q} Q0 {d} 1 {s} {name}" for q, d, s in dict.fromkeys(ranks)])
    _lines(
        folder / "qrels",
        [f"{q} 0 {d} {(at + number) % 2}" for at, q in enumerate(QIDS) for number, d in enumerate(DOCNOS)],
    )
    _lines(folder / "votes.csv", ["assessor,qid,docno,grade", *(f"vic,{q},{d},1" for q in QIDS for d in DOCNOS[:9])])
    _lines(folder / "teams.tsv", ["run\tteam", "r1\ta", "r2\ta", "r3\tb"])
    _lines(folder / "more.jsonl", [json.dumps({"qid": f"m{number}", "title": "x"}) for number in range(50)])
    _lines(folder / "more.run", [f"m{number} Q0 {d} 1 1 more" for number in range(9) for d in DOCNOS[:1]])
    _lines(folder / "more.csv", ["assessor,qid,docno,grade", *(f"wim,{q},{d},0" for q in QIDS for d in DOCNOS[:9])])
    body = {"answer": [{"text": "Wings lift.", "citations": [0, 1]}], "references": [DOCNOS[0], "x"]}
    answers = [{"run_id": run, "topic_id": qid, **body} for run in ("rag1", "rag2") for qid in QIDS]
    _lines(folder / "answers.jsonl", map(json.dumps, answers))
    display = {"user": "u", "arm": "A", "docs": DOCNOS[:5]}
    clicks = [[{"kind": "click", "position": number % 5 + 1}] if number % 3 else [] for number in range(500)]
    lists = [
        {"id": f"i{number}", "at": number, **display, **asked, "actions": actions}
        for number, (asked, actions) in enumerate(zip(ASKED * 250, clicks, strict=True))
    ]
    _lines(folder / "log.jsonl", map(json.dumps, lists))
    _lines(folder / "pairs", [f"{q} {a} {b}" for q in QIDS for a, b in pairwise(DOCNOS[:4])])
    _lines(folder / "prefs", [f"{q} ida 1 {d} {at}" for q in QIDS for at, d in enumerate(DOCNOS[:9])])
    label = {"run": "rag1", "label": "support"}
    nuggets = [{"qid": q, "text": f"n{n}", "importance": "vital", "labels": [label]} for q in QIDS for n in range(9)]
    _lines(folder / "nuggets.jsonl", map(json.dumps, nuggets))
    more = [{"run_id": "rag3", "topic_id": qid, **body, "references": DOCNOS[:2]} for qid in QIDS]
    _lines(folder / "made.jsonl", map(json.dumps, more))
    claims = [{"qid": qid, "claims": [f"claim {number}" for number in range(9)]} for qid in QIDS]
    _lines(folder / "claims.jsonl", map(json.dumps, claims))
    qids = sorted({str(one["qid"]) for one in claims})
    _lines(
        folder / "rubrics.toml", [f"[{json.dumps(qid)}]\nquestions = ['Is it right?', 'Is it short?']" for qid in qids]
    )
    _lines(folder / "late.tsv", ["run\tteam", "late\tz"])
    _lines(folder / "guidelines.txt", ["Read it all."])
    recipe = ['name = "R"', "[grades]", '0 = "no"', '1 = "yes"', "[[corpus]]", 'path = "corpus.jsonl"', "[[topics]]"]
    _lines(folder / "recipe.toml", [*recipe, 'path = "topics.jsonl"', "[[qrels]]", 'path = "qrels"'])


def _lines(path: Path, lines: Any) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


STEPS: Sequence[str] = (
    "init t.db --name small",
    "import corpus t.db corpus.jsonl",
    "import topics t.db topics.jsonl",
    "import runs t.db r1.run r2.run r3.run",
    "pool build t.db --method depth --depth 6",
    "import qrels t.db qrels --assessor nist",
    "import votes t.db votes.csv",
    "assign t.db --assessor ada --assessor bob --overlap 20%",
    "judge t.db --assessor bob --plain",
)  # made of the material, in this order
