"""Every bad input that the specification of living collections names: one line that says what is wrong, exit 1."""

from pathlib import Path

import pytest

from tests.conftest import Cranfield
from tests.rounds.test_rounds import JUDGED, RUNS, living, qrels_file, run_file

CASES = {  # what is done first, the command, what it says
    "a round before the one before is closed": (
        [], ["round", "start", "T", "3"], "round 2 is open; close it first with `cranfield round close T 2`"
    ),
    "a renaming in a circle": (
        [["round", "close", "T", "2"]], ["round", "start", "T", "3", "--renamed", "CIRCLE"],
        "circle.tsv:1: document 'd1' is renamed to 'e9', which is also renamed",
    ),
    "a round that was opened": ([], ["round", "start", "T", "2"], "round 2 already exists"),
    "a round that was closed": ([], ["round", "close", "T", "1"], "round 1 is already closed"),
    "an unknown round to close": ([], ["round", "close", "T", "4"], "no round '4' in this store; available: 1, 2"),
    "an unknown round": ([], ["evaluate", "T", "--round", "5"], "no round '5' in this store; available: 1, 2"),
    "labels of no round": ([], ["evaluate", "T", "--judged", "own"], "--judged own needs --round NAME"),
    "a round of files": (
        [], ["evaluate", "Q", "C", "--round", "1"], "--round and --judged need a store; for files, name"
    ),
    "files of a store": ([], ["evaluate", "T", "--remove-judged", "Q"], "--remove-judged applies only to files"),
    "a run that is here": ([], ["import", "runs", "T", "C"], "run 'c' of c is already in round 2"),
    "a document with two new names": (
        [["round", "close", "T", "2"]], ["round", "start", "T", "3", "--renamed", "TWICE"],
        "twice.tsv:2: document 'd1' is already renamed on line 1",
    ),
    "no new name": (
        [["round", "close", "T", "2"]], ["round", "start", "T", "3", "--renamed", "ONE"],
        "one.tsv:1: found '1'; expected the old and the new docno",
    ),
    "documents that are pairs": (
        [["round", "close", "T", "2"]], ["round", "start", "T", "3", "--documents", "NEW"],
        "new.tsv:1: 'd1 n1'; expected one docno per line",
    ),
    "two documents into one": (
        [["round", "close", "T", "2"]], ["round", "start", "T", "3", "--renamed", "MERGED"],
        "'d1' and 'd2' cannot become one document: for topic '1', the first has grade 1 and the second has grade 0",
    ),
    "a name that a document has no more": (
        [["round", "close", "T", "2"], ["round", "start", "T", "3", "--renamed", "NEW"], ["round", "close", "T", "3"]],
        ["round", "start", "T", "4", "--renamed", "AGAIN"],
        "document 'd1' is already called 'n1'; rename that document",
    ),
    "a name that another document had": (
        [["round", "close", "T", "2"], ["round", "start", "T", "3", "--renamed", "NEW"], ["round", "close", "T", "3"]],
        ["round", "start", "T", "4", "--renamed", "TAKEN"],
        "document 'd9' cannot be renamed to 'd1', which is an earlier name of 'n1'",
    ),
    "an unknown set": (
        [["topics", "set", "T", "dev", "ONE"]], ["evaluate", "T", "--topics", "dex"],
        "no topic set and no file 'dex'; did you mean dev?",
    ),
    "a set that has none of the round's topics": (
        [["topics", "set", "T", "dev", "THREE"]], ["evaluate", "T", "--round", "1", "--topics", "dev"],
        "none of the topics of 'dev' counts in this store",
    ),
    "residual in the first round": (
        [], ["evaluate", "T", "--round", "1", "--judged", "residual"],
        "round 1 is the first round, so it has no residual judgments",
    ),
    "restoring what stands": ([], ["store", "restore", "T", "run", "c"], "run 'c' is not withdrawn"),
    "a tag of two runs": (
        [], ["store", "withdraw", "T", "run", "a", "--reason", "x"], "a: 1/a/a or 2/a/a"
    ),
    "lag over two teams": (
        [["round", "close", "T", "2"], ["round", "start", "T", "3"], ["import", "runs", "T", "A", "--teams", "TEAMS"]],
        ["lag", "T", "--rounds", "1,3", "--run", "a"], "1/a/a and 3/others/a are from different teams",
    ),
    "erasing an unknown name": (
        [], ["store", "erase", "T", "assessor", "nobody", "--reason", "x"], "no assessor 'nobody'"
    ),
    "judgments that are known": (
        [], ["import", "qrels", "T", "Q", "--assessor", "ada"],
        "use --cumulative to skip judgments that are already in the store"
    ),
    "a grade that is another": (
        [], ["import", "qrels", "T", "OTHER", "--assessor", "ada", "--cumulative"],
        "topic '1', document 'd8' has grade 1 here, and 0 in the file; replace it with --rejudged",
    ),
    "a run with topics that it has answered": (
        [], ["import", "runs", "T", "C", "--extend"], "run 'c' has answered 2 topics of these: 1, 3; make another run"
    ),
    "a delta without a pool": (
        [], ["pool", "extend", "T", "--run", "c", "--dry-run"],
        "no pool in this store has a depth; give one with --depth",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "words", "message"), CASES.values(), ids=CASES)
def test_a_line_each(
    tmp_path: Path, cranfield: Cranfield, before: list[list[str]], words: list[str], message: str
) -> None:
    track = living(tmp_path, cranfield)
    texts = {"CIRCLE": "d1\te9\ne9\td1\n", "MERGED": "d1\td2\n", "TWICE": "d1\te1\nd1\te2\n",
             "NEW": "d1\tn1\n", "AGAIN": "d1\tn2\n", "TAKEN": "d9\td1\n", "ONE": "1\n", "THREE": "3\n",
             "TEAMS": "run\tteam\na\tothers\n", "OTHER": "1 0 d8 0\n"}  # fmt: skip
    places = {"T": track, "A": run_file(tmp_path, "a", RUNS[2]["a"]), "C": run_file(tmp_path, "c", RUNS[2]["c"]),
              "Q": qrels_file(tmp_path, JUDGED[2])}  # fmt: skip
    for name, text in texts.items():
        (path := tmp_path / f"{name.lower()}.tsv").write_text(text)
        places[name] = path
    for one in before:
        assert cranfield(*(places.get(word, word) for word in one)).code == 0
    content = track.read_bytes()
    output = cranfield(*(places.get(word, word) for word in words))
    assert (output.code, output.out, output.err.count("error:")) == (1, "", 1), output
    assert message.replace(" T ", f" {track} ") in output.err
    assert track.read_bytes() == content


def test_what_a_release_has_may_be_withdrawn(tmp_path: Path, cranfield: Cranfield) -> None:
    """It is said, and the release keeps it."""
    track = living(tmp_path, cranfield)
    cranfield("store", "release", track, "1.0")
    output = cranfield("store", "withdraw", track, "run", "c", "--reason", "late")
    assert output.out == "run c: withdrawn; release 1.0 keeps it\n"
