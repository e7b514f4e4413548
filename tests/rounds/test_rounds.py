"""A collection that lives through three rounds, each table checked against a recomputation from what happened."""

import hashlib
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as package
from cranfield.judging.labels.policies import apply_policy
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import join_judged
from cranfield.selection import LeftOut, Selection
from cranfield.store.log import assessors
from cranfield.store.quick_look import known_names
from cranfield.store.reading import Reading
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield, usually
from tests.files import track_files
from tests.real import copied
from tests.rounds.laws import ANALYSES, build_pools, words_of
from tests.stores import new_file
from tests.views import view_of

Rankings = Mapping[str, Mapping[str, list[str]]]
Labels = list[tuple[int, str, str, int]]  # round, qid, docno, grade, in the order they came

RUNS: Mapping[int, Rankings] = {
    1: {"a": {"1": ["d1", "d2", "d3", "d4"], "2": ["d2", "d5", "d1"]}, "b": {"1": ["d4", "d6"], "2": ["d7", "d2"]}},
    2: {
        "a": {"1": ["e1", "d8", "d2", "d9"], "2": ["d5", "d8"], "3": ["d1", "d9"]},
        "c": {"1": ["d9", "d3", "d1"], "3": ["e1", "d2"]},
    },
    3: {"late": {"1": ["e1", "d10", "d8"], "2": ["d10", "d2"], "3": ["d9", "d10"]}},
}
JUDGED: Mapping[int, list[tuple[str, str, int]]] = {
    1: [("1", "d1", 1), ("1", "d2", 0), ("1", "d4", 1), ("2", "d2", 1), ("2", "d7", 0)],
    2: [("1", "d8", 1), ("1", "d9", 0), ("2", "d8", 0), ("3", "d1", 1), ("3", "e1", 0), ("3", "d9", 1)],
    3: [("1", "d10", 1), ("2", "d10", 1), ("3", "d10", 0), ("3", "d2", 1)],
}
RENAMED = {2: {"d1": "e1"}}
AP = ("AP", "P@5")


class History:
    """What happened, and what follows from it: slowly, from the events alone."""

    def __init__(self) -> None:
        self.labels: Labels = []
        self.runs: dict[int, dict[str, Mapping[str, list[str]]]] = {}
        self.gone: set[tuple[str, str]] = set()

    def name(self, docno: str, number: int) -> str:
        for of in range(2, number + 1):
            docno = RENAMED.get(of, {}).get(docno, docno)
        return docno

    def qrels(self, number: int, judged: str) -> dict[str, dict[str, int]]:
        grades: dict[str, dict[str, int]] = {}
        earlier = {(q, self.name(d, number)) for of, q, d, _ in self.labels if of < number}
        for of, qid, docno, grade in self.labels:
            pair = (qid, self.name(docno, number))
            if of > number or (of < number and judged != "cumulative") or (judged == "residual" and pair in earlier):
                continue
            if not {("topic", qid), ("document", pair[1])} & self.gone:
                grades.setdefault(qid, {})[pair[1]] = grade
        return grades

    def rankings(self, number: int, judged: str) -> dict[str, dict[str, dict[str, float]]]:
        earlier = {(q, self.name(d, number)) for of, q, d, _ in self.labels if of < number and judged == "residual"}
        rankings: dict[str, dict[str, dict[str, float]]] = {}
        for tag, topics in self.runs[number].items():
            if ("run", tag) in self.gone:
                continue
            for qid, ranking in topics.items():
                names = dict.fromkeys(self.name(docno, number) for docno in ranking)
                stays = [
                    d for d in names if not {("topic", qid), ("document", d)} & self.gone and (qid, d) not in earlier
                ]
                if stays:
                    rankings.setdefault(tag, {})[qid] = {d: float(-rank) for rank, d in enumerate(stays)}
        return rankings

    def all_of(self, last: int | None) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, int]]]:
        """The runs and labels of all rounds, or what counts in the last one, under the names that runs have there."""
        now, rankings = max(*self.runs, *(of for of, *_ in self.labels)), {}
        for number in self.runs if last is None else [last]:
            of_all = History()
            of_all.runs, of_all.gone = {now: self.runs[number]}, self.gone
            for tag, own in (self.rankings(last, "residual") if last else of_all.rankings(now, "own")).items():
                in_earlier = any(tag in self.runs[of] for of in self.runs if of < number)
                rankings[f"{number}/{tag}" if in_earlier else tag] = own
        return rankings, self.qrels(last or now, "residual" if last else "cumulative")

    def scores(self, number: int, judged: str) -> dict[tuple[str, str, str], float]:
        judged_runs = join_judged(self.qrels(number, judged), self.rankings(number, judged))
        table = evaluate(judged_runs, None, AP, per_topic=True)
        return {(tag, qid, m): v for tag, qid, m, v in table.itertuples(index=False)}


