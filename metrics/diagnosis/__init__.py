"""Bounds of scores: where a run is unjudged (`unjudged`), and what its scores can become (`bounds`)."""
