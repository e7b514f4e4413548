"""Build classic collections by recipe."""
