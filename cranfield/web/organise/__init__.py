"""What the organiser does in the browser: one file per page with its forms, one table of both."""
