"""From many labels to one: the laws of the policies, their agreement with the store's view, exports and manifests."""

import hashlib
import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.analysis.recipes import bundled_recipes
from cranfield.errors import InputError
from cranfield.judging.labels.pairs import ADJUDICATION
from cranfield.judging.labels.policies import ELSE, POLICIES, apply_policy, find_policy
from cranfield.store.assignments import Plan, add_plan
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually
from tests.judging.cases import at, session_of, store_of
from tests.stores import derive_and_export, filled

SCALE = (0, 1, 2, 3)
RULES = [name for name in POLICIES if name != "single"]
votes = st.lists(st.sampled_from(SCALE), min_size=1, max_size=6)


# Laws


@pytest.mark.parametrize("name", RULES)
@given(given_votes=votes)
@settings(deadline=None, max_examples=usually(12, 60))
def test_within_the_labels_and_their_own_fixed_point(name: str, given_votes: list[int]) -> None:
    """The grade is between the lowest and the highest label, and a policy of its own outcome changes nothing."""
    grade = find_policy(name).grade(given_votes, SCALE)
    assert grade is not None
    assert min(given_votes) <= grade <= max(given_votes)
    assert find_policy(name).grade([grade], SCALE) == grade
    assert find_policy(name).grade([grade] * 3, SCALE) == grade


@pytest.mark.parametrize("name", [name for name in RULES if name != "primary"])
@given(given_votes=votes)
@settings(deadline=None, max_examples=usually(10, 40))
def test_labels_have_no_order(name: str, given_votes: list[int]) -> None:
    """In whatever order labels came; "primary" alone asks whose they are."""
    orders = list(permutations(given_votes[:4]))
    assert len({find_policy(name).grade(order, SCALE) for order in orders}) == 1


@pytest.mark.parametrize("name", RULES)
@given(given_votes=votes, more=st.sampled_from(SCALE), place=st.integers(0, 6))
@settings(deadline=None, max_examples=usually(15, 100))
def test_one_more_relevant_vote_never_lowers(name: str, given_votes: list[int], more: int, place: int) -> None:
    """A label as high as the outcome does not lower it; for any least relevant grade, relevant stays relevant."""
    before = find_policy(name).grade(given_votes, SCALE)
    after = find_policy(name).grade([*given_votes[:place], more, *given_votes[place:]], SCALE)
    assert before is not None
    assert after is not None
    assert after >= min(before, more)
    for least in SCALE[1:]:
        if before >= least and more >= least:
            assert after >= least


@pytest.mark.parametrize("name", [name for name in RULES if not name.startswith("majority")])
@given(given_votes=votes, place=st.integers(0, 5))
@settings(deadline=None, max_examples=usually(12, 60))
def test_a_raised_label_never_lowers(name: str, given_votes: list[int], place: int) -> None:
    """Of all but the majorities: that a label gets higher does not make the grade lower."""
    place %= len(given_votes)
    higher = [*given_votes[:place], min(given_votes[place] + 1, 3), *given_votes[place + 1 :]]
    before, after = (find_policy(name).grade(it, SCALE) for it in (given_votes, higher))
    assert before is not None
    assert after is not None
    assert after >= before


def top_three(labels: Sequence[int]) -> int:
    """A rule in use elsewhere: of one or two labels the mean; else of the top three what is common, or the lowest."""
    if len(labels) < 3:
        return int(fmean(labels) + 0.5)
    top = sorted(labels)[-3:]
    return max((grade for grade in top if top.count(grade) > 1 and len(labels) > 3), default=min(top))


