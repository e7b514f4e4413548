"""Each method of an extension has its effect in Cranfield; our own extensions keep the laws, and faulty ones do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from inspect import cleandoc, signature
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TextIO, cast

import numpy as np
import pytest
import typer
from starlette.responses import PlainTextResponse
from starlette.routing import Route

import cranfield as package
from cranfield import hooks
from cranfield.analysis.collections import FolderReader, notes_on_files_left_over, overview, restore_folder
from cranfield.analysis.evaluation import ScoredRuns, ScoreSetting, score_rankings
from cranfield.analysis.labels import kinds_of_labels
from cranfield.analysis.new_run import new_run_models
from cranfield.analysis.recipes import Recipe, finish_built_store
from cranfield.call_view import CallView
from cranfield.cli import completion
from cranfield.commands.measures import list_measures
from cranfield.commands.subject import Subject, subject_in
from cranfield.commands.topic_plan import plan_topics
from cranfield.errors import InputError, StoreError
from cranfield.extension import Extension
from cranfield.features.models.asking.extension import model_tasks
from cranfield.features.models.extension import ModelLabels, audited_kinds
from cranfield.formats import table as formats_table
from cranfield.formats.files import Format
from cranfield.formats.records import Document, Topic
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.planning.label_work import LabellerWork, LabelWork, label_work, labeller_rows
from cranfield.judging.planning.overview import Attention
from cranfield.judging.planning.sections import ProgressTable
from cranfield.metrics.inputs import as_runs
from cranfield.metrics.measure import DescribedNames
from cranfield.metrics.notation import every_measure
from cranfield.options.arguments import StoreLike
from cranfield.pooling.methods import METHODS
from cranfield.report.blocks import Section, Text
from cranfield.results import Result, ResultInLines
from cranfield.source import remedy_without_runs
from cranfield.store.bundles.bundle import write_bundle
from cranfield.store.corpus import PartHere, PictureSource, held_corpus_part
from cranfield.store.erasing import erase
from cranfield.store.history import importing
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor
from cranfield.store.qrels import pairs_found_outside_pools
from cranfield.store.removal import Removal, Removers, remove
from cranfield.store.runs import add_runs, runs_as_stored
from cranfield.store.store import Store, now
from cranfield.store.tables import Table, Tables, TopicUse
from cranfield.store.verification import verify
from cranfield.store.withdrawals import UnrankedRuns, withdraw
from cranfield.testing import EXTENSION_LAWS, check_extension
from cranfield.testing.extensions import EXTENSION_METHODS
from cranfield.web.application import Application
from cranfield.web.look import table as look_table
from cranfield.web.look.view import LookView
from cranfield.web.offline_page import pictures_in
from cranfield.web.open_sessions import JudgingRole, further_roles, judging_roles, page_before_judging
from cranfield.web.organise import table as organise_table
from cranfield.web.organise.download import Download
from cranfield.web.organise.section import Done, Form, OrganiserSection
from cranfield.web.organise.upload import Upload
from cranfield.web.results import Worker
from tests.conftest import Cranfield
from tests.stores import new_file, new_store

if TYPE_CHECKING:
    from cranfield.analysis.labels import LabelReader
    from cranfield.arrays.rankings import Ints, Runs
    from cranfield.features.models.asking.extension import TaskMaker
    from cranfield.features.models.audited import AuditedKind
    from cranfield.formats.records import Kind
    from cranfield.formats.runs.files import RunInfo
    from cranfield.metrics.measure import Measure
    from cranfield.parallel import Tell
    from cranfield.pooling.method import Method
    from cranfield.store.erasing import Find
    from cranfield.store.history import Import

Install = Callable[[Extension], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A function that installs an extension before our own."""
    ours = hooks.built_in_extensions()

    def install(extension: Extension) -> None:
        every = MappingProxyType({extension.name: extension, **ours})
        monkeypatch.setattr(hooks, "built_in_extensions", lambda: every)
        monkeypatch.setattr(hooks, "features", lambda: every)
        formats_table.formats_of.cache_clear()

    yield install
    monkeypatch.undo()
    formats_table.formats_of.cache_clear()


