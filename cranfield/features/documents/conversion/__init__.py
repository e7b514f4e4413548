"""Files of one type each to text with its layout; `process` runs them in a process with limits."""
