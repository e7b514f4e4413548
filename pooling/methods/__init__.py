"""The pooling methods, one file each or near-identical ones in one; `table` lists them."""
