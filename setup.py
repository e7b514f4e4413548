"""The packages: every folder with code. Three of them stand beside cranfield/, and are installed in it."""

from pathlib import Path

from setuptools import setup

FOLDERS = {"cranfield": "cranfield"} | {f"cranfield.{name}": name for name in ("judging", "metrics", "pooling")}
PACKAGES = {
    ".".join([package, *path.parent.relative_to(folder).parts]): str(path.parent)
    for package, folder in FOLDERS.items()
    for path in sorted(Path(folder).rglob("__init__.py"))
    if path.parent.resolve() == Path.cwd() / path.parent  # not through a link
} | {"cranfield.collections": "collections"}

setup(packages=[*PACKAGES], package_dir=PACKAGES)
