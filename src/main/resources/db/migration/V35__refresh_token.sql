-- The newest refresh token of a credential whose first one was written in (local_secret): entry is that one's revision. A use is marked
-- here before it is made, and each change counts the revision up, so that of two who saw the same row one makes it. Both tokens are
-- sealed. refresh is null while the newest is the entered one.
CREATE TABLE refresh_token (
    credential   TEXT    NOT NULL PRIMARY KEY,
    entry        TEXT    NOT NULL,
    revision     BIGINT  NOT NULL,
    generation   BIGINT  NOT NULL,
    state        TEXT    NOT NULL CHECK (state IN ('ready', 'in-flight', 'lost', 'refused')),
    since        BIGINT  NOT NULL,
    tries        INTEGER NOT NULL,
    refresh      BLOB,
    access       BLOB,
    access_from  BIGINT,
    access_until BIGINT
);
