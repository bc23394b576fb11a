-- What it takes to use a grant: its token, or the listener of its own.
alter table grants add column binding text not null default 'ADDRESS';
