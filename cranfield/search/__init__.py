"""Baseline search over a corpus: `table` lists the systems, `search` makes runs of them."""