def scores(track: Path | Store, topics: str = "", **options: Any) -> dict[tuple[str, str, str], float]:
    """The same by the program, whose names of runs begin with their round where that is needed."""
    with Reading(Selection(topics=topics, **options)) as reading:
        table = evaluate(view_of([reading.select_place(track)]).blocks.joined, None, AP, per_topic=True)
    return {(tag.rpartition("/")[2], qid, m): v for tag, qid, m, v in table.itertuples(index=False)}


def run_file(folder: Path, tag: str, topics: Mapping[str, list[str]]) -> Path:
    return track_files(folder, runs={tag: topics}, end=".run")[0]


def qrels_file(folder: Path, judged: list[tuple[str, str, int]]) -> Path:
    (path := folder / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in judged))
    return path


def check(path: Path, history: History, cranfield: Cranfield) -> None:
    """Every round, in every way; a system from the first to the second; every form of the analyses."""
    check_law(path, history, cranfield)
    with Store.open(path) as track:
        check_rounds(track, history)
        check_lag(track, history)


def check_law(path: Path, history: History, cranfield: Cranfield) -> None:
    """A form of the analyses, another at each step, says the same of what counts in all, or in the last round, as of a
    store of nothing else; what one refuses the other does."""
    step, now = len([*path.parent.glob("law*")]), max(history.runs)
    places = (None, now) if now > 1 else (None,)
    for at, last in enumerate(usually(places[step % len(places) :][:1], places) if history.labels else (), step):
        (folder := path.parent / f"law{at}").mkdir()
        (living := folder / "living.db").write_bytes(path.read_bytes())
        with Store.open(path) as store:
            [assessor] = assessors(store)
        runs, grades = history.all_of(last)
        teams = {tag: tag.rpartition("/")[2] for tag in runs}
        plain = new_file(folder / "plain.db", runs=runs, teams=teams, qrels={assessor: grades})
        options = {} if last is None else {"round": str(last)}
        for one, more in ((living, options), (plain, {})):
            build_pools(one, [*runs], 9, 2, **more)
        forms = [form for form in ANALYSES if form != "rehearse"]  # which draws in the order that documents came
        for form in usually(forms[at :: len(forms)], forms):
            words = [word for name, value in options.items() for word in (f"--{name}", value)]
            outputs = cranfield(*words_of(form, living, *words)), cranfield(*words_of(form, plain))
            assert outputs[0].code == outputs[1].code, (form, outputs)
            documents = [json.loads(one.out) if one.code == 0 else None for one in outputs]
            for document in documents:
                if isinstance(document, dict):
                    document.pop("left_out", None)
                    document.pop("proposal", None)  # a command, with the name of the store
            assert documents[0] == documents[1], (form, last)


def check_lag(track: Store, history: History) -> None:
    if {1, 2} <= history.runs.keys():
        by_round = history.scores(1, "own"), history.scores(2, "residual")
        means = [np.mean([v for (tag, qid, m), v in of_round.items() if (tag, m) == ("a", "AP") and qid != "all"])
                 for of_round in by_round]  # fmt: skip
        row = package.rounds.compare_systems(track, ["1", "2"], runs=["a"], measures="AP").frame.iloc[0]
        assert (row["first"], row["now"]) == pytest.approx(means)


def check_rounds(track: Store, history: History) -> None:
    for number in history.runs:
        for judged in ("residual", "own", "cumulative"):
            if history.qrels(number, judged) and (number, judged) != (1, "residual"):
                by_key = history.scores(number, judged)
                assert scores(track, round=str(number), judged=judged) == pytest.approx(by_key), (number, judged)
                if (number, judged) == (max(history.runs), "own" if number == 1 else "residual"):
                    check_set(track, by_key, round=str(number), judged=judged)
                    check_tables(track, history, by_key, round=str(number), judged=judged)


