"""The description of a collection and its facts: what is refused, what is kept, and what is odd about its texts."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.features.publishing.datasheet import datasheet
from cranfield.features.publishing.describe import description_of, description_toml
from cranfield.features.publishing.description import (
    FIELDS,
    TARGET_NAMES,
    Creator,
    Description,
    check_field,
    open_fields,
    parse_description,
)
from cranfield.features.publishing.gathering import collection_facts
from cranfield.features.publishing.identifiers import COMMON, spdx
from cranfield.features.publishing.publication import Publication
from cranfield.features.publishing.store.publication import stored_description
from cranfield.features.publishing.targets import cards_of
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.store import Store, sha256
from tests.conftest import Cranfield, usually
from tests.features.publishing.collections import ADA
from tests.features.publishing.datasheet import PAGE
from tests.stores import add_unfinished_import, filled, new_file, new_store

REFUSED = {
    "licence=CC BY 4": "licence: 'CC BY 4' is not an SPDX identifier; nearest: CC-BY-4.0",
    "licens=MIT": "unknown field 'licens'; nearest: licence",
    "creators=Ada; 0000-0002-1825-0096": "has a wrong checksum; expected 7 as its last character",
    "creators=Ada; orcid.org": "creators: 'orcid.org' is not an ORCID iD",
    "creators=; London": "creators: the name of a creator is missing",
    "doi=11.1234/a": "doi: '11.1234/a' is not a DOI",
    "language=english": "language: 'english' is not a BCP 47 language tag",
    "language=xx": "language: 'xx' is not a BCP 47 language tag",
    "date=31.3.2026": "date: '31.3.2026' is not a date",
    "name=../etc": "name: '../etc' is not a name for folders and code",
    "version=1/0": "version: '1/0' is not a version",
    "url=javascript:alert(1)": "is not a URL",
    "contact=Ada": "contact: 'Ada' is neither an e-mail address nor a URL",
    "title": "'title'; expected KEY=VALUE",
}


@pytest.fixture
def track(tmp_path: Path) -> Path:
    return new_file(tmp_path / "track.db", "My Track", description="What it is.", licence="free for research")


def test_what_is_wrong_is_refused_and_nothing_is_stored(track: Path, cranfield: Cranfield) -> None:
    """With what would be right; the good value beside the bad one is not stored either."""
    for wrong, message in REFUSED.items():
        result = cranfield("publish", "describe", track, "--set", "title=X", "--set", wrong)
        assert (result.code, message in result.err) == (1, True), (wrong, result.err)
    with Store.open(track) as store:
        assert stored_description(store) == {}


def test_a_description_is_kept_shown_and_checked(track: Path, cranfield: Cranfield, tmp_path: Path) -> None:
    """What the collection says of itself holds until something else is set; a licence that SPDX has not is not used."""
    output = cranfield("publish", "describe", track, "--set", f"creators={ADA}", "--set", "creators=Bob")
    assert "the collection's licence is not used" in output.err
    refusal = cranfield("publish", "build", track, "folder")
    assert (refusal.code, refusal.err.startswith("note: the collection's licence is not used: ")) == (1, True)
    assert "Empty required fields: version, date, licence, language, purpose" in output.out
    assert cranfield("publish", "describe", track, "--check", "bagit").code == 1
    toml = tmp_path / "d.toml"
    toml.write_text('version = "1.0"\ndate = 2026-03-31\nlicence = "mit"\nlanguage = "EN"\ntitle = ""\n')
    document = json.loads(cranfield("publish", "describe", track, "--from", toml, "--format", "json").out)
    assert document["description"]["creators"][0]["orcid"] == "0000-0002-1825-0097"
    assert (document["description"]["title"], document["description"]["licence"]) == ("My Track", "MIT")
    assert document["inherited"] == ["description", "name", "title"]
    answers = [f"--set={name}=yes" for name in document["open"]["hf"]]
    assert cranfield("publish", "describe", track, *answers, "--check", "hf").code == 0
    refusal = cranfield("publish", "describe", track, "--check", "all")
    assert refusal.err.startswith("error: publishing requires 1 field that is empty: publisher;")
    assert "nearest: zenodo" in cranfield("publish", "describe", track, "--check", "zenodoo").err


def test_nothing_is_inherited_from_a_collection_that_says_nothing(tmp_path: Path, cranfield: Cranfield) -> None:
    output = cranfield("publish", "describe", new_file(tmp_path / "bare.db", "Bare"))
    status = {line.split()[0]: line.split()[1:3] for line in output.out.splitlines() if line}
    assert (status["title"], status["description"]) == (["Bare", "inherited"], ["open", "all"])


def test_an_editor_changes_only_what_is_changed(
    track: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what it makes wrong is kept in its file."""
    monkeypatch.setenv("TMPDIR", str(track.parent))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("VISUAL", "sed -i \"s/^doi = .*/doi = '10.1234\\/a'/\"")
    assert cranfield("publish", "describe", track, "--edit").code == 0
    with Store.open(track) as store:
        assert stored_description(store) == {"doi": "10.1234/a"}
    assert not list(track.parent.glob("description-*"))
    monkeypatch.setenv("VISUAL", "sed -i s/doi/dio/")
    assert (
        "unknown field 'dio'; nearest: doi; correct the file" in cranfield("publish", "describe", track, "--edit").err
    )
    assert len(list(track.parent.glob("description-*"))) == 1
    monkeypatch.setenv("VISUAL", "false")
    assert "exited with status 1; nothing was changed" in cranfield("publish", "describe", track, "--edit").err


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30).map(str.strip)


