-- What was done, what should be looked at, and what has changed.

create table audit_entries (
  account_id uuid not null references accounts,
  audit_id uuid not null, -- version 7, so that it goes by time
  at_ms bigint not null,
  user_id uuid, -- null for the platform itself
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  request_id text,
  primary key (account_id, audit_id)
);
create index audit_entries_by_user on audit_entries (account_id, user_id, audit_id);
create index audit_entries_by_subject on audit_entries (account_id, subject_id, audit_id);

alter table audit_entries enable row level security;
create policy account on audit_entries to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
-- Neither update nor delete: what was recorded stands.
grant select, insert on audit_entries to continuity_service;

create table alerts (
  account_id uuid not null references accounts,
  alert_id uuid not null, -- version 7
  severity text not null check (severity in ('INFO', 'WARNING', 'CRITICAL')),
  code text not null,
  message text not null,
  subject_type text not null,
  subject_id text not null,
  opened_ms bigint not null,
  closed_ms bigint,
  primary key (account_id, alert_id)
);
-- The same trouble is one alert for as long as it lasts.
create unique index alerts_open on alerts (account_id, code, subject_type, subject_id) where closed_ms is null;
create index alerts_open_by_id on alerts (account_id, alert_id) where closed_ms is null;
create index alerts_by_severity on alerts (account_id, severity, alert_id);

alter table alerts enable row level security;
create policy account on alerts to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on alerts to continuity_service;

create table events (
  account_id uuid not null references accounts,
  event_id uuid not null, -- version 7
  -- Counts the events, and tells those of one transaction apart.
  number bigint not null generated always as identity,
  -- The first transaction that had not yet ended, as far as this event could know, and never its own.
  -- Once every transaction below has ended, nothing is left that could come before this event.
  -- So who reads only up to the oldest transaction that still runs, by this first and then by number,
  -- passes over no event, and has those of one record in the order in which it changed.
  horizon bigint not null default greatest(
    pg_current_xact_id()::text::bigint + 1,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  ),
  at_ms bigint not null,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  data jsonb not null,
  primary key (account_id, event_id)
);
create index events_in_order on events (account_id, horizon, number);
create index events_by_time on events (at_ms);

alter table events enable row level security;
create policy account on events to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert on events to continuity_service;

-- Housekeeping reaches over all accounts, and can do nothing but this.
create function forget_events(before_ms bigint, most integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with old as (
      select account_id, event_id from public.events where at_ms < before_ms
       order by at_ms limit most for update skip locked
    ), gone as (
      delete from public.events e using old
       where e.account_id = old.account_id and e.event_id = old.event_id returning 1
    )
    select count(*)::integer from gone
  $$;
revoke all on function forget_events(bigint, integer) from public;
grant execute on function forget_events(bigint, integer) to continuity_service;
