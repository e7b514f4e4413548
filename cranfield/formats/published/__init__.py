"""The tables of a published collection, in Parquet: what each has, and how they are written and read."""
