"""The checks of a published folder, without a network; one file per check, and a table of them."""
