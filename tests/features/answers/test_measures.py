"""The measures of answers: the published figures, and laws that hold for every row of the table."""

from itertools import product
from math import isnan, nan
from random import Random

import numpy as np
import pytest

from cranfield.errors import MeasureError
from cranfield.features.answers.measures import ANSWER_MEASURES
from cranfield.features.answers.measures.judged import JudgedAnswer, JudgedAnswers
from cranfield.metrics import MEASURES, Measure, parse
from cranfield.metrics.notation import parse_measures

NUGGETS = JudgedAnswer(vital=[True] * 3 + [False] * 2, nuggets=[1, 0.5, 0, 1, 0.5])
CITED = JudgedAnswer(
    citations=["a", "b", "c", ""],
    support={(at, frozenset(d)): s for at, (d, s) in enumerate(zip("abc", (1, 0.5, 0), strict=True))},
)
LABELS = (0.0, 0.5, 1.0)
BINARY = (0.0, 1.0)
SETS = ("a", "b", "c", "bc")


def batch(*answers: JudgedAnswer) -> JudgedAnswers:
    """Answers of one run to as many topics."""
    qids = tuple(f"q{number}" for number in range(len(answers)))
    return JudgedAnswers(("r",), qids, answers, np.ones((1, len(answers)), bool))


def value(name: str, answer: JudgedAnswer) -> float:
    """What a measure says of an answer."""
    return float(parse(name).scores(batch(answer))[0])


@pytest.mark.parametrize(
    ("name", "answer", "score"),
    [
        ("A", NUGGETS, 0.6), ("A_strict", NUGGETS, 0.4), ("V", NUGGETS, 0.5), ("V_strict", NUGGETS, 0.3333),
        ("W", NUGGETS, 0.5625), ("W_strict", NUGGETS, 0.375), ("SupportP", CITED, 0.5), ("SupportR", CITED, 0.375),
        ("CtxP", JudgedAnswer(contexts=[1, 0, 1, 0]), 0.8333), ("CtxP@2", JudgedAnswer(contexts=[1, 0, 1, 0]), 1.0),
        ("V_strict", JudgedAnswer(vital=[False], nuggets=[1]), nan),
    ],
)  # fmt: skip
def test_the_figures_of_the_papers_and_programs(name: str, answer: JudgedAnswer, score: float) -> None:
    """Three vital nuggets and two okay, four sentences, four documents."""
    assert value(name, answer) == pytest.approx(score, abs=5e-5, nan_ok=True)


def random_answer(random: Random, nan_at: float = 0.0) -> JudgedAnswer:
    """An answer with labels, some of them perhaps missing."""

    def labels(number: int, values: tuple[float, ...] = LABELS) -> list[float]:
        return [nan if random.random() < nan_at else random.choice(values) for _ in range(number)]

    size = random.randint(1, 5)
    citations = ["".join(random.sample("abcd", random.randint(0, 4))) for _ in range(random.randint(1, 4))]
    sets = [
        ("a",),
        *(tuple(one) for one in ("b", "c", "d", "ab", "ac", "ad", "bc", "bd", "cd", "abc", "abd", "acd", "bcd")),
    ]
    support = {(at, frozenset(one)): random.choice(LABELS) for at, one in product(range(len(citations)), sets)}
    vectors = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(3)]
    return JudgedAnswer(
        [True, *(random.random() < 0.5 for _ in range(size - 1))],
        labels(size),
        citations,
        support=support,
        contexts=labels(4, BINARY),
        reference=labels(3, BINARY),
        statements=labels(3, BINARY),
        question=vectors[0],
        questions=vectors[1:],
        noncommittal=labels(2, BINARY),
        claims=labels(3, BINARY),
        right=labels(2, BINARY),
        rubric=labels(3, BINARY),
        weights=[1.0, 2.0, 0.5],
        wins=labels(3),
    )


SOUND = [random_answer(Random(seed)) for seed in range(60)]


@pytest.mark.parametrize("measure", ANSWER_MEASURES, ids=str)
def test_a_measure_keeps_to_its_range(measure: Measure) -> None:
    """Where all labels are there it is defined, and in its range."""
    values = measure.scores(batch(*SOUND))
    low, high = measure.range
    assert ((values >= low - 1e-12) & (values <= high + 1e-12)).all()


