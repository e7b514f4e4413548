"""The namespaces of `import cranfield`: what each has, where it comes from, and that it is loaded on first use."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from cranfield import hooks
from tests.conftest import ROOT
from tests.namespaces import NAMESPACES

LAZY = ["", *NAMESPACES, "formats"]  # the packages and modules that load their names on first use


def declared(namespace: str) -> dict[str, str]:
    """The names that type checkers see in a namespace, and the module of each."""
    file = Path(import_module(f"cranfield.{namespace}".rstrip(".")).__file__ or "")
    stub = file.with_suffix(".pyi")
    lines = ast.walk(ast.parse((stub if stub.exists() else file).read_text(encoding="utf-8")))
    imports = [line for line in lines if isinstance(line, ast.ImportFrom) and line.module != "cranfield"]
    return {name.asname: str(line.module) for line in imports for name in line.names if name.asname}


@pytest.mark.parametrize(
    "namespace",
    [pytest.param(name, marks=pytest.mark.needs_extra("plot") if name == "plot" else ()) for name in LAZY],
)
def test_type_checkers_see_the_names_that_are_there(namespace: str) -> None:
    """Also those that features add."""
    module = import_module(f"cranfield.{namespace}".rstrip("."))
    assert {*declared(namespace)} == {*module.__all__}
    for name in module.__all__:
        assert getattr(module, name).__doc__, name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018


@pytest.mark.parametrize("namespace", ["cranfield", "cranfield.metrics", "cranfield.trust"])
def test_a_name_of_another_namespace_is_found(namespace: str) -> None:
    """In the error on a name that is not in this one."""
    module = import_module(namespace)
    below = {one.name for one in iter_modules(getattr(module, "__path__", []))}
    for other in NAMESPACES:
        for name in import_module(f"cranfield.{other}").__all__:
            if name not in {*module.__all__, *below} and not hasattr(module, name):
                with pytest.raises(AttributeError, match=rf"; it is .*\bcranfield\.{other}\.{name}\b"):
                    getattr(module, name)
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        module.nothing  # noqa: B018


def test_features_add_the_names_that_type_checkers_see() -> None:
    """Each feature names its functions; nothing else takes names from features."""
    for namespace in LAZY:
        of_features = {name: home for name, home in declared(namespace).items() if ".features." in home}
        assert of_features == hooks.public_functions(namespace), namespace


def test_no_name_of_a_package_is_one_of_its_modules() -> None:
    """Importing the module would replace the function."""
    for namespace in LAZY:
        module = import_module(f"cranfield.{namespace}".rstrip("."))
        for name in module.__all__:
            path = Path(module.__file__ or "").parent / name
            is_package = Path(module.__file__ or "").name == "__init__.py"
            assert not is_package or not (path.exists() or path.with_suffix(".py").exists()), (namespace, name)


def test_namespaces_load_neither_numpy_nor_features() -> None:
    """Before one of their functions is used."""
    names = ", ".join(f"cranfield.{name}" for name in NAMESPACES)
    code = (
        f"import sys, cranfield; assert [{names}]; "
        "heavy = {'numpy', 'pandas', 'typer', 'sqlite3', 'cranfield.features.online'} & {*sys.modules}; "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
