"""Whatever decides a label, a pool or who judges, as items of the logs: each time that it changes."""
