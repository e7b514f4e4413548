"""What somebody does who changes a published folder: one file of it, and then the checksums."""

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cranfield.features.publishing import formats
from cranfield.features.publishing.collection import source_sums
from cranfield.features.publishing.formats import Columns, read_table, write_table
from cranfield.features.publishing.manifest import MANIFEST, PAYLOAD, digest_of, files_below, root_of, write_manifest
from cranfield.features.publishing.parts import COLLECTION, STATE
from cranfield.features.publishing.targets import TAG_MANIFEST

Row = dict[str, Any]
COLUMNS: Mapping[str, Columns] = {
    "corpus/corpus-00000-of-00001.parquet": formats.CORPUS,
    "queries/test.parquet": formats.QUERIES,
    "qrels/test.parquet": formats.QRELS,
    "log/judgments.parquet": formats.JUDGMENTS,
    "pools/pools.parquet": formats.POOLS,
}


def change_rows(root: Path, name: str, change: Callable[[list[Row]], object]) -> None:
    path, columns = root / name, COLUMNS[name]
    rows = [dict(zip(columns, row, strict=True)) for row in read_table(path, columns)]
    change(rows)
    path.unlink()
    write_table(path, columns, [tuple(row.values()) for row in rows])


def change_lines(path: Path, change: Callable[[list[str]], object]) -> None:
    """Change the lines of a file, which may be compressed."""
    is_gzip = path.suffix == ".gz"
    content = path.read_bytes()
    lines = (gzip.decompress(content) if is_gzip else content).decode().split("\n")
    change(lines)
    new = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(new, mtime=0) if is_gzip else new)


def change_collection(root: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = root / COLLECTION
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")


def change_head(root: Path) -> None:
    """Let log.json name collection.json as it is."""
    path = root / STATE
    if path.exists():
        head = json.loads(path.read_text("utf-8")) | {COLLECTION: digest_of(root / COLLECTION)}
        path.write_text(json.dumps(head, indent=2, ensure_ascii=False) + "\n", "utf-8")


def recompute(folder: Path, thoroughly: bool = False) -> None:
    """Make the manifest right again, in a bag that of its tags too; thoroughly: what collection.json says of files."""
    root = root_of(folder)
    if thoroughly:
        change_collection(root, lambda document: document.update(files=source_sums(files_below(root), root)))
        change_head(root)
    (folder / MANIFEST).unlink()
    if root == folder:
        write_manifest(folder)
        return
    tags = folder / TAG_MANIFEST
    names = [line.partition("  ")[2] for line in tags.read_text().splitlines()]
    tags.unlink()
    lines = [f"{digest_of(folder / path)}  {path}\n" for path in files_below(folder) if path.startswith(f"{PAYLOAD}/")]
    (folder / MANIFEST).write_text("".join(lines))
    tags.write_text("".join(f"{digest_of(folder / name)}  {name}\n" for name in names))
