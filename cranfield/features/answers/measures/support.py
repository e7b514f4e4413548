"""Measures of what supports an answer, its citations and the retrieved documents, and of its relevance."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import isnan, nan, sqrt

from cranfield.features.answers.measures.judged import JudgedAnswer, map_answers, mean_label
from cranfield.metrics.measure import Measure


def support_precision(answer: JudgedAnswer) -> float:
    """Mean support by the first citation, over the sentences that have a citation.

    >>> first = [(0, frozenset("a")), (1, frozenset("b")), (2, frozenset("c"))]
    >>> answer = JudgedAnswer(citations=["a", "b", "c", ""], support=dict(zip(first, [1, 0.5, 0])))
    >>> support_precision(answer), support_precision(JudgedAnswer(citations=[""]))
    (0.5, 0.0)
    """
    labels = [answer.support_by(at, docnos[:1]) for at, docnos in enumerate(answer.citations) if docnos]
    return mean_label(labels) if labels else 0.0


SUPPORTP = Measure("SupportP", map_answers(support_precision), of="answers", needs="support", explanation="""
SupportP, support precision: how far cited documents support the sentences that cite them.

Only the first citation of each sentence counts: support 1, partial support 0.5, no support 0. Sentences without
citations are ignored. It misleads when read without SupportR: an answer with one sound citation and nine sentences
without citations scores 1. An answer that cites nothing scores 0, as in ALCE; the score is NaN if a label failed or is
missing.

Source: Thakur et al., Support evaluation for the TREC 2024 RAG track: comparing human versus LLM judges, arXiv
2504.15205, 2025.
""")  # fmt: skip


def support_recall(answer: JudgedAnswer) -> float:
    """Mean support by the first citation, over all sentences; a sentence without citations has 0.

    >>> first = [(0, frozenset("a")), (1, frozenset("b")), (2, frozenset("c"))]
    >>> answer = JudgedAnswer(citations=["a", "b", "c", ""], support=dict(zip(first, [1, 0.5, 0])))
    >>> support_recall(answer), support_recall(JudgedAnswer())
    (0.375, 0.0)
    """
    labels = [answer.support_by(at, docnos[:1]) if docnos else 0.0 for at, docnos in enumerate(answer.citations)]
    return mean_label(labels) if labels else 0.0


SUPPORTR = Measure("SupportR", map_answers(support_recall), of="answers", needs="support", explanation="""
SupportR, support recall: how much of the answer its citations support.

Only the first citation of each sentence counts: support 1, partial support 0.5, no support or no citation 0. It
misleads where sentences need no citation, such as an introductory sentence. An answer without sentences scores 0; the
score is NaN if a label failed or is missing.

Source: Thakur et al., Support evaluation for the TREC 2024 RAG track: comparing human versus LLM judges, arXiv
2504.15205, 2025.
""")  # fmt: skip


MOST = 3  # citations of a sentence


def citation_recall(answer: JudgedAnswer) -> float:
    """Share of the sentences that their first three citations entail together.

    >>> sets = {"a": 0, "b": 1, "ab": 1}
    >>> answer = JudgedAnswer(citations=["ab", ""], support={(0, frozenset(one)): label for one, label in sets.items()})
    >>> citation_recall(answer), citation_recall(JudgedAnswer())
    (0.5, 0.0)
    """
    labels = [answer.entailment_by(at, docnos[:MOST]) for at, docnos in enumerate(answer.citations)]
    return mean_label(labels) if labels else 0.0


CITERECALL = Measure("CiteRecall", map_answers(citation_recall), of="answers", needs="support", explanation="""
CiteRecall, citation recall: the share of the sentences that their citations together entail.

The first three citations of each sentence count as one set; partial support is not enough. It needs labels of sets, not
of single citations. It misleads where sentences need no citation. A sentence without a citation counts as 0, as does an
answer without sentences; the score is NaN if a label failed or is missing.

Source: Gao, Yen, Yu and Chen, Enabling large language models to generate text with citations, EMNLP 2023; its program
ALCE.
""")  # fmt: skip


def citation_precision(answer: JudgedAnswer) -> float:
    """Share of the citations that entail their sentence by themselves, or without which it is not entailed.

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
CitePrecision, citation precision: the share of the citations that their sentences need.

