"""The recall that rules of `progress --stop` certify, of a random draw and active learning that was told the draw."""

from functools import partial
from typing import cast

import numpy as np

from benchmarks.designs.design import Design, Random
from cranfield.features.collecting.stopping import CertifyingRule
from cranfield.features.collecting.vectors import VectorCorpus, vectors_of
from cranfield.formats import Document
from cranfield.pooling.candidates import corpus_candidates
from cranfield.pooling.method import CorpusState
from cranfield.pooling.methods import METHODS

DOCUMENTS, WORDS = 400, 60
SHARES = (0.15, 0.4)  # of the words of the topic, in a document that is not relevant and in one that is


def corpus(random: Random) -> tuple[list[Document], list[bool]]:
    """Documents, of which a fifth are relevant: those have more words of the topic, some none."""
    relevant = (random.random(DOCUMENTS) < 0.2).tolist()
    documents = []
    for number, good in enumerate(relevant):
        own = random.binomial(12, SHARES[good] * random.random())
        words = [f"t{n}" for n in random.integers(WORDS // 3, size=own)]
        others = [f"w{n}" for n in random.integers(WORDS, size=12 - own)]
        documents.append(Document(f"d{number:03}", text=" ".join(words + others)))
    return documents, relevant


def draw(rule: CertifyingRule, size: int, random: Random) -> bool | None:
    """Whether the recall is there when the rule stops."""
    documents, relevant = corpus(random)
    truth, seed = np.array(relevant), int(random.integers(1 << 31))
    vectors = VectorCorpus(vectors_of(documents), {"q": "t1 t2 t3"})
    [topic] = corpus_candidates([], vectors, (), size)
    sample = METHODS["draw"].start(topic, seed=seed).next(size)
    targets = sample[truth[sample]][: rule.limit(size)].tolist()
    threshold = rule.threshold(int(truth[sample].sum()))
    if threshold is None:
        return None
    [topic] = corpus_candidates([], vectors.replace_topics(vectors.texts, {"q": topic.docnos[sample].tolist()}), ())
    state, proposals = cast("CorpusState", METHODS["cal"].start(topic, seed=seed)), list[int]()
    state.observe({document: bool(truth[document]) for document in sample.tolist()})
    while len({*proposals} & {*targets}) < threshold:
        batch = state.next(state.batch).tolist()
        state.observe({document: bool(truth[document]) for document in batch})
        proposals += batch
    return bool(truth[proposals].sum() >= rule.recall * truth.sum())


RULES = (
    (CertifyingRule("qbcb", 0.8), 100),
    (CertifyingRule("qbcb", 0.8), 200),
    (cast("CertifyingRule", CertifyingRule.read("target")), 100),
)
ROWS = [
    Design(
        "progress --stop",
        f"{rule.name}: a recall of {rule.recall:.2g}, {size} of {DOCUMENTS} documents drawn",
        partial(draw, rule, size),
        draws=300,
    )
    for rule, size in RULES
]
