"""What the store keeps of practice and questions."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables

SAID = """
SELECT e.id, e.event_id, e.at, t.qid, a.name AS assessor, e.text, coalesce(q.event_id, e.answers) AS answers
FROM question e JOIN topic t ON t.id = e.topic JOIN assessor a ON a.id = e.assessor
LEFT JOIN question q ON q.id = e.answers
"""
SAID_IN_MESSAGES = """
SELECT e.id, e.event_id, e.at, a.name AS assessor, e.text, coalesce(m.event_id, e.dismisses) AS dismisses
FROM message e JOIN assessor a ON a.id = e.assessor LEFT JOIN message m ON m.id = e.dismisses
"""
TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("gold_label", "copy", key="topic", columns="document grade label", order="topic document"),
        Table("practice_label", "rows", log=True, unpublished=("practice label", "practice labels")),
        Table("question", "rows", log=True, said=SAID, personal="text", unpublished=("question", "questions")),
    ),
    shown={
        "gold_label": Presentation("Practice: the right grades", None, ("topic",)),
        "practice": Presentation("Practice, with names", None, ("assessor", "qid")),
        "practice_label": Presentation("Practice: log", None, ("assessor",)),
        "question": Presentation("Questions and answers: log", None, ("assessor",)),
        "questions": Presentation("Questions and answers, with names", None, ("assessor", "qid")),
    },
)
MESSAGES = Tables(
    Path(__file__).with_name("messages.sql").read_text("utf-8"),
    (Table("message", "rows", log=True, said=SAID_IN_MESSAGES, personal="text", unpublished=("message", "messages")),),
    shown={
        "message": Presentation("Messages to assessors: log", None, ("assessor",)),
        "messages": Presentation("Messages to assessors, with names", None, ("assessor",)),
    },
)