def test_the_rule_of_the_top_three_breaks_the_law() -> None:
    """Quepid's aggregate turns relevant into not relevant for one more relevant label; no policy here does that.

    A raised label can lower a majority of three grades, as its description says, but no median. On a scale with gaps
    the rounded mean is the nearest grade there is.
    """
    cases = ([0, 1], [0, 1, 1], [0, 1, 1, 1], [2, 2, 2, 0, 0, 0, 0])
    assert [top_three(labels) for labels in cases] == [1, 0, 1, 2]
    for name in RULES:
        grades = [find_policy(name).grade(labels) or 0 for labels in cases[:3]]
        assert grades == sorted(grades), name
    pairs = ([0, 1, 1, 2, 2], [1, 1, 1, 2, 2])
    assert [find_policy("majority-tie-high").grade(it) for it in pairs] == [2, 1]
    assert [find_policy("median-low").grade(it) for it in pairs] == [1, 1]
    assert find_policy("mean-rounded").grade([-2, 1], (-2, 0, 1)) == 0
    assert find_policy("mean-rounded").decide([0, 1], (0, 1)).tied


def test_what_a_policy_is_refused_for() -> None:
    """Single does not choose, and names the pair; equal labels are no choice. A majority says what ties become."""
    assert find_policy("single").grade([1, 1]) == 1
    with pytest.raises(InputError, match="labels 0, 1: policy single needs equal labels"):
        find_policy("single").grade([0, 1])
    with pytest.raises(InputError, match="topic 'q1', document 'd1': labels 1, 0"):
        apply_policy(_labelled({"ada": {"d1": 1}, "bob": {"d1": 0}}), rule="single")
    for name in ("majority", f"{ELSE}majority", "mode", f"{ELSE}best", ELSE):
        with pytest.raises(InputError, match=r"tie rule|is not a policy"):
            find_policy(name)
    assert all(it.about and it.version >= 1 and name == it.name for name, it in POLICIES.items())


# On a store


def _labelled(labels: dict[str, dict[str, int]], kinds: dict[str, str] | None = None) -> Store:
    store = store_of({"q1": ["d1", "d2", "d3"]})
    for name, own in labels.items():
        add_assessor(store, name, (kinds or {}).get(name, "human"))
        filled(store, labels={name: {("q1", docno): grade for docno, grade in own.items()}})
    return store


def _grades(store: Store, rule: str, names: list[str] | None = None) -> dict[str, int]:
    return {docno: grade for (_, docno), grade in apply_policy(store, rule=rule, names=names).labels.items()}


steps = st.lists(
    st.tuples(
        st.sampled_from(["ada", "bob", "eve"]),
        st.sampled_from(["label", "label", "import", "later", "cannot-judge", "adjudicate", "settled", "retract"]),
        st.sampled_from(["d1", "d2"]),
        st.sampled_from([0, 1, 2]),
    ),
    max_size=14,
)


kinds = st.sampled_from(["human", "human", "model", "import"])


@given(steps, st.booleans(), st.tuples(kinds, kinds, kinds))
@settings(deadline=None, max_examples=usually(15, 100))
def test_primary_is_the_view_qrels(
    history: list[tuple[str, str, str, int]], assigned: bool, kinds: tuple[str, str, str]
) -> None:
    """Whatever happened, and whoever they are, the policy and the SQL view give the same grades and sources."""
    store = store_of({"q1": ["d1", "d2"]})
    for name, kind in zip(("ada", "bob", "eve"), kinds, strict=True):
        add_assessor(store, name, kind)
    if assigned and kinds[1] == "human":
        add_plan(store, Plan(1), {"q1": "bob"}, {})
    numbers: list[int] = []
    for name, kind, docno, grade in history:
        own = {"grade": grade} if kind in ("label", "import", "adjudicate") else {}
        if kind == "retract" and numbers:
            append(store, Event("retract", "q1", docno, name, supersedes=numbers[grade % len(numbers)]))
        elif kind == "settled":
            numbers += append(store, Event("cannot-judge", "q1", docno, name, source=ADJUDICATION))
        elif kind != "retract":
            numbers += append(store, Event(kind, "q1", docno, name, source="7" if kind == "import" else "", **own))  # type: ignore[arg-type]
    mine, view = apply_policy(store, rule="primary").qrels(), qrels_of(store)
    theirs = [view.docnos.names[document] for document in view.document]
    assert mine.docnos.names[mine.document].tolist() == theirs
    assert mine.grade.tolist() == view.grade.tolist()
    assert mine.sources.tolist() == view.sources.tolist()


