-- The orders that ended something, as their receipts show them.
create table revocation (
    id         text primary key,
    ordered_at integer not null, -- milliseconds since 1970
    ordered_by text    not null,
    selector   text    not null, -- JSON, as in the order
    reason     text    not null,
    grants     text    not null, -- ids, a space between them
    flows_cut  integer not null,
    node       text    not null
) strict, without rowid;

-- What keeps what was ended from being opened again. A lifted lock is gone from here; the ledger remembers both.
create table revocation_lock (
    id         text primary key,
    revocation text    not null,
    selector   text    not null,
    reason     text    not null,
    locked_by  text    not null,
    locked_at  integer not null
) strict, without rowid;
