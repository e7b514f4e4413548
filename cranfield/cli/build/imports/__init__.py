"""Load a corpus, topics, runs, judgments, a whole collection, answers or an interaction log into a store."""
