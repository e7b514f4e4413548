"""Cards and published folders are right by the programs that load them; none of their code is run unless it is ours."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.features.publishing.citation import FULL_TEXT_LICENCES, texts_of, zenodo, zenodo_faults
from cranfield.features.publishing.croissant import croissant
from cranfield.features.publishing.folder import CHECKS, check
from cranfield.features.publishing.hf import front_matter, hf_card
from cranfield.features.publishing.manifest import write_manifest
from cranfield.features.publishing.targets import CARDS, cards_of
from cranfield.store.chain import Event
from cranfield.store.log import append, read_events
from cranfield.store.store import Store
from cranfield.text import UNSEEN, visible_text
from tests.conftest import usually
from tests.features.publishing.collections import example_publication
from tests.features.publishing.conftest import build_draft
from tests.features.publishing.stores import judged_store

pytestmark = pytest.mark.full

HOSTILE = (
    "---\nlicense: mit\n---", "</script><script>alert(1)</script>", "\u202eevil\u2066 \x1b[2J \x00 \x85 \u2028 x",
    "# a\n===\n```\n~~~\n> b\n[x]: http://a", '"; key: value # "', "'''\"\"\"\\",
    "![a](http://b) <img src=x> [c](javascript:d)",
    "[<img src=x>](http://a) - ```\n> ~~~ [a`<b>`](http://a) [a\\](http://b) \\<b> \\\\<b> `\\`<b>",
    "| a | b |", "- - -\n* * *\n___", "{{ x }} %YAML &a *b !c @d `e`", "null", "1e3", "",
)  # fmt: skip
FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)  # as Hugging Face reads it
TEXTS = st.text(
    st.one_of(st.sampled_from("<>[]()`~\\\n#-=!|&'\":"), st.characters(exclude_categories=["Cs"])), max_size=40
)


class Tags(HTMLParser):
    """The tags that a Markdown text would bring into a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)


def headings(markdown: str) -> int:
    return len(re.findall(r"^ {0,3}#", markdown, re.MULTILINE)) + len(
        re.findall(r"^ {0,3}(?:=+|-+) *$", markdown, re.MULTILINE)
    )


CLEAN = {path: card.make(example_publication()) for path, card in CARDS.items()}


def test_hostile_text_breaks_no_card() -> None:
    """As it may come with the data."""
    for text in HOSTILE:
        check_cards(text)


@settings(max_examples=usually(8, 2000), deadline=None)
@given(TEXTS)
def test_no_text_breaks_a_card(text: str) -> None:
    """Whatever it is."""
    check_cards(text)


def test_a_soft_hyphen_between_letters_stays() -> None:
    check_cards("\xadA")


def check_cards(text: str) -> None:
    """The same keys, the same headings, no tag, nothing unseen, whatever names, answers and grades are."""
    hostile = example_publication(text.replace("\0", ""), title=f"t{text}".replace("\0", ""))
    cards = {path: card.make(hostile) for path, card in CARDS.items()}
    assert [
        path for path, card in cards.items() if re.findall(UNSEEN, card) != re.findall(UNSEEN, visible_text(card))
    ] == []
    for path in ("datacite.json", ".zenodo.json", "croissant.json"):
        assert not re.search("[<>&\u2028\u2029]", cards[path])
        assert json.loads(cards[path]).keys() == json.loads(CLEAN[path]).keys()
    front = FRONT.match(cards["README.md"])
    assert front is not None
    assert yaml.safe_load(front[1]).keys() == yaml.safe_load(FRONT.match(CLEAN["README.md"])[1]).keys()  # type: ignore[index]
    assert yaml.safe_load(front[1])["license"] == "cc-by-4.0"
    assert yaml.safe_load(cards["CITATION.cff"]).keys() == yaml.safe_load(CLEAN["CITATION.cff"]).keys()
    for path in ("README.md", "DATASHEET.md"):
        body, clean = FRONT.sub("", cards[path]), FRONT.sub("", CLEAN[path])
        assert headings(body) == headings(clean)
        assert body.count("\n```") == clean.count("\n```")
        plain = re.sub(r"\\[!-/:-@\[-`{-~]", "", body)
        parser = Tags()
        parser.feed(plain)
        assert parser.tags == []
        assert "![" not in plain
        assert not re.search(r"\]\((?!https?://)", plain)


