"""Write the files that the examples in the guides read: `python docs/example_files.py FOLDER`.

They are made from the demo's collection: its store, qrels and runs, the labels of three simulated models, generated
answers, simulated click logs, and the files of a second year.
"""

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape

Rankings = dict[str, dict[str, list[str]]]  # documents in their order, by topic, by run
COLLECTION = Path(__file__).resolve().parents[1] / "collections" / "workshop"


def main(folder: Path) -> None:
    """Build the demo's store in a new folder, and write the files next to it."""
    if folder.exists():
        sys.exit(f"error: {folder}: already exists; expected the name of a new folder; delete the old one first")
    folder.mkdir(parents=True)

    def run(words: str) -> str:
        command = [sys.executable, "-m", "cranfield", *words.split()]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

    run("demo")
    write_example_files(folder, folder / "workshop.db", run)
    print(f"{folder}: {len([*folder.rglob('*')])} files and folders")


def write_example_files(folder: Path, workshop: Path, run: Callable[[str], str]) -> None:
    """Write all example files into the folder in which run works."""
    for name in ("workshop.db", "track.db"):
        if (folder / name) != workshop:
            shutil.copyfile(workshop, folder / name)
    run("export qrels workshop.db qrels.txt")
    run("export runs workshop.db exported")
    (folder / "runs").mkdir()
    for path in sorted((folder / "exported").iterdir()):
        (folder / "runs" / f"{path.stem}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    rankings = {path.stem: _read_ranking(path) for path in sorted((folder / "exported").iterdir())}
    judged = [line.split() for line in (folder / "qrels.txt").read_text("utf-8").splitlines()]
    _write_collection(folder)
    _write_labels(folder, judged)
    _write_answers(folder, judged, rankings)
    write_click_logs(folder, judged, rankings)
    _write_runs(folder, rankings)
    _write_second_year(folder, judged, rankings)
    shutil.rmtree(folder / "exported")


def _read_ranking(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        found.setdefault(line.split()[0], []).append(line.split()[2])
    return found


def _write_run(path: Path, tag: str, ranking: dict[str, list[str]]) -> None:
    lines = [
        f"{qid} Q0 {docno} {rank} {len(docnos) - rank} {tag}\n"
        for qid, docnos in ranking.items()
        for rank, docno in enumerate(docnos, 1)
    ]
    path.write_text("".join(lines), "utf-8")


def _write_collection(folder: Path) -> None:
    """Write the demo's corpus and topics in the formats of TREC, and a folder of two documents."""
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress((COLLECTION / "corpus.jsonl").read_bytes(), mtime=0))
    topics = map(json.loads, (COLLECTION / "topics.jsonl").read_text("utf-8").splitlines())
    rows = [f'<topic number="{one["qid"]}"><query>{escape(one["title"])}</query></topic>\n' for one in topics]
    (folder / "topics.xml").write_text(f"<topics>\n{''.join(rows)}</topics>\n", "utf-8")
    (folder / "docs" / "drafts").mkdir(parents=True)
    (folder / "docs" / "brakes.md").write_text("# Brakes\n\nOil the *chain*.\n", "utf-8")
    (folder / "docs" / "drafts" / "wheels.txt").write_text("Wheels\n\nTrue them.\n", "utf-8")
    (folder / "docs" / "logo.psd").write_bytes(b"8BPS")


def _write_labels(folder: Path, judged: Sequence[Sequence[str]]) -> None:
    """Write the qrels as labels of the person ada, and of three models that differ from them in about 30%."""
    for name, percent in (("ada", 0), ("qwen", 30), ("llama", 30), ("mistral", 30)):
        lines = []
        for qid, _, docno, grade in judged:
            number = int(sha256(f"{name} {qid} {docno}".encode()).hexdigest(), 16) % 100
            wrong = min(int(grade) + 1, 2) if number % 2 else max(int(grade) - 1, 0)
            lines.append(f"{qid} 0 {docno} {wrong if number < percent else grade}\n")
        (folder / f"{name}.qrels").write_text("".join(lines), "utf-8")
    votes = [f"{who},{qid},{docno},{min(int(grade), top)}\n" for who, top in (("kim", 2), ("lee", 1))
             for qid, _, docno, grade in judged[:200]]  # fmt: skip
    (folder / "votes.csv").write_text("assessor,qid,docno,grade\n" + "".join(votes), "utf-8")


def _write_answers(folder: Path, judged: Sequence[Sequence[str]], rankings: Rankings) -> None:
    """Write answers of three runs, made of the titles of their first documents, and labelled nuggets."""
    corpus = map(json.loads, (COLLECTION / "corpus.jsonl").read_text("utf-8").splitlines())
    title = {one["docno"]: one["title"] for one in corpus}
    first = dict[tuple[str, str], list[str]]()
    (folder / "answers").mkdir()
    for run, name in (("rag1", "bm25"), ("rag2", "lsa"), ("rag3", "rm3")):
        first |= {(run, qid): docnos for qid, docnos in rankings[name].items()}
        answers = [
            {
                "metadata": {"team_id": name, "run_id": run, "narrative_id": qid},
                "references": docnos[:3],
                "answer": [{"text": f"{title[docno]}.", "citations": [n]} for n, docno in enumerate(docnos[:3])],
            }
            for qid, docnos in rankings[name].items()
        ]
        (folder / "answers" / f"{run}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in answers), "utf-8")
    nuggets = []
    for qid, _, docno, grade in judged:
        if grade != "0":
            has = {run: docno in docnos[:3] for (run, topic), docnos in first.items() if topic == qid}
            labels = [{"run": run, "label": "support" if said else "not_support"} for run, said in has.items()]
            about = {"text": title[docno], "importance": "vital" if grade == "2" else "okay"}
            from_runs = [run for run, said in has.items() if said]
            nuggets.append({"qid": qid, **about, "contributors": from_runs, "labels": labels})
    (folder / "nuggets.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in nuggets), "utf-8")


TEAMS = {
    "bm25": "bm25 bm25-titles bm25-weighted bm25-words bm25l bm25plus fts5",
    "likelihood": "ql-dirichlet ql-jelinek-mercer rm3",
    "vectors": "chargrams lsa rocchio tfidf",
}  # as the demo's store groups its runs


def _write_runs(folder: Path, rankings: Rankings) -> None:
    """Write the runs' teams, and runs outside the pool: a new one, and a release's run with a candidate."""
    rows = [f"{run}\tbaseline {team}\n" for team, runs in TEAMS.items() for run in runs.split()]
    (folder / "teams.tsv").write_text("run\tteam\n" + "".join(rows), "utf-8")
    for name, kept in (("new", 6), ("late", 1)):
        ranking = {}
        for qid, docnos in rankings["lsa"].items():
            deeper = [
                docno
                for pair in zip(docnos[kept + 4 :], rankings["chargrams"][qid][10:40], strict=False)
                for docno in pair
            ]
            ranking[qid] = list(dict.fromkeys([*docnos[:kept], *deeper]))
        _write_run(folder / f"{name}.run", name, ranking)
    for name, run in (("baseline", "lsa"), ("candidate", "rocchio")):
        _write_run(folder / f"{name}.run", name, rankings[run])


def _write_second_year(folder: Path, judged: Sequence[Sequence[str]], rankings: Rankings) -> None:
    """Write topic sets, query variations, a renamed document, and the runs and cumulative judgments of a new round."""
    (folder / "dev.txt").write_text("W01\nW02\nW03\nW04\nW05\n", "utf-8")
    (folder / "variations.tsv").write_text("W01\ta\tflat tyre\t3\nW02\ta\tpump\t1\nW02\tb\tpump valve\t2\n", "utf-8")
    (folder / "more.tsv").write_text("W26\tbell rattles on cobbles\n", "utf-8")
    loose = '{"_id": "bw-301", "text": "A bell rattles if its spring is loose."}\n'
    (folder / "corpus2.jsonl").write_text(loose, "utf-8")
    (folder / "topics2.jsonl").write_text('{"_id": "W26", "text": "bell rattles on cobbles"}\n', "utf-8")
    (folder / "topics2.txt").write_text("W01\nW02\nW26\n", "utf-8")
    old, new = "bw-007", "bw-300"
    (folder / "renamed.tsv").write_text(f"{old}\t{new}\n", "utf-8")
    (folder / "second").mkdir()
    known = {(qid, docno) for qid, _, docno, _ in judged}
    added = dict[tuple[str, str], int]()
    for tag in ("bm25", "lsa"):
        ranking = {qid: [new if docno == old else docno for docno in docnos] for qid, docnos in rankings[tag].items()}
        _write_run(folder / "second" / f"{tag}.run", tag, ranking)
        for qid, docnos in rankings[tag].items():
            unjudged = [docno for docno in docnos if (qid, docno) not in known and docno != old]
            for docno in unjudged[:5]:
                added[qid, docno] = int(sha256(f"{qid} {docno}".encode()).hexdigest(), 16) % 3
    lines = [f"{qid} 0 {docno} {grade}\n" for qid, _, docno, grade in judged if docno != old]
    lines += [f"{qid} 0 {docno} {grade}\n" for (qid, docno), grade in sorted(added.items())]
    (folder / "second" / "qrels.txt").write_text("".join(lines), "utf-8")


ARMS = ("bm25", "bm25plus")
SHOWN = 5  # documents of a list
FEBRUARY, DAY = 1_769_904_000.0, 86_400.0  # 1 February 2026, in seconds
CLICKED_IF_READ = {0: 0.1, 1: 0.4, 2: 0.7}  # by grade


def write_click_logs(folder: Path, judged: Sequence[Sequence[str]], rankings: Rankings) -> None:
    """Write simulated click logs of an A/B test, of the month before it, and of interleaved lists of the same runs."""
    users = SimulatedUsers(judged, {arm: rankings[arm] for arm in ARMS})
    _write_log(folder / "clicks.jsonl", users.ab_lists("clicks", FEBRUARY, 400))
    before = users.ab_lists("january", FEBRUARY - 31 * DAY, 300)
    _write_log(folder / "january.jsonl", ({**one, "arm": None} for one in before))
    _write_log(folder / "mixed.jsonl", users.interleaved_lists(400))
    queries = {"squeaky brakes": 8, "gears slip uphill": 6, "bell": 2}  # and how many users type each
    _write_log(folder / "queries.jsonl", (
        {"id": f"query-{query}-{user}", "at": FEBRUARY + 60 * user, "user": f"u{user}", "query": query, "docs": []}
        for query, number in queries.items() for user in range(number)
    ))  # fmt: skip
    rows = [
        f"{qid},{doc},{position + 1},{lists.count(doc) / 2}\n"
        for qid in users.qids
        for position in range(SHOWN)
        if all(len(users.rankings[arm].get(qid, [])) > position for arm in ARMS)
        for lists in [[users.rankings[arm][qid][position] for arm in ARMS]]
        for doc in dict.fromkeys(lists)
    ]
    (folder / "policy.csv").write_text("qid,docno,position,probability\n" + "".join(rows), "utf-8")


def _write_log(path: Path, lists: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lists), "utf-8")


class SimulatedUsers:
    """Users who read lists from the top and click on relevant documents, by the demo's qrels and two of its runs."""

    def __init__(self, judged: Sequence[Sequence[str]], rankings: Rankings) -> None:
        self.grades = {(qid, doc): int(grade) for qid, _, doc, grade in judged}
        self.rankings = rankings
        self.qids, self.draw = sorted(rankings[ARMS[0]]), Random(1)

    def ab_lists(self, name: str, start: float, users: int) -> Iterator[dict[str, Any]]:
        """The lists of users who see one of two arms for 28 days, with the propensities of such a draw.

        They have no sessions, because the store's random salt decides which sessions `clicks fit --test` holds out.
        """
        for user in range(users):
            for number in range(1 + self.draw.randrange(6)):
                qid, at = self.draw.choice(self.qids), round(start + self.draw.random() * 28 * DAY, 3)
                lists = [self.rankings[arm].get(qid, [])[:SHOWN] for arm in ARMS]
                docs = lists[user % 2]
                same = [sum(one[:rank] == docs[:rank] for one in lists) for rank in range(len(docs) + 1)]
                yield {
                    "id": f"{name}-{user}-{number}", "at": at, "user": f"u{user}",
                    "qid": qid, "arm": ARMS[user % 2], "device": ("desk", "phone")[user % 3 == 0], "docs": docs,
                    "propensity": [after / before for before, after in pairwise(same)],
                    "actions": self.actions(docs, qid, at),
                }  # fmt: skip

    def interleaved_lists(self, number: int) -> Iterator[dict[str, Any]]:
        """Lists of both runs by team draft, for 80 users."""
        from cranfield.online import interleave

        for impression in range(number):
            qid, at = self.draw.choice(self.qids), FEBRUARY + impression * 600
            orders = [self.rankings[arm].get(qid, []) for arm in ARMS]
            shown = interleave(orders, method="team-draft", rng=impression, depth=SHOWN)
            docs = [str(doc) for doc in shown.docs]
            yield {
                "id": f"mixed-{impression}", "at": at, "user": f"u{impression % 80}", "qid": qid, "experiment": "mixed",
                "docs": docs, "teams": shown.teams, "actions": self.actions(docs, qid, at),
            }  # fmt: skip

    def actions(self, docs: Sequence[str], qid: str, at: float) -> list[dict[str, Any]]:
        """Clicks on documents that are read (less likely at lower ranks) and attract; a loan follows some of them."""
        actions = []
        for rank, doc in enumerate(docs, 1):
            grade = self.grades.get((qid, doc), 0)
            if self.draw.random() < rank**-0.7 * CLICKED_IF_READ[grade]:
                seconds = 10 + 20 * grade
                actions.append({"kind": "click", "doc": doc, "at": round(at + 5 * rank, 3), "seconds": seconds})
                if self.draw.random() < 0.05 * grade:
                    paid = {"at": round(at + 5 * rank + seconds, 3), "value": round(10 + 20 * self.draw.random(), 2)}
                    actions.append({"kind": "convert", "doc": doc, **paid})
        return actions


if __name__ == "__main__":
    main(Path(sys.argv[1]))
