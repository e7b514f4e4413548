"""Pools in a store: built, judged, taken further; and the commands that do it."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cranfield.cli.commands.pool import fuse
from cranfield.cli.common_options import expand_option_records
from cranfield.errors import InputError
from cranfield.formats import RunInfo, read_runs
from cranfield.judging.session.adaptive import topic_size_limits
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.candidates import candidates_by_topic
from cranfield.pooling.methods import METHODS
from cranfield.pooling.stored.growth import build as built
from cranfield.pooling.stored.growth import extend, make_pool
from cranfield.pooling.stored.request import PoolRequest, PoolResult
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.pools import stored_pool
from cranfield.store.runs import add_runs, run_info
from cranfield.store.store import Store
from cranfield.testing.pooling import example_runs, judge_batches
from tests.conftest import Cranfield
from tests.pooling.of_runs import OF_RUNS
from tests.pooling.stores import six_run_store

ADAPTIVE = [name for name, method in OF_RUNS.items() if method.adaptive]


@pytest.fixture
def store() -> Iterator[Store]:
    """Six runs of three topics, each of two runs a team, and nothing judged."""
    with six_run_store() as store:
        yield store


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same in a file, track.db, in the working directory."""
    monkeypatch.chdir(tmp_path)
    six_run_store(tmp_path / "track.db").close()
    return tmp_path / "track.db"


def build(store: Store, **settings: object) -> PoolResult:
    return built(store, PoolRequest(**settings))  # type: ignore[arg-type]


def judge_all(store: Store, result: PoolResult) -> None:
    """High numbers are relevant."""
    labelled = {row[0:2] for row in store.rows("SELECT qid, docno FROM current_judgment")}
    assert result.pool
    pairs = [(d.qid, d.docno) for d in result.pool.documents if (d.qid, d.docno) not in labelled]
    append(store, *(Event("label", q, d, "ada", grade=int(int(d[1:]) >= 30)) for q, d in pairs))


@pytest.mark.parametrize("name", ADAPTIVE)
def test_an_adaptive_pool_grows_as_it_is_judged(store: Store, name: str) -> None:
    """Built three times with judging in between, it is what the straight run proposes, and is all there is to judge."""
    for _ in range(3):
        result = build(store, method=name, depth=20, batch=4, seed=7, budget=50)
        judge_all(store, result)
    pool = stored_pool(store)
    assert (pool.number, pool.parameters["holds"]) == (3, 2)
    for topic in candidates_by_topic(as_runs(example_runs()), 20):
        batches = judge_batches(METHODS[name], topic, [4, 4, 4])
        reference = {topic.docnos[document] for batch in batches for document in batch}
        assert {d.docno for d in pool.documents if d.qid == topic.qid} == reference


def test_nothing_is_proposed_while_enough_waits(store: Store) -> None:
    """Built again without a judgment, a pool stays; with some, it is filled up to the batch."""
    result = build(store, method="maxmean", batch=4)
    assert "12 documents await judgment" in result.notes[-1]
    stays = "nothing to add: pool 1 contains 12 documents, of which 12 await judgment"
    assert build(store, method="maxmean", batch=4).line == build(store, method="maxmean").line == stays
    assert result.pool
    first = result.pool.documents[0]
    append(store, Event("cannot-judge", first.qid, first.docno, "ada", reason="empty"))
    assert build(store, method="maxmean", batch=4).line.endswith("1 are new, and the others are from pool 1")
    assert build(store, method="maxmean", batch=4, seed=1).line.startswith("pool 3: 13 documents"), "a pool of its own"


