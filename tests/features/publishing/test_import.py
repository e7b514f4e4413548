"""A published folder gives a store with all that it has; one that is not what it was gives none."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield as api
from cranfield import hooks
from cranfield.errors import InputError
from cranfield.features.models.asking.assess import PLACEHOLDERS
from cranfield.features.models.asking.planned import asker_of
from cranfield.features.models.calls import keep_setting
from cranfield.features.models.panel import panel
from cranfield.features.publishing.folder import check, restore
from cranfield.features.publishing.gathering import notes
from cranfield.features.publishing.manifest import MANIFEST, write_manifest
from cranfield.features.publishing.publication import PublishOptions
from cranfield.formats import Document, read_metadata, read_qrels
from cranfield.judging.labels.choice import choose_labels
from cranfield.metrics.inputs import as_qrels
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.chain import Event
from cranfield.store.log import append, assessors, current_decisions, read_events
from cranfield.store.qrels import import_qrels, labels_that_count
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield, usually
from tests.features.publishing.conftest import TARGETS, build_draft
from tests.features.publishing.test_build import contents
from tests.stores import filled, new_store

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("arrow", "files", "report")]

RUNS = (("a", 3), ("b", 5))
ONE_LABEL = "ignore:.* of the .* labelled documents have one label"  # of agreement, on every such store


@pytest.mark.daily  # splits and sets of the small one come back to the byte
@pytest.mark.filterwarnings("ignore:.*all by models", "ignore:1 of 14 runs did not answer", ONE_LABEL)
def test_publishing_again_gives_the_same_bytes(workshop: Path, workshop_folder: Path, tmp_path: Path) -> None:
    back = tmp_path / "back.db"
    with restore(workshop_folder, back) as store:
        verify(store)
    assert contents(build_draft(back, tmp_path / "again", *TARGETS)) == contents(workshop_folder)
    assert api.evaluate(back).frame.equals(api.evaluate(workshop).frame)
    assert api.judging.measure_agreement(back).frame.equals(api.judging.measure_agreement(workshop).frame)
    assert api.trust.reusability(back).to_json() == api.trust.reusability(workshop).to_json()


def test_judgments_of_people_come_back(published_folder: Path, tmp_path: Path) -> None:
    back = tmp_path / "back.db"
    restore(published_folder, back).close()
    assert contents(build_draft(back, tmp_path / "again", *TARGETS[1:])) == contents(published_folder)


@pytest.fixture(scope="module")
def split_folder(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small collection, in two splits."""
    return build_draft(small, tmp_path_factory.mktemp("split") / "folder", "hf", split=("q2",))


