"""Collecting without a shared task: active learning, stopping, searching, systems outside, topics in development."""

from cranfield.hooks import Feature, Row

FEATURE = Feature(
    "collecting",
    "cranfield.features.collecting",
    rows=(Row("pooling.methods", "cal:CAL", "cal"), Row("pooling.methods", "scal:SCAL", "scal")),
)
