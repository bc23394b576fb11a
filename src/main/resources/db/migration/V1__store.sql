-- What the store keeps for itself: the check value of the master key, and the row that a recovering writer tries itself on.
create table store_value (
    name text primary key,
    value blob not null
) strict, without rowid;

insert into store_value (name, value) values ('probe', zeroblob(16));
