"""cranfield diagnose: on plain files, on a store, and the draws that it hands out to be judged."""

import csv
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cranfield.cli import program
from cranfield.judging.session.session import Session
from cranfield.store.pools import Pool, PooledDocument, add_pool, stored_pool
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from tests.conftest import ROOT, Cranfield, Result
from tests.files import track_files
from tests.metrics.forecast.made_up import RunDict, made_up, pool_of
from tests.real import copied
from tests.stores import new_file

RUN_A = "q1 Q0 d1 1 9 a\nq1 Q0 d2 2 8 a\nq2 Q0 e1 1 9 a\nq2 Q0 e2 2 8 a\n"
RUN_B = "q1 Q0 d2 1 9 b\nq1 Q0 d3 2 8 b\nq2 Q0 e1 1 9 b\nq2 Q0 e3 2 8 b\n"
NEW = "q1 Q0 x1 1 9 new\nq1 Q0 d1 2 8 new\nq2 Q0 x2 1 9 new\nq2 Q0 e2 2 8 new\n"
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 1\nq2 0 e1 1\nq2 0 e2 0\nq2 0 e3 0\n"
TOPICS = '{"qid": "q1", "title": "one"}\n{"qid": "q2", "title": "two"}\n'
DOCNOS = ["d1", "d2", "d3", "e1", "e2", "e3", "x1"]
CORPUS = "".join(json.dumps({"docno": docno, "text": f"about {docno}"}) + "\n" for docno in DOCNOS)

