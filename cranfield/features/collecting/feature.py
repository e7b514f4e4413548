"""Collecting without a shared task: active learning, stopping, searching, systems outside, topics in development."""

from cranfield.hooks import Added, Feature, Row

FEATURE = Feature(
    "collecting",
    "cranfield.features.collecting",
    added=(
        Added("search", "systems.commands:SystemOptions", "systems.commands:search_with"),
        Added("progress", "stop_commands:StopOptions", "stop_commands:show_stops"),
    ),
    rows=(
        Row("search.outside", "systems.commands:search_files"),
        Row("pooling.methods", "cal:CAL", "cal"),
        Row("pooling.methods", "scal:SCAL", "scal"),
    ),
)