def test_whoever_is_named_first_is_primary() -> None:
    """Without names it is who came first; a model that is named votes beside people.

    Imported labels of unknown provenance, as NIST's, keep their place before a model's and beside people's. Later and
    cannot-judge are no labels, so a model stands in.
    """
    store = _labelled({"ada": {"d1": 0}, "bob": {"d1": 2, "d2": 1}})
    assert _grades(store, "primary") == {"d1": 0, "d2": 1}
    assert _grades(store, "primary", ["bob", "ada"]) == {"d1": 2, "d2": 1}
    assert _grades(store, "primary", ["ada"]) == {"d1": 0}
    beside = _labelled({"ada": {"d1": 0}, "gpt": {"d1": 2, "d2": 2}}, {"gpt": "model"})
    assert _grades(beside, "max", ["ada", "gpt"]) == {"d1": 2, "d2": 2}
    assert _grades(beside, "primary", ["gpt", "ada"]) == {"d1": 2, "d2": 2}
    kinds = {"gpt": "model", "nist": "import"}
    imports = _labelled({"gpt": {"d1": 2}, "nist": {"d1": 0, "d2": 1}, "ada": {"d2": 2}}, kinds)
    assert _grades(imports, "primary") == {"d1": 0, "d2": 1}
    assert _grades(imports, "max") == {"d1": 0, "d2": 2}
    alone = _labelled({"gpt": {"d1": 2, "d2": 1}}, {"gpt": "model"})
    session = session_of(alone, "ada")
    at(session).later()
    at(session).cannot_judge("unreadable")
    assert _grades(alone, "primary") == _grades(alone, "median-low") == {"d1": 2, "d2": 1}


def test_a_models_label_counts_only_where_nobody_else_labelled() -> None:
    """Under every policy, also where the model came first and there are more models than people; unless it is named."""
    labels = {"gpt": {"d1": 2, "d2": 2}, "llama": {"d1": 2, "d2": 2}, "ada": {"d1": 0, "d3": 1}}
    store = _labelled(labels, {"gpt": "model", "llama": "model"})
    for name in POLICIES:
        assert _grades(store, name) == {"d1": 0, "d2": 2, "d3": 1}
        assert _grades(store, name, ["gpt", "llama"]) == {"d1": 2, "d2": 2}
        outcome = apply_policy(store, rule=name)
        assert (outcome.is_model_label(("q1", "d2")), outcome.is_model_label(("q1", "d1"))) == (True, False)


def test_a_model_does_not_stand_in_for_somebody_who_is_unsure() -> None:
    """An unsure label that is left out leaves its pair without one; it was labelled, only not for sure."""
    store = _labelled({"gpt": {"d1": 2}}, {"gpt": "model"})
    session = session_of(store, "ada")
    at(session).toggle_unsure()
    at(session).grade(0)
    outcome = apply_policy(store, rule="primary", count_unsure=False)
    assert (outcome.labels, outcome.state(("q1", "d1"))) == ({}, "unsure")


def test_an_adjudication_is_no_vote() -> None:
    """Whoever adjudicates has seen the votes; it counts where a policy says so, a cannot-judge as a grade does."""
    store = _labelled({"ada": {"d1": 0, "d2": 0}, "bob": {"d1": 1, "d2": 1}})
    add_assessor(store, "eve")
    append(store, Event("adjudicate", "q1", "d1", "eve", grade=2))
    append(store, Event("cannot-judge", "q1", "d2", "eve", reason="blurred", source=ADJUDICATION))
    assert _grades(store, "max") == {"d1": 1, "d2": 1}
    assert _grades(store, f"{ELSE}max") == {"d1": 2}
    assert _grades(store, "primary") == {"d1": 2}
    assert apply_policy(store, rule=f"{ELSE}max").state(("q1", "d2")) == "cannot-judge"


