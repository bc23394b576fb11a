-- The operator token's hash; the token itself is in a file of the operator's, never here.
create table operator_token (
    id integer primary key check (id = 1),
    sha256 blob not null check (length(sha256) = 32)
) strict;
