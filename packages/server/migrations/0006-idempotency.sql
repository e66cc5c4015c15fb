-- Orders that must be carried out once, with the answers that were given.

create table idempotency_keys (
  account_id uuid not null references accounts,
  key_hash bytea not null,
  request_hash bytea not null,
  sealed_answer bytea, -- with the caller's key; null while the order is carried out, which nobody else sees
  etag text,
  expires_ms bigint not null,
  primary key (account_id, key_hash)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_ms);

alter table idempotency_keys enable row level security;
create policy account on idempotency_keys to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on idempotency_keys to continuity_service;

create function forget_idempotency_keys(before_ms bigint, most integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with old as (
      select account_id, key_hash from public.idempotency_keys where expires_ms < before_ms
       order by expires_ms limit most for update skip locked
    ), gone as (
      delete from public.idempotency_keys k using old
       where k.account_id = old.account_id and k.key_hash = old.key_hash returning 1
    )
    select count(*)::integer from gone
  $$;
revoke all on function forget_idempotency_keys(bigint, integer) from public;
grant execute on function forget_idempotency_keys(bigint, integer) to continuity_service;
