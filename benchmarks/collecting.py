"""What active learning finds, beside the figures that it should.

`python -m benchmarks.collecting tar|shares|scal|speed`:

    tar      CLEF 2017 technologically assisted reviews: recall after R, 2R and 4R documents, and WSS@95
    shares   CACM, CISI, NPL, Cranfield: the share of the known relevant documents in the first 20, 50 and 100
    scal     CISI: the estimated number of relevant documents over the known one, with `bound` 10
    speed    the seconds of a batch with so many documents (made at random), 1,000,000 by default

With names after it, of those topics or collections alone. Needs the collections of ../shared/data.
"""

import gzip
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import cast

import numpy as np
from scipy.sparse import csr_matrix

from cranfield.arrays.rankings import Ints, Mask, Qrels
from cranfield.features.collecting.vectors import VectorCorpus, Vectors, topic_text, vectors_of
from cranfield.formats import Document
from cranfield.pooling.candidates import Candidates, by_topic, in_corpus
from cranfield.pooling.method import CorpusState
from cranfield.pooling.methods.table import METHODS
from cranfield.pooling.replay import heard
from cranfield.search.systems import search
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEEDS = (0, 1, 2)
REVIEWS = {  # recall at R, 2R, 4R; WSS@95
    "7394": (0.43, 0.82, 0.96, 0.81), "7427": (0.44, 0.67, 0.81, 0.70), "8760": (0.50, 0.92, 1.0, 0.47),
    "9020": (0.44, 0.75, 0.95, 0.56), "9185": (0.44, 0.70, 0.91, 0.64), "9551": (0.32, 0.70, 0.94, 0.85),
    "9786": (0.0, 0.0, 0.53, 0.36), "9944": (0.51, 0.79, 0.94, 0.59), "10386": (0.0, 0.0, 0.0, 0.80),
    "10542": (0.35, 0.35, 0.47, 0.31), "10633": (0.25, 0.25, 0.25, 0.88), "10705": (0.96, 1.0, 1.0, 0.75),
}  # fmt: skip
MEANS = (0.387, 0.579, 0.730, 0.643)
SHARES = {  # of CAL from the topic's text, and after BM25's first 10, with 20, 50 and 100 documents
    "cacm": ((0.39, 0.65, 0.82), (0.41, 0.68, 0.82)), "cisi": ((0.17, 0.34, 0.54), (0.18, 0.36, 0.55)),
    "npl": ((0.21, 0.41, 0.60), (0.24, 0.43, 0.61)), "cranfield1400": ((0.54, 0.72, 0.83), (0.56, 0.74, 0.83)),
}  # fmt: skip


