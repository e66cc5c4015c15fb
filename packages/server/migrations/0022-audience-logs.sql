-- An output is counted by playout nodes or from the access logs of caches, never both.

alter table outputs
  add column audience_source text not null default 'NODES' check (audience_source in ('NODES', 'LOGS')),
  -- Lines of access logs before this time do not count: nodes may have counted them.
  add column audience_from_ms bigint not null default 0;

-- The heartbeats of viewing sessions that were counted from access logs, an hour of a session in each row: a line that is
-- imported again is found here. Kept for 48 hours.
create table audience_log_blocks (
  account_id uuid not null,
  session text collate "C" not null, -- made of its id with a key; the id is not stored
  hour_ms bigint not null,
  heartbeats bytea not null, -- records of ten bytes
  growths integer not null, -- with the next one, what the block of the next hour goes on from
  is_started boolean not null,
  primary key (account_id, session, hour_ms)
) with (fillfactor = 70); -- blocks grow in place for an hour
create index audience_log_blocks_by_age on audience_log_blocks (hour_ms);

alter table audience_log_blocks enable row level security;
create policy account on audience_log_blocks to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on audience_log_blocks to continuity_service;

-- Blocks whose lines are too old to be imported again.
create function forget_audience_log_blocks(before_ms bigint, most integer)
  returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with old as (
    select account_id, session, hour_ms from public.audience_log_blocks
     where hour_ms < before_ms order by hour_ms limit most
  ), gone as (
    delete from public.audience_log_blocks b using old
     where b.account_id = old.account_id and b.session = old.session and b.hour_ms = old.hour_ms
    returning 1
  )
  select count(*)::integer from gone
$$;
revoke all on function forget_audience_log_blocks(bigint, integer) from public;
grant execute on function forget_audience_log_blocks(bigint, integer) to continuity_service;
