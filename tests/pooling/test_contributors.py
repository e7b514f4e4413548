"""Who was pooled: the stored pool's own list, else what was told, else what the judgments tell; the same everywhere."""

import json
from pathlib import Path

import numpy as np
import pytest

from cranfield.analysis.contributors import with_contributors
from cranfield.analysis.reusability import require_contributors
from cranfield.commands.reusability import leave_one_out
from cranfield.errors import InputError
from cranfield.text import counted
from tests.conftest import Cranfield
from tests.files import track_files
from tests.views import view_of

TOPICS, DOCUMENTS, DEPTH = 5, 40, 6


def write_runs(names: str, seed: int = 3) -> None:
    """Run files of so many runs, each with its own taste."""
    random = np.random.default_rng(seed)

    def ranking() -> dict[str, float]:
        scores = random.normal(size=DOCUMENTS) * 2 + np.arange(DOCUMENTS) / 9
        return {f"d{document:02}": score for document, score in enumerate(scores.tolist())}

    track_files(Path(), runs={name: {f"q{topic}": ranking() for topic in range(TOPICS)} for name in names})


def write_qrels(names: str, depth: int = DEPTH) -> None:
    """The judgments that these runs get, pooled to a depth; every third document is relevant."""
    pooled = set()
    for name in names:
        rows = [line.split() for line in Path(name).read_text().splitlines()]
        for topic in range(TOPICS):
            own = sorted((-float(row[4]), row[2]) for row in rows if row[0] == f"q{topic}")
            pooled |= {(f"q{topic}", docno) for _, docno in own[:depth]}
    lines = [f"{qid} 0 {docno} {int(int(docno[1:]) % 3 == 0)}" for qid, docno in sorted(pooled)]
    Path("qrels").write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs a, b, c that made the pool, z that came late, and the judgments."""
    monkeypatch.chdir(tmp_path)
    write_runs("abcz")
    write_qrels("abc")
    return tmp_path


def run(cranfield: Cranfield, *commands: str) -> None:
    for command in commands:
        result = cranfield(*command.split())
        assert result.code == 0, result.err


@pytest.fixture
def track(folder: Path, cranfield: Cranfield) -> Path:
    """The same in a store, pooled and judged; the late run is not there yet."""
    run(
        cranfield, "init track.db --name x", "import runs track.db a b c", f"pool build track.db --depth {DEPTH}",
        "import qrels track.db qrels",
    )  # fmt: skip
    return folder / "track.db"


LATE = "note: these late runs are not in pool 1: z; they are scored, but never left out\n"


@pytest.mark.full
def test_a_late_run_does_not_change_the_verdict(track: Path, cranfield: Cranfield) -> None:
    """It is scored among the others, is left out of nothing, and is named; what others lose stays as it was."""
    before = json.loads(cranfield("reusability", track, "--format", "json").out)
    run(cranfield, "import runs track.db z")
    result = cranfield("reusability", track, "--format", "json")
    after = json.loads(result.out)
    assert result.err == LATE
    assert [unit["unit"] for unit in after["units"]] == ["a", "b", "c"]
    for name in ("depth", "pool", "relevant_share"):
        assert after[name] == before[name]
    for one, other in zip(before["units"], after["units"], strict=True):
        assert one["unique"] == other["unique"] > 0
        assert [score["reduced"] for score in one["scores"]] == [score["reduced"] for score in other["scores"]]
    assert before["summary"]["AP"]["mean_change_percent"] == after["summary"]["AP"]["mean_change_percent"]
    assert after["contributors"] == {
        "known_by": "pool 1", "runs": ["a", "b", "c"], "late": ["z"], "undecided": [], "gaps": None,
        "mean_change_with_fewest": None, "origins": [],
    }  # fmt: skip
    assert "z" in cranfield("evaluate", track, "-m", "AP").out


@pytest.mark.full
def test_a_late_run_changes_nothing_else_either(track: Path, cranfield: Cranfield) -> None:
    """depths, diagnose, report, forecast and verify go by the pool's own list, too."""
    depths = cranfield("depths", track, "--format", "csv").out
    verify = cranfield("pool", "verify", track, "--format", "json").out
    write_runs("n", seed=9)
    diagnosis = json.loads(cranfield("diagnose", track, "n", "--format", "json").out)
    run(cranfield, "import runs track.db z")
    result = cranfield("depths", track, "--format", "csv")
    rows = [[line.split(",") for line in text.splitlines()[1:]] for text in (depths, result.out)]
    assert [row[:5] for row in rows[0]] == [row[:5] for row in rows[1]]  # ranks and tau see one run more
    assert result.err == LATE
    again = cranfield("diagnose", track, "n", "--format", "json")
    document = json.loads(again.out)
    assert again.err == LATE
    for name in ("pooled_runs", "depth", "scores", "reasons"):
        assert document[name] == diagnosis[name]
    assert cranfield("pool", "forecast", track).err == LATE
    assert json.loads(cranfield("pool", "verify", track, "--format", "json").out)["outside"] == ["z"]
    assert json.loads(verify)["outside"] == []
    result = cranfield("report", track, "card.md")
    assert result.err == LATE
    card = Path("card.md").read_text()
    assert "| contributing runs | these late runs are not in pool 1: z; they are scored, but never left out |" in card
    assert "| z |" not in card
    run(cranfield, "report track.db page.html -m AP")
    assert (
        "3 runs (no teams given, so each counts as its own team) contributed to the pool"
        in Path("page.html").read_text()
    )


