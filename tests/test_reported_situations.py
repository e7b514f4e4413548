"""Situations that people of the field reported in public, each with what is right.

Those of logs and interleaved lists are in `features/online/test_reported_situations.py`.
"""

import io
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

import cranfield as library
from cranfield.errors import InputError
from tests.conftest import Cranfield

INIT = "init s.db --name x"
FOUR_GRADES = f'{INIT} --scale "0=a,1=b,2=c,3=d"'


@dataclass(frozen=True)
class Step:
    """A command, its exit code, patterns that its outputs match, and texts that they lack."""

    command: str
    code: int = 0
    shows: Sequence[str] = ()
    lacks: Sequence[str] = ()
    typed: str = ""


def shows(command: str, *patterns: str, lacks: Sequence[str] = (), typed: str = "") -> Step:
    return Step(command, 0, patterns, lacks, typed)


def refused(command: str, *patterns: str) -> Step:
    return Step(command, 1, patterns)


def row(*cells: str) -> str:
    """A pattern for a row of a table that begins with these cells."""
    return r"(?m)^" + r"\s+".join(map(re.escape, cells)) + r"(\s|$)"


def score_steps(files: str, **values: str) -> Iterator[Step]:
    for name, value in values.items():
        yield shows(f"evaluate {files} -m {name}", row("r", value))