def review(number: str) -> tuple[Candidates, Mask]:
    """The candidates of a review as a corpus, and which of them it took."""
    files = DATA / "clef-tar-2017"
    name = f"CD{int(number):06}"
    with gzip.open(files / f"{name}.docs.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    with gzip.open(files / f"{name}.qrels.gz", "rt") as lines:
        taken = {row[2] for row in map(str.split, lines) if int(row[3]) > 0}
    title = json.loads((files / f"{name}.topic.json").read_text())["title"]
    documents = [Document(str(row["id"]), row["title"] or "", row["content"] or "") for row in rows]
    [topic] = in_corpus([], VectorCorpus(vectors_of(documents), {name: title}), ())
    return topic, np.array([docno in taken for docno in topic.docnos])


def gains(order: Ints, truth: Mask) -> tuple[float, ...]:
    """Recall after R, 2R and 4R documents, and the work saved over sampling at a recall of .95."""
    found, total = np.cumsum(truth[order]), int(truth.sum())
    needed = int(np.searchsorted(found, 0.95 * total)) + 1
    recall = [found[min(times * total, len(found)) - 1] / total for times in (1, 2, 4)]
    return (*map(float, recall), (len(truth) - needed) / len(truth) - 0.05)


def tar(names: list[str]) -> None:
    rows = []
    for number in names or REVIEWS:
        topic, truth = review(number)
        found = [gains(heard(METHODS["cal"].start(topic, {}, seed), truth, len(topic)), truth) for seed in SEEDS]
        rows.append(np.mean(found, axis=0))
        print(number, rows[-1].round(2), "expected", REVIEWS[number], flush=True)
    print("mean", np.mean(rows, axis=0).round(3), "expected of all twelve", MEANS)


def relevant_by_topic(qrels: Qrels) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for topic, document in zip(qrels.topic[qrels.grade > 0], qrels.document[qrels.grade > 0], strict=True):
        found.setdefault(str(qrels.topics.names[topic]), set()).add(str(qrels.docnos.names[document]))
    return found


def judged_topics(name: str) -> tuple[VectorCorpus, list[Candidates], dict[str, set[str]]]:
    """The corpus of a collection with the topics that have relevant documents, what BM25 finds for each, and these."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.db"
        subprocess.run(
            [sys.executable, "-m", "cranfield", "collection", "build", name, DATA / name, path],
            check=True, capture_output=True,
        )  # fmt: skip
        with Store.open(path) as store:
            documents, topics, qrels = list(store.documents()), store.topics(), qrels_of(store)
            relevant = relevant_by_topic(qrels)
    texts = {topic.qid: topic_text(topic) for topic in topics if topic.qid in relevant}
    runs = search(documents, [topic for topic in topics if topic.qid in relevant], systems=["bm25"])
    return VectorCorpus(vectors_of(documents), texts), by_topic(runs, 100), relevant


def shares(names: list[str]) -> None:
    """Of all topics together."""
    for name in names or SHARES:
        corpus, retrieved, relevant = judged_topics(name)
        total = sum(map(len, relevant.values()))
        for how, given, right in zip(("text", "bm25"), ([], retrieved), SHARES[name], strict=True):
            found = np.zeros((len(SEEDS), 3))
            for topic in in_corpus(given, corpus, ["bm25"] if given else ()):
                truth = np.array([docno in relevant.get(topic.qid, ()) for docno in topic.docnos])
                for seed in SEEDS:
                    order = heard(METHODS["cal"].start(topic, {}, seed), truth, 100)
                    found[seed] += np.cumsum(truth[order])[[19, 49, 99]]
            print(name, how, (found.mean(axis=0) / total).round(2), "expected", right, flush=True)


def scal(names: list[str]) -> None:
    for name in names or ["cisi"]:
        corpus, _, relevant = judged_topics(name)
        total, estimates, labels = sum(map(len, relevant.values())), list[float](), 0
        for seed in SEEDS:
            estimate = 0.0
            for topic in in_corpus([], corpus, ()):
                truth = np.array([docno in relevant[topic.qid] for docno in topic.docnos])
                state = METHODS["scal"].start(topic, {"bound": 10}, seed)
                drawn = heard(state, truth, len(topic))
                labels = len(drawn)
                chance = {one.docno: one.probability for one in cast("CorpusState", state).pooled(drawn.tolist())}
                estimate += sum(1 / (chance[docno] or 1) for docno in topic.docnos[drawn[truth[drawn]]])
            estimates.append(estimate / total)
        print(name, "estimate / R", np.round(estimates, 3), "mean", round(fmean(estimates), 3), labels, "labels")


def speed(names: list[str]) -> None:
    """Documents of 80 terms each; some hundred rows to learn from."""
    size, terms, random = int(names[0]) if names else 1_000_000, 80, np.random.default_rng(0)
    column = np.minimum(random.zipf(1.3, size * terms) - 1, 199_999).astype(np.int32)
    data = np.full(size * terms, 1 / np.sqrt(terms), np.float32)
    rows = csr_matrix((data, column, np.arange(0, size * terms + 1, terms)), shape=(size, 200_000))
    docnos, words = tuple(f"d{n:07}" for n in range(size)), tuple(f"w{n}" for n in range(200_000))
    corpus = VectorCorpus(Vectors(docnos, rows, words, np.ones(200_000, np.float32)), {"q": "w10 w20 w30"})
    [topic] = in_corpus([], corpus, ())
    for several in (1, 50, 200, 1000):
        state = METHODS["cal"].start(topic, {}, 0)
        known = {int(n): bool(n % 3) for n in random.choice(size, several, replace=False)}
        cast("CorpusState", state).restore([*known], known)
        begun = time.perf_counter()
        state.next(10)
        print(size, "documents,", several, "judged: a batch in", round(time.perf_counter() - begun, 3), "s", flush=True)


def main(what: str, names: list[str]) -> None:
    {"tar": tar, "shares": shares, "scal": scal, "speed": speed}[what](names)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
