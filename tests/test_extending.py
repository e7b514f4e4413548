"""Adding is easy: what docs/extending.md adds works, and what was forgotten is named, with its table."""

import doctest
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

import cranfield
from cranfield import hooks
from cranfield.cli import tree
from cranfield.cli.build import BuiltCommand
from cranfield.errors import StoreError
from cranfield.features.online.click_models import CLICK_MODELS
from cranfield.features.online.click_models.model import ClickModel
from cranfield.features.online.counterfactual.estimators import ESTIMATORS, Estimator
from cranfield.features.online.interleaving import METHODS as INTERLEAVING
from cranfield.features.online.interleaving.method import InterleavingMethod
from cranfield.formats import table as formats_table
from cranfield.formats.files import Format
from cranfield.formats.records import Kind
from cranfield.formats.table import all_kinds, formats_of
from cranfield.judging.agreement.agreement import AGREEMENTS
from cranfield.judging.agreement.base import Agreement
from cranfield.metrics import measures as measures_table
from cranfield.metrics.correlation.coefficients import Correlation
from cranfield.metrics.correlation.correlate import CORRELATIONS
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse
from cranfield.metrics.significance.pairs import SignificanceTest
from cranfield.metrics.significance.tests import TESTS
from cranfield.pooling.method import Method
from cranfield.pooling.methods import METHODS
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.look.table import VIEWS
from cranfield.web.look.view import LookView, Query
from tests.conftest import Cranfield, Result, usually
from tests.files import track_files
from tests.store.full_store import full_store
from tests.stores import new_file, new_store

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("serve", "search", "report")]

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def _added_formats(kind: Kind) -> list[Format]:
    return hooks.collect_from_extensions(lambda extension: extension.formats(kind))


TABLES: dict[str, tuple[type, Iterable[Any]]] = {  # by folder: what a row is, and the rows of the table
    "metrics/measures": (Measure, measures_table.MEASURES),
    "pooling/methods": (Method, METHODS.values()),
    "cranfield/formats": (
        Format,
        [row for kind in all_kinds() for row in formats_of(kind) if row not in _added_formats(kind)],
    ),
    "metrics/significance": (SignificanceTest, TESTS.values()),
    "metrics/correlation": (Correlation, CORRELATIONS),
    "judging/agreement": (Agreement, AGREEMENTS.values()),
    "cranfield/features/online/interleaving": (InterleavingMethod, INTERLEAVING.values()),
    "cranfield/features/online/click_models": (ClickModel, CLICK_MODELS.values()),
    "cranfield/features/online/counterfactual": (Estimator, ESTIMATORS.values()),
    "cranfield/web/look": (
        LookView,
        [
            view
            for name, view in VIEWS.items()
            if name not in dict(hooks.collect_from_extensions(lambda one: one.views().items()))
        ],
    ),
}
Extended = Callable[..., ModuleType]


