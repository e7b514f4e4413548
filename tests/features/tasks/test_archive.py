"""The archive of a task: the same bytes twice, nothing private, and receipts that its log confirms."""

import csv
import hashlib
import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import InputError
from cranfield.features.tasks.archive import LOG, SUMS, write_archive
from cranfield.features.tasks.functions import check_receipt
from cranfield.features.tasks.submissions import take_runs
from cranfield.formats import read_runs
from cranfield.metrics.inputs import as_qrels
from cranfield.store.qrels import import_qrels
from tests.conftest import Cranfield
from tests.features.tasks.track import DOCNOS, TOKENS, Track, run_lines


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any], Track]]:
    """An archive, the receipt of a run in it, and its track: four teams with one run of one name each."""
    track = Track()
    receipts = [
        track.upload(team, run_lines("run", DOCNOS[at : at + 3])).json()["receipt"] for at, team in enumerate(TOKENS)
    ]
    track.upload("cuni", run_lines("gone"))
    browser = track.as_team("cuni")
    form = {"form": browser.get("/team/runs/gone").text.partition('name="form" value="')[2][:64]}
    browser.post("/team/runs/gone/withdraw", data=form)
    track.phase("closed")
    assert track.do(take_runs) == ["run", "1/udel/run", "1/uni3/run", "1/uni4/run"]
    track.do(lambda store: import_qrels(store, as_qrels({qid: {"d1": 1, "d2": 0} for qid in "123"}), "nist"))
    track.phase("results")
    folder = tmp_path_factory.mktemp("archive") / "one"
    assert track.do(lambda store: write_archive(store, folder)) == 4
    yield folder, receipts[1], track
    track.close()


Archived = tuple[Path, dict[str, Any], Track]


@pytest.mark.full
def test_the_same_bytes_twice(archive: Archived, tmp_path: Path) -> None:
    """Written again it is the same, file by file, and its list of hashes is right."""
    folder, _, track = archive
    track.do(lambda store: write_archive(store, tmp_path / "two"))
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert [(folder / one).read_bytes() for one in files] == [(tmp_path / "two" / one).read_bytes() for one in files]
    sums = {line[66:]: line[:64] for line in (folder / SUMS).read_text().splitlines()}
    assert sums == {
        str(one): hashlib.sha256((folder / one).read_bytes()).hexdigest() for one in files if str(one) != SUMS
    }
    names = {"task.toml", "topics.jsonl", "qrels.txt", "receipts.jsonl", LOG}
    assert names | {f"results/{name}" for name in ("index.html", "results.csv", "reusability.json")} <= sums.keys()
    rows = list(csv.DictReader((folder / "results" / "results.csv").read_text().splitlines()))
    assert {re.sub("^[0-9]+", "N", row["labels_of"]) for row in rows} == {"N labels by 1 assessor, policy primary"}
    page = (folder / "results" / "index.html").read_text()
    assert (
        "p: of the difference from the best run by nDCG@10, sign test, corrected for all pairs of runs; scored by "
        in page
    )
    assert "New systems on this collection" in page


def test_nothing_private_is_in_it(archive: Archived) -> None:
    """No contact, no token or its hash, nothing of what was withdrawn but that it was."""
    folder, _, track = archive
    whole = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    hashes = track.do(lambda store: [one for (one,) in store.rows("SELECT token_sha256 FROM team_link")])
    private = [*(f"{team}@x.org" for team in TOKENS), *track.tokens.values(), *hashes]
    assert not any(text.encode() in whole for text in private)
    assert not (folder / "runs" / "gone.run").exists()
    assert read_runs(sorted((folder / "runs").glob("*.run")), naming=lambda paths, tags: [str(p) for p in paths]).tags


def test_a_run_is_as_it_was_sent(archive: Archived) -> None:
    """Its hash is that of the receipt; beside it stands what was said of it."""
    folder, receipt, _ = archive
    content = (folder / "runs" / "1_udel_run.run").read_bytes()
    assert hashlib.sha256(content).hexdigest() == receipt["unpacked_sha256"]
    assert "team: udel" in (folder / "runs" / "1_udel_run.ir_metadata.yaml").read_text()


@pytest.mark.full
def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    """The bytes are those that were sent, also where the reader of runs passes over some."""
    with closing(Track()) as track:
        receipt = track.upload("cuni", BOM_UTF8 + run_lines("run")).json()["receipt"]
        track.phase("closed")
        track.do(take_runs)
        track.do(lambda store: import_qrels(store, as_qrels({"1": {"d1": 1}}), "nist"))
        track.do(lambda store: write_archive(store, tmp_path / "archive"))
    content = (tmp_path / "archive" / "runs" / "run.run").read_bytes()
    assert hashlib.sha256(content).hexdigest() == receipt["unpacked_sha256"]


def test_another_archive_is_not_written_over(archive: Archived) -> None:
    """A run that was withdrawn since would stay in it."""
    folder, _, track = archive
    with pytest.raises(InputError, match="this folder is not empty; expected a new or empty folder"):
        track.do(lambda store: write_archive(store, folder))


def test_a_receipt_is_checked(archive: Archived, tmp_path: Path, cranfield: Cranfield) -> None:
    """Against the log of the archive; what was changed in either is named with its line."""
    folder, receipt, _ = archive
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(receipt))
    output = cranfield("task", "receipt", path, folder).out
    assert output.startswith(f"run run of udel, received {receipt['received']}: the receipt is line ")
    assert output.strip().endswith(json.loads((folder / "heads.json").read_text())["log"]["head"])
    assert cranfield("task", "receipt", path).code == 0
    path.write_text(json.dumps(receipt | {"tag": "other"}))
    assert (
        cranfield("task", "receipt", path, folder).err
        == f"error: {path}: the hash does not match the receipt, so the receipt was changed\n"
    )
    path.write_text(json.dumps(receipt))
    lines = (folder / LOG).read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if receipt["hash"] in line)
    for rows, wrong in (
        ([*lines[:at], *lines[at + 1 :]], f":{at + 1}: the line does not continue the chain, so the log was changed"),
        (
            [*lines[:at], lines[at].replace("udel", "uni3"), *lines[at + 1 :]],
            f":{at + 1}: the hash does not match the line",
        ),
        (lines[:at], f"receipt.json: the log .{at} lines. does not contain this receipt"),
    ):
        (tmp_path / LOG).write_text("\n".join(rows))
        with pytest.raises(InputError, match=wrong.replace("?", "")):
            check_receipt(path, archive=tmp_path)
    path.write_text("{}")
    assert "expected an unchanged receipt from the server" in cranfield("task", "receipt", path).err
