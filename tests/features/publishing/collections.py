"""A published collection for tests, in records alone."""

from typing import Any

from cranfield.features.publishing.description import FIELDS, parse_description
from cranfield.features.publishing.publication import (
    AgreementFacts,
    AssessorFacts,
    CollectionFacts,
    HeldOutFacts,
    PoolFacts,
    Publication,
    PublishedColumn,
    PublishedFile,
    ReusabilityFacts,
    TextFacts,
)

ADA = "Ada Lovelace; University of London; 0000-0002-1825-0097"
WHOLE = {
    "name": "wings", "version": "1.0.0", "date": "2026-03-31", "licence": "CC-BY-4.0", "language": ["en", "pt-BR"],
    "creators": [ADA, "A University"], "publisher": "A University", "url": "https://example.org/wings",
    "doi": "10.1234/wings", "derived_from": ["10.1234/corpus", "https://example.org/corpus"],
    "paper_dois": ["10.1234/paper"], "licence_url": "", "keywords": ["wings", "drag"],
    "citations": ["Ada, Wings, 2026"], "communities": ["ir"],
}  # fmt: skip


def example_publication(text: str = "text", draft: bool = False, **changes: Any) -> Publication:
    """A collection all of whose names and answers are `text`."""
    values = {name: f"{text} {name}" for name in FIELDS if name not in WHOLE} | WHOLE | changes
    return Publication(parse_description(values), facts(text), FILES, draft)


def facts(text: str) -> CollectionFacts:
    """Facts, with `text` for whatever comes from the data."""
    return CollectionFacts(
        name=text,
        grades={0: text, 1: "yes"},
        min_relevant=1,
        documents=6,
        documents_without_text=1,
        topics=2,
        judged_topics=2,
        judgments=10,
        judgments_by_grade={0: 6, 1: 4},
        judged_per_topic=(4, 5.0, 6),
        relevant_per_topic=(0, 2.0, 4),
        topics_without_relevant=1,
        overflows={text: 0.4},
        runs=3,
        teams=2,
        assessors=(AssessorFacts("human", 2, 8, 8), AssessorFacts("model", 1, 4, 2, (text,))),
        adjudications=1,
        second_labels=4,
        agreement=(
            AgreementFacts("people", "raw agreement", 2, documents=4, value=0.75, low=0.5, high=1.0),
            AgreementFacts(
                "people",
                "Cohen kappa",
                2,
                documents=4,
                value=None,
                low=None,
                high=None,
                no_interval="the coefficient is undefined",
            ),
        ),
        text=TextFacts(
            1,
            2,
            3,
            first_without_text=((text, text),),
            disagreeing_duplicates=1,
            first_disagreeing=((text, text, "d2"),),
        ),
        guidelines=text,
        pool=PoolFacts(
            "depth",
            {"depth": 2, text: text},
            3,
            teams=2,
            topics=2,
            documents=8,
            judged=8,
            judged_outside=2,
            version="0.1.0",
        ),
        reusability=ReusabilityFacts(
            "team",
            2,
            "AP",
            mean_change=3.25,
            max_change=9.5,
            headline=f"Compare with care: {text}.",
            unjudged_10=0.25,
            max_unjudged_10=0.5,
        ),
        held_out=(HeldOutFacts(text, 0.5),),
        prompts={text: f"{text}, prompt basic"},
    )


def _columns(*names: str) -> tuple[PublishedColumn, ...]:
    return tuple(PublishedColumn(name, "float64" if name == "score" else "string") for name in names)


FILES = (
    PublishedFile(
        "corpus/corpus-00000-of-00002.parquet",
        "a" * 64,
        100,
        table="corpus",
        rows=4,
        columns=_columns("_id", "title", "text"),
    ),
    PublishedFile(
        "corpus/corpus-00001-of-00002.parquet",
        "b" * 64,
        50,
        table="corpus",
        rows=2,
        columns=_columns("_id", "title", "text"),
    ),
    PublishedFile("queries/test.parquet", "c" * 64, 20, table="queries", rows=2, columns=_columns("_id", "text")),
    PublishedFile(
        "qrels/test.parquet", "d" * 64, 20, table="qrels", rows=10, columns=_columns("query-id", "corpus-id", "score")
    ),
    PublishedFile("trec/qrels.txt", "e" * 64, 99),
)
