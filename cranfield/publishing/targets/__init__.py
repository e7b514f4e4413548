"""What each target needs besides the data; one file per target, and a table of them."""
