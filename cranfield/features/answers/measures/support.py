"""Measures of what supports an answer, its citations and the retrieved documents, and of its relevance."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import isnan, nan, sqrt

from cranfield.features.answers.measures.judged import JudgedAnswer, map_answers, mean_label
from cranfield.metrics.measure import Measure


def support_precision(answer: JudgedAnswer) -> float:
    """The mean support by the first citation, over the sentences that cite.

    >>> first = [(0, frozenset("a")), (1, frozenset("b")), (2, frozenset("c"))]
    >>> answer = JudgedAnswer(citations=["a", "b", "c", ""], support=dict(zip(first, [1, 0.5, 0])))
    >>> support_precision(answer), support_precision(JudgedAnswer(citations=[""]))
    (0.5, 0.0)
    """
    labels = [answer.support_by(at, docnos[:1]) for at, docnos in enumerate(answer.citations) if docnos]
    return mean_label(labels) if labels else 0.0


SUPPORTP = Measure("SupportP", map_answers(support_precision), of="answers", needs="support", explanation="""
SupportP, support precision: how far cited documents support the sentences that cite them.

Of each sentence with citations the first one counts: support 1, partial support .5, no support 0. It misleads alone:
an answer with one sound citation and nine sentences without has 1 (see SupportR). An answer that cites nothing has 0,
as in ALCE; a label that failed or is missing makes it NaN.

Source: Thakur et al., Support evaluation for the TREC 2024 RAG track: comparing human versus LLM judges, arXiv
2504.15205, 2025.
""")  # fmt: skip


def support_recall(answer: JudgedAnswer) -> float:
    """The mean support by the first citation, over all sentences; 0 for one that cites nothing.

    >>> first = [(0, frozenset("a")), (1, frozenset("b")), (2, frozenset("c"))]
    >>> answer = JudgedAnswer(citations=["a", "b", "c", ""], support=dict(zip(first, [1, 0.5, 0])))
    >>> support_recall(answer), support_recall(JudgedAnswer())
    (0.375, 0.0)
    """
    labels = [answer.support_by(at, docnos[:1]) if docnos else 0.0 for at, docnos in enumerate(answer.citations)]
    return mean_label(labels) if labels else 0.0


SUPPORTR = Measure("SupportR", map_answers(support_recall), of="answers", needs="support", explanation="""
SupportR, support recall: how much of the answer is supported by what it cites.

Of each sentence the first citation counts: support 1, partial support .5, no support or no citation 0. It misleads
where sentences need no citation, such as a first sentence that announces the others. An answer without sentences has
0; a label that failed or is missing makes it NaN.

Source: Thakur et al., Support evaluation for the TREC 2024 RAG track: comparing human versus LLM judges, arXiv
2504.15205, 2025.
""")  # fmt: skip


MOST = 3  # citations of a sentence


def citation_recall(answer: JudgedAnswer) -> float:
    """The share of the sentences that their first three citations entail together.

    >>> sets = {"a": 0, "b": 1, "ab": 1}
    >>> answer = JudgedAnswer(citations=["ab", ""], support={(0, frozenset(one)): label for one, label in sets.items()})
    >>> citation_recall(answer), citation_recall(JudgedAnswer())
    (0.5, 0.0)
    """
    labels = [answer.entailment_by(at, docnos[:MOST]) for at, docnos in enumerate(answer.citations)]
    return mean_label(labels) if labels else 0.0


CITERECALL = Measure("CiteRecall", map_answers(citation_recall), of="answers", needs="support", explanation="""
CiteRecall, citation recall: the share of the sentences that their citations, taken together, entail.

Of each sentence the first three citations count, as one set; partial support is not enough. It needs labels of sets,
not of single citations. It misleads where sentences need no citation. A sentence without a citation counts 0, as does
an answer without sentences; a label that failed or is missing makes it NaN.

Source: Gao, Yen, Yu and Chen, Enabling large language models to generate text with citations, EMNLP 2023; its program
ALCE.
""")  # fmt: skip


def citation_precision(answer: JudgedAnswer) -> float:
    """The share of the citations without which their sentence would not be entailed, or which entail it alone.

    >>> sets = {"a": 0, "b": 1, "ab": 1}
    >>> answer = JudgedAnswer(citations=["ab", ""], support={(0, frozenset(one)): label for one, label in sets.items()})
    >>> citation_precision(answer), citation_precision(JudgedAnswer(citations=[""]))
    (0.5, 0.0)
    """
    labels = [label for at, docnos in enumerate(answer.citations) for label in _good(answer, at, docnos[:MOST])]
    return mean_label(labels) if labels else 0.0


def _good(answer: JudgedAnswer, sentence: int, docnos: Sequence[str]) -> Iterator[float]:
    """Of each citation of a sentence whether it is good."""
    together = answer.entailment_by(sentence, docnos)
    for one in docnos:
        if together != 1 or len(docnos) == 1:
            yield together  # or NaN
            continue
        alone = answer.entailment_by(sentence, [one])
        others = answer.entailment_by(sentence, [other for other in docnos if other != one]) if alone != 1 else 0.0
        yield alone if isnan(alone) else others if isnan(others) else float(alone == 1 or others == 0)


CITEPRECISION = Measure("CitePrecision", map_answers(citation_precision), of="answers", needs="support", explanation="""
CitePrecision, citation precision: the share of the citations that are needed for what they are cited for.