class Tried(Extension):
    """An extension that tests install."""

    name, interface = "tried", hooks.INTERFACE


def run_again(module: ModuleType) -> dict[str, Any]:
    """The names of a module that is executed again: its tables ask the extensions that are installed now."""
    names: dict[str, Any] = {"__name__": module.__name__, "__package__": module.__package__}
    exec(compile(Path(str(module.__file__)).read_text("utf-8"), str(module.__file__), "exec"), names)
    return names


@pytest.fixture
def store() -> Iterator[Store]:
    with new_store(topics="1 2", people=["ada"]) as store:
        add_runs(store, as_runs({"a": {"1": {"d1": 2.0, "d2": 1.0}}}))
        yield store


@pytest.mark.parametrize("name", hooks.built_in_extensions())
def test_our_extensions_keep_the_laws(name: str) -> None:
    check_extension(hooks.built_in_extensions()[name])


def test_defaults_add_nothing() -> None:
    check_extension(Tried())


class Unstated(Extension):
    name = "unstated"


class WrongName(Extension):
    name, interface = "two words", 2


class WrongMethod(Extension):
    name = "wrong"

    def measure(self) -> Sequence[Measure]:
        return ()


class WrongParameters(Extension):
    """mypy reports an ignore that ignores nothing: so it refuses these methods."""

    name = "wrong"

    def verify(self, database: int) -> None:  # type: ignore[override]
        """Expect a number."""

    def judged_apart(self, store: Store) -> int:  # type: ignore[override]
        return 1


class WrongCommand(Extension):
    name, commands = "wrong", (hooks.Commands("", "test_extension", "", "fly"),)


class WrongTables(Extension):
    name, tables = "wrong", ("test_extension:NO_TABLE",)


class WrongOptions(Extension):
    name, added_options = "wrong", (hooks.AddedOptions("evaluate", "test_extension:NoDefaults"),)


class WrongSubject(Extension):
    name, added_options = "wrong", (hooks.AddedOptions("evaluate", "test_extension:HatOptions"),)


class WrongFormats(Extension):
    name = "wrong"

    def formats(self, kind: Kind) -> Sequence[Format]:
        return (FORMAT,)


class WrongInNewStore(Extension):
    name = "wrong"

    def unranked_runs(self, store: Store) -> UnrankedRuns | None:
        return UnrankedRuns({"hats": ("run", 1)}, "")


@dataclass(frozen=True)
class Hats(Subject):
    """Score each topic of each run the same."""

    score_of_each: float = 1.0

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        scores, measures, unmet = score_rankings(view, setting)
        return scores._replace(values=np.full_like(scores.values, self.score_of_each)), measures, unmet

    def search(
        self, store: StoreLike | None, systems: Sequence[str] | None, depth: int, *, extend: bool, tag: str | None
    ) -> Result:
        return Result([{"hats": (systems or [""])[0], "score": self.score_of_each}])


class HatOptions(NamedTuple):
    """Whether hats are scored."""

    hats: Annotated[bool, typer.Option("--hats")] = False
    half: Annotated[bool, typer.Option("--half")] = False

    def subject(self) -> Hats:
        """The hats."""
        return Hats(0.5 if self.half else 1.0)


class NoDefaults:
    """A record of options without defaults that are equal."""


NO_TABLE = Tables("CREATE TABLE hat (id INTEGER);", (Table("cap"),))
FORMAT = Format("topics", "hats", "hats", lambda head, path: False, lambda source: ())