def check_tables(track: Store, history: History, by_key: Mapping[tuple[str, str, str], float], **options: Any) -> None:
    """What is left out, the qrels, and tables of labels and of scores, from the events alone."""
    number, judged = int(options["round"]), options["judged"]
    qrels, runs = history.qrels(number, judged), history.rankings(number, "own")
    earlier = {(q, history.name(d, number)) for of, q, d, _ in history.labels if of < number and judged == "residual"}
    left_out = LeftOut()
    in_round = track.select(Selection(**options), left_out)
    assert apply_policy(in_round).labels == {(q, d): grade for q, own in qrels.items() for d, grade in own.items()}
    assert len(stored_runs(in_round, [*run_info(in_round)]).tags) == len(runs)
    assert {tag.rpartition("/")[2]: many for tag, many in left_out.rows.items() if many} == {
        tag: many
        for tag, own in runs.items()
        if (many := sum((q, d) in earlier for q, docnos in own.items() for d in docnos))
    }
    for what in ("run", "topic", "document"):
        names = {name for kind, name in history.gone if kind == what}
        assert {name.rpartition("/")[2] for name in getattr(left_out, f"{what}s")} == names
    hard = package.topics.measure_hardness(track, measure="AP", **options).frame.set_index("topic")
    for qid, own in qrels.items():
        values = [by_key[tag, qid, "AP"] for tag, own in history.rankings(number, judged).items() if own.get(qid)]
        assert (hard["judged"][qid], hard["relevant"][qid]) == (len(own), sum(grade > 0 for grade in own.values()))
        assert hard["runs"][qid] == len(values)
        assert not values or hard["mean"][qid] == pytest.approx(np.mean(values))
    if len(runs) > 1:
        for row in package.compare(track, measures="AP", **options).frame.to_dict("records"):
            pair = (row[name].rpartition("/")[2] for name in ("run_a", "run_b"))
            one, other = (np.mean([by_key[tag, qid, "AP"] for qid in qrels]) for tag in pair)
            assert row["difference"] == pytest.approx(one - other)


def check_set(track: Store, by_key: Mapping[tuple[str, str, str], float], **options: str) -> None:
    """The topics of a set are scored as among all."""
    own = {key: value for key, value in by_key.items() if key[1] in ("1", "3")}
    if len({qid for _, qid, _ in own}) == 2:
        (odd := Path(track.path).parent / "odd.txt").write_text("1\n3\n")
        on_topics = scores(track, str(odd), **options)
        assert {key: value for key, value in on_topics.items() if key[1] != "all"} == pytest.approx(own)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")  # what is left out, and what was not answered
def test_three_rounds(tmp_path: Path, cranfield: Cranfield) -> None:
    """New topics, renamed documents, releases, withdrawals, a late run, an erased assessor: each step checked."""
    track, history = tmp_path / "track.db", History()
    cranfield("init", track, "--name", "living")
    for number in (1, 2, 3):
        if number > 1:
            assert cranfield("round", "close", track, str(number - 1)).code == 0
            names = tmp_path / "renamed.tsv"
            names.write_text("".join(f"{old}\t{new}\n" for old, new in RENAMED.get(number, {}).items()))
            assert cranfield("round", "start", track, str(number), "--renamed", names).code == 0
        if number < 3:
            add_runs(track, number, history, cranfield, tmp_path)
        output = cranfield("import", "qrels", track, qrels_file(tmp_path, JUDGED[number]), "--assessor", "Quill")
        assert output.code == 0, output.err
        history.labels += [(number, *label) for label in JUDGED[number]]
        check(track, history, cranfield)
        cranfield("store", "release", track, f"{number}.0")
        assert cranfield("export", "qrels", track, tmp_path / f"{number}.txt").code == 0
    check_changes(track, history)
    add_late(track, history, cranfield, tmp_path)
    for what, name in (("run", "b"), ("topic", "2"), ("document", "d9"), ("document", "e1")):
        cranfield("store", "withdraw", track, what, name, "--reason", "test")
        history.gone.add((what, name))
        if name in usually(("2", "e1"), (name,)):
            check(track, history, cranfield)
    for what, name in (("document", "e1"), ("topic", "2")):
        cranfield("store", "restore", track, what, name)
        history.gone.remove((what, name))
        if name in usually(("2",), (name,)):
            check(track, history, cranfield)
    before = json.loads(cranfield("round", "list", track, "--format", "json").out)
    assert cranfield("store", "erase", track, "assessor", "Quill", "--reason", "asked").code == 0
    check(track, history, cranfield)
    assert json.loads(cranfield("round", "list", track, "--format", "json").out) == before
    with Store.open(track) as store:
        assert verify(store).events == sum(map(len, JUDGED.values()))
    assert b"Quill" not in track.read_bytes()
    for number in (1, 2, 3):  # what was exported is derived anew, with the names that documents had then
        output = cranfield("store", "verify", track, "--manifest", tmp_path / f"{number}.txt.manifest.json")
        assert (output.code, "re-derived" in output.out + output.err) == (0, True), output
    check_published(track, tmp_path, cranfield)


