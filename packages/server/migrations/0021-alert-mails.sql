-- Mails about alerts: who gets them, what each of them knows of an alert, and what was sent.

create table alert_recipients (
  account_id uuid not null references accounts,
  recipient_id uuid not null, -- version 7
  address text not null,
  description text not null,
  minimum_severity text not null check (minimum_severity in ('INFO', 'WARNING', 'CRITICAL')),
  time_zone text not null,
  quiet_hours jsonb not null,
  reminder_ms bigint, -- null: no reminders
  status text not null check (status in ('ACTIVE', 'PAUSED')),
  version integer not null default 1,
  created_ms bigint not null,
  created_user_id text not null, -- empty: the platform
  updated_ms bigint not null,
  updated_user_id text not null,
  deleted_ms bigint,
  primary key (account_id, recipient_id)
);
create index alert_recipients_present on alert_recipients (account_id, recipient_id) where deleted_ms is null;

alter table alert_recipients enable row level security;
create policy account on alert_recipients to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on alert_recipients to continuity_service;

-- Apart from the record, because workers write it with every mail.
create table alert_recipient_progress (
  account_id uuid not null,
  recipient_id uuid not null,
  is_active boolean not null,
  -- The last event whose alert was noted.
  cursor_epoch bigint not null,
  cursor_horizon bigint not null,
  cursor_number bigint not null,
  next_mail_ms bigint not null default 0, -- alerts are collected until then
  failures integer not null default 0, -- since the last success
  failing_since_ms bigint,
  is_slow boolean not null, -- the last attempt took long, or there was none yet
  due_ms bigint, -- when something is to be done
  not_before_ms bigint not null default 0,
  -- The worker that serves it, and how long no other does.
  lease uuid,
  lease_until_ms bigint not null default 0,
  primary key (account_id, recipient_id),
  foreign key (account_id, recipient_id) references alert_recipients
);

alter table alert_recipient_progress enable row level security;
create policy account on alert_recipient_progress to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on alert_recipient_progress to continuity_service;

-- Alerts that a recipient was mailed about, or is to be. Gone when the alert is over for it.
create table alert_notices (
  account_id uuid not null,
  recipient_id uuid not null,
  alert_id uuid not null,
  mailed_ms bigint, -- the last mail about it
  mailed_severity text check (mailed_severity in ('INFO', 'WARNING', 'CRITICAL')),
  due_ms bigint, -- when it is looked at; null: not before the alert changes
  primary key (account_id, recipient_id, alert_id),
  foreign key (account_id, recipient_id) references alert_recipients,
  foreign key (account_id, alert_id) references alerts
);
create index alert_notices_due on alert_notices (account_id, recipient_id, due_ms) where due_ms is not null;

alter table alert_notices enable row level security;
create policy account on alert_notices to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on alert_notices to continuity_service;

create table alert_mails (
  account_id uuid not null,
  recipient_id uuid not null,
  mail_id uuid not null, -- version 7; in its Message-ID
  kind text not null check (kind in ('ALERTS', 'TEST')),
  subject text not null, -- as sent, the same on every try, like the text
  body text not null,
  alert_ids uuid[] not null,
  composed_ms bigint not null,
  state text not null check (state in ('PENDING', 'SENT', 'FAILED')),
  attempts integer not null default 0,
  ready_ms bigint, -- when it is tried next; null: it has ended
  first_attempt_ms bigint,
  -- The last attempt.
  attempt_ms bigint,
  attempt_address text,
  duration_ms integer,
  response text,
  error_code text,
  ended_ms bigint,
  primary key (account_id, recipient_id, mail_id),
  foreign key (account_id, recipient_id) references alert_recipients
);
create index alert_mails_pending on alert_mails (account_id, recipient_id, ready_ms) where state = 'PENDING';
create index alert_mails_tests on alert_mails (account_id, composed_ms) where kind = 'TEST';
create index alert_mails_ended on alert_mails (ended_ms) where ended_ms is not null;

alter table alert_mails enable row level security;
create policy account on alert_mails to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on alert_mails to continuity_service;

-- Leases recipients that have something to do and that no worker serves, of whatever account. Each account gets one
-- before any account gets a second, then those that were not served for longest. Ids only.
create function claim_alert_recipients(
  new_lease uuid, now_ms bigint, until_ms bigint, is_poor boolean,
  busy_accounts uuid[], most_each integer, most integer
) returns table (account_id uuid, recipient_id uuid)
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with epoch as (
      select f.epoch, f.events_until is not null as is_ordering from public.feed_epoch f
    ), waiting as (
      select p.account_id, p.recipient_id, p.lease_until_ms
        from public.alert_recipient_progress p, epoch
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
      select w.account_id, w.recipient_id, w.lease_until_ms,
             row_number() over (partition by w.account_id order by w.lease_until_ms, w.recipient_id) as turn
        from waiting w
    ), chosen as (
      select r.account_id, r.recipient_id from ranked r
       where r.turn <= most_each order by r.turn, r.lease_until_ms limit most
    ), locked as (
      select p.account_id, p.recipient_id from public.alert_recipient_progress p
        join chosen c on c.account_id = p.account_id and c.recipient_id = p.recipient_id
       where p.lease_until_ms <= now_ms and p.is_active
         for no key update of p skip locked
    )
    update public.alert_recipient_progress p set lease = new_lease, lease_until_ms = until_ms
      from locked l
     where p.account_id = l.account_id and p.recipient_id = l.recipient_id
    returning p.account_id, p.recipient_id
  $$;
revoke all on function claim_alert_recipients(uuid, bigint, bigint, boolean, uuid[], integer, integer) from public;
grant execute on function claim_alert_recipients(uuid, bigint, bigint, boolean, uuid[], integer, integer)
  to continuity_service;

-- Housekeeping reaches over all accounts, and can do nothing but this.
create function forget_alert_mails(before_ms bigint, most integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
  as $$
    with old as (
      select account_id, recipient_id, mail_id from public.alert_mails where ended_ms < before_ms
       order by ended_ms limit most for update skip locked
    ), gone as (
      delete from public.alert_mails m using old
       where m.account_id = old.account_id and m.recipient_id = old.recipient_id and m.mail_id = old.mail_id
      returning 1
    )
    select count(*)::integer from gone
  $$;
revoke all on function forget_alert_mails(bigint, integer) from public;
grant execute on function forget_alert_mails(bigint, integer) to continuity_service;