@pytest.mark.parametrize("measure", [m for m in ANSWER_MEASURES if m.name != "AnsRel"], ids=str)
def test_perfect_labels_give_one_and_the_worst_none(measure: Measure) -> None:
    """Everything is said, supported, relevant; or nothing is."""
    for label in (0.0, 1.0):
        answers = [
            answer._replace(
                support={(at, frozenset(one)): label for at in (0, 1) for one in SETS},
                nuggets=[label] * len(answer.nuggets),
                contexts=[label] * 4, reference=[label] * 3, statements=[label] * 3, citations=["a", "bc"],
                claims=[label] * 3, right=[label] * 2, rubric=[label] * 3, wins=[label] * 3,
            )
            for answer in SOUND
        ]  # fmt: skip
        assert measure.scores(batch(*answers)).tolist() == [label] * len(answers)


@pytest.mark.parametrize("measure", ANSWER_MEASURES, ids=str)
def test_a_missing_label_is_nan_and_never_a_number_made_up(measure: Measure) -> None:
    """Defined with a label missing, a score is the same whatever the label is; else it is NaN, though not undefined."""
    for seed in range(40):
        whole = random_answer(Random(seed))
        partial = random_answer(Random(seed), nan_at=0.3)
        gappy = partial._replace(support={key: s for at, (key, s) in enumerate(whole.support.items()) if at % 3})
        score = measure.scores(batch(gappy))[0]
        bounds = [measure.scores(batch(_fill(gappy, label)))[0] for label in (0.0, 1.0)]
        assert isnan(score) or bounds[0] == bounds[1] == score
        assert not np.isnan(measure.scores(batch(gappy).labelled())).any()


def _fill(answer: JudgedAnswer, label: float) -> JudgedAnswer:
    """Every missing label is this one."""

    def full(labels: object) -> list[float]:
        return [label if isnan(one) else one for one in labels]  # type: ignore[attr-defined]

    sets = {(at, frozenset(one)): label for at in range(4) for one in _subsets("abcd")}
    return answer._replace(
        nuggets=full(answer.nuggets), contexts=full(answer.contexts), reference=full(answer.reference),
        statements=full(answer.statements), claims=full(answer.claims), right=full(answer.right),
        rubric=full(answer.rubric), wins=full(answer.wins), noncommittal=full(answer.noncommittal),
        support={**sets, **answer.support},
    )  # fmt: skip


def _subsets(names: str) -> list[str]:
    return [
        "".join(n for n, take in zip(names, mask, strict=True) if take) for mask in product((0, 1), repeat=len(names))
    ]


@pytest.mark.parametrize("measure", ANSWER_MEASURES, ids=str)
def test_a_row_says_what_it_is(measure: Measure) -> None:
    """Its name comes back, its page has a source and says when it misleads; the table has no name of a ranking's."""
    assert parse(measure.name) == measure
    assert "Source:" in measure.about
    assert "misleads" in measure.about
    assert measure.description.endswith(".")
    assert measure.name not in {other.name for other in MEASURES}


def test_rankings_and_answers_are_not_confused() -> None:
    """A measure of one is refused for the other, with what would be right."""
    with pytest.raises(MeasureError, match="is a measure of rankings; for answers, choose from V_strict, V,"):
        parse_measures(["V", "nDCG@10"], of="answers")
    with pytest.raises(MeasureError, match=r"evaluate track.db --answers -m CtxP"):
        parse_measures(["AP", "CtxP@5"])
    with pytest.raises(MeasureError, match="V has no option 'judged_only'"):
        parse("V(judged_only=True)")


def test_the_first_three_citations_count() -> None:
    """As in ALCE; the fourth is not looked at, and one that is not needed is not good."""
    sets = {"a": 0, "b": 1, "c": 0, "bc": 1, "ac": 0, "ab": 1, "abc": 1}
    answer = JudgedAnswer(citations=["abcd"], support={(0, frozenset(one)): s for one, s in sets.items()})
    assert [value(name, answer) for name in ("CiteRecall", "CitePrecision")] == pytest.approx([1, 1 / 3])
    partly = answer._replace(support={**answer.support, (0, frozenset("abc")): 0.5})
    assert [value(name, partly) for name in ("CiteRecall", "CitePrecision")] == [0, 0]
