"""trec_eval 10.0: its measures and their names (table.py), and what it prints of a run (output.py)."""
