"""trec-eval against a second trec_eval, written plainly from the description: on real runs and on made-up ones."""

import gzip
import json
import lzma
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.errors import CranfieldError, InputError
from cranfield.formats import read_preferences
from cranfield.metrics import parse
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.preferences import MEASURES, groups_of
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
        reference = all_trec(judgments, lines(run), Flags(complete=True))
        ours = run_trec_eval("-q", "-c", "-m", "all_trec", qrels, run).splitlines()
        pairs = zip(ours, reference, strict=True)
        different += [f"{run.name}: {a} where {b}" for a, b in pairs if a != b][:3]
    return different


@pytest.mark.parametrize(
    ("folder", "qrels", "count", "step"),
    [("robust03", "qrels.robust03.txt.gz", 17, 17), ("treccovid-r1", "qrels-rnd1.txt.gz", 143, 29)],
)
def test_real_runs(shared: Path, folder: str, qrels: str, count: int, step: int) -> None:
    """Some of the runs, or all, to the printed digit."""
    runs = sorted((shared / folder / "runs").iterdir())
    assert len(runs) == count
    assert differing(shared / folder / qrels, runs[:: usually(step, 1)]) == []


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
    reference = all_trec(qrels, ranked, options)
    assert files.text("-q", "-m", "all_trec", *given_flags).splitlines() == reference


EXPECTED = {
    "test": ["expected.txt", "expected_c.txt", "expected_default.txt", "expected_all.txt", "expected_params.txt"],
    "trunc": ["expected_c.txt", "expected_c_M100.txt"],
    "302": ["expected.txt", "expected_c.txt"],
    "rel_level": ["expected.txt", "expected_c.txt", "expected_l2.txt"],
    "comment": ["expected.txt", "expected_c.txt", "expected_default.txt"],
    "qrels_comments": ["expected.txt", "expected_c.txt"],
    "prefs": ["expected_prefs.txt"],
    "qrels_prefs": ["expected_qrels_prefs.txt"],
}
OTHER_FORMATS = {"qrels_jg"}
ABORTED = ("trunc", "expected.txt")
CHANGED = re.compile(r"^(iprec_at_recall|11pt_avg|rbp|unj_).*\n", re.MULTILINE)  # other in version 9, or not in it


def output_of(folder: Path, reference: str) -> str:
    """What trec-eval prints with the arguments that were recorded."""
    record = json.loads((folder / "meta.json").read_text())["outputs"][reference]
    return run_trec_eval(*shlex.split(record["args"]), folder / "qrels", folder / "run")


@pytest.mark.parametrize(
    ("folder", "reference"), [(folder, name) for folder, names in EXPECTED.items() for name in names]
)
def test_the_output_is_trec_evals(shared: Path, folder: str, reference: str) -> None:
    """All of it, rbp included: what version 10.0 happened to print for rbp here is what the paper says."""
    path = shared / "trec_eval" / folder
    assert output_of(path, reference) == (path / reference).read_text()


def test_where_trec_eval_stopped_the_program_goes_on(shared: Path) -> None:
    """At the first topic missing from the run; what was printed until then is the same, and the topic is left out."""
    path = shared / "trec_eval" / ABORTED[0]
    before = (path / ABORTED[1]).read_text()
    text = output_of(path, ABORTED[1])
    assert before
    assert text.startswith(before)
    assert {line.split("\t")[1] for line in text.splitlines()} == {"301", "303", "all"}
    assert "num_q                 \tall\t2\n" in text


def test_no_expected_output_is_forgotten(shared: Path) -> None:
    """Every recorded output of every folder is compared, but for what is left out above."""
    outputs = {
        (path.parent.name, name)
        for path in (shared / "trec_eval").glob("*/meta.json")
        for name in json.loads(path.read_text())["outputs"]
        if path.parent.name not in OTHER_FORMATS
    }
    assert outputs == {(folder, name) for folder, names in EXPECTED.items() for name in names} | {ABORTED}


@pytest.mark.parametrize(
    "run", usually(["SABIR03BASE"], ["SABIR03BASE", "aplrob03a", "pircRBa1", "uwmtCR0", "UIUC03Rd1"])
)
def test_the_output_is_that_of_the_trec_eval_which_is_installed(shared: Path, tmp_path: Path, run: str) -> None:
    """Byte for byte, on a run of the Robust track; of version 9 all that version 10 left as it was."""
    binary = shutil.which("trec_eval")
    if binary is None:
        pytest.skip("needs trec_eval on PATH")
    for name, source in (("qrels", "qrels.robust03.txt.gz"), ("run", f"runs/input.{run}.gz")):
        (tmp_path / name).write_bytes(gzip.decompress((shared / "robust03" / source).read_bytes()))
    arguments = ["-q", "-m", "all_trec", str(tmp_path / "qrels"), str(tmp_path / "run")]
    theirs = subprocess.run([binary, *arguments], capture_output=True, text=True, check=True).stdout
    assert len(theirs) > 100_000
    assert CHANGED.sub("", run_trec_eval(*arguments)) == CHANGED.sub("", theirs)


pytrec_eval = pytest.importorskip("pytrec_eval")

SHARED = [
    "map", "map_cut", "Rprec", "Rprec_mult", "bpref", "recip_rank", "P", "recall", "relative_P", "success", "infAP",
    "G", "binG", "ndcg", "ndcg_cut", "ndcg_rel", "Rndcg", "set_P", "set_recall", "set_relative_P", "set_map", "set_F",
    "utility", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret",
]  # fmt: skip