def test_a_draft_says_so_everywhere() -> None:
    """On every card but the licence's, which has the title too."""
    for path, card in CARDS.items():
        assert ("DRAFT" in card.make(example_publication(draft=True)), "DRAFT" in CLEAN[path]) == (True, False), path


def test_the_numbers_are_in_the_datasheet() -> None:
    """What only the store knows."""
    text = " ".join(CLEAN["DATASHEET.md"].split())
    for sentence in (
        "has 6 documents, 2 topics and 10 judgments", "1 more document is known only by identifier",
        "1 document has the same text as another", "3 judgments are for documents without text: text for text",
        "In 1 case, documents with the same text have different grades: text and d2 for text",
        "2 labels are for a text that changed",
        "using 3 runs from 2 teams: 8 documents for 2 topics, 8 of them judged; 2 judgments",
        "| language models | 1 | 4 | 2 | text |", "| people | raw agreement | 4 | 0.750 | 0.500 to 1.000 |",
        "by 3.2% on average and 9.5% at most", "would be unjudged (at most 50%)",
        "text 50%",
        "missed others: text (40%)", "[CC-BY-4.0](https://spdx.org/licenses/CC-BY-4.0.html)",
    ):  # fmt: skip
        assert sentence in text, sentence
    assert "TODO" not in text
    assert "### For what purpose was the collection created? text purpose ###" in text
    without_answers = CARDS["DATASHEET.md"].make(example_publication(purpose="", funding=""))
    assert without_answers.count("**TODO**") == without_answers.count("Not answered.") == 1


def test_a_collection_without_texts_says_so() -> None:
    """Its documents are known by their names."""
    publication = example_publication()
    bare = publication._replace(facts=replace(publication.facts, documents=0, documents_without_text=1))
    assert "has 1 document, known only by identifier, without text, 2 topics" in CARDS["DATASHEET.md"].make(bare)


def test_withheld_texts_are_told() -> None:
    """And how to obtain them."""
    withheld = example_publication(obtain="Ask the archive.")._replace(text=False)
    assert "How to obtain the texts: Ask the archive." in CARDS["DATASHEET.md"].make(withheld)


@pytest.mark.parametrize("licence", FULL_TEXT_LICENCES)
def test_a_licence_that_goes_with_every_copy_is_there_in_full(licence: str) -> None:
    """Below whose the collection is; the text of others is where the link leads."""
    card = CARDS["LICENSE"].make(example_publication(licence=licence))
    [text] = texts_of(licence)
    assert card.endswith(f"\n\nCopyright (c) 2026 Ada Lovelace, A University\n\n{text}")
    assert 1_000 < len(text) < 11_000
    assert "Copyright (c)" not in CARDS["LICENSE"].make(example_publication())


def test_each_target_gets_its_cards() -> None:
    """And no other."""
    assert {"README.md", "DATASHEET.md", "LICENSE", "CITATION.cff"} == cards_of(example_publication(), ("hf",)).keys()
    assert CARDS.keys() == cards_of(example_publication(), ("hf", "zenodo", "croissant")).keys()


def test_the_front_matter_has_what_the_files_have() -> None:
    """Columns, rows and bytes; a licence that Hugging Face does not list is another's."""
    matter = front_matter(example_publication())
    assert (matter["language"], matter["language_details"]) == (["en", "pt"], "en, pt-BR")
    corpus = next(one for one in matter["dataset_info"] if one["config_name"] == "corpus")
    assert corpus["splits"] == [{"name": "corpus", "num_bytes": 150, "num_examples": 6}]
    assert [one["config_name"] for one in matter["configs"]] == ["default", "corpus", "queries"]
    own = front_matter(example_publication(licence="LicenseRef-ours", licence_url="https://example.org/ours"))
    assert (own["license"], own["license_link"]) == ("other", "https://example.org/ours")