def check_published(track: Path, folder: Path, cranfield: Cranfield) -> None:
    """Published and imported, what counts gives the same scores; so it does for a set of topics."""
    assert cranfield("publish", "build", track, folder / "published", "--draft").code == 0
    assert cranfield("import", "collection", folder / "back.db", folder / "published").code == 0
    for topics in ("", str(folder / "odd.txt")):
        assert scores(folder / "back.db", topics) == pytest.approx(scores(track, topics))


def check_changes(track: Path, history: History) -> None:
    """Between two releases the labels of the rounds after the first are new, by their present names, and no other."""
    for number in (1, 2):
        changes = package.judging.compare_judgments(track, f"{number}.0", f"{number + 1}.0", contents=True).frame
        labels = changes[changes["what"] == "label"]
        new = {f"{qid} {history.name(docno, 3)}" for of, qid, docno, _ in history.labels if of == number + 1}
        old = {f"{qid} {history.name(docno, 3)}" for of, qid, docno, _ in history.labels if of <= number}
        assert {*labels["name"]} == new - old
        new_names = {
            tuple(pair) for pair in changes[changes["change"] == "renamed"][["name", "detail"]].to_numpy().tolist()
        }
        assert new_names == {(old, f"now {new}") for old, new in RENAMED.get(number + 1, {}).items()}


def add_late(track: Path, history: History, cranfield: Cranfield, folder: Path) -> None:
    """A late run comes in two parts; what was judged for it is known already."""
    late = RUNS[3]["late"]
    for some in (("1", "2"), ("3",)):
        part = run_file(folder, "late", {qid: late[qid] for qid in some})
        output = cranfield("import", "runs", track, part, "--extend")
        assert output.code == 0, output.err
        history.runs[3] = {"late": {**history.runs.get(3, {}).get("late", {}), **{qid: late[qid] for qid in some}}}
        check(track, history, cranfield)


def add_runs(track: Path, number: int, history: History, cranfield: Cranfield, folder: Path) -> None:
    for tag, topics in RUNS[number].items():
        output = cranfield("import", "runs", track, run_file(folder, tag, topics))
        assert output.code == 0, output.err
    history.runs[number] = dict(RUNS[number])


def living(folder: Path, cranfield: Cranfield, rounds: int = 2) -> Path:
    """A store of so many rounds."""
    return copied(LIVED[rounds], folder, cranfield) / "track.db"


def _live(rounds: int, cranfield: Cranfield) -> None:
    track, folder = Path("track.db"), Path()
    cranfield("init", track, "--name", "living")
    for number in range(1, rounds + 1):
        if number > 1:
            cranfield("round", "close", track, str(number - 1))
            cranfield("round", "start", track, str(number))
        add_runs(track, number, History(), cranfield, folder)
        cranfield("import", "qrels", track, qrels_file(folder, JUDGED[number]), "--assessor", "ada")


LIVED = {rounds: partial(_live, rounds) for rounds in (1, 2)}  # each is made once in a process


