"""ir_datasets/: a module that registers the collection, and what a pull request needs beside it.

In the check it is run only if it is, byte for byte, the one that this program writes.
"""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cranfield.features.publishing.checks import CheckedFolder, CheckResult, FolderCheck
from cranfield.features.publishing.datasheet import policy_sentence
from cranfield.features.publishing.description import Description
from cranfield.features.publishing.identifiers import as_name
from cranfield.features.publishing.parts import ASSESSORS, JUDGED, PublishedParts, Target, read_assessors, rows_of_table
from cranfield.features.publishing.publication import PublishedFile
from cranfield.parallel import environment_without_keys
from cranfield.store.log import tallies

USED = ("corpus", "queries", "qrels")
FOLDER, MODULE, TEST = "ir_datasets", "ir_datasets_module.txt", "ir_datasets_test.txt"


def texts(folder: PublishedParts) -> Mapping[str, str]:
    """The module, its line of datasets/__init__.py, a test, its documentation, its entries of the two JSON files."""
    about, grades = folder.description, folder.publishing.store.collection.grades
    downloads = {
        file.path: {"url": file.path, "size_hint": file.bytes, "expected_md5": _md5(folder.root / file.path)}
        for file in _files_of_module(folder.files)
    }
    counts = _counts_by_id(folder)
    numbers = {name: [fields["count"] for fields in one.values()] for name, one in counts.items()}
    return {
        module_path(about): module(about, grades, folder.files, folder.root),
        f"{FOLDER}/init.txt": f"from . import {module_name(about)}\n",
        f"{FOLDER}/test_{module_name(about)}.py": _fill(
            TEST, {"NAME": about.name, "MODULE": module_name(about), "COUNTS": numbers}
        ),
        f"{FOLDER}/docs.yaml": _documentation(folder),
        f"{FOLDER}/downloads.json": _json({about.name: downloads}),
        f"{FOLDER}/metadata.json": _json(counts),
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
    used = _files_of_module(files)
    splits = [Path(file.path).stem for file in used if file.table == "qrels"]
    constants = {
        "NAME": about.name,
        "LANG": about.language[0] if len(about.language) == 1 else None,
        "QRELS_DEFS": dict(grades),
        "DOCUMENTS": rows_of_table(used, "corpus"),
        "SPLITS": splits,
        "ASSESSORS": assessor_ids(root, splits),
        "LOG": JUDGED,
        "CORPUS": [file.path for file in used if file.table == "corpus"],
        "BASE_URL": "",
        "FILES": {file.path: (_md5(root / file.path), file.bytes) for file in used},
    }
    return _fill(MODULE, constants)


def _fill(template: str, constants: Mapping[str, object]) -> str:
    text = resources.files("cranfield.features.publishing").joinpath(template).read_text(encoding="utf-8")
    return text.replace("@CONSTANTS@", "\n".join(f"{name} = {value!r}" for name, value in constants.items()))


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


def _files_of_module(files: Sequence[PublishedFile]) -> list[PublishedFile]:
    return [file for file in files if file.table in USED or file.path == JUDGED]


def assessor_ids(root: Path, splits: Collection[str]) -> dict[str, str]:
    r"""The assessors of the published log by their ids, if there are several: each has a subset with their own labels.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "log").mkdir()
    ...     lines = "assessor\tkind\trepeats\tevents", "a01\thuman\t\t2", "test\tmodel\t\t1"
    ...     written = Path(folder, ASSESSORS).write_text("\n".join(lines))
    ...     assessor_ids(Path(folder), ["test"])
    {'a01': 'a01', 'test-2': 'test'}
    """
    path, ids = root / ASSESSORS, dict[str, str]()
    names = [one.name for one in read_assessors(path) if one.repeats is None] if path.is_file() else []
    for name in names if len(names) > 1 else ():
        subset = as_name(name)
        while subset in ids or subset in splits:
            subset += "-2"
        ids[subset] = name
    return ids


def _assessor_subsets(folder: PublishedParts) -> dict[str, str]:
    return assessor_ids(folder.root, folder.publishing.splits)


def _counts_by_id(folder: PublishedParts) -> dict[str, Any]:
    name, labels = folder.description.name, folder.publishing.judgments.labels
    documents, queries = (rows_of_table(folder.files, table) for table in ("corpus", "queries"))
    counts = {name: _counts(documents, queries, Counter(labels.values()))}
    for split, qids in _split_subsets(folder).items():
        grades = Counter(grade for (qid, _), grade in labels.items() if qid in qids)
        counts[f"{name}/{split}"] = _counts(documents, len(qids), grades)
    assessor_grades = defaultdict[str, Counter[int]](Counter)
    for one in tallies(folder.publishing.store):
        if one.kind in ("label", "import") and one.grade is not None and not one.again:
            assessor_grades[one.assessor][one.grade] += one.decisions
    for subset, assessor in _assessor_subsets(folder).items():
        counts[f"{name}/{subset}"] = _counts(documents, queries, assessor_grades[assessor])
    return counts


def _split_subsets(folder: PublishedParts) -> Mapping[str, Collection[str]]:
    splits = folder.publishing.splits
    return splits if len(splits) > 1 else {}


def _counts(documents: int, queries: int, grades: Mapping[int, int]) -> dict[str, Any]:
    counts = {str(grade): grades[grade] for grade in sorted(grades)}
    return {
        "docs": {"count": documents},
        "queries": {"count": queries},
        "qrels": {"count": sum(grades.values()), "fields": {"relevance": {"counts_by_value": counts}}},
    }


def _documentation(folder: PublishedParts) -> str:
    import yaml
    from markupsafe import escape

    about, publishing = folder.description, folder.publishing
    rule = policy_sentence(publishing.judgments.policy.name, publishing.judgments.policy.about)
    entries: dict[str, Any] = {
        "_": {
            "pretty_name": about.title or about.name,
            "desc": f"<p>{escape(about.description)}</p><p>{escape(rule)}</p>",
        }
    }
    for split in _split_subsets(folder):
        entries[split] = {"desc": f"<p>The topics of the split {split}, and their qrels.</p>"}
    for subset, assessor in _assessor_subsets(folder).items():
        entries[subset] = {"desc": f"<p>Only the labels of the assessor {escape(assessor)}.</p>"}
    return str(yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=100))


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def commands(about: Description) -> Sequence[str]:
    """How the module is used as it is."""
    load = f"import {module_name(about)}, ir_datasets; print(ir_datasets.load('{about.name}'))"
    return [f'PYTHONPATH=DIR/{FOLDER} python -B -c "{load}"']


