"""Write what a store holds as files others can read."""
