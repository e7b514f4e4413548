"""What commands work out from a source, a store or files: here stores, pools and measures are brought together."""
