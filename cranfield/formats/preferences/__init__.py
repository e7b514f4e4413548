"""Preferences between documents, in trec_eval's two forms."""
