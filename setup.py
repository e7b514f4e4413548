"""The packages: every folder with code. Three of them stand beside cranfield/, and are installed in it.

The scanner of run files is compiled where there is a C compiler; without it files are read more slowly.
The source distribution has the links in cranfield/ to the folders beside it, so that tests run where it is unpacked.
"""

import os
import re
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.sdist import sdist

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

LINKS = ("collections", "judging", "metrics", "pooling")
PICTURE = re.compile(r"(!\[[^]]*]\()(?!\w+:)([^)\s]+)")
LINK = re.compile(r"(]\()(?!\w+:|#)([^)\s]+)")


class SourceDistribution(sdist):
    """Everything that MANIFEST.in names, and the links."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for name in LINKS:
            os.symlink(f"../{name}", Path(base_dir, "cranfield", name))


def readme(project):
    """The README for a page elsewhere: its links and pictures lead to the repository, if the project names one."""
    text = Path("README.md").read_text(encoding="utf-8")
    repository = project.get("urls", {}).get("Repository", "").rstrip("/")
    if not repository:
        return text
    release = f"v{project['version']}"
    pictures = PICTURE.sub(rf"\g<1>{repository}/raw/{release}/\g<2>", text)
    return LINK.sub(rf"\g<1>{repository}/blob/{release}/\g<2>", pictures)


setup(
    packages=[*PACKAGES],
    package_dir=PACKAGES,
    ext_modules=[SCANNER],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
    cmdclass={"sdist": SourceDistribution},
    long_description=readme(tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]),
    long_description_content_type="text/markdown",
)
