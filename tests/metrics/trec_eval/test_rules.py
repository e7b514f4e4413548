"""trec-eval by hand: every rule of trec_eval on topics small enough to work out on paper."""

import gzip
import math
from pathlib import Path

import pytest

from cranfield.errors import InputError, MeasureError
from cranfield.metrics import parse
from cranfield.metrics.trec_eval import NICKNAMES, lines_of
from tests.metrics.trec_eval.cases import Files, run_trec_eval

JUDGED = {"a": 1, "b": 0, "c": 2, "d": -1, "e": 3}  # x, y and z are not pooled
RANKED = "b a x d c"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Where to write a qrels and a run."""
    return Files(tmp_path)


@pytest.fixture
def one(files: Files) -> Files:
    """One topic: ranks 2 and 5 are relevant, 1 is not, 3 was not pooled, 4 has a negative grade; e was missed."""
    return files.grades({"1": JUDGED}, {"1": RANKED})


ONE = {
    "num_ret": "5",
    "num_rel": "3",
    "num_rel_ret": "2",
    "map": (1 / 2 + 2 / 5) / 3,
    "gm_map": (1 / 2 + 2 / 5) / 3,
    "Rprec": 1 / 3,
    "bpref": (0 + 0) / 3,  # of the one judged not relevant, all stand below
    "gm_bpref": 1e-5,
    "recip_rank": 1 / 2,
    "iprec_at_recall.0": 1 / 2,
    "iprec_at_recall.0.5": 2 / 5,  # 1.5 relevant are 2
    "iprec_at_recall.0.49": 1 / 2,  # 1.47 are 1
    "iprec_at_recall.1": 0,
    "11pt_avg": (5 / 10 * 5 + 4 / 10 * 4) / 11,  # recall 0 to .4, .5 to .8; .9 and 1 ask for the third
    "11pt_avg.0.5,1": 0.2,
    "P.2": 1 / 2,
    "P.10": 2 / 10,  # by 10, though there are 5
    "recall.2": 1 / 3,
    "relative_P.2": 1 / 2,
    "relative_P.10": 2 / 3,
    "success.1": 0,
    "success.2": 1,
    "Rprec_mult.0.5": 1 / 2,  # trunc(1.5 + .9) = 2
    "Rprec_mult.2": 2 / 6,  # beyond the end, by 6
    "map_cut.2": 1 / 2 / 3,
    "infAP": (1 / 2 + 1 / 2 * (1 / 1) * (1e-5 / (1 + 2e-5)) + 1 / 5 + 4 / 5 * 3 / 4 * (1 + 1e-5) / (2 + 2e-5)) / 3,
    "ndcg": (1 / math.log2(3) + 2 / math.log2(6)) / (3 + 2 / math.log2(3) + 1 / 2),
    "ndcg_cut.2": 1 / math.log2(3) / (3 + 2 / math.log2(3)),
    "ndcg.1=4,3=1": (4 / math.log2(3) + 2 / math.log2(6)) / (4 + 2 / math.log2(3) + 1 / 2),
    "dcg": 1 / math.log2(3) + 2 / math.log2(6),
    "ideal_dcg": 3 + 2 / math.log2(3) + 1 / 2,
    "binG": (1 / math.log2(2 + 1) + 1 / math.log2(2 + 3)) / 3,
    "G": (1 / math.log2(2 + 5 - 1) + 2 / math.log2(2 + 8 - 3)) / 6,
    "set_P": 2 / 5,
    "set_recall": 2 / 3,
    "set_relative_P": 2 / 3,
    "set_map": 4 / 15,
    "set_F": 2 * 2 / 5 * 2 / 3 / (2 / 5 + 2 / 3),
    "set_F.0.5": 1.5 * 2 / 5 * 2 / 3 / (0.5 * 2 / 5 + 2 / 3),
    "utility": 2 - 3,
    "utility.2,-1,0,0": 2 * 2 - 3,
    "utility.0,0,-2": -2,
    "num_nonrel_judged_ret": "1",
    "unj.5": 2 / 5,
    "unj.10": 2 / 10,
    "rbp": 0.1 * (1 / 3 * 0.9 + 2 / 3 * 0.9**4),
    "rbp.p=0.5": 0.5 * (1 / 3 * 0.5 + 2 / 3 * 0.5**4),
    "rbp.1=0.4,2=0.8,3=1,p=0.5": 0.5 * (0.4 * 0.5 + 0.8 * 0.5**4),
    "rbp_resid": 0.9**5 + 0.1 * (0.9**2 + 0.9**3),
    "rbp_resid.p=0.5": 0.5**5 + 0.5 * (0.5**2 + 0.5**3),
    "yaap": math.log((1 + 0.9) / (1 + 3 - 0.9)),
    "relstring": "'01-.2'",
    "relstring.3": "'01-'",
}


@pytest.mark.parametrize(("measure", "value"), ONE.items())
def test_one_topic_by_hand(one: Files, measure: str, value: float | str) -> None:
    """Each measure as its formula gives it, in the summary or, where it has none, for the topic."""
    (text,) = {cell for (name, _), cell in one.values("-q", "-m", measure).items()}
    assert text == (value if isinstance(value, str) else f"{value:.4f}")


def test_ndcg_where_gain_begins_and_ends(one: Files) -> None:
    """ndcg_rel is read at both relevant documents and, for the one missed, at the end; Rndcg where a gain ends."""
    dcg2, dcg5 = 1 / math.log2(3), 1 / math.log2(3) + 2 / math.log2(6)
    ideal = [3, 3 + 2 / math.log2(3), 3 + 2 / math.log2(3) + 1 / 2]
    ndcg_rel = (dcg2 / ideal[1] + dcg5 / ideal[2] + dcg5 / ideal[2]) / 3
    r_ndcg = (0 + dcg2 / ideal[1] + dcg2 / ideal[2] + dcg5 / ideal[2]) / 4  # the end counts, for 5 > 3 + 1
    values = one.values("-m", "ndcg_rel", "-m", "Rndcg")
    assert values == {("ndcg_rel", "all"): f"{ndcg_rel:.4f}", ("Rndcg", "all"): f"{r_ndcg:.4f}"}


def test_bpref_forgives_what_is_few(files: Files) -> None:
    """A relevant document loses the share of min(N, R) judged not relevant above it; N counts the unretrieved too."""
    judged = {"a": 1, "b": 1, "n1": 0, "n2": 0, "n3": 0}
    assert files.grades({"1": judged}, {"1": "n1 x a n2 b"}).values("-m", "bpref")["bpref", "all"] == "0.2500"


@pytest.mark.parametrize(("level", "num_rel", "value"), [(1, 3, 0.3), (2, 2, 0.1), (3, 1, 0), (4, 0, 0), (9, 0, 0)])
def test_the_level_says_what_is_relevant(one: Files, level: int, num_rel: int, value: float) -> None:
    """Above the highest grade nothing is."""
    values = one.values("-l", level, "-m", "map", "-m", "num_rel", "-m", "bpref")
    assert values["num_rel", "all"] == str(num_rel)
    assert values["map", "all"] == f"{value:.4f}"


@pytest.mark.parametrize("measure", ["ndcg", "ndcg_cut.5", "ndcg_rel", "rbp", "G", "dcg"])
def test_gains_do_not_ask_for_the_level(one: Files, measure: str) -> None:
    assert one.text("-l", 3, "-m", measure) == one.text("-m", measure)


def test_with_c_the_number_of_relevant_ignores_the_level(one: Files) -> None:
    assert one.values("-c", "-q", "-l", 3, "-m", "num_rel") == {("num_rel", "1"): "1", ("num_rel", "all"): "3"}


def test_cut_off_comes_first(one: Files) -> None:
    """-M 2 keeps b and a; then -J, which would have kept b, a and c."""
    assert one.values("-M", 2, "-m", "relstring", "-q")["relstring", "1"] == "'01'"
    assert one.values("-M", 3, "-J", "-m", "relstring", "-q")["relstring", "1"] == "'01'"
    assert one.values("-M", 2, "-m", "set_recall")["set_recall", "all"] == "0.3333"


def test_judged_only_closes_ranks(one: Files) -> None:
    """What was not pooled and what has a negative grade goes; ranks and the number retrieved follow."""
    values = one.values("-J", "-q", "-m", "relstring", "-m", "num_ret", "-m", "map", "-m", "unj.5")
    assert values["relstring", "1"] == "'012'"
    assert values["num_ret", "all"] == "3"
    assert values["map", "all"] == f"{(1 / 2 + 2 / 3) / 3:.4f}"
    assert values["unj_5", "all"] == "0.0000"


def test_judged_only_with_nothing_judged_is_0_over_0(files: Files) -> None:
    """In trec_eval, recall points that ask for no document, 11pt_avg, and the mean with them; the rest is 0."""
    files.grades({"1": {"a": 1, "b": 1}, "2": {"a": 1}}, {"1": "x y", "2": "a"})
    values = files.values("-J", "-q", "-m", "iprec_at_recall..2,.3", "-m", "11pt_avg", "-m", "map")
    assert values["iprec_at_recall_0.20", "1"] == values["iprec_at_recall_0.20", "all"] == "  -nan"
    assert values["11pt_avg", "1"] == values["11pt_avg", "all"] == "  -nan"
    assert values["iprec_at_recall_0.30", "1"] == values["map", "1"] == "0.0000"
    assert values["iprec_at_recall_0.20", "2"] == "1.0000"
    assert files.values("-J", "-q", "-m", "11pt_avg.0.5,1")["11pt_avg_0.5,1", "1"] == "0.0000"


def test_the_size_of_the_collection_counts_in_utility_only(one: Files) -> None:
    """99 + 2 - 5 - 3 were rightly left alone."""
    assert one.values("-N", 99, "-m", "utility.0,0,0,1")["utility_0,0,0,1", "all"] == "93.0000"
    assert one.text("-N", 99, "-m", "all_trec") == one.text("-m", "all_trec")


def test_ties_go_by_descending_bytes(files: Files) -> None:
    """zz > d9 > d10 > d-1 > D9, and what is not ASCII above all; rank column and order of lines mean nothing."""
    docnos = ["D9", "d-1", "d10", "d9", "zz", "é", "文"]
    judged = "".join(f"1 0 {docno} {grade}\n" for grade, docno in enumerate(docnos))
    files.write(judged, "".join(f"1 Q0 {docno} {rank} 0.5 t\n" for rank, docno in enumerate(docnos)))
    assert files.values("-q", "-m", "relstring")["relstring", "1"] == "'6543210'"


def test_scores_are_doubles(files: Files) -> None:
    """What 32 bits cannot tell apart is not a tie."""
    files.write("1 0 a 1\n1 0 b 0\n", "1 Q0 b 1 1.0 t\n1 Q0 a 2 1.00000001 t\n")
    assert files.values("-m", "recip_rank")["recip_rank", "all"] == "1.0000"


@pytest.mark.parametrize("score", ["1e3", ".5", "inf", "-0.25", "+7"])
def test_scores_may_be_written_in_many_ways(files: Files, score: str) -> None:
    files.write("1 0 a 1\n1 0 b 0\n", f"1 Q0 b 1 -1 t\n1 Q0 a 2 {score} t\n")
    assert files.values("-m", "recip_rank")["recip_rank", "all"] == "1.0000"


def test_topics_are_in_byte_order(files: Files) -> None:
    """10, 101, 2, a; and 02 is not 2."""
    qids = ["a", "2", "101", "02", "10"]
    files.grades({qid: {"d": 1} for qid in qids}, dict.fromkeys(qids, "d"))
    assert [qid for _, qid in files.values("-q", "-m", "map")] == ["02", "10", "101", "2", "a", "all"]


def test_a_topic_only_in_the_run_is_ignored(files: Files) -> None:
    files.grades({"1": {"d": 1}}, {"1": "d", "2": "d"})
    assert files.values("-m", "num_q", "-m", "map") == {("num_q", "all"): "1", ("map", "all"): "1.0000"}


@pytest.fixture
def lacking(files: Files) -> Files:
    """Topic 2, with two relevant documents, is missing from the run; topic 3 has none."""
    return files.grades({"1": {"a": 1}, "2": {"a": 1, "b": 2}, "3": {"a": 0}}, {"1": "a", "3": "a"})


def test_a_missing_topic_is_left_out(lacking: Files) -> None:
    values = lacking.values("-q", "-m", "num_q", "-m", "map", "-m", "num_rel", "-m", "gm_map")
    assert values["num_q", "all"] == "2"
    assert values["map", "all"] == "0.5000"
    assert values["num_rel", "all"] == "1"
    assert ("map", "2") not in values


def test_with_c_a_missing_topic_counts_as_empty(lacking: Files) -> None:
    """0 throughout, rbp_resid too, and nothing in the relstring; the geometric mean takes its floor twice."""
    values = lacking.values("-c", "-q", "-m", "all_trec")
    assert values["num_q", "all"] == "3"
    assert values["map", "all"] == "0.3333"
    assert values["num_rel", "all"] == "3"
    assert values["gm_map", "all"] == f"{1e-10 ** (1 / 3):.4f}"
    of_2 = {name: value for (name, qid), value in values.items() if qid == "2"}
    assert of_2.pop("relstring") == "''"
    assert of_2.pop("num_rel") == "2"
    assert {float(value) for value in of_2.values()} == {0.0}


def test_with_c_parameters_of_a_missing_topic_are_those_of_an_empty_ranking(lacking: Files) -> None:
    """trec_eval counts the document there that it made up."""
    values = lacking.values("-c", "-q", "-m", "utility.3,-1,-2", "-m", "rbp_resid.p=0.5", "-m", "rbp_resid")
    assert values["utility_3,-1,-2", "2"] == "-4.0000"
    assert values["rbp_resid_p=0.5", "2"] == "1.0000"


def test_a_topic_without_relevant_documents_counts_with_0(files: Files) -> None:
    """Also if it comes first, and if all its grades are negative, where trec_eval stops or crashes."""
    files.grades({"1": {"a": -2}, "2": {"a": -1}, "3": {"a": 1}}, dict.fromkeys("123", "a"))
    values = files.values("-q", "-m", "map", "-m", "bpref", "-m", "ndcg", "-m", "relstring")
    assert values["map", "1"] == values["bpref", "2"] == values["ndcg", "2"] == "0.0000"
    assert values["relstring", "1"] == "'.'"
    assert values["map", "all"] == "0.3333"


def test_no_topic_at_all_is_an_error_but_with_c(files: Files) -> None:
    files.grades({"1": {"a": 1}}, {"2": "a"})
    with pytest.raises(InputError, match="no topic of run tag was judged; with -c, the run scores 0"):
        files.text()
    assert files.values("-c")["map", "all"] == "0.0000"


def test_grades_above_9_have_a_sign(files: Files) -> None:
    files.grades({"1": {"a": 10, "b": 9}}, {"1": "a b"})
    assert files.values("-q", "-m", "relstring")["relstring", "1"] == "'>9'"


def test_gains_closer_than_1_are_sorted(files: Files) -> None:
    """trec_eval gives 0 for this ideal ranking."""
    files.grades({"1": {"a": 1, "b": 2, "c": 3}}, {"1": "b a c"})
    assert files.values("-m", "ndcg.1=0.5,2=0.9,3=0.2")["ndcg_1=0.5,2=0.9,3=0.2", "all"] == "1.0000"


def test_only_the_summary_has_a_tag_and_a_number_of_topics(one: Files) -> None:
    values = one.values("-q", "-m", "runid", "-m", "num_q", "-m", "gm_map", "-m", "gm_bpref", "-m", "map")
    assert [name for name, qid in values if qid == "1"] == ["map"]
    assert values["runid", "all"] == "tag"


def test_n_leaves_the_summary_out(one: Files) -> None:
    assert one.text("-n") == ""
    assert one.text("-n", "-q", "-m", "map", "-m", "num_ret") == (
        "num_ret               \t1\t5\nmap                   \t1\t0.3000\n"
    )


def test_the_default_is_official(one: Files) -> None:
    assert one.text() == one.text("-m", "official")
    assert [line.name for line in lines_of(["official"])][-1] == "P_1000"


def test_a_nickname_is_its_measures(one: Files) -> None:
    """`set` has no measure of ranks; all_trec has what the others have."""
    sets = [line.name for line in lines_of(["set"])]
    assert sets == [
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility",
        "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
    ]  # fmt: skip
    assert set(NICKNAMES["official"]) | set(NICKNAMES["set"]) < set(NICKNAMES["all_trec"])


def test_order_is_trec_evals_whatever_is_asked_first(one: Files) -> None:
    """And cutoffs ascend, each once, cut to whole numbers."""
    names = [
        line.name for line in lines_of(["ndcg_cut.20,23.4,10", "P_10", "P.5,10", "map", "map", "iprec_at_recall.1,.5"])
    ]
    assert names == [
        "map", "iprec_at_recall_0.50", "iprec_at_recall_1.00", "P_5", "P_10",
        "ndcg_cut_10", "ndcg_cut_20", "ndcg_cut_23",
    ]  # fmt: skip


def test_parameters_take_the_place_of_the_defaults(one: Files) -> None:
    assert [line.name for line in lines_of(["all_trec", "relstring.20", "success.3"])].count("relstring_20") == 1
    assert [line.name for line in lines_of(["success", "success.3"])] == ["success_3"]


def test_every_printed_name_is_a_measure_here() -> None:
    """So that what trec_eval printed can be asked for anywhere; runid and relstring are no numbers."""
    lines = [line for line in lines_of(["all_trec", "dcg", "ideal_dcg", "yaap"]) if line.measure is not None]
    assert len(lines) == 101
    for line in lines:
        assert parse(line.name) == line.measure


WRONG = {
    "mpa": "'mpa' is not a measure of trec_eval; expected one of runid",
    "nDCG@10": "'nDCG@10' is not a measure of trec_eval",
    "map.10": "trec_eval's map takes no parameter",
    "P.0": "P: 0; expected a whole number of at least 1",
    "P.ten": "P: 'ten'; expected a number",
    "P.inf": "P: 'inf'; expected a number",
    "P.5,": "P: ''; expected a number",
    "iprec_at_recall.1.5": "recall is 1.5; expected a number from 0 to 1",
    "Rprec_mult.0": "mult is 0; expected a number above 0",
    "utility.1,2,3,4,5": "Utility has no option 'p5'",
    "utility.x": "unknown measure 'utility_x'",
    "ndcg.1": 'gains is "1"; expected one of',
    "set_F.0": "beta is 0",
    "rbp.p=2": "p is 2; expected a number above 0 and below 1",
}


@pytest.mark.parametrize(("name", "message"), WRONG.items())
def test_a_wrong_name_is_refused(name: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        lines_of([name])


ODD = {
    "tabs and many spaces": ("1\t0   a 1\n", "  1 Q0\ta 1 0.5 t\n"),
    "CRLF": ("1 0 a 1\r\n", "1 Q0 a 1 0.5 t\r\n"),
    "no final newline": ("1 0 a 1", "1 Q0 a 1 0.5 t"),
    "comments, two in a row, the last line": ("# x\n# y\n1 0 a 1\n# z", "# x\n1 Q0 a 1 0.5 t\n#"),
    "blank lines": ("\n1 0 a 1\n\n", "\n\n1 Q0 a 1 0.5 t\n\n"),
    "more columns in the run": ("1 0 a 1\n", "1 Q0 a 1 0.5 t and more\n"),
    "rank and iteration are words": ("1 first a 1\n", "1 any a last 0.5 t\n"),
}


@pytest.mark.parametrize(("qrels", "run"), ODD.values(), ids=ODD)
def test_odd_files_are_read(files: Files, qrels: str, run: str) -> None:
    assert files.write(qrels, run).text("-m", "runid", "-m", "map") == (
        "runid                 \tall\tt\nmap                   \tall\t1.0000\n"
    )


def test_topics_may_be_interleaved_and_the_last_tag_is_the_runs(files: Files) -> None:
    files.write("2 0 a 1\n1 0 a 1\n2 0 b 1\n", "2 Q0 a 1 2 x\n1 Q0 a 1 1 y\n2 Q0 b 1 1 z\n")
    values = files.values("-m", "runid", "-m", "map")
    assert values == {("runid", "all"): "z", ("map", "all"): "1.0000"}


BAD = {
    "3 columns": ("1 0 a\n", "1 Q0 a 1 1 t\n", "qrels:1: 3 columns; qrels have 4"),
    "5 columns": ("1 0 a 1 x\n", "1 Q0 a 1 1 t\n", "qrels:1: 5 columns; qrels have 4"),
    "a run of 5": ("1 0 a 1\n", "1 Q0 a 1 1\n", "run:1: 5 columns; a run has 6"),
    "a grade": ("1 0 a 2.9\n", "1 Q0 a 1 1 t\n", "qrels:1: grade '2.9' is not a whole number"),
    "a score": ("1 0 a 1\n", "1 Q0 a 1 high t\n", "run:1: score 'high' is not a number"),
    "a score of nan": ("1 0 a 1\n", "1 Q0 a 1 nan t\n", "run:1: score 'nan' is not a number"),
    "retrieved twice": ("1 0 a 1\n", "1 Q0 a 1 1 t\n1 Q0 a 2 2 t\n", "run:2: duplicate document a of topic 1"),
    "judged twice": ("1 0 a 1\n1 0 a 1\n", "1 Q0 a 1 1 t\n", "qrels:2: duplicate document a of topic 1"),
}


@pytest.mark.parametrize(("qrels", "run", "message"), BAD.values(), ids=BAD)
def test_bad_files_are_refused_with_the_line(files: Files, qrels: str, run: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        files.write(qrels, run).text()


def test_a_run_comes_from_standard_input(one: Files) -> None:
    text = run_trec_eval("-q", one.qrels, "-", stdin=one.run.read_bytes())
    assert text == one.text("-q")


def test_files_may_be_compressed(one: Files, tmp_path: Path) -> None:
    archive = tmp_path / "run.gz"
    archive.write_bytes(gzip.compress(one.run.read_bytes()))
    assert run_trec_eval(one.qrels, archive) == one.text()


def test_options_may_be_written_as_trec_eval_allows(one: Files) -> None:
    """Together, with their values attached, by their long names, after the files."""
    assert one.text("-qc", "-l2", "-M3", "-mmap", "-mP.5") == run_trec_eval(
        one.qrels, one.run, "--query_eval_wanted", "--complete_rel_info_wanted", "--level_for_rel", "2",
        "--Max_retrieved_per_topic", "3", "--measure", "map", "--measure", "P_5",
    )  # fmt: skip
