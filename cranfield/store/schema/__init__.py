"""The tables, triggers and views of a store, and the steps to them."""
