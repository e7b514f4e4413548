"""Whether all was drawn from, of which a stored sample is to tell."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.arrays.rankings import Runs
from cranfield.errors import InputError
from cranfield.pooling.designs import parts
from cranfield.pooling.methods.table import METHODS
from cranfield.pooling.retrieved import by_topic
from cranfield.store.runs import Pool


def check_stored(pool: Pool, runs: Runs, depths: Mapping[str, int | None] | None = None) -> None:
    """Refuse to estimate from a pool of which there is a stratum, or a topic, that nothing was drawn from.

    Looked up in what the pool's runs, as far as they are among `runs`, retrieved to the depth that was considered.
    """
    given, there = pool.parameters, {(document.qid, document.stratum or "") for document in pool.documents}
    qids = {qid for qid, _ in there}
    considered = given.get("considered") or given.get("depth")
    for topic in by_topic(runs.select(given.get("runs", ())), considered, depths):
        for part in parts(METHODS[pool.method], topic, given.get("options"), pool.seed or 0):
            if topic.qid not in qids or (part.name and (part.qid, part.name) not in there):
                raise InputError(
                    f"pool {pool.number} ({pool.method}) has none of {part}, so that nothing is known of them;"
                    " build a larger pool, judgments stay"
                )
