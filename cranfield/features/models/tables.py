"""What the store keeps of language models: what they were asked and answered, and audits of their labels."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables

CALL = """
SELECT e.id, e.at, e.request, e.reused, a.name AS assessor, a.kind AS assessor_kind, e.task, t.qid, d.docno, e.subject,
    p.sha256 AS prompt, e.document_sha256, e.model, e.answered_by, e.host, e.parameters, e.request_sha256, e.answer,
    e.reasoning, e.finish_reason, e.tokens_in, e.tokens_out, e.cost, e.seconds, e.attempt, e.status, e.outcome,
    e.reason, e.parser, e.characters_cut, e.addresses_judge
FROM model_call e JOIN assessor a ON a.id = e.assessor JOIN topic t ON t.id = e.topic JOIN prompt p ON p.id = e.prompt
LEFT JOIN document d ON d.id = e.document
"""
SHOWN = {
    "audit": Presentation("Audits of models", None, ("unit",)),
    "audit_stratum": Presentation("Audits of models: strata"),
    "audited": Presentation("Audits of models: documents", None, ("audit",)),
    "model_call": Presentation("Calls of models", None, ("assessor", "task", "outcome")),
    "model_request": Presentation("Requests to models", None, ("assessor", "task")),
    "model_setting": Presentation("Settings of models", None, ("task", "model")),
    "prompt": Presentation("Prompts", "name", ("task",)),
}
TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("audit", "rows", columns="model assessor unit strata_by seed made",
              unpublished=("audit of a model", "audits of models")),
        Table("audit_stratum", part_of="audit", key="audit", columns="stratum units", order="audit stratum"),
        Table("audited", part_of="audit", key="audit", columns="topic document stratum", order="audit topic document"),
        Table("prompt", "rows", append_only=True, columns="sha256 name task version source"),
        Table("model_setting", "copy", append_only=True, key="assessor task", columns="model prompt parameters made"),
        Table("model_request", "rows", append_only=True),
        Table("model_call", "rows", log=True, said=CALL, unpublished=("call of a model", "calls of models")),
    ),
    shown=SHOWN,
)  # fmt: skip
TOPIC_TABLES = """
CREATE TABLE audited_topic (  -- the topics of a sample of labels of something else than documents
    audit INTEGER NOT NULL REFERENCES audit (id),
    topic INTEGER NOT NULL REFERENCES topic (id),
    labels TEXT NOT NULL,  -- nuggets, support, claims
    PRIMARY KEY (audit, topic)
) STRICT, WITHOUT ROWID;
"""
TOPICS = Tables(
    TOPIC_TABLES,
    (Table("audited_topic", part_of="audit", key="audit", columns="topic labels", order="audit topic"),),
    shown={"audited_topic": Presentation("Audits of models: topics", None, ("audit", "labels"))},
)