def test_zenodo_takes_it() -> None:
    """By the table of its fields; a licence of one's own is told in the text."""
    assert zenodo_faults(zenodo(example_publication())) == []
    assert zenodo(example_publication())["creators"][0]["name"] == "Lovelace, Ada"
    assert zenodo(example_publication())["communities"] == [{"identifier": "ir"}]
    own = zenodo(example_publication(licence="LicenseRef-ours", licence_url="https://example.org/ours"))
    assert zenodo_faults(own) == []
    assert "LicenseRef-ours https://example.org/ours" in own["description"]
    assert zenodo_faults({**own, "upload_type": "data"}) == ["upload_type is wrong"]
    identifiers = [{"identifier": "10.1234/a", "relation": "IsCitedBy"}]
    assert zenodo_faults({**own, "related_identifiers": identifiers}) == ["related_identifiers is wrong"]


def test_datacite_takes_it() -> None:
    """By the schema of the package datacite, with a DOI and without."""
    schema = pytest.importorskip("datacite.schema45", reason="needs the extra interop")
    for one in (example_publication(), example_publication(doi="", citations=[], paper_dois=[], keywords=[])):
        assert [
            error.message for error in schema.validator.iter_errors(json.loads(CARDS["datacite.json"].make(one)))
        ] == []
    wrong = json.loads(CLEAN["datacite.json"]) | {"publisher": "A"}
    assert len([*schema.validator.iter_errors(wrong)]) == 1


def test_hugging_face_reads_the_card(tmp_path: Path) -> None:
    """By its own class."""
    hub = pytest.importorskip("huggingface_hub", reason="needs the extra interop")
    path = tmp_path / "README.md"
    path.write_text(hf_card(example_publication(title="--- a: b")), encoding="utf-8")
    card = hub.DatasetCard.load(path)
    assert (card.data.license, card.data.pretty_name) == ("cc-by-4.0", "--- a: b")
    assert card.data.to_dict()["configs"][2]["data_files"] == [{"split": "queries", "path": "queries/test.parquet"}]


def test_croissant_is_valid(tmp_path: Path) -> None:
    """By mlcroissant, without a warning."""
    mlcroissant = pytest.importorskip("mlcroissant", reason="needs the extra interop")
    path = tmp_path / "croissant.json"
    path.write_text(CLEAN["croissant.json"], encoding="utf-8")
    metadata = mlcroissant.Dataset(jsonld=path).metadata
    assert metadata.ctx.issues.report() == ""
    assert {one.name for one in metadata.record_sets} == {"grades", "corpus", "queries", "qrels"}
    assert metadata.personal_sensitive_information == ["text sensitive"]


def test_croissant_names_every_file() -> None:
    """With its digest; several shards are one set."""
    metadata = croissant(example_publication())
    objects = {one["@id"]: one for one in metadata["distribution"]}
    assert objects["trec/qrels.txt"]["sha256"] == "e" * 64
    assert objects["corpus-files"]["includes"] == "corpus/*.parquet"
    assert "queries-files" not in objects


def states(folder: Path, *only: str) -> dict[str, list[tuple[str, str]]]:
    """The findings of each check, or of those of some names."""
    by_check: dict[str, list[tuple[str, str]]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "cranfield.features.publishing.folder.CHECKS", [one for one in CHECKS if one.name in only or not only]
        )
        for row in check(folder):
            by_check.setdefault(row.check, []).append((row.state, row.what))
    return by_check


def test_every_target_loads_the_bundled_collection(workshop_folder: Path) -> None:
    for package in ("bagit", "ir_datasets", "mlcroissant", "datacite", "huggingface_hub"):
        pytest.importorskip(package, reason="needs the extra interop")
    by_check = states(workshop_folder)
    subsets = "qrels of subsets: small/first 957, small/second 199, small/sweep 71"
    assert by_check["ir_datasets"] == [("ok", f"ir_datasets loads 232 documents, 25 queries and 1028 qrels; {subsets}")]
    assert by_check["bagit"] == [("ok", "a valid bag")]
    assert ("ok", "mlcroissant reads 1028 of 1028 rows of qrels") in by_check["croissant"]
    assert [what for findings in by_check.values() for state, what in findings if state == "wrong"] == []
    assert [state for state, _ in by_check["hf"]] == ["ok"]


