"""The tables of targets and of the cards that they need; and two targets of a few lines, bags and BEIR's folder.

A bag (BagIt 1.0, RFC 8493) has the folder as its payload data/; the package bagit checks it.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield import __version__
from cranfield.errors import InputError
from cranfield.features.publishing.checks import CheckedFolder, CheckResult, FolderCheck
from cranfield.features.publishing.citation import ZENODO, citation, datacite_json, licence_file, zenodo_json
from cranfield.features.publishing.croissant import CROISSANT, croissant_json
from cranfield.features.publishing.datasheet import datasheet
from cranfield.features.publishing.description import TARGET_NAMES, Description
from cranfield.features.publishing.hf import HF, hf_card
from cranfield.features.publishing.ir_datasets import IR_DATASETS
from cranfield.features.publishing.manifest import BAG, PAYLOAD, digest_of, files_below, write_manifest
from cranfield.features.publishing.parts import PublishedParts, Target
from cranfield.features.publishing.publication import Publication
from cranfield.formats.jsonl import write_beir_corpus, write_beir_qrels, write_beir_topics
from cranfield.formats.whole_files import write_text
from cranfield.store.corpus import part_by_reference

TAG_MANIFEST = "tagmanifest-sha256.txt"


def make_bag(folder: Path, bag: Path, about: Description) -> None:
    """Put a folder into a new bag."""
    bag.mkdir()
    folder.rename(bag / PAYLOAD)
    write_manifest(bag)
    for name, text in bag_texts(bag, about).items():
        write_text(bag / name, text)
    tags = sorted(path for path in files_below(bag) if not path.startswith(f"{PAYLOAD}/"))
    write_text(bag / TAG_MANIFEST, "".join(f"{digest_of(bag / path)}  {path}\n" for path in tags))


def bag_texts(bag: Path, about: Description) -> dict[str, str]:
    """What a bag says of itself, by the names of the files."""
    payload = [path.stat().st_size for path in map((bag / PAYLOAD).joinpath, files_below(bag / PAYLOAD))]
    tags = {
        "Source-Organization": about.publisher,
        "External-Identifier": about.doi,
        "External-Description": about.title,
        "Bagging-Date": about.date,
        "Bag-Software-Agent": f"cranfield {__version__}",
        "Payload-Oxum": f"{sum(payload)}.{len(payload)}",
    }
    lines = (f"{name}: {' '.join(value.split())}\n" for name, value in tags.items() if value)
    return {BAG: "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n", "bag-info.txt": "".join(lines)}


BAGIT = Target("bagit", "a bag (BagIt 1.0) around the folder")


def check_bag(folder: CheckedFolder) -> Iterator[CheckResult]:
    import bagit

    logging.getLogger("bagit").setLevel(logging.CRITICAL)  # what is wrong is said here
    try:
        bagit.Bag(str(folder.folder)).validate()
    except bagit.BagError as error:
        yield CheckResult("wrong", f"not a valid bag: {error}", BAG)
    else:
        yield CheckResult("ok", "a valid bag")


BAGIT_CHECK = FolderCheck("bagit", check_bag, needs="bagit", of=BAG)


def write(built_folder: PublishedParts) -> None:
    """Write the folder; BEIR has no place for a corpus without texts."""
    publishing, qrels = built_folder.publishing, built_folder.publishing.qrels
    if not publishing.options.text:
        raise InputError("beir cannot publish documents without texts; leave beir out of --as")
    if part := part_by_reference(publishing.store):
        raise InputError(f"the store contains only {part}, but beir needs a whole corpus; leave beir out of --as")
    folder = publishing.published_path("beir", "-").parent
    write_beir_corpus(folder, publishing.store.documents())
    write_beir_topics(folder, publishing.store.topics())
    for split, qids in publishing.splits.items():
        names = qrels.topics.names[qrels.topic].tolist()
        rows = qrels.rows(np.array([name in qids for name in names], bool))
        write_beir_qrels(publishing.published_path("beir", "qrels", f"{split}.tsv"), rows)


BEIR = Target("beir", "a BEIR folder", write=write)


TARGETS: Mapping[str, Target] = {target.name: target for target in (HF, IR_DATASETS, CROISSANT, BAGIT, ZENODO, BEIR)}


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


def cards_of(publication: Publication, targets: tuple[str, ...]) -> dict[str, str]:
    """The texts of the cards that these targets need, by path."""
    return {card.path: card.make(publication) for card in CARDS.values() if {*card.targets} & {*targets}}
