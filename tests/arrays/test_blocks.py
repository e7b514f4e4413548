"""Blocks of topics: joined, they are the batch that they were cut from."""

import numpy as np

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import JudgedBlocks
from cranfield.metrics.inputs import as_qrels, as_runs


def test_blocks_are_joined_to_the_whole_batch() -> None:
    """Also where topics take turns between the blocks, and a run did not answer one of them."""
    random = np.random.default_rng(2)
    qids = [f"q{number}" for number in range(5)]
    runs = {
        tag: {qid: {f"d{document}": float(random.random()) for document in range(12)} for qid in qids if qid != missing}
        for tag, missing in (("a", ""), ("b", "q3"))
    }
    qrels = {qid: {f"d{document}": int(random.integers(0, 3)) for document in range(0, 12, 2)} for qid in qids}
    judged = join_runs_and_qrels(as_runs(runs), as_qrels(qrels))
    topics = [np.array([0, 3]), np.array([1]), np.array([2, 4])]
    bare = judged.rows(np.zeros(0, np.int64))
    whole = JudgedBlocks(bare, topics, [judged.select_topics(some) for some in topics]).joined
    for name in ("tags", "qids", "ranking", "rank", "grade", "judgment", "retrieved", "qrels_topic", "qrels_grade"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(judged, name), err_msg=name)
