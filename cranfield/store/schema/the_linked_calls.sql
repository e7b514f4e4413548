-- Calls of models carry the hash of the event before, as all that is said of answers does.

-- in Python: link_calls
