-- Webhooks: addresses that events are sent to, how far each of them is, and what was sent.

create table webhooks (
  account_id uuid not null references accounts,
  webhook_id uuid not null, -- version 7
  url text not null,
  description text not null,
  kinds text[] not null, -- of events; an asterisk at the end stands for any ending
  status text not null check (status in ('ACTIVE', 'PAUSED')),
  status_reason text check (status_reason in ('USER', 'GONE', 'FAILING')), -- why it is PAUSED
  status_ms bigint not null,
  secret bytea not null, -- sealed, as is the one before
  previous_secret bytea,
  previous_secret_until_ms bigint,
  version integer not null default 1,
  created_ms bigint not null,
  created_user_id text not null, -- empty: the platform
  updated_ms bigint not null,
  updated_user_id text not null,
  deleted_ms bigint,
  primary key (account_id, webhook_id)
);
create index webhooks_present on webhooks (account_id, webhook_id) where deleted_ms is null;

alter table webhooks enable row level security;
create policy account on webhooks to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on webhooks to continuity_service;

-- Apart from the record, because workers write it many times a second.
create table webhook_progress (
  account_id uuid not null,
  webhook_id uuid not null,
  is_active boolean not null,
  -- The last event that was turned into a delivery, or passed over.
  cursor_epoch bigint not null,
  cursor_horizon bigint not null,
  cursor_number bigint not null,
  from_ms bigint not null, -- earlier events are passed over
  replays integer not null default 0, -- counted up by each replay: deliveries of earlier ones are sent again
  last_position bigint not null default 0, -- of its deliveries
  failures integer not null default 0, -- since the last success
  failing_since_ms bigint,
  is_slow boolean not null, -- the last response took long, or there was none yet
  due_ms bigint, -- of the delivery that is to be tried first
  not_before_ms bigint not null default 0,
  -- The worker that serves it, and how long nobody else does.
  lease uuid,
  lease_until_ms bigint not null default 0,
  primary key (account_id, webhook_id),
  foreign key (account_id, webhook_id) references webhooks
);

alter table webhook_progress enable row level security;
create policy account on webhook_progress to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on webhook_progress to continuity_service;

create table webhook_deliveries (
  account_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null, -- version 7; sent as webhook-id
  position bigint not null, -- the order of those of one subject
  replays integer not null,
  kind text not null,
  subject text not null,
  event_ms bigint not null,
  body text not null, -- as sent, the same on every try
  state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  ready_ms bigint, -- when it is tried next; null while an earlier one of its subject is pending
  first_attempt_ms bigint,
  -- The last attempt.
  attempt_ms bigint,
  attempt_url text,
  duration_ms integer,
  response_status integer,
  response_body text, -- its beginning
  error_code text,
  ended_ms bigint,
  primary key (account_id, webhook_id, event_id),
  foreign key (account_id, webhook_id) references webhooks
);
create index webhook_deliveries_ready on webhook_deliveries (account_id, webhook_id, ready_ms)
  where state = 'PENDING' and ready_ms is not null;
create index webhook_deliveries_waiting on webhook_deliveries (account_id, webhook_id, subject, position)
  where state = 'PENDING';
create index webhook_deliveries_ended on webhook_deliveries (ended_ms) where ended_ms is not null;

alter table webhook_deliveries enable row level security;
create policy account on webhook_deliveries to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on webhook_deliveries to continuity_service;

-- Leases webhooks that have something to do and that nobody serves, of whatever account. Each account gets one before
-- any account gets a second, then those that were not served for longest. Ids only.
create function claim_webhooks(
  new_lease uuid, now_ms bigint, until_ms bigint, is_poor boolean,
  busy_accounts uuid[], most_each integer, most integer
) returns table (account_id uuid, webhook_id uuid)
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with epoch as (
      select f.epoch, f.events_until is not null as is_ordering from public.feed_epoch f
    ), waiting as (
      select p.account_id, p.webhook_id, p.lease_until_ms
        from public.webhook_progress p, epoch
       where p.is_active
         and p.lease_until_ms <= now_ms
         and p.not_before_ms <= now_ms
         and (p.failures > 0 or p.is_slow) = is_poor
         and p.account_id <> all (busy_accounts)
         and (p.due_ms <= now_ms
              or (not epoch.is_ordering
                  and exists (
                    select from public.events e
                     where e.account_id = p.account_id
                       and (e.horizon, e.number) > (
                         case when p.cursor_epoch = epoch.epoch then p.cursor_horizon else 0 end,
                         case when p.cursor_epoch = epoch.epoch then p.cursor_number else 0 end)
                       and e.horizon <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint)))
    ), ranked as (
      select w.account_id, w.webhook_id, w.lease_until_ms,
             row_number() over (partition by w.account_id order by w.lease_until_ms, w.webhook_id) as turn
        from waiting w
    ), chosen as (
      select r.account_id, r.webhook_id from ranked r
       where r.turn <= most_each order by r.turn, r.lease_until_ms limit most
    ), locked as (
      select p.account_id, p.webhook_id from public.webhook_progress p
        join chosen c on c.account_id = p.account_id and c.webhook_id = p.webhook_id
       where p.lease_until_ms <= now_ms and p.is_active
         for no key update of p skip locked
    )
    update public.webhook_progress p set lease = new_lease, lease_until_ms = until_ms
      from locked l
     where p.account_id = l.account_id and p.webhook_id = l.webhook_id
    returning p.account_id, p.webhook_id
  $$;
revoke all on function claim_webhooks(uuid, bigint, bigint, boolean, uuid[], integer, integer) from public;
grant execute on function claim_webhooks(uuid, bigint, bigint, boolean, uuid[], integer, integer)
  to continuity_service;

-- Housekeeping reaches over all accounts, and can do nothing but this.
create function forget_webhook_deliveries(before_ms bigint, most integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with old as (
      select account_id, webhook_id, event_id from public.webhook_deliveries where ended_ms < before_ms
       order by ended_ms limit most for update skip locked
    ), gone as (
      delete from public.webhook_deliveries d using old
       where d.account_id = old.account_id and d.webhook_id = old.webhook_id and d.event_id = old.event_id
      returning 1
    )
    select count(*)::integer from gone
  $$;
revoke all on function forget_webhook_deliveries(bigint, integer) from public;
grant execute on function forget_webhook_deliveries(bigint, integer) to continuity_service;
