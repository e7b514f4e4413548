"""How far a ranking fulfils preferences between documents: trec_eval's preference measures."""
