"""Random draws of unjudged documents of files: the frame, the file, its labels, and wrong input."""

import json
from pathlib import Path
from warnings import catch_warnings

import pytest

import cranfield as api
from tests.conftest import Cranfield

DOCS = [f"d{number:02}" for number in range(20)]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Qrels of the first four documents of a run on two topics, and two runs of which one goes deeper."""
    qrels, one, two = (tmp_path / name for name in ("qrels.txt", "one.run", "two.run"))
    qrels.write_text("".join(f"{qid} 0 {docno} {int(docno < 'd02')}\n" for qid in "12" for docno in DOCS[:4]))
    for path, docnos in ((one, DOCS[:8]), (two, DOCS[4:20])):
        lines = (f"{qid} Q0 {docno} {rank} {-rank} {path.stem}\n" for qid in "123" for rank, docno in enumerate(docnos))
        path.write_text("".join(lines))
    return qrels, one, two


def test_a_file_is_drawn_and_read(cranfield: Cranfield, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """The frame is of judged topics, to the depth asked for; labels filled in from the top give the interval."""
    draw = tmp_path / "draw.tsv"
    command = ("pool", "forecast", *files)
    made = cranfield(*command, "--draw", 6, draw, "--frame-depth", 6, "--seed", 3)
    assert made.code == 0, made.err
    assert "6 documents drawn at random from 12 unjudged documents in the first 6 of the runs" in made.out
    lines = draw.read_text().splitlines()
    assert {line.split("\t")[2] for line in lines[6:]} <= {*DOCS[4:10]}
    filled = [f"{line[:-1]}{int(line.split()[2] in ('d04', 'd05'))}" for line in lines[6:]]
    draw.write_text("\n".join(lines[:6] + filled) + "\n")
    output = cranfield(*command, "--drawn", draw, "--format", "json")
    missing = json.loads(output.out)["missing"]
    assert missing["low"] <= 4 <= missing["high"] <= 12
    assert (missing["labelled"], missing["found"], missing["pool"]) == (6, 4, None)
    table = api.pooling.forecast_completeness(str(files[0]), [str(path) for path in files[1:]], drawn=draw).frame
    assert table["missing to"].tolist() == [missing["high"]]
    more = tmp_path / "more.tsv"
    longer = cranfield(*command, "--drawn", draw, "--draw", 12, more, "--frame-depth", 6, "--seed", 3)
    assert "6 of them have labels from an earlier draw" in longer.out
    assert more.read_text().splitlines()[6:12] == filled


def test_python_draws_too(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """Both functions write the draw of the command, and refuse what is not a size and a file."""
    qrels, one, two = map(str, files)
    draw, table = tmp_path / "draw.tsv", tmp_path / "pool.tsv"
    made = api.pooling.forecast_completeness(qrels, [one, two], draw=(6, draw), pool_out=table, frame_depth=6, rng=3)
    pairs = [line.split("\t")[1:3] for line in draw.read_text().splitlines()[6:]]
    assert made.frame[["query_id", "doc_id"]].values.tolist() == pairs
    assert [line.split("\t") for line in table.read_text().splitlines()[1:]] == pairs
    with pytest.raises(api.InputError, match="draw is 6; expected a pair of a whole number of at least 1 and a path"):
        api.pooling.forecast_completeness(qrels, [one, two], draw=6)  # type: ignore[arg-type]
    with pytest.raises(api.InputError, match=r"pool_out and store_pool require draw=\(N, OUT\)"):
        api.pooling.forecast_completeness(qrels, [one, two], pool_out=table)
    with catch_warnings(action="ignore"):  # on topics without judgments
        api.trust.diagnose(qrels, [one], new=two, depth=5, measures="P@5", draw=(3, str(tmp_path / "new.tsv")))
    assert (tmp_path / "new.tsv").read_text().splitlines()[1:3] == ["# run\ttwo", "# depth\t5"]


def test_labels_that_are_in_the_qrels_too(cranfield: Cranfield, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """The frame is that of the draw, and the labels are not counted as found before."""
    draw = tmp_path / "draw.tsv"
    cranfield("pool", "forecast", *files, "--draw", 3, draw)
    lines = draw.read_text().splitlines()
    draw.write_text("\n".join(lines[:6] + [line[:-1] + "1" for line in lines[6:]]))
    pairs = [line.split("\t")[1:3] for line in lines[6:]]
    files[0].write_text(files[0].read_text() + "".join(f"{qid} 0 {docno} 1\n" for qid, docno in pairs))
    output = cranfield("pool", "forecast", *files, "--drawn", draw, "--format", "json")
    assert json.loads(output.out)["missing"]["found"] == 4


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("--draw 5", 2, "Option '--draw' requires 2 arguments."),
        ("--draw 0 new.tsv", 2, "expected at least 1"),
        ("--draw 5 --store-pool", 2, "found the option --store-pool in place of OUT; expected N OUT"),
        ("--draw 5 new.tsv --store-pool", 1, "qrels.txt: --store-pool needs a store; without it"),
        ("--store-pool", 2, "--pool-out and --store-pool require --draw N OUT"),
        ("--drawn none.tsv", 1, "no such file"),
        ("--draw 5 qrels.txt", 1, "also an input file, which is not overwritten"),
        ("--drawn qrels.txt", 1, "qrels.txt:1: found '1 0 d00 1'; expected '# random draw of unjudged documents'"),
    ],
)  # fmt: skip
def test_wrong_use(
    cranfield: Cranfield, files: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch, *, options: str, code: int,
    message: str,
) -> None:  # fmt: skip
    """Messages name the option or the file, and a file with labels is not overwritten."""
    monkeypatch.chdir(files[0].parent)
    before = files[0].read_text()
    refusal = cranfield("pool", "forecast", *(path.name for path in files), *options.split())
    assert (refusal.code, refusal.out) == (code, "")
    assert message in " ".join(refusal.err.replace("│", " ").split())
    assert files[0].read_text() == before


def test_a_draw_of_nothing_is_refused(cranfield: Cranfield, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """Where all is judged, and where a draw has no labels yet."""
    files[0].write_text("".join(f"{qid} 0 {docno} 0\n" for qid in "123" for docno in DOCS))
    draw = tmp_path / "draw.tsv"
    refusal = cranfield("pool", "forecast", *files, "--draw", 5, draw)
    assert "all documents in the first 50 of the runs are judged" in refusal.err
    assert not draw.exists()
    files[0].write_text("1 0 d00 1\n")
    cranfield("pool", "forecast", *files, "--draw", 5, draw)
    empty = cranfield("pool", "forecast", *files, "--drawn", draw)
    assert (empty.code, "none of the 5 drawn documents has a label" in empty.err) == (1, True)
