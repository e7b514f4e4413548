"""The twelve surfaces on which users read prose, and the sentences of each."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from tests.words.html import script_blocks, template_blocks
from tests.words.markdown import read_blocks
from tests.words.modules import FunctionNode, Use, find_docstring, read_docstring, read_strings
from tests.words.splitting import Line, Sentence, mask_names, split_sentences

ROOT = Path(__file__).resolve().parents[2]
SURFACES = {
    "readme": "README.md",
    "guides": "pages of the docs: start and how-to",
    "explanation": "pages of the docs: explanations, benchmarks and gallery",
    "reference": "pages of the docs: reference",
    "developers": "pages of the docs: development; CONTRIBUTING, SECURITY and other README files",
    "help": "help of commands and groups",
    "options": "descriptions of options and arguments",
    "messages": "errors, notes, warnings and lines of the terminal",
    "docstrings": "docstrings of public functions, classes and methods",
    "pages": "templates, scripts and texts of the pages in the browser",
    "report": "the verdict, the report, cards and charts",
    "reprs": "titles of tables and what Python shows of an object",
}
PAGES_OF_DOCS = ("guides", "explanation", "reference")  # among which a page may move
PACKAGES = ("cranfield", "metrics", "pooling", "judging")
DEVELOPERS = ("CONTRIBUTING.md", "SECURITY.md", "cranfield/features/README.md", "benchmarks/README.md")
FOLDERS = {"reference": "reference", "explanation": "explanation"}  # of the docs, listed in the index or not
LONGEST_ROW = 200  # characters of a string that names commands
WORD = re.compile(r"(?<![\w`{])[A-Za-z][a-z']+")
GROUP = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)
OF_PAGES = re.compile(r"cranfield/web/|features/\w+/(?:\w*_?pages?|organise|page_values|visitors|showing|offline)\.py$")
OF_REPORT = re.compile(
    r"cranfield/(?:report|charts|analysis)/|features/\w+/(?:report|analysis/|charts)"
    r"|features/publishing/(?:datasheet|description|croissant|citation|markup|hf|publication|collection)\.py$"
    r"|metrics/(?:forecast/sentences|reusability/|diagnosis/)"
)
OF_OPTIONS = re.compile(r"cranfield/options/|options?\.py$")
OF_COMMANDS = re.compile(r"cranfield/cli/commands/|features/[\w/]*commands?[/.]|_command\.py$")
TOML = re.compile(r'^(?:description|note|why|misleads) = "(.*)"$', re.MULTILINE)
NOT_READ = re.compile(
    r"/tests?/|cli/summaries\.py$|cranfield/testing/|examples?\.py$|tables\.py$|hooks\.py$|_provider\.py$|/prompts/"
)
EXPORT = re.compile(r"^\s*from ([\w.]+) import (\w+) as \2", re.MULTILINE)


def sentences(surface: str, root: Path = ROOT) -> list[Sentence]:
    """The sentences of a surface, in the order of files and lines, each text once a file."""
    found = sentences_by_surface(root)[surface]
    return list(dict.fromkeys(found))


def has_words(text: str) -> bool:
    """Whether a text has three words or more that are not code.

    >>> has_words("ranx: `evaluate(qrels, run)`"), has_words("See `cranfield measures` for all.")
    (False, True)
    """
    return len(WORD.findall(mask_names(text))) > 2


@cache
def sentences_by_surface(root: Path) -> dict[str, list[Sentence]]:
    """The sentences of every surface of a checkout."""
    found: dict[str, list[Sentence]] = {surface: [] for surface in SURFACES}
    for path, surface in sorted(markdown_files(root).items()):
        for block in read_blocks((root / path).read_text("utf-8")):
            found[surface] += (each for each in split_sentences(path, block) if has_words(each.text))
    for path in sorted(_files(root, (".html", ".jinja", ".js"))):
        read = script_blocks if path.endswith(".js") else template_blocks
        surface = "report" if path.startswith("cranfield/report/") else "pages"
        for block in read((root / path).read_text("utf-8")):
            found[surface] += (each for each in split_sentences(path, block) if has_words(each.text))
    for path in sorted(_files(root, (".toml",))):
        text = (root / path).read_text("utf-8")
        for value in TOML.finditer(text):
            line = Line(text.count("\n", 0, value.start()) + 1, value[1])
            found["messages"] += (each for each in split_sentences(path, [line]) if has_words(each.text))
    for surface, each in _module_sentences(root):
        found[surface].append(each)
    return found


def markdown_files(root: Path) -> dict[str, str]:
    """The surface of each Markdown file that users or developers read; history is none."""
    grouped = {page: surface for surface, pages in _toctrees(root) for page in pages}
    found = {"README.md": "readme", **{name: "developers" for name in DEVELOPERS if (root / name).exists()}}
    for file in sorted((root / "docs").rglob("*.md")):
        path = file.relative_to(root).as_posix()
        page = PurePosixPath(path).relative_to("docs").with_suffix("").as_posix()
        if "_build" not in path:
            found[path] = FOLDERS.get(page.partition("/")[0]) or grouped.get(page, "guides")
    return found


def _toctrees(root: Path) -> Iterator[tuple[str, list[str]]]:
    """The pages of the docs by the caption of their list in the index."""
    for group in GROUP.findall((root / "docs" / "index.md").read_text("utf-8")):
        caption = (re.search(r":caption: (.*)", group) or [""] * 2)[1].lower()
        surface = (
            "reference" if "reference" in caption
            else "explanation" if re.search("expla|gallery|background", caption)
            else "developers" if "develop" in caption
            else "guides"
        )  # fmt: skip
        lines = [line.strip() for line in group.splitlines() if line.strip() and not line.startswith(":")]
        yield surface, [line.rpartition("<")[2].rstrip(">").removesuffix(".md") for line in lines]


def _files(root: Path, suffixes: Sequence[str]) -> Iterator[str]:
    """The files of the program, each once where folders are links."""
    for package in PACKAGES:
        for file in (root / package).rglob("*"):
            if file.suffix in suffixes and "collections" not in file.relative_to(root).parts[:2]:
                path = file.relative_to(root).as_posix()
                if not any(path.startswith(f"cranfield/{one}/") for one in PACKAGES[1:]):
                    yield path


class Module:
    """What is kept of a module: its strings, the docstrings of its public names, and the commands that it makes."""

    def __init__(self, path: str, source: str) -> None:
        tree = ast.parse(source)
        self.path = path
        self.docstrings: dict[str, list[tuple[str, int]]] = {}  # with those of methods
        self.results: set[str] = set()  # classes of results, which are public
        self.candidates: set[str] = set()  # functions that may be commands
        for node in tree.body:
            if isinstance(node, ast.ClassDef | FunctionNode) and not node.name.startswith("_"):
                self._keep(node)
        self.texts = [] if NOT_READ.search(path) else sorted(read_strings(tree), key=lambda text: text.lines[0].number)
        self.words = _short_strings(tree) if path.endswith(("/feature.py", "cli/tree.py")) else set()
        self.commands = list(_command_calls(tree)) if OF_COMMANDS.search(path) else []
        self.imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)] if self.commands else []

    def _keep(self, node: ast.ClassDef | FunctionNode) -> None:
        nodes = [node]
        if isinstance(node, ast.ClassDef):
            nodes += [one for one in node.body if isinstance(one, FunctionNode) and not one.name.startswith("_")]
            if {getattr(base, "id", "") for base in node.bases} & {"Result", "ResultInLines"}:
                self.results.add(node.name)
        elif node.args.args[:1] and node.args.args[0].arg != "result":
            self.candidates.add(node.name)
        self.docstrings[node.name] = [text for one in nodes if (text := find_docstring(one))]


def _short_strings(tree: ast.Module) -> set[str]:
    """The words of short strings, among which the names of commands are."""
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return {
        word.replace("-", "_")
        for text in strings if isinstance(text, str) and len(text) < LONGEST_ROW
        for word in text.split()
    }  # fmt: skip


def _command_calls(tree: ast.Module) -> Iterator[str]:
    """The names of functions of which commands are made, as the calls of `command` name them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := getattr(node.func, "id", "")).endswith("command"):
            last = 2 if name == "label_command" else 1
            yield from (ast.unparse(one) for one in node.args[:last])