def test_splits_come_back(split_folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Publishing again divides the topics as before, and says so, to the byte; others may be given."""
    back = tmp_path / "back.db"
    assert cranfield("import", "collection", back, split_folder).code == 0
    assert contents(build_draft(back, tmp_path / "again", "hf")) == contents(split_folder)
    again = cranfield("publish", "build", back, tmp_path / "said", "--draft")
    sizes = "(test 1 topic, train 1 topic); choose other splits with --split"
    assert f"note: the splits come from the imported folder {sizes}\n" in again.err
    assert (tmp_path / "said" / "queries" / "train.parquet").is_file()
    other = build_draft(back, tmp_path / "other", "hf", split=("q1", "q2"))
    assert [path.name for path in (other / "queries").iterdir()] == ["test.parquet"]


@pytest.mark.filterwarnings("ignore:3 labels by")
@pytest.mark.parametrize(("split", "qid"), usually([("train", "q1")], [("test", "q2"), ("train", "q1")]))
def test_one_split_is_chosen(  # noqa: PLR0917
    small: Path, split_folder: Path, tmp_path: Path, cranfield: Cranfield, split: str, qid: str
) -> None:
    """Its topics, rankings and grades alone; published, it is that split, and comes back as it is."""
    back = tmp_path / "back.db"
    output = cranfield("import", "collection", back, split_folder, "--split", split)
    omissions = "(1 of 2 topics) without the pools and the judgment log, which cover all topics"
    assessor = "the judgments are stored under the assessor 'published'"
    assert (output.code, output.err) == (0, f"note: imported the split {split} {omissions}; {assessor}\n")
    before, after = api.read_qrels(small, policy="primary"), api.read_qrels(back)
    columns = ["query_id", "doc_id", "relevance"]
    assert after[columns].values.tolist() == before[before["query_id"] == qid][columns].values.tolist()
    runs, ours = api.read_runs(small), api.read_runs(back)
    assert ours.values.tolist() == runs[runs["query_id"] == qid].values.tolist()
    with Store.open(back) as store:
        assert [topic.qid for topic in store.topics()] == [qid]
        verify(store)
    again = build_draft(back, tmp_path / "again", "hf")
    assert [path.stem for path in (again / "qrels").iterdir()] == [split]
    restore(again, tmp_path / "twice.db", split).close()
    assert contents(build_draft(tmp_path / "twice.db", tmp_path / "third", "hf")) == contents(again)


def test_a_split_that_is_not_there(
    small: Path, split_folder: Path, published_folder: Path, *, tmp_path: Path, cranfield: Cranfield
) -> None:
    """One line says which are; nothing is left. A folder in one piece has the split test, which is all of it."""
    folder, back = split_folder, tmp_path / "back.db"
    output = cranfield("import", "collection", tmp_path / "whole.db", published_folder, "--assessor", "ada")
    assert "note: --assessor ada is ignored, because a published folder has its own assessors\n" in output.err
    output = cranfield("import", "collection", back, folder, "--split", "nonsense")
    assert (output.code, output.err) == (1, f"error: {folder}: no split 'nonsense'; --split takes test, train\n")
    output = cranfield("import", "collection", back, published_folder, "--split", "train")
    assert (output.code, output.err) == (1, f"error: {published_folder}: no split 'train'; --split takes test\n")
    output = cranfield("import", "collection", back, "ir_datasets:vaswani", "--split", "dev")
    assert output.err.startswith("error: ir_datasets:vaswani: --split applies only to folders")
    assert not back.exists()
    with pytest.raises(InputError, match="no split 'dev'; split takes test, train"):
        api.store.import_collection(tmp_path / "api.db", folder, split="dev")
    assert cranfield("import", "collection", back, published_folder, "--split", "test").err == ""
    with Store.open(back) as store, Store.open(small) as before:
        assert (verify(store).events, store.counts()["pool"]) == (verify(before).events, before.counts()["pool"])


def test_a_panel_comes_back(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its kind, the judges and votes behind each label, and what counts; the folder names its judges."""
    path, back = Path(shutil.copy(small, tmp_path / "panel.db")), tmp_path / "back.db"
    with Store.open(path) as store:
        asker = asker_of(store, PLACEHOLDERS, "llama3", None, "basic", assessor="llama")
        keep_setting(store, asker.setting(PLACEHOLDERS.name))
        grades = {"llama": 1, "qwen": 0, "mistral": 1}
        votes = {name: {("q2", "d2"): grade, ("q2", "a/b"): grade} for name, grade in grades.items()}
        filled(store, models=grades, labels=votes)
        panel(store, ("llama", "qwen", "mistral"), "three", method="dawid-skene")
        labels = current_decisions(store, "three")
        counting = labels_that_count(store, Labellers("three", LabelledBy.models)).qrels.grade.tolist()
    folder = build_draft(path, tmp_path / "folder", "bagit")
    assert {row.state for row in check(folder)} <= {"ok", "skipped"}
    datasheet = (folder / "data" / "DATASHEET.md").read_text()
    assert "llama: llama3, prompt basic; three: labels of llama, mistral and qwen combined by dawid-skene." in datasheet
    assert "| models | raw agreement | 2 | 0.333 |" in datasheet  # of the judges, without what they say together
    with restore(folder, back) as store:
        kinds = {"llama": "model", "qwen": "model", "mistral": "model", "three": "panel"}
        assert assessors(store).items() >= kinds.items()
        assert {pair: (one.grade, one.evidence) for pair, one in current_decisions(store, "three").items()} == {
            pair: (one.grade, one.evidence) for pair, one in labels.items()
        }
        assert (
            labels_that_count(store, Labellers("three", LabelledBy.models)).qrels.grade.tolist() == counting == [1, 1]
        )
        with pytest.raises(InputError, match=r"'three' is a panel with .*dawid-skene"):
            panel(store, ("llama", "qwen", "mistral"), "three")
        assert not panel(store, ("llama", "qwen", "mistral"), "three", method="dawid-skene").new
        verify(store)
    assert contents(build_draft(back, tmp_path / "again", "bagit")) == contents(folder)
    others = {name: feature for name, feature in hooks.features().items() if name != "models"}
    monkeypatch.setattr("cranfield.features.publishing.store.publication.features", lambda: others)
    with pytest.raises(
        InputError, match="the folder contains settings of 2 models, which need the feature models; install it first"
    ):
        restore(folder, tmp_path / "without.db")


def test_later_labels_go_on_from_the_published_log(published_folder: Path, tmp_path: Path) -> None:
    back = tmp_path / "back.db"
    with restore(published_folder, back) as store:
        append(store, Event("label", "q2", "d2", "a01", 1))
    log = json.loads((build_draft(back, tmp_path / "again", "beir") / "log" / "log.json").read_text())
    earlier = json.loads((published_folder / "log" / "log.json").read_text())["log"]
    assert (log["earlier"], log["log"]["events"]) == ([earlier], 1)


def test_without_a_log_the_qrels_come_back(small: Path, tmp_path: Path) -> None:
    folder = build_draft(small, tmp_path / "short", "beir", log="no", runs=False)
    assert not (folder / "log").exists()
    with restore(folder, tmp_path / "back.db") as store:
        assert (store.count("qrels"), store.count("run"), store.count("pool")) == (3, 0, 1)


def test_texts_are_verified_when_they_come(small: Path, tmp_path: Path) -> None:
    with Store.open(small) as store:
        documents = list(store.documents())
    folder = build_draft(small, tmp_path / "hashes", "hf", text=False)
    restore(folder, tmp_path / "bare.db").close()
    again = build_draft(tmp_path / "bare.db", tmp_path / "again", "hf", text=False)
    assert contents(again) == contents(folder)
    [run] = (again / "runs").glob("two_2-*.gz")
    assert "ir_datasets" not in read_metadata(run)["data"]["test collection"]
    with Store.open(tmp_path / "bare.db") as store:
        assert any("4 documents with withheld text" in note for note in notes(store, PublishOptions(("hf",))))
    with restore(folder, tmp_path / "back.db") as store:
        with pytest.raises(InputError, match="the text of 'd2' differs from the judged text"):
            store.add_documents([documents[0], Document("d2", text="another text")])
        store.add_documents(documents)
        assert sorted(store.documents()) == sorted(documents)


def test_what_is_read_as_another_folder_says_what_it_leaves(
    workshop_folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    """The payload of a bag has no manifest of its own; the bag has."""
    output = cranfield("import", "collection", tmp_path / "new.db", workshop_folder / "data")
    assert (output.code, output.out) == (0, "232 documents, 25 topics, 1,028 judgments\n")
    assert f"judgment log of this collection were not imported; import the bag, {workshop_folder}\n" in output.err


def _list(path: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        with (folder / MANIFEST).open("a") as file:
            file.write(f"{'0' * 64}  {path}\n")

    return change


def _change(name: str, value: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        document = json.loads((folder / "collection.json").read_text())
        (folder / "collection.json").write_text(json.dumps({**document, name: value}))
        write_manifest(folder)

    return change


def _more_of_the_collection(folder: Path) -> None:
    about = json.loads((folder / "collection.json").read_text())["collection"]
    _change("collection", {**about, "surprise": 1})(folder)


def _another_grade(folder: Path) -> None:
    shutil.copy(folder / "queries" / "test.parquet", folder / "qrels" / "test.parquet")
    write_manifest(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_list("../small.db"), "the path '../small.db' points outside the folder"),
        (_list("LICENSE"), "the path 'LICENSE' is listed twice"),
        (_change("layout", 2), "layout is 2; expected 1"),
        (_change("surprise", 1), "unknown entry 'surprise'"),
        (_more_of_the_collection, "unknown entry 'surprise' in collection"),
        (_change("pools", [{"number": "1"}]), "number is '1'; expected int"),
        (_change("topics", ["q1"]), "the topics differ from collection.json"),
        (_change("first_assessors", [["q1"]]), "first_assessors has ['q1']; expected str, str"),
        (_another_grade, "the columns _id string"),
        (lambda folder: (folder / "log" / "log.json").unlink(), "missing"),
    ],
)
def test_what_is_not_what_it_was_gives_no_store(
    change: Callable[[Path], None], message: str, folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    change(folder)
    refusal = cranfield("import", "collection", tmp_path / "new.db", folder)
    assert (refusal.code, message in refusal.err.replace("\n", " "), (tmp_path / "new.db").exists()) == (
        1,
        True,
        False,
    ), refusal


@pytest.mark.parametrize("name", ["README.md", "collection.json", "qrels/test.parquet", "new", "manifest-sha256.txt"])
@pytest.mark.parametrize("to", ["itself", "a copy", "nowhere"])
def test_links_are_refused(name: str, to: str, folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """One that loops, one that leads to what was there, one that leads nowhere: a line, and no store."""
    link = folder / name
    if link.exists():
        link.rename(tmp_path / "a copy")
    link.symlink_to({"itself": link.name, "a copy": str(tmp_path / "a copy"), "nowhere": "nowhere"}[to])
    message = f"{link}: this is a link; a published folder contains only files and folders"
    for command in (["publish", "check", folder], ["import", "collection", tmp_path / "new.db", folder]):
        refusal = cranfield(*command)
        assert (refusal.code, message in refusal.err) == (1, True), refusal
    assert not (tmp_path / "new.db").exists()


def test_one_byte_more_is_found(folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    with (folder / "trec" / "qrels.txt").open("ab") as file:
        file.write(b"\n")
    refusal = cranfield("publish", "check", folder)
    assert (refusal.code, "trec/qrels.txt" in refusal.err) == (1, True)
    refusal = cranfield("import", "collection", tmp_path / "new.db", folder)
    assert (refusal.code, "trec/qrels.txt: changed or incomplete: the SHA-256 begins with" in refusal.err) == (1, True)
    assert "`cranfield publish check` lists all faults\n" in refusal.err
    assert not (tmp_path / "new.db").exists()


@pytest.mark.daily
@pytest.mark.filterwarnings("ignore:not tested", "ignore:.* labels by .*policy. primary", ONE_LABEL)
def test_cranfield_1400_comes_back(shared: Path, tmp_path: Path) -> None:
    """Exactly 1,400 documents, 225 topics, the grades of its recipe, and the agreement with a second assessor."""
    from cranfield.analysis.recipes import build, read_recipe
    from cranfield.search.systems import search_with_systems

    path, back = tmp_path / "cranfield.db", tmp_path / "back.db"
    with build(read_recipe("cranfield1400"), shared / "cranfield1400", path) as store:
        second = dict[str, dict[str, int]]()
        for at, one in enumerate([one for one in read_events(store) if one.grade is not None][::9]):
            second.setdefault(one.qid, {})[one.docno] = at % 5
        import_qrels(store, as_qrels(second), "second", "human")
    search_with_systems(path, ["bm25", "tfidf", "ql-dirichlet"])
    folder = build_draft(path, tmp_path / "folder", *TARGETS)
    with restore(folder, back) as store:
        assert (store.count("document"), store.count("topic")) == (1400, 225)
    assert contents(build_draft(back, tmp_path / "again", *TARGETS)) == contents(folder)
    scores, then = (api.evaluate(one, policy="primary").frame.drop(columns="labels_of") for one in (back, path))
    assert scores.equals(then)  # labels_of has the pseudonyms of assessors
    verdict, then_verdict = (json.loads(api.trust.reusability(one, policy="primary").to_json()) for one in (back, path))
    assert verdict.pop("labelled_by")["labels"] == then_verdict.pop("labelled_by")["labels"] == 1837
    assert verdict == then_verdict
    agreement, before = (api.judging.measure_agreement(one).frame.drop(columns="assessors") for one in (back, path))
    assert agreement["units"].max() == 205
    assert agreement.equals(before)


def test_a_collection_without_texts_comes_back(tmp_path: Path) -> None:
    """Its topics and documents are known by their ids alone, d11 to d19 from judgments; here they are split."""
    path, back = tmp_path / "bare.db", tmp_path / "back.db"
    grades = {f"q{i}": {f"d{j}": j % 2 for j in range(20)} for i in range(2)}
    runs = {tag: {f"q{i}": {f"d{j * step % 11}": 10.0 - j for j in range(8)} for i in range(2)} for tag, step in RUNS}
    filled(new_store(path, qrels={"nist": grades}), runs=runs).close()
    folder = build_draft(path, tmp_path / "folder", "hf", split=("q1",))
    restore(folder, back).close()
    assert contents(build_draft(back, tmp_path / "again", "hf", split=("q1",))) == contents(folder)


def test_the_policy_of_the_folder_is_the_choice_of_the_store(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """The store of a folder counts the labels of the published qrels; a choice on record is what is published."""
    first = build_draft(small, tmp_path / "max", policy="max")
    with restore(first, tmp_path / "back.db") as back:
        [(policy, reason)] = back.rows("SELECT policy, reason FROM label_choice")
        assert policy == "max"
        assert reason.startswith("the policy of the published qrels (Small")
        labels = choose_labels(back).qrels
    published = read_qrels(first / "trec" / "qrels.txt")
    assert sorted(zip(labels.docnos.names[labels.document].tolist(), labels.grade.tolist(), strict=True)) == sorted(
        zip(published.docnos.names[published.document].tolist(), published.grade.tolist(), strict=True)
    )
    output = cranfield("publish", "build", tmp_path / "back.db", tmp_path / "again", "--draft")
    assert "policy: max, the store's choice\n" in output.err
    assert (tmp_path / "again" / "trec" / "qrels.txt").read_bytes() == (first / "trec" / "qrels.txt").read_bytes()
    assert {row.state for row in check(tmp_path / "again")} <= {"ok", "skipped"}


def test_one_assessor_on_record_is_not_a_policy(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    store = Path(shutil.copy(small, tmp_path / "small.db"))
    assert cranfield("store", "labels", store, "--assessor", "Ada Lovelace", "--reason", "trial").code == 0
    output = cranfield("publish", "build", store, tmp_path / "out", "--draft")
    assert (output.code, (tmp_path / "out").exists()) == (1, False)
    assert "the store counts only the labels of Ada Lovelace, but a folder needs a policy" in output.err
