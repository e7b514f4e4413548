"""The structure of the program: no circle of imports, and no state but what is passed."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from cranfield.hooks import built_in_extensions
from tests.conftest import ROOT
from tests.test_project import PROJECT

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
OF_INTEREST = (
    ast.Import, ast.ImportFrom, ast.Global, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.Call,
)  # fmt: skip


class FoundNode(NamedTuple):
    """A node, and the functions in which it is, the outer ones first."""

    node: ast.AST
    functions: tuple[FunctionNode, ...]


@cache
def nodes_of(tree: ast.Module) -> list[FoundNode]:
    """The imports, assignments and calls of a module, and its uses of a `local`."""
    found, waiting = list[FoundNode](), [FoundNode(tree, ())]
    while waiting:
        node, functions = waiting.pop()
        if isinstance(node, OF_INTEREST) or getattr(node, "attr", "") in ("local", "_local"):
            found.append(FoundNode(node, functions))
        inner = (*functions, node) if isinstance(node, FunctionNode) else functions
        waiting += [FoundNode(child, inner) for child in ast.iter_child_nodes(node)]
    return found


def imported_modules(tree: ast.Module, package: str, modules: set[str]) -> Iterator[str]:
    """The modules that code imports, in functions and for type checkers as well; `package` is where it stands."""
    for node, _ in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            source = ".".join([*parents, *filter(None, [node.module])]) if node.level else str(node.module)
            for name in node.names:
                inner = f"{source}.{name.name}"
                yield inner if inner in modules else source


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder, in linked folders as well."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            yield from python_files(path)
        elif path.suffix == ".py":
            yield path


@cache
def modules_of_program() -> Mapping[str, ast.Module]:
    """The modules of the program, parsed, by name; of a package its `__init__.py`."""
    paths = {path: path.relative_to(ROOT).with_suffix("").parts for path in python_files(ROOT / "cranfield")}
    return {
        ".".join(part for part in parts if part != "__init__"): ast.parse(path.read_text("utf-8"))
        for path, parts in paths.items()
    }


def import_graph() -> dict[str, set[str]]:
    """The modules of the program by name, and what each imports of them."""
    modules = modules_of_program()
    packages = {name.rpartition(".")[0] for name in modules}
    return {
        name: {
            one
            for one in imported_modules(tree, name if name in packages else name.rpartition(".")[0], {*modules})
            if one in modules and one != name
        }
        for name, tree in modules.items()
    }


def test_no_module_imports_itself_through_others() -> None:
    """A package counts as its `__init__.py`, which import-linter's contract does not see."""
    graph = import_graph()
    graph["cranfield.hooks"].remove("cranfield.extension")
    assert len(graph) > 400
    assert "cranfield.arrays" in graph["cranfield.metrics.evaluate"] | graph["cranfield.source"]
    TopologicalSorter(graph).prepare()


def test_a_circle_is_found() -> None:
    """Imports in functions and relative imports count."""
    modules = {"a", "a.b", "a.c"}
    graph = {
        "a.b": {*imported_modules(ast.parse("def f():\n    from a import c"), "a", modules)},
        "a.c": {*imported_modules(ast.parse("from . import b"), "a", modules)},
    }
    with pytest.raises(CycleError):
        TopologicalSorter(graph).prepare()


def test_no_circle_is_ignored() -> None:
    """The contract has one exception: `hooks` names the class whose methods name types of every layer."""
    settings = PROJECT["tool"]["importlinter"]
    [contract] = [one for one in settings["contracts"] if one["type"] == "acyclic_siblings"]
    ignored = ["cranfield.hooks -> cranfield.extension"]
    assert contract == {
        "name": "No circles",
        "type": "acyclic_siblings",
        "ancestors": ["cranfield"],
        "ignore_imports": ignored,
    }
    assert settings["exclude_type_checking_imports"] is False
    assert {name for one in settings["contracts"] for name in one.get("ignore_imports", ()) if "hooks" in name} == {
        *ignored
    }


