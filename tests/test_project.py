"""The house: what the README says is so, and the layout is what the build believes."""

import re
import sys
import tomllib
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from runpy import run_path
from types import ModuleType
from typing import Any

import pytest

import cranfield
from cranfield.metrics.measures import MEASURE_PLACES
from cranfield.metrics.significance.tests import TESTS
from cranfield.pooling.methods import METHODS
from tests.conftest import ROOT
from tests.needed_features import EVERY_FEATURE

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_versions_agree() -> None:
    """The package, its metadata, the citation and the changelog name one version."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest, *_ = re.findall(r"^## ([\d.]+)", changelog, re.MULTILINE)
    assert newest == cranfield.__version__
    assert cranfield.__version__ == PROJECT["project"]["version"]
    assert f"\nversion: {cranfield.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_requirements_have_floors_that_ci_installs() -> None:
    """A requirement has a lowest version; an upper bound has a comment that names the break."""
    floors_script = run_path(str(ROOT / ".ci" / "floors.py"))
    requirements = [*dict.fromkeys(floors_script["requirements"](PROJECT["project"], "test"))]
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    for requirement in requirements:
        assert re.fullmatch(r"[\w-]+>=[\d.]+(,<[\d.]+)?", requirement)
        if "<" in requirement:
            assert any(requirement in line and "breaks" in line.partition("#")[2] for line in lines)
    floors = [*floors_script["floors"](PROJECT["project"])]
    assert len(floors) == len(requirements)
    assert "numpy==1.26" in floors
    assert "pandas==2.2" in floors
    assert "pyarrow==15" in floors


@EVERY_FEATURE
def test_the_changelog_is_short() -> None:
    """While one version is all there is, the changelog says what it does, and counts what there is."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    assert f"`pool build` has {len(METHODS)} methods" in text
    assert f"differences with {len(TESTS)} significance tests" in text


def setup_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the setup.py of a folder gives setuptools, which need not be installed where the tests run."""
    keywords: dict[str, Any] = {}
    builder, command, archive = (ModuleType(name) for name in ("setuptools", "setuptools.command", "sdist"))
    builder.__dict__.update(setup=keywords.update, Extension=lambda name, sources, **options: (name, sources, options))
    archive.__dict__["sdist"] = object
    for name, module in {"": builder, ".command": command, ".command.sdist": archive}.items():
        monkeypatch.setitem(sys.modules, f"setuptools{name}", module)
    monkeypatch.chdir(folder)
    run_path(str(folder / "setup.py"))
    return keywords


def test_every_package_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each folder with code is a package where it belongs, the bundled data is one, and nothing else is."""
    setup = setup_of(ROOT, monkeypatch)
    every = (ROOT / name for name in ("cranfield", "judging", "metrics", "pooling"))
    folders = {path.parent.resolve() for folder in every for path in folder.rglob("__init__.py")}
    assert {(ROOT / folder).resolve() for folder in setup["package_dir"].values()} == {*folders, ROOT / "collections"}
    assert setup["packages"] == [*setup["package_dir"]]
    assert setup["package_dir"]["cranfield.metrics.measures"] == "metrics/measures"
    [(name, [source], options)] = setup["ext_modules"]
    assert (ROOT / source).is_file()
    assert source == name.replace(".", "/") + ".c"
    assert options["optional"]  # without a compiler all else is installed


TARGET = re.compile(r"]\(([^)\s]+)\)")
SOMEWHERE = "https://example.org/ir/cranfield"
ADDRESSES = re.compile(
    r"shields\.io|badge\.(?:svg|fury)|/badges?/|(?:git(?:hub|lab)|codeberg)\.(?:com|org)/[\w.-]+/cranfield\b"
    r"|(?:pypi\.org/project|readthedocs\.io|readthedocs\.org/projects)/?cranfield|cranfield[\w-]*\.readthedocs",
    re.IGNORECASE,
)


