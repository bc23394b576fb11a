-- The documents of a source that were met together in one book, before any of them was used, with their places at that time.
CREATE TABLE credential_first_book (
    source     TEXT   NOT NULL,
    credential TEXT   NOT NULL,
    place      TEXT   NOT NULL,
    met_at     BIGINT NOT NULL,
    PRIMARY KEY (source, credential, place)
);
