"""The last release of published data: a small folder, and whether this program writes the same data.

`python -m tests.data_release` writes the folder again. A reader of published folders relies on their data: if the data
of the same collection change, `LAYOUT` of cranfield/features/publishing/collection.py has to change as well.
"""

import gzip
import json
import shutil
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cranfield.errors import CranfieldError
from cranfield.features.publishing.building import build
from cranfield.features.publishing.collection import is_source
from cranfield.features.publishing.describe import description_of
from cranfield.features.publishing.folder import restore
from cranfield.features.publishing.manifest import digest_of, files_below, write_manifest
from cranfield.features.publishing.parts import COLLECTION, STATE
from cranfield.features.publishing.publication import PublishOptions
from cranfield.store.store import Store
from tests.features.publishing.stores import judged_store

FOLDER = Path(__file__).parent / "features" / "publishing" / "data_release"
COMMAND = "python -m tests.data_release"
OF_PROGRAM = ("program", "build", "files", COLLECTION)  # in JSON: who wrote it, and the bytes of other files
RECEIPT = ".manifest.json"  # says when and by which version of the program qrels were written
OTHER_BUILD = "0" * 16  # so that cards and the report, which are not kept, are not compared


def is_data(path: str) -> bool:
    """Return whether a file of a published folder has data, as opposed to the report and the cards."""
    return (is_source(path) or path in (COLLECTION, STATE) or path.startswith("trec/")) and not path.endswith(RECEIPT)


def data_hashes(folder: Path) -> dict[str, str]:
    """Return the hash of the data in each file of a folder; the bytes of Parquet depend on its library."""
    return {path: sha256(_data(folder / path)).hexdigest() for path in files_below(folder) if is_data(path)}


def _data(path: Path) -> bytes:
    if path.suffix == ".parquet":
        from pyarrow import parquet

        table = parquet.read_table(path)
        columns = [[field.name, str(field.type)] for field in table.schema]
        return json.dumps([columns, table.to_pylist()], default=str).encode()
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".json":
        return json.dumps(_without(json.loads(path.read_text("utf-8"))), sort_keys=True).encode()
    return path.read_bytes()


def _without(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in OF_PROGRAM}


def changed_files(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the files whose data differ, or that only one of two folders has."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def instruction(changed: Iterable[str], released: int, current: int) -> str:
    """Return what to do about data that changed; empty if nothing is to be done."""
    files = ", ".join(changed)
    if released != current:
        return f"the layout is {current}, and the data of the last release have layout {released}: run `{COMMAND}`"
    if files:
        return (
            f"the published data changed, and the layout is still {current}: {files}. If that is wanted, raise LAYOUT"
            f" in cranfield/features/publishing/collection.py and run `{COMMAND}`"
        )
    return ""


def released_layout() -> int:
    """Return the layout of the last release of data."""
    layout: int = json.loads((FOLDER / COLLECTION).read_text("utf-8"))["layout"]
    return layout


def publish(store: Path, to: Path) -> Path:
    """Publish a store with this program."""
    with Store.open(store) as there:
        build(there, to, description_of(there, {"name": "small", "date": "2026-03-31"}), PublishOptions((), draft=True))
    return to


def published_again(work: Path) -> Path:
    """Publish the collection of the last release with this program."""
    restore(FOLDER, work / "back.db").close()
    return publish(work / "back.db", work / "again")


def changes_since_release(work: Path) -> list[str]:
    """Return the files whose data this program writes otherwise, or why it cannot read the last release."""
    try:
        return changed_files(data_hashes(FOLDER), data_hashes(published_again(work)))
    except CranfieldError as error:
        return [f"the last release cannot be read: {error}"]


def renew() -> None:
    """Write the folder of the last release again: the data files, their hashes, no report and no cards."""
    with TemporaryDirectory() as name:
        made = publish(judged_store(Path(name, "small.db"), "a plain text"), Path(name, "made"))
        shutil.rmtree(FOLDER, ignore_errors=True)
        for path in filter(is_data, files_below(made)):
            (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made / path, FOLDER / path)
    text = (FOLDER / COLLECTION).read_text("utf-8")
    before = digest_of(FOLDER / COLLECTION)
    (FOLDER / COLLECTION).write_text(text.replace(json.loads(text)["build"], OTHER_BUILD), "utf-8")
    state = (FOLDER / STATE).read_text("utf-8")
    (FOLDER / STATE).write_text(state.replace(before, digest_of(FOLDER / COLLECTION)), "utf-8")
    write_manifest(FOLDER)


if __name__ == "__main__":
    renew()
