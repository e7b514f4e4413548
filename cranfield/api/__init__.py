"""The commands as Python functions, and what each returns; `commands` maps one to the other."""
