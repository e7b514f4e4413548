"""Each command has a function, and both give the same numbers on the bundled collection."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

import cranfield
from cranfield.cli import function_of, why_no_function
from cranfield.errors import InputError
from cranfield.formats import Document, Topic
from cranfield.formats.text_tables import separated_writer
from cranfield.results import Result
from tests.conftest import Cranfield
from tests.readme import places
from tests.stores import new_file


def test_every_command_has_a_function() -> None:
    """Or a reason why it has none."""
    for place in places():
        command, function = place.load(), cranfield
        names = function_of(command, place.words)
        for name in names.split("."):
            function = getattr(function, name, None)  # type: ignore[assignment]
        label = " ".join(place.words)
        assert callable(function) or why_no_function(command), (
            f"`cranfield {label}` has no function and no @not_in_python"
        )
        assert not (names and why_no_function(command))


class Pair(NamedTuple):
    """A command with its rows in its JSON (or CSV, if None), and the function."""

    words: str
    rows: Callable[[Any], list[dict[str, Any]]] | None
    table: Callable[[Any], pd.DataFrame | Result]


def frame_of(table: pd.DataFrame | Result) -> pd.DataFrame:
    return table.frame if isinstance(table, Result) else table


def of_units(answer: Any) -> list[dict[str, Any]]:
    return [
        {"unit": unit["unit"], "unique": unit["unique"], "tau": unit["tau"][row["measure"]], **row}
        for unit in answer["units"]
        for row in unit["scores"]
    ]


PAIRS = (
    Pair("evaluate", lambda it: it["scores"], lambda s: cranfield.evaluate(s, measures=[
        "AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "Judged@10"])),
    Pair("compare -m P@10 --baseline bm25", lambda it: it["pairs"],
         lambda s: cranfield.compare(s, measures="P@10", baseline="bm25").frame),
    Pair("curve", lambda it: it, cranfield.curve),
    Pair("stability -m AP -m P@10", lambda it: [{"measure": m["measure"], **row} for m in it["measures"]
         for row in m["by_topics"]], lambda s: cranfield.trust.stability(s, measures=["AP", "P@10"])),
    Pair("depths --by team", lambda it: it["rows"], lambda s: cranfield.trust.depths(s, by="team")),
    Pair("reusability -m AP --by team", of_units, lambda s: cranfield.trust.leave_one_out(s, measures="AP", by="team")),
    Pair("diagnose @ bm25 -m AP", lambda it: it["scores"],
         lambda s: cranfield.trust.diagnose(s, new="bm25", measures="AP")),
    Pair("info", lambda it: [{"what": what, "value": value} for what, value in it.items()], cranfield.store.info),
    Pair("store history", lambda it: it, cranfield.store.list_history),
    Pair("collection list", lambda it: it, lambda s: cranfield.recipes.list_collections()),
    Pair("pool show", lambda it: it, cranfield.pooling.summarize_pool),
    Pair("pool show --by team", lambda it: it, lambda s: cranfield.pooling.summarize_pool(s, by="team")),
    Pair("pool diff @ 1 1", lambda it: it, lambda s: cranfield.pooling.compare_pools(s, 1, 1)),
    Pair("pool methods", lambda it: it, lambda s: cranfield.pooling.list_methods()),
    Pair("pool verify", None, cranfield.pooling.verify_pool),
    Pair("pool forecast --by-topic", None, cranfield.pooling.forecast_completeness),
    Pair("pool simulate --method rrf --method depth --budgets 5,10", None,
         lambda s: cranfield.pooling.simulate_methods(s, methods=["rrf", "depth"], budgets=[5, 10])),
    Pair("agreement --resamples 100", lambda it: it, lambda s: cranfield.judging.measure_agreement(s, resamples=100)),
    Pair("agreement --by topic", lambda it: it, lambda s: cranfield.judging.measure_agreement(s, by="topic")),
    Pair("progress", lambda it: it["work"], cranfield.judging.progress),
    Pair("diff @ primary min", lambda it: it["systems"],
         lambda s: cranfield.judging.compare_judgments(s, "primary", "min")),
    Pair("diff @ primary min", lambda it: it["labels"]["changes"],
         lambda s: cranfield.judging.compare_judgments(s, "primary", "min", show="labels")),
    Pair("adjudicate @ --list --between {0} --between {1}", lambda it: it,
         lambda s: cranfield.judging.list_disagreements(s, between=assessors(s)[:2])),
    Pair("why @ {qid} {docno}", lambda it: it["events"], lambda s: cranfield.judging.explain_label(s, *first(s))),
    Pair("rehearse --repeats 1 -m AP", lambda it: it["systems"],
         lambda s: cranfield.judging.rehearse(s, repeats=1, measures="AP")),
    Pair("measures", lambda it: it, lambda s: cranfield.metrics.list_measures()),
)  # fmt: skip


def assessors(store: Any) -> list[str]:
    with cranfield.Store.open(store) as there:
        return [name for (name,) in there.rows("SELECT name FROM assessor ORDER BY id")]


def first(store: Any) -> tuple[str, str]:
    with cranfield.Store.open(store) as there:
        qid, docno = there.rows("SELECT qid, docno FROM qrels ORDER BY qid, docno LIMIT 1")[0]
        return qid, docno


def plain(value: Any) -> Any:
    """A value as JSON has it: undefined is null, and a list of assessors is one text."""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return json.dumps({str(key): inner for key, inner in value.items()})
    return None if pd.isna(value) else value


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.words)
def test_the_function_gives_the_commands_numbers(pair: Pair, workshop: Path, cranfield: Cranfield) -> None:
    """Row by row, in order, in all columns that the command has."""
    words = pair.words.format(*assessors(workshop), **dict(zip(("qid", "docno"), first(workshop), strict=True)))
    where = words.split() if "@" in words.split() else [*words.split(), "@"]
    storeless = words in ("pool methods", "measures", "collection list")
    arguments = [str(workshop) if word == "@" else word for word in where if not (storeless and word == "@")]
    result = cranfield(*arguments, "--format", "json" if pair.rows else "csv")
    assert result.code == 0, result.err
    with warnings.catch_warnings(action="ignore"):  # the command's notes
        table = frame_of(pair.table(workshop))
    records = [{str(name): plain(value) for name, value in row.items()} for row in table.to_dict("records")]
    if pair.rows is None:
        assert len(records) > 1
        assert separated_writer(",")(records, "") == result.out
        return
    rows = [{name: plain(value) for name, value in row.items()} for row in pair.rows(json.loads(result.out))]
    assert rows
    columns = [name for name in rows[0] if name in table.columns]
    assert len(columns) >= 2
    key = sorted if "evaluate" in words else list
    assert key([[row[name] for name in columns] for row in rows]) == key(
        [[row[name] for name in columns] for row in records]
    )


RUNS = {
    tag: {q: {docno: float(-rank) for rank, docno in enumerate(docnos)} for q in ("q1", "q2", "q3")}
    for tag, docnos in {"a": "abcdefgh", "b": "hgfedcba", "c": "acegbdfh"}.items()
}


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A store built by functions, with a sample as its pool, judged completely."""
    path = tmp_path / "small.db"
    cranfield.Store.create(path, "small").close()
    assert cranfield.store.import_topics(path, [Topic(q, "a title") for q in RUNS["a"]]).rows() == [{"topics": 3}]
    assert cranfield.store.import_runs(path, RUNS, teams={"a": "one", "b": "two", "c": "two"}).rows() == [
        {"runs": 3, "documents": 72}
    ]
    pool = cranfield.pooling.build_pool(path, method="uniform", depth=8, budget=6, rng=1)
    assert (len(pool.frame), "probability" in pool.frame) == (18, True)
    labels = {q: {docno: int(docno in "abcd") for docno in "abcdefgh"} for q in RUNS["a"]}
    assert cranfield.store.import_qrels(path, labels, assessor="ada", kind="human").rows() == [{"judgments": 24}]
    return path