@pytest.mark.full
def test_python_says_the_same(track: Path, cranfield: Cranfield) -> None:
    """The function leaves out who the command leaves out, of a store and of files, and warns of what that notes."""
    run(cranfield, "import runs track.db z")
    with pytest.warns(UserWarning, match="these late runs are not in pool 1: z; they are scored, but never left out"):
        table = leave_one_out(track, measures="AP").frame
    assert table["unit"].tolist() == ["a", "b", "c"]
    files = ["a", "b", "c", "z"]
    with pytest.warns(UserWarning, match=r"^treated 3 of 4 runs as pooled to depth 6: a, b, c"):
        again = leave_one_out("qrels", files, measures="AP").frame
    assert again["reduced"].tolist() == table["reduced"].tolist()


def test_a_pool_of_some_of_the_runs(track: Path, cranfield: Cranfield) -> None:
    """A run that a pool was made without has no unit; the pool before has it."""
    run(cranfield, "pool build track.db --depth 6 --run a --run b")
    result = cranfield("reusability", track, "--format", "json")
    assert [unit["unit"] for unit in json.loads(result.out)["units"]] == ["a", "b"]
    assert "these late runs are not in pool 2: c" in result.err
    result = cranfield("reusability", track, "--pool", "1", "--format", "json")
    assert [unit["unit"] for unit in json.loads(result.out)["units"]] == ["a", "b", "c"]


@pytest.mark.full
def test_depths_of_single_runs(folder: Path, cranfield: Cranfield) -> None:
    """A run pooled to a depth of its own is left out, and asked for depths, to that depth."""
    Path("teams.tsv").write_text("run\tteam\tpooled\tdepth\na\tx\tyes\t\nb\ty\tyes\t\nc\tz\tyes\t2\n")
    write_qrels("ab")
    run(
        cranfield, "init t.db --name x", "import runs t.db a b c --teams teams.tsv", "pool build t.db --depth 6",
        "import qrels t.db qrels",
    )  # fmt: skip
    document = json.loads(cranfield("reusability", "t.db", "--format", "json").out)
    assert document["depth"] == {"a": 6, "b": 6, "c": 2}
    Path("teams.tsv").write_text("run\tteam\na\tx\nb\ty\nc\tz\n")
    again = json.loads(cranfield("reusability", "t.db", "--teams", "teams.tsv", "--format", "json").out)
    assert again["depth"] == document["depth"]
    depths = json.loads(cranfield("depths", "t.db", "--format", "json", "--all").out)
    assert [row["judged"] for row in depths["rows"]][-1] == document["pool"]["judged"]