def test_another_size_makes_another_pool(store: Store) -> None:
    """A smaller budget, one of another kind, smaller batches: said, and made; a larger one takes the pool further."""
    build(store, method="mtf", batch=4, budget=8)
    for size, why in (
        ({"budget": 7, "batch": 4}, "8 per topic, not 7 per topic"),
        ({"total": 30, "batch": 4}, "7 per topic, not 30 in total"),
        ({"total": 30, "batch": 3}, "batches of 4, not of 3"),
        ({"total": 30, "depth": 50}, "runs to depth 100, not 50"),
    ):
        result = build(store, method="mtf", **size)
        assert result.pool
        assert result.notes[0] == f"pool {(result.pool.number or 0) - 1} is kept unchanged ({why}); this pool is new"
        assert "holds" not in result.pool.parameters
    result = build(store, method="mtf", depth=50, total=36, batch=12)
    assert result.pool
    assert (result.pool.parameters["holds"], len(result.pool.documents), len(result.notes)) == (5, 36, 1)
    assert "12 in total, which stay" not in result.line


def test_nothing_to_add_says_why(store: Store) -> None:
    """The budget is spent, there are no more documents, or less was asked for than there is."""
    judge_all(store, build(store, method="hedge", depth=3, budget=4))
    lines = [
        build(store, method="hedge", depth=3, budget=4).line,
        extend(store, budget=2).line,
        make_pool(store, PoolRequest(depth=3)).line and extend(store).line,
        extend(store, depth=2).line,
    ]
    stays = "nothing to add: pool {} contains {} documents, {}"
    size = len(stored_pool(store).documents)
    assert lines == [
        stays.format(1, 12, "which is all that a budget of 4 per topic allows"),
        stays.format(
            1, 12, "which are kept (4 per topic, not 2 per topic); build a new pool with `cranfield pool build`"
        ),
        stays.format(2, size, "which is all that there are"),
        stays.format(2, size, "which are kept (runs to depth 3, not 2); build a new pool with `cranfield pool build`"),
    ]


def test_batches_keep_their_size(store: Store) -> None:
    """A pool goes on in the batches it was begun with, unless told otherwise."""
    judge_all(store, build(store, method="mtf", batch=4))
    judge_all(store, build(store, method="mtf"))
    extend(store)
    assert stored_pool(store).parameters["batches"] == {f"q{n}": [4, 4, 4] for n in range(3)}
    assert stored_pool(store).parameters["batch"] == 4


def test_a_late_run_extends_any_pool_but_a_sample(store: Store) -> None:
    """What was pooled stays; the late run's documents come; a sample refuses, in one line."""
    make_pool(store, PoolRequest(depth=3))
    make_pool(store, PoolRequest("uniform", budget=5))
    make_pool(store, PoolRequest("statap", budget=5))
    result = build(store, method="mtf", batch=4)
    judge_all(store, result)
    late = {"late": {"q1": {f"d9{n}": 10.0 - n for n in range(5)}}}
    add_runs(store, as_runs(late))
    extension = extend(store, number=1)
    assert extension.pool
    assert {d.docno for d in extension.pool.documents if d.runs == ("late",)} == {"d90", "d91", "d92"}
    old = {d[:2] for d in stored_pool(store, 1).documents}
    assert old < {d[:2] for d in extension.pool.documents}
    assert (extension.pool.parameters["depth"], extension.pool.parameters["holds"]) == (3, 1)
    further = extend(store, number=4)
    assert further.pool
    assert result.pool
    assert {d[:2] for d in result.pool.documents} < {d[:2] for d in further.pool.documents}
    with pytest.raises(InputError, match="pool 2 is a sample"):
        extend(store, number=2, runs=["late"])
    with pytest.raises(InputError, match="drawn for one size"):
        extend(store, number=3, budget=9)


def test_a_sample_takes_a_larger_budget(store: Store) -> None:
    """It holds the smaller one, with the probabilities of the larger."""
    make_pool(store, PoolRequest("uniform", budget=5, depth=20))
    result = extend(store, budget=10)
    assert result.pool
    assert {d[:2] for d in stored_pool(store, 1).documents} <= {d[:2] for d in result.pool.documents}
    sizes = {topic.qid: len(topic) for topic in candidates_by_topic(as_runs(example_runs()), 20)}
    assert all(d.probability == pytest.approx(10 / sizes[d.qid]) for d in result.pool.documents)
    assert {d.stratum for d in stored_pool(store).documents} == {"all"}