@pytest.mark.parametrize("repository", [None, SOMEWHERE, f"{SOMEWHERE}/"])
def test_the_readme_leads_to_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: str | None
) -> None:
    """On the page of a package index its links and pictures are absolute, once the project names a repository."""
    for name in ("setup.py", "README.md"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    project = re.sub(
        r"^\[project\.urls]\n(?:[^[\n].*\n|\n)*", "", (ROOT / "pyproject.toml").read_text("utf-8"), flags=re.M
    )
    urls = f'\n[project.urls]\nRepository = "{repository}"\n' if repository else ""
    (tmp_path / "pyproject.toml").write_text(project + urls, encoding="utf-8")
    here = (ROOT / "README.md").read_text(encoding="utf-8")
    page = setup_of(tmp_path, monkeypatch)["long_description"]
    if repository is None:
        assert page == here
        return
    targets = [target for target in TARGET.findall(page) if not target.startswith("#")]
    release = f"v{cranfield.__version__}"
    places = [re.sub(rf"^{SOMEWHERE}/(blob|raw)/{release}/", "", target) for target in targets]
    assert [place for place in places if not (ROOT / place.partition("#")[0]).exists() and "://" not in place] == []
    assert [target for target in targets if "://" not in target] == []
    assert (
        f"]({SOMEWHERE}/raw/{release}/docs/images/report.png)]({SOMEWHERE}/blob/{release}/docs/explanation/gallery.md)"
        in page
    )
    back = re.sub(rf"{SOMEWHERE}/(?:blob|raw)/{release}/", "", page)
    assert back == here


def test_no_address_is_invented() -> None:
    """While [project.urls] names no repository there is no badge and no address; then they are that repository's."""
    repository = PROJECT["project"].get("urls", {}).get("Repository", "")
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "pyproject.toml")]
    pages += sorted((ROOT / "docs").rglob("*.md"))
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages}
    addresses = {(name, match[0]) for name, text in texts.items() for match in ADDRESSES.finditer(text)}
    assert repository or not addresses, addresses
    of_projects = [one for one in addresses if "/cranfield" in one[1] and "pypi" not in one[1]]
    elsewhere = [one for one in of_projects if one[1] not in repository]
    assert not repository or not elsewhere, elsewhere


def test_collections_is_data_only() -> None:
    """An __init__.py there would shadow the standard library's collections for whoever works at the root."""
    assert not list((ROOT / "collections").rglob("*.py"))


def test_what_is_exported_is_there() -> None:
    """Each package's stub names what it has, and it loads; the stub is part of the installation."""
    stubs = [
        path
        for folder in ("cranfield", "judging", "metrics", "pooling")
        for path in (ROOT / folder).rglob("__init__.pyi")
    ]
    data = PROJECT["tool"]["setuptools"]["package-data"]
    for stub in {path.resolve() for path in stubs}:
        name = ".".join(stub.relative_to(ROOT).parent.parts)
        package = import_module(name if name.startswith("cranfield") else f"cranfield.{name}")
        assert "*.pyi" in data[package.__name__]
        assert [*package.__all__] == [one for one in package.__all__ if hasattr(package, one)] != []
        with pytest.raises(AttributeError, match="nothing"):
            package.nothing  # noqa: B018


def test_the_stub_of_measures_names_each() -> None:
    stub = (ROOT / "metrics" / "measures" / "__init__.pyi").read_text(encoding="utf-8")
    assert re.findall(r"^(\w+): Measure$", stub, re.MULTILINE) == [*MEASURE_PLACES]


def test_modules_are_small() -> None:
    """A module holds one topic, of at most 800 lines."""
    long = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for folder in ("cranfield", "judging", "metrics", "pooling")
        for path in (ROOT / folder).rglob("*.py")
    }
    assert {path: lines for path, lines in long.items() if lines > 800} == {}


PARTS = ("analysis", "commands")  # of features


def test_a_class_name_has_one_meaning() -> None:
    """Classes have different names, except the class that `shapes` names as ir_measures does."""
    where = defaultdict[str, list[str]](list)
    for folder in ("cranfield", "judging", "metrics", "pooling"):
        for path in (ROOT / folder).rglob("*.py"):
            for name in re.findall(r"^ *class (\w+)[:(\[]", path.read_text(encoding="utf-8"), re.MULTILINE):
                where[name].append(str(path.relative_to(ROOT)))
    where["Evaluator"].remove("metrics/shapes.py")
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def test_the_architecture_has_every_package() -> None:
    """Each package with code, except the folders of commands, is in the tables of packages."""
    tables = (ROOT / "docs" / "architecture.md").read_text().split("## Packages")[1].split("## Layers")[0]
    packages = {
        folder.parent.relative_to(ROOT)
        for name in ("cranfield", "judging", "metrics", "pooling")
        for folder in (ROOT / name).glob("**/__init__.py")
    }
    on_map = {
        str(one)
        for one in packages
        if f"{one.name}/" in tables or one.parts[:2] == ("cranfield", "cli") or one.name in PARTS
    }
    assert {str(one) for one in packages} - on_map == set()


def test_the_flows_of_the_architecture_are_there() -> None:
    """Every hop that docs/architecture.md draws is a function of the module that it names."""
    flows = (ROOT / "docs" / "architecture.md").read_text().split("## Three flows")[1]
    hops = re.findall(r"^ {4,}(\S+\.py) +(\w[\w., ]*?)(?: {2,}|$)", flows, re.MULTILINE)
    assert len(hops) > 20
    for path, names in hops:
        text = (ROOT / path).read_text()
        for name in names.split(", "):
            assert f"def {name.rpartition('.')[2]}(" in text, (path, name)
