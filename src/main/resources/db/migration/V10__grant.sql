-- What was given. The facts of a grant never change; only its end is added.
create table grants (
    id                text primary key,
    jti               text    not null unique,
    task              text    not null,
    parent            text,
    depth             integer not null,
    policy            text    not null,
    policy_digest     text    not null,
    scopes            text    not null, -- names, sorted, a space between them
    resources         text    not null, -- origins, a space between them
    workload          text    not null, -- IDENTITY/SUBJECT
    person            text,
    isolation         text    not null,
    address           text,
    uses              integer not null,
    bytes_out         integer not null,
    opened_at         integer not null, -- milliseconds since 1970
    expires_at        integer not null,
    purpose           text,
    ended_at          integer,
    end_reason        text
) strict, without rowid;

create index grants_of_task on grants (task);
create index grants_not_ended on grants (expires_at) where ended_at is null;

-- What is left of a grant. Apart from its facts, so that the row that each request changes is small.
create table grant_budget (
    id         text primary key,
    uses_left  integer not null check (uses_left >= 0),
    bytes_left integer not null check (bytes_left >= 0)
) strict, without rowid;

-- What a workload has used under a policy in one UTC day (days since 1970).
create table grant_day (
    day       integer not null,
    workload  text    not null,
    policy    text    not null,
    uses      integer not null,
    bytes_out integer not null,
    primary key (day, workload, policy)
) strict, without rowid;

-- When a scope's allowance will be whole again: the theoretical arrival time of GCRA, in nanoseconds since 1970.
create table grant_rate (
    workload text    not null,
    policy   text    not null,
    scope    text    not null,
    whole_at integer not null,
    primary key (workload, policy, scope)
) strict, without rowid;

-- The keys of task tokens: a JWK (RFC 7517), sealed; the public half alone once another key signs.
create table signing_key (
    kid        text primary key,
    sealed     blob    not null,
    made_at    integer not null,
    retired_at integer
) strict, without rowid;
