-- Secrets that were written in, one row a credential. The digest is of the destinations and the injection that the document had when the
-- secret was entered; it is also part of what the seal is bound to, so that a changed digest in this row opens nothing.
CREATE TABLE local_secret (
    credential  TEXT   NOT NULL PRIMARY KEY,
    face_digest TEXT   NOT NULL,
    revision    TEXT   NOT NULL,
    sealed      BLOB   NOT NULL,
    entered_at  BIGINT NOT NULL,
    entered_by  TEXT   NOT NULL
);
