"""Hugging Face: README.md, the card of a data set, is YAML and datasheet, in the layout that MTEB loads.

The data set is the folder. The check: huggingface_hub reads the card, and its tables are those of the files.

Source: Hugging Face, Dataset Cards and hub-docs' datasetcard.md.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from cranfield.features.publishing.checks import CheckedFolder, CheckResult, FolderCheck
from cranfield.features.publishing.citation import nonempty
from cranfield.features.publishing.datasheet import sections, stamp
from cranfield.features.publishing.description import Description
from cranfield.features.publishing.identifiers import COMMON, link
from cranfield.features.publishing.markup import line, paragraphs, yaml_text
from cranfield.features.publishing.parts import Target, rows_of_table
from cranfield.features.publishing.publication import Publication, PublishedFile

CONFIGS = {"qrels": "default", "corpus": "corpus", "queries": "queries", "judgments": "judgments"}  # by table
PART = "corpus-judged"
ANNOTATORS = dict.fromkeys(("model", "panel"), "machine-generated") | {"human": "expert-generated", "import": "found"}
TAGS = ("information-retrieval", "test-collection")
STEPS = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")


def hf_card(publication: Publication) -> str:
    """The card."""
    front = f"---\n{yaml_text(front_matter(publication))}---"
    description = publication.description
    about = [paragraphs(description.description)] if description.description else []
    tables = [name for name in CONFIGS if publication.table(name)]
    loads = [
        f'{name} = load_dataset("OWNER/{line(description.name)}", "{_config_name(publication, name)}", split="{split}")'
        for name in tables
        for split in [next(iter(_splits(publication, name)))]
    ]
    code = "\n".join(["```python", "from datasets import load_dataset", "", *loads, "```"])
    body = [*stamp(publication), *about, *([code] if loads else []), *sections(publication)]
    return "\n\n".join([front, f"# {line(publication.title)}", *body]) + "\n"


def front_matter(publication: Publication) -> dict[str, Any]:
    """The metadata, as the keys of the card's YAML."""
    about, facts = publication.description, publication.facts
    languages = list(dict.fromkeys(tag.split("-")[0] for tag in about.language))
    return nonempty(
        pretty_name=publication.title,
        language=languages,
        language_details=", ".join(about.language) if list(about.language) != languages else "",
        **_licence(about.licence, about.licence_url),
        size_categories=[size_category(facts.documents or facts.documents_without_text)],
        task_categories=["text-retrieval"],
        task_ids=["document-retrieval"],
        source_datasets=["extended" if about.derived_from else "original"],
        annotations_creators=list(dict.fromkeys(ANNOTATORS.get(one.kind, "other") for one in facts.assessors)),
        multilinguality=["multilingual" if len(languages) > 1 else "monolingual"] if languages else [],
        tags=list(dict.fromkeys([*TAGS, *about.keywords])),
        configs=[_config(publication, name) for name in CONFIGS if publication.table(name)],
        dataset_info=[_info(publication, name) for name in CONFIGS if publication.table(name)],
    )


def _licence(licence: str, url: str) -> dict[str, str]:
    """A licence of Hugging Face's list, or another one with its name and address.

    >>> _licence("CC-BY-4.0", ""), _licence("LicenseRef-ours", "https://example.org")
    ({'license': 'cc-by-4.0'}, {'license': 'other', 'license_name': 'licenseref-ours', 'license_link': 'https://example.org'})
    """
    if not licence or licence in COMMON:
        return {"license": COMMON.get(licence, "")}
    return {"license": "other", "license_name": licence.lower(), "license_link": url or link(licence) or "LICENSE"}


def size_category(documents: int) -> str:
    """The size as Hugging Face has it.

    >>> size_category(232), size_category(1400), size_category(10**13)
    ('n<1K', '1K<n<10K', 'n>1T')
    """
    power = max(len(str(documents)) - 3, 0)
    if power == 0 or power >= len(STEPS):
        return f"n<{STEPS[0]}" if power == 0 else f"n>{STEPS[-1]}"
    return f"{STEPS[power - 1]}<n<{STEPS[power]}"


def _splits(publication: Publication, name: str) -> dict[str, list[PublishedFile]]:
    """The files of a table by split: of qrels the names of the files, else one split with the name of the table."""
    files: dict[str, list[PublishedFile]] = {}
    for file in publication.table(name):
        files.setdefault(PurePosixPath(file.path).stem if name == "qrels" else name, []).append(file)
    return files


def _config(publication: Publication, name: str) -> dict[str, Any]:
    files = [
        {"split": split, "path": paths[0] if len(paths) == 1 else paths}
        for split, several in _splits(publication, name).items()
        for paths in [[file.path for file in several]]
    ]
    return {"config_name": _config_name(publication, name), "data_files": files}


def _config_name(publication: Publication, name: str) -> str:
    """The configuration of a table; a part of a corpus has another name, so that nobody loads it as the whole."""
    return PART if name == "corpus" and publication.facts.texts else CONFIGS[name]


def _info(publication: Publication, name: str) -> dict[str, Any]:
    splits = [
        {"name": split, "num_bytes": sum(file.bytes for file in files), "num_examples": sum(f.rows or 0 for f in files)}
        for split, files in _splits(publication, name).items()
    ]
    size, columns = sum(file.bytes for file in publication.table(name)), publication.table(name)[0].columns
    features = [{"name": column.name, "dtype": column.dtype} for column in columns]
    return {"config_name": _config_name(publication, name), "features": features, "splits": splits,
            "download_size": size, "dataset_size": size}  # fmt: skip


def hf_commands(about: Description) -> Sequence[str]:
    """How the folder is uploaded."""
    return [f"hf upload OWNER/{shlex.quote(about.name)} DIR . --repo-type dataset"]


HF = Target("hf", "a Hugging Face data set", commands=hf_commands)


CARD = "README.md"


def check_card(folder: CheckedFolder) -> Iterator[CheckResult]:
    from huggingface_hub import DatasetCard

    try:
        card = DatasetCard.load(folder.payload.root / CARD).data.to_dict()
    except (ValueError, TypeError) as error:
        yield CheckResult("wrong", f"huggingface_hub: {error}".splitlines()[0], CARD)
        return
    wrong = []
    for entry in (entry for config in card.get("configs", []) for entry in config["data_files"]):
        paths = [entry["path"]] if isinstance(entry["path"], str) else entry["path"]
        wrong += [f"{path} is not in the folder" for path in paths if not folder.has(path)]
    wrong += _wrong_tables(folder, card)
    yield from (CheckResult("wrong", what, CARD) for what in wrong)
    if not wrong:
        yield CheckResult("ok", "huggingface_hub reads the card, and its row counts and columns match the files")


def _wrong_tables(folder: CheckedFolder, card: Mapping[str, Any]) -> Iterator[str]:
    about = {info["config_name"]: info for info in card.get("dataset_info", [])}
    for table in ("qrels", "corpus", "queries"):
        config = PART if table == "corpus" and folder.declaration.sources else CONFIGS[table]
        if config not in about:
            yield f"the configuration {config} is missing"
            continue
        rows = sum(split["num_examples"] for split in about[config]["splits"])
        columns = {feature["name"]: feature["dtype"] for feature in about[config]["features"]}
        if rows != rows_of_table(folder.files, table):
            yield f"{config}: {rows} rows; the files have {rows_of_table(folder.files, table)}"
        if columns != dict(folder.tables[table]):
            yield f"{config}: its columns differ from the columns in the files"


HF_CHECK = FolderCheck("hf", check_card, needs="huggingface_hub", of=CARD)