# Export


def test_unsure_labels_are_counted_or_left_out(tmp_path: Path) -> None:
    """Left out, they have no vote; a pair with no other label is missing, and counted as such."""
    store = store_of({"q1": ["d1", "d2"]})
    ada, bob = session_of(store, "ada"), session_of(store, "bob")
    for _ in range(2):
        at(ada).toggle_unsure()
        at(ada).grade(2)
    at(bob).grade(0)
    assert derive_and_export(store, tmp_path / "a", policy="max").unsure == 2
    assert (tmp_path / "a").read_text() == "q1 0 d1 2\nq1 0 d2 2\n"
    counts = derive_and_export(store, tmp_path / "b", policy="max", count_unsure=False)
    assert (tmp_path / "b").read_text() == "q1 0 d1 0\n"
    assert (counts.labels, counts.unsure_left_out, counts.unlabelled) == (1, 1, 0)
    assert "; unsure labels omitted: 1" in str(counts)


def test_missing_can_be_written_as_negative_but_never_as_a_grade(tmp_path: Path) -> None:
    """Each state has its own number; a number that could be a label is refused."""
    store = store_of({"q1": ["d1", "d2", "d3", "d4"]})
    session = session_of(store)
    at(session).grade(1)
    at(session).cannot_judge("unreadable")
    at(session).later()
    summary = derive_and_export(
        store, tmp_path / "out", missing={"cannot-judge": -3, "later": -4, "unlabelled": -5}
    )  # fmt: skip
    assert (tmp_path / "out").read_text() == "q1 0 d1 1\nq1 0 d2 -3\nq1 0 d3 -4\nq1 0 d4 -5\n"
    assert (summary.labels, summary.negative) == (1, 3)
    for grade in (0, 1, -1):  # -1 is spam on this scale
        with pytest.raises(InputError, match="expected a negative number that is not on the scale"):
            derive_and_export(store, tmp_path / "no", missing={"later": grade})


@pytest.mark.parametrize("command", ["qrels", "qrels --format beir", "beir"])
def test_a_grade_of_minus_one_is_told(tmp_path: Path, cranfield: Cranfield, command: str) -> None:
    """Whoever reads the file takes it for unjudged; without such a label nothing is said."""
    path, note = tmp_path / "t.db", " grade -1, so programs that read the file count "
    rule = "in qrels files, grade -1 means unjudged"
    with store_of({"q1": ["d1", "d2", "d3"]}, path=path) as store:
        session = session_of(store)
        at(session).grade(0)
    kind, *options = command.split()
    assert "grade -1" not in cranfield("export", kind, path, tmp_path / "out", *options).err
    with Store.open(path) as store:
        for number, them in ((1, "1 label has"), (2, "2 labels have")):
            append(store, Event("label", "q1", f"d{number + 1}", "ada", -1))
            result = cranfield("export", kind, path, tmp_path / f"out{number}", *options)
            assert result.err.count(f"note: {them}{note}{'it' if number == 1 else 'them'} as unjudged; {rule}\n") == 1


