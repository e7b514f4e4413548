"""Preferences: which of two documents is better, said by people or models."""

from cranfield.hooks import Commands, Feature, Row

FEATURE = Feature(
    "preferences",
    "cranfield.features.preferences",
    needs=("models",),
    commands=(
        Commands("Build", "commands", "import", "preferences"),
        Commands("Build", "commands", "export", "preferences"),
        Commands("Judge", "commands", "model", "prefer"),
    ),
    rows=(Row("models.tasks", "by_model:preference_task", "preference"),),
)
