"""`diff` of qrels files: as of a store that has them, of two in full, of more in a row for each pair."""

import json
from pathlib import Path

import cranfield as package
from tests.conftest import Cranfield

LINES = {"one": "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n2 0 d2 0\n", "two": "1 0 d1 1\n1 0 d2 1\n2 0 d1 1\n2 0 d2 1\n"}
RUNS = {"a": "1 Q0 d1 1 2 a\n2 Q0 d2 1 2 a\n", "b": "1 Q0 d2 1 2 b\n2 Q0 d1 1 2 b\n"}


def test_two_and_three_files(tmp_path: Path, cranfield: Cranfield) -> None:
    paths = [tmp_path / name for name in (*LINES, *RUNS)]
    for path, lines in zip(paths, (*LINES.values(), *RUNS.values()), strict=True):
        path.write_text(lines)
    document = json.loads(cranfield("diff", *paths, "-m", "AP", "--format", "json").out)
    assert (document["labels"]["same"], document["labels"]["changed"], len(document["systems"])) == (2, 2, 2)
    changes = package.judging.compare_judgments(paths[0], paths[1], show="labels").frame
    assert changes[["query_id", "doc_id", "a", "b"]].to_numpy().tolist() == [["1", "d2", 0, 1], ["2", "d2", 0, 1]]
    (third := tmp_path / "three").write_text(LINES["one"])
    rows = cranfield("diff", paths[0], paths[1], third, *paths[2:], "-m", "AP", "--format", "csv").out.splitlines()
    assert rows[0] == "a,b,same,changed,only a,only b,tau AP"
    assert [row.split(",")[2:4] for row in rows[1:]] == [["2", "2"], ["4", "0"], ["2", "2"]]
    (other := tmp_path / "other").write_text("3 0 d1 1\n")  # which shares no document with the others
    rows = cranfield("diff", other, *paths[:2], *paths[2:], "-m", "AP", "--format", "csv").out.splitlines()
    assert [row.split(",")[2:6] for row in rows[1:]] == [
        ["0", "0", "1", "4"],
        ["0", "0", "1", "4"],
        ["2", "2", "0", "0"],
    ]
    assert rows[0].endswith("tau AP")
    assert "no document has labels from both" in cranfield("diff", other, paths[0]).err
    assert cranfield("diff", paths[0], paths[2]).err.endswith(
        "expected a store, or at least two qrels files followed by runs\n"
    )


def test_minus_1_in_a_file_is_no_label(tmp_path: Path, cranfield: Cranfield) -> None:
    """Documents that nobody judged are not labelled equally: raw agreement would be 0.8125, with 13 equal labels."""
    first, second = [0, 1, 1, 0, 2, 2, *[-1] * 10], [0, 1, 0, 0, 2, 1, *[-1] * 9, 1]
    for name, grades in (("a", first), ("b", second)):
        (tmp_path / name).write_text("".join(f"1 0 d{number} {grade}\n" for number, grade in enumerate(grades)))
    paths = tmp_path / "a", tmp_path / "b"
    labels = json.loads(cranfield("diff", *paths, "--format", "json").out)["labels"]
    assert [labels[name] for name in ("same", "changed", "only_a", "only_b")] == [4, 2, 0, 1]
    printed = cranfield("agreement", *paths).out
    assert "6 documents with at least two labels" in printed
    assert "The labels by a outside the scale are left out: -1 (10x)" in printed
    with_minus_1 = cranfield("agreement", *paths, "--scale", "-1,0,1,2").out
    assert "16 documents with at least two labels" in with_minus_1
