"""Generated answers: nuggets, the support of citations, claims and questions, by people and by models."""

from cranfield.hooks import Added, Commands, Feature, Row

FEATURE = Feature(
    "answers",
    "cranfield.features.answers",
    needs=("models",),
    commands=(
        Commands("Build", "commands.files", "import", "answers"),
        Commands("Build", "commands.files", "export", "answers"),
        Commands("Judge", "commands.nuggets", "answers nuggets", "make edit import export show assign"),
        Commands("Judge", "commands.claims", "answers claims", "import make label"),
        Commands("Judge", "commands.support", "answers questions", "make"),
        Commands("Judge", "commands.support", "answers", "support"),
        Commands("Judge", "commands.audit", "model audit", "answers"),
    ),
    groups={
        "answers": "Evaluate generated answers: label nuggets, the support of citations, claims and questions.",
        "answers nuggets": "Nuggets: the facts that an answer should have.",
        "answers claims": "Claims: what reference answers and answers say, and whether documents say it.",
        "answers questions": "Ask a model which questions each answer would answer, for answer relevance.",
    },
    added=(
        Added("evaluate", "options:AnswerOptions", "steps:scores", of="answers"),
        Added("compare", "options:NuggetOptions", "steps:topic_scores", of="answers"),
        Added("reusability", "options:NuggetOptions", "steps:left_out", of="answers"),
    ),
    rows=(
        Row("measures", "measures.table:ANSWER_MEASURES"),
        Row("models.tasks", "by_model.assigning:assignment_task", "nugget-assignment"),
        Row("models.tasks", "by_model.supporting:support_task", "support"),
        Row("models.tasks", "by_model.attributing:attribution_task", "claim-attribution"),
        Row("models.tasks", "by_model.stating:statement_task", "statements"),
        Row("models.tasks", "by_model.questioning:questions_task", "questions"),
        Row("models.tasks", "by_model.making:making_task", "nugget-making"),
        Row("formats.answers", "formats.answers:RAGTIME"),
        Row("formats.answers", "formats.answers:RAG25"),
        Row("formats.answers", "formats.answers:RAG24"),
        Row("formats.nuggets", "formats.nuggets:NUGGETIZER"),
        Row("formats.nuggets", "formats.nuggets:NUGGETS"),
    ),
)
