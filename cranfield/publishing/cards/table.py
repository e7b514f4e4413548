"""The table of cards: the file of each, the targets that need it, and what makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from cranfield.publishing.cards.citation import citation
from cranfield.publishing.cards.croissant import croissant_json
from cranfield.publishing.cards.datacite import datacite_json
from cranfield.publishing.cards.datasheet import datasheet
from cranfield.publishing.cards.hf import hf_card
from cranfield.publishing.cards.licence_file import licence_file
from cranfield.publishing.cards.publication import Publication
from cranfield.publishing.cards.zenodo import zenodo_json
from cranfield.publishing.description.record import TARGET_NAMES


class MetadataCard(NamedTuple):
    """A card: its file, the targets that need it, and the function that makes its text."""

    path: str
    targets: tuple[str, ...]
    make: Callable[[Publication], str]


CARDS: Mapping[str, MetadataCard] = {
    card.path: card
    for card in (
        MetadataCard("README.md", ("hf",), hf_card),
        MetadataCard("DATASHEET.md", TARGET_NAMES, datasheet),
        MetadataCard("LICENSE", TARGET_NAMES, licence_file),
        MetadataCard("CITATION.cff", TARGET_NAMES, citation),
        MetadataCard("datacite.json", ("zenodo",), datacite_json),
        MetadataCard(".zenodo.json", ("zenodo",), zenodo_json),
        MetadataCard("croissant.json", ("croissant",), croissant_json),
    )
}


def cards_of(published: Publication, targets: tuple[str, ...]) -> dict[str, str]:
    """The texts of the cards that these targets need, by path."""
    return {card.path: card.make(published) for card in CARDS.values() if {*card.targets} & {*targets}}
