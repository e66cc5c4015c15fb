-- Accounts, and how every table of theirs is fenced.

-- The account that the statement at hand runs as; null, which equals nothing, where none was set.
create function current_account() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.account_id', true), '')::uuid $$;

create table accounts (
  account_id uuid primary key,
  name text not null unique,
  title text not null,
  country text not null,
  -- The house format. Both numbers freeze with the first asset, which is packaged by them.
  frame_rate integer not null check (frame_rate in (25, 30)),
  segment_ms integer not null check (segment_ms in (3200, 6400)),
  loudness_lufs double precision not null,
  format_frozen_ms bigint,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null
);

alter table accounts enable row level security;
create policy account on accounts to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, update on accounts to continuity_service;

-- A login names its account before it can be anybody. This is all that is told without one.
create function find_account_id(account_name text) returns uuid
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$ select account_id from public.accounts where name = account_name $$;
revoke all on function find_account_id(text) from public;
grant execute on function find_account_id(text) to continuity_service;