Diagnose = Callable[[str], Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two pooled runs, a new one, judgments, topics and a corpus that lacks x2."""
    files = {"a": RUN_A, "b": RUN_B, "new": NEW, "qrels": QRELS, "topics": TOPICS, "corpus": CORPUS}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "teams.tsv").write_text("run\tteam\tkind\tpooled\na\tx\tautomatic\tyes\nb\ty\tautomatic\tyes\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def track(folder: Path, cranfield: Cranfield) -> Path:
    """The same in a store, pooled to depth 2."""
    cranfield.run("init track.db --name small", "import corpus track.db corpus", "import topics track.db topics",
                  "import runs track.db a b", "pool build track.db --depth 2",
                  "import qrels track.db qrels")  # fmt: skip
    return folder / "track.db"


@pytest.fixture
def diagnose(folder: Path, cranfield: Cranfield) -> Diagnose:
    """The command, as a function of its words."""
    return lambda words: cranfield(f"diagnose {words}")


def as_json(diagnose: Diagnose, words: str) -> Any:
    result = diagnose(f"{words} --format json")
    assert result.code == 0, result
    return json.loads(result.out)


@pytest.fixture(scope="module")
def full() -> dict[str, dict[str, int]]:
    return {topic: dict(grades) for topic, grades in made_up(7)[1].items()}


@pytest.fixture
def large(folder: Path, full: dict[str, dict[str, int]]) -> Path:
    """Files of six pooled runs, r0 to r5, of a new one, r6, and of the judgments of the pool to depth 10."""
    runs = made_up(7)[0]
    pooled: RunDict = {tag: run for tag, run in runs.items() if tag != "r6"}
    track_files(folder, pool_of(pooled, full, 10), runs)
    return folder


POOLED = " ".join(f"r{number}" for number in range(6))
OF_SOURCE = ("proposal", "labelled_by")  # what files and stores say differently
WORDS = f"qrels {POOLED} r6"


def _make_large_store() -> None:
    runs, full = made_up(7)
    docnos = sorted({docno for grades in full.values() for docno in grades})
    pooled: RunDict = {tag: runs[tag] for tag in POOLED.split()}
    new_file(
        "t.db", "large", documents={docno: f"about {docno}" for docno in docnos}, topics={qid: qid for qid in full},
        runs=pooled, qrels={"import": pool_of(pooled, full, 10)}, pool=10,
    )  # fmt: skip


@pytest.fixture
def large_store(large: Path) -> Path:
    """The same in a store, pooled to depth 10, with a text for each document."""
    return copied(_make_large_store, large) / "t.db"


def test_people_see_the_interval_and_a_sentence(large: Path, diagnose: Diagnose) -> None:
    """One line on the run, a table, and a sentence for each measure; no single value."""
    out = diagnose(WORDS).out
    title, head, *_ = out.splitlines()
    assert re.fullmatch(
        r"run r6 on 12 topics; pool depth 10, 6 pooled runs; \d+ of the 120 documents at its ranks 1 to 10 are"
        r" unjudged \(\d+\.\d%\)",
        title,
    )
    assert head.split()[:5] == ["measure", "as", "judged", "low", "high"]
    assert "If its first 10 documents were judged, AP would be between 0." in out
    for word in ("fair", "verdict", "Webber", "Lipani", "everything"):
        assert word not in out.lower()


@pytest.mark.parametrize("options", ["", pytest.param("--against r0", marks=pytest.mark.full)])
def test_every_format_has_the_interval_next_to_the_score(large: Path, diagnose: Diagnose, options: str) -> None:
    """No format has a forecast value alone."""
    (document,) = [as_json(diagnose, f"{WORDS} -m AP {options}")]
    [score] = document["scores"]
    assert list(score)[:4] == ["measure", "score", "low", "high"]
    assert score["low"] < score["high"]
    for name in ("csv", "tsv"):
        [row] = csv.DictReader(
            diagnose(f"{WORDS} -m AP {options} --format {name}").out.splitlines(),
            delimiter="," if name == "csv" else "\t",
        )
        assert [float(row["low"]), float(row["high"])] == [score["low"], score["high"]]
        assert row["sentence"] == score["sentence"]
        assert ("outcome" in row) == bool(options)
    for name in ("table", "markdown", "latex"):
        out = diagnose(f"{WORDS} -m AP {options} --format {name}").out
        line = next(line for line in out.splitlines() if re.match(r"\|? ?AP ", line))
        numbers = [float(number) for number in re.findall(r"0\.\d{4}", line)]
        assert numbers[1:3] == pytest.approx([score["low"], score["high"]], abs=6e-5)
    for pair in document["against"]:
        assert pair["low"] <= pair["high"]
        assert pair["outcome"] in pair["sentence"].lower() or pair["outcome"] == "not significant"


@pytest.mark.parametrize(("name", "end"), [("markdown", ""), ("latex", "\\end{tabular}")])
def test_sentences_stand_under_a_typeset_table(large: Path, diagnose: Diagnose, name: str, end: str) -> None:
    """No cell holds a sentence; the caption names the run and the pool."""
    document = as_json(diagnose, f"{WORDS} -m AP --against r0")
    out = diagnose(f"{WORDS} -m AP --against r0 --format {name}").out
    caption, rest = out.split("\n", 1)
    assert caption.removeprefix("% ").startswith("run r6 on 12 topics; pool depth 10")
    table, _, below = rest.strip().partition(f"\n{end}\n")
    assert " as judged." not in table
    assert "sentence" not in table
    for sentence in (document["scores"][0]["sentence"], document["against"][0]["sentence"]):
        assert sentence in [line.removeprefix("% ") for line in below.splitlines()]


def test_the_json_is_the_documented_shape(large: Path, diagnose: Diagnose) -> None:
    """The keys are those of docs/reference/json.md."""
    document = as_json(diagnose, f"{WORDS} --against r0")
    page = (ROOT / "docs/reference/json.md").read_text().split("## diagnose")[1].split("\n## ")[0]
    keys = {*document, *document["scores"][0], *document["against"][0]}
    assert keys == set(re.findall(r'"(\w+)":', page))


@pytest.mark.full
def test_the_seed_is_an_option(large: Path, diagnose: Diagnose) -> None:
    first, other = (as_json(diagnose, f"{WORDS} -m AP {more}")["scores"] for more in ("--seed 0", "--seed 1"))
    assert first[0]["low"] != other[0]["low"]


def test_a_draw_is_written_labelled_and_read_back(
    large: Path, diagnose: Diagnose, full: dict[str, dict[str, int]]
) -> None:
    """Seed, frame and order are in the file; labels make the interval narrower."""
    result = diagnose(f"{WORDS} --draw 30 draw.tsv --pool-out pool.tsv")
    assert "30 documents of " in result.out
    lines = Path("draw.tsv").read_text().splitlines()
    pairs = [line.split("\t")[1:3] for line in lines[6:]]
    assert [line.split("\t") for line in Path("pool.tsv").read_text().splitlines()] == [["qid", "docno"], *pairs]
    labelled = [f"{line[:-1]}{full[qid][docno]}" for line, (qid, docno) in zip(lines[6:], pairs, strict=True)]
    Path("drawn.tsv").write_text("\n".join([*lines[:6], *labelled]) + "\n")
    before, after = as_json(diagnose, WORDS), as_json(diagnose, f"{WORDS} --drawn drawn.tsv")
    assert (before["labels"], after["labels"]) == (0, 30)
    assert before["unjudged_documents"] == after["unjudged_documents"]
    widths = [document["scores"][0]["high"] - document["scores"][0]["low"] for document in (before, after)]
    assert widths[1] < widths[0]
    assert " of the 30 labelled documents in the draw are relevant, so" in diagnose(f"{WORDS} --drawn drawn.tsv").out
    Path("part.tsv").write_text("\n".join([*lines[:6], *labelled[:3], lines[9], labelled[4], *lines[11:]]) + "\n")
    part = diagnose(f"{WORDS} --drawn part.tsv")
    assert "note: 3 of the draw's 4 labels are used, because an earlier document has no label" in part.err


@pytest.mark.full
def test_a_draw_without_labels_is_noted(large: Path, diagnose: Diagnose) -> None:
    """Each row has four columns, with - for a grade; a file without any, or of three columns, is no label."""
    assert diagnose(f"{WORDS} --draw 3 draw.tsv").code == 0
    rows = [line.split("\t") for line in Path("draw.tsv").read_text().splitlines()[5:]]
    assert [len(row) for row in rows] == [4, 4, 4, 4]
    assert {row[3] for row in rows[1:]} == {"-"}
    Path("old.tsv").write_text(Path("draw.tsv").read_text().replace("\t-\n", "\n"))
    for name in ("draw.tsv", "old.tsv"):
        result = diagnose(f"{WORDS} --drawn {name}")
        expected = f"note: {name}: none of the 3 drawn documents has a label, so the draw has no effect; write grades"
        assert (result.code, expected in result.err) == (0, True)


@pytest.mark.parametrize("grade", ["0.5", "5", "9"])
def test_a_label_outside_the_scale_is_refused(large: Path, diagnose: Diagnose, grade: str) -> None:
    """With its line, which a blank line above shifts; so is a document that was not drawn."""
    assert diagnose(f"{WORDS} --draw 3 draw.tsv").code == 0
    *head, first, second, third = Path("draw.tsv").read_text().splitlines()
    Path("wrong.tsv").write_text("\n".join([*head, f"{first[:-1]}1", "", f"{second[:-1]}{grade}", third]))
    error = f"wrong.tsv:9: found grade {grade}; expected a whole number from 0 to 1, as in the judgments"
    assert diagnose(f"{WORDS} --drawn wrong.tsv").err.endswith(f"error: {error}\n")
    number, qid, docno, _ = second.split("\t")
    Path("wrong.tsv").write_text("\n".join([*head, first, f"{number}\t{qid}\t{docno}x\t1", third]))
    error = f"wrong.tsv:8: found document {docno}x of topic {qid}; expected {docno} of topic {qid}, which was drawn at"
    assert error in diagnose(f"{WORDS} --drawn wrong.tsv").err


@pytest.mark.full
def test_labels_are_carried_over_and_never_lost(large: Path, diagnose: Diagnose) -> None:
    """A longer draw of the same seed begins with the labels; without them it does not replace their file."""
    assert diagnose(f"{WORDS} --draw 5 draw.tsv").code == 0
    text = re.sub(r"(?m)^(\d+\t\S+\t\S+\t)-$", r"\g<1>1", Path("draw.tsv").read_text())
    Path("drawn.tsv").write_text(text)
    refusal = diagnose(f"{WORDS} --draw 9 drawn.tsv")
    message = "the file contains 5 labels that the new draw would lose; name another file"
    assert refusal.err.endswith(f"error: drawn.tsv: {message}\n")
    assert diagnose(f"{WORDS} --drawn drawn.tsv --draw 9 draw.tsv").code == 0
    assert Path("draw.tsv").read_text().splitlines()[6:11] == text.splitlines()[6:11]
    assert Path("drawn.tsv").read_text() == text


@pytest.mark.full
def test_a_store_keeps_a_draw_as_a_pool_and_its_labels(
    large_store: Path, diagnose: Diagnose, cranfield: Cranfield, full: dict[str, dict[str, int]]
) -> None:
    """Judged there, the labels are those of a draw file: they change the shift, not what the model is fitted to."""
    assert diagnose(f"{WORDS} --draw 20 draw.tsv").code == 0
    result = diagnose("t.db r6 --draw 20 stored.tsv --store-pool")
    assert re.search(
        r"pool 2: 20 of \d+ unjudged documents, drawn at random from r6, 0 labelled, 20 to judge in this order\n",
        result.out,
    )
    lines = Path("draw.tsv").read_text().splitlines()
    pairs = [tuple(line.split("\t")[1:3]) for line in lines[6:]]
    with Store.open(large_store) as store:
        after = stored_pool(store, 2)
        assert stored_pool(store).number == 1
        assert list(run_info(store)) == POOLED.split()
    assert [(d.qid, d.docno) for d in sorted(after.documents, key=lambda d: d.depth)] == pairs
    assert (after.method, after.parameters["run"], after.parameters["frame_depth"], after.seed) == (
        "random-draw", "r6", 10, 0,
    )  # fmt: skip
    assert cranfield("pool show t.db").out.startswith("pool 1: depth")
    shown = cranfield("pool show t.db --pool 2").out.splitlines()[0]
    assert re.match(
        r"pool 2: random-draw, from \d+ unjudged documents in the first 10 of r6; 20 documents, 20 to", shown
    )
    again = diagnose("t.db r6 --draw 20 stored.tsv --store-pool")
    assert "this draw is already stored as pool 2: 20 documents, 0 labelled, 20 to judge" in again.out

    def told(words: str) -> Any:
        return {name: value for name, value in as_json(diagnose, words).items() if name not in OF_SOURCE}

    assert told("t.db r6") == told(WORDS)
    Path("labels").write_text("".join(f"{qid} 0 {docno} {full[qid][docno]}\n" for qid, docno in pairs))
    cranfield.run("import qrels t.db labels --assessor ada", "pool show t.db", "pool diff t.db 1 2")
    drawn = [f"{line[:-1]}{full[qid][docno]}" for line, (qid, docno) in zip(lines[6:], pairs, strict=True)]
    Path("drawn.tsv").write_text("\n".join([*lines[:6], *drawn]) + "\n")
    assert told("t.db r6")["labels"] == 20
    assert told("t.db r6") == told(f"{WORDS} --drawn drawn.tsv")
    assert json.loads(cranfield("reusability t.db --format json").out)["units"]
    longer = diagnose("t.db r6 --draw 30 stored.tsv --store-pool")
    assert re.search(
        r"pool 3: 30 of \d+ unjudged documents, drawn at random from r6, 20 labelled, 10 to judge", longer.out
    )
    assert told("t.db r6")["labels"] == 20


def test_a_draw_of_an_earlier_version_is_shown_as_one(
    large_store: Path, diagnose: Diagnose, cranfield: Cranfield, full: dict[str, dict[str, int]]
) -> None:
    """It was stored by the method mtc, with all documents of the pool before it; its labels count as before."""
    assert diagnose(f"{WORDS} --draw 20 draw.tsv").code == 0
    lines = Path("draw.tsv").read_text().splitlines()
    pairs = [tuple(line.split("\t")[1:3]) for line in lines[6:]]
    with Store.open(large_store) as store:
        before = stored_pool(store)
        added = [PooledDocument(qid, docno, 5, ()) for qid, docno in pairs]
        record = {
            "run": "r6", "depth": 10, "seed": 0, "frame_size": int(lines[4].split("\t")[1]),
            "frame": lines[4].split("\t")[2], "documents": pairs,
        }  # fmt: skip
        about = {"depth": 10, "runs": POOLED.split(), "decides": ["r6"], "considered": 10, "draw": record, "holds": 1}
        add_pool(store, Pool("mtc", about, [*before.documents, *added], seed=0))
    for command in ("pool show", "progress"):
        assert cranfield(f"{command} t.db").out.startswith("pool 2: random-draw, ")
    Path("labels").write_text("".join(f"{qid} 0 {docno} {full[qid][docno]}\n" for qid, docno in pairs))
    cranfield.run("import qrels t.db labels --assessor ada")
    assert as_json(diagnose, "t.db r6")["labels"] == 20
    again = diagnose("t.db r6 --draw 20 stored.tsv --store-pool")
    assert "this draw is already stored as pool 2: 20 documents, 20 labelled, 0 to judge" in again.out


def test_a_stored_draw_is_judged_in_its_order(large_store: Path, diagnose: Diagnose) -> None:
    """Only the drawn documents, over topics; the labels of an unfinished draw count as far as they go."""
    diagnose("t.db r6 --draw 12 stored.tsv --store-pool")
    with Store.open(large_store) as store:
        pool = stored_pool(store, 2)
        drawn = [(d.qid, d.docno) for d in sorted(pool.documents, key=lambda d: d.depth)]
        session, seen = Session(store, "ada", pool), []
        for _ in range(5):
            seen.append(session.pair)
            session.grade(session.command_target(), 0)
        assert session.order == "draw"
        session = Session(store, "ada", pool)
        session.later(session.command_target())
        seen.append(session.pair)
    assert seen == [*drawn[:5], drawn[6]]
    assert len({qid for qid, _ in drawn[:5]}) > 1
    assert drawn != sorted(drawn)
    assert as_json(diagnose, "t.db r6 -m P@10")["labels"] == 5


def test_without_a_model_there_are_bounds_and_a_draw(diagnose: Diagnose) -> None:
    """By hand: two of four documents are unjudged, and either may be relevant."""
    document = as_json(diagnose, "qrels a b new --depth 2 -m P@2 -m NumRelRet")
    assert document["reasons"] == [
        "2 pooled runs; expected at least 3",
        "4 training pairs; expected at least 30", "2 relevant training pairs; expected at least 10",
    ]  # fmt: skip
    precision, count = document["scores"]
    assert (precision["score"], precision["lowest"], precision["highest"]) == (0.25, 0.25, 0.75)
    assert (precision["low"], precision["status"]) == (None, "no model")
    assert (count["score"], count["lowest"], count["highest"]) == (1, 1, 3)
    proposal = "cranfield diagnose qrels a b new -m P@2 -m NumRelRet --depth 2 --draw 2 draw.tsv"
    assert document["proposal"] == proposal
    out = diagnose("qrels a b new --depth 2 -m P@2").out
    assert "\nNo forecast: 4 training pairs; expected at least 30.\n" in out
    assert out.endswith(
        f"\nTo learn more, judge a random draw of 2 unjudged documents:\n  {proposal.replace(' -m NumRelRet', '')}\n"
    )


@pytest.mark.full
def test_the_proposed_command_has_the_options_given(
    large: Path, large_store: Path, diagnose: Diagnose, cranfield: Cranfield
) -> None:
    """Its draw can be read with the same options; those of the output and of another draw are not in it."""
    Path("few").write_text("q00\nq01\nq02\n")
    words = f"{WORDS} -m AP --topics few --ignore-own-id --against r0"
    proposal = as_json(diagnose, words)["proposal"]
    assert proposal.startswith("cranfield diagnose qrels RUNS... r6 ")
    for option in ("-m AP", "--topics few", "--ignore-own-id", "--against r0", "--draw 16 draw.tsv"):
        assert f" {option}" in proposal
    options = proposal.removeprefix("cranfield diagnose qrels RUNS... r6 ")
    assert diagnose(f"{WORDS} {options}").code == 0
    assert diagnose(f"{words} --drawn draw.tsv").code == 0
    again = as_json(diagnose, f"{words} --drawn draw.tsv --seed 3")["proposal"]
    assert " --drawn draw.tsv --seed 3 " in again
    assert again.endswith(" more.tsv")  # an input is not overwritten
    cranfield.run("import runs t.db r6")
    assert " --labels people --draw " in as_json(diagnose, "t.db r6 -m P@10 --labels people")["proposal"]


def test_one_run_alone_has_bounds(diagnose: Diagnose) -> None:
    document = as_json(diagnose, "qrels new -m P@2")
    assert document["reasons"] == ["no pooled runs were given; expected at least 3"]
    assert (document["depth"], document["pooled_runs"]) == (10, 0)


def test_without_a_model_worst_cases_decide_a_difference(diagnose: Diagnose) -> None:
    [pair] = as_json(diagnose, "qrels a b new --depth 2 -m P@2 --against b")["against"]
    assert (pair["against"], pair["difference"], pair["draws"]) == ("b", -0.25, 0)
    assert (pair["low"], pair["high"]) == (-0.25, 0.25)
    assert pair["share"] is None


def test_a_run_without_unjudged_documents_has_its_score(diagnose: Diagnose) -> None:
    """Nothing is proposed then."""
    Path("new").write_text(RUN_A.replace(" a\n", " new\n"))
    document = as_json(diagnose, "qrels a b new --depth 2 -m P@2")
    [score] = document["scores"]
    assert (score["status"], score["low"], score["high"]) == ("judged", score["score"], score["score"])
    assert document["proposal"] is None
    table = diagnose("qrels a b new --depth 2 -m P@2").out
    assert table.endswith(": its first 2 documents are judged.\n")
    assert ("no unjudged document among the" in table, "0.0%" in table) == (True, False)
    refusal = diagnose("qrels a b new --depth 2 --draw 3 d.tsv")
    assert "error: the first 2 documents of new are all judged, so there is nothing to draw" in refusal.err


@pytest.mark.full
def test_a_store_and_its_files_say_the_same(track: Path, diagnose: Diagnose, cranfield: Cranfield) -> None:
    """The store knows its pool's depth. A run that it holds is meant by its tag, whatever file is called so."""

    def scores(words: str) -> Any:
        return {name: value for name, value in as_json(diagnose, words).items() if name not in OF_SOURCE}

    by_file = scores("track.db new --against b")
    assert by_file == scores("qrels a b new --against b --depth 2")
    assert cranfield("import runs track.db new").code == 0
    Path("new").write_text(RUN_A.replace(" a\n", " other\n"))
    assert scores("track.db new --against b") == by_file
    Path("new").rename("file")
    Path("file").write_text(NEW)
    assert scores("track.db file")["run"] == "file"


@pytest.mark.full
def test_a_stored_draw_names_documents_without_text(track: Path, diagnose: Diagnose, cranfield: Cranfield) -> None:
    result = diagnose("track.db new --draw 2 stored.tsv --store-pool")
    assert "new, 0 labelled, 2 to judge in this order; 1 of them cannot be judged without a text" in result.out
    cranfield.run("pool show track.db", "pool show track.db --by run")
    assert as_json(diagnose, "track.db new")["depth"] == 2


@pytest.mark.full
def test_a_sample_is_left_alone(track: Path, diagnose: Diagnose, cranfield: Cranfield) -> None:
    """A draw is a pool of its own, which does not change the probabilities of a sample."""
    output = cranfield("pool build track.db --method uniform --budget 2")
    assert output.code == 0, output.err
    result = diagnose("track.db new --draw 1 stored.tsv --depth 2 --store-pool")
    assert "pool 3: 1 of 2 unjudged documents, drawn at random from new" in result.out
    with Store.open(track) as store:
        sample, draw = stored_pool(store, 2), stored_pool(store, 3)
    assert {one.probability for one in draw.documents} == {None}
    assert None not in {one.probability for one in sample.documents}


def test_sentences_are_as_wide_as_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """In a pipe they are one line each."""
    monkeypatch.setenv("COLUMNS", "80")
    words = ["diagnose", "qrels", "a", "b", "new", "--depth", "2", "--against", "b"]
    program.app(words, standalone_mode=False)
    assert max(map(len, capsys.readouterr().out.splitlines())) > 120
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    program.app(words, standalone_mode=False)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(len, plain.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("qrels a b new --against c", "there is no run 'c' to compare with; available: a, b"),
        ("qrels a b new --against new", "'new' is the new run itself; name another run with --against"),
        ("qrels new --against a --depth 2", "there is no run 'a' to compare with; only the new run was given"),
        ("nowhere new", "nowhere: no such file"),
        ("qrels a b new --protect 7", "qrels: '7' does not occur in the second column of the qrels"),
        ("qrels a b new --depth 2 --draw 1 stored.tsv --store-pool", "qrels: --store-pool needs a store; without it"),
        ("qrels a b new --depth 2 --draw 1 no/list.tsv", "no: no such folder"),
        ("qrels a b nowhere", "nowhere: no such file"),
        ("qrels a b new -m alpha_nDCG@10", "alpha_nDCG@10 needs judgments of subtopics, whose labels cannot"),
        ("qrels a b new -m RBPresid --against a", "RBPresid measures the judged share, so it has no forecast; choose"),
        ("qrels a b new -m Judged@2", "Judged@2 measures the judged share, so it has no forecast; choose another"),
        ("qrels a b new -m xinfAP", "xinfAP needs a stratified sample, whose labels cannot be simulated"),
        ("qrels a b new --depth 2 --drawn qrels", "qrels:1: found 'q1 0 d1 1'; expected '# random draw of unjudged"),
    ],
)
def test_what_cannot_be_done_is_said(diagnose: Diagnose, words: str, message: str) -> None:
    """In one line, as any other fault of the data."""
    result = diagnose(words)
    assert (result.code, result.err.count("error: ")) == (1, 1)
    assert f"error: {message}" in result.err