@pytest.mark.parametrize(
    ("extension", "law"),
    [
        (Unstated(), "interface"),
        (WrongName(), "interface"),
        (WrongMethod(), "methods"),
        (WrongParameters(), "methods"),
        (WrongCommand(), "commands"),
        (WrongTables(), "tables"),
        (WrongOptions(), "options"),
        (WrongSubject(), "options"),
        (WrongFormats(), "formats"),
        (WrongInNewStore(), "new_store"),
    ],
)
def test_each_law_finds_a_fault(extension: Extension, law: str) -> None:
    with pytest.raises(AssertionError):
        EXTENSION_LAWS[law](extension)


QRELS, RUNS = {"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}}


def test_subject_of_options(install: Install) -> None:
    """The options of the command line make what Python takes as subject=."""

    class Tailor(Tried):
        added_options = (hooks.AddedOptions("evaluate", "test_extension:HatOptions", subject="Hats"),)

    install(Tailor())
    check_extension(Tailor())
    assert subject_in(hooks.added_option_records("evaluate", {})) is None
    assert subject_in(hooks.added_option_records("evaluate", {"half": True})) == Hats(0.5)
    assert package.evaluate(QRELS, RUNS, "AP").frame["value"].tolist() == [1]
    assert package.evaluate(QRELS, RUNS, "AP", subject=Hats(0.5)).frame["value"].tolist() == [0.5]
    with pytest.raises(TypeError, match=r"argument 'half'; expected subject=cranfield\.subjects\.Hats\(\.\.\.\)$"):
        package.evaluate(QRELS, RUNS, half=True)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("call", "function"),
    [
        (lambda: package.compare(QRELS, RUNS, subject=Hats()), "compare"),
        (lambda: plan_topics(QRELS, RUNS, difference=0.1, subject=Hats()), "compare"),
        (lambda: package.trust.reusability(QRELS, RUNS, subject=Hats()), "reusability"),
        (lambda: package.trust.leave_one_out(QRELS, RUNS, subject=Hats()), "reusability"),
        (lambda: list_measures(subject=Hats()), "list_measures"),
        (lambda: package.evaluate(QRELS, RUNS, subject=Subject()), "evaluate"),
        (lambda: package.store.search_corpus(subject=Subject()), "search_corpus"),
        (lambda: package.store.import_corpus(Store.memory("m"), "a.txt", subject=Hats()), "import_corpus"),
    ],
)
def test_functions_refuse_a_subject_that_does_not_go_with_them(call: Callable[[], object], function: str) -> None:
    with pytest.raises(InputError, match=rf"^{function} does not support the subject \w+\(.*\)$"):
        call()


def test_formats(install: Install) -> None:
    class Hats(Tried):
        def formats(self, kind: Kind) -> Sequence[Format]:
            return (FORMAT._replace(before="csv"),) if kind == "topics" else ()

    install(Hats())
    names = [form.name for form in formats_table.formats_of("topics")]
    assert names[names.index("hats") + 1] == "csv"


def test_measures(install: Install) -> None:
    measure = replace(every_measure()[0], name="Hats")

    class Hats(Tried):
        def measures(self) -> Sequence[Measure]:
            return (measure,)

    install(Hats())
    assert measure in every_measure()


def test_described_names(install: Install, cranfield: Cranfield) -> None:
    class Hats(Tried):
        def described_names(self) -> DescribedNames:
            return DescribedNames(["Hats"], lambda name: "Hats are counted." if name == "Hats" else "")

    install(Hats())
    assert cranfield("measures Hats").out == "Hats are counted.\n"
    assert "Hats" in {*completion._every_measure(cast("Any", None))}


def test_pooling_methods(install: Install) -> None:
    """A method may have a model of new runs."""
    method = METHODS["rrf"]._replace(name="hats", new_run_model=print)

    class Hats(Tried):
        def pooling_methods(self) -> Sequence[Method]:
            return (method,)

    install(Hats())
    assert METHODS["hats"] is method
    assert "hats" in new_run_models()


def test_options_with_the_suffix_of_a_file(install: Install) -> None:
    class Hats(Tried):
        added_options = (hooks.AddedOptions("search", "test_extension:HatOptions", subject="Hats", suffix=".hat"),)

    install(Hats())
    assert package.store.search_corpus(None, systems="blue.hat").rows() == [{"hats": "blue.hat", "score": 1.0}]


