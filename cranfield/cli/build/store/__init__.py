"""Look after a store: take back mistakes, see what came, check the judgment log, copy it."""
