"""Laws that every pooling method over runs keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.adaptive import propose_documents, resume
from cranfield.pooling.build import build_pool
from cranfield.pooling.candidates import Candidates, candidates_by_topic
from cranfield.pooling.examples import example
from cranfield.pooling.method import Method, State
from cranfield.testing.checks import run_checks

DEPTH = 20
SEED = 7
Scores = dict[str, dict[str, dict[str, float]]]
Options = Mapping[str, object]


def check_pooling_method(
    method: Method, exempt: Mapping[str, str] | None = None, options: Options | None = None
) -> None:
    """
    Check that a pooling method over runs keeps the laws of pooling methods.

    Every law is tried on three topics of six small runs. One run has many
    equal scores, one is short, one does not answer each topic.

    Parameters
    ----------
    method : Method
        The method.
    exempt : mapping of str to str, optional
        Laws that the method does not keep, by name, each with the reason.
        `cranfield.testing.POOLING_LAWS` lists the names.
    options : mapping of str to object, optional
        Options with which the method fits a pool of 8 documents per topic.

    Raises
    ------
    AssertionError
        If the method breaks a law, with the method and the law; or if it keeps
        a law from which it is exempt.
    ValueError
        If the method proposes documents of a corpus instead of runs, or
        `exempt` names an unknown law.

    Examples
    --------
    >>> from cranfield.pooling.methods import METHODS
    >>> check_pooling_method(METHODS["rrf"])
    >>> check_pooling_method(METHODS["rrf"], exempt={"seed": "it draws"})
    Traceback (most recent call last):
    ...
    AssertionError: rrf keeps the law seed, from which it is exempt ('it draws'); remove the exemption
    """
    if method.corpus is not None:
        raise ValueError(f"{method.name} pools documents of a corpus; check_pooling_method checks methods over runs")
    laws = {name: partial(law, method, options or {}) for name, law in POOLING_LAWS.items()}
    run_checks(method.name, laws, exempt or {})


def example_runs(n_runs: int = 6, n_topics: int = 3, n_documents: int = 40, seed: int = 1) -> Scores:
    """Return runs over one corpus: one with many equal scores, one short, one without a topic."""
    random = np.random.default_rng(seed)

    def ranking(run: int) -> dict[str, float]:
        scores = random.normal(size=n_documents) + np.arange(n_documents) / 9
        order = random.permutation(n_documents)[: 5 if run == 1 else n_documents - 5]
        return {f"d{document}": float(document % 2 if run == 2 else scores[document]) for document in order}

    return {
        f"r{run}": {f"q{topic}": ranking(run) for topic in range(n_topics) if (run, topic) != (3, 0)}
        for run in range(n_runs)
    }


def example_candidates(seed: int = 1) -> list[Candidates]:
    """Return the candidates of each topic of the example runs."""
    return candidates_by_topic(as_runs(example_runs(seed=seed)), DEPTH)


def example_relevance(topic: Candidates) -> dict[int, bool]:
    """Return which documents are relevant: those of a high number, which most runs rank high."""
    return {document: int(docno[1:]) >= 30 for document, docno in enumerate(topic.docnos)}


def judge_batches(method: Method, topic: Candidates, sizes: Sequence[int], seed: int = SEED) -> list[list[int]]:
    """Propose and judge batches of these sizes in turn; return the documents of each batch."""
    return [documents for _, documents in _batches_by_state(method, topic, sizes, seed)]


def _batches_by_state(
    method: Method, topic: Candidates, sizes: Sequence[int], seed: int
) -> Iterator[tuple[State, list[int]]]:
    state, relevant = method.start(topic, seed=seed), example_relevance(topic)
    for size in sizes:
        documents = state.next(size).tolist()
        state.observe({document: relevant[document] for document in documents})
        yield state, documents


def check_sizes(method: Method, options: Options) -> None:
    """Check that `next` gives at most the number of documents asked for, each once."""
    sizes = [4, 1, 7, 500, 3]
    for topic in example_candidates():
        batches = judge_batches(method, topic, sizes)
        documents = [document for batch in batches for document in batch]
        for batch, size in zip(batches, sizes, strict=True):
            assert len(batch) <= size, f"{len(batch)} documents of {topic.qid}; expected at most {size}"
        assert len(documents) == len(set(documents)), f"it proposes a document of {topic.qid} twice: {documents}"
        assert len(batches[0]) == 4, f"{len(batches[0])} documents first; expected 4 of {len(topic)}"


def check_exhaustive(method: Method, options: Options) -> None:
    """Check that the method proposes all candidates in the end."""
    for topic in example_candidates():
        documents = {document for batch in judge_batches(method, topic, [4, 7, 500, 500]) for document in batch}
        assert method.fixed or len(documents) == len(topic), (
            f"it proposes {len(documents)} documents of {topic.qid}; expected all {len(topic)}"
        )


def check_seed(method: Method, options: Options) -> None:
    """Check that a seed gives the same documents again, and any seed if the method is not declared random."""
    for topic, again in zip(example_candidates(), example_candidates(), strict=True):
        documents = judge_batches(method, topic, [5, 5])
        assert judge_batches(method, again, [5, 5]) == documents, f"one seed gives other documents of {topic.qid}"
        other = judge_batches(method, topic, [5, 5], SEED + 1)
        assert method.random or other == documents, "another seed gives other documents; expected random=True"


def check_topics(method: Method, options: Options) -> None:
    """Check that the pool of a topic does not depend on the other topics."""
    alone = {tag: {"q1": run["q1"]} for tag, run in example_runs().items()}
    pools = [
        build_pool(method, as_runs(runs), DEPTH, options=options, budget=9, seed=3) for runs in (example_runs(), alone)
    ]
    among = [document for document in pools[0] if document.qid == "q1"]
    assert among == pools[1], "the pool of q1 is another one without the other topics"


def check_order_of_runs(method: Method, options: Options) -> None:
    """Check that the order of the runs changes neither the pool nor the order of judging."""
    runs, reverse = as_runs(example_runs()), as_runs(dict(reversed(example_runs().items())))
    sizes: tuple[dict[str, Any], ...] = ({"budget": 9}, {"depths": {}})
    for size in sizes:
        pools = [build_pool(method, order, DEPTH, options=options, **size) for order in (runs, reverse)]
        keys = [[(document.qid, document.docno, document.depth) for document in pool] for pool in pools]
        assert keys[0] == keys[1], "the runs in reverse order give another pool"
    for topic, again in zip(candidates_by_topic(runs, DEPTH), candidates_by_topic(reverse, DEPTH), strict=True):
        batches = [judge_batches(method, candidates, [3, 3, 3]) for candidates in (topic, again)]
        assert batches[0] == batches[1], "the runs in reverse order give another order of judging"


def check_fixed_order(method: Method, options: Options) -> None:
    """Check that `order` has what `next` gives, and that static methods have one."""
    for topic in example_candidates():
        order = method.start(topic, seed=SEED).order
        if order is None:
            assert method.adaptive or method.fixed, "`order` is None; expected an order, adaptive=True or fixed=True"
        else:
            assert not method.adaptive, "`order` of an adaptive method; expected None"
            documents = method.start(topic, seed=SEED).next(len(topic))
            assert documents.tolist() == order.tolist(), f"`next` gives {documents}; expected `order`, {order}"


def check_larger_budget(method: Method, options: Options) -> None:
    """Check that the pool of a larger budget contains the pool of a smaller one."""
    runs = as_runs(example_runs())
    small, large = (
        {(document.qid, document.docno) for document in pool}
        for pool in (build_pool(method, runs, DEPTH, options=options, budget=size, seed=3) for size in (8, 11))
    )
    assert len(small) == 24, f"{len(small)} documents for a budget of 8 on 3 topics; expected 24"
    assert small <= large, f"{len(small - large)} documents for a budget of 8 are not in the pool for 11"


def check_single_document(method: Method, options: Options) -> None:
    """Check that one run with one document is pooled."""
    state = method.start(example("a"))
    first = state.next(5).tolist()
    assert first == [0], f"{first} of one document; expected [0]"
    state.observe({0: True})
    after = state.next(5).tolist()
    assert after == [], f"{after} after the only document; expected []"


def check_replay(method: Method, options: Options) -> None:
    """Check that an adaptive method, taken up again after each batch, goes on as if it had not stopped."""
    for sizes in ([1] * 12, [5, 5, 5], [3, 8, 2]):
        for topic in example_candidates() if method.adaptive else ():
            relevant, pooled, batches = example_relevance(topic), list[int](), list[list[int]]()
            start = partial(method.start, topic, None, SEED)
            for number, size in enumerate(sizes):
                known = {document: relevant[document] for document in pooled}
                state, is_replay = resume(start, pooled, known, sizes[:number])
                assert is_replay, f"the replay of batches {sizes[:number]} differs from the first time"
                batches.append(propose_documents(state, pooled, size))
                pooled += batches[-1]
            reference = judge_batches(method, topic, sizes)
            assert batches == reference, f"taken up again it proposes {batches}; expected {reference}"


def check_late_run(method: Method, options: Options) -> None:
    """Check that an adaptive method proposes a late run's documents, and no pooled document again."""
    if not method.adaptive:
        return
    runs = example_runs()
    late_run = {"late": {"q1": {f"new{number}": float(-number) for number in range(9)}}}
    early = candidates_by_topic(as_runs({tag: run for tag, run in runs.items() if tag != "r0"}), DEPTH)[1]
    late = candidates_by_topic(as_runs(runs | late_run), DEPTH)[1]
    number = {docno: document for document, docno in enumerate(late.docnos)}
    batches = judge_batches(method, early, [5, 5])
    pooled = [number[early.docnos[document]] for batch in batches for document in batch]
    relevant = {document: docno.startswith("new") or int(docno[1:]) >= 30 for docno, document in number.items()}
    known = {document: relevant[document] for document in pooled}
    state, is_replay = resume(partial(method.start, late, None, SEED), pooled, known, [5, 5])
    assert not is_replay, "the pool with a late run counts as a replay"
    again = set(propose_documents(state, pooled, 500)) & set(pooled)
    assert not again, f"it proposes {len(again)} pooled documents again"


