"""The description of a collection: what is refused, what is kept, what an editor gets."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.publishing.describe import description_toml
from cranfield.publishing.description import FIELDS, Creator, Description, checked, described
from cranfield.publishing.identifiers import COMMON, spdx
from cranfield.store.publication import stored_description
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually

ADA = "Ada Lovelace; University of London; 0000-0002-1825-0097"
REFUSED = {
    "licence=CC BY 4": "licence: 'CC BY 4' is not an SPDX identifier; nearest: CC-BY-4.0",
    "licens=MIT": "unknown field 'licens'; nearest: licence",
    "creators=Ada; 0000-0002-1825-0096": "has a wrong checksum: its last character should be 7",
    "creators=Ada; orcid.org": "creators: 'orcid.org' is not an ORCID iD",
    "creators=; London": "creators: a creator without a name",
    "doi=11.1234/a": "doi: '11.1234/a' is not a DOI",
    "language=english": "language: 'english' is not a BCP 47 tag",
    "language=xx": "language: 'xx' is not a BCP 47 tag",
    "date=31.3.2026": "date: '31.3.2026' is not a date",
    "name=../etc": "name: '../etc' is not a name for folders and code",
    "version=1/0": "version: '1/0' is not a version",
    "url=javascript:alert(1)": "is not a URL",
    "title": "'title'; expected KEY=VALUE",
}


@pytest.fixture
def track(tmp_path: Path) -> Path:
    Store.create(tmp_path / "track.db", "My Track", "What it is.", "free for research").close()
    return tmp_path / "track.db"


def test_what_is_wrong_is_refused_and_nothing_is_stored(track: Path, cranfield: Cranfield) -> None:
    """With what would be right; the good value beside the bad one is not stored either."""
    for wrong, message in REFUSED.items():
        result = cranfield("publish", "describe", track, "--set", "title=X", "--set", wrong)
        assert (result.code, message in result.err) == (1, True), (wrong, result.err)
    with Store.open(track) as store:
        assert stored_description(store) == {}


def test_a_description_is_kept_shown_and_checked(track: Path, cranfield: Cranfield, tmp_path: Path) -> None:
    """What the collection says of itself holds until something else is set; a licence that SPDX has not is not used."""
    shown = cranfield("publish", "describe", track, "--set", f"creators={ADA}", "--set", "creators=Bob")
    assert "the licence of the collection is not used" in shown.err
    refused = cranfield("publish", "build", track, "folder")
    assert (refused.code, refused.err.startswith("note: the licence of the collection is not used: ")) == (1, True)
    assert "Open: version, date, licence, language, purpose" in shown.out
    assert cranfield("publish", "describe", track, "--check", "bagit").code == 1
    filled = tmp_path / "d.toml"
    filled.write_text('version = "1.0"\ndate = 2026-03-31\nlicence = "mit"\nlanguage = "EN"\ntitle = ""\n')
    document = json.loads(cranfield("publish", "describe", track, "--from", filled, "--format", "json").out)
    assert document["description"]["creators"][0]["orcid"] == "0000-0002-1825-0097"
    assert (document["description"]["title"], document["description"]["licence"]) == ("My Track", "MIT")
    assert document["inherited"] == ["description", "name", "title"]
    answers = [f"--set={name}=yes" for name in document["open"]["hf"]]
    assert cranfield("publish", "describe", track, *answers, "--check", "hf").code == 0
    refused = cranfield("publish", "describe", track, "--check", "all")
    assert refused.err.startswith("error: publishing requires 1 field that is open: publisher;")
    assert "nearest: zenodo" in cranfield("publish", "describe", track, "--check", "zenodoo").err


def test_nothing_is_inherited_from_a_collection_that_says_nothing(tmp_path: Path, cranfield: Cranfield) -> None:
    Store.create(tmp_path / "bare.db", "Bare").close()
    shown = cranfield("publish", "describe", tmp_path / "bare.db")
    status = {line.split()[0]: line.split()[1:3] for line in shown.out.splitlines() if line}
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
        "unknown field 'dio'; nearest: doi; correct it there" in cranfield("publish", "describe", track, "--edit").err
    )
    assert len(list(track.parent.glob("description-*"))) == 1
    monkeypatch.setenv("VISUAL", "false")
    assert "ended with 1; nothing was changed" in cranfield("publish", "describe", track, "--edit").err


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30).map(str.strip)


@settings(max_examples=usually(40, 400), deadline=None)
@given(TEXTS, TEXTS, st.lists(TEXTS.filter(bool), max_size=3, unique=True))
def test_toml_gives_back_what_it_was_given(title: str, purpose: str, keywords: list[str]) -> None:
    """Whatever the texts are; a field of one line has its blanks made one, as when it is set."""
    before = described({"title": title, "purpose": purpose, "keywords": keywords, "creators": [ADA]})
    again = described(tomllib.loads(description_toml(before)))
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
        assert bool(checked(name, right.get(name, "x"))), name
        assert isinstance(getattr(Description(), name), tuple) == field.several
