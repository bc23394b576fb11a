-- Look-ups by name, as those by hash, in runs of 4,096 entries that are put in once, when they are full; entries after the last run are
-- looked through. An index would change a page of its own for each task that is at work, with every entry.
drop index entry_kind;
drop index entry_time;
drop index entry_use;
drop index entry_task;
drop index entry_grant;
drop table entry_hash;

-- The runs that are full, and between which times their entries lie: a clock may be set back, so time need not follow seq.
create table entry_run (
    run integer primary key, -- seq / 4096
    from_time integer not null,
    to_time integer not null
) strict;

-- Where in a run a key occurs. Names are text (kind:used, task:…, grant:…), hashes the first 8 bytes of a prefix_sha256 or request_sha256.
-- Bit n of `parts` is set when one of the run's n-th 64 entries has the key.
create table entry_key (
    run integer not null,
    key any not null,
    parts integer not null,
    primary key (run, key)
) strict, without rowid;

-- No use before this one is without an outcome: from here on the next start looks for those that were left open.
alter table ledger_head add column first_open integer not null default 0;

insert into entry_run (run, from_time, to_time)
select seq / 4096, min(time), max(time) from entry
where seq < (select entries / 4096 * 4096 from ledger_head) group by seq / 4096;

insert into entry_key (run, key, parts)
select run, key, sum(1 << part) from (
    select distinct run, key, part from (
        select seq / 4096 as run, seq / 64 % 64 as part, 'kind:' || kind as key from entry
        union all select seq / 4096, seq / 64 % 64, 'task:' || task from entry where task is not null
        union all select seq / 4096, seq / 64 % 64, 'grant:' || grant_id from entry where grant_id is not null
        union all select seq / 4096, seq / 64 % 64, substr(prefix_sha256, 1, 8) from entry where prefix_sha256 is not null
        union all select seq / 4096, seq / 64 % 64, substr(request_sha256, 1, 8) from entry where request_sha256 is not null)
    where run in (select run from entry_run))
group by run, key
order by run, key;
