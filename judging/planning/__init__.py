"""Planning and monitoring the work: assignments, progress, rehearsals."""
