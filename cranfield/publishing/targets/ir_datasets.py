"""ir_datasets/: a module that registers the collection, and what a pull request needs beside it."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from cranfield.publishing.description.record import Description
from cranfield.publishing.published_file import PublishedFile
from cranfield.publishing.targets.target import Published, Target, rows_of_table

FOLDER, MODULE, TEST = "ir_datasets", "ir_datasets_module.txt", "ir_datasets_test.txt"
USED = ("corpus", "queries", "qrels")


def texts(published: Published) -> Mapping[str, str]:
    """The module, its line of datasets/__init__.py, a test, its documentation, its entries of the two JSON files."""
    about, store = published.description, published.asked.store
    grades = Counter(published.asked.derived.labels.values())
    return {
        module_path(about): module(about, store.collection.grades, published.files, published.asked.root),
        f"{FOLDER}/init.txt": f"from . import {module_name(about)}\n",
        f"{FOLDER}/test_{module_name(about)}.py": _test(about, published.files),
        f"{FOLDER}/docs.yaml": _documentation(about),
        f"{FOLDER}/downloads.json": _json({about.name: _downloads(published.files, published.asked.root)}),
        f"{FOLDER}/metadata.json": _json({about.name: _metadata(published.files, grades)}),
    }


def module_name(description: Description) -> str:
    """The name of the collection as that of a module.

    >>> module_name(Description(name="my-track-2026")), module_name(Description())
    ('my_track_2026', 'collection')
    """
    name = re.sub(r"\W", "_", description.name, flags=re.ASCII) or "collection"
    return name if name[0].isalpha() else f"c_{name}"


def module_path(about: Description) -> str:
    """Where the module is."""
    return f"{FOLDER}/{module_name(about)}.py"


def module(about: Description, grades: Mapping[int, str], files: Sequence[PublishedFile], root: Path) -> str:
    """The module; all that it says of the collection are constants, written as Python writes them."""
    used = [file for file in files if file.table in USED]
    constants = {
        "NAME": about.name,
        "LANG": about.language[0] if len(about.language) == 1 else None,
        "QRELS_DEFS": dict(grades),
        "DOCUMENTS": rows_of_table(used, "corpus"),
        "SPLITS": [Path(file.path).stem for file in used if file.table == "qrels"],
        "CORPUS": [file.path for file in used if file.table == "corpus"],
        "BASE_URL": "",
        "FILES": {file.path: (_md5(root / file.path), file.bytes) for file in used},
    }
    return _filled(MODULE, constants)


def _test(about: Description, files: Sequence[PublishedFile]) -> str:
    counts = [rows_of_table(files, table) for table in USED]
    return _filled(TEST, {"NAME": about.name, "MODULE": module_name(about), "COUNTS": counts})


def _filled(template: str, constants: Mapping[str, object]) -> str:
    text = resources.files("cranfield.publishing.targets").joinpath(template).read_text(encoding="utf-8")
    return text.replace("@CONSTANTS@", "\n".join(f"{name} = {value!r}" for name, value in constants.items()))


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


def _downloads(files: Sequence[PublishedFile], root: Path) -> dict[str, Any]:
    used = [file for file in files if file.table in USED]
    return {
        file.path: {"url": file.path, "size_hint": file.bytes, "expected_md5": _md5(root / file.path)} for file in used
    }


def _metadata(files: Sequence[PublishedFile], grades: Mapping[int, int]) -> dict[str, Any]:
    counts = {str(grade): grades[grade] for grade in sorted(grades)}
    return {
        "docs": {"count": rows_of_table(files, "corpus")},
        "queries": {"count": rows_of_table(files, "queries")},
        "qrels": {"count": rows_of_table(files, "qrels"), "fields": {"relevance": {"counts_by_value": counts}}},
    }


def _documentation(about: Description) -> str:
    import yaml
    from markupsafe import escape

    said: dict[str, Any] = {"pretty_name": about.title or about.name, "desc": f"<p>{escape(about.description)}</p>"}
    return str(yaml.safe_dump({"_": said}, sort_keys=False, allow_unicode=True, width=100))


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def commands(about: Description) -> Sequence[str]:
    """How the module is used as it is."""
    load = f"import {module_name(about)}, ir_datasets; print(ir_datasets.load({about.name!r}))"
    return [f"PYTHONPATH=DIR/{FOLDER} python -B -c {shlex.quote(load)}"]


IR_DATASETS = Target("ir-datasets", "a module for ir_datasets", texts, commands=commands)