def world(seed: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """A run with ties, and grades from 0 to 4, negative ones among them; every topic has a grade from 0."""
    rng = np.random.default_rng(seed)
    docnos = [f"d{number}" for number in range(60)]
    run, qrels = {}, {}
    for qid in map(str, range(8)):
        ranked, judged = rng.permutation(docnos)[: rng.integers(1, 60)], rng.permutation(docnos)[: rng.integers(2, 50)]
        run[qid] = {str(docno): float(rng.integers(0, 20)) for docno in ranked}
        qrels[qid] = {str(docno): int(rng.integers(-1, 5)) for docno in judged} | {"extra": 0}
    return run, qrels


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_shared_measures_agree(level: int) -> None:
    """Rndcg alone has another rule here: pytrec_eval's is 0 where nothing is relevant at the level."""
    run, qrels = world(level)
    peer = pytrec_eval.RelevanceEvaluator(qrels, SHARED, relevance_level=level).evaluate(run)
    names = list(peer["0"])
    assert len(names) > 60
    measures = dict(zip(names, (parse_measures([name], rel=level)[0] for name in names), strict=True))
    table = evaluate(qrels, run, list(measures.values()), per_topic=True).set_index(["measure", "query_id"])["value"]
    for qid, values in peer.items():
        relevant = any(grade >= level for grade in qrels[qid].values())
        for name, value in values.items():
            if relevant or parse(name).name != "RnDCG":
                assert table[str(measures[name]), qid] == pytest.approx(value, abs=1e-12), (name, qid)


PREFS = "q ada 1 a 2\nq ada 1 b 1\nq ada 2 b 2\nq ada 2 c 1\n"
RUN = "q Q0 b 0 3 tag\nq Q0 x 0 2 tag\nq Q0 a 0 1 tag\n"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A run of b and a, and preferences of a over b, and of b over c."""
    return Files(tmp_path).write(PREFS, RUN)


def test_what_follows_from_two_subgroups_counts(files: Files) -> None:
    """A over b and b over c: so a over c. The run has b first, and c not at all."""
    scores = files.values("-R", "prefs", "-m", "all_prefs")
    assert (scores["prefs_num_prefs_poss", "all"], scores["prefs_num_prefs_ful", "all"]) == ("3", "2")
    assert (scores["prefs_simp_ret", "all"], scores["prefs_simp", "all"]) == ("0.0000", "0.6667")


def test_a_topic_without_a_ranking_counts_with_c_only(files: Files) -> None:
    """As an empty ranking."""
    files.write(PREFS + "z ada 1 a 2\nz ada 1 b 1\n", RUN)
    for options, topics, mean in (((), "1", "0.6667"), (("-c",), "2", "0.3333")):
        scores = files.values("-R", "prefs", *options)
        assert (scores["num_q", "all"], scores["prefs_simp", "all"]) == (topics, mean)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("q ada 1 a\n", "1: 4 columns; expected 5: qid group subgroup docno level"),
        ("q ada 1 a high\n", "1: level 'high'; expected a number"),
        ("q ada 1 a 1\nq ada 1 a 2\n", "2: duplicate document 'a' of topic q in a group, first on line 1"),
        (
            "q ada 1 a 1\nq ada 1 b 2\nq ada 2 b 1\nq ada 2 a 2\n",
            "topic q, group 'ada': the preferences for document 'b' form a cycle",
        ),
        (
            "q ada 1 a 1\nq ada 1 b 2\nq ada 2 b 0\nq ada 2 a 1\n",
            "line 3: document 'b' of topic q is on level 0 in group 'ada', but not in all groups",
        ),
    ],
)
def test_bad_preferences_are_refused(files: Files, lines: str, message: str) -> None:
    """With the line."""
    files.write(lines, RUN)
    with pytest.raises(InputError) as error:
        files.text("-R", "prefs")
    assert message in str(error.value)


def test_measures_of_qrels_and_preferences_do_not_mix(files: Files) -> None:
    """Each is refused with the other's judgments."""
    with pytest.raises(CranfieldError, match="'map' is not a preference measure"):
        files.text("-R", "prefs", "-m", "map")
    with pytest.raises(CranfieldError, match="'prefs_simp' is not a measure of trec_eval"):
        files.text("-m", "prefs_simp")


def test_qrels_as_preferences_are_compared_pair_by_pair(tmp_path: Path) -> None:
    """Counted with loops, as the definition says, over random levels and rankings."""
    path, rng = tmp_path / "prefs", np.random.default_rng(5)
    docnos = [f"d{number}" for number in range(9)]
    path.write_text("".join(f"q {group} {docno} {rng.integers(3)}\n" for group in "ab" for docno in docnos))
    lines, ranking = read_preferences(path, "qrels_prefs"), rng.permutation(docnos)[:5].tolist()
    rank = {docno: place for place, docno in enumerate(ranking)}
    pairs = [(a.docno, b.docno) for a in lines for b in lines if a.group == b.group and a.level > b.level]
    hits = [pair for pair in pairs if rank.get(pair[0], 99) < rank.get(pair[1], 99)]
    groups = groups_of(lines, ranking)
    assert MEASURES["prefs_num_prefs_poss"].value(groups) == len(pairs)
    assert MEASURES["prefs_simp"].value(groups) == len(hits) / len(pairs)
    shares = {frozenset(pair): hits.count(pair) / (pairs.count(pair) + pairs.count(pair[::-1])) for pair in hits}
    distinct = {frozenset(pair) for pair in pairs}
    assert MEASURES["prefs_pair"].value(groups) == pytest.approx(sum(shares.values()) / len(distinct))