def test_a_store_is_built_by_functions(sample: Path, cranfield: Cranfield) -> None:
    """As by commands: what each then says is the same."""
    import cranfield as api

    for words, table in (
        ("pool estimate @ -m P@5", api.pooling.estimate_from_sample(sample, measures="P@5")),
        ("pool estimate @ --by-topic", api.pooling.estimate_from_sample(sample, by_topic=True)),
    ):
        output = json.loads(cranfield(*words.replace("@ ", f"{sample} ").split(), "--format", "json").out)
        rows = output["topics" if "--by-topic" in words else "scores"]
        assert [{n: plain(v) for n, v in row.items()} for row in table.rows()] == rows
    assert api.store.list_history(sample).frame["what"].tolist() == ["topics", "runs", "qrels"]
    assert api.store.verify(sample).frame["events"].tolist() == [24]
    assert len(api.pooling.extend_pool(sample, budget=8).rows()) == 24
    assert api.judging.assign_topics(sample, assessors=["ada", "bob"]).frame["assessor"].value_counts().to_dict() == {
        "ada": 2,
        "bob": 1,
    }
    assert api.judging.assign_topics(sample).frame.equals(api.judging.assign_topics(sample).frame)


def test_the_report_is_that_of_the_command(workshop: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    import cranfield as api

    with warnings.catch_warnings(action="ignore"):
        card = api.trust.write_report(workshop, out=tmp_path / "ours.json").path
    assert cranfield("report", str(workshop), str(tmp_path / "theirs.json")).code == 0
    assert card.read_text() == (tmp_path / "theirs.json").read_text()
    with pytest.raises(api.InputError, match="unknown report format; expected"):
        api.trust.write_report(workshop, out=tmp_path / "ours.pdf")


def test_a_wrong_keyword_is_refused_by_python_and_by_type_checkers() -> None:
    """mypy would report an ignore that ignores nothing: it sees names and types of the options of each record."""
    import cranfield as api

    with pytest.raises(TypeError, match=r"depths\(\) got an unexpected keyword argument 'dept'"):
        api.trust.depths("x.db", dept=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"diagnose\(\) missing a required argument: 'new'"):
        api.trust.diagnose("x.db")
    with pytest.raises(api.InputError, match="depth is 'AP'; expected a whole number of at least 1"):
        api.trust.reusability("x.db", depth="AP")  # type: ignore[arg-type]
    with pytest.raises(api.InputError, match="by is 'x'; expected run, team, kind or cluster"):
        api.trust.leave_one_out("x.db", by="x")  # type: ignore[arg-type]


@pytest.mark.needs_extra("search")
def test_what_is_imported_and_searched_from_python(tmp_path: Path) -> None:
    """Records or a file, and nothing is added of anything else; names of systems in one text, and a tag of one word."""
    path = new_file(tmp_path / "t.db", topics={"1": "wing"})
    for wrong in (pd.DataFrame([{"docno": "d", "text": "wing"}]), {"d": "wing"}, [{"docno": "d"}], 5):
        with pytest.raises(InputError, match=r"expected a file, or a list of Document from cranfield\.formats"):
            cranfield.store.import_corpus(path, wrong)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r"expected a file, or a list of Topic from cranfield\.formats"):
            cranfield.store.import_topics(path, wrong)  # type: ignore[arg-type]
    assert cranfield.store.import_corpus(
        path, iter([Document("d", text="a wing"), Document("e", text="a tail")])
    ).rows() == [{"documents": 2}]
    assert {*cranfield.store.search_corpus(path, systems="bm25,tfidf").frame["run"]} == {"bm25", "tfidf"}
    for searched in (cranfield.store.search_corpus, cranfield.fuse):
        with pytest.raises(InputError, match="'my run'; expected one word"):
            searched(path, tag="my run")
