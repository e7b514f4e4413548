"""Round 1 of TREC-COVID as a shared task: all 143 runs submitted to a real server, closed, scored, beside NIST's table.

python -m benchmarks.shared_task ../shared/data/treccovid-r1
python -m benchmarks.shared_task ../shared/data/treccovid-r1 --runs 20
"""

import argparse
import csv
import gzip
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cranfield.features.tasks.client import submit_run
from cranfield.features.tasks.description import parse_task
from cranfield.features.tasks.results import cost_of
from cranfield.features.tasks.scoring import results_of
from cranfield.features.tasks.store import begin_phase, describe, invite_team
from cranfield.features.tasks.submissions import take_runs
from cranfield.formats import Document, read_qrels, read_teams, read_topics
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store

TASK = """name = "TREC-COVID round 1"
measures = ["nDCG@10", "P@5", "RBP(p=0.5,gains=\\"linear\\")", "Bpref", "AP"]
[dates]
topics = 2020-04-15T16:00:00Z
open = 2020-04-15T16:00:00Z
close = 2020-04-23T23:59:59Z
results = 2999-01-01T00:00:00Z
[pool]
depth = 7
"""
PUBLISHED = ("ndcg@10", "p@5", "RBP(p=.5)", "bpref", "MAP")


def collection(path: Path, folder: Path, runs: list[Path]) -> dict[str, str]:
    """A store with the topics, every document that a run has, and the task; the tokens of the teams."""
    docnos = {line.split()[2] for run in runs for line in gzip.decompress(run.read_bytes()).decode().splitlines()}
    with Store.create(path, "TREC-COVID", grades={0: "not", 1: "partly", 2: "relevant"}) as store:
        store.add_topics(read_topics(folder / "topics.covid-round1.xml"))
        store.add_documents(Document(docno, "", "") for docno in sorted(docnos))
        describe(store, TASK)
        begin_phase(store, "open", "the past again")
        teams = read_teams(folder / "teams.tsv")
        return {team: invite_team(store, team) for team in dict.fromkeys(info.team for info in teams.values())}


def submit_all(path: Path, folder: Path, runs: list[Path], tokens: dict[str, str]) -> None:
    """Submit every run to a server of its own, and say how long each took."""
    command, teams = (
        [sys.executable, "-m", "cranfield", "serve", str(path), "--port", "0"],
        read_teams(folder / "teams.tsv"),
    )
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        base = re.findall(r"http://[\w.:]+", server.stdout.readline() if server.stdout else "")[0]
        start = time.perf_counter()
        for run in runs:
            info, meta = teams[run.name.removesuffix(".gz")], path.with_name("meta.toml")
            meta.write_text(f"priority = {1 if info.pooled else 2}\n")  # what its team wanted to be judged
            answer = submit_run(run, meta, base, tokens[info.team])
            if answer.status != 201:
                print(run.name, answer.status, answer.content)
        print(f"{len(runs)} runs submitted, {(time.perf_counter() - start) / len(runs):.2f} s each")
        server.terminate()


def main() -> int:
    """Run it; 1 where a published value differs that is not BERT's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=None)
    args = parser.parse_args()
    runs = sorted((args.folder / "runs").iterdir())[: args.runs]
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "track.db")
        tokens = collection(path, args.folder, runs)
        submit_all(path, args.folder, runs, tokens)
        with Store.open(path) as store:
            print(cost_of(store))
            begin_phase(store, "closed")
            print(f"{len(take_runs(store))} runs taken")
            import_qrels(store, read_qrels(args.folder / "qrels-rnd1.txt.gz"), "nist")
            rows = results_of(store).overview()
    with (args.folder / "leaderboard.csv").open() as file:
        official = {row["run"]: row for row in csv.DictReader(file)}
    pairs = zip(parse_task(TASK).measures, PUBLISHED, strict=True)
    names = [*pairs]
    wrong = [row["run"] for row in rows for own, theirs in names if f"{row[own]:.4f}" != official[row["run"]][theirs]]
    print(f"{len(rows) * len(names) - len(wrong)} of {len(rows) * len(names)} published values; others: {wrong}")
    return int(set(wrong) > {"BERT"})


if __name__ == "__main__":
    sys.exit(main())
