"""What `iteration` means in judgments that come as records or a table: as in files, a second column, or a subtopic.

ir_measures' Qrel has the field `iteration`, for the second column of TREC qrels, and takes it for the subtopic where a
measure asks for subtopics. Here it is the subtopic where a document of a topic is judged for two of them, as a file of
subtopic qrels is told from others; else it is kept as the second column. A column `subtopic` needs no telling.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame

PAIR = ["query_id", "doc_id"]
WHOLE_TOPIC = "0"  # the iteration that names no subtopic


def with_subtopics(frame: DataFrame) -> DataFrame:
    """The judgments with `iteration` called `subtopic` where it names subtopics.

    >>> import pandas as pd
    >>> rows = [("q", "d", 1, "1"), ("q", "d", 0, "2"), ("q", "e", 1, "2")]
    >>> frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance", "iteration"])
    >>> list(with_subtopics(frame)), list(with_subtopics(frame[1:]))
    (['query_id', 'doc_id', 'relevance', 'subtopic'], ['query_id', 'doc_id', 'relevance', 'iteration'])
    """
    if "iteration" not in frame or "subtopic" in frame:
        return frame
    names = frame.assign(iteration=frame["iteration"].astype(str))
    named = names[names["iteration"] != WHOLE_TOPIC].drop_duplicates([*PAIR, "iteration"])
    is_round = any(re.fullmatch(r"-\d+|-?\d*\.\d+", name) for name in names["iteration"].unique())
    return frame.rename(columns={"iteration": "subtopic"}) if named.duplicated(PAIR).any() and not is_round else frame
