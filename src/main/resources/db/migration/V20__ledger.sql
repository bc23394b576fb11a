-- One row an entry. The truth is `canonical`; the columns beside it are copies for look-ups, and verification compares them with it.
create table entry (
    seq integer primary key,
    time integer not null, -- microseconds since 1970-01-01T00:00:00Z
    kind text not null,
    task text,
    grant_id text,
    use integer, -- the use that a window or an outcome belongs to
    prefix_sha256 blob, -- of the content up to the end of this entry's window
    request_sha256 blob,
    canonical blob not null,
    leaf_hash blob not null,
    chain_hash blob not null
) strict;

create index entry_kind on entry (kind);
create index entry_time on entry (time);
create index entry_use on entry (use) where use is not null;
create index entry_task on entry (task) where task is not null;
create index entry_grant on entry (grant_id) where grant_id is not null;

-- The look-up by hash: each run of 4,096 entries is put in once, sorted, when it is full; entries after the last run are looked through.
-- An index over a random key would dirty a page of its own for every entry.
create table entry_hash (
    run integer not null, -- seq / 4096
    hash blob not null, -- the first 8 bytes
    seq integer not null,
    primary key (run, hash, seq)
) strict, without rowid;

-- Against the product's own mistakes; whoever can open the file for writing can drop them.
create trigger entry_is_never_changed before update on entry
begin select raise(abort, 'an entry is never changed'); end;
create trigger entry_is_never_removed before delete on entry
begin select raise(abort, 'an entry is never removed'); end;

-- How far the ledger goes, so that a missing end is noticed without a head from elsewhere.
create table ledger_head (
    id integer primary key check (id = 0),
    entries integer not null,
    chain_hash blob not null
) strict;
insert into ledger_head (id, entries, chain_hash) values (0, 0, zeroblob(32));
