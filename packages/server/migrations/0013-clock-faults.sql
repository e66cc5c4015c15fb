-- Clocks that are wrong at the moment, of processes, of PostgreSQL or of the broker. Empty while all agree.

create table clock_faults (
  code text not null, -- of the alert
  subject_id text not null, -- the instance of a process, or the name of a server
  account_ids uuid[] not null, -- where an alert was opened
  reported_at timestamptz not null, -- by PostgreSQL's clock; a fault that is no longer reported is over
  primary key (code, subject_id)
);
grant select, insert, update, delete on clock_faults to continuity_service;

-- A handful of accounts among many: those that have something on the air.
create index linear_channels_on_air on linear_channels (account_id)
  where status <> 'OFFLINE' and deleted_ms is null;

-- The accounts that a fault of the platform is reported to, whatever account asks.
create function list_accounts_on_air(most integer)
  returns table (account_id uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select distinct c.account_id
    from public.linear_channels c
   where c.status <> 'OFFLINE' and c.deleted_ms is null
   order by c.account_id
   limit most
$$;
revoke all on function list_accounts_on_air(integer) from public;
grant execute on function list_accounts_on_air(integer) to continuity_service;
