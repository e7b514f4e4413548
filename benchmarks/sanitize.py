"""`python -m benchmarks.sanitize [SEEDS]`: the scanner of run files, compiled with sanitizers, reads odd files.

It is compiled with gcc into a copy of the checkout, with the sanitizers of addresses and of undefined behaviour, which
end a process at the first error. There its tests run, and the fuzzer of the reader that compares it with the others.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = Path("cranfield/formats/runs/scanner.c")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-O1", "-g")
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Wno-unused-parameter", "-pedantic", "-Werror")


def environment() -> dict[str, str]:
    """The sanitizer comes before Python, whose own memory it does not watch for leaks, but for writing outside."""
    question = ["gcc", "-print-file-name=libasan.so"]
    library = subprocess.run(question, capture_output=True, text=True, check=True).stdout.strip()
    variables = {"LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    return {**os.environ, **variables}


def fuzz(seeds: int) -> None:
    """Read the inputs of so many seeds, and say what came of them."""
    from tests.hardening import readers
    from tests.hardening.fuzz import outcome

    reader, outcomes = readers.table()["run judged"], Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            what = outcome(reader, seed, Path(folder)).what
            outcomes[what] += 1
            if what not in ("read", "refused"):
                sys.exit(f"seed {seed}: {what}")
    print(dict(outcomes))


def main(seeds: str = "20000") -> None:
    """Compile a copy, test it and fuzz it."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        shutil.copytree(
            ROOT, checkout, symlinks=True, ignore=shutil.ignore_patterns(".git", ".*_cache", "*.so", "build")
        )
        source, headers = checkout / SOURCE, sysconfig.get_paths()["include"]
        target = str(source.with_suffix(".abi3.so"))
        command = ["gcc", *SANITIZERS, *WARNINGS, "-shared", "-fPIC", f"-I{headers}", str(source), "-o", target]
        subprocess.run(command, check=True)
        tests = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-rs", "tests/formats/test_scanner.py"]
        fuzzing = [sys.executable, "-c", f"from benchmarks.sanitize import fuzz; fuzz({int(seeds)})"]
        for command in (tests, fuzzing):
            subprocess.run(command, cwd=checkout, env=environment(), check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