def test_the_class_that_closes_the_circle_imports_nothing_when_it_runs() -> None:
    """The circle is one of type checkers alone."""
    module = modules_of_program()["cranfield.extension"]
    run = [one for one in module.body if not (isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING")]
    imports = [one for part in run for one in ast.walk(part) if isinstance(one, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(one).split()[1] for one in imports] == ["__future__", "importlib", "typing"]


# Features

NAMESPACE_MODULES = {  # they list functions of features for type checkers; hooks finds those that are there
    f"cranfield.{name}" for name in ("answers", "models", "online", "publish", "subjects", "tasks", "topics")
}


def allowed_importers(feature: str) -> set[str]:
    """The features that may import a feature: itself and those that need it."""
    return {feature} | {name for name, extension in built_in_extensions().items() if feature in extension.needs}


def test_only_a_feature_and_those_that_need_it_import_it() -> None:
    """So it can be deleted: `python -m tests.deletion` tries it."""
    graph = import_graph()
    for feature in built_in_extensions():
        allowed = tuple(f"cranfield.features.{name}." for name in allowed_importers(feature))
        importers = {
            name
            for name, imported in graph.items()
            if any(f"{one}.".startswith(f"cranfield.features.{feature}.") for one in imported)
            and not f"{name}.".startswith(allowed)
        }
        assert importers <= NAMESPACE_MODULES, feature


@pytest.mark.parametrize("module", sorted(NAMESPACE_MODULES))
def test_a_namespace_imports_features_for_type_checkers_alone(module: str) -> None:
    for part in modules_of_program()[module].body:
        if not (isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING"):
            assert "cranfield.features" not in ast.unparse(part)


def test_no_example_of_the_core_imports_a_feature() -> None:
    for path in python_files(ROOT / "cranfield"):
        if "features" not in path.relative_to(ROOT).parts:
            examples = [line for line in path.read_text("utf-8").splitlines() if line.strip().startswith(">>>")]
            assert not [line for line in examples if "cranfield.features." in line], path


# State

LASTING = {  # ContextVars of how the program runs; no result depends on them
    "cranfield.formats.files.LIMITS", "cranfield.parallel.REPORT", "cranfield.parallel.SHOWN",
    "cranfield.parallel.WORKERS",
}  # fmt: skip
STILL_TO_GO = set[str]()
KEPT = {  # containers of modules that functions change
    "cranfield.features.collecting.vectors._LOADED",  # the vectors of texts, by the hash of the texts
    "cranfield.features.collecting.vectors._STATES",  # that hash, by what a store tells of its changes
    "cranfield.parallel._equipment",  # of a process in a pool: what it was started for
}
CHANGES = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
    "setdefault", "sort", "update",
}  # fmt: skip
STORES = ("Connection", "NamedRows", "Store", "UntrustedStore")


def is_call_of(node: ast.AST | None, name: str) -> bool:
    """Whether a node is a call of a function of this name, as `name()`, `name[type]()` or `module.name()`."""
    function = node.func if isinstance(node, ast.Call) else None
    function = function.value if isinstance(function, ast.Subscript) else function
    return name in (getattr(function, "id", ""), getattr(function, "attr", ""))


def targets_of(node: ast.AST) -> list[ast.expr]:
    """What a statement assigns or deletes."""
    if isinstance(node, ast.Assign | ast.Delete):
        targets = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    else:
        return []
    return [
        one for target in targets for one in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])
    ]


@cache
def local_names(function: FunctionNode) -> set[str]:
    """The names that a function binds."""
    nodes = [*ast.walk(function)]
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return arguments | names - {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def changed_globals(tree: ast.Module) -> Iterator[str]:
    """The names of the module that functions assign, or whose container they change."""
    module_names = {one.id for node in tree.body for one in targets_of(node) if isinstance(one, ast.Name)}
    for node, functions in nodes_of(tree):
        if isinstance(node, ast.Global):
            yield from node.names
        changed = [one.value for one in targets_of(node) if isinstance(one, ast.Subscript)]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            changed.append(node.func.value)
        for one in changed:
            if functions and isinstance(one, ast.Name) and one.id in module_names:
                yield from [one.id] * (not any(one.id in local_names(function) for function in functions))


@cache
def stores_in(function: FunctionNode) -> set[str]:
    """The names in a function that are open stores, by their types, by what opens them, or as they are called."""
    names = {"store", "there"}
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.annotation and ast.unparse(node.annotation).strip("\"'") in STORES:
            names.add(node.arg)
        opens = node.items if isinstance(node, ast.With) else ()
        for item in opens:
            makes = isinstance(item.context_expr, ast.Call) and ast.unparse(item.context_expr.func).startswith(STORES)
            if makes and isinstance(item.optional_vars, ast.Name):
                names.add(item.optional_vars.id)
    return names


def set_on_stores(tree: ast.Module) -> Iterator[str]:
    """The attributes that functions set on a store."""
    for node, functions in nodes_of(tree):
        places = [one for one in targets_of(node) if isinstance(one, ast.Attribute)]
        owners: list[tuple[ast.AST, ast.expr]] = [(one, one.value) for one in places]
        if isinstance(node, ast.Call) and is_call_of(node, "setattr"):
            owners = [(node, node.args[0])]
        for place, owner in owners:
            if isinstance(owner, ast.Name) and any(owner.id in stores_in(function) for function in functions):
                yield ast.unparse(place)


def context_variables(tree: ast.Module) -> Iterator[str]:
    """The ContextVars of a module, by name."""
    for node, _ in reversed(nodes_of(tree)):
        if isinstance(node, ast.Assign | ast.AnnAssign) and is_call_of(node.value, "ContextVar"):
            yield from (ast.unparse(one) for one in targets_of(node))


def thread_locals(tree: ast.Module) -> list[str]:
    """Where a module uses or imports a `threading.local`."""
    nodes = [node for node, _ in nodes_of(tree)]
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module in ("threading", "_thread")]
    return [
        *(one.name for node in imports for one in node.names if one.name in ("local", "_local")),
        *(ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)),
    ]


