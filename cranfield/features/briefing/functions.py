"""Practice and questions in Python: what `cranfield assessor` does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from cranfield.api.arguments import checked
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame


@checked
def set_practice_topic(store: StoreGiven, qid: str, *, gold: str) -> int:
    """Let assessors practise on a topic by the grades and notes of one person; how many documents it has."""
    from cranfield.features.briefing.store import set_gold

    with store_open(store) as there:
        return set_gold(there, qid, gold)


@checked
def list_practice_results(store: StoreGiven) -> DataFrame:
    """How assessors did while they practised: assessor, documents, right, above, below."""
    import pandas as pd

    from cranfield.features.briefing.store import results

    with store_open(store) as there:
        return pd.DataFrame(results(there), columns=["assessor", "documents", "right", "above", "below"])


@checked
def list_questions(store: StoreGiven) -> DataFrame:
    """What assessors asked, with the answers: id, at, qid, assessor, question, answer."""
    import pandas as pd

    from cranfield.features.briefing.store import TopicQuestion, questions

    with store_open(store) as there:
        return pd.DataFrame(questions(there), columns=list(TopicQuestion._fields))


@checked
def answer_question(store: StoreGiven, number: int, text: str) -> None:
    """Answer a question; everybody who judges its topic sees it."""
    from cranfield.features.briefing.store import answer

    with store_open(store) as there:
        answer(there, number, text, uuid4().hex)
