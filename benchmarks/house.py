"""`python -m benchmarks.house`: how large the program is, and how far it keeps what it sets out to be."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from cranfield.testing.extensions import EXTENSION_METHODS

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ("cranfield", "metrics", "pooling", "judging", "benchmarks", "docs")
MOST = 5  # positional arguments
WALK = """
import sys
from cranfield.cli.program import app
frames = []
def walk(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "average_precision" and not frames:
        while frame:
            frames.append(frame.f_globals["__name__"])
            frame = frame.f_back
sys.setprofile(walk)
app(sys.argv[1:], standalone_mode=False)
sys.setprofile(None)
ours = [sum(name.startswith("cranfield") for name in names) for names in (list(sys.modules), frames)]
print(*ours)
"""

PREPOSITIONS = frozenset(
    [
        "about",
        "above",
        "across",
        "after",
        "against",
        "along",
        "amid",
        "among",
        "around",
        "at",
        "before",
        "behind",
        "below",
        "beneath",
        "beside",
        "between",
        "beyond",
        "by",
        "despite",
        "during",
        "except",
        "for",
        "in",
        "inside",
        "into",
        "like",
        "near",
        "of",
        "off",
        "on",
        "onto",
        "out",
        "outside",
        "over",
        "past",
        "per",
        "since",
        "than",
        "through",
        "till",
        "toward",
        "under",
        "until",
        "up",
        "upon",
        "via",
        "with",
        "within",
        "without",
    ]
)
NO_NAMES = frozenset(  # pronouns, adverbs and bare adjectives, which say nothing as the name of a function
    [
        "all",
        "anew",
        "anything",
        "apart",
        "bare",
        "both",
        "by_what",
        "each",
        "either",
        "every",
        "everybody",
        "everything",
        "former",
        "here",
        "how",
        "it",
        "its",
        "latter",
        "least",
        "many",
        "more",
        "most",
        "much",
        "neither",
        "nobody",
        "none",
        "nothing",
        "once",
        "one",
        "only",
        "other",
        "others",
        "own",
        "plain",
        "rest",
        "same",
        "several",
        "some",
        "something",
        "such",
        "that",
        "the_same",
        "them",
        "there",
        "they",
        "this",
        "those",
        "twice",
        "what",
        "whatever",
        "when",
        "where",
        "which",
        "who",
        "whole",
        "whose",
    ]
)
HANDED_ON = (
    "of_runs",
    "of_store",
    "of_store_and",
    "into_file",
    "taking",
    "adding",
)  # decorators that compute signatures
# Nouns of features, which the core should not name. Three are not here, as the core has the word for its own: claim
# (assessors claim topics of a queue), citation (how to cite a collection), preference (of trec_eval).
NOUNS = {
    "answers": ("nugget", "citations", "rubric", "claim_label", "label claims"),
    "online": ("impression", "click", "interleav"),
    "tasks": ("submission", "shared_task"),
    "preferences": ("document_pair", "pairs of documents"),
    "publishing": ("croissant", "datasheet"),
    "briefing": ("practice",),
}
OUTSIDE_CORE = ("features", "testing")  # folders of cranfield
NAMESPACES = ("answers.py", "online.py", "tasks.py")  # of the Python interface; each lists the functions of one feature


Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*folders: str) -> list[Path]:
    """The modules of folders; a link is not followed."""
    paths = sorted(
        path for folder in folders for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts
    )
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def lines(path: Path) -> int:
    """The lines of a file."""
    return len(path.read_text("utf-8").splitlines())


def positional(function: Function) -> int:
    """How many arguments a function takes by their place, but for self and cls."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def first_word(name: str) -> str:
    """The first word of a name.

    >>> first_word("of_runs"), first_word("_by_topic"), first_word("OnAxes")
    ('of', 'by', 'on')
    """
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)
    return words[0].lower() if words else ""


