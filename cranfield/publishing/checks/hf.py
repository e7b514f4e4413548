"""The card of Hugging Face: that it can be read, and that its tables are those of the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.targets.target import rows_of_table

CARD = "README.md"
TABLES = {"default": "qrels", "corpus": "corpus", "queries": "queries"}  # of the configurations


def check_card(folder: Checked) -> Iterator[Finding]:
    from huggingface_hub import DatasetCard

    try:
        card = DatasetCard.load(folder.found.root / CARD).data.to_dict()
    except (ValueError, TypeError) as error:
        yield Finding("wrong", f"huggingface_hub: {error}".splitlines()[0], CARD)
        return
    wrong = [*_unknown_files(folder, card), *_wrong_tables(folder, card)]
    yield from (Finding("wrong", what, CARD) for what in wrong)
    if not wrong:
        yield Finding("ok", "huggingface_hub reads the card; its rows and columns are those of the files")


def _unknown_files(folder: Checked, card: Mapping[str, Any]) -> Iterator[str]:
    for config in card.get("configs", []):
        for entry in config["data_files"]:
            paths = [entry["path"]] if isinstance(entry["path"], str) else entry["path"]
            yield from (f"{path} is not in the folder" for path in paths if not folder.has(path))


def _wrong_tables(folder: Checked, card: Mapping[str, Any]) -> Iterator[str]:
    about = {info["config_name"]: info for info in card.get("dataset_info", [])}
    for config, table in TABLES.items():
        if config not in about:
            yield f"the configuration {config} is missing"
            continue
        rows = sum(split["num_examples"] for split in about[config]["splits"])
        columns = {feature["name"]: feature["dtype"] for feature in about[config]["features"]}
        if rows != rows_of_table(folder.files, table):
            yield f"{config}: {rows} rows; the files have {rows_of_table(folder.files, table)}"
        if columns != dict(folder.tables[table]):
            yield f"{config}: its columns are not those of the files"


HF_CHECK = Check("hf", check_card, needs="huggingface_hub", of=CARD)