@pytest.mark.full
def test_plain_files_tell_who_was_pooled(folder: Path, cranfield: Cranfield) -> None:
    """Without --teams the runs without a gap are the contributors; it says whom, and that the other cannot be one."""
    result = cranfield("reusability", "qrels", "a", "b", "c", "z", "--format", "json")
    document = json.loads(result.out)
    assert [unit["unit"] for unit in document["units"]] == ["a", "b", "c"]
    assert (document["depth"], document["contributors"]["known_by"]) == (DEPTH, "judgments")
    assert result.err == (
        "note: treated 3 of 4 runs as pooled to depth 6: a, b, c; 1 has unjudged documents within that depth and counts"
        " as not pooled\n"
    )
    Path("teams.tsv").write_text("run\tteam\tpooled\na\ta\tyes\nb\tb\tyes\nc\tc\tyes\nz\tz\tno\n")
    output = cranfield("reusability", "qrels", "a", "b", "c", "z", "--teams", "teams.tsv", "--format", "json")
    assert output.err == ""
    assert json.loads(output.out)["summary"] == document["summary"]
    Path("teams.tsv").write_text("run\tteam\na\tx\nb\tx\nc\tc\nz\tz\n")
    by_team = cranfield("reusability", "qrels", "a", "b", "c", "z", "--teams", "teams.tsv", "--by", "team")
    assert by_team.err == result.err  # the table says who is who, not who was pooled
    no_teams = (
        "note: the teams behind these runs are unknown, so each run counts as a team; state the teams with --teams\n"
    )
    for command in ("reusability", "depths"):
        assert no_teams in cranfield(command, "qrels", "a", "b", "c", "z", "--by", "team").err
    for command in ("reusability", "depths"):
        output = cranfield(command, "qrels", "a", "b", "c", "z", "--by", "kind")
        assert (
            "note: the kinds of these runs are unknown, so all runs count as one kind; state the kinds with --teams\n"
            in output.err
        )
        assert "note: not tested: no kind except automatic was pooled, so the pool would be empty" in output.err


@pytest.mark.full
def test_a_store_without_a_pool_tells_it_too(folder: Path, cranfield: Cranfield) -> None:
    """Judgments made elsewhere, runs of which nobody said who was pooled; where it was said, that holds."""
    run(cranfield, "init track.db --name x", "import runs track.db a b c z", "import qrels track.db qrels")
    files = cranfield("reusability", "qrels", "a", "b", "c", "z")
    assert cranfield("reusability", "track.db") == files
    assert "3 of 4 runs" in files.err
    assert cranfield("depths", "track.db").err == files.err
    assert json.loads(cranfield("pool", "verify", "track.db", "--format", "json").out)["runs"] == ["a", "b", "c"]
    Path("teams.tsv").write_text("run\tteam\tpooled\na\ta\tyes\nb\tb\tyes\nc\tc\tno\nz\tz\tno\n")
    run(
        cranfield, "init told.db --name x", "import runs told.db a b c z --teams teams.tsv",
        "import qrels told.db qrels",
    )  # fmt: skip
    result = cranfield("reusability", "told.db", "--depth", "6", "--format", "json")
    assert json.loads(result.out)["contributors"]["runs"] == ["a", "b"]


@pytest.mark.full
def test_the_undecided_are_named_with_what_they_would_change(folder: Path, cranfield: Cranfield) -> None:
    """y is a copy of a: either may have been pooled; if only one was, it brought documents of its own."""
    Path("y").write_text(Path("a").read_text().replace(" a\n", " y\n"))
    alone = json.loads(cranfield("reusability", "--by", "run", "qrels", "a", "b", "c", "--format", "json").out)
    result = cranfield("reusability", "--by", "run", "qrels", "a", "b", "c", "y", "--format", "json")
    document = json.loads(result.out)
    assert "note: 2 of the 4 are uncertain, because they have no unique documents: a, y\n" in result.err
    assert document["contributors"]["undecided"] == ["a", "y"]
    fewest = document["contributors"]["mean_change_with_fewest"]["AP"]
    assert fewest == alone["summary"]["AP"]["mean_change_percent"] > document["summary"]["AP"]["mean_change_percent"]
    table = cranfield("reusability", "--by", "run", "qrels", "a", "b", "c", "y", "-m", "AP").out
    assert "own score, alternative mean change" in table
    assert "if 1 of 2 undecided runs was not pooled" in table
    run(cranfield, "report qrels a b c y page.html --by run -m AP", "report qrels a b c y card.md --by run -m AP")
    assert "contributed to the pool (inferred from the judgments)" in Path("page.html").read_text()
    least = document["summary"]["AP"]["mean_change_percent"]
    message = f"changes its AP by {least:.1f}% to {fewest:.1f}% on average, depending on whether 2 runs were pooled."
    assert message in Path("card.md").read_text()


