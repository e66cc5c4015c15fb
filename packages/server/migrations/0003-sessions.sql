-- Users, app keys and their sessions.

create table users (
  account_id uuid not null references accounts,
  user_id uuid not null,
  email text not null, -- lower case
  name text not null,
  password_hash text not null,
  roles text[] not null check (
    cardinality(roles) > 0 and roles <@ array['ROLE_USER', 'ROLE_ADMIN', 'ROLE_OPERATOR', 'SCHEDULE']
  ),
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  -- Counts what makes access credentials that are out there void. They carry the number of their day.
  generation integer not null default 0,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  last_login_ms bigint,
  deleted_ms bigint,
  primary key (account_id, user_id)
);
create unique index users_by_email on users (account_id, email) where deleted_ms is null;

alter table users enable row level security;
create policy account on users to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on users to continuity_service;

-- Where a user has logged in from: these addresses have an allowance of their own.
create table user_addresses (
  account_id uuid not null,
  user_id uuid not null,
  address text not null, -- an IPv4 address, or the first 64 bits of an IPv6 one
  last_login_ms bigint not null,
  primary key (account_id, user_id, address),
  foreign key (account_id, user_id) references users
);
create index user_addresses_by_time on user_addresses (last_login_ms);

alter table user_addresses enable row level security;
create policy account on user_addresses to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on user_addresses to continuity_service;

create table app_keys (
  account_id uuid not null references accounts,
  app_key_id uuid not null,
  app_name text not null,
  key_hash bytea not null,
  status text not null check (status in ('ACTIVE', 'REVOKED')),
  generation integer not null default 0,
  created_ms bigint not null,
  last_used_ms bigint,
  revoked_ms bigint,
  primary key (account_id, app_key_id)
);

alter table app_keys enable row level security;
create policy account on app_keys to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on app_keys to continuity_service;

-- One row a session, however often it is refreshed. Its refresh credential names session and number; only
-- the last one is worth something, and any older one, which bears the family's mark, tells of a theft.
create table sessions (
  account_id uuid not null references accounts,
  session_id uuid not null, -- version 7
  subject_type text not null check (subject_type in ('user', 'app')),
  subject_id uuid not null,
  device_id uuid not null,
  user_agent text not null,
  country text not null,
  begun_ms bigint not null,
  expires_ms bigint not null,
  ended_ms bigint,
  ended_reason text,
  family_secret bytea not null,
  credential_number integer not null,
  credential_hash bytea not null,
  replaced_ms bigint,
  replaced_hash bytea,
  sealed_successor bytea, -- with the replaced credential for a key
  primary key (account_id, session_id)
) with (fillfactor = 80);
create index sessions_open on sessions (account_id, subject_id) where ended_ms is null;
create index sessions_by_expiry on sessions (expires_ms);

alter table sessions enable row level security;
create policy account on sessions to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on sessions to continuity_service;

-- Access credentials that are void before their time. Every process knows these by heart, for as long as
-- such a credential could last. Of the platform: ids, and nothing of an account.
create table ended_credentials (
  kind text not null check (kind in ('session', 'subject')),
  id uuid not null,
  generation integer not null, -- of a subject: credentials below this one are void
  ended_ms bigint not null,
  primary key (kind, id)
);
create index ended_credentials_by_time on ended_credentials (ended_ms);
grant select, insert, update, delete on ended_credentials to continuity_service;

-- Tries, counted over all processes. Of the platform: keys are hashes.
create table login_limits (
  key bytea primary key,
  tried_ms bigint[] not null, -- when each try was; those that no longer count go with the next one
  until_ms bigint not null -- then none of them counts
);
create index login_limits_by_time on login_limits (until_ms);
grant select, insert, update, delete on login_limits to continuity_service;

create function forget_sessions(before_ms bigint, most integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with old as (
      select account_id, session_id from public.sessions where expires_ms < before_ms
       order by expires_ms limit most for update skip locked
    ), gone as (
      delete from public.sessions s using old
       where s.account_id = old.account_id and s.session_id = old.session_id returning 1
    )
    select count(*)::integer from gone
  $$;
create function forget_user_addresses(before_ms bigint, most integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with old as (
      select account_id, user_id, address from public.user_addresses where last_login_ms < before_ms
       order by last_login_ms limit most for update skip locked
    ), gone as (
      delete from public.user_addresses a using old
       where a.account_id = old.account_id and a.user_id = old.user_id and a.address = old.address returning 1
    )
    select count(*)::integer from gone
  $$;
revoke all on function forget_sessions(bigint, integer), forget_user_addresses(bigint, integer) from public;
grant execute on function forget_sessions(bigint, integer), forget_user_addresses(bigint, integer)
  to continuity_service;