def test_a_draw_of_another_run_or_depth_is_refused(diagnose: Diagnose) -> None:
    assert diagnose("qrels a b new --depth 2 --draw 1 draw.tsv").code == 0
    Path("again").write_text(NEW.replace(" new\n", " again\n"))
    refusal = diagnose("qrels a b again --depth 2 --drawn draw.tsv")
    assert "error: draw.tsv:2: found a draw from run 'new'; expected 'again'" in refusal.err
    refusal = diagnose("qrels a b new --depth 1 --drawn draw.tsv")
    assert "error: draw.tsv:3: found depth 2; expected 1; to use this draw, add --depth 2" in refusal.err
    Path("qrels").write_text(QRELS + "q1 0 x1 1\n")
    refusal = diagnose("qrels a b new --depth 2 --drawn draw.tsv")
    assert "error: draw.tsv:5: found a frame of 2 documents; expected the 1 unjudged" in refusal.err


def test_a_run_that_a_store_does_not_have(track: Path, diagnose: Diagnose) -> None:
    refusal = diagnose("track.db neww")
    assert refusal.err == "error: neww: neither a file nor a run in track.db; available: a, b\n"


@pytest.mark.parametrize(
    "words",
    ["qrels", "qrels a new --store-pool", "qrels a new --pool-out list.tsv", "qrels a new --draw 3",
     "qrels a new --draw 0 x.tsv", "qrels a new --draw 3 --store-pool"],
)  # fmt: skip
def test_wrong_usage_is_told_apart(diagnose: Diagnose, words: str) -> None:
    assert diagnose(words).code == 2