def test_the_first_runs_of_each_team(store: Store) -> None:
    """In the order they came; and runs named one by one."""
    result = make_pool(store, PoolRequest(depth=1, per_team=1))
    assert result.pool
    assert result.pool.parameters["runs"] == ["r0", "r2", "r4"]
    by_name = make_pool(store, PoolRequest(depth=1, runs=("r5", "r1")))
    assert by_name.pool
    assert by_name.pool.parameters == {"depth": 1, "runs": ["r1", "r5"]}


def test_what_a_builder_is_told(path: Path, cranfield: Cranfield) -> None:
    """Too large a budget and a topic without an answer are noted, one line each; wrong options are refused."""
    with Store.open(path) as store:
        store.db.execute("INSERT INTO topic (qid) VALUES ('q9')")
    output = cranfield("pool", "build", "track.db", "--method", "rrf", "--budget", 999)
    assert output.out.startswith("pool 1: 120 documents for 3 topics from 6 runs, rrf to depth 100, 999 per topic")
    assert output.err.splitlines() == [
        "note: no run answered 1 topic, so the pool contains no documents for: q9",
        "note: for 3 of 3 topics, the runs retrieved fewer documents to depth 100 than the budget of 999 (topic q0:"
        " 40 documents), so the pool may contain all of them",
    ]
    with Store.open(path) as store:
        for number in range(6):
            store.db.execute("INSERT INTO topic (qid) VALUES (?)", [f"s{number}"])
    silent = cranfield("pool", "build", "track.db", "--depth", 1).err
    names = "q9, s0, s1, s2, s3 and 2 more"
    assert f"note: no run answered 7 topics, so the pool contains no documents for: {names}\n" in silent
    for words in ("--option c=1", "--method rrf --option c", "--method rrf --option c=-1", "--method uniform",
                  "--method rrf --budget 3 --total 3", "--method nope", "--batch 3"):  # fmt: skip
        assert cranfield("pool", "build", "track.db", *words.split()).code == 2, words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("build --run nope", "no run 'nope' in this store; available: r0, r1, r2, r3, r4, r5"),
        ("build --run r1 --run r1", "run 'r1' is given twice"),
        ("extend --run nope", "no run 'nope' in this store; available: r0, r1, r2, r3, r4, r5"),
        ("extend --run r1 --run r1", "run 'r1' is given twice"),
        ("extend --pool 9", "no pool 9 in this store; its pools are 1"),
        ("build --method borda --option n=3", "option n is 3, but the runs retrieved 40 documents for topic 'q0'"),
    ],
)
def test_a_refused_wish_changes_nothing(path: Path, cranfield: Cranfield, words: str, message: str) -> None:
    """One line, exit code 1, and the store as it was, to the byte."""
    assert cranfield("pool", "build", "track.db", "--depth", 1).code == 0
    before = path.read_bytes()
    command, *options = words.split()
    output = cranfield("pool", command, "track.db", *options)
    assert (output.code, output.out, output.err.replace("track.db: ", "")) == (1, "", f"error: {message}\n")
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", ["verify", "simulate", "forecast"])
def test_files_that_share_a_tag_and_a_name_are_refused(path: Path, cranfield: Cranfield, command: str) -> None:
    """One line that names both, exit code 1."""
    Path("qrels").write_text("q 0 d 1\n")
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "run").write_text("q Q0 d 1 1.0 same\n")
    output = cranfield("pool", command, "qrels", "one/run", "two/run")
    message = "error: two/run: duplicate run name 'run', also used for one/run; pass each file once"
    assert (output.code, output.out) == (1, "")
    assert output.err.startswith(message)


