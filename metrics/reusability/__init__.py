"""How far a collection can be trusted: left-out units, depths of the pool, stability over topics, claims that flip."""
