"""The glossary has the terms of art of the program, and no other ones."""

import re

import pytest

from tests.conftest import ROOT
from tests.needed_features import EVERY_FEATURE

PAGE = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^\*\*([^*]+)\*\*: (.+(?:\n.+)*)$", re.MULTILINE)
ENTRIES = {term.partition(" (")[0]: text for term, text in ENTRY.findall(PAGE)}
TERMS = (
    "unit", "pool", "late run", "release", "round", "nugget", "protect", "policy", "kind", "depth",
    "uncounted", "residual", "run", "topic", "qrels", "grade", "label", "assessor", "team", "cluster", "draw",
    "forecast", "verdict", "budget", "adaptive", "bundle", "overlap", "adjudicate", "audit", "panel",
    "withdrawn", "erase", "passage", "variation", "event", "claim", "rubric", "support", "preference", "arm",
    "propensity", "salt", "receipt", "submission", "manifest", "recipe",
)  # fmt: skip
PACKAGES = ("cranfield", "metrics", "pooling", "judging")
LONGEST = 60  # words of an entry


@pytest.fixture(scope="module")
def program() -> str:
    files = {path.resolve() for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    return " ".join(path.read_text(encoding="utf-8") for path in files).lower()


def test_the_glossary_has_the_terms() -> None:
    assert [term for term in TERMS if term not in ENTRIES] == []


@EVERY_FEATURE
def test_the_program_uses_every_term(program: str) -> None:
    assert [term for term in ENTRIES if not re.search(rf"\b{term.replace(' ', '[- _]')}", program)] == []


def test_entries_are_short() -> None:
    """A definition of one to three sentences, perhaps with a link."""
    assert {term: text for term, text in ENTRIES.items() if len(text.split()) > LONGEST} == {}


def test_terms_are_in_alphabetical_order() -> None:
    for section in PAGE.split("\n## ")[1:]:
        terms = [term for term, _ in ENTRY.findall(section)]
        assert terms == sorted(terms)