def _module_sentences(root: Path) -> Iterator[tuple[str, Sentence]]:
    modules = {path: Module(path, (root / path).read_text("utf-8")) for path in sorted(_files(root, (".py",)))}
    helped, exported = _commands(modules), _exports(root, modules)
    for path, module in modules.items():
        for name, docstrings in module.docstrings.items():
            is_help, is_public = (path, name) in helped, (path, name) in exported or name in module.results
            for text, line in docstrings if is_help or is_public else ():
                found = read_docstring(text, line)
                for block in found.lead:
                    yield from (("help" if is_help else "docstrings", each) for each in split_sentences(path, block))
                for block in found.sections:
                    yield from (("docstrings", each) for each in split_sentences(path, block))
        surface_of = _surface_in(path)
        for string in module.texts:
            surface = surface_of(string.use)
            if surface != "help" or string.lines[0].text.endswith("."):
                yield from ((surface, each) for each in split_sentences(path, string.lines))


def _surface_in(path: str) -> Callable[[Use], str]:
    """What a module's strings are for, by their use."""
    is_purposes = path.endswith(("cli/tree.py", "/feature.py"))
    others = (
        "options" if OF_OPTIONS.search(path) else "pages" if OF_PAGES.search(path)
        else "report" if OF_REPORT.search(path) else "help" if is_purposes else "messages"
    )  # fmt: skip
    known = {"option": "options", "message": "messages", "repr": "reprs"}
    return lambda use: known.get(use, others)