def test_a_module_that_is_not_ours_is_not_run(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("ir_datasets")
    trap = tmp_path / "sprung"
    with (folder / "ir_datasets" / "small.py").open("a") as file:
        file.write(f"open({str(trap)!r}, 'w')\n")
    write_manifest(folder)
    assert states(folder, "ir_datasets")["ir_datasets"] == [
        ("skipped", "not run, because it is not the module that Cranfield writes")
    ]
    assert not trap.exists()


def test_the_files_of_a_pull_request_have_a_test(published_folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("ir_datasets")
    place = published_folder / "ir_datasets"
    assert (place / "init.txt").read_text() == "from . import small\n"
    assert [*json.loads((place / "metadata.json").read_text())] == ["small", "small/a01", "small/a02"]
    home = {**os.environ, "IR_DATASETS_HOME": str(tmp_path), "IR_DATASETS_TMP": str(tmp_path)}
    words = [sys.executable, "-B", str(place / "test_small.py")]
    output = subprocess.run(words, env=home, capture_output=True, text=True, timeout=60, check=False)
    assert (output.returncode, "Ran 1 test" in output.stderr) == (0, True), output.stderr


def test_what_is_not_installed_or_too_old_is_named(published_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.features.publishing.checks.version", lambda name: "0.5.11")
    old = "ir_datasets 0.5.11 is installed; expected ir_datasets>=0.6"
    assert states(published_folder, "ir_datasets")["ir_datasets"] == [("skipped", old)]
    monkeypatch.setattr("cranfield.features.publishing.checks.version", Mock(side_effect=PackageNotFoundError))
    assert states(published_folder, "ir_datasets")["ir_datasets"] == [
        ("skipped", "the package ir_datasets is not installed")
    ]


def test_every_file_that_was_edited_is_named(folder: Path) -> None:
    """And what is right is counted; what the files say is not looked at."""
    number = len((folder / "manifest-sha256.txt").read_text().splitlines())
    for name in ("README.md", "LICENSE"):
        with (folder / name).open("a") as file:
            file.write("more\n")
    (folder / "NOTES").touch()
    by_check = states(folder)
    assert [(state, what[:22]) for state, what in by_check["files"]] == [
        ("wrong", "changed or incomplete:"),
        ("wrong", "changed or incomplete:"),
        ("skipped", "not listed in manifest"),
        ("ok", f"{number - 2} of {number} files as list"),
    ]
    assert by_check.keys() == {"files", "contents"}


def test_a_log_with_another_head_is_named(folder: Path) -> None:
    path = folder / "log" / "log.json"
    path.write_text(path.read_text().replace('"head": "', '"head": "0'))
    write_manifest(folder)
    assert [state for state, _ in states(folder, "log")["log"]] == ["wrong"]


def test_no_text_of_a_collection_breaks_its_files(published_folder: Path) -> None:
    for package in ("mlcroissant", "huggingface_hub"):
        pytest.importorskip(package, reason="needs the extra interop")
    by_check = states(published_folder, "tables", "hf", "croissant", "zenodo")
    assert [what for findings in by_check.values() for state, what in findings if state == "wrong"] == []
    assert ("ok", "mlcroissant reads 4 of 4 rows of corpus") in by_check["croissant"]


@pytest.mark.parametrize("policy", ["primary", "max"])
def test_a_check_names_whose_labels_count(small: Path, tmp_path: Path, policy: str) -> None:
    """The folder's own assessors and its own policy."""
    folder = build_draft(small, tmp_path / "published", "hf", policy=policy)
    *_, whose = states(folder, "contents")["contents"]
    assert whose == ("ok", f"3 labels by a01, a02; 1 document has different labels; policy: {policy}")


def test_a_check_names_everybody_whose_labels_a_policy_weighs(tmp_path: Path) -> None:
    """Also those who were never the first to label a document."""
    path = judged_store(tmp_path / "small.db")
    with Store.open(path) as store:
        pairs = [(event.qid, event.docno) for event in read_events(store) if event.kind == "label"]
        for name in ("Ada Lovelace", "bob@example.org"):
            append(store, *(Event("label", qid, docno, name, grade=1) for qid, docno in dict.fromkeys(pairs)))
    folder = build_draft(path, tmp_path / "published", "hf", policy="median-low")
    *_, (state, whose) = states(folder, "contents")["contents"]
    assert (state, whose.partition(";")[0]) == ("ok", "3 labels by a01, a02")