def module_name(path: str) -> str:
    """The module in a file of the checkout."""
    return (
        re.sub(r"^(?!cranfield/)", "cranfield/", path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    )


def modules(folder: str) -> Iterator[ModuleType]:
    package = import_module(module_name(folder))
    yield package
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        yield import_module(module.name)


def rows_in(module: ModuleType, kind: type) -> Iterator[Any]:
    """The rows of tables that a module has, alone or several together."""
    for value in vars(module).values():
        alone = isinstance(value, kind) or not isinstance(value, dict | tuple | list)
        several = [value] if alone else value.values() if isinstance(value, dict) else value
        yield from (row for row in several if isinstance(row, kind))


def name_of(row: Any) -> str:
    """What a row is called; views have a title."""
    return str(row.title if isinstance(row, LookView) else row.name)


def missing_rows(folder: str, kind: type, table: Iterable[Any]) -> list[str]:
    """The rows that files of the folder make and that do not stand in its table."""
    ids = {id(row) for row in table}
    return [
        f"{kind.__name__} {name_of(row)!r} of {module.__name__} is not in the table of {folder}"
        for module in modules(folder)
        for row in rows_in(module, kind)
        if id(row) not in ids
    ]


@pytest.mark.parametrize("folder", TABLES)
def test_no_row_is_forgotten(folder: str) -> None:
    """Every row that a file of the folder makes stands in the folder's table; one that does not would be named."""
    kind, table = TABLES[folder]
    first, *others = table
    assert missing_rows(folder, kind, table) == []
    assert any(f"{name_of(first)!r} of cranfield." in line for line in missing_rows(folder, kind, others))


def test_no_command_is_forgotten() -> None:
    """A function whose help has an example is a command; one without a row could not be called."""
    loaded = [place.load() for top in tree.commands_by_first_word().values() for place in top.places if place.module]
    functions = {*loaded, *(one.function for one in loaded if isinstance(one, BuiltCommand))}
    missing = [
        f"{name} of {module.__name__} is not in COMMANDS of cranfield/cli/tree.py"
        for module in modules("cranfield/cli/commands")
        for name, value in vars(module).items()
        if callable(value) and "Example: cranfield" in str(value.__doc__) and unwrap(value) not in functions
    ]
    assert missing == []


def blocks(section: str, language: str) -> Iterator[tuple[str, str]]:
    """The path and the content of each block of code of a section."""
    yield from re.findall(rf"^```{language}\n# (\S+)\n(.*?)^```$", SECTIONS[section], re.MULTILINE | re.DOTALL)


def apply_diff(text: str, diff: str) -> str:
    """A text with a change, whose lines have to be there once; each may be given by its beginning."""
    lines = diff.rstrip("\n").split("\n")
    there = [(line[0], re.escape(line[1:])) for line in lines if line[0] != "+"]
    places = [*re.finditer("".join(f"\n{line}" if sign == "-" else f"(\n{line}.*)" for sign, line in there), text)]
    assert len(places) == 1, f"not there once: {diff}"
    rests = iter(places[0].groups())
    after = "".join(f"\n{line[1:]}" if line[0] == "+" else next(rests) for line in lines if line[0] != "-")
    return text[: places[0].start()] + after + text[places[0].end() :]


@pytest.fixture
def extend(monkeypatch: pytest.MonkeyPatch) -> Iterator[Extended]:
    """A function that does, in memory, what a section of the page says; it gives the new module."""

    def apply(section: str, table: ModuleType, *names: str) -> ModuleType:
        assert len({path for language in ("python", "diff") for path, _ in blocks(section, language)}) <= 2
        [(path, code)] = blocks(section, "python")
        module = ModuleType(module_name(path))
        package, _, name = module.__name__.rpartition(".")
        module.__dict__.update(__file__=path, __package__=package)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(import_module(package), name, module, raising=False)
        exec(compile(code, path, "exec"), module.__dict__)
        source = Path(str(table.__file__)).read_text(encoding="utf-8")
        for where, diff in blocks(section, "diff"):
            assert module_name(where) == table.__name__
            source = apply_diff(source, diff)
        new: dict[str, Any] = {"__name__": table.__name__, "__package__": table.__package__}
        exec(compile(source, str(table.__file__), "exec"), new)
        for name in names:
            monkeypatch.setattr(table, name, new[name])
        forget_tables()
        return module

    yield apply
    forget_tables()


def forget_tables() -> None:
    """Let the tables be read again."""
    for function in (
        formats_table.formats_of,
        tree.core_commands,
        tree.all_commands,
        tree.commands_by_first_word,
        tree.load_command,
    ):
        function.cache_clear()


def run_examples(module: ModuleType, least: int = 1) -> None:
    """Run the examples of a module."""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in doctest.DocTestFinder().find(module, module.__name__, module):
        runner.run(test)
    assert (runner.failures, runner.tries >= least) == (0, True)


def test_a_measure(extend: Extended) -> None:
    """It parses, scores, and says what it is for."""
    run_examples(extend("A measure", measures_table, "MEASURE_PLACES"))
    measure = parse("MaxP(rel=2)")
    assert str(measure) == "MaxP(rel=2)"
    assert measure.about.startswith("MaxP, maximum precision")


def test_a_pooling_method(extend: Extended) -> None:
    """It orders documents, by its name in the table."""
    from cranfield.pooling import methods as table
    from cranfield.pooling.examples import docnos_of, example

    run_examples(extend("A pooling method", table, "METHODS"))
    topic = example("a b", "b c")
    order = table.METHODS["isr"].start(topic).order
    assert order is not None
    assert docnos_of(topic, order) == "b a c"


@pytest.mark.filterwarnings("ignore:.*read as web:cranfield.errors.FormatWarning")
def test_a_format(extend: Extended, tmp_path: Path) -> None:
    """It is detected, read and written; a line that is none is refused with its number."""
    extend("A format", formats_table, "FORMATS")
    path = tmp_path / "topics"
    path.write_text("1:obama family tree\n2:french lick resort\n")
    assert formats_table.format_of("topics", path) == "web"
    topics = [*cranfield.read_topics(path)]
    assert [(topic.qid, topic.title) for topic in topics] == [("1", "obama family tree"), ("2", "french lick resort")]
    write = formats_table.format_named("topics", "web").write
    assert write
    write(tmp_path / "again", topics)
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    path.write_text("1:obama family tree\nno number\n")
    with pytest.raises(cranfield.InputError, match="topics:2: 'no number'; expected number:query"):
        [*cranfield.read_topics(path)]


def write_qrels_and_run(folder: Path) -> None:
    """Two topics, of which the run answers one well."""
    (folder / "qrels").write_text("1 0 a 1\n2 0 b 1\n")
    (folder / "run").write_text("1 Q0 a 1 2.0 x\n2 Q0 c 1 2.0 x\n")


def test_a_command(extend: Extended, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints a table, and its help has its first sentence."""
    extend("A command", tree, "COMMANDS")
    assert "hardest" in tree.commands_by_first_word()
    write_qrels_and_run(tmp_path)
    command = tree.load_command(tree.commands_by_first_word()["hardest"])
    command.main([str(tmp_path / "qrels"), str(tmp_path / "run"), "--format", "csv"], standalone_mode=False)
    assert capsys.readouterr().out == "query_id,mean AP\n2,0.0\n1,1.0\n"
    assert command.get_short_help_str(100) == "List the topics on which the runs' mean AP is lowest."


def test_a_significance_test(extend: Extended) -> None:
    """It tests pairs of runs, by its name in the table."""
    from cranfield.metrics.significance import tests as table
    from cranfield.metrics.significance.pairs import Pairs, p_values

    run_examples(extend("A significance test", table, "TESTS"))
    scores = np.array([[0.5, 0.25, 0.75, 0.5], [0.25, 0.5, 0.5, 0.0]])
    normal, student = (p_values(table.TESTS[name], Pairs(scores, np.array([0]), np.array([1]))) for name in "zt")
    assert 0 < normal < student < 1


def test_an_agreement_coefficient(extend: Extended) -> None:
    """It has a value and an interval, by its name in the table."""
    from cranfield.judging.agreement import agreement as table
    from cranfield.judging.agreement.agreement import bootstrap

    run_examples(extend("An agreement coefficient", table, "AGREEMENTS"))
    topics = [topic for topic in range(10) for _ in range(2)]
    interval = bootstrap(table.AGREEMENTS["Scott pi"], [[0, 0], [1, 1], [0, 1], [1, 1]] * 5, topics, resamples=100)
    assert interval.low < interval.value < interval.high


def test_a_view(extend: Extended) -> None:
    """It has rows, by its name in the table."""
    from cranfield.web.look import table
    from tests.web.look.hostile import evil, hostile_store

    extend("A view", table, "VIEWS")
    with hostile_store() as store:
        assert table.VIEWS["teams"].rows(store, Query("teams")) == [{"team": evil("team"), "runs": 2}]


PARTS = (
    "A measure",
    "A pooling method",
    "A format",
    "A command",
    "A view",
    "A table of stores",
    "A subject",
    "An extension",
)
COMMANDS = """
import sys
from cranfield.cli.program import main

for line in sys.argv[1:]:
    sys.argv = ["cranfield", *line.split()]
    try:
        main()
    except SystemExit as end:
        assert not end.code, line
"""
TRIED = """
import sys
import cranfield
from cranfield.cli.program import main
from cranfield.formats.table import format_of
from cranfield.hooks import features
from cranfield.pooling.methods import METHODS
from cranfield.store.log import add_external_assessor
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.testing import check_extension
from cranfield.web.look.table import VIEWS

check_extension(features()["mine"])
print(format_of("topics", "topics"), METHODS["isr"].name, [*METHODS][-1], VIEWS["teams"].title)
print(cranfield.evaluate("qrels", ["run"], measures="MaxP").frame["value"].tolist())
sys.argv[1:] = ["mine", "hardest", "qrels", "run", "--format", "csv"]
main()
"""


def wheel(folder: Path) -> Path:
    """The package of the page, as pip installs it, with the modules of the sections whose rows it has."""
    files = {"mine/__init__.py": ""}
    for section in PARTS:
        for path, code in blocks(section, "python"):
            files[f"mine/{Path(path).name}"] = code
    about = tomllib.loads(next(blocks("An extension", "toml"))[1])["project"]
    entries = about["entry-points"]["cranfield.features"]
    info = f"mine-{about['version']}.dist-info"
    metadata = {
        "Metadata-Version": "2.1",
        "Name": about["name"],
        "Version": about["version"],
        "Summary": about["description"],
    }
    files[f"{info}/METADATA"] = "".join(f"{name}: {value}\n" for name, value in metadata.items())
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = "[cranfield.features]\n" + "".join(f"{n} = {at}\n" for n, at in entries.items())
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    package = folder / f"mine-{about['version']}-py3-none-any.whl"
    with ZipFile(package, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return package


def run(*words: str | Path, path: Path, folder: Path) -> Result:
    """Python with these words, where `path` has installed packages; what it says of errors is one line."""
    paths = os.pathsep.join([str(path), str(ROOT)])
    process = subprocess.run(
        [sys.executable, *map(str, words)], cwd=folder, env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "80"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return Result(process.returncode, process.stdout, " ".join(process.stderr.split()))


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package of the page, unpacked as pip does it, or installed by pip."""
    folder = tmp_path_factory.mktemp("beside")
    package = wheel(tmp_path_factory.mktemp("wheel"))
    if usually(True, False):
        with ZipFile(package) as archive:
            archive.extractall(folder)
        return folder
    pytest.importorskip("pip", reason="needs pip, which installs the package")
    pip = "-m pip install -q --no-deps --no-index --no-compile --target"
    output = run(*pip.split(), folder, package, path=folder, folder=folder)
    assert output.code == 0, output.err
    return folder


def test_an_extension(beside: Path, tmp_path: Path) -> None:
    """Installed it adds a measure, a pooling method, a format, a command and a view."""
    (tmp_path / "topics").write_text("1:obama family tree\n2:french lick resort\n")
    write_qrels_and_run(tmp_path)
    output = run("-c", TRIED, path=beside, folder=tmp_path)
    assert output.out.splitlines() == ["web isr isr Teams", "[0.5]", "query_id,mean AP", "2,0.0", "1,1.0"], output.err


PASSED = """
import sys
import cranfield
from cranfield.cli.program import main

subject = cranfield.subjects.Passed(0)
print(cranfield.evaluate("qrels", ["run"], measures="AP", subject=subject).frame["value"].tolist())
sys.argv[1:] = "evaluate qrels run -m AP --passed 0.5 --format csv".split()
main()
"""


def test_a_subject(beside: Path, tmp_path: Path) -> None:
    """Python takes it, and the command line makes it of the options of the package."""
    write_qrels_and_run(tmp_path)
    output = run("-c", PASSED, path=beside, folder=tmp_path)
    assert [line.split(",")[:2] for line in output.out.splitlines()] == [["[1.0]"], ["run", "AP"], ["x", "0.5"]], (
        output.err
    )


NOTED = f"""{COMMANDS}
import shutil
from cranfield.store.store import Store
from mine.tables import add_note

shutil.copy("t.db", "before.db")
with Store.open("t.db") as store:
    add_note(store, "e1", "1", "ada", "unclear")
sys.argv = ["cranfield", "store", "verify", "t.db"]
main()
"""


def test_a_table_of_stores(beside: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """An older store gets it, with its chains as they were; without the package it verifies, and a change is named."""
    with new_store(tmp_path / "t.db", topics="1", people=["ada"]) as store:
        before = verify(store)
    output = run("-c", NOTED, "info t.db", path=beside, folder=tmp_path)
    assert (output.code, output.err) == (0, "")
    with Store.open(tmp_path / "before.db") as store:
        assert verify(store) == before
    alone = cranfield("store", "verify", tmp_path / "t.db")
    note = "note: the feature mine is not installed: rows of topic_note are kept and verified, but not shown"
    assert (alone.code, " ".join(alone.err.split())) == (0, note)
    with Store.open(tmp_path / "t.db") as store:
        assert verify(store).other_events == before.other_events + 1
        with pytest.raises(sqlite3.IntegrityError, match="topic_note is append-only: nothing in it is changed"):
            store.conn.execute("UPDATE topic_note SET note = 'clear'")
        [(guard,)] = store.rows("SELECT sql FROM sqlite_master WHERE name = 'topic_note_unchanged'")
        for statement in ("DROP TRIGGER topic_note_unchanged", "UPDATE topic_note SET note = 'clear'", guard):
            store.conn.execute(statement)
        with pytest.raises(StoreError, match="topic_note, event 1: its content has changed"):
            verify(store)


def change(beside: Path, folder: Path, module: str, code: str) -> Path:
    """A copy of the package with another module."""
    other = Path(shutil.copytree(beside, folder / "other"))
    (other / "mine" / f"{module}.py").write_text(code)
    return other


def test_help_names_a_package_without_loading_it(beside: Path, tmp_path: Path) -> None:
    """One that cannot be used is told where it is needed, and what is not its own goes on."""
    other = change(beside, tmp_path, "feature", "raise OSError('no shop')\n")
    write_qrels_and_run(tmp_path)
    main = ("-m", "cranfield")
    overview = run(*main, "--help", path=other, folder=tmp_path)
    assert "\nPackages:\n  mine  The hardest topics, and more.\n" in overview.out
    assert overview.err == ""
    lines = "the feature mine of the package mine cannot be used: no shop; upgrade or uninstall mine"
    evaluation = run(*main, "evaluate", "qrels", "run", "-m", "AP", path=other, folder=tmp_path)
    only = "the qrels list only relevant documents and do not show which documents were judged; Judged@10 is undefined"
    assert (evaluation.code, evaluation.err) == (0, f"note: {lines} note: {only}")
    refusal = run(*main, "mine", "hardest", path=other, folder=tmp_path)
    assert (refusal.code, refusal.err) == (1, f"note: {lines} error: the feature mine cannot be loaded")


@pytest.mark.parametrize(
    ("attributes", "why"),
    [
        ("name = 'yours'", "its entry point is not a subclass of cranfield.extension.Extension called 'mine'"),
        (
            "name = 'mine'",
            "it does not state its interface; expected interface = 2, which this version of cranfield has",
        ),
        ("name, interface = 'mine', 1", "it was written for interface 1; expected interface = 2"),
        ("name, interface, needs = 'mine', 2, ('magic',)", "the feature 'mine' needs the feature 'magic'"),
    ],
)  # fmt: skip
def test_extensions_that_do_not_fit_are_refused(beside: Path, tmp_path: Path, attributes: str, why: str) -> None:
    """With the reason, and without it everything goes on."""
    code = f"from cranfield.extension import Extension\nclass Mine(Extension):\n    {attributes}\n"
    other = change(beside, tmp_path, "feature", code)
    output = run("-m", "cranfield", "measures", "MaxP", path=other, folder=tmp_path)
    assert output.code == 1
    assert f"the feature mine of the package mine cannot be used: {why}" in output.err


def test_methods_that_cannot_be_imported_are_reported_and_left_out(beside: Path, tmp_path: Path) -> None:
    """What else a package adds is there, and what is the program's own."""
    other = change(beside, tmp_path, "isr", "import hats\n")
    output = run("-m", "cranfield", "pool", "methods", path=other, folder=tmp_path)
    assert "maxmean" in output.out
    why = "No module named 'hats'; upgrade or uninstall mine"
    assert (output.code, output.err) == (0, f"note: the feature mine of the package mine cannot be used: {why}")


def test_commands_that_cannot_be_imported_are_refused_in_one_line(beside: Path, tmp_path: Path) -> None:
    other = change(beside, tmp_path, "hardest", "import hats\n")
    why = "the feature mine of the package mine cannot be used: No module named 'hats'; upgrade or uninstall mine"
    for words in (["mine", "hardest", "qrels"], ["mine", "hardest", "--help"], ["mine", "--help"]):
        output = run("-m", "cranfield", *words, path=other, folder=tmp_path)
        assert (output.code, output.out, output.err) == (1, "", f"error: {why}"), words


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        ("import hats", 0, "note: the feature mine of the package mine cannot be used: No module named 'hats'"),
        ("raise StoreError('a hat has changed')", 1, "error: a hat has changed"),
        ("raise KeyError('hat')", 1, "KeyError: 'hat'"),
    ],
)  # fmt: skip
def test_only_failed_imports_of_what_acts_on_a_store_are_left_out(
    beside: Path, tmp_path: Path, body: str, code: int, says: str
) -> None:
    """What an extension finds in a store, and what is wrong in its own code, is never left out."""
    lines = [
        "from cranfield.errors import StoreError", "from cranfield.extension import Extension",
        "class Mine(Extension):", "    name, interface = 'mine', 2",
        "    def verify(self, store):", f"        {body}", "",
    ]  # fmt: skip
    other = change(beside, tmp_path, "feature", "\n".join(lines))
    new_file(tmp_path / "t.db", topics="1")
    output = run("-m", "cranfield", "store", "verify", "t.db", path=other, folder=tmp_path)
    assert (output.code, says in output.err) == (code, True), output.err


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A folder with the program, but for its features."""
    (tmp_path / "cranfield" / "features").mkdir(parents=True)
    for path in (ROOT / "cranfield").iterdir():
        if path.name != "features":
            (tmp_path / "cranfield" / path.name).symlink_to(path)
    return tmp_path


def test_the_core_works_without_any_feature(alone: Path) -> None:
    """It builds, searches, measures and verifies a collection."""
    texts = {"a": "wings", "b": "wings lift"}
    track_files(alone, {"1": {"a": 1}, "2": {"b": 1}}, topics={"1": "wings", "2": "lift"}, documents=texts)
    lines = (
        "init d.db --name x", "import corpus d.db corpus.jsonl", "import topics d.db topics.tsv",
        "import qrels d.db qrels", "search d.db --system bm25",
        "pool build d.db --depth 2", "store verify d.db", "evaluate d.db", "report d.db r.html", "--help",
    )  # fmt: skip
    output = run("-c", COMMANDS, *lines, path=alone, folder=alone)
    assert output.code == 0, output.err
    assert "\n  answers " not in output.out


def test_stores_say_which_features_they_lack(alone: Path) -> None:
    """They open, and their chains verify."""
    store = full_store(alone)
    output = run("-c", COMMANDS, f"info {store}", f"store verify {store}", path=alone, folder=alone)
    assert output.code == 0, output.err
    for name in ("models", "answers", "online", "preferences", "publishing"):
        assert output.err.count(f"note: the feature {name} is not installed: rows of ") == 2


def test_every_section_is_tested() -> None:
    """What the page tells how to add, a test adds."""
    names = {"test_" + section.lower().replace(" ", "_") for section in SECTIONS}
    assert names == {name for name in globals() if name.startswith(("test_a_", "test_an_"))}
