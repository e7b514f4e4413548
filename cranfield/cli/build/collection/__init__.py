"""Build classic collections from recipes."""