def test_what_was_judged_earlier_is_counted(tmp_path: Path, cranfield: Cranfield) -> None:
    """In the table and in JSON; on plain files as well, with the same scores; nothing to say, no line."""
    track = living(tmp_path, cranfield)
    output = cranfield("evaluate", track, "--round", "2", "-m", "AP")
    assert output.out.splitlines()[-1] == "left out: 2 rows judged earlier"
    document = json.loads(cranfield("evaluate", track, "--round", "2", "-m", "AP", "--format", "json").out)
    assert document["left_out"] == {"rows_judged_earlier": {"2/a": 1, "c": 1}}
    (tmp_path / "q1.txt").write_bytes(qrels_file(tmp_path, JUDGED[1]).read_bytes())
    files = [qrels_file(tmp_path, JUDGED[2]), *(run_file(tmp_path, tag, topics) for tag, topics in RUNS[2].items())]
    words = ("--remove-judged", tmp_path / "q1.txt", "-m", "AP", "--format", "json")
    plain = json.loads(cranfield("evaluate", *files, *words).out)
    assert [one["value"] for one in plain["scores"]] == [one["value"] for one in document["scores"]]
    assert plain["left_out"] == {"rows_judged_earlier": {"a": 1, "c": 1}}
    assert "left out" not in cranfield("evaluate", track, "--round", "1", "-m", "AP").out


def test_a_store_without_rounds_is_its_first(tmp_path: Path, cranfield: Cranfield) -> None:
    track = living(tmp_path, cranfield, rounds=1)
    whole = cranfield("evaluate", track, "--format", "json").out
    assert cranfield("evaluate", track, "--round", "1", "--format", "json").out == whole
    [row] = json.loads(cranfield("round", "list", track, "--format", "json").out)
    assert (row["round"], row["runs"], row["judgments"], row["topics"]) == ("1", 2, 5, 2)


def test_a_topic_without_a_title_comes_with_its_first_run_or_label(tmp_path: Path, cranfield: Cranfield) -> None:
    track = living(tmp_path, cranfield)
    late = qrels_file(tmp_path, [("4", "d1", 1)])
    assert cranfield("import", "qrels", track, late, "--assessor", "ada").code == 0
    rows = json.loads(cranfield("round", "list", track, "--format", "json").out)
    assert [row["topics"] for row in rows] == [2, 4]


@pytest.mark.filterwarnings("ignore:left out")
def test_releases_are_compared_by_present_names(tmp_path: Path, cranfield: Cranfield) -> None:
    track = living(tmp_path, cranfield, rounds=1)
    package.store.create_release(track, "1.0")
    package.rounds.close(track, "1")
    package.rounds.start(track, "2", renamed={"d1": "e1", "d2": "e2"})
    assert [row["documents"] for row in package.rounds.summarize(track).frame.to_dict("records")] == [
        7,
        7,
    ]  # each by one name
    for number, more in enumerate([[], [("1", "e1", 1), ("2", "e9", 1)]]):
        if more:
            cranfield("import", "qrels", track, qrels_file(tmp_path, more), "--assessor", "ada")
        package.store.create_release(track, f"2.{number}")
        document = json.loads(cranfield("diff", track, "release:1.0", f"release:2.{number}", "--format", "json").out)
        assert (document["labels"]["only_a"], document["labels"]["only_b"]) == (0, number)
        assert all(one["a"] == one["b"] for one in document["systems"])
    package.store.withdraw(track, "document", "d1", reason="wrong")  # by its old name
    package.store.create_release(track, "3")
    rows = (
        package.judging.compare_judgments(track, "1.0", "3", contents=True)
        .frame[["what", "change", "name", "detail"]]
        .to_numpy()
        .tolist()
    )
    assert [row for row in rows if row[:2] != ["label", "new"]] == [
        ["document", "new", "e9", ""], ["document", "renamed", "d1", "now e1"], ["document", "renamed", "d2", "now e2"],
        ["document", "withdrawn", "d1", "wrong"], ["label", "gone", "1 e1", "1"],
    ]  # fmt: skip


