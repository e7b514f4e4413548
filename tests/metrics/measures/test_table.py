"""The table of measures, the notation of their names, and which measure is for which task."""

import inspect
import json
import subprocess
import sys
from contextlib import suppress

import pytest

from cranfield.cli.commands.measures import measures
from cranfield.errors import MeasureError
from cranfield.metrics import MEASURES, parse
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.examples import example
from cranfield.metrics.measure import COMMON_OPTIONS
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.options import OPTIONS
from cranfield.metrics.tasks import TASKS, tasks_for
from tests.conftest import Cranfield

SYNONYMS = {
    "map": "AP",
    "map_cut_100": "AP@100",
    "gm_map": "gMAP",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "P_10": "P@10",
    "set_P": "P",
    "recall_100": "R@100",
    "set_recall": "R",
    "set_F": "F",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "success_1": "Success@1",
    "iprec_at_recall_0.10": "IPrec@0.1",
    "iprec_at_recall_1.00": "IPrec@1",
    "11pt_avg": "AP11",
    "11pt_avg_.25,.5": 'AP11(points="0.25,0.5")',
    "Rprec_mult_0.20": "RprecMult@0.2",
    "gm_bpref": "gBpref",
    "utility": "Utility",
    "utility_2,-1,0,0": "Utility(p1=2)",
    "ndcg_1=3,2=9,4=4.5": 'nDCG(gains="1=3,2=9,4=4.5")',
    "ndcg_rel": "nDCGrel",
    "Rndcg": "RnDCG",
    "binG": "binG",
    "G": "G",
    "dcg": "DCG",
    "ideal_dcg": "IDCG",
    "relative_P_5": "R_cap@5",
    "set_relative_P": "R_cap",
    "set_map": "SetAP",
    "rbp": 'RBP(p=0.9,gains="linear")',
    "rbp_p=0.5,1=0.4": 'RBP(p=0.5,gains="1=0.4")',
    "rbp_resid": "RBPresid(p=0.9)",
    "rbp_resid_p=0.5": "RBPresid(p=0.5)",
    "unj_5": "Unjudged@5",
    "num_nonrel_judged_ret": "NumNonrelRet",
    "yaap": "YAAP",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
}
CANONICAL = [
    "AP", "AP(rel=2)@100", "nDCG@10", 'nDCG(gains="exp")@10', "P@5", "R@1000", "F(beta=2)", "F(beta=0.5,rel=2)@3",
    "RR", "RR@10", "Rprec(rel=2)", "RBP(p=0.5)", "RBP(p=0.95,rel=2)@20", "ERR@20", "ERR(max_grade=4)@20", "Bpref",
    "infAP", "Judged@10", "Success@1", "IPrec@0.1", "IPrec(rel=2)@0", "DCG@10", "AP11", "NumQ", "NumRel(rel=2)",
]  # fmt: skip
MALFORMED = {
    "nDGC@10": r"unknown measure 'nDGC@10'; did you mean nDCG",
    "xyzzy": r"available: AP, nDCG",
    "": r"unknown measure ''",
    "AP@": r"unknown measure 'AP@'",
    "AP)rel=2(": r"unknown measure",
    "P_10@5": r"unknown measure",
    "AP(depth=3)": r"AP has no option 'depth'; available: rel",
    "AP(2)": r"AP has no option '2'",
    "AP(self=2)": r"AP has no option 'self'",
    "Rprec@10": r"Rprec takes no cutoff",
    "P@0": r"P: cutoff is 0; expected a whole number of at least 1",
    "P@-5": r"cutoff is -5",
    "P@ten": r'cutoff is "ten"',
    "P@2.5": r"cutoff is 2.5",
    "P_2.5": r"cutoff is 2.5",
    "AP(rel=-1)": r"rel is -1; expected a number of at least 0",
    "AP(rel=)": r'rel is ""',
    "RBP(p=1)": r"p is 1; expected a number above 0 and below 1",
    "RBP(p=nan)": r"p is nan",
    "F(beta=0)": r"beta is 0; expected a number above 0",
    "F(beta=inf)": r"beta is inf",
    "nDCG(gains=square)": r'gains is "square"; expected one of "linear", "exp", "binary", or a list',
    "nDCG(rel=2)": r"nDCG has no option rel",
    "IPrec@1.1": r"recall is 1.1; expected a number from 0 to 1",
    "IPrec@nan": r"recall is nan",
}


def test_a_canonical_name_parses_and_prints_back() -> None:
    assert [str(parse(name)) for name in CANONICAL] == CANONICAL


def test_a_trec_eval_name_is_a_synonym() -> None:
    assert {synonym: str(parse(synonym)) for synonym in SYNONYMS} == SYNONYMS


def test_what_is_no_measure_is_refused_with_what_would_be_right() -> None:
    for name, message in MALFORMED.items():
        with pytest.raises(MeasureError, match=message):
            parse(name)


@pytest.mark.parametrize("name", ["Success", "Judged", "IPrec"])
def test_a_measure_that_needs_a_cutoff_says_so_when_it_is_asked_for(name: str) -> None:
    assert parse(name).name == name
    with pytest.raises(MeasureError, match=f"{name} needs a .*: {name}@k"):
        parse_measures([name])
    with pytest.raises(MeasureError, match="needs a"):
        parse(name).scores(example([1]))


def test_equal_names_are_equal_measures() -> None:
    """Spaces, order of options, quotes and defaults written out do not matter."""
    assert parse(" F( rel=2, beta = 2.0 )@ 5 ") == parse("F(beta=2,rel=2)@5")
    assert parse("nDCG(gains=exp)") == parse("nDCG(gains='exp')")
    assert parse("nDCG(gains=linear)") == parse("nDCG")
    assert parse('nDCG(gains="2=9, 1=3.0")') == parse("nDCG(gains='1=3,2=9')") != parse("nDCG")
    assert parse("AP11(points='1,.50')") == parse('AP11(points="0.5,1")')
    assert parse("AP(cutoff=10)") == parse("AP@10") != parse("AP")
    assert len({parse("map"), parse("AP"), parse("AP(rel=1)")}) == 1


