"""Documents as people have them: folders of files, passages, and corpora of which a store has only a part."""
