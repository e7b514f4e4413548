"""`python -m benchmarks.house`: how large the program is, and how far it keeps what it sets out to be."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

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

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*folders: str) -> list[Path]:
    """The modules of folders; a link is not followed."""
    listing = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = (ROOT / line for line in listing.stdout.splitlines() if line.split("/")[0] in folders)
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def lines(path: Path) -> int:
    """The lines of a file."""
    return len(path.read_text("utf-8").splitlines())


def positional(function: Function) -> int:
    """How many arguments a function takes by their place, but for self and cls."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


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
    nodes = [node for path in code for node in ast.walk(ast.parse(path.read_text("utf-8")))]
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
        "class names with several meanings": sum(count > 1 for count in classes.values()),
        "modules that `evaluate` loads": walk("evaluate")[0],
        "frames from `evaluate` to average precision": walk("evaluate")[1],
        "frames from `reusability` to average precision": walk("reusability")[1],
    }.items():
        print(f"{number:>8,}  {what}")


if __name__ == "__main__":
    main()