Of each sentence the first three citations count. One is good if all of them together entail the sentence, and if it
entails it alone or the others do not without it. It needs labels of sets, not of single citations. It misleads alone:
an answer with one good citation has 1 (see CiteRecall). An answer that cites nothing has 0; a label that is needed and
failed or is missing makes it NaN.

Source: Gao, Yen, Yu and Chen, Enabling large language models to generate text with citations, EMNLP 2023; its program
ALCE.
""")  # fmt: skip


def context_precision(answer: JudgedAnswer, cutoff: int | None = None) -> float:
    """The mean of the precision at the ranks of the relevant documents among those that an answer was made from.

    >>> round(context_precision(JudgedAnswer(contexts=[1, 0, 1, 0])), 4), context_precision(JudgedAnswer(contexts=[0]))
    (0.8333, 0.0)
    """
    contexts = answer.contexts[:cutoff]
    precisions = [total / at for at, total in enumerate(accumulate(contexts), 1)]
    relevant = sum(contexts)
    return sum(p * v for p, v in zip(precisions, contexts, strict=True)) / relevant if relevant else 0.0


CTXP = Measure("CtxP", map_answers(context_precision), of="answers", needs="contexts", explanation="""
CtxP, context precision: whether the relevant among the documents that an answer was made from come first.

CtxP@k = sum of P@i v_i over the first k / sum of v_i over them, v_i 1 where document i is relevant. It is not AP: it
is divided by what was retrieved, not by what is relevant, so it says nothing of documents that are missing. By docnos,
context precision is the measure P and context recall the measure R of the run that retrieved the documents. It
misleads where one relevant document comes first and nothing else is found: it is 1 then. Without a relevant document
it is 0, as in ragas; an unjudged document makes it NaN.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip


def context_recall(answer: JudgedAnswer) -> float:
    """The share of the sentences of a reference answer that the retrieved documents say.

    >>> context_recall(JudgedAnswer(reference=[1, 1, 0, 1])), context_recall(JudgedAnswer())
    (0.75, nan)
    """
    return mean_label(answer.reference)


CTXR = Measure("CtxR", map_answers(context_recall), of="answers", needs="reference", explanation="""
CtxR, context recall: the share of a reference answer that the retrieved documents say.

It says whether the documents that an answer was made from suffice. It misleads where the reference answer is one of
several good ones. It needs a reference answer and a label of each of its sentences: `cranfield answers claims import`
and `label`; a sentence that the documents say in part counts as one that they do not say. By docnos, context recall is
the measure R. A label that failed makes it NaN; so does a reference without sentences.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip


def faithfulness(answer: JudgedAnswer) -> float:
    """The share of the statements of an answer that can be inferred from the retrieved documents.

    >>> faithfulness(JudgedAnswer(statements=[1, 0])), faithfulness(JudgedAnswer(statements=[1, float("nan")]))
    (0.5, nan)
    >>> faithfulness(JudgedAnswer(statements=[]))
    nan
    """
    return mean_label(answer.statements)


FAITHFUL = Measure("Faithful", map_answers(faithfulness), of="answers", needs="statements", explanation="""
Faithful, faithfulness: the share of the statements of an answer that can be inferred from the retrieved documents.

It says whether an answer invents. It misleads where an answer states little: one true sentence has 1. It needs the
statements of an answer and a label of each: `cranfield answers claims make` or `import`, and `label`; a statement that
the documents say in part counts as invented. A label that failed makes it NaN, and never counts as yes; so do
statements that are missing. Of an answer that states nothing it is undefined, and that is counted apart.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip


def answer_relevance(answer: JudgedAnswer) -> float:
    """The mean cosine of the question and those generated from the answer; 0 if each time it was found evasive.

    >>> one = JudgedAnswer(question=[1, 0], questions=[[2, 0], [0, 1]], noncommittal=[0, 1])
    >>> answer_relevance(one), answer_relevance(one._replace(noncommittal=[1, 1])), answer_relevance(JudgedAnswer())
    (0.5, 0.0, nan)
    """
    if not answer.questions or any(map(isnan, answer.noncommittal)):
        return nan
    evasive = bool(answer.noncommittal) and all(answer.noncommittal)
    cosines = [_cosine(answer.question, one) for one in answer.questions]
    return sum(cosines) / len(cosines) * (not evasive)


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    size = sqrt(sum(x * x for x in one) * sum(x * x for x in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / size if size else nan


ANSREL = Measure(
    "AnsRel", map_answers(answer_relevance), range=(-1.0, 1.0), of="answers", needs="questions", explanation="""
AnsRel, answer relevance: how near the questions that an answer would answer are to the one that was asked.

The mean cosine of the embeddings of the question and of each question that a model makes from the answer; 0 if the
model calls the answer evasive each time. It says whether an answer keeps to the question, and nothing of whether it is
right. It misleads where two embedding models are compared, whose cosines have other ranges. Questions and embeddings
come from `cranfield answers questions make`; without generated questions, or where an embedding is missing or has no
length, it is NaN.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip
