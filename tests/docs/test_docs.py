"""What the docs show is so: every command on every page runs as typed, every linked picture and page is there."""

import gzip
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from shutil import copyfile
from typing import NamedTuple

import pytest

from cranfield.cli.tree import commands_by_first_word
from cranfield.metrics.significance.tests import TESTS
from cranfield.pooling.methods import METHODS
from tests.conftest import ROOT, Cranfield
from tests.docs import expand, provided
from tests.docs.programs import PROGRAM
from tests.features.models.stand_in import stand_in
from tests.namespaces import PUBLIC_MODULES
from tests.needed_extras import skip_without
from tests.needed_features import EVERY_FEATURE
from tests.readme import PAGES, WITH_TABLES, render
from tests.real import copied

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
BLOCK = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```|((?:^    [^\n]*\n)+)", re.MULTILINE | re.DOTALL)
CACM_SECTION = re.compile(r"^## (?:(?!^## ).)*docs/cacm_files\.py(?:(?!^## ).)*", re.MULTILINE | re.DOTALL)
WITH_CACM = {
    "docs/start/fair.md",
    "docs/build/active-learning.md",
}  # tests/docs/test_{fair,active_learning}.py run them
SERVING = "cranfield.cli.commands.serve._serve"  # which tests/web/test_serve.py runs; it would go on for ever
CLUSTER = "cranfield.cluster.cluster"  # which tests/test_cluster.py starts
READERS = "cranfield.features.publishing.checks.lacking"  # they load published folders in tests/publishing
TYPED = "1\n0\n0\n1\nq\n"  # at a prompt
FAILS = {("docs/measure/ci.md", "compare"): (0, 3, 4)}  # whose conditions fail, as the page says
printing = import_module("docs.printed")
example_files = import_module("docs.example_files")


class Step(NamedTuple):
    """A command of a page, or a file that the page shows in full and asks the reader to save."""

    line: str
    file: str = ""  # its name; the line is then its content


def steps(page: str) -> Iterator[Step]:
    """The steps of a page in its order."""
    text = CACM_SECTION.sub("", (ROOT / page).read_text(encoding="utf-8"))
    found = [(shown.start(2), Step(shown[2], shown[1])) for shown in printing.SHOWN_FILE.finditer(text)]
    found += [(program.start(1), Step(program[1], program[2])) for program in PROGRAM.finditer(text)]
    for block in BLOCK.finditer(text):
        language, _, fence, indent = block.groups("")
        for line in ("" if language not in ("", "sh") else fence or indent).splitlines():
            if line.strip().startswith(("cranfield ", "zcat ", "python docs/example_files.py")):
                found.append((block.start(), Step(line.strip())))
    yield from (step for _, step in sorted(found, key=lambda each: each[0]))


def commands(page: str) -> Iterator[str]:
    """The command lines of a page in its order."""
    yield from (step.line for step in steps(page) if not step.file)


WITH_COMMANDS = [name for name in NAMES if [*commands(name)]]
LONG = {f"docs/{name}.md" for name in ("explanation/known-collections", "judge/models", "measure/rag", "build/rounds")}


def test_other_tests_run_the_commands_on_cacm() -> None:
    """The sections that use docs/cacm_files.py are on pages that have tests of their own."""
    texts = {page: (ROOT / page).read_text(encoding="utf-8") for page in NAMES}
    assert {page for page, text in texts.items() if "docs/cacm_files.py" in text} == WITH_CACM


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Path:
    """An empty folder; figures are not drawn."""
    monkeypatch.chdir(tmp_path)
    skip_without("plot")
    monkeypatch.setattr("cranfield.charts.style.figure_bytes", lambda *_: b"a figure")
    return tmp_path


def make_examples(workshop: Path, cranfield: Cranfield) -> None:
    """The folder that docs/example_files.py makes."""
    example_files.write_example_files(Path(), workshop, lambda words: cranfield.out(*expand(words)))


def test_the_page_tells_how_to_get_what_the_test_provides() -> None:
    """In the words of the table; the page has the command, and names each file."""
    for row in provided.PROVIDED:
        [page] = [name for name in NAMES if name.endswith(row.page)]
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert row.says in text, row
        assert f"cranfield {row.command}" in text, row
        assert [name for name in row.files if name.removesuffix(".pub") not in text] == [], row


@pytest.mark.full
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.daily] if page in LONG else []) for page in WITH_COMMANDS]
)
def test_every_command_runs(
    page: str, folder: Path, workshop: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of the page, in a folder with only what the page makes; tests/docs/provided.py lists the rest."""
    monkeypatch.setattr("cranfield.cli.commands.demo._build", partial(copyfile, workshop))
    monkeypatch.setattr(SERVING, lambda *_: None)
    monkeypatch.setattr(CLUSTER, lambda _: nullcontext())
    monkeypatch.setattr(READERS, "{} is not installed".format)
    reasons, left = [], [row for row in provided.PROVIDED if page.endswith(row.page)]
    with ExitStack() as stack:
        asks = any(provided.MODEL in line for line in commands(page))
        url = stack.enter_context(stand_in(provided.answer)).url if asks else ""
        for line, file in steps(page):
            if file:
                Path(file).write_text(line, encoding="utf-8")
                continue
            if line == printing.EXAMPLES:
                copied(make_examples, folder, workshop, cranfield)
                continue
            try:
                left = provided.provide(line, left, cranfield)
                if "ir_datasets:" in line:
                    stack.enter_context(provided.vaswani())
            except pytest.skip.Exception as missing:
                reasons.append(f"{line}: {missing}")
                continue
            pipe, _, words = adapt(line, url).partition("cranfield ")
            monkeypatch.setattr("sys.stdin", standard_input(pipe, line))
            result = cranfield(*expand(words))
            allowed = FAILS.get((page, words.split()[0]), (0,))
            assert result.code in allowed, f"{line}\n{result.err}"
    if reasons:
        pytest.skip(f"all but {'; '.join(reasons)}")


def standard_input(pipe: str, line: str) -> io.TextIOBase:
    """What a command gets on standard input: what another unpacks for it, or what is typed."""
    if pipe:
        return io.TextIOWrapper(io.BytesIO(gzip.decompress(Path(pipe.split()[1]).read_bytes())))
    return io.StringIO("1\n" * 5000 if "--audit" in line or "--topic" in line else TYPED)


def adapt(line: str, url: str) -> str:
    """A command for small data, a server of the tests, and any port that is free."""
    for theirs, ours in {**provided.ADAPTATIONS, provided.MODEL: url}.items():
        line = line.replace(theirs, ours)
    return line


def test_what_is_linked_is_there() -> None:
    """Pages and pictures, whatever renders them."""
    for page in [*NAMES, "SECURITY.md"]:
        text = re.sub(r"^```.*?^```|`[^`\n]+`", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.M | re.DOTALL)
        for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", text):
            assert ":" in target or ((ROOT / page).parent / target).exists(), (page, target)


@EVERY_FEATURE
def test_the_readme_counts_what_there_is() -> None:
    """Methods and tests, beside other tools."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"| builds pools | {len(METHODS)} methods |" in text
    assert f"| significance tests | {len(TESTS)}, with corrections |" in text


@EVERY_FEATURE
def test_tables_are_those_of_the_code() -> None:
    """A stale page fails; `python -m tests.readme` mends it."""
    texts = {str(page.relative_to(ROOT)): page.read_text(encoding="utf-8") for page in WITH_TABLES}
    assert [page for page, text in texts.items() if text != render(text)] == []


def test_every_page_is_in_the_contents() -> None:
    """A page that nothing lists would be found by nobody."""
    contents = {path.relative_to(ROOT).as_posix() for page in PAGES for path in listed_pages(page)}
    assert {*NAMES} - {"README.md", "docs/index.md"} == contents


def listed_pages(page: Path) -> Iterator[Path]:
    """The pages in the tables of contents of a page."""
    for tree in re.findall(r"^```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        yield from (page.parent / f"{name}.md" for name in re.findall(r"^([\w/-]+)$", tree, re.MULTILINE))


@EVERY_FEATURE
def test_every_command_and_module_has_its_page() -> None:
    """Each command is on one page of the reference, above and below the line; each module has a page."""
    texts = {page: (ROOT / page).read_text(encoding="utf-8") for page in NAMES}
    rows = [name for text in texts.values() for name in re.findall(r"^<!-- commands: (.*) -->$", text, re.MULTILINE)]
    full = [name for text in texts.values() for name in re.findall(r"in full: commands (.*) -->$", text, re.MULTILINE)]
    assert rows == full
    assert sorted(" ".join(rows).split()) == sorted(commands_by_first_word())
    modules = {
        one for text in texts.values() for one in re.findall(r"in full: functions (.*) -->$", text, re.MULTILINE)
    }
    assert modules - {"cranfield.formats"} == {*PUBLIC_MODULES}


def test_every_column_has_a_head() -> None:
    """A head without words is one that a screen reader cannot say."""
    for page in {*NAMES} - {"README.md"}:
        heads = re.findall(r"^\|(.*)\|\n\|[ :|-]+\|$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
        assert [head for head in heads if not all(map(str.strip, head.split("|")))] == [], page
