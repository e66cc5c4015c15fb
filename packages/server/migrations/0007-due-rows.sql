-- What falls due, on our own clock.

-- Ids only, and no account's fence: every worker looks through all of it.
create table due_rows (
  kind text not null,
  subject_id text not null,
  account_id uuid, -- null for the platform itself
  due_ms bigint not null,
  failures integer not null default 0, -- since it was set
  primary key (kind, subject_id)
);
create index due_rows_by_time on due_rows (due_ms);

grant select, insert, update, delete on due_rows to continuity_service;
