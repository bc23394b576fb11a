-- A root is published before it signs, and after: signs_from is when it was made the signer (null while clients are being given it),
-- withdrawn_at when clients were told to trust it no more.
ALTER TABLE interception_authority ADD COLUMN signs_from BIGINT;
ALTER TABLE interception_authority ADD COLUMN withdrawn_at BIGINT;
UPDATE interception_authority SET signs_from = created_at;

-- What the roots sign: authorities of a week at most, each constrained to one name. Those past their end are removed when the next is added.
CREATE TABLE interception_intermediate (
    id             TEXT   NOT NULL PRIMARY KEY,
    authority      TEXT   NOT NULL,
    constrained_to TEXT   NOT NULL,
    not_after      BIGINT NOT NULL,
    certificate    BLOB   NOT NULL,
    sealed_key     BLOB   NOT NULL
);
CREATE INDEX interception_intermediate_by_name ON interception_intermediate (authority, constrained_to, not_after);
