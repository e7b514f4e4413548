"""`python -m benchmarks.mutation`: the share of mutants that the tests kill.

It draws changes of the code with a seed, copies the checkout, and puts a switch for each change into the copy. The
tests run once to find which tests reach each change. Then each mutant runs the tests that reach it until one fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.mutation.draw import Mutant, draw_mutants, find_again, write_switches

ROOT = Path(__file__).resolve().parents[2]
RINGS = {"quick": [], "full": ["--full", "-m", "full"], "daily": ["--daily", "-m", "daily"]}


def parse_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the options of the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("tests", nargs="*", help="files or folders of tests [default: all]")
    parser.add_argument("--seed", type=int, default=11, help="of the draw [default: 11]")
    parser.add_argument("--mutants", type=int, default=60, help="number of mutants [default: 60]")
    parser.add_argument("--rings", nargs="+", default=["quick"], choices=RINGS, help="rings of tests [default: quick]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    parser.add_argument("--least", type=float, default=0.0, help="smallest share that does not fail [default: 0]")
    parser.add_argument("--out", type=Path, help="JSON file for the results")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="checkout to test [default: this one]")
    parser.add_argument("--mutants-of", type=Path, metavar="FILE", help="JSON file with the mutants to find again")
    return parser.parse_args(arguments)


def copy_checkout(checkout: Path, folder: Path) -> Path:
    """Copy a checkout without its history; the tests find real collections beside the copy as well."""
    copy = folder / "checkout"
    shutil.copytree(checkout, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "build", ".*_cache"))
    if (shared := checkout.parent / "shared").exists():
        (folder / "shared").symlink_to(shared.resolve())
    shutil.copytree(ROOT / "benchmarks" / "mutation", copy / "benchmarks" / "mutation", dirs_exist_ok=True)
    shutil.copy(ROOT / "benchmarks" / "mutation" / "switch.py", copy / "mutant_switch.py")
    return copy


def run_tests(copy: Path, folder: Path, options: Sequence[str], **variables: str) -> None:
    """Run pytest in the copy; failures of tests do not matter here."""
    path = os.pathsep.join(filter(None, [str(copy), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "CRANFIELD_MUTANTS": str(folder), **variables}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.mutation.plugin", *options]
    with (folder / "pytest.log").open("ab") as log:
        subprocess.run(command, cwd=copy, env=environment, stdout=log, stderr=log, check=False)


def run_ring(copy: Path, folder: Path, options: Sequence[str], indices: Sequence[int], jobs: int) -> list[Any]:
    """Run mutants against the tests of a ring. Returns mutant, failing test, number of tests and seconds of each."""
    for path in [*folder.glob("tests-*.jsonl"), folder / "results.json"]:
        path.unlink(missing_ok=True)
    run_tests(copy, folder, [*options, "-n", str(jobs)], CRANFIELD_RECORD="1")
    numbers = json.dumps(list(indices))
    run_tests(copy, folder, [*options, "-n", "0"], CRANFIELD_INDICES=numbers, CRANFIELD_JOBS=str(jobs))
    if not (folder / "results.json").exists():
        sys.exit((folder / "pytest.log").read_text()[-3000:])
    return list(json.loads((folder / "results.json").read_text()))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print each mutant with the test that kills it, and the shares by ring."""
    args = parse_options(arguments)
    mutants: list[Mutant | None]
    if args.mutants_of:
        drawn = [Mutant(**row["mutant"]) for row in json.loads(args.mutants_of.read_text()) if row["mutant"]]
        mutants = find_again(args.checkout, drawn)
    else:
        mutants = [*draw_mutants(args.checkout, args.mutants, args.seed)]
    rows = [{"mutant": mutant and mutant.to_json(), "ring": "", "test": ""} for mutant in mutants]
    alive = [index for index, mutant in enumerate(mutants) if mutant]
    total = len(alive)
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        copy = copy_checkout(args.checkout, folder)
        write_switches(copy, mutants)
        for ring in args.rings:
            for index, test, count, seconds in run_ring(copy, folder, [*RINGS[ring], *args.tests], alive, args.jobs):
                rows[index].update({f"tests_{ring}": count, f"seconds_{ring}": seconds})
                if test:
                    rows[index].update(ring=ring, test=test)
            alive = [index for index in alive if not rows[index]["test"]]
            killed = total - len(alive)
            print(f"{ring}: {killed} of {total} mutants killed so far ({killed / max(total, 1):.0%})", flush=True)
        if args.out:
            args.out.write_text(json.dumps(rows, indent=1) + "\n")
            shutil.copy(folder / "pytest.log", args.out.with_suffix(".log"))
    for index, (mutant, row) in enumerate(zip(mutants, rows, strict=True)):
        if mutant:
            print(f"{index} {mutant.path}:{mutant.line} {mutant.before} -> {mutant.after}: {row['test'] or 'survives'}")
    if total - len(alive) < args.least * total:
        sys.exit(f"{total - len(alive)} of {total} mutants were killed; expected {args.least:.0%}")


if __name__ == "__main__":
    main()
