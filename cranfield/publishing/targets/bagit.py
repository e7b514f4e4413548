"""BagIt 1.0 (RFC 8493): the folder as the payload data/ of a bag."""

from __future__ import annotations

from pathlib import Path

from cranfield import __version__
from cranfield.formats.whole_files import write_text
from cranfield.publishing.description.record import Description
from cranfield.publishing.manifest import BAG, PAYLOAD, digest_of, files_below, write_manifest
from cranfield.publishing.targets.target import Target

TAG_MANIFEST = "tagmanifest-sha256.txt"


def bagged(folder: Path, bag: Path, about: Description) -> None:
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
    said = {
        "Source-Organization": about.publisher,
        "External-Identifier": about.doi,
        "External-Description": about.title,
        "Bagging-Date": about.date,
        "Bag-Software-Agent": f"cranfield {__version__}",
        "Payload-Oxum": f"{sum(payload)}.{len(payload)}",
    }
    lines = (f"{name}: {' '.join(value.split())}\n" for name, value in said.items() if value)
    return {BAG: "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n", "bag-info.txt": "".join(lines)}


BAGIT = Target("bagit", "a bag (BagIt 1.0) around the folder")
