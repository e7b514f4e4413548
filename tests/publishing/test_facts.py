"""The facts of a collection: as the other commands compute them, and what is odd about its texts."""

from pathlib import Path

import pytest

from cranfield.formats import Document, Topic
from cranfield.metrics.inputs import as_runs
from cranfield.publishing.datasheet import datasheet
from cranfield.publishing.describe import description_of
from cranfield.publishing.description import TARGET_NAMES, open_fields
from cranfield.publishing.gathering import collection_facts
from cranfield.publishing.publication import Publication
from cranfield.publishing.targets import cards_of
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.runs import add_runs
from cranfield.store.store import Store, sha256
from tests.publishing.datasheet import PAGE


@pytest.fixture(scope="module")
def bundled(workshop: Path) -> Publication:
    """The bundled collection as the demo makes it."""
    with Store.open(workshop) as store:
        return Publication(description_of(store), collection_facts(store))


def test_its_datasheet_is_made_of_them(bundled: Publication) -> None:
    """A stale one fails; `python -m tests.publishing.datasheet` mends it. Nothing required is open."""
    assert datasheet(bundled) == PAGE.read_text(encoding="utf-8")
    assert open_fields(bundled.description, TARGET_NAMES) == []


def test_facts_of_the_bundled_collection(bundled: Publication) -> None:
    """The numbers of its own datasheet."""
    facts = bundled.facts
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
    assert facts.overflowed["W10"] == max(facts.overflowed.values()) > 1 / 3


def test_topics_without_judgments_are_told_apart() -> None:
    """Wherever topics are counted: datasheet, README, and the sizes of DataCite; teams are counted only if given."""
    with Store.memory("partly judged") as store:
        store.add_topics([Topic("q1", "one"), Topic("q2", "two"), Topic("q3", "three")])
        store.add_documents([Document("d1", text="one")])
        add_runs(store, as_runs({tag: {"q1": {"d1": 1.0}} for tag in "ab"}))
        add_assessor(store, "ada")
        append(store, Event("label", "q2", "d1", "ada", 1))
        facts = collection_facts(store)
        about = Publication(description_of(store), facts, draft=True)
    assert (facts.topics, facts.judged_topics) == (3, 1)
    said = "1 document, 3 topics (1 judged) and 1 judgment. 2 runs came with it."
    for name in ("DATASHEET.md", "README.md"):
        assert said in cards_of(about, ("hf",))[name]
    assert '"1 judged topics"' in cards_of(about, ("zenodo",))["datacite.json"]


def test_what_is_odd_is_counted_and_named() -> None:
    """Duplicates, labels of texts that changed, judged documents without a text, one text with two grades."""
    with Store.memory("odd") as store:
        store.add_topics([Topic("q1", "one"), Topic("q2", "two")])
        store.add_documents([Document("d1", text="same"), Document("d2", text="same"), Document("d3", text="")])
        add_assessor(store, "ada")
        shown = [
            Event("label", "q1", "d1", "ada", 0, document_sha256=sha256("same")),
            Event("label", "q1", "d2", "ada", 1, document_sha256=sha256("before")),
            Event("label", "q2", "d3", "ada", 1),
        ]
        append(store, *shown)
        facts = collection_facts(store)
    assert (facts.text.duplicates, facts.text.changed_since_judged) == (1, 1)
    assert (facts.text.judged_without_text, facts.text.first_without_text) == (1, (("q2", "d3"),))
    assert facts.text.first_disagreeing == (("q1", "d1", "d2"),)
    assert (facts.reusability, facts.pool, facts.second_labels, facts.agreement) == (None, None, 0, ())
    assert facts.relevant_per_topic == (1, 1.0, 1)
    assert facts.topics_without_relevant == 0


def test_an_empty_store_has_facts() -> None:
    """Nothing is known, and nothing fails."""
    with Store.memory("empty") as store:
        facts = collection_facts(store)
    assert (facts.documents, facts.judgments, facts.judged_per_topic) == (0, 0, (0, 0.0, 0))
