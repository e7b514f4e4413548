"""Whoever changes one file of a published folder and recomputes the checksums is found out, and no store is made."""

import json
import shutil
import subprocess
import warnings
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import cranfield as api
from cranfield.features.publishing.manifest import PROGRAM, SIGNATURE, write_manifest
from tests.conftest import Cranfield, usually
from tests.features.publishing.conftest import TARGETS, build_draft
from tests.features.publishing.tampering import (
    Row,
    change_collection,
    change_head,
    change_lines,
    change_rows,
    recompute,
)

QRELS, CORPUS, QUERIES = "qrels/test.parquet", "corpus/corpus-00000-of-00001.parquet", "queries/test.parquet"


pytestmark = [pytest.mark.full, pytest.mark.usefixtures("contents_alone")]


def _row(name: str, number: int, **values: Any) -> Callable[[Path], None]:
    return lambda root: change_rows(root, name, lambda rows: rows[number].update(values))


def _each(name: str, change: Callable[[Row], object]) -> Callable[[Path], None]:
    return lambda root: change_rows(root, name, lambda rows: [change(row) for row in rows])


def _replace(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        [path] = root.glob(name)
        change_lines(path, lambda lines: lines.__setitem__(slice(None), [line.replace(old, new) for line in lines]))

    return change


def _invert(lines: list[str]) -> None:
    """Grades of 0 and 1 in qrels of TREC."""
    lines[:-1] = [f"{line[:-1]}{1 - int(line[-1])}" for line in lines[:-1]]


def _collection(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    return lambda root: change_collection(root, change)


def _run(**values: Any) -> Callable[[Path], None]:
    return _collection(lambda document: document["runs"][1].update(values))


OTHER_SUM = "collection.json: its SHA-256 begins with "
TAMPERED: dict[str, tuple[Callable[[Path], None], str]] = {
    "all grades in Parquet": (
        _each(QRELS, lambda row: row.update(score=1 - row["score"])),
        f"{QRELS}: row 1 (q1, d1): score is 0.0; expected 1.0",
    ),
    "all grades of TREC": (
        lambda root: change_lines(root / "trec" / "qrels.txt", _invert),
        "trec/qrels.txt: line 1 is 'q1 0 d1 0'; expected 'q1 0 d1 1'",
    ),
    "all grades of BEIR": (_replace("beir/qrels/test.tsv", "\t1", "\t0"), "beir/qrels/test.tsv: line 2 is "),
    "a grade in the log": (
        _row("log/judgments.parquet", 2, grade=0),
        f"{QRELS}: row 3 (q2, d3): score is 1.0; expected 0.0",
    ),
    "a label in the log that does not count": (_row("log/judgments.parquet", 3, grade=1), "log/judgments.parquet"),
    "a topic": (_row(QUERIES, 1, text="kites"), "trec/topics.xml: line 8 is "),
    "a topic of TREC": (_replace("trec/topics.xml", "wings", "kites"), "trec/topics.xml: line 8 is "),
    "a topic of BEIR": (_replace("beir/queries.jsonl", "wings", "kites"), "beir/queries.jsonl: line 2 is "),
    "the order of topics": (
        _collection(lambda document: document["topics"].reverse()),
        f"{QUERIES}: row 1 (q2): _id is 'q2'; expected 'q1'",
    ),
    "a document": (_row(CORPUS, 1, text="another"), "document 'd1': the SHA-256 of its text is not "),
    "a document and its hash": (
        _row(CORPUS, 1, text="another", sha256=sha256(b"another").hexdigest()), "beir/corpus.jsonl: line 2 is "
    ),
    "a title": (_row(CORPUS, 1, title="another"), "beir/corpus.jsonl: line 2 is "),
    "an address": (_row(CORPUS, 1, url="https://example.org"), CORPUS),
    "a document of BEIR": (_replace("beir/corpus.jsonl", "title of d2", "?"), "beir/corpus.jsonl: line 3 is "),
    "lines of a run": (
        lambda root: change_lines(next(root.glob("runs/two_2-*.gz")), lambda lines: lines.__delitem__(slice(-3, -1))),
        ".run.gz: 2 lines; collection.json says 4",
    ),
    "a score of a run": (_replace("runs/two_2-*.gz", "0.3", "0.2"), ".run.gz: "),
    "what is said of a run": (
        _replace("runs/two_2-*.yaml", "trec/qrels.txt", "others.txt"),
        ".ir_metadata.yaml: the metadata are inconsistent with the descriptions of the collection and the run",
    ),
    "nothing said of a run": (
        lambda root: next(root.glob("runs/two_2-*.yaml")).unlink(), ".ir_metadata.yaml: this file is missing"
    ),
    "a pooled document": (_row("pools/pools.parquet", 0, depth=7), "trec/pool.tsv: line 2 is "),
    "a run without a file": (
        _run(file="nothing.run.gz"),
        "collection.json: the run 'two/2' names the file 'nothing.run.gz'; expected the name of a file in runs/",
    ),
    "a run elsewhere": (
        _run(file="../../etc/passwd"),
        "collection.json: the run 'two/2' names the file '../../etc/passwd'; expected the name of a file in runs/",
    ),
    "a run twice": (_run(tag="=one"), "collection.json: 2 runs have the tag '=one'; expected one"),
    "a file elsewhere": (
        _collection(lambda document: document["files"].update({"../../etc/passwd": "00"})),
        "collection.json: names '../../etc/passwd', which is not in the folder",
    ),
    "a count on the datasheet": (_replace("DATASHEET.md", "| 3 |", "| 4 |"), "DATASHEET.md: line "),
    "a count for Hugging Face": (_replace("README.md", "num_examples: 3", "num_examples: 4"), "README.md: line "),
    "a count for ir_datasets": (_replace("ir_datasets/metadata.json", '"1": 3', '"1": 4'), "metadata.json: line "),
    "a score of the report": (_replace("report.html", "0.5", "0.6"), "report.html: line "),
    "the licence": (_replace("CITATION.cff", "CC-BY-4.0", "MIT"), "CITATION.cff: line "),
    "a description": (
        _collection(lambda document: document["collection"].update(description="Better.")),
        "; expected ",
    ),
    "whether somebody was pooled": (_collection(lambda document: document["runs"][0].update(pooled=False)), OTHER_SUM),
    "for whom it is": (_collection(lambda document: document["options"].update(targets=[])), OTHER_SUM),
    "the program": (_collection(lambda document: document.update(program="cranfield 9.9")), OTHER_SUM),
    "the sums": (_collection(lambda document: document.pop("files")), OTHER_SUM),
    "the head": (_replace("log/log.json", '"head": "', '"head": "0'), "log/log.json: the head is '0"),
    "a chain": (_replace("log/log.json", '      "', '      "0'), "log/log.json: 1 chain does not end with an event"),
    "an assessor": (_replace("log/assessors.tsv", "a02\thuman", "a02\tmodel"), "; expected "),
}  # fmt: skip


@pytest.mark.parametrize("what", list(TAMPERED)[:: usually(5, 1)])
def test_one_changed_file_is_found(what: str, folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """With a line that says what was found and what would be right; nothing is imported."""
    change, message = TAMPERED[what]
    change(folder)
    recompute(folder)
    check = cranfield("publish", "check", folder, "--format", "json")
    lines = [f"{row['path']}: {row['what']}" for row in json.loads(check.out) if row["state"] == "wrong"]
    assert (check.code, [line for line in lines if message in line] != []) == (1, True), lines
    assert (check.err.count("\n"), check.err.startswith("error: ")) == (1, True), check.err
    refusal = cranfield("import", "collection", tmp_path / "new.db", folder)
    assert (refusal.code, refusal.err.count("\n"), len([*tmp_path.iterdir()])) == (1, 1, 1), refusal
    assert "`cranfield publish check` lists all faults" in refusal.err


KNOWN_TO_COLLECTION_JSON = {
    "a label in the log that does not count", "an address", "a file elsewhere", "whether somebody was pooled",
    "for whom it is", "the program", "the sums",
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(TAMPERED.keys() - KNOWN_TO_COLLECTION_JSON)[:: usually(9, 1)])
def test_the_sums_in_collection_json_do_not_help(what: str, folder: Path, cranfield: Cranfield) -> None:
    """It is found by what files say, too."""
    TAMPERED[what][0](folder)
    recompute(folder, thoroughly=True)
    assert cranfield("publish", "check", folder).code == 1


def test_twenty_lines_less_of_a_run_of_the_bundled_collection(
    workshop_folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    folder = shutil.copytree(workshop_folder, tmp_path / "copy")
    path = next((folder / "data" / "runs").glob("bm25.run.gz"))
    change_lines(path, lambda lines: lines.__delitem__(slice(-21, -1)))
    recompute(folder)
    check = cranfield("publish", "check", folder)
    assert (check.code, f"{path}: " in check.err, "lines; collection.json says " in check.err) == (1, True, True), check


@pytest.mark.parametrize(
    "options",
    usually(
        [{"log": "no", "policy": "min"}, {"runs": False, "split": ("q1",)}, {"text": False, "run_headers": True}],
        [{"log": "no"}, {"runs": False}, {"text": False}, {"policy": "min"}, {"split": ("q1",)}, {"run_headers": True}],
    ),
)
def test_whatever_is_published_is_right(
    options: dict[str, Any], small: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    """And inverted grades are found in it."""
    targets = [name for name in TARGETS if name != "beir" or options.get("text", True)]
    folder = build_draft(small, tmp_path / "folder", *targets, **options)
    check = cranfield("publish", "check", folder)
    assert (check.code, "cards, report and collection.json are not compared" in check.out) == (
        0, bool({"log", "runs"} & options.keys())
    ), check  # fmt: skip
    change_rows(folder / "data", QRELS, lambda rows: [row.update(score=1 - row["score"]) for row in rows])
    recompute(folder, thoroughly=True)
    assert cranfield("publish", "check", folder).code == 1


def test_a_header_that_is_changed(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """With --run-headers; without a header it is not what it was, either."""
    folder = build_draft(small, tmp_path / "folder", "hf", run_headers=True)
    for change in (
        _replace("runs/two_2-*", "trec/qrels.txt", "others.txt"),
        lambda root: change_lines(next(root.glob("runs/two_2-*")), lambda lines: lines.__delitem__(slice(-5))),
    ):
        change(folder)
        recompute(folder, thoroughly=True)
        check = cranfield("publish", "check", folder)
        assert (check.code, "its header is inconsistent with the descriptions" in check.err) == (1, True), check


def older(folder: Path) -> None:
    """As it was before files were named in collection.json, and a topic of the run was in its header."""

    def change(document: dict[str, Any]) -> None:
        del document["files"]
        for run in document["runs"]:
            del run["lines"]

    change_collection(folder, change)
    path = folder / "log" / "log.json"
    state = json.loads(path.read_text("utf-8"))
    del state["collection.json"]
    path.write_text(json.dumps(state, indent=2, ensure_ascii=False) + "\n", "utf-8")
    (folder / "ir_datasets" / "init.txt").unlink()
    _replace("DATASHEET.md", "What ", "Which ")(folder)
    recompute(folder)


def test_runs_with_headers_are_stated_as_by_earlier_versions(small: Path, tmp_path: Path) -> None:
    """By no word, so that their folders, whose files are all named, are what would be built now."""
    for headers, options_stated in ((True, {}), (False, {"run_headers": False})):
        folder = build_draft(small, tmp_path / str(headers), "hf", run_headers=headers)
        options = json.loads((folder / "collection.json").read_text("utf-8"))["options"]
        assert {name: value for name, value in options.items() if name == "run_headers"} == options_stated


def test_older_folders_are_checked_and_imported(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """What they lack is said; what they have is compared. Their runs begin with headers."""
    folder = build_draft(small, tmp_path / "copy", *TARGETS[1:], run_headers=True)
    older(folder)
    rows = json.loads(cranfield("publish", "check", folder, "--format", "json").out)
    assert [row for row in rows if row["state"] == "wrong"] == []
    skips = [row["what"] for row in rows if row["state"] == "skipped" and row["check"] in ("sums", "contents")]
    assert skips == [
        "cards, report and collection.json are not compared: an earlier version of the program made the folder",
        "not checked: this older folder does not state the checksums of its files",
    ]
    assert cranfield("import", "collection", tmp_path / "new.db", folder).code == 0
    TAMPERED["all grades of TREC"][0](folder)
    recompute(folder)
    assert cranfield("publish", "check", folder).code == 1


def test_words_of_another_version_are_not_compared(folder: Path, cranfield: Cranfield) -> None:
    change_collection(folder, lambda document: document.update(program="cranfield 9.9"))
    change_head(folder)
    _replace("DATASHEET.md", "What ", "Which ")(folder)
    recompute(folder)
    check = cranfield("publish", "check", folder)
    assert (check.code, "cranfield 9.9 made them, but this is cranfield" in check.out) == (0, True)


def test_of_another_build_the_data_are_checked(folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Cards and report by their hash alone; tables, qrels and collection.json as ever."""
    change_collection(folder, lambda document: document.update(build="0123456789abcdef"))
    change_head(folder)
    _replace("DATASHEET.md", "What ", "Which ")(folder)
    recompute(folder)
    check = cranfield("publish", "check", folder)
    assert (check.code, "another build of cranfield" in check.out) == (0, True)
    assert cranfield("import", "collection", tmp_path / "new.db", folder).code == 0
    TAMPERED["all grades of TREC"][0](folder)
    recompute(folder)
    assert cranfield("publish", "check", folder).code == 1


def test_a_report_of_another_build_is_checked_by_its_hash(folder: Path, cranfield: Cranfield) -> None:
    change_collection(folder, lambda document: document.update(build="0123456789abcdef"))
    change_head(folder)
    recompute(folder)
    report = folder / "report.html"
    report.write_bytes(report.read_bytes() + b" ")
    assert "report.html" in str(cranfield("publish", "check", folder))
    recompute(folder)
    assert cranfield("publish", "check", folder).code == 0


def test_a_file_beside_the_others_is_named(folder: Path, cranfield: Cranfield) -> None:
    """It is in the manifest, but nothing that this program makes."""
    (folder / "more.txt").touch()
    (folder / "manifest-sha256.txt").unlink()
    write_manifest(folder)
    check = cranfield("publish", "check", folder)
    assert (check.code, "not checked, because Cranfield does not write it: more.txt" in check.out) == (0, True)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the keys of ada and bob."""
    if shutil.which(PROGRAM) is None:
        pytest.skip(f"needs {PROGRAM}")
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ada", "bob"):
        subprocess.run([PROGRAM, "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", folder / name], check=True)
    lines = [f"ada@example.org {(folder / 'ada.pub').read_text()}", "# others\n"]
    (folder / "allowed_signers").write_text("".join(lines))
    (folder / "ada.keys").write_text("".join((folder / f"{name}.pub").read_text() for name in ("bob", "ada")))
    (folder / "empty").touch()
    return folder


@pytest.fixture(scope="module")
def signed_folder(small: Path, keys: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bag that ada signed."""
    folder = tmp_path_factory.mktemp("signed") / "folder"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api.publish.build_folder(
            small, folder, targets=("bagit", "hf"), draft=True, sign=keys / "ada", policy="primary"
        )
    return folder


@pytest.mark.parametrize(
    ("signer", "code", "message"),
    [
        ("ada.pub", 0, "is signed by ED25519 key SHA256:"),
        ("allowed_signers", 0, "is signed by ada@example.org, with ED25519 key SHA256:"),
        ("ada.keys", 0, "is signed by ED25519 key SHA256:"),
        ("bob.pub", 1, "expected a signature by bob.pub"),
        ("ada", 1, "found a private key; expected a public key, such as id_ed25519.pub, or an allowed_signers file"),
        ("empty", 1, "no public key; expected a public key"),
        ("", 0, "to check who signed, name the expected signer with --signer"),
    ],
)
def test_a_signature_says_who_published_it(
    signer: str, code: int, message: str, *, signed_folder: Path, keys: Path, cranfield: Cranfield
) -> None:
    words = ("--signer", keys / signer) if signer else ()
    check = cranfield("publish", "check", signed_folder, *words)
    assert (check.code, message in check.out) == (code, True), check


def test_a_signature_is_of_one_folder(signed_folder: Path, keys: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Whoever makes all files agree again cannot sign; `import` looks at it, too."""
    folder = shutil.copytree(signed_folder, tmp_path / "copy")
    change_lines(folder / "data" / "LICENSE", lambda lines: lines.append("and more"))
    recompute(folder)
    for words in (["publish", "check", folder], ["import", "collection", tmp_path / "new.db", folder]):
        refusal = cranfield(*words)
        assert (refusal.code, f"{SIGNATURE}: not a signature of manifest-sha256.txt: " in refusal.err) == (1, True), (
            refusal
        )
    (folder / SIGNATURE).unlink()
    refusal = cranfield("publish", "check", folder, "--signer", keys / "ada.pub")
    assert (refusal.code, f"{SIGNATURE}: not signed; expected a signature by ada.pub" in refusal.err) == (1, True)


def test_keys_that_cannot_sign(small: Path, keys: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """One line, and no folder."""
    (tmp_path / "no key").write_text("none\n")
    (tmp_path / "no key").chmod(0o600)
    words = ("publish", "build", small, tmp_path / "out", "--draft", "--as", "hf", "--policy", "primary", "--sign")
    refusal = cranfield(*words, tmp_path / "no key")
    message = "no key: ssh-keygen cannot sign with this key: "
    assert (refusal.code, refusal.err.count("\n"), message in refusal.err) == (1, 1, True), refusal
    assert [path.name for path in tmp_path.iterdir()] == ["no key"]


def test_without_ssh_keygen(
    small: Path,
    signed_folder: Path,
    keys: Path,
    *,
    tmp_path: Path,
    cranfield: Cranfield,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    message = "ssh-keygen is not installed; it is part of OpenSSH"
    options = ("--draft", "--as", "hf", "--policy", "primary", "--sign", keys / "ada")
    refusal = cranfield("publish", "build", small, tmp_path / "out", *options)
    assert (refusal.code, refusal.err, [*tmp_path.iterdir()]) == (1, f"error: {message}\n", [])
    check = cranfield("publish", "check", signed_folder)
    assert (check.code, f"signed, but not checked: {message}" in check.out) == (0, True), check
    refusal = cranfield("publish", "check", signed_folder, "--signer", keys / "ada.pub")
    assert (refusal.code, message in refusal.err) == (1, True)