def check_late_judgments(method: Method, options: Options) -> None:
    """Check that an adaptive method goes on when a batch is half judged, and other documents are judged."""
    if not method.adaptive:
        return
    topic = example_candidates()[0]
    relevant, start = example_relevance(topic), partial(method.start, topic, None, SEED)
    first = propose_documents(start(), [], 6)
    known = {document: relevant[document] for document in [*first[::2], len(topic) - 1]}
    state, _ = resume(start, first, known, [6])
    proposals = propose_documents(state, first, 6)
    assert len(proposals) == 6, f"{len(proposals)} documents; expected 6"
    assert not set(proposals) & set(first), "it proposes a pooled document again"


def check_judgments_matter(method: Method, options: Options) -> None:
    """Check that judgments change what an adaptive method proposes, and nothing that a static method proposes."""
    topic = example_candidates()[1]

    def order(relevant: set[int]) -> list[int]:
        state, documents = method.start(topic, seed=SEED), list[int]()
        for _ in range(20):
            proposals = state.next(1).tolist()
            state.observe({document: document in relevant for document in proposals})
            documents += proposals
        return documents

    differ = order(set(topic.lists[4].tolist())) != order(set())
    assert differ == method.adaptive, (
        f"judgments {'change' if differ else 'do not change'} its proposals; expected adaptive={differ}"
    )