def test_values_are_passed() -> None:
    """The program has no ContextVar but these; there is no other state that would only hide it."""
    modules = modules_of_program()
    variables = {f"{name}.{one}" for name, tree in modules.items() for one in context_variables(tree)}
    assert variables == LASTING | STILL_TO_GO
    calls = sum(is_call_of(node, "ContextVar") for tree in modules.values() for node, _ in nodes_of(tree))
    assert calls == len(variables), "a ContextVar without a name of a module"
    assert {name for name, tree in modules.items() if thread_locals(tree)} == set()
    assert {f"{name}.{one}" for name, tree in modules.items() for one in changed_globals(tree)} == {
        one for one in KEPT if one.rpartition(".")[0] in modules
    }


def test_nothing_is_hung_on_a_store() -> None:
    """Only the store's own modules set its attributes."""
    modules = {name: tree for name, tree in modules_of_program().items() if not name.startswith("cranfield.store.")}
    assert {(name, one) for name, tree in modules.items() for one in set_on_stores(tree)} == set()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("NUMBER = 0\ndef f():\n    global NUMBER\n    NUMBER = 1", {"NUMBER"}),
        ("SEEN = set()\ndef f(x):\n    SEEN.add(x)", {"SEEN"}),
        ("SEEN = {}\nclass A:\n    def f(self, x):\n        SEEN[x] = 1", {"SEEN"}),
        ("SEEN = {}\ndef f(x):\n    SEEN = {}\n    SEEN[x] = 1", set()),
        ("SEEN = []\ndef f(x):\n    SEEN[:] = [x]", {"SEEN"}),
        ("SEEN = {}\ndef f(x):\n    return SEEN.get(x)", set()),
    ],
)
def test_changed_globals_are_found(code: str, found: set[str]) -> None:
    """Assigned names and changed containers; not local names."""
    assert {*changed_globals(ast.parse(code))} == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def f(store):\n    store.topics = 1", ["store.topics"]),
        ("def f(one: 'Store'):\n    one.topics, x = 1, 2", ["one.topics"]),
        (
            "def f(path):\n    with Store.open(path) as it:\n        setattr(it, 'topics', 1)",
            ["setattr(it, 'topics', 1)"],
        ),
        ("def f(self, screen):\n    self.store = screen.store = 1", []),
    ],
)
def test_values_on_stores_are_found(code: str, found: list[str]) -> None:
    """By the type, the call that opens it, or the name."""
    assert [*set_on_stores(ast.parse(code))] == found


def test_ambient_variables_are_found() -> None:
    """However they are declared."""
    code = "A = ContextVar('A')\nB: ContextVar[int] = ContextVar('B')\nC = contextvars.ContextVar[int]('C')\n"
    assert [*context_variables(ast.parse(code))] == ["A", "B", "C"]
    assert thread_locals(ast.parse("import threading\nx = threading.local()")) == ["threading.local"]
    assert thread_locals(ast.parse("from threading import local")) == ["local"]