@pytest.mark.parametrize(("others", "level"), [(1, "unsure"), (2, "none")])
def test_topics_judged_otherwise(folder: Path, cranfield: Cranfield, others: int, level: str) -> None:
    """Some topics are judged to a smaller depth: the runs have gaps there; one is assumed away, two are too many."""
    deep = Path("qrels").read_text().splitlines()
    write_qrels("abc", depth=2)
    shallow = Path("qrels").read_text().splitlines()
    lines = [line for line in deep if line[1] >= str(others)] + [line for line in shallow if line[1] < str(others)]
    Path("qrels").write_text("\n".join(lines) + "\n")
    result = cranfield("reusability", "qrels", "a", "b", "c", "z", "--format", "json")
    document = json.loads(result.out)
    assert document["contributors"]["gaps"] == {
        "runs": {"closed": 0, "tied": 0, "open": 3},
        "topics": {"closed": TOPICS - others, "tied": 0, "open": others},
    }
    gaps = f"0 of 3 pooled runs and {TOPICS - others} of 5 topics have no unjudged document within the pool's depth"
    assert f"note: {gaps}; 3 runs and {counted(others, 'topic')} have such documents\n" in result.err
    verify = cranfield("pool", "verify", "qrels", "a", "b", "c", "z").out
    assert f"{TOPICS - others} of 5; {others} elsewhere" in verify
    assert (
        json.loads(cranfield("pool", "verify", "qrels", "a", "b", "c", "z", "--format", "json").out)["gaps"]
        == (document["contributors"]["gaps"])
    )
    gaps = "in 2 of 5 topics, runs that were treated as pooled have unjudged documents"
    lack = f"{gaps}, so these topics were judged in another way"
    assert document["no_verdict"] == (None if others == 1 else lack)
    assumption = (
        "The verdict assumes that all topics were pooled in the same way; "
        "in 1 of 5 topics, pooled runs have unjudged documents."
    )
    assert (assumption in document["reservations"]) == (others == 1)
    depths = cranfield("depths", "qrels", "a", "b", "c", "z", "--format", "json").out
    assert json.loads(depths)["no_verdict"] == document["no_verdict"]
    diagnosis = cranfield("diagnose", "qrels", "a", "b", "c", "z").out
    assert ("No forecast: in 2 of 5 topics" in diagnosis) == (others == 2)


@pytest.mark.full
def test_ties_explain_gaps(folder: Path, cranfield: Cranfield) -> None:
    """A run whose scores tie across the depth went in by another order: its gap is counted as one that ties explain."""
    rows = [line.split() for line in Path("a").read_text().splitlines()]
    q0 = sorted((row for row in rows if row[0] == "q0"), key=lambda row: -float(row[4]))
    first, last = q0[DEPTH - 1], q0[-1]
    last[4], last[2], q0[-1][2] = first[4], "zzz", "zzz"  # trec_eval's order takes it before the pooled one
    Path("a").write_text("".join(" ".join(row) + "\n" for row in rows))
    result = cranfield("reusability", "qrels", "a", "b", "c", "z")
    assert result.err.splitlines()[1] == (
        "note: 2 of 3 pooled runs and 4 of 5 topics have no unjudged document within the pool's depth; 1 run and"
        " 1 topic have such documents only because scores tie at that depth"
    )
    verify = cranfield("pool", "verify", "qrels", "a", "b", "c", "z").out
    assert "2 of 3; 1 has gaps only where scores tie" in verify
    assert "The verdict assumes" not in result.out


