-- Pictures of folders, which documents show.

CREATE TABLE picture (
    id INTEGER PRIMARY KEY,
    import INTEGER REFERENCES import (id),  -- that brought it first
    sha256 TEXT NOT NULL UNIQUE,  -- in hexadecimal: of its bytes
    type TEXT NOT NULL CHECK (type IN ('png', 'jpeg', 'gif', 'webp')),
    data BLOB NOT NULL
) STRICT;
