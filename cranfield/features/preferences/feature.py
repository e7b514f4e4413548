"""Preferences: which of two documents is better, said by people or models."""

from cranfield.hooks import AddedOptions, Commands, Feature, Functions, Row

FEATURE = Feature(
    "preferences",
    "cranfield.features.preferences",
    needs=("models",),
    commands=(
        Commands("Build", "commands", "import", "preferences"),
        Commands("Build", "commands", "export", "preferences"),
        Commands("Judge", "commands", "model", "prefer"),
    ),
    functions=(
        Functions("judging", "functions", "list_preferences"),
        Functions("models", "functions", "label_preferences"),
    ),
    added=(AddedOptions("judge", "judging:PairOptions", "judging:judge_pairs"),),
    tables=("tables:TABLES",),
    rows=(
        Row("web.sessions", "judging:in_browser", "prefer"),
        Row("web.besides", "store:has_pairs", "prefer"),
        Row("models.audits", "by_model:KIND", "preferences"),
        Row("models.tasks", "by_model:preference_task", "preference"),
        Row("store.remove_import", "store:take_preferences", "preferences"),
        Row("store.remove_topic", "store:refuse_topic"),
    ),
)