SITUATIONS: dict[str, Sequence[Step]] = {
    "01-tied-scores": [
        shows(
            "evaluate q.qrels a.run b.run -m nDCG -m AP",
            row("a", "1.0000", "1.0000"),
            row("b", "0.6309", "0.5000"),
            "all documents of a topic have the same score",
        )
    ],
    "02-float-grades": [
        shows("evaluate q.qrels r.run -m nDCG -m AP", row("r", "0.7654", "0.5833"), r'"AP\(rel=0\.5\)"'),
        shows('evaluate q.qrels r.run -m "AP(rel=0.5)"', row("r", "1.0000")),
    ],
    "04-hash-in-docno": [
        shows("evaluate q.qrels r.run -m AP -m NumRel -q", row("r", "1", "0.5000", "1.0000")),
        shows("trec-eval -m map q.qrels r.run", r"map\s+\tall\t0\.5000"),
    ],
    "05-scores-that-differ-in-the-9th-digit": [shows("evaluate q.qrels r.run -m AP", row("r", "1.0000"))],
    "07-malformed-line": [
        refused("evaluate q.qrels r.run -m AP", r"r\.run:2: 5 columns; a run has 6"),
        refused("evaluate q.qrels s.run -m AP", r"s\.run:2: 5 columns; a run has 6"),
        refused("evaluate q.qrels t.run -m AP", r"t\.run:2: score '8,5' is not a number"),
    ],
    "08-docno-equals-qid": [
        shows(
            "evaluate qrels.json run.json -m R@10 -m P@10 -m nDCG@10 -m RR@10",
            row("run", "1.0000", "1.0000", "1.0000", "1.0000"),
            "have the id of their topic; remove them from runs and judgments with --ignore-own-id",
        ),
        shows("evaluate qrels.json run.json -m R@10 -m P@10 --ignore-own-id", row("run", "1.0000", "0.9000")),
    ],
    "10-int-ids": [shows("evaluate q.jsonl r.jsonl -m RR", row("r", "0.5000"))],
    "11-duplicate-qrels-lines": [
        refused(
            "evaluate same.qrels r.run -m AP", r"same\.qrels:3: duplicate .* line 1 with the same grade; remove one"
        ),
        refused("trec-eval -m map same.qrels r.run", r"same\.qrels:3: duplicate .* with the same grade"),
        refused(
            "evaluate conflict.qrels r.run -m AP", r"conflict\.qrels:2: .* line 1 with grade 1, here 0; remove the"
        ),
        shows(f'{INIT} --scale "0=no,1=yes"'),
        refused("import qrels s.db same.qrels", "with the same grade"),
        refused("import qrels s.db conflict.qrels --assessor b", "with grade 1, here 0"),
    ],
    "13-negative-scores": [
        shows(
            "evaluate q.qrels r.run -m RR -q",
            row("r", "1", "0.5000"),
            row("r", "2", "1.0000"),
            row("r", "all", "0.7500"),
        )
    ],
    "14-relevance-level": [
        shows('evaluate q.qrels r.run -m "AP(rel=2)"', row("r", "0.5000")),
        refused("evaluate q.qrels r.run -m ndcg-l3", "nDCG has no option rel", "counts only grades of at least"),
        refused('evaluate q.qrels r.run -m "nDCG(rel=2)"', "nDCG has no option rel", "counts only grades of at least"),
        shows("evaluate q.qrels r.run -m 'nDCG(gains=\"0=0,1=0,2=2,3=3\")'", row("r", "0.5992")),
        shows("trec-eval -l 2 -m map -m ndcg q.qrels r.run", r"map\s+\tall\t0\.5000", r"ndcg\s+\tall\t0\.7463"),
    ],
    "16-topic-without-relevant": [
        shows(
            "evaluate q.qrels r.run -m AP -m nDCG@10 -m RR -m R@10 -q",
            row("r", "2", "0.0000", "0.0000", "0.0000", "0.0000"),
            row("r", "all", "0.5000", "0.5000", "0.5000", "0.5000"),
            "1 of 2 judged topics has no relevant document",
        ),
        shows(
            "trec-eval -q -m map -m ndcg_cut.10 q.qrels r.run", r"map\s+\tall\t0\.5000", r"ndcg_cut_10\s+\tall\t0\.5000"
        ),
    ],
    "17-ms-marco-files": [
        shows("evaluate qrels.dev.tsv run.tsv -m RR@10 -m NumQ", row("run", "0.1444", "3.0000"), "read as msmarco"),
        refused("evaluate ref.tsv run.tsv -m RR@10", r"ref\.tsv:1: 2 columns"),
    ],
    "19-fuse-constant-scores": [
        shows(f"fuse a.run b.run --method combsum --option norm={norm} -o -", "(?m)^1 Q0 b 1 ", lacks=["nan"])
        for norm in ("min-max", "sum", "zmuv")
    ],
    "20-rrf-missing-documents": [
        shows("fuse dense.run sparse.run --method rrf -o o.run", "5 documents"),
        shows("evaluate q.qrels o.run -m RR@3", row("rrf", "1.0000")),
    ],
    "22-correction-counts-only-the-tests": [
        shows(
            f"compare q.qrels base.run x.run y.run -m AP --baseline base --test t --correction {name} --format csv",
            *(f"{p}[0-9]*,{corrected}" for p, corrected in zip(("0.0011893", "0.2621750"), values, strict=True)),
        )
        for name, values in {
            "none": ("0.0011893", "0.2621750"),
            "bonferroni": ("0.0023787", "0.5243501"),
            "holm": ("0.0023787", "0.2621750"),
            "bh": ("0.0023787", "0.2621750"),
        }.items()
    ],
    "23-all-differences-equal": [
        shows(
            "compare q.qrels a.run b.run c.run -m RR --test t",
            "paired t test (sign test where all differences are equal)".replace("(", r"\(").replace(")", r"\)"),
            "differ by the same amount on all topics",
            "p is from the sign test for 2 of 3 pairs: t is undefined",
            lacks=["for 3 of 3 pairs: they differ on fewer"],
        )
    ],
    "25-alpha-of-one-disagreement": [
        shows(f'{INIT} --scale "0=no,1=yes"'),
        shows("import votes s.db votes.jsonl --kind human"),
        shows("agreement s.db --format csv", *(f"alpha {scale},0.0," for scale in ("nominal", "ordinal", "interval"))),
        refused('init likert.db --name x --scale "1=a,2=b,3=c,4=d,5=e"', "--min-relevant 2"),
    ],
    "26-alpha-of-a-table-with-gaps": [
        shows(f'{INIT} --scale "0=a,1=b,2=c,3=d,4=e"'),
        shows("import votes s.db votes.jsonl --kind human"),
        shows("agreement s.db --format csv", "nominal,0.7016", "ordinal,0.8691", "interval,0.8827"),
    ],
    "28-quepid-book-with-gaps": [
        shows(f'{INIT} --scale "0=poor,1=fair,2=good,3=perfect"'),
        shows("import topics s.db topics.tsv"),
        shows("import votes s.db book.csv", "7 grades", "5 records without a vote"),
        refused(
            "export qrels s.db out.qrels",
            "2 documents have different labels by rating:Ann, rating:Ben and rating:Cy; choose which labels count",
        ),
        shows("store labels s.db --policy max"),
        shows("export qrels s.db other.qrels", "policy: max, the store's choice", lacks=["choose which"]),
        refused("import votes s.db basic.csv --assessor ann", r"basic\.csv:5: 1 cells?; expected 3, as in the header"),
    ],
    "29-label-studio-skips-and-seconds": [
        shows(INIT),
        shows('import votes s.db export.json --grades "Relevant=1,Not=0"', '3 grades, 1 "cannot judge"', "predictions"),
        shows("export qrels s.db -", "(?m)^1 label-studio d1 1$", "(?m)^1 label-studio d4 1$", lacks=[" d2 ", " d3 "]),
    ],
    "31-grade-in-prose-of-a-judge": [
        shows(FOUR_GRADES),
        shows(
            "import votes s.db judged.jsonl --format umbrela --assessor m --kind model", '2 grades, 6 "cannot judge"'
        ),
        shows("export qrels s.db -", "(?m)^1 umbrela d1 2$", "(?m)^1 umbrela d2 3$", "wrote 2 labels"),
    ],
    "32-faithfulness-of-an-answer-that-states-nothing": [
        shows(INIT),
        shows("import topics s.db topics.xml"),
        shows("import corpus s.db corpus.jsonl"),
        shows("import answers s.db a.jsonl"),
        shows("answers claims import s.db claims.jsonl --assessor ada"),
        shows("answers claims label s.db --assessor ada", typed="1\n"),
        shows(
            "evaluate s.db --answers -m Faithful -q",
            row("r", "1", "-"),
            row("r", "all", "0.0000"),
            "the means of Faithful exclude 1 topic where it is undefined .no answer contains statements.",
        ),
    ],
    "38-topics-in-many-shapes": [
        step
        for name, text in {
            "number-element.xml": "ankle brace",
            "text-in-topic.xml": r"A child with five days of fever and a rash\.",
            "multi-line-title.txt": "Iran and the northern border",
            "closed-tags.txt": "Minister death",
            "header.tsv": "first",
        }.items()
        for step in (
            shows(f"init {name}.db --name x"),
            shows(f"import topics {name}.db {name}", "1 topic"),
            shows(f"export topics {name}.db - --format jsonl", f'"title": "{text}"'),
        )
    ]
    + [
        shows("init dict.db --name x"),
        shows("import topics dict.db dict.json", "2 topics", r"dict\.json: read as json"),
        shows("export topics dict.db - --format jsonl", '"qid": "176", "title": "red lamp"'),
        refused("import topics dict.db colon.tsv", r"colon\.tsv:2: 3 columns; expected 2"),
        refused("import topics dict.db notab.tsv", r"notab\.tsv:1: 1 column; expected 2"),
    ]
    + [
        shows("export topics text-in-topic.xml.db - --format tsv", r"(?m)^-1\tA child"),
        shows(INIT),
        refused("import topics s.db colon.tsv", r"colon\.tsv:2: 3 columns; expected 2"),
        refused("import topics s.db notab.tsv", r"notab\.tsv:1: 1 column; expected 2"),
    ],
    "40-blanks-in-docnos": [
        refused("evaluate q.csv spaces.run -m RR", r"spaces\.run:1: 7 columns; a run has 6", "contains a blank"),
        refused("evaluate q.csv tabs.run -m RR", r"tabs\.run:1: 7 columns; a run has 6", "contains a blank"),
        shows("evaluate q.csv r.csv -m RR", row("r", "1.0000")),
        refused("evaluate tabs.qrels r.csv -m RR", r"tabs\.qrels:1: 5 columns; qrels have 4"),
    ],
    "41-table-with-pandas-index": [shows("evaluate q.csv r.csv -m RR", row("r", "0.5000"))],
    "43-anserini-measure-names": [
        shows(
            "evaluate q.qrels r.run -m judged.20 -m P.10 -m ndcg_cut.10,20 -m recall.100 -m success.5 -m MRR@10",
            row("run", "Judged@20", "P@10", "nDCG@10", "nDCG@20", "R@100", "Success@5", "RR@10"),
            row("r", "0.6667", "0.1000", "1.0000", "1.0000", "1.0000", "1.0000", "1.0000"),
        ),
        refused("trec-eval -m judged.20 q.qrels r.run", "'judged.20' is not a measure of trec_eval"),
        shows("trec-eval -c -m ndcg_cut.10,20 -m recall.100 -M 1000 q.qrels r.run", r"ndcg_cut_20\s+\tall\t1\.0000"),
    ],
    "44-alpha-ndcg-by-subtopic": [
        shows("evaluate q.qrels good.run worse.run -m alpha_nDCG@10", row("good", "0.8638"), row("worse", "0.4319"))
    ],
    "46-residual-after-feedback": [
        shows(
            "evaluate all.qrels r.run -m RR -m AP -m NumRel --remove-judged round1.qrels",
            row("r", "0.5000", "0.5000", "1.0000"),
            "1 row judged earlier",
        )
    ],
    "47-ranks-that-contradict-scores": [
        shows("evaluate q.qrels r.run -m RR", row("r", "0.3333"), "ranks contradict scores in 1 of 1 topic"),
        shows("evaluate q.qrels distance.run -m RR", row("r", "0.3333"), "ranks contradict scores in 1 of 1 topic"),
        shows("evaluate q.qrels swapped.run -m RR", row("r", "0.3333"), "columns rank and score may be swapped"),
        refused("evaluate q.qrels r.run -m RR --fail-on-note", "ranks contradict scores"),
        shows(INIT),
        shows("import runs s.db distance.run --tag d", "ranks contradict scores in 1 of 1 topic"),
        shows("import runs s.db swapped.run --tag s", "columns rank and score may be swapped"),
    ],
    "49-diversity-qrels-by-subtopic": [
        shows("evaluate q.qrels.gz r.run -m alpha_nDCG@10", row("r", "0.8673"), "read as subtopics")
    ],
    "50-blank-cells-are-no-agreement": [
        shows(INIT),
        refused("import votes s.db votes.csv", r"votes\.csv:10: grade 'NA' is not on this collection's scale"),
        shows("import votes s.db blanks.csv", "4 grades", "6 records without a vote"),
        shows('agreement s.db --coefficient "raw agreement" --format csv', "raw agreement,0.5,"),
    ],
    "52-citation-that-points-nowhere": [
        shows(INIT),
        shows("import topics s.db topics.tsv"),
        refused("import answers s.db a.jsonl", r"a\.jsonl:1: sentence 1 cites position 2"),
        refused("import answers s.db b.jsonl", r"b\.jsonl:1: sentence 1 cites '0'"),
        refused("import answers s.db c.jsonl", r"c\.jsonl:1: sentence 1 cites 1\.0"),
    ],
    "55-topic-file-with-a-repeated-id": [
        shows(INIT),
        refused("import topics s.db t.tsv", r"t\.tsv:3: duplicate topic 1, first on line 1"),
        refused("import topics s.db same.tsv", r"same\.tsv:3: duplicate topic 1, first on line 1"),
    ],
    "56-relevant-document-that-is-not-in-the-corpus": [
        shows("import collection s.db .", "1 of 2 documents in . is not in the corpus, the first is 'gone'"),
        shows("import runs s.db r.run"),
        shows("evaluate s.db -m R@10 -m NumRel", row("r", "0.5000", "2.0000")),
        shows("init t.db --name x"),
        shows("import corpus t.db corpus.jsonl"),
        shows("import topics t.db queries.jsonl"),
        refused("import qrels t.db qrels/test.tsv --strict", "document 'gone' is not in the corpus"),
    ],
    "58-nuggets-without-a-vital-one": [
        shows(INIT),
        shows("import topics s.db topics.tsv"),
        shows("import answers s.db a.jsonl"),
        shows("answers nuggets import s.db nuggetizer.jsonl --assessor m --kind model"),
        shows(
            "evaluate s.db --answers -m V_strict -m A -q",
            row("r", "2", "-", "0.5000"),
            row("r", "all", "0.5000", "0.5000"),
            "the means of V_strict exclude 1 topic",
        ),
    ],
    "59-cutoffs-far-beyond-the-run": [
        shows("evaluate q.qrels r.run -m P@10 -m P@1000000 -m nDCG@1000000", row("r", "0.1000", "0.0000", "0.4693")),
        refused("evaluate q.qrels r.run -m R@1000000000", "below 1,000,000,000"),
        refused("evaluate q.qrels r.run -m P@0", "expected a whole number of at least 1"),
        refused("evaluate q.qrels r.run -m nDCG@1e3", "write 1000"),
    ],
    "61-output-of-another-program": [
        shows("compare a.txt b.txt -m AP", r"\+\.050", r"\.5000"),
        refused("compare a.txt c.txt -m AP", r"c\.txt:1: 'Results:' begins no scores"),
    ],
    "62-ir-metadata-header": [
        shows("evaluate q.qrels r.run -m RR", row("r", "0.5000")),
        shows("evaluate q.qrels mid.run -m RR -m NumRet", row("r", "0.5000", "2.0000")),
        shows(INIT),
        shows("import runs s.db bad.run", r"bad\.run:3: not YAML"),
    ],
    "64-line-number-in-json": [
        refused("evaluate q.qrels run.json -m AP", r"run\.json, entry 4: score 'high' is not a number"),
        refused("evaluate q.qrels dup.json -m AP", r"dup\.json, entry 3: .* first in entry 1"),
        shows(INIT),
        refused('import votes s.db labels.json --grades "Relevant=1,Not=0"', r"labels\.json, entry 4: "),
    ],
    "67-ap-at-a-cutoff-below-the-relevant": [
        shows(
            "evaluate q.qrels r.run -m AP@5 -m AP -m R@5 -m R_cap@5", row("r", "0.5000", "0.5000", "0.5000", "1.0000")
        ),
        shows("measures AP", "still divides by all relevant documents"),
    ],
    "68-names-of-other-tools-measures": [
        shows(
            "evaluate q.qrels r.run -m ndcg_at_10 -m mrr_at_10 -m hit_rate_at_1 -m hit@10 -m ndcg_cut.10,20",
            row("run", "nDCG@10", "RR@10", "Success@1", "Success@10", "nDCG@20"),
        ),
        refused("evaluate q.qrels r.run -m accuracy@10", r"did you mean Success@10\?"),
        refused("evaluate q.qrels r.run -m p-MRR", "compares a system's runs on original and changed instructions"),
    ],
    "71-ranks-from-zero": [shows("evaluate q.tsv r.run -m RR@10", row("r", "0.5000"), "read as msmarco")],
    "74-five-column-qrels": [
        refused("evaluate q.qrels r.run -m AP", r"q\.qrels:1: 5 columns; qrels have 4"),
        refused("trec-eval -m map q.qrels r.run", r"q\.qrels:1: 5 columns; qrels have 4"),
    ],
}
ELSEWHERE = {  # in features/online, in this file, and in features/models
    "34-one-user-in-an-arm",
    "35-interleaved-list-with-a-duplicate",
    "37-propensity-of-zero",
    "53-rank-correlation-with-ties",
    "65-judges-from-a-server-that-rambles",
    "70-click-counts-as-grades",
    "73-users-in-two-arms",
}