def test_the_manifest(tmp_path: Path) -> None:
    """All that is needed to know what the qrels are; the same log gives the same manifest."""
    store = store_of({"q1": ["d1", "d2", "d3"]})
    ada, bob = session_of(store, "ada", order="hash", seed=3), session_of(store, "bob")
    for _ in range(3):
        at(ada).grade(0)
    at(bob).grade(2)
    out = tmp_path / "track.qrels"
    derive_and_export(store, out, policy="median-low")
    first = (tmp_path / "track.qrels.manifest.json").read_text()
    manifest = json.loads(first)
    assert manifest["qrels"] == "track.qrels"
    assert manifest["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert manifest["policy"] == {"name": "median-low", "version": 3, "about": POLICIES["median-low"].about}
    assert manifest["pool"]["number"] == 1
    assert manifest["scale"] == {"-1": "spam", "0": "not relevant", "1": "relevant", "2": "highly relevant"}
    assert manifest["min_relevant"] == 1
    assert manifest["counts"]["labels"] == manifest["grades"]["0"] == 3
    assert manifest["counts"]["ties"] == 1
    assert manifest["models"] == "where nobody else labelled"
    assert manifest["assessors"] == {"ada": {"kind": "human", "labels": 3}, "bob": {"kind": "human", "labels": 1}}
    assert manifest["orders"] == [
        {"policy": "docid", "seed": 0, "labels": 1}, {"policy": "hash", "seed": 3, "labels": 3},
    ]  # fmt: skip
    derive_and_export(store, out, policy="median-low")
    assert (tmp_path / "track.qrels.manifest.json").read_text() == first


def test_how_many_labels_are_a_models_is_told(tmp_path: Path) -> None:
    """By the export and in the manifest, with the models' names."""
    labels = {"gpt": {"d1": 2, "d2": 2, "d3": 0}, "ada": {"d1": 0}}
    store = _labelled(labels, {"gpt": "model"})
    summary = derive_and_export(store, tmp_path / "out")
    assert str(summary).startswith("wrote 3 labels ")
    assert str(summary).endswith("; labels by models: 2")
    manifest = json.loads((tmp_path / "out.manifest.json").read_text())
    assert manifest["counts"]["models"] == manifest["assessors"]["gpt"]["labels"] == 2
    assert manifest["assessors"]["gpt"]["kind"] == "model"
    by_name = derive_and_export(store, tmp_path / "out", assessors=["ada", "gpt"], policy="max")
    assert (by_name.models, str(by_name).endswith("; labels by models: 3")) == (3, True)
    assert json.loads((tmp_path / "out.manifest.json").read_text())["models"] == "as named"


@pytest.mark.full
def test_the_bundled_collection_has_qrels_and_says_whose(tmp_path: Path, cranfield: Cranfield) -> None:
    """A model has judged all of it: all policies have labels, and every export says that they are a model's."""
    path, out = tmp_path / "workshop.db", tmp_path / "out"
    assert cranfield("collection", "build", "workshop", bundled_recipes()["workshop"].parent, path).code == 0
    with Store.open(path) as store:
        judged = len(qrels_of(store))
    for name in ("primary", "median-low"):
        result = cranfield("export", "qrels", path, out, "--policy", name)
        assert (result.code, judged > 1000) == (0, True)
        assert result.out.startswith(f"wrote {judged:,} labels ")
        assert f"; labels by models: {judged:,}" in result.out


def test_the_command(tmp_path: Path, cranfield: Cranfield) -> None:
    """Policy, assessors and the states are options; wrong ones are one line or wrong usage."""
    path = tmp_path / "track.db"
    with store_of({"q1": ["d1", "d2"]}, path) as store:
        at(session_of(store, "ada")).grade(0)
        at(session_of(store, "bob")).grade(2)
    out = tmp_path / "out"
    assert cranfield("export", "qrels", path, out).code == 1
    assert cranfield("export", "qrels", path, out, "--policy", "primary").code == 0
    assert out.read_text() == "q1 0 d1 0\n"
    result = cranfield("export", "qrels", path, out, "--policy", "majority-tie-high", "--unlabelled", "-2")
    assert "; ties broken: 1; unlabelled pairs written with a negative grade: 1" in result.out
    assert out.read_text() == "q1 0 d1 2\nq1 0 d2 -2\n"
    assert cranfield("export", "qrels", path, out, "--assessor", "bob", "--assessor", "ada").code == 0
    assert out.read_text() == "q1 0 d1 2\n"
    assert "tie rule" in cranfield("export", "qrels", path, out, "--policy", "majority").err
    assert cranfield("export", "qrels", path, out, "--later", "0").code == 2