def check_probabilities(method: Method, options: Options) -> None:
    """Check that a method has inclusion probabilities, above 0 and at most 1, exactly if it samples."""
    for topic in example_candidates():
        state = method.start(topic, seed=SEED)
        has = state.probability is not None
        assert has == method.samples, f"probability is {state.probability}; expected {method.samples=}"
        documents = state.next(8)
        if state.probability is not None:
            chance = state.probability[documents]
            assert (chance > 0).all(), "a proposed document has no chance"
            assert (state.probability <= 1 + 1e-12).all(), "a probability exceeds 1"


def check_options(method: Method, options: Options) -> None:
    """Check that the method has a description and a source, and that its options refuse invalid values."""
    assert method.description, "it has no description"
    assert method.source, "it has no source"
    for option in method.options:
        assert option.about, f"option {option.name} has no description"
        assert option.read(str(option.default)) == option.default, f"option {option.name} does not read its default"
        if option.choices or not isinstance(option.default, str):
            assert _refuses(partial(option.read, "nonsense")), f"option {option.name} accepts 'nonsense'"
    assert _refuses(partial(method.fill_options, {"nonsense": 1})), "it accepts an unknown option"


def _refuses(function: Callable[[], object]) -> bool:
    try:
        function()
    except InputError:
        return True
    return False


POOLING_LAWS: Mapping[str, Callable[[Method, Options], None]] = {
    "sizes": check_sizes,
    "exhaustive": check_exhaustive,
    "seed": check_seed,
    "topics": check_topics,
    "order_of_runs": check_order_of_runs,
    "fixed_order": check_fixed_order,
    "larger_budget": check_larger_budget,
    "single_document": check_single_document,
    "replay": check_replay,
    "late_run": check_late_run,
    "late_judgments": check_late_judgments,
    "judgments_matter": check_judgments_matter,
    "probabilities": check_probabilities,
    "options": check_options,
}