@pytest.mark.full
@pytest.mark.parametrize(("topics", "verdict"), [(1, False), (3, False), (4, True), (5, True)])
def test_no_verdict_while_much_of_the_pool_awaits_judgment(
    folder: Path, cranfield: Cranfield, topics: int, verdict: bool
) -> None:
    """Topics that nobody has judged yet count: their documents are in the pool, and have no label."""
    run(cranfield, "init track.db --name x", "import runs track.db a b c", f"pool build track.db --depth {DEPTH}")
    labels = Path("qrels").read_text().splitlines(keepends=True)
    some = [line for line in labels if int(line[1]) < topics]
    Path("begun").write_text("".join(some))
    run(cranfield, "import qrels track.db begun")
    result = cranfield("reusability", "track.db", "--format", "json")
    document = json.loads(result.out)
    assert (document["pool"]["documents"], document["pool"]["judged"]) == (len(labels), len(some))
    lack = f"{len(labels) - len(some)} of the {len(labels)} documents in the pool are not judged"
    assert document["no_verdict"] == (None if verdict else lack)
    assert any(lack in line for line in document["reservations"]) == (topics == 4)
    assert f" {topics} topics) changes " in cranfield("reusability", "track.db").out or not verdict
    if topics > 1:
        run(cranfield, "report track.db card.md -m AP")
        assert ("\nNot tested: " in Path("card.md").read_text()) == (not verdict)
    depths = json.loads(cranfield("depths", "track.db", "--format", "json").out)
    assert (depths["no_verdict"] is None) == verdict
    write_runs("n", seed=9)
    assert (f"No forecast: {lack}." in cranfield("diagnose", "track.db", "n").out) == (not verdict)


@pytest.mark.needs_extra("report")
def test_where_nobody_can_have_been_pooled(folder: Path, cranfield: Cranfield) -> None:
    """All runs have gaps: leave-one-out is refused in one line; diagnose has its bounds, and says why that is all."""
    Path("qrels").write_text("".join(f"q{topic} 0 nowhere 1\nq{topic} 0 d39 0\n" for topic in range(TOPICS)))
    lack = (
        "no run can have been pooled, because all runs have unjudged documents; mark the pooled runs in the"
        " --teams file (column pooled)"
    )
    for command in ("reusability", "depths", "pool forecast"):
        result = cranfield(*command.split(), "qrels", "a", "b")
        assert (result.code, result.err) == (1, f"error: {lack}\n")
    assert cranfield("reusability", "qrels", "a", "--depth", "3").err.startswith(
        "error: no run can have been pooled to depth 3, because all runs have unjudged"
    )
    result = cranfield("diagnose", "qrels", "a", "b", "z")
    assert (result.code, result.err) == (0, "")
    assert f"No forecast: {lack}." in result.out
    run(cranfield, "report qrels a b page.html")
    assert f"There is no reusability card: {lack}." in Path("page.html").read_text()
    Path("qrels").write_text("".join(f"q{topic} 0 nowhere 1\n" for topic in range(TOPICS)))
    expected = "error: pooled runs cannot be inferred, because the qrels list only relevant documents; import the other"
    assert expected in cranfield("reusability", "qrels", "a", "b").err


@pytest.mark.full
def test_a_store_that_lacks_a_run_of_its_pool(track: Path) -> None:
    """Nobody can be left out then: others would seem to bring more of their own than they did."""
    view = view_of([track])
    lacking = with_contributors(view.replace_runs(view.runs, pool_runs=("a", "b", "gone")))
    with pytest.raises(InputError, match=r"^run 'gone' of pool 1 is missing"):
        require_contributors(lacking)


def test_one_run_alone_has_no_verdict(folder: Path, cranfield: Cranfield) -> None:
    """Without the only run that was pooled there is no pool, which says nothing of a run that comes later."""
    write_qrels("a")
    result = cranfield("reusability", "qrels", "a", "b", "-m", "AP")
    assert "note: not tested: no cluster except a was pooled, so the pool would be empty without it\n" in result.err
    assert "own score" not in result.out


def test_settling_twice_is_settling_once(folder: Path) -> None:
    """And what was met is not met again."""
    view = view_of([Path(name) for name in ("qrels", "a", "b", "c", "z")])
    once = with_contributors(view)
    assert with_contributors(once) is once
    assert once.judged is view.judged
    assert [tag for tag, info in once.run_info.items() if info.pooled] == ["a", "b", "c"]
