"""Files of one type each to text with its layout; `child` runs them in a process with limits."""