def test_a_run_of_other_topics_is_refused(folder: Path, cranfield: Cranfield) -> None:
    (folder / "other").write_text("t9 Q0 d1 1 9 other\n")
    result = cranfield("diagnose qrels a b other")
    assert result.code == 1
    assert result.err.endswith("error: other has results for topics t9; expected judged topics, such as q1, q2\n")


@pytest.mark.parametrize("words", ["qrels a b new", "qrels new", "track.db new"])
def test_topics_that_are_not_asked_for_are_not_called_unjudged(
    track: Path, folder: Path, cranfield: Cranfield, words: str
) -> None:
    """Of a set of topics the new run counts on these alone, as the others do."""
    (folder / "set").write_text("q1\n")
    result = cranfield(f"diagnose {words} --topics set --depth 2 --format json")
    assert result.code == 0, result.err
    assert "not judged" not in result.err
    assert json.loads(result.out)["topics"] == 1
    (folder / "set").write_text("q2\n")
    (folder / "new").write_text("q1 Q0 x1 1 9 new\n")
    refusal = cranfield(f"diagnose {words} --topics set")
    assert (refusal.code, "q1" in refusal.err, "q2" in refusal.err) == (1, True, True)


def test_two_runs_of_one_name(diagnose: Diagnose) -> None:
    """The new run goes by its file's name where its tag is taken, and is refused where that is taken, too."""
    Path("better.gz").write_text(RUN_A)
    assert as_json(diagnose, "qrels a b better.gz --depth 2")["run"] == "better"
    assert "the run 'a' is already one of the known runs" in diagnose("qrels a b a --depth 2").err


@pytest.mark.parametrize("unjudged", ["", "q1 0 d9 -1\n"])
def test_qrels_of_relevant_documents_only_are_noted(diagnose: Diagnose, unjudged: str) -> None:
    """What they lack may be judged, so there is no forecast, and a note says so."""
    Path("positives").write_text("q1 0 d1 1\nq2 0 d1 1\n" + unjudged)
    result = diagnose("positives a b new --depth 2 -m P@2")
    assert result.code == 0
    assert result.err.count("note: the qrels list only relevant documents and do not show which documents were") == 1
    assert "No forecast" in result.out
