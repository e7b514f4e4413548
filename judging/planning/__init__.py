"""Planning and watching the work: assignments, progress, rehearsals."""
