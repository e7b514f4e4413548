"""Labels by language models: asked, audited against people's, corrected."""

from cranfield.hooks import AddedOptions, Commands, Feature, Functions, Row

FEATURE = Feature(
    "models",
    "cranfield.features.models",
    commands=(
        Commands("Judge", "commands.labels", "model assess", "run export import"),
        Commands("Judge", "commands.labels", "model", "prompts"),
        Commands("Judge", "commands.labels", "model", "panel"),
        Commands("Judge", "commands.audit", "model audit", "draw report estimate"),
        Commands("Judge", "commands.choice", "store", "labels"),
    ),
    groups={
        "model": "Label with language models: ask them, and audit and correct their labels by people's.",
        "model assess": "Label a pool's documents with a language model: ask a server, or write and read batch files.",
        "model audit": "Draw a sample of a model's labels for a person to judge, compare both, and estimate what people"
        " would have said.",
    },
    functions=(
        Functions("models", "functions", "assess export_batch import_batch list_prompts"),
        Functions("models", "functions", "form_panel draw_audit_sample audit estimate_human_labels"),
    ),
    added=(AddedOptions("judge", "commands.audit:AuditOptions", "commands.audit:judge_sample"),),
    rows=(
        Row("store.verify", "calls:refuse_changed"),
        Row("store.beside", "asking.journal:unstored_replies"),
        Row("models.audits", "analysis.documents:KIND", "documents"),
        Row("labels.choice", "choice:recorded_choice", "label_choice"),
        Row("store.happenings", "choice:choices_in_history", "label_choice"),
        Row("collections.built", "choice:choice_of_recipe"),
    ),
    tables=("tables:TABLES", "tables:TOPICS", "tables:CHOICE"),
)
