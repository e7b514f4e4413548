"""Is this collection fair to my new system?

Where a new run was not judged (`unjudged`), what its scores can become (`bounds`), what runs like it have lost
(`adjustments`), what would have to be judged to decide whether it is better than
another, and how probable that is (`decisive`).
"""
