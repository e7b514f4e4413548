"""The packages: every folder with code. Three of them stand beside cranfield/, and are installed in it.

The scanner of run files is compiled where there is a C compiler; without it files are read more slowly.
"""

from pathlib import Path

from setuptools import Extension, setup

FOLDERS = {"cranfield": "cranfield"} | {f"cranfield.{name}": name for name in ("judging", "metrics", "pooling")}
PACKAGES = {
    ".".join([package, *path.parent.relative_to(folder).parts]): str(path.parent)
    for package, folder in FOLDERS.items()
    for path in sorted(Path(folder).rglob("__init__.py"))
    if path.parent.resolve() == Path.cwd() / path.parent  # not through a link
} | {"cranfield.collections": "collections"}

SCANNER = Extension(
    "cranfield.formats.runs.scanner", ["cranfield/formats/runs/scanner.c"], optional=True, py_limited_api=True
)

setup(
    packages=[*PACKAGES],
    package_dir=PACKAGES,
    ext_modules=[SCANNER],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