def test_a_total_of_fewer_documents_than_topics(store: Store) -> None:
    """Some topics have none."""
    for method, size in (("depth", 2), ("mtf", 2), ("rrf", 1)):
        result = make_pool(store, PoolRequest(method, total=size))
        assert result.pool
        assert len(result.pool.documents) == size


@pytest.mark.full
def test_any_pool_is_exported(path: Path, cranfield: Cranfield) -> None:
    """By either name of the command, the newest or another; compressed if its name says so; or refused in one line."""
    for depth in (1, 2):
        assert cranfield("pool", "build", "track.db", "--depth", depth).code == 0
    for command in (("pool", "export"), ("export", "pool")):
        for number, options in ((1, ["--pool", 1]), (2, [])):
            output = cranfield(*command, "track.db", "pool.tsv", *options)
            with Store.open(path) as store:
                documents = stored_pool(store, number).documents
            assert output == (0, f"{len(documents)} documents\n", "")
            rows = [line.split("\t") for line in Path("pool.tsv").read_text().splitlines()]
            assert rows[0] == ["qid", "docno", "depth", "runs"]
            assert rows[1:] == [[d.qid, d.docno, str(d.depth), ",".join(d.runs)] for d in documents]
    assert cranfield("pool", "export", "track.db", "pool.tsv.gz").code == 0
    assert gzip.decompress(Path("pool.tsv.gz").read_bytes()) == Path("pool.tsv").read_bytes()
    assert cranfield("pool", "export", "track.db", "pool.csv").code == 0
    with Path("pool.csv").open(newline="") as comma, Path("pool.tsv").open(newline="") as tab:
        assert [*csv.reader(comma)] == [*csv.reader(tab, delimiter="\t")]
    error = "error: no pool 3 in this store; its pools are 1, 2\n"
    assert cranfield("pool", "export", "track.db", "none.tsv", "--pool", 3) == (1, "", error)
    assert not Path("none.tsv").exists()


def test_tables_of_pools(path: Path, cranfield: Cranfield) -> None:
    """By run and team, the difference of two, the table of methods and the options of one."""
    cranfield("pool", "build", "track.db", "--depth", 2)
    cranfield("pool", "build", "track.db", "--method", "combsum", "--budget", 3, "--option", "norm=rank")
    table = cranfield("pool", "show", "track.db", "--pool", 1, "--by", "team", "--format", "csv").out.splitlines()
    assert table[0] == "team,documents,relevant,alone,relevant alone"
    assert [row.split(",")[0] for row in table[1:]] == ["team0", "team1", "team2"]
    title = " ".join(cranfield("pool", "show", "track.db").out.split())
    assert title.startswith("pool 2: combsum, to depth 100, 3 per topic; 9 documents, 9 to judge")
    rows = [line.split(",") for line in cranfield("pool", "diff", "track.db", 1, 2, "--format", "csv").out.splitlines()]
    assert rows[0] == ["topic", "in both", "only in 1", "only in 2", "judged only in 1", "judged only in 2"]
    total = [int(value) for value in rows[-1][1:]]
    assert total[0] + total[2] == 9
    assert all(name in cranfield("pool", "methods").out for name in OF_RUNS)
    assert "min-max or max or sum or zmuv or rank or borda or none" in cranfield("pool", "methods", "combmnz").out


