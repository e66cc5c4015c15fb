-- Copies of what live sources have brought and of their ad breaks: for plans and the as-run record, and to fill the streams
-- again when the broker has lost its store.

create table live_logs (
  account_id uuid not null references accounts,
  live_source_id uuid not null,
  input smallint not null check (input in (0, 1)),
  log text not null, -- JSON, as it is on the bus
  stored_ms bigint not null, -- by the broker's clock
  primary key (account_id, live_source_id, input)
);
alter table live_logs enable row level security;
create policy account on live_logs to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on live_logs to continuity_service;

create table live_breaks (
  account_id uuid not null references accounts,
  live_source_id uuid not null,
  log text not null, -- JSON, as it is on the bus
  version integer not null,
  primary key (account_id, live_source_id)
);
alter table live_breaks enable row level security;
create policy account on live_breaks to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on live_breaks to continuity_service;

-- The first hour of its segments that is not deleted yet; null: it was never received.
alter table live_sources add column swept_hour integer;
