-- The listener of a grant that is bound to one. It goes with the grant.
create table task_listener (
    grant_id text primary key,
    kind     text not null, -- port, socket or transparent
    admits   text not null, -- a range of addresses in CIDR notation, or the number of a user
    at       text not null  -- a port's number, or the path of a socket
) strict, without rowid;