def test_fused_runs(path: Path) -> None:
    """Written as a file or added to the store, where the fused run stays out of pools and of the next fusion."""
    app = typer.Typer()
    app.command()(expand_option_records(fuse))

    def run(*words: str) -> str:
        result = CliRunner().invoke(app, list(words), catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    assert run("track.db", "--tag", "all").startswith("all: 6 runs fused by rrf, 120 documents")
    assert run("track.db", "-o", "out.run", "--method", "combmnz", "--keep", "7").startswith("combmnz: 6 runs fused")
    with Store.open(path) as store:
        assert run_info(store)["all"][:4] == ("fusion", "fused", "rrf of r0, r1, r2, r3, r4, r5 to depth 1000", False)
    fusion = read_runs(["out.run"])
    assert (fusion.tags, len(fusion)) == (("combmnz",), 21)
    result = CliRunner().invoke(app, ["out.run"])
    assert result.exit_code == 2
    for method in ("maxmean", "uniform"):
        with pytest.raises(InputError, match="it cannot fuse runs"):
            CliRunner().invoke(app, ["track.db", "--method", method], catch_exceptions=False)


@pytest.mark.parametrize("method", ["depth", "mtf"])
def test_a_pool_of_a_set_of_topics(path: Path, cranfield: Cranfield, method: str) -> None:
    """It is the part of the whole pool, as it is built, extended, judged and rebuilt; it keeps the topics it had."""
    with Store.open(path) as store:
        qids = sorted({*store.qids.names})
        whole = build(store, method=method, budget=8 if method == "mtf" else None, depth=5).pool
        assert whole is not None
        reference = [document[:2] for document in whole.documents if document.qid in qids[:2]]
    (path.parent / "dev.txt").write_text("\n".join(qids[:2]))
    assert cranfield("topics", "set", path, "dev", "dev.txt").code == 0
    size = ["--budget", 8] if method == "mtf" else []
    output = cranfield("pool", "build", path, "--topics", "dev", "--method", method, "--depth", 5, *size)
    assert (output.code, "for 2 topics" in output.out) == (0, True)
    (path.parent / "dev.txt").write_text(qids[2])
    cranfield("topics", "set", path, "dev", "dev.txt")
    with Store.open(path) as store:
        pool = stored_pool(store)
        assert [document[:2] for document in pool.documents] == reference
        add_assessor(store, "ada")
        judge_all(store, PoolResult(pool, "", []))
        longer = extend(store, budget=12) if method == "mtf" else extend(store, depth=7)
        assert longer.pool is not None
        assert {document.qid for document in longer.pool.documents} == {*qids[:2]}
        assert set(topic_size_limits(store, longer.pool)) == {*qids[:2]} if method == "mtf" else True
        judge_all(store, longer)
    assert cranfield("reusability", path).code == 0
    unknown = cranfield("pool", "build", path, "--topics", "dex")
    assert (unknown.code, unknown.err.endswith("did you mean dev?\n")) == (1, True)


def test_fuse_takes_the_options_of_a_method_that_tune_prints(path: Path, cranfield: Cranfield) -> None:
    """A method with its options, as `pool tune` names it, gives the ranking of --option."""
    outputs = [
        cranfield.out("fuse", path, *words, "-o", "-")
        for words in (["--method", "combsum:norm=zmuv"], ["--method", "combsum", "--option", "norm=zmuv"])
    ]
    assert outputs[0] == outputs[1] != ""
    refused = cranfield("fuse", path, "--method", "combsum:norm=nothing", "-o", "-")
    assert refused.code != 0


def test_fuse_says_that_it_takes_no_qrels(tmp_path: Path, cranfield: Cranfield) -> None:
    """The remedy of other commands, qrels before the runs, does not help here."""
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1.0 a\n")
    refused = cranfield("fuse", tmp_path / "a.qrels", tmp_path / "a.run", "-o", tmp_path / "out.run")
    assert refused.code == 1
    assert "this looks like qrels, but fuse accepts only runs" in refused.err
    assert "before the runs" not in refused.err


def test_runs_that_are_not_pooled_are_named(store: Store) -> None:
    """Building and extending name them, unless the caller names the runs to pool."""
    add_runs(store, as_runs({"late": {"q1": {"d1": 1.0}}}), {"late": RunInfo("late", pooled=False)})
    note = "1 of 7 runs is marked as not pooled and is not in the pool: late; name the runs to pool with --run"
    assert note in make_pool(store, PoolRequest(depth=2)).notes
    assert any("late; name the runs to pool" in line for line in extend(store, depth=3).notes)
    assert not any("not pooled" in line for line in make_pool(store, PoolRequest(depth=4, runs=("late",))).notes)
