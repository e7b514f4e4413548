"""Write the contents of a store to files in standard formats."""