def test_what_a_round_lacks_is_said(tmp_path: Path, cranfield: Cranfield) -> None:
    """A set by its name; a new name of what the store never had; a round that nobody has judged yet."""
    track = living(tmp_path, cranfield, rounds=1)
    package.topics.save_set(track, "some", ["1", "2"])
    cranfield("round", "close", track, "1")
    (names := tmp_path / "names.tsv").write_text("old\tnew\r\nnever\tnewer\r\n")
    (docnos := tmp_path / "docnos").write_text("docno\nd1\nd2\nunseen\n")
    lists = ("--renamed", names, "--documents", docnos)
    output = cranfield("round", "start", track, "2", "--topics", "some", *lists)
    assert output.out == "round 2: open, with 2 topics, 3 documents, 1 of them renamed\n"
    assert output.err == (
        f"note: 1 old name of {names} is new to the store, first 'never'\n"
        f"note: 1 document of {docnos} is new to the store, first 'unseen'\n"
    )
    assert known_names(track, "round") == ["1", "2"]
    cranfield("import", "runs", track, run_file(tmp_path, "late", RUNS[1]["a"]))
    refusal = cranfield("evaluate", track, "--round", "2")
    assert (refusal.code, "there are no judgments in this round yet" in refusal.err) == (1, True), refusal


def test_cumulative_judgments(tmp_path: Path, cranfield: Cranfield) -> None:
    """Known ones are left, others come in; another grade needs --rejudged, and the round before keeps its own."""
    track = living(tmp_path, cranfield)
    both = qrels_file(tmp_path, [*JUDGED[1], *JUDGED[2], ("1", "d6", 1)])
    words = ("import", "qrels", track, both, "--assessor", "ada")
    assert cranfield(*words).err.endswith("use --cumulative to skip judgments that are already in the store\n")
    output = cranfield(*words, "--cumulative")
    assert (
        output.out,
        output.err.count("11 judgments are already in the store with the same grade"),
    ) == (
        "1 judgment by ada\n",
        1,
    )
    before = scores(track, round="1")
    regrade = ("import", "qrels", track, qrels_file(tmp_path, [("1", "d1", 0)]), "--assessor", "ada", "--cumulative")
    output = cranfield(*regrade)
    assert output.err.endswith(
        "topic '1', document 'd1' has grade 1 here, and 0 in the file; replace it with --rejudged\n"
    )
    assert cranfield(*regrade, "--rejudged").code == 0
    assert scores(track, round="1") == before
    assert scores(track, round="2", judged="cumulative") != before


@pytest.mark.full
def test_runs_are_called_by_the_name_of_their_round(tmp_path: Path, cranfield: Cranfield) -> None:
    """Where that is a number, also if one was left out; what was judged earlier is of all rounds before."""
    track = living(tmp_path, cranfield)
    cranfield("round", "close", track, "2")
    cranfield("round", "start", track, "4")
    add_runs(track, 2, History(), cranfield, tmp_path)
    cranfield("import", "qrels", track, qrels_file(tmp_path, JUDGED[3]), "--assessor", "ada")
    output = cranfield("import", "runs", track, run_file(tmp_path, "c", RUNS[2]["c"]))
    assert output.err == "error: run 'c' of c is already in round 4\n"
    assert {tag for tag, *_ in scores(track, round="4")} == {"a", "c"}
    assert [row["judgments"] for row in package.rounds.summarize(track).frame.to_dict("records")] == [5, 6, 4]
    assert cranfield("store", "withdraw", track, "run", "4/a", "--reason", "x").out == "run 4/a: withdrawn\n"
    assert {tag for tag, *_ in scores(track, round="4")} == {"c"}
    earlier = {(q, d) for number in (1, 2) for q, d, _ in JUDGED[number]}
    rest = {(q, d) for q, docnos in RUNS[2]["c"].items() for d in docnos} - earlier
    with Store.open(track) as store:
        runs = stored_runs(store.select(Selection(round="4")), ["4/c"])
        names = zip(runs.topics.names[runs.topic], runs.docnos.names[runs.document], strict=True)
        assert {*names} == rest