IR_DATASETS = Target("ir-datasets", "a module for ir_datasets", texts, commands=commands)


SECONDS = 600
COUNT = """
import json, runpy, sys
runpy.run_path(sys.argv[1])
import ir_datasets
found = ir_datasets.load(sys.argv[2])
subsets = [name for name in list(ir_datasets.registry) if name.startswith(sys.argv[2] + "/")]
records = [found.docs_iter, found.queries_iter, found.qrels_iter]
records += [ir_datasets.load(name).qrels_iter for name in subsets]
print(json.dumps([subsets, [sum(1 for _ in each()) for each in records]]))
"""


def check_module(folder: CheckedFolder) -> Iterator[CheckResult]:
    about = folder.description
    path = module_path(about)
    if not folder.has(path):
        yield CheckResult("wrong", f"no module {path}", "ir_datasets")
        return
    place, grades = folder.payload.root / path, folder.declaration.collection.grades
    if place.read_bytes() != module(about, grades, folder.files, folder.payload.root).encode():
        yield CheckResult("skipped", "not run, because it is not the module that Cranfield writes", path)
        return
    right = [rows_of_table(folder.files, table) for table in ("corpus", "queries", "qrels")]
    yield from _check_counts(place, about.name, right)


def _check_counts(place: Path, name: str, right: list[int]) -> Iterator[CheckResult]:
    with TemporaryDirectory() as home:
        words = [sys.executable, "-P", "-B", "-c", COUNT, str(place), name]
        there = {**environment_without_keys(), "IR_DATASETS_HOME": home, "IR_DATASETS_TMP": home}
        process = subprocess.run(words, env=there, capture_output=True, text=True, timeout=SECONDS, check=False)
    if process.returncode:
        last = (process.stderr.strip().splitlines() or ["no message"])[-1]
        yield CheckResult("wrong", f"ir_datasets cannot load it: {last}", place.name)
        return
    subsets, counts = json.loads(process.stdout.strip().splitlines()[-1])
    numbers, more = counts[:3], [f"{name} {count}" for name, count in zip(subsets, counts[3:], strict=True)]
    if numbers != right:
        yield CheckResult(
            "wrong", f"ir_datasets finds {numbers} documents, queries and qrels; expected {right}", place.name
        )
    else:
        also = f"; qrels of subsets: {', '.join(more)}" if more else ""
        yield CheckResult(
            "ok", f"ir_datasets loads {numbers[0]} documents, {numbers[1]} queries and {numbers[2]} qrels{also}"
        )


IR_DATASETS_CHECK = FolderCheck("ir_datasets", check_module, needs="ir_datasets>=0.6", of="ir_datasets/docs.yaml")
