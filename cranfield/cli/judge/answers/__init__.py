"""Generated answers: nuggets and support of citations."""