@pytest.fixture
def reports(shared: Path) -> Path:
    if not (folder := shared / "reports").is_dir():
        pytest.skip("needs ../shared/data/reports, which is not here")
    return folder


@pytest.mark.parametrize("name", list(SITUATIONS))
def test_a_reported_situation_is_answered_right(
    name: str, reports: Path, tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "situation"
    shutil.copytree(reports / name, folder, copy_function=shutil.copyfile)
    for each in (folder, *folder.rglob("*/")):
        each.chmod(0o755)
    monkeypatch.chdir(folder)
    for step in SITUATIONS[name]:
        monkeypatch.setattr("sys.stdin", io.StringIO(step.typed))
        outcome = cranfield(*shlex.split(step.command))
        printed = " ".join(outcome.err.split()) + "\n" + outcome.out
        assert outcome.code == step.code, (step.command, printed)
        for pattern in step.shows:
            assert re.search(pattern, printed), (step.command, pattern, printed)
        assert not [text for text in step.lacks if text in printed], (step.command, printed)


def test_every_reported_situation_has_a_test(reports: Path) -> None:
    assert {path.name for path in reports.iterdir() if path.is_dir()} == {*SITUATIONS} | ELSEWHERE


@pytest.mark.parametrize("topic", [1, "1"])
def test_whole_numbers_are_ids_and_other_numbers_are_refused(topic: int | str) -> None:
    """Situation 10: ids that are numbers in dicts and frames."""
    assert library.evaluate({1: {10: 1, 11: 0}}, {topic: {10: 0.4, 11: 0.9}}, measures="RR").frame[
        "value"
    ].tolist() == [0.5]
    qrels = pd.DataFrame({"qid": ["1", "1"], "docno": ["10", "11"], "label": [1, 0]})
    run = pd.DataFrame({"qid": [topic, topic], "docno": [10, 11], "score": [0.4, 0.9]})
    assert library.evaluate(qrels, run, measures="RR").frame["value"].tolist() == [0.5]
    with pytest.raises(InputError, match=r"the runs have 1\.0, and the qrels have 1;"):
        library.evaluate(qrels, run.assign(qid=1.0), measures="RR")


def test_ties_count_in_rank_correlations() -> None:
    """Situation 53: tau_b and tau_a with ties are scipy's; a constant side has none."""
    some = pd.Series({"A": 0.5, "B": 0.5, "C": 0.4, "D": 0.2})
    others = pd.Series({"A": 0.6, "B": 0.3, "C": 0.4, "D": 0.1})
    values = library.correlate(some, others).frame.set_index("coefficient")["value"]
    assert values[["tau_b", "tau_a"]].tolist() == pytest.approx([0.547723, 0.5], abs=5e-7)
    assert library.correlate(some, others * 0).frame.set_index("coefficient")["value"][["tau_b", "tau_a"]].isna().all()
