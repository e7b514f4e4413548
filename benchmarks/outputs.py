"""`python -m benchmarks.outputs FOLDER`: what commands print and write, to compare two checkouts byte for byte.

    python -m benchmarks.outputs /tmp/before --checkout ../before
    python -m benchmarks.outputs /tmp/after
    diff -r /tmp/before /tmp/after

The commands are those below, on the bundled collection and, where ../shared/data is there, on Robust 2003 and the
first round of TREC-COVID. Each has a file with its exit status and what it prints; what it writes is beside them. What
differs each time is masked: times, hashes of what happened at a time, and where the folder is.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
CHANGING = re.compile(
    rb"(?<![\d-])\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?)?"
    rb"|(?<![.\w])(?=\d*[a-f])[0-9a-f]{12,64}\b|\b\d+ [A-Z][a-z]+ 2\d{3}\b"
)
HELP = """
from typer.testing import CliRunner
from cranfield.cli.program import app
from cranfield.cli.tree import all_commands
for one in all_commands():
    print("$", *one.words)
    print(CliRunner().invoke(app, [*one.words, "--help"]).output)
"""
BUNDLED = """
demo demo.db
info demo.db
info demo.db --format json
export qrels demo.db q.txt
export qrels demo.db - --format csv
export runs demo.db runs --metadata
export pool demo.db pool.tsv
export topics demo.db topics.tsv
export corpus demo.db corpus.jsonl
export beir demo.db beir
export judgments demo.db judgments.jsonl
export datasette-metadata demo.db metadata.json
evaluate demo.db
evaluate demo.db --per-topic -m AP --format csv
evaluate demo.db -m nDCG@10 -m "RBP(p=0.8)" -m Bpref --format json
evaluate demo.db --answers
evaluate demo.db --plot scores.svg
evaluate q.txt runs/bm25.run
evaluate q.txt runs/bm25.run --round 1
evaluate q.txt
evaluate q.txt absent.txt
evaluate q.txt corpus.jsonl
evaluate q.txt runs/bm25.run -m nonsense
evaluate
compare demo.db
compare demo.db --baseline bm25 --test permutation --format markdown
compare demo.db --plot compared.svg
correlate demo.db -m AP -m P@10
curve demo.db --format csv
curve demo.db --plot curve.svg
reusability demo.db --by run
reusability demo.db --by team --format json
reusability demo.db --plot reusability.svg
depths demo.db
depths demo.db --plot depths.svg
stability demo.db
diagnose demo.db runs/bm25.run
report demo.db report.html
report demo.db report.md
report demo.db report.json
progress demo.db
progress demo.db --format json
agreement demo.db
agreement demo.db --format json
diff demo.db first second
adjudicate demo.db --list
why demo.db W01 bw-001
rehearse demo.db --simulate strict
assign demo.db
pool show demo.db
pool show demo.db --by team
pool verify demo.db
pool forecast demo.db
pool estimate demo.db
pool simulate demo.db --budgets 50,100
pool methods
pool methods maxmean
pool build demo.db --method maxmean --batch 10
pool diff demo.db 1 2
search demo.db --system bm25
fuse demo.db -o fused.txt --method combmnz
topics list demo.db
topics split demo.db fold --folds 5 --seed 1
topics list demo.db
topics hardness demo.db
topics next demo.db --run bm25 --run lsa
lag demo.db
round list demo.db
online show demo.db
online interleave lists demo.db bm25 lsa -o lists.jsonl --seed 1
online interleave methods
online clicks models
answers nuggets show demo.db
model prompts
model prompts umbrela
task describe demo.db
task submissions demo.db
passages build demo.db passages.db --by sentences --window 6 --stride 3
publish describe demo.db
publish build demo.db published --as all --version 1.0.0 --date 2026-03-31
publish check published
store withdraw demo.db run bm25 --reason "wrong index"
evaluate demo.db --format tsv
store restore demo.db run bm25
store history demo.db
store release demo.db 1.0 --note "the first labels"
store releases demo.db
evaluate demo.db --release 1.0 --format latex
store verify demo.db
store remove demo.db run bm25-titles
store backup demo.db copy.db
assessor list demo.db
collection list
collection show workshop
collection show cranfield1400
measures
measures nDCG
measures CTR
trec-eval q.txt runs/bm25.run
trec-eval -q -c -m all_trec q.txt runs/bm25.run
dial demo.db
eval q.txt
pool
store absent
"""
REAL = """
evaluate {qrels} {runs}
evaluate {qrels} {runs} -m AP -m nDCG@10 -m infAP --per-topic --format csv
evaluate {qrels} {runs} --format json --retrieved-topics-only
compare {qrels} {few} -m AP
correlate {qrels} {runs} -m AP -m P@10
curve {qrels} {few} --rule exact --format tsv
stability {qrels} {few} -m AP
diagnose {qrels} {few} --depth 10
reusability {qrels} {runs} --by run --depth 10 {teams}
reusability {qrels} {few} --by run --depth 7 --format json -m P@10
depths {qrels} {few} --format csv
pool verify {qrels} {runs} {teams}
pool simulate {qrels} {few} --method rrf --method maxmean --budgets 50,100 -o simulated.txt
pool forecast {qrels} {few} --depth 10
rehearse {qrels} {few} --simulate strict --overlap 0.2
fuse {qrels} {few} -o fused.txt
trec-eval -m all_trec {qrels} {one}
trec-eval -q -n -m official {qrels} {one}
report {qrels} {few} report.html
init track.db --name Real --scale 0=no,1=partly,2=fully
import topics track.db {topics}
import runs track.db {few}
import qrels track.db {qrels}
info track.db
evaluate track.db
reusability track.db --depth 10
pool build track.db --depth 5
pool show track.db
topics hardness track.db
export qrels track.db qrels.txt
store verify track.db
"""


def folder(name: str, qrels: str, topics: str, teams: str = "") -> dict[str, str]:
    """What the names in braces stand for: files of a folder of ../shared/data."""
    home = DATA / name
    runs = [str(path) for path in sorted((home / "runs").iterdir())]
    files = {"runs": " ".join(runs), "few": " ".join(runs[::-8] if len(runs) > 50 else runs[:9]), "one": runs[0]}
    option = f"--teams {home / teams}" if teams else ""
    return {"qrels": str(home / qrels), "topics": str(home / topics), "teams": option, **files}


def run(words: list[str], place: Path, checkout: Path) -> bytes:
    """The exit status of Python with these words in a folder, and what it prints."""
    variables = {"PYTHONPATH": str(checkout), "COLUMNS": "100", "NO_COLOR": "1", "TZ": "UTC", "PYTHONHASHSEED": "0"}
    process = subprocess.run(
        [sys.executable, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False,
        cwd=place, env=os.environ | variables,
    )  # fmt: skip
    return b"exit %d\n%s\n--- stderr\n%s" % (process.returncode, process.stdout, process.stderr)


def outputs(lines: str, place: Path, checkout: Path) -> None:
    """Run commands in a folder, and keep what they print and write there; stores are not kept."""
    place.mkdir(parents=True)
    for number, line in enumerate(lines.strip().splitlines(), 1):
        output = run(["-m", "cranfield", *shlex.split(line)], place, checkout)
        place.joinpath(f"{number:03}.out").write_bytes(line.encode() + b"\n" + output)
    for path in sorted(one for one in place.rglob("*") if one.is_file()):
        if path.suffix in (".db", ".gz", ".zip", ".parquet") or ".db-" in path.name:
            path.unlink()
        else:
            path.write_bytes(CHANGING.sub(b"...", path.read_bytes().replace(bytes(place), b"...")))


def main() -> None:
    """Run all commands in a checkout, in folders of a folder, which is made anew."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.outputs", description=__doc__)
    parser.add_argument("folder", type=Path, help="what is printed and written is kept here")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the program; this one by default")
    args = parser.parse_args()
    shutil.rmtree(args.folder, ignore_errors=True)
    checkout = args.checkout.resolve()
    outputs(BUNDLED, args.folder / "bundled", checkout)
    args.folder.joinpath("help").write_bytes(run(["-c", HELP], args.folder, checkout))
    if DATA.is_dir():
        robust = folder("robust03", "qrels.robust03.txt.gz", "topics.robust04.txt")
        covid = folder("treccovid-r1", "qrels-rnd1.txt.gz", "topics.covid-round1.xml", "teams.tsv")
        outputs(REAL.format_map(robust), args.folder / "robust03", checkout)
        outputs(REAL.format_map(covid), args.folder / "treccovid", checkout)


if __name__ == "__main__":
    main()