HATS = Tables(
    "CREATE TABLE hat (id INTEGER);",
    (Table("hat"),),
    counts={"hats": "run"},
    topic_uses=(TopicUse("SELECT count(*) FROM topic WHERE id = ?", "hat", "it has {}"),),
)


def test_tables_declare_what_is_counted(install: Install, store: Store) -> None:
    class Hats(Tried):
        tables = ("test_extension:HATS",)

    install(Hats())
    assert overview(store).document["hats"] == 1


def test_tables_declare_what_keeps_a_topic(install: Install, store: Store) -> None:
    class Hats(Tried):
        tables = ("test_extension:HATS",)

    install(Hats())
    with pytest.raises(StoreError, match="topic '2' cannot be removed: it has 1 hat"):
        remove(store, "topic", ["2"])


def test_progress(install: Install, cranfield: Cranfield, tmp_path: Path) -> None:
    class Hats(Tried):
        def progress(self, store: Store) -> Mapping[str, ProgressTable]:
            return {"hats": ProgressTable("Hats worn", [{"hat": "blue"}])}

    path = new_file(tmp_path / "t.db", topics="1", documents=["d1"], pool={"1": ["d1"]})
    install(Hats())
    assert "blue" in cranfield("progress", path, "--format", "json").out
    assert "Hats worn" in cranfield("progress", path).out


def test_label_work(install: Install, store: Store) -> None:
    """The people who give labels of a kind, and those with a link who have not begun; it is on the overview."""
    ada = LabellerWork("ada", "human", 2, left=7, last="2026-03-01T12:00:00.000+00:00")
    hats = LabelWork("sort hats", "hat", 9, 2, 0, 1, [ada], roles=("judge",), settling="settle hats")

    class Hats(Tried):
        def label_work(self, store: Store) -> Sequence[LabelWork]:
            return [hats]

    install(Hats())
    invite(store, "bob")
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert [(row["assessor"], row["left"]) for row in labeller_rows(label_work(store, moment))] == [
        ("ada", 7),
        ("bob", 9),
    ]
    shown = organise_table.content(store, "").values
    assert [one["of"] for one in shown["label_work"]] == ["2 of 9 items by people"]
    assert any("1 hat; invite somebody to settle hats" in text for text, _ in shown["lines"])


def test_last_signs(install: Install, store: Store) -> None:
    """Who works on anything else is among those who work now."""

    class Hats(Tried):
        def last_signs(self, store: Store) -> Mapping[str, str]:
            return {"ada": now()}

    add_assessor(store, "ada")
    assert organise_table.live(store, "") == {"now": "nobody"}
    install(Hats())
    assert organise_table.live(store, "") == {"now": "ada"}


def test_attention(install: Install, store: Store) -> None:
    """The overview lists what an extension notes, with a link to its page."""

    class Hats(Tried):
        def attention(self, store: Store) -> Sequence[Attention]:
            return [Attention("3 hats are missing", "hats")]

    install(Hats())
    assert ("3 hats are missing", "/organise/hats") in organise_table.content(store, "").values["lines"]


def test_verify(install: Install, store: Store) -> None:
    class Hats(Tried):
        def verify(self, store: Store) -> None:
            raise StoreError("a hat has changed")

    install(Hats())
    with pytest.raises(StoreError, match="a hat has changed"):
        verify(store)


def test_unstored_files(install: Install, tmp_path: Path) -> None:
    class Hats(Tried):
        def unstored_files(self, store: Store) -> Sequence[str]:
            return ["t.db.hats has hats"]

    (tmp_path / "t.db.hats").touch()
    install(Hats())
    with (
        new_store(tmp_path / "t.db", people=["ada"]) as store,
        pytest.raises(StoreError, match=r"t\.db\.hats has hats"),
    ):
        erase(store, "assessor", "ada", "she asked")


