"""The functions that take options of features; with_features.pyi has each of these with its type and default."""

from cranfield.api.measuring import compare, evaluate
from cranfield.api.trusting import leave_one_out

__all__ = ["compare", "evaluate", "leave_one_out"]
