"""Planning and watching the work: assignments, progress, rehearsals, disagreements that matter."""