@settings(max_examples=usually(40, 400), deadline=None)
@given(TEXTS, TEXTS, st.lists(TEXTS.filter(bool), max_size=3, unique=True))
def test_toml_gives_back_what_it_was_given(title: str, purpose: str, keywords: list[str]) -> None:
    """Whatever the texts are; a field of one line has its blanks made one, as when it is set."""
    before = parse_description({"title": title, "purpose": purpose, "keywords": keywords, "creators": [ADA]})
    again = parse_description(tomllib.loads(description_toml(before)))
    assert again.creators == (Creator("Ada Lovelace", "0000-0002-1825-0097", "University of London"),)
    assert again == replace(before, purpose=again.purpose)
    assert again.purpose.split() == before.purpose.split()


def test_every_field_can_be_set() -> None:
    """By a text or a list, and every licence of the table is one."""
    assert {spdx(name) for name in COMMON} == {*COMMON}
    right = {"licence": "MIT", "date": "2026-01-01", "language": "en", "name": "a", "version": "1"}
    right |= dict.fromkeys(["url", "licence_url", "derived_from"], "https://example.org")
    right |= dict.fromkeys(["doi", "paper_dois"], "10.1234/a")
    for name, field in FIELDS.items():
        assert bool(check_field(name, right.get(name, "x"))), name
        assert isinstance(getattr(Description(), name), tuple) == field.several


@pytest.fixture(scope="module")
def bundled_publication(workshop: Path) -> Publication:
    """The bundled collection as the demo makes it."""
    with Store.open(workshop) as store:
        return Publication(description_of(store), collection_facts(store))


@pytest.mark.full
def test_its_datasheet_is_made_of_them(bundled_publication: Publication) -> None:
    """A stale one fails; `python -m tests.features.publishing.datasheet` mends it. Nothing required is open."""
    assert datasheet(bundled_publication) == PAGE.read_text(encoding="utf-8")
    without = replace(bundled_publication.facts, publishes_runs=False)
    assert "were collected with it, and are not published." in datasheet(bundled_publication._replace(facts=without))
    assert open_fields(bundled_publication.description, TARGET_NAMES) == []


