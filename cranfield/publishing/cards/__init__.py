"""One file per card: pure functions from the description, the facts and the published files to text."""