def test_label_matrices(install: Install) -> None:
    class Hats(Tried):
        def label_matrices(self) -> Mapping[str, LabelReader]:
            return {"hats": cast("LabelReader", print)}

    install(Hats())
    assert "hats" in kinds_of_labels()


def test_judged_apart(install: Install, store: Store) -> None:
    class Hats(Tried):
        def judged_apart(self, store: Store) -> Mapping[tuple[str, str], str]:
            return {("1", "d1"): "in a hat"}

    install(Hats())
    assert pairs_found_outside_pools(store) == {("1", "d1"): "in a hat"}


def test_unranked_runs(install: Install, store: Store) -> None:
    class Hats(Tried):
        def unranked_runs(self, store: Store) -> UnrankedRuns | None:
            return UnrankedRuns({"hats": ("hat", 1)}, "score its hats")

    install(Hats())
    assert remedy_without_runs(store) == "score its hats"
    assert withdraw(store, "run", ["hats"], "too small") == ["run hats: withdrawn"]


def test_document_source(install: Install, store: Store) -> None:
    part = PartHere(3, 10, ("hats.jsonl",))

    class Hats(Tried):
        def document_source(self, store: Store) -> PartHere | None:
            return part

    install(Hats())
    assert held_corpus_part(store) == part


def test_pictures(install: Install, store: Store, tmp_path: Path) -> None:
    filled = list[int]()

    def copy(store: Store, bundle: Store) -> None:
        filled.append(bundle.count("document"))

    class Hats(Tried):
        def pictures(self) -> PictureSource:
            return PictureSource(lambda store, digest: ("png", b"hat"), copy=copy)

    install(Hats())
    addresses, omissions = pictures_in(store, ["0" * 64], 100)
    assert ([*addresses.values()], omissions) == (["data:image/png;base64,aGF0"], 0)
    with new_store(tmp_path / "t.db", topics="1", documents=["d1"], people=["ada"], pool={"1": ["d1"]}) as given:
        assign_topics_to_assessors(given, ["ada"])
        write_bundle(given, tmp_path / "ada.db", "ada")
    assert filled == [1]


def test_new_runs(install: Install, store: Store) -> None:
    class Hats(Tried):
        def new_runs(
            self, store: Store, runs: Runs, infos: Mapping[str, RunInfo]
        ) -> tuple[Runs, Mapping[str, RunInfo]]:
            return as_runs({"hat": {"1": {"d1": 1.0}}}), {}

    install(Hats())
    assert runs_as_stored(store, as_runs({"b": {"1": {"d1": 1.0}}}), {})[0].tags == ("hat",)


def test_new_documents(install: Install, store: Store) -> None:
    class Hats(Tried):
        def new_documents(self, store: Store, documents: Iterable[Document]) -> Iterable[Document]:
            return (document._replace(title="a hat") for document in documents)

    install(Hats())
    store.add_documents([Document("d9", "a coat", "wool")])
    assert store.document("d9").title == "a hat"


def test_removers_undo_an_import(install: Install, store: Store) -> None:
    class Hats(Tried):
        def removers(self) -> Removers:
            return Removers({"hats": lambda store, imported, reason: Removal({}, "3 hats removed")})

    with importing(store, "hats", ["hats.txt"]) as number:
        pass
    with pytest.raises(StoreError, match="import 1 is of hats, whose feature is not installed"):
        remove(store, "import", [str(number)])
    install(Hats())
    assert remove(store, "import", [str(number)]) == ["import 1: 3 hats removed"]


def test_removers(install: Install, store: Store) -> None:
    finished = list[int]()

    def finish_import(store: Store, imported: Import) -> Ints:
        finished.append(imported.number)
        return np.zeros(0, np.int64)

    class Hats(Tried):
        def removers(self) -> Removers:
            return Removers(
                run=lambda store, tag: [Removal({}, "3 hats")],
                finish_import=finish_import,
                used_documents=lambda store, documents: documents[:1],
            )

    with importing(store, "topics", ["topics"]) as number:
        store.add_topics([Topic("3", "hats")])
    install(Hats())
    remove(store, "import", [str(number)])
    assert finished == [number]
    removed = "run a: removed, with 3 hats and 1 ranking and 1 document that nothing else refers to"
    assert remove(store, "run", ["a"]) == [removed]