def names_in(nodes: list[ast.AST]) -> list[str]:
    """The names that the code gives: functions, classes, arguments, assigned names and fields."""
    given = [node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    arguments = [node.arg for node in nodes if isinstance(node, ast.arg)]
    assigned = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return [*given, *arguments, *assigned]


def named_once(functions: Sequence[Function], texts: list[str]) -> int:
    """How many functions are named once outside their `def`."""
    words = Counter(word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text))
    defined = Counter(one.name for one in functions)
    return sum(words[name] - count == 1 for name, count in defined.items() if count == 1)


def core_modules_naming_features(paths: list[Path]) -> list[Path]:
    """The modules of the core, outside features, that name a noun of a feature in their code."""
    nouns = re.compile("|".join(noun for several in NOUNS.values() for noun in several), re.IGNORECASE)
    places = ((path, path.relative_to(ROOT).parts) for path in paths)
    core = [path for path, parts in places if parts[0] == "cranfield" and parts[1] not in (*OUTSIDE_CORE, *NAMESPACES)]
    return [path for path in core if nouns.search(path.read_text("utf-8"))]


def decorators(function: Function) -> set[str]:
    """The names of the decorators of a function."""
    return {node.id for one in function.decorator_list for node in ast.walk(one) if isinstance(node, ast.Name)}


def walk(command: str) -> list[int]:
    """How many modules of the program a command loads for files, and in which frame it comes to average precision."""
    with TemporaryDirectory() as folder:
        qrels, run, other = (Path(folder, name) for name in ("qrels", "run", "other"))
        qrels.write_text("1 0 d1 1\n1 0 d2 0\n")
        run.write_text("1 Q0 d1 1 9.0 tag\n")
        other.write_text("1 Q0 d2 1 9.0 other\n")
        words = [sys.executable, "-c", WALK, command, *map(str, (qrels, run, other)), "-m", "AP"]
        process = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return [int(number) for number in process.stdout.split()[-2:]]


def main() -> None:
    """Print the figures, a line each."""
    program, tests = modules(*PROGRAM), modules("tests")
    code = modules(*PROGRAM[:4])
    texts = [path.read_text("utf-8") for path in code]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    public = [one for one in functions if not one.name.startswith("_")]
    docstrings = sum(ast.get_docstring(one) is not None for one in public)
    classes = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    for what, number in {
        "modules of the program": len(program),
        "lines of the program": sum(map(lines, program)),
        "modules of the tests": len(tests),
        "lines of the tests": sum(map(lines, tests)),
        "the longest module": max(map(lines, code)),
        "functions": len(functions),
        "median lines of a function": median((one.end_lineno or 0) - one.lineno + 1 for one in functions),
        "public functions with a docstring, per cent": 100 * docstrings // len(public),
        f"functions with more than {MOST} positional arguments": sum(positional(one) > MOST for one in functions),
        "ContextVars": sum(text.count(" = ContextVar(") for text in texts),
        "methods of Extension": len(EXTENSION_METHODS),
        "lines of stubs": sum(map(lines, (ROOT / "cranfield").rglob("*.pyi"))),
        "functions whose signature a decorator computes": sum(
            bool(decorators(one) & {*HANDED_ON}) for one in functions
        ),
        "functions named once outside their def": named_once(functions, texts),
        "names that begin with a preposition": sum(first_word(name) in PREPOSITIONS for name in {*names_in(nodes)}),
        "functions called by a pronoun, an adverb or a bare adjective": sum(one.name in NO_NAMES for one in functions),
        "modules of the core that name a feature's noun": len(core_modules_naming_features(program)),
        "class names with several meanings": sum(count > 1 for count in classes.values()),
        "modules that `evaluate` loads": walk("evaluate")[0],
        "frames from `evaluate` to average precision": walk("evaluate")[1],
        "frames from `reusability` to average precision": walk("reusability")[1],
    }.items():
        print(f"{number:>8,}  {what}")


if __name__ == "__main__":
    main()
