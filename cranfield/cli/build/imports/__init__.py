"""Load a corpus, topics, runs or judgments into a store."""