def _commands(modules: Mapping[str, Module]) -> set[tuple[str, str]]:
    """The functions whose docstrings are help, each by its file and its name."""
    names = {word for module in modules.values() for word in module.words}
    found = set[tuple[str, str]]()
    for path, module in modules.items():
        if OF_COMMANDS.search(path):
            found |= {(path, name) for name in module.candidates if name.rstrip("_") in names}
        origins = dict(_origins(module, modules))
        for name in module.commands:
            found.add(origins.get(name, (path, name)))
    return found


def _origins(module: Module, modules: Mapping[str, Module]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The functions that a module imports, by the name that they have there; those of modules with a dot."""
    for node in module.imports:
        for name in node.names:
            given = name.asname or name.name
            yield from ((given, (file, name.name)) for file in _module_files(str(node.module)) if file in modules)
            for file in _module_files(f"{node.module}.{name.name}"):
                if file in modules:
                    yield from ((f"{given}.{one}", (file, one)) for one in modules[file].docstrings)


def _module_files(module: str) -> tuple[str, ...]:
    """The files that a module may have, without links."""
    parts = module.split(".")
    if len(parts) > 1 and parts[1] in PACKAGES:
        parts = parts[1:]
    place = "/".join(parts)
    return f"{place}.py", f"{place}/__init__.py"


def _exports(root: Path, modules: Mapping[str, Module]) -> set[tuple[str, str]]:
    """The public functions and classes, each by its file and its name."""
    stubs = [root / path for path in _files(root, (".pyi",)) if "/testing" not in path]
    namespaces = [root / path for path in modules if re.fullmatch(r"cranfield/\w+\.py", path)]
    found = set[tuple[str, str]]()
    for file in (*stubs, *namespaces):
        package = file.parent.relative_to(root).as_posix().replace("/", ".")
        for module, name in EXPORT.findall(file.read_text("utf-8")):
            whole = (
                f"{package}{module}"
                if module.startswith(".") and module != "."
                else package
                if module == "."
                else module
            )
            found |= {(path, name) for path in _module_files(whole) if path in modules}
    return found
