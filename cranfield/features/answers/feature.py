"""Generated answers: nuggets, the support of citations, claims and questions, by people and by models."""

from cranfield.hooks import Commands, Feature, Row

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
    ),
    groups={
        "answers": "Evaluate generated answers: label nuggets, the support of citations, claims and questions.",
        "answers nuggets": "Nuggets: the facts that an answer should have.",
        "answers claims": "Claims: what reference answers and answers say, and whether documents say it.",
        "answers questions": "Ask a model which questions each answer would answer, for answer relevance.",
    },
    rows=(
        Row("formats.answers", "formats.answers:RAGTIME"),
        Row("formats.answers", "formats.answers:RAG25"),
        Row("formats.answers", "formats.answers:RAG24"),
        Row("formats.nuggets", "formats.nuggets:NUGGETIZER"),
        Row("formats.nuggets", "formats.nuggets:NUGGETS"),
    ),
)
