"""Online evaluation: what users did with the results of systems that served them."""
