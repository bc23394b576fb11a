-- The interception authorities, newest last. The one in use is the newest that is not past its end; older ones are kept so that an
-- auditor can tell which root a sandbox trusted at a given time.
CREATE TABLE interception_authority (
    id          TEXT   NOT NULL PRIMARY KEY,
    created_at  BIGINT NOT NULL,
    certificate BLOB   NOT NULL,
    sealed_key  BLOB   NOT NULL
);
