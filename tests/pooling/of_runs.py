"""The methods that propose what runs retrieved; those of a corpus have tests in their feature."""

from cranfield.pooling.methods import METHODS

OF_RUNS = {name: method for name, method in METHODS.items() if method.corpus is None}