@pytest.mark.filterwarnings("ignore:.*scores 0")
def test_a_round_that_is_called_by_a_word(tmp_path: Path, cranfield: Cranfield) -> None:
    """Its runs are, too; in every line that names one."""
    track = living(tmp_path, cranfield)
    cranfield("round", "close", track, "2")
    cranfield("round", "start", track, "final")
    add_runs(track, 2, History(), cranfield, tmp_path)
    table = package.compare(track, measures="AP", round="final", judged="cumulative").frame
    assert table[["run_a", "run_b"]].to_numpy().tolist() == [["final/a", "final/c"]]
    output = cranfield("import", "runs", track, run_file(tmp_path, "c", RUNS[2]["c"]))
    assert output.err == "error: run 'c' of c is already in round final\n"
    assert cranfield("round", "same", track, "final/c", "final/a").err.count("is in round final; give the later") == 1
    assert cranfield("round", "same", track, "final/c/c", "2/c").code == 0


def test_exported_judgments_have_the_names_of_the_round(tmp_path: Path, cranfield: Cranfield) -> None:
    """By default the present ones, which is said; with --round those of that round, and its judgments alone."""
    track, out = living(tmp_path, cranfield), tmp_path / "q.txt"
    cranfield("round", "close", track, "2")
    (names := tmp_path / "renamed.tsv").write_text("d1\tf1\n")
    cranfield("round", "start", track, "3", "--renamed", names)
    output = cranfield("export", "qrels", track, out)
    assert "note: 1 judged document was renamed; the qrels contain the current names\n" in output.err
    both = [*JUDGED[1], *JUDGED[2]]
    assert {*out.read_text().splitlines()} == {f"{q} 0 {'f1' if d == 'd1' else d} {g}" for q, d, g in both}
    output = cranfield("export", "qrels", track, out, "--round", "1")
    assert "renamed" not in output.err
    assert {*out.read_text().splitlines()} == {f"{q} 0 {d} {g}" for q, d, g in JUDGED[1]}
    output = cranfield("store", "verify", track, "--manifest", f"{out}.manifest.json")
    assert "5 judgments were re-derived" in output.out + output.err
    manifest = Path(f"{out}.manifest.json")
    wrong = out.read_text().replace("d4 1", "d4 0")
    out.write_text(wrong)
    digest, other = (hashlib.sha256(text.encode()).hexdigest() for text in (wrong.replace("d4 0", "d4 1"), wrong))
    manifest.write_text(manifest.read_text().replace(digest, other))
    assert "the log at that time" in cranfield("store", "verify", track, "--manifest", manifest).err
    cranfield("store", "withdraw", track, "topic", "2", "--reason", "wrong")
    output = cranfield("store", "verify", track, "--manifest", manifest)
    assert "it was exported with --round 1, and the withdrawals have changed since" in output.out + output.err


def test_a_pool_of_a_round_is_residual(tmp_path: Path, cranfield: Cranfield) -> None:
    """It has the round's runs, topics as asked for, and nothing that was judged before."""
    track = living(tmp_path, cranfield)
    assert cranfield("pool", "build", track, "--depth", 2, "--round", "2").code == 0
    pooled = package.pooling.summarize_pool(track).frame.set_index("topic")["documents"]
    assert pooled["1"] == len({"e1", "d8", "d9", "d3"})
    assert pooled["3"] == len({"d1", "d9", "e1", "d2"})


def test_what_a_round_has_not_judged_is_told_of_its_own_pool(tmp_path: Path, cranfield: Cranfield) -> None:
    """By its own judgments; the newest pool is of another round."""
    track = living(tmp_path, cranfield)
    cranfield("pool", "build", track, "--depth", 1, "--round", "1")
    cranfield("round", "close", track, "2")
    cranfield("round", "start", track, "3")
    add_runs(track, 3, History(), cranfield, tmp_path)
    cranfield("import", "qrels", track, qrels_file(tmp_path, JUDGED[3][:1]), "--assessor", "ada")
    cranfield("pool", "build", track, "--depth", 2, "--round", "3")
    said = cranfield("evaluate", track, "--round", "3", "-m", "AP").err
    assert "1 topic is judged in part: 1; 2 topics are not judged: 2, 3; `cranfield topics hardness`" in said
    assert "2 topics not judged: 2, 3" in cranfield("topics", "hardness", track, "--round", "3").err
    first = ("--round", "1", "-m", "AP")
    assert "in part" not in "".join(
        cranfield(*words, track, *first).err for words in (["evaluate"], ["topics", "hardness"])
    )
    assert cranfield("reusability", track, *first).out.startswith("pool to depth 1: 4 documents, 4 judged, 0 unjudged")