def test_an_option_can_be_set_back() -> None:
    assert parse("AP(rel=2)@10").set(rel=1, cutoff=None) == parse("AP")


def test_asking_for_no_measure_is_an_error() -> None:
    with pytest.raises(MeasureError, match="no measure was given"):
        parse_measures([])


def test_no_name_or_synonym_means_two_measures() -> None:
    names = [name for measure in MEASURES for name in {measure.name, *measure.synonyms}]
    assert len(names) == len(set(names))


def test_a_measure_says_what_it_is_for_and_where_it_comes_from() -> None:
    """The text starts with the measure's name and ends with the source; the function has an example."""
    for measure in MEASURES:
        assert measure.about.startswith(measure.name)
        assert "\nSource: " in measure.about, measure
        assert measure.description.endswith("."), measure
        assert ">>>" in (inspect.getdoc(measure.function) or ""), measure


def test_every_option_is_described() -> None:
    assert {option for measure in MEASURES for option in measure.defaults} | set(COMMON_OPTIONS) == set(OPTIONS)


def test_the_table_is_loaded_when_asked_for() -> None:
    """So that `cranfield --help` does not wait for numpy."""
    script = "import sys, cranfield.metrics as m; early = 'numpy' in sys.modules; m.MEASURES; print(early)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


@pytest.mark.parametrize("digits", [9, 30, 400, 4_400])
@pytest.mark.parametrize(
    "name",
    [
        "P@{}", "SDCG@{}", "Judged@{}", "RprecMult@{}", "BPM(T={})@5", "F(beta={})", "ERR(max_grade={})@20",
        'nDCG(gains="1={}")', 'nDCG(gains="{}=1")', "AP(rel={})", "set_F_1.{}.3",
    ],
)  # fmt: skip
def test_a_number_without_end_is_refused_or_does_no_harm(name: str, digits: int) -> None:
    """No measure needs more than nine digits; more were an OverflowError."""
    measure = name.format("9" * digits if digits > 9 else 10**9)
    with suppress(MeasureError):
        evaluate({"q": {"d1": 1, "d2": 0, "d3": 2}}, {"q": {"d1": 2.0, "d2": 1.0}}, [measure])


def test_grades_beyond_the_powers_of_two_are_no_trouble_to_err() -> None:
    """The best grade of all satisfies for sure, whatever it is."""
    scores = evaluate({"q": {"d1": 5000}}, {"q": {"d1": 1.0}}, ["ERR"])
    assert scores["value"].tolist() == [1.0]


@pytest.mark.needs("answers")
def test_every_measure_is_one() -> None:
    """Each once per task, with a reason, a warning and a source."""
    for task in TASKS:
        names = {parse(advice.measure).complete() for advice in task.advice}
        assert len(names) == len(task.advice) > 1
        assert all(advice.why and advice.misleads and advice.source for advice in task.advice)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("known item", ["known-item"]),
        ("Recall@5", ["known-item", "recall", "first-stage"]),
        ("hit rate", ["known-item", "rag"]),
        ("F1", ["set-retrieval"]),
        ("RAG", ["rag"]),
        ("graded", ["many-grades"]),
        ("legal or medical recall", ["recall"]),
        ("first-page web search", ["web-search"]),
        ("alpha-nDCG", ["diversity"]),
    ],
)
def test_words_that_people_type(words: str, names: list[str]) -> None:
    """Whatever their case, blanks and dashes; a number after @ is k."""
    assert [task.name for task in tasks_for(words)] == names


def test_every_word_finds_its_task() -> None:
    """Each word of a task, even where a task has it as its name."""
    for task in TASKS:
        for word in task.words:
            assert task in tasks_for(word), word


def test_the_command_prints_it(cranfield: Cranfield) -> None:
    """The measures, and the command line that computes them."""
    out = cranfield("measures", "--for", "known-item").out
    assert out.startswith("known-item: one right answer")
    assert out.endswith("  cranfield evaluate qrels.txt a.run -m RR@10 -m Success@1 -m Success@10\n")
    rows = json.loads(cranfield("measures", "--for", "rag", "--format", "json").out)
    assert {"task": "rag", "measure": "R@5"}.items() <= rows[0].items()


def test_other_words_are_an_error(cranfield: Cranfield) -> None:
    """One line that lists the tasks; a measure and a task at once is wrong usage."""
    result = cranfield("measures", "--for", "cooking")
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert all(task.name in result.err for task in TASKS)
    assert cranfield("measures", "AP", "--for", "rag").code == 2


def test_the_help_lists_the_tasks() -> None:
    """All of them, in the order of the table."""
    *names, last = [task.name for task in TASKS]
    assert f"The tasks are {', '.join(names)} and {last}." in " ".join((measures.__doc__ or "").split())


@pytest.mark.parametrize(
    ("name", "meant"),
    {
        "p@5": "P@5", "r@1000": "R@1000", "rprec": "Rprec", "PRECISION@5": "P@5", "R-Precision": "Rprec",
        "Q-measure": "Q", "Hit Rate@5": "Success@5", "HitRate@1": "Success@1", "Mean Reciprocal Rank@10": "RR@10",
    }.items(),
)  # fmt: skip
def test_other_spellings_are_answered_with_one_measure(name: str, meant: str) -> None:
    with pytest.raises(MeasureError) as error:
        parse(name)
    assert str(error.value) == f"unknown measure {name!r}; did you mean {meant}?"
