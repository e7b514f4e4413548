-- Documents: what passages were cut from, where a part of a corpus is from, what is shown. All are append-only.

CREATE TABLE passage_build (  -- one row, where the documents are passages: what they were cut from
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at TEXT NOT NULL,  -- UTC
    name TEXT NOT NULL,  -- of the collection
    head TEXT NOT NULL,  -- of its log then
    options TEXT NOT NULL  -- JSON: by, window, stride, words, language, separator
) STRICT;

CREATE TABLE corpus_source (  -- where texts are from, of which only those that are wanted are here
    id INTEGER PRIMARY KEY,
    import INTEGER NOT NULL REFERENCES import (id),
    source TEXT NOT NULL,  -- the path of a file, or ir_datasets:ID
    wanted TEXT NOT NULL,  -- pooled, judged, retrieved, or the name of a list
    fields TEXT NOT NULL,  -- JSON: what the file calls the fields of a document
    sha256 TEXT,  -- of the file; NULL: of no file
    documents INTEGER,  -- that it has; NULL: not known
    kept INTEGER NOT NULL  -- of these, by this import
) STRICT;

CREATE TABLE shown_field (  -- which fields of its metadata are shown with each document
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL  -- text, date, number, link
) STRICT;