def test_facts_of_the_bundled_collection(bundled_publication: Publication) -> None:
    """The numbers of its own datasheet."""
    facts = bundled_publication.facts
    assert (facts.documents, facts.topics, facts.judgments) == (232, 25, 1028)
    assert facts.judgments_by_grade == {0: 813, 1: 150, 2: 65}
    assert facts.pool is not None
    assert (facts.pool.documents, facts.pool.judged, facts.pool.judged_outside) == (957, 957, 71)
    assert (facts.second_labels, facts.assessors[0].names) == (199, ("first", "second", "sweep"))
    kappa = next(one for one in facts.agreement if one.coefficient == "Cohen kappa")
    assert (kappa.assessors, kappa.documents, round(kappa.value or 0, 2)) == (2, 199, 0.98)
    assert facts.reusability is not None
    assert (facts.reusability.by, facts.reusability.units) == ("team", 3)
    assert 0 < (facts.reusability.unjudged_10 or 0) < (facts.reusability.max_unjudged_10 or 0) < 1
    assert facts.overflows["W10"] == max(facts.overflows.values()) > 1 / 3


@pytest.mark.needs_extra("files")
def test_topics_without_judgments_are_told_apart() -> None:
    """Wherever topics are counted: datasheet, README, and the sizes of DataCite; teams are counted only if given."""
    runs = {tag: {"q1": {"d1": 1.0}} for tag in "ab"}
    with new_store(
        name="partly judged",
        documents=["d1"],
        topics=["q1", "q2", "q3"],
        runs=runs,
        labels={"ada": {("q2", "d1"): 1}},
    ) as store:
        facts = collection_facts(store)
        about = Publication(description_of(store), facts, draft=True)
    assert (facts.topics, facts.judged_topics) == (3, 1)
    sentence = "1 document, 3 topics (1 judged) and 1 judgment. 2 runs were collected with it."
    for name in ("DATASHEET.md", "README.md"):
        assert sentence in cards_of(about, ("hf",))[name]
    assert '"1 judged topics"' in cards_of(about, ("zenodo",))["datacite.json"]


def test_what_is_odd_is_counted_and_named() -> None:
    """Duplicates, labels of texts that changed, judged documents without a text, one text with two grades."""
    texts = {"d1": "same", "d2": "same", "d3": ""}
    with new_store(documents=texts, topics=["q1", "q2"], people=["ada"]) as store:
        events = [
            Event("label", "q1", "d1", "ada", 0, document_sha256=sha256("same")),
            Event("label", "q1", "d2", "ada", 1, document_sha256=sha256("before")),
            Event("label", "q2", "d3", "ada", 1),
        ]
        append(store, *events)
        facts = collection_facts(store)
    assert (facts.text.duplicates, facts.text.changed_since_judged) == (1, 1)
    assert (facts.text.judged_without_text, facts.text.first_without_text) == (1, (("q2", "d3"),))
    assert facts.text.first_disagreeing == (("q1", "d1", "d2"),)
    assert (facts.reusability, facts.pool, facts.second_labels, facts.agreement) == (None, None, 0, ())
    assert facts.relevant_per_topic == (1, 1.0, 1)
    assert facts.topics_without_relevant == 0


def test_a_text_of_an_unfinished_import_is_none() -> None:
    """A judged document whose text is not yet imported is judged without a text."""
    with new_store(documents={"d1": "same"}, topics=["q1"], labels={"ada": {("q1", "d1"): 0}}) as store:
        filled(store, qrels={"nist": {"q1": {"d2": 1}}})
        add_unfinished_import(store, {"d2": "same"})
        text = collection_facts(store).text
    assert (text.judged_without_text, text.first_without_text) == (1, (("q1", "d2"),))
    assert text.first_disagreeing == ()


def test_an_empty_store_has_facts() -> None:
    """Nothing is known, and nothing fails."""
    with new_store() as store:
        facts = collection_facts(store)
    assert (facts.documents, facts.judgments, facts.judged_per_topic) == (0, 0, (0, 0.0, 0))
