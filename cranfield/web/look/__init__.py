"""What the organiser can look at: one file per view, one table of them, and how each is shown."""
