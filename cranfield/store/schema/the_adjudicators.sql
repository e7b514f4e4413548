-- An invitation is to judge or to adjudicate.

ALTER TABLE invitation ADD COLUMN role TEXT NOT NULL DEFAULT 'judge'  -- what the link is for
    CHECK (role IN ('judge', 'adjudicate'));
