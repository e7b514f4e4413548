"""The parts of a published folder that hold data; one file per part, and a table of them."""