def test_erasers(install: Install, store: Store) -> None:
    class Hats(Tried):
        def erasers(self) -> Mapping[str, Find]:
            return {"hatter": lambda store, name, replacement, added: ((), lambda rows: None)}

    install(Hats())
    assert erase(store, "hatter", "max", "he asked").name == "erased 1"


def test_folder_reader(install: Install, store: Store, tmp_path: Path) -> None:
    def read(folder: str, path: Path, split: str | None, tell: Tell) -> Store | None:
        return store if folder == "hats" else None

    class Hats(Tried):
        def folder_reader(self) -> FolderReader:
            return FolderReader(
                read,
                describe_remainder=lambda folder: "3 hats stay",
                finish_recipe=lambda folder, store: store.add_topics([Topic("9", folder.name)]),
            )

    install(Hats())
    assert restore_folder("hats", tmp_path / "new.db", None, print) is store
    assert "3 hats stay" in notes_on_files_left_over(str(tmp_path))
    finish_built_store(Recipe("hats", {}, tmp_path), store)
    assert [topic.title for topic in store.topics() if topic.qid == "9"] == [tmp_path.name]


def test_report_sections(install: Install, cranfield: Cranfield, tmp_path: Path) -> None:
    class Hats(Tried):
        def report_sections(self, store: Store) -> Sequence[Section]:
            return [Section("hats", "All the hats", [Text("Three hats.")])]

    path = new_file(tmp_path / "t.db", topics="1", runs={"a": {"1": {"d1": 1.0}}}, qrels={"ada": {"1": {"d1": 1}}})
    install(Hats())
    assert cranfield("report", path, tmp_path / "report.html").code == 0
    assert "Three hats." in (tmp_path / "report.html").read_text("utf-8")


def test_views(install: Install) -> None:
    view = LookView("Hats", lambda store, query: [], entry="Collection")

    class Hats(Tried):
        def views(self) -> Mapping[str, LookView]:
            return {"hats": view}

    install(Hats())
    assert run_again(look_table)["VIEWS"]["hats"] is view


def test_views_stand_for_others_and_are_part_of_others(install: Install) -> None:
    """On a store without rankings, and only if the store has data for them."""
    hats = LookView("Hats", lambda store, query: [{"hat": "blue"}], stands_for="systems", part_of="collection")
    caps = hats._replace(title="Caps", has_data=lambda store: False, stands_for="compare")

    class Hats(Tried):
        def views(self) -> Mapping[str, LookView]:
            return {"hats": hats, "caps": caps}

    install(Hats())
    table = run_again(look_table)
    with new_store(topics="1") as store:
        page = table["answer"](store, "collection", "", []).text()
        assert ("blue" in page, "Caps" in page) == (True, False)
        assert [table["shown_view"](store, name) for name in ("systems", "compare")] == ["hats", "compare"]
        add_runs(store, as_runs({"bm25": {"1": {"d1": 1.0}}}))
        assert table["shown_view"](store, "systems") == "systems"
        assert 'href="/look/systems"' in table["answer"](store, "hats", "", []).text()


def test_routes(install: Install, tmp_path: Path) -> None:
    route = Route("/hats", lambda request: PlainTextResponse("3"))

    class Hats(Tried):
        def routes(self, application: Application) -> Sequence[Route]:
            return [route]

    new_file(tmp_path / "t.db")
    install(Hats())
    with closing(Application(Worker.worker_of_store(tmp_path / "t.db"))) as application:
        assert route in cast("Any", application.asgi(["localhost"])).app.routes


