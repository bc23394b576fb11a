-- Documents that do not live in files. Times are milliseconds since 1970.
create table document (
    kind text not null,
    name text not null,
    text text not null,
    written_by text not null,
    written_at integer not null,
    primary key (kind, name)
) strict, without rowid;

-- Policies as they stood when a grant was opened under them; the digest is SHA-256 of the text, in hex.
create table policy_version (
    digest text not null,
    name text not null,
    text text not null,
    kept_at integer not null,
    primary key (digest, name)
) strict, without rowid;
