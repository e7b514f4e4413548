"""trec-eval against a second trec_eval, written plainly from the description: on real runs and on made-up ones."""

import gzip
import lzma
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import usually
from tests.metrics.trec_eval.cases import Files, run_trec_eval
from tests.metrics.trec_eval.oracle import Flags, all_trec, read_qrels


def lines(path: Path) -> list[str]:
    """The lines of a file, compressed or not."""
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
    return unpack(path.read_bytes()).decode().splitlines()


def differing(qrels: Path, runs: list[Path]) -> list[str]:
    """The first lines in which the two differ, run by run."""
    judgments = read_qrels(lines(qrels))
    different = []
    for run in runs:
        expected = all_trec(judgments, lines(run), Flags(complete=True))
        got = run_trec_eval("-q", "-c", "-m", "all_trec", qrels, run).splitlines()
        pairs = zip(got, expected, strict=True)
        different += [f"{run.name}: {a} where {b}" for a, b in pairs if a != b][:3]
    return different


def test_robust_2003(shared: Path) -> None:
    """The first of 17 runs, or all, to the printed digit."""
    runs = sorted((shared / "robust03" / "runs").iterdir())
    assert len(runs) == 17
    assert differing(shared / "robust03" / "qrels.robust03.txt.gz", runs[:: usually(17, 1)]) == []


def test_trec_covid(shared: Path) -> None:
    """Every 29th of 143 runs, or all, to the printed digit."""
    runs = sorted((shared / "treccovid-r1" / "runs").iterdir())
    assert len(runs) == 143
    assert differing(shared / "treccovid-r1" / "qrels-rnd1.txt.gz", runs[:: usually(29, 1)]) == []


docnos = st.sampled_from(["d1", "d10", "d9", "D9", "d-1", "é", "zz", "0"])
qids = st.sampled_from(["1", "02", "2", "10", "a"])
grades = st.dictionaries(docnos, st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3, 10]), min_size=1)
scores = st.dictionaries(docnos, st.sampled_from([2.0, 1.0, 1.00000001, 0.5, -1.0]), min_size=1)
flags = st.builds(
    Flags,
    complete=st.booleans(),
    level=st.integers(0, 4),
    most=st.sampled_from([None, 1, 3]),
    judged_only=st.booleans(),
)


@settings(max_examples=usually(12, 50), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(qrels=st.dictionaries(qids, grades, min_size=1), run=st.dictionaries(qids, scores, min_size=1), options=flags)
def test_small_worlds(
    tmp_path: Path, qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], options: Flags
) -> None:
    """With ties, odd names, negative grades, missing topics, topics without anything relevant, and every option."""
    if not (options.complete or set(qrels) & set(run)):
        return
    judged = [f"{qid} 0 {docno} {grade}" for qid, of in qrels.items() for docno, grade in of.items()]
    ranked = [f"{qid} Q0 {docno} 1 {score!r} x" for qid, of in run.items() for docno, score in of.items()]
    files = Files(tmp_path).write("\n".join(judged), "\n".join(ranked))
    given_flags = ["-l", options.level, *(["-M", options.most] if options.most else [])]
    given_flags += [flag for flag, on in {"-c": options.complete, "-J": options.judged_only}.items() if on]
    expected = all_trec(qrels, ranked, options)
    assert files.text("-q", "-m", "all_trec", *given_flags).splitlines() == expected