def test_organiser_pages(install: Install) -> None:
    """A page has forms."""
    form = Form(lambda store, fields, base, language: Done("3 hats"), "hats", "hats")
    page = OrganiserSection("Hats", "hats.html", lambda request: {}, forms={"hang": form})

    class Hats(Tried):
        def organiser_pages(self) -> Mapping[str, OrganiserSection]:
            return {"hats": page}

    install(Hats())
    tables = run_again(organise_table)
    assert (tables["SECTIONS"]["hats"], tables["FORMS"]["hang"]) == (page, form)


@pytest.mark.needs("organising")
def test_downloads(install: Install) -> None:
    """A file to download is on the page that delivers files."""
    hats = Download("Hats", "All hats.", lambda store, folder, fields: folder / "hats.txt")

    class Hats(Tried):
        def downloads(self) -> Mapping[str, Download]:
            return {"hats": hats}

    install(Hats())
    assert import_module("cranfield.features.organising.downloads").all_downloads()["hats"] == hats


@pytest.mark.needs("organising")
def test_uploads(install: Install) -> None:
    """Its form is on the page Deliver, next to the forms of the core."""
    hats = Upload("Hats", "Their shapes.", lambda place, paths, fields: ResultInLines([], lines=("1 hat",)))

    class Hats(Tried):
        def uploads(self) -> Mapping[str, Upload]:
            return {"hats": hats}

    install(Hats())
    assert import_module("cranfield.features.organising.further_uploads").all_uploads()["hats"] == hats


def test_roles(install: Install, store: Store) -> None:
    """A role is for somebody who has work, its page comes first, and it has notes on a topic."""
    role = JudgingRole(
        "hats",
        "wear hats",
        link="Wear a hat",
        has_work=lambda store, assessor: assessor == "ada",
        comes_first=lambda store, assessor: assessor == "ada",
    )

    class Hats(Tried):
        def roles(self) -> Sequence[JudgingRole]:
            return [role]

    install(Hats())
    assert role in judging_roles()
    assert (further_roles(store, "ada"), page_before_judging(store, "ada")) == ({"hats": "Wear a hat"}, "hats")
    assert (further_roles(store, "bob"), page_before_judging(store, "bob")) == ({}, "")


def test_before_judging(install: Install, cranfield: Cranfield, tmp_path: Path) -> None:
    asked = list[str]()

    class Hats(Tried):
        def before_judging(self, store: Store, assessor: str, source: TextIO, target: TextIO, width: int) -> bool:
            asked.append(assessor)
            return False

    path = new_file(tmp_path / "t.db", topics="1", documents=["d1"], pool={"1": ["d1"]})
    install(Hats())
    assert cranfield("judge", path, "--assessor", "ada", "--plain").out == ""
    assert asked == ["ada"]


def test_model_tasks(install: Install) -> None:
    class Hats(ModelLabels):
        name = "tried"

        def model_tasks(self) -> Mapping[str, TaskMaker]:
            return {"hats": cast("TaskMaker", print)}

    install(Hats())
    assert "hats" in model_tasks()


def test_audited_kinds(install: Install) -> None:
    class Hats(ModelLabels):
        name = "tried"

        def audited_kinds(self) -> Mapping[str, AuditedKind]:
            return {"hats": cast("AuditedKind", print)}

    install(Hats())
    assert "hats" in audited_kinds()


def test_every_method_has_a_test() -> None:
    """Its test has the method's name."""
    assert {name for name in EXTENSION_METHODS if f"test_{name}" not in globals()} == set()


@pytest.mark.parametrize("name", EXTENSION_METHODS)
def test_each_method_describes_its_parameters(name: str) -> None:
    method = EXTENSION_METHODS[name]
    text = cleandoc(str(method.__doc__))
    described = re.findall(r"^(\w+) : ", text, re.MULTILINE)
    assert described == [*signature(method).parameters][1:]
    assert ("Returns\n" in text) == (method.__annotations__["return"] != "None")