The first three citations of each sentence count. A citation is good if this set entails the sentence and the citation
contributes. A citation contributes if it entails the sentence by itself, or if the others do not entail the sentence.
It needs labels of sets, not of single citations. It misleads when read without CiteRecall: an answer with one good
citation scores 1. An answer that cites nothing scores 0. The score is NaN if a required label failed or is missing.

Source: Gao, Yen, Yu and Chen, Enabling large language models to generate text with citations, EMNLP 2023; its program
ALCE.
""")  # fmt: skip


def context_precision(answer: JudgedAnswer, cutoff: int | None = None) -> float:
    """Mean precision at the ranks of the relevant documents, among the documents used for the answer.

    >>> round(context_precision(JudgedAnswer(contexts=[1, 0, 1, 0])), 4), context_precision(JudgedAnswer(contexts=[0]))
    (0.8333, 0.0)
    """
    contexts = answer.contexts[:cutoff]
    precisions = [total / at for at, total in enumerate(accumulate(contexts), 1)]
    relevant = sum(contexts)
    return sum(p * v for p, v in zip(precisions, contexts, strict=True)) / relevant if relevant else 0.0


CTXP = Measure("CtxP", map_answers(context_precision), of="answers", needs="contexts", explanation="""
CtxP, context precision: whether the relevant documents come first among the documents that an answer was made from.

CtxP@k = sum of P@i v_i over the first k / sum of v_i over them, where v_i is 1 if document i is relevant. Unlike AP, it
is divided by the retrieved relevant documents, so it ignores relevant documents that were not retrieved. For docnos,
context precision is the measure P, and context recall the measure R, of the run that retrieved the documents. It
misleads where the only relevant document comes first, because the score is then 1. Without a relevant document the
score is 0, as in ragas; with an unjudged document it is NaN.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip


def context_recall(answer: JudgedAnswer) -> float:
    """Share of the reference answer's sentences that the retrieved documents support.

    >>> context_recall(JudgedAnswer(reference=[1, 1, 0, 1])), context_recall(JudgedAnswer())
    (0.75, nan)
    """
    return mean_label(answer.reference)


CTXR = Measure("CtxR", map_answers(context_recall), of="answers", needs="reference", explanation="""
CtxR, context recall: the share of a reference answer that the retrieved documents support.

It measures whether the documents that an answer was made from suffice. It misleads where the reference answer is one of
several good ones. It needs a reference answer and a label for each of its sentences: `cranfield answers claims import`
and `label`. A sentence with partial support counts as unsupported. For docnos, context recall is the measure R. The
score is NaN if a label failed, or if the reference has no sentences.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip


def faithfulness(answer: JudgedAnswer) -> float:
    """Share of the answer's statements that can be inferred from the retrieved documents.

    >>> faithfulness(JudgedAnswer(statements=[1, 0])), faithfulness(JudgedAnswer(statements=[1, float("nan")]))
    (0.5, nan)
    >>> faithfulness(JudgedAnswer(statements=[]))
    nan
    """
    return mean_label(answer.statements)


FAITHFUL = Measure("Faithful", map_answers(faithfulness), of="answers", needs="statements", explanation="""
Faithful, faithfulness: the share of an answer's statements that can be inferred from the retrieved documents.

It measures whether an answer invents facts. It misleads where an answer states little: a single true sentence scores 1.
It needs the statements of an answer and a label for each: `cranfield answers claims make` or `import`, and `label`. A
statement with partial support counts as invented. The score is NaN if a label failed or the statements are missing. It
is undefined for an answer that states nothing; a note gives the number of such answers.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip


def answer_relevance(answer: JudgedAnswer) -> float:
    """Mean cosine between the topic's question and questions generated from the answer; 0 for an evasive answer.

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
AnsRel, answer relevance: how similar the topic's question is to the questions that the answer would answer.

It is the mean cosine between the embedding of the topic's question and the embeddings of questions that a model writes
from the answer. It is 0 if the model calls the answer evasive each time. It measures whether an answer keeps to the
question, not whether it is right. It misleads where two embedding models are compared, because their cosines have
different ranges. Questions and embeddings come from `cranfield answers questions make`. Without them, or with an
embedding of length 0, it is NaN.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip
