"""What active learning finds, beside the figures that it should.

`python -m benchmarks.collecting tar|table|left|seeds|scal|speed|labels`:

    tar      CLEF 2017 technologically assisted reviews: recall after R, 2R and 4R documents, and WSS@95
    table    CACM, CISI, NPL, Cranfield, LISA, by 20, 50 and 100 documents a topic: the share of the known
             relevant ones, tau of the order of fourteen baselines, and how those change at 50 that are left out
    left     the same changes where all fourteen make the pool, each left out in turn
    seeds    tau after the baselines' first ten again, of thirteen seeds one by one
    scal     CACM, NPL, CISI: the estimated number of relevant documents over the known one, with `bound` 10
    labels   of a store of `benchmarks.big_corpus`, imported: how fast labels are acknowledged in the browser, alone and
             while another assessor searches without pause for either of the two commonest words
    speed    the seconds of a batch with so many documents (made at random), 1,000,000 by default, when it is asked for
             and when it was prepared, and how long labels waited for that

With names after it, of those topics or collections alone. Needs the collections of ../shared/data.
"""

import asyncio
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

import httpx2 as httpx
import numpy as np
from pandas import Series
from scipy.sparse import csr_matrix
from scipy.stats import kendalltau

from benchmarks.big_corpus import word
from benchmarks.serving import HIDDEN, TRUST, Acknowledgements, Load, Server, answer, judge
from cranfield.arrays.rankings import Ints, Mask, Runs
from cranfield.features.collecting.finding.store import allow
from cranfield.features.collecting.vectors import VectorCorpus, Vectors, topic_text, vectors_of
from cranfield.formats import Document
from cranfield.metrics.evaluate import evaluate
from cranfield.pooling.candidates import Candidates, candidates_by_topic, corpus_candidates
from cranfield.pooling.method import CorpusState
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import proposals
from cranfield.search.systems import search
from cranfield.store.pools import Pool, PooledDocument, add_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEEDS = (0, 1, 2)
Found = Mapping[str, Sequence[str]]
REVIEWS = {  # recall at R, 2R, 4R; WSS@95
    "7394": (0.43, 0.82, 0.96, 0.81), "7427": (0.44, 0.67, 0.81, 0.70), "8760": (0.50, 0.92, 1.0, 0.47),
    "9020": (0.44, 0.75, 0.95, 0.56), "9185": (0.44, 0.70, 0.91, 0.64), "9551": (0.32, 0.70, 0.94, 0.85),
    "9786": (0.0, 0.0, 0.53, 0.36), "9944": (0.51, 0.79, 0.94, 0.59), "10386": (0.0, 0.0, 0.0, 0.80),
    "10542": (0.35, 0.35, 0.47, 0.31), "10633": (0.25, 0.25, 0.25, 0.88), "10705": (0.96, 1.0, 1.0, 0.75),
}  # fmt: skip
MEANS = (0.387, 0.579, 0.730, 0.643)
BUDGETS = (20, 50, 100)
POOLS = {  # by BM25, by the baselines' best ranks, active learning from the text, after BM25's first 10, the baselines'
    "bm25": ("take", "bm25"), "take": ("take", "all"), "cal": ("cal", ""),
    "bm25+cal": ("cal", "bm25"), "all+cal": ("cal", "all"),
}  # fmt: skip
TABLE = {  # share and tau with so many documents; mean change of AP in %, standard deviation, the worst
    "cacm": {
        "bm25": ((.33, .47, .60), (.78, .82, .91), (44, 8, -14)),
        "take": ((.30, .48, .61), (.82, .91, .91), (39, 5, -12)),
        "cal": ((.39, .65, .82), (.85, .93, .96), (11, 3, -7)),
        "bm25+cal": ((.41, .68, .82), (.80, .93, .96), (18, 3, -8)),
        "all+cal": ((.41, .69, .82), (.85, .93, .96), (18, 3, -7)),
    },
    "npl": {
        "bm25": ((.24, .42, .57), (.84, .92, .92), (47, 8, -14)),
        "take": ((.21, .38, .52), (.87, .87, .92), (50, 6, -21)),
        "cal": ((.21, .41, .60), (.71, .87, .95), (35, 6, -11)),
        "bm25+cal": ((.24, .43, .61), (.74, .89, .96), (39, 6, -14)),
        "all+cal": ((.24, .43, .61), (.79, .90, .92), (38, 6, -11)),
    },
    "cisi": {
        "bm25": ((.14, .24, .37), (.34, .45, .54), (70, 16, -29)),
        "take": ((.15, .26, .38), (.60, .67, .78), (61, 7, -19)),
        "cal": ((.17, .34, .54), (.69, .86, .93), (15, 4, -7)),
        "bm25+cal": ((.18, .36, .55), (.62, .88, .96), (23, 4, -10)),
        "all+cal": ((.19, .36, .55), (.74, .93, .98), (23, 3, -7)),
    },
    "cranfield1400": {
        "bm25": ((.46, .60, .70), (.67, .93, 1.0), (26, 2, -6)),
        "take": ((.48, .64, .74), (.91, .96, .96), (22, 1, -4)),
        "cal": ((.54, .72, .83), (.86, .96, .94), (12, 1, -1)),
        "bm25+cal": ((.56, .74, .83), (.91, .96, .95), (12, 1, -1)),
        "all+cal": ((.58, .75, .84), (.98, .96, .93), (12, 1, -1)),
    },
}  # fmt: skip


def review(number: str) -> tuple[Candidates, Mask]:
    """The candidates of a review as a corpus, and which of them it took."""
    files = DATA / "clef-tar-2017"
    name = f"CD{int(number):06}"
    with gzip.open(files / f"{name}.docs.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    with gzip.open(files / f"{name}.qrels.gz", "rt") as lines:
        relevant = {row[2] for row in map(str.split, lines) if int(row[3]) > 0}
    title = json.loads((files / f"{name}.topic.json").read_text())["title"]
    documents = [Document(str(row["id"]), row["title"] or "", row["content"] or "") for row in rows]
    [topic] = corpus_candidates([], VectorCorpus(vectors_of(documents), {name: title}), ())
    return topic, np.array([docno in relevant for docno in topic.docnos])


def gains(order: Ints, truth: Mask) -> tuple[float, ...]:
    """Recall after R, 2R and 4R documents, and the work saved over sampling at a recall of .95."""
    relevant, total = np.cumsum(truth[order]), int(truth.sum())
    effort = int(np.searchsorted(relevant, 0.95 * total)) + 1
    recall = [relevant[min(times * total, len(relevant)) - 1] / total for times in (1, 2, 4)]
    return (*map(float, recall), (len(truth) - effort) / len(truth) - 0.05)


def tar(names: list[str]) -> None:
    rows = []
    for number in names or REVIEWS:
        topic, truth = review(number)
        results = [gains(proposals(METHODS["cal"].start(topic, {}, seed), truth, len(topic)), truth) for seed in SEEDS]
        rows.append(np.mean(results, axis=0))
        print(number, rows[-1].round(2), "expected", REVIEWS[number], flush=True)
    print("mean", np.mean(rows, axis=0).round(3), "expected of all twelve", MEANS)


class Collection(NamedTuple):
    """A collection: the topics that have relevant documents, these, and what fourteen baselines retrieve."""

    corpus: VectorCorpus
    runs: Runs
    relevant: dict[str, set[str]]

    def share(self, pools: Found) -> float:
        """Of all relevant documents together, how many are among these."""
        return sum(len(self.relevant[qid] & {*pools[qid]}) for qid in pools) / sum(map(len, self.relevant.values()))

    def scores(self, pools: Found | None = None) -> Series:
        """The AP of each baseline that retrieves anything, where only the relevant documents among these are known.

        NPL's documents have no titles, so that a ranker of titles retrieves nothing, and would raise every tau.
        """
        judged = {qid: every if pools is None else {*pools.get(qid, ())} for qid, every in self.relevant.items()}
        qrels = {qid: {docno: int(docno in judged[qid]) for docno in every} for qid, every in self.relevant.items()}
        return (
            evaluate(qrels, self.runs, measures="AP")
            .set_index("run")["value"]
            .reindex([self.runs.tags[n] for n in np.unique(self.runs.run)])
        )

    def pool(self, how: str, seed: int, left_out: str = "", budget: int = BUDGETS[-1]) -> Found:
        """The documents that a method of POOLS would have judged, in order, by topic."""
        method, names = POOLS[how]
        tags = [tag for tag in self.runs.tags if tag != left_out and names in ("all", tag)]
        rows = np.isin(self.runs.run, [self.runs.tags.index(tag) for tag in tags])
        retrieved = candidates_by_topic(self.runs.rows(rows), 100) if tags else []
        topics = corpus_candidates(retrieved, self.corpus, tags) if method == "cal" else retrieved
        return {t.qid: self._judge(method, t, seed, budget) for t in topics}

    def _judge(self, method: str, topic: Candidates, seed: int, budget: int) -> list[str]:
        truth = np.array([docno in self.relevant[topic.qid] for docno in topic.docnos])
        docnos: list[str] = topic.docnos[proposals(METHODS[method].start(topic, {}, seed), truth, budget)].tolist()
        return docnos


def collection(name: str) -> Collection:
    """Built by its recipe."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.db"
        subprocess.run(
            [sys.executable, "-m", "cranfield", "collection", "build", name, DATA / name, path],
            check=True, capture_output=True,
        )  # fmt: skip
        with Store.open(path) as store:
            qrels, relevant = qrels_of(store), dict[str, set[str]]()
            for row in np.flatnonzero(qrels.grade > 0):
                qid, docno = qrels.topics.names[qrels.topic[row]], qrels.docnos.names[qrels.document[row]]
                relevant.setdefault(qid, set()).add(docno)
            documents = list(store.documents())
            topics = [topic for topic in store.topics() if topic.qid in relevant]
            runs = search(documents, topics, fts=store.search)
    return Collection(VectorCorpus(vectors_of(documents), {t.qid: topic_text(t) for t in topics}), runs, relevant)


def table(names: list[str]) -> None:
    """Of all topics together; the means of three seeds, but left-out runs of the first alone."""
    for name in names or [*TABLE, "lisa"]:
        corpus = collection(name)
        full = corpus.scores()
        for how, (method, tags) in POOLS.items():
            pools = [corpus.pool(how, seed) for seed in (SEEDS if method == "cal" else SEEDS[:1])]
            parts = [[{qid: docnos[:budget] for qid, docnos in pool.items()} for budget in BUDGETS] for pool in pools]
            shares = np.mean([[corpus.share(part) for part in several] for several in parts], axis=0)
            scores = [[corpus.scores(part) for part in several] for several in parts]
            taus = np.mean([[kendalltau(full, one).statistic for one in several] for several in scores], axis=0)
            changes = 100 * (scores[0][1] / full - 1)
            inside = changes[tags] if tags in changes else changes.mean()
            loss = "by `left`" if tags == "all" else in_numbers(changes.drop(tags or []), inside, changes.std())
            print(name, how, shares.round(2), taus.round(2), loss, "expected", TABLE.get(name, {}).get(how), flush=True)


def in_numbers(own: Series, inside: float | Series, spread: float) -> list[int]:
    """The change of AP of left-out rankers in percent: mean, standard deviation, and the worst against those inside.

    Against them one loses by the ratio of the two factors: with +10 % where they have +21 %, it is -9 %.
    """
    return [round(own.mean()), round(spread), round(min(100 * ((100 + own) / (100 + inside) - 1)))]


def leave_out(names: list[str]) -> None:
    """Each of the fourteen left out in turn, with 50 documents, one seed; deviations are of all rankers, mean over who
    is left out, and those inside are the other thirteen."""
    for name in names or [*TABLE, "lisa"]:
        corpus = collection(name)
        full = corpus.scores()
        for how in ("take", "all+cal"):
            pools = {tag: corpus.scores(corpus.pool(how, 0, left_out=tag, budget=50)) for tag in full.index}
            changes = {tag: 100 * (scores / full - 1) for tag, scores in pools.items()}
            own = Series({tag: one[tag] for tag, one in changes.items()})
            inside = Series({tag: one.drop(tag).mean() for tag, one in changes.items()})
            loss = in_numbers(own, inside, fmean(one.std() for one in changes.values()))
            print(name, how, loss, "expected", TABLE.get(name, {}).get(how), flush=True)


def seeds(names: list[str]) -> None:
    """With 20, 50 and 100 documents; which of them comes by chance."""
    for name in names or ["npl"]:
        corpus = collection(name)
        full, taus = corpus.scores(), []
        for seed in range(13):
            pool = corpus.pool("all+cal", seed)
            parts = [corpus.scores({qid: docnos[:budget] for qid, docnos in pool.items()}) for budget in BUDGETS]
            taus.append([kendalltau(full, part).statistic for part in parts])
        print(name, "mean", np.mean(taus, axis=0).round(3), "expected", TABLE[name]["all+cal"][1])
        print(np.round(taus, 3))


def scal(names: list[str]) -> None:
    for name in names or ["cacm", "npl", "cisi"]:
        corpus, _, relevant = collection(name)
        total, estimates, labels = sum(map(len, relevant.values())), list[float](), 0
        for seed in SEEDS:
            estimate = 0.0
            for topic in corpus_candidates([], corpus, ()):
                truth = np.array([docno in relevant[topic.qid] for docno in topic.docnos])
                state = METHODS["scal"].start(topic, {"bound": 10}, seed)
                sample = proposals(state, truth, len(topic))
                labels = len(sample)
                chance = {one.docno: one.probability for one in cast("CorpusState", state).pooled(sample.tolist())}
                estimate += sum(1 / (chance[docno] or 1) for docno in topic.docnos[sample[truth[sample]]])
            estimates.append(estimate / total)
        print(name, "estimate / R", np.round(estimates, 3), "mean", round(fmean(estimates), 3), labels, "labels")


def speed(names: list[str]) -> None:
    """Documents of 80 terms each; some hundred rows to learn from; alone, and prepared while others go on."""
    size, terms, random = int(names[0]) if names else 1_000_000, 80, np.random.default_rng(0)
    column = np.minimum(random.zipf(1.3, size * terms) - 1, 199_999).astype(np.int32)
    data = np.full(size * terms, 1 / np.sqrt(terms), np.float32)
    rows = csr_matrix((data, column, np.arange(0, size * terms + 1, terms)), shape=(size, 200_000))
    docnos, words = tuple(f"d{n:07}" for n in range(size)), tuple(f"w{n}" for n in range(200_000))
    corpus = VectorCorpus(Vectors(docnos, rows, words, np.ones(200_000, np.float32)), {"q": "w10 w20 w30"})
    [topic] = corpus_candidates([], corpus, ())
    for several in (1, 50, 200, 1000):
        truth = {int(n): bool(n % 3) for n in random.choice(size, several, replace=False)}
        seconds, waits = [], 0.0
        for ahead in (False, True):
            state = cast("CorpusState", METHODS["cal"].start(topic, {}, 0))
            state.restore([*truth], truth)
            if ahead:
                state.prepare()
                waits = longest_wait(corpus)
            start = time.perf_counter(), time.process_time()
            state.next(10)
            seconds += [time.perf_counter() - start[0], time.process_time() - start[1]]
        print(
            f"{size:,} documents, {several} judged: a batch in {seconds[0]:.3f} s ({seconds[1]:.3f} of CPU); in"
            f" {seconds[2]:.3f} s ({seconds[3]:.3f}) when it was prepared; others waited {waits:.3f} s at most",
            flush=True,
        )


def labels(names: list[str]) -> None:
    """The store gets a pool, searches and labels."""
    [path] = map(Path, names)
    with Store.open(path) as store:
        docnos = [docno for (docno,) in store.rows("SELECT docno FROM document LIMIT 1000")]
        add_pool(store, Pool("depth", {"depth": 1}, [PooledDocument("1", docno, 1, ("run",)) for docno in docnos]))
        allow(store, "ada")
    for query in ("", " OR ".join(map(word, range(2)))):
        seconds, searches = asyncio.run(label_times(path, query))
        median, late = np.percentile(seconds, [50, 99]) * 1000
        among = f"{len(searches)} searches of {fmean(searches):.2f} s" if searches else "nobody searches"
        print(f"{among}: {len(seconds)} labels in {median:.0f} ms at the median, {late:.0f} at the 99th percentile")


async def label_times(path: Path, query: str, seconds: float = 30.0) -> tuple[list[float], list[float]]:
    """The seconds of each label of an assessor, and of each search of another meanwhile, if there is a query."""
    server, answers = Server(path), Acknowledgements([], [], [], [])
    ada, bo = await server.start("ada", "bo")
    until = time.monotonic() + seconds
    judging = judge("bo", bo, Load(1, 0.2, seconds, arrive=0.0), until, answers)
    try:
        _, searches = await asyncio.gather(judging, searching(ada, query, until))
    finally:
        await server.kill()
    return answers.seconds, searches


async def searching(link: str, query: str, until: float) -> list[float]:
    """The seconds of each search of somebody who does nothing else."""
    took = list[float]()
    async with httpx.AsyncClient(timeout=120, verify=TRUST, follow_redirects=True) as client:
        base = link.partition("/enter/")[0]
        await answer(client, link)
        page = await answer(client, f"{base}/search?topic=1")
        while query and time.monotonic() < until:
            start = time.monotonic()
            fields = {**dict(HIDDEN.findall(page)), "query": query, "engine": "text"}
            page = await answer(client, f"{base}/search/find", fields)
            took.append(time.monotonic() - start)
    return took


def longest_wait(corpus: VectorCorpus) -> float:
    """How long this thread could not go on while scores were worked out beside it."""
    longest = 0.0
    while not all(one.done() for one in corpus.ready.values()):
        start = time.perf_counter()
        time.sleep(0.001)
        longest = max(longest, time.perf_counter() - start - 0.001)
    return longest


def main(what: str, names: list[str]) -> None:
    {"tar": tar, "table": table, "left": leave_out, "seeds": seeds, "scal": scal, "labels": labels, "speed": speed}[
        what
    ](names)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
