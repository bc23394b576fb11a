-- Where a secret may go and how it stands there, as persons have confirmed it or as it was when first met: for a credential by its name, and
-- for a source by the digest of what its document says. Nothing here is secret.
CREATE TABLE credential_place (
    subject      TEXT   NOT NULL,
    place        TEXT   NOT NULL,
    credential   TEXT   NOT NULL,
    confirmed_at BIGINT NOT NULL,
    confirmed_by TEXT   NOT NULL,
    PRIMARY KEY (subject, place)
);
