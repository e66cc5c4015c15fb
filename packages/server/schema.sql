-- What all migrations together make of schema public. Printed by npm run dump-schema.

CREATE FUNCTION public.begin_feed_epoch(expected bigint, above bigint, now_ms bigint, why text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update public.feed_epoch e
     set epoch = greatest(e.epoch + 1, above + 1, now_ms / 1000), begun_ms = now_ms, reason = why,
         events_until = coalesce(pg_sequence_last_value(pg_get_serial_sequence('public.events', 'number')::regclass), 0)
   where e.epoch = expected
  returning e.epoch
$$;

CREATE FUNCTION public.claim_alert_recipients(new_lease uuid, now_ms bigint, until_ms bigint, is_poor boolean, busy_accounts uuid[], most_each integer, most integer) RETURNS TABLE(account_id uuid, recipient_id uuid)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.claim_webhooks(new_lease uuid, now_ms bigint, until_ms bigint, is_poor boolean, busy_accounts uuid[], most_each integer, most integer) RETURNS TABLE(account_id uuid, webhook_id uuid)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.count_videos(is_told boolean, query text, exact tsquery, shown_ms bigint, least_published_ms bigint, most_published_ms bigint, least_duration bigint, most_duration bigint, most integer) RETURNS integer
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
  declare
    tier_number integer;
    counted bigint;
    found bigint := 0;
  begin
    for tier_number in
      select number
        from (
          select tier, moving, from_ms, lag(from_ms) over (order by from_ms desc, from_id desc) as to_ms
            from public.search_tiers where account_id = public.current_account()
        ) as t, unnest(tier || moving) as number
       where coalesce(to_ms >= least_published_ms, true) and from_ms <= most_published_ms
       group by number order by max(from_ms) desc
    loop
      if is_told then
        -- Without looking into the rows: PostgreSQL has only to see that they are there.
        select count(*) into counted
          from public.video_search v where v.terms @@ replace(query, '~', tier_number::text)::tsquery;
      else
        select count(*) into counted
          from public.video_search v
         where v.terms @@ replace(query, '~', tier_number::text)::tsquery
           and v.published_ms between least_published_ms and most_published_ms
           and v.duration between least_duration and most_duration
           and (shown_ms is null or (v.is_ready and v.available_ms <= shown_ms and v.expired_ms > shown_ms))
           and (exact is null or v.words @@ exact);
      end if;
      found := found + counted;
      exit when found > most;
    end loop;
    return least(found, most + 1);
  end
  $$;

CREATE FUNCTION public.current_account() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ select nullif(current_setting('app.account_id', true), '')::uuid $$;

CREATE FUNCTION public.database_identity() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select concat_ws('/', extract(epoch from pg_postmaster_start_time()), 'public.timelines'::regclass::oid,
                   pg_relation_filenode('public.timelines'))
$$;

CREATE FUNCTION public.drop_audience_days(parent text, before_day integer, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '500ms'
    AS $_$
declare
  partition text;
  dropped integer := 0;
begin
  if parent not in ('audience_hours', 'audience_minutes') then raise exception 'no such table: %', parent; end if;
  for partition in
    select relname from pg_class
     where relnamespace = 'audience_days'::regnamespace and relkind = 'r'
       and relname ~ ('^' || parent || '_\d{8}$')
       and relname::text collate "C" < parent || '_' || to_char(date '1970-01-01' + before_day, 'YYYYMMDD')
     order by relname
     limit most
  loop
    execute format('drop table audience_days.%I', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $_$;

CREATE FUNCTION public.find_account_id(account_name text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select account_id from public.accounts where name = account_name $$;

CREATE FUNCTION public.forget_alert_mails(before_ms bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.forget_audience_batches(before_ms bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with old as (
    select account_id, batch_id from public.audience_batches
     where closed_ms < before_ms order by closed_ms limit most
  ), gone as (
    delete from public.audience_batches b using old
     where b.account_id = old.account_id and b.batch_id = old.batch_id
    returning 1
  )
  select count(*)::integer from gone
$$;

CREATE FUNCTION public.forget_audience_log_blocks(before_ms bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.forget_events(before_ms bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with old as (
      select account_id, event_id from public.events where at_ms < before_ms
       order by at_ms limit most for update skip locked
    ), gone as (
      delete from public.events e using old
       where e.account_id = old.account_id and e.event_id = old.event_id returning 1
    )
    select count(*)::integer from gone
  $$;

CREATE FUNCTION public.forget_idempotency_keys(before_ms bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with old as (
      select account_id, key_hash from public.idempotency_keys where expires_ms < before_ms
       order by expires_ms limit most for update skip locked
    ), gone as (
      delete from public.idempotency_keys k using old
       where k.account_id = old.account_id and k.key_hash = old.key_hash returning 1
    )
    select count(*)::integer from gone
  $$;

CREATE FUNCTION public.forget_runs(before_ticks bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with old as (
    select r.account_id, r.linear_channel_id, r.number
      from public.runs r
     where r.end_ticks < before_ticks
       and (r.end_sequence = r.first_sequence
            or exists (select from public.runs later
                        where later.account_id = r.account_id and later.linear_channel_id = r.linear_channel_id
                          and later.number > r.number and later.discontinuity is not null
                          and later.end_sequence > later.first_sequence and later.start_ticks <= before_ticks)
           and exists (select from public.timelines t
                        where t.account_id = r.account_id and t.linear_channel_id = r.linear_channel_id
                          and r.end_sequence <= t.recorded_sequence))
     order by r.end_ticks
     limit most
  ), gone as (
    delete from public.runs r using old
     where r.account_id = old.account_id and r.linear_channel_id = old.linear_channel_id and r.number = old.number
    returning 1
  )
  select count(*)::integer from gone
$$;

CREATE FUNCTION public.forget_sessions(before_ms bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with old as (
      select account_id, session_id from public.sessions where expires_ms < before_ms
       order by expires_ms limit most for update skip locked
    ), gone as (
      delete from public.sessions s using old
       where s.account_id = old.account_id and s.session_id = old.session_id returning 1
    )
    select count(*)::integer from gone
  $$;

CREATE FUNCTION public.forget_user_addresses(before_ms bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    with old as (
      select account_id, user_id, address from public.user_addresses where last_login_ms < before_ms
       order by last_login_ms limit most for update skip locked
    ), gone as (
      delete from public.user_addresses a using old
       where a.account_id = old.account_id and a.user_id = old.user_id and a.address = old.address returning 1
    )
    select count(*)::integer from gone
  $$;

CREATE FUNCTION public.forget_webhook_deliveries(before_ms bigint, most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.list_accounts_on_air(most integer) RETURNS TABLE(account_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select distinct c.account_id
    from public.linear_channels c
   where c.status <> 'OFFLINE' and c.deleted_ms is null
   order by c.account_id
   limit most
$$;

CREATE FUNCTION public.list_timelines(after_account uuid, after_channel uuid, most integer) RETURNS TABLE(account_id uuid, linear_channel_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select t.account_id, t.linear_channel_id
    from public.timelines t
   where (t.account_id, t.linear_channel_id) > (after_account, after_channel)
   order by t.account_id, t.linear_channel_id
   limit most
$$;

CREATE FUNCTION public.list_unknown_updates(published jsonb) RETURNS TABLE(account_id text, linear_channel_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select p.account_id, p.linear_channel_id
    from jsonb_to_recordset(published)
         as p(account_id text, linear_channel_id text, epoch bigint, version bigint)
   where p.epoch >= (select e.epoch from public.feed_epoch e)
     and not exists (select from public.timelines t
                      where t.account_id::text = p.account_id and t.linear_channel_id::text = p.linear_channel_id
                        and (t.feed_epoch, t.feed_version) >= (p.epoch, p.version))
$$;

CREATE FUNCTION public.make_as_run_months(through_month integer, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '500ms'
    AS $_$
declare
  month date;
  partition text;
  bounds bigint[];
  made integer := 0;
begin
  if through_month not between 0 and 99999 then raise exception 'no such month: %', through_month; end if;
  for month in
    select generate_series(
             (select to_date(right(relname, 6), 'YYYYMM')::timestamp from pg_class
               where relnamespace = 'as_run_months'::regnamespace and relkind = 'r' and relname ~ '^as_run_until_\d{6}$'),
             timestamp '1970-01-01' + make_interval(months => through_month),
             interval '1 month')
  loop
    exit when made >= most;
    partition := 'as_run_' || to_char(month, 'YYYYMM');
    continue when to_regclass('as_run_months.' || partition) is not null;
    perform pg_advisory_xact_lock(hashtext('as_run_months'));
    -- By a query: to_regclass may still have the answer from before the wait.
    continue when exists (select from pg_class where relnamespace = 'as_run_months'::regnamespace and relname = partition);
    bounds := array[extract(epoch from month), extract(epoch from month + interval '1 month')]::bigint[];
    execute format('create table as_run_months.%I (like public.as_run_entries including all)', partition);
    -- Attaching would lock it, too; now no row of the month can be added to it meanwhile.
    lock table as_run_months.as_run_other in access exclusive mode;
    execute format('with moved as (
                      delete from as_run_months.as_run_other where start_ticks >= %s and start_ticks < %s
                      returning account_id, linear_channel_id, start_ticks, end_ticks, segments, program_id, program,
                                component, type, reference_id, title, break_sequence)
                    insert into as_run_months.%I
                           (account_id, linear_channel_id, start_ticks, end_ticks, segments, program_id, program,
                            component, type, reference_id, title, break_sequence)
                    select account_id, linear_channel_id, start_ticks, end_ticks, segments, program_id, program,
                           component, type, reference_id, title, break_sequence
                      from moved', bounds[1] * 90000, bounds[2] * 90000, partition);
    execute format('alter table public.as_run_entries attach partition as_run_months.%I for values from (%s) to (%s)',
                   partition, bounds[1] * 90000, bounds[2] * 90000);
    made := made + 1;
  end loop;
  return made;
end $_$;

CREATE FUNCTION public.make_audience_day(day integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  parent text;
  partition text;
begin
  if day not between 0 and 99999 then raise exception 'no such day: %', day; end if;
  foreach parent in array array['audience_hours', 'audience_minutes'] loop
    partition := parent || '_' || to_char(date '1970-01-01' + day, 'YYYYMMDD');
    continue when to_regclass('audience_days.' || partition) is not null;
    perform pg_advisory_xact_lock(hashtext('audience_days'));
    continue when exists (select from pg_class where relnamespace = 'audience_days'::regnamespace and relname = partition);
    -- A table that is attached locks the parent less than one that is made as its partition. Rows are updated in place for
    -- an hour, for which there has to be room in their pages.
    execute format('create table audience_days.%I (like public.%I including all) with (fillfactor = 80)', partition, parent);
    execute format('alter table public.%I attach partition audience_days.%I for values from (%s) to (%s)',
                   parent, partition, day * 86400000::bigint, (day + 1) * 86400000::bigint);
  end loop;
end $$;

CREATE FUNCTION public.match_videos(tiers integer[], from_ms bigint, from_id uuid, to_ms bigint, to_id uuid, query text, exact tsquery, shown_ms bigint, most integer) RETURNS TABLE(video_id uuid, published_ms bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
  begin
    return query
      select v.video_id, v.published_ms
        from unnest(tiers) as t(tier)
        join public.video_search v on v.terms @@ replace(query, '~', t.tier::text)::tsquery
       where v.account_id = public.current_account()
         and (v.published_ms, v.video_id) >= (from_ms, from_id)
         and (v.published_ms, v.video_id) < (to_ms, to_id)
         and (shown_ms is null or (v.is_ready and v.available_ms <= shown_ms and v.expired_ms > shown_ms))
         and (exact is null or v.words @@ exact)
       order by v.published_ms desc, v.video_id desc
       limit most;
  end
  $$;

CREATE FUNCTION public.match_videos(tiers integer[], from_ms bigint, from_id uuid, to_ms bigint, to_id uuid, query text, exact tsquery, shown_ms bigint, least_published_ms bigint, most_published_ms bigint, least_duration bigint, most_duration bigint, most integer) RETURNS TABLE(video_id uuid, published_ms bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
  begin
    return query
      select v.video_id, v.published_ms
        from unnest(tiers) as t(tier)
        join public.video_search v on v.terms @@ replace(query, '~', t.tier::text)::tsquery
       where v.account_id = public.current_account()
         and (v.published_ms, v.video_id) >= (from_ms, from_id)
         and (v.published_ms, v.video_id) < (to_ms, to_id)
         and v.published_ms between least_published_ms and most_published_ms
         and v.duration between least_duration and most_duration
         and (shown_ms is null or (v.is_ready and v.available_ms <= shown_ms and v.expired_ms > shown_ms))
         and (exact is null or v.words @@ exact)
       order by v.published_ms desc, v.video_id desc
       limit most;
  end
  $$;

CREATE FUNCTION public.note_database_compared(in_epoch bigint, identity text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update public.feed_epoch set compared_identity = identity
   where epoch = in_epoch and compared_identity is distinct from identity
$$;

CREATE FUNCTION public.reset_event_horizons(most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  changed integer;
begin
  update public.events set horizon = 0
   where ctid in (select e.ctid from public.events e, public.feed_epoch f
                   where e.number <= f.events_until and e.horizon > 0 limit most);
  get diagnostics changed = row_count;
  if changed = 0 then
    update public.feed_epoch set events_until = null where events_until is not null;
  end if;
  return changed;
end
$$;

CREATE FUNCTION public.take_duration() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  begin
    select v.duration into new.duration
      from public.videos v where v.account_id = new.account_id and v.video_id = new.video_id;
    return new;
  end
  $$;

CREATE TABLE public.as_run_entries (
    account_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    start_ticks bigint NOT NULL,
    end_ticks bigint NOT NULL,
    segments integer NOT NULL,
    program_id text,
    program jsonb,
    component integer NOT NULL,
    type text NOT NULL,
    reference_id text,
    title text NOT NULL,
    break_sequence bigint,
    CONSTRAINT as_run_entries_type_check CHECK ((type = ANY (ARRAY['VIDEO'::text, 'AD_POD'::text, 'INTERSTITIAL'::text, 'TIME_FILL'::text, 'LIVE'::text, 'SLATE'::text])))
)
PARTITION BY RANGE (start_ticks);

CREATE TABLE public.accounts (
    account_id uuid NOT NULL,
    name text NOT NULL,
    title text NOT NULL,
    country text NOT NULL,
    frame_rate integer NOT NULL,
    segment_ms integer NOT NULL,
    loudness_lufs double precision NOT NULL,
    format_frozen_ms bigint,
    version integer DEFAULT 1 NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    rescue_slate_video_id uuid,
    time_fill_video_id uuid,
    ad_slate_video_id uuid,
    CONSTRAINT accounts_frame_rate_check CHECK ((frame_rate = ANY (ARRAY[25, 30]))),
    CONSTRAINT accounts_segment_ms_check CHECK ((segment_ms = ANY (ARRAY[3200, 6400])))
);

CREATE TABLE public.alert_mails (
    account_id uuid NOT NULL,
    recipient_id uuid NOT NULL,
    mail_id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    alert_ids uuid[] NOT NULL,
    composed_ms bigint NOT NULL,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    ready_ms bigint,
    first_attempt_ms bigint,
    attempt_ms bigint,
    attempt_address text,
    duration_ms integer,
    response text,
    error_code text,
    ended_ms bigint,
    CONSTRAINT alert_mails_kind_check CHECK ((kind = ANY (ARRAY['ALERTS'::text, 'TEST'::text]))),
    CONSTRAINT alert_mails_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'SENT'::text, 'FAILED'::text])))
);

CREATE TABLE public.alert_notices (
    account_id uuid NOT NULL,
    recipient_id uuid NOT NULL,
    alert_id uuid NOT NULL,
    mailed_ms bigint,
    mailed_severity text,
    due_ms bigint,
    CONSTRAINT alert_notices_mailed_severity_check CHECK ((mailed_severity = ANY (ARRAY['INFO'::text, 'WARNING'::text, 'CRITICAL'::text])))
);

CREATE TABLE public.alert_recipient_progress (
    account_id uuid NOT NULL,
    recipient_id uuid NOT NULL,
    is_active boolean NOT NULL,
    cursor_epoch bigint NOT NULL,
    cursor_horizon bigint NOT NULL,
    cursor_number bigint NOT NULL,
    next_mail_ms bigint DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failing_since_ms bigint,
    is_slow boolean NOT NULL,
    due_ms bigint,
    not_before_ms bigint DEFAULT 0 NOT NULL,
    lease uuid,
    lease_until_ms bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.alert_recipients (
    account_id uuid NOT NULL,
    recipient_id uuid NOT NULL,
    address text NOT NULL,
    description text NOT NULL,
    minimum_severity text NOT NULL,
    time_zone text NOT NULL,
    quiet_hours jsonb NOT NULL,
    reminder_ms bigint,
    status text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_ms bigint NOT NULL,
    created_user_id text NOT NULL,
    updated_ms bigint NOT NULL,
    updated_user_id text NOT NULL,
    deleted_ms bigint,
    CONSTRAINT alert_recipients_minimum_severity_check CHECK ((minimum_severity = ANY (ARRAY['INFO'::text, 'WARNING'::text, 'CRITICAL'::text]))),
    CONSTRAINT alert_recipients_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'PAUSED'::text])))
);

CREATE TABLE public.alerts (
    account_id uuid NOT NULL,
    alert_id uuid NOT NULL,
    severity text NOT NULL,
    code text NOT NULL,
    message text NOT NULL,
    subject_type text NOT NULL,
    subject_id text NOT NULL,
    opened_ms bigint NOT NULL,
    closed_ms bigint,
    CONSTRAINT alerts_severity_check CHECK ((severity = ANY (ARRAY['INFO'::text, 'WARNING'::text, 'CRITICAL'::text])))
);

CREATE TABLE public.app_keys (
    account_id uuid NOT NULL,
    app_key_id uuid NOT NULL,
    app_name text NOT NULL,
    key_hash bytea NOT NULL,
    status text NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    created_ms bigint NOT NULL,
    last_used_ms bigint,
    revoked_ms bigint,
    CONSTRAINT app_keys_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'REVOKED'::text])))
);

CREATE TABLE public.assets (
    account_id uuid NOT NULL,
    asset_id uuid NOT NULL,
    video_id uuid NOT NULL,
    made_from text NOT NULL,
    image_url text,
    state text NOT NULL,
    progress real DEFAULT 0 NOT NULL,
    reason_code text,
    reason_message text,
    frame_rate integer NOT NULL,
    segment_ms integer NOT NULL,
    package_path text,
    duration_ticks bigint,
    segment_count integer,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    has_slots boolean DEFAULT false NOT NULL,
    cuts jsonb,
    found_cues jsonb,
    CONSTRAINT assets_check CHECK (((state = 'READY'::text) = ((package_path IS NOT NULL) AND (duration_ticks IS NOT NULL) AND (segment_count IS NOT NULL)))),
    CONSTRAINT assets_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision))),
    CONSTRAINT assets_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'FETCHING'::text, 'PACKAGING'::text, 'READY'::text, 'FAILED'::text, 'CANCELLED'::text])))
);

CREATE TABLE public.audience_batches (
    account_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    closed_ms bigint NOT NULL
);

CREATE TABLE public.audience_hours (
    account_id uuid NOT NULL,
    hour_ms bigint NOT NULL,
    linear_channel_id uuid NOT NULL,
    distributor text NOT NULL COLLATE pg_catalog."C",
    country text NOT NULL COLLATE pg_catalog."C",
    span_ticks bigint NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    program_id text,
    component integer NOT NULL,
    reference_id uuid,
    cmcd_v2_ms bigint NOT NULL,
    cmcd_v1_ms bigint NOT NULL,
    heartbeat_ms bigint NOT NULL,
    starts bigint NOT NULL,
    CONSTRAINT audience_hours_type_check CHECK ((type = ANY (ARRAY['VIDEO'::text, 'AD_POD'::text, 'INTERSTITIAL'::text, 'TIME_FILL'::text, 'LIVE'::text, 'SLATE'::text])))
)
PARTITION BY RANGE (hour_ms);

CREATE TABLE public.audience_log_blocks (
    account_id uuid NOT NULL,
    session text NOT NULL COLLATE pg_catalog."C",
    hour_ms bigint NOT NULL,
    heartbeats bytea NOT NULL,
    growths integer NOT NULL,
    is_started boolean NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.audience_minutes (
    account_id uuid NOT NULL,
    minute_ms bigint NOT NULL,
    linear_channel_id uuid NOT NULL,
    distributor text NOT NULL COLLATE pg_catalog."C",
    span_ticks bigint NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    program_id text,
    component integer NOT NULL,
    reference_id uuid,
    cmcd_v2_ms bigint NOT NULL,
    cmcd_v1_ms bigint NOT NULL,
    heartbeat_ms bigint NOT NULL,
    starts bigint NOT NULL,
    CONSTRAINT audience_minutes_type_check CHECK ((type = ANY (ARRAY['VIDEO'::text, 'AD_POD'::text, 'INTERSTITIAL'::text, 'TIME_FILL'::text, 'LIVE'::text, 'SLATE'::text])))
)
PARTITION BY RANGE (minute_ms);

CREATE TABLE public.audit_entries (
    account_id uuid NOT NULL,
    audit_id uuid NOT NULL,
    at_ms bigint NOT NULL,
    user_id uuid,
    action text NOT NULL,
    subject_type text NOT NULL,
    subject_id text NOT NULL,
    before jsonb,
    after jsonb,
    request_id text
);

CREATE TABLE public.brands (
    account_id uuid NOT NULL,
    brand_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    name_order text NOT NULL COLLATE pg_catalog."C",
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    deleted_ms bigint
);

CREATE TABLE public.catalog_totals (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    total bigint NOT NULL,
    CONSTRAINT catalog_totals_kind_check CHECK ((kind = ANY (ARRAY['brand'::text, 'series'::text, 'series_ready'::text, 'playlist'::text, 'playlist_ready'::text, 'video'::text, 'video_open'::text]))),
    CONSTRAINT catalog_totals_total_check CHECK ((total >= 0))
);

CREATE TABLE public.catalog_word_grams (
    account_id uuid NOT NULL,
    gram text NOT NULL COLLATE pg_catalog."C",
    word text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.catalog_words (
    account_id uuid NOT NULL,
    word text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.channel_plans (
    account_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    rules jsonb NOT NULL,
    version integer NOT NULL,
    seed integer NOT NULL,
    state jsonb NOT NULL,
    state_ms bigint NOT NULL,
    replan_from_ms bigint,
    planned_until_ms bigint,
    planned_ms bigint,
    refreshed_ms bigint DEFAULT 0 NOT NULL,
    warnings jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_ms bigint NOT NULL,
    changed_ms bigint NOT NULL,
    changed_user_id text NOT NULL
);

CREATE TABLE public.clock_faults (
    code text NOT NULL,
    subject_id text NOT NULL,
    account_ids uuid[] NOT NULL,
    reported_at timestamp with time zone NOT NULL
);

CREATE TABLE public.due_rows (
    kind text NOT NULL,
    subject_id text NOT NULL,
    account_id uuid,
    due_ms bigint NOT NULL,
    failures integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.ended_credentials (
    kind text NOT NULL,
    id uuid NOT NULL,
    generation integer NOT NULL,
    ended_ms bigint NOT NULL,
    CONSTRAINT ended_credentials_kind_check CHECK ((kind = ANY (ARRAY['session'::text, 'subject'::text])))
);

CREATE TABLE public.events (
    account_id uuid NOT NULL,
    event_id uuid NOT NULL,
    number bigint NOT NULL,
    horizon bigint DEFAULT GREATEST((((pg_current_xact_id())::text)::bigint + 1), ((pg_snapshot_xmax(pg_current_snapshot()))::text)::bigint) NOT NULL,
    at_ms bigint NOT NULL,
    kind text NOT NULL,
    subject_type text NOT NULL,
    subject_id text NOT NULL,
    data jsonb NOT NULL
);

ALTER TABLE public.events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.feed_epoch (
    is_only boolean DEFAULT true NOT NULL,
    epoch bigint NOT NULL,
    begun_ms bigint NOT NULL,
    reason text NOT NULL,
    compared_identity text,
    events_until bigint,
    CONSTRAINT feed_epoch_is_only_check CHECK (is_only)
);

CREATE TABLE public.feed_steps (
    account_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    version bigint NOT NULL,
    body bytea NOT NULL,
    created_ms bigint NOT NULL
);

CREATE TABLE public.idempotency_keys (
    account_id uuid NOT NULL,
    key_hash bytea NOT NULL,
    request_hash bytea NOT NULL,
    sealed_answer bytea,
    etag text,
    expires_ms bigint NOT NULL
);

CREATE TABLE public.ingest_items (
    account_id uuid NOT NULL,
    request_id uuid NOT NULL,
    place integer NOT NULL,
    type text NOT NULL,
    duration integer NOT NULL,
    video_source_id text COLLATE pg_catalog."C",
    document jsonb,
    asset_id uuid,
    CONSTRAINT ingest_items_check CHECK (((type = 'VIDEO'::text) = ((video_source_id IS NOT NULL) AND (document IS NOT NULL)))),
    CONSTRAINT ingest_items_type_check CHECK ((type = ANY (ARRAY['AD_POD'::text, 'VIDEO'::text])))
);

CREATE TABLE public.ingest_requests (
    account_id uuid NOT NULL,
    request_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    brand_id text COLLATE pg_catalog."C",
    program_title text NOT NULL,
    program_description text NOT NULL,
    start_ms bigint NOT NULL,
    end_ms bigint NOT NULL,
    content_hash bytea NOT NULL,
    state text NOT NULL,
    reason_code text,
    reason_message text,
    warnings jsonb NOT NULL,
    replaces_id uuid,
    program_id uuid,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    CONSTRAINT ingest_requests_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'PROCESSING'::text, 'SCHEDULED'::text, 'FAILED'::text, 'REPLACED'::text, 'CANCELLED'::text])))
);

CREATE TABLE public.linear_channels (
    account_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    title text NOT NULL,
    title_folded text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL,
    internal_title text NOT NULL,
    status text NOT NULL,
    override_status text NOT NULL,
    rescue_slate_video_id uuid,
    time_fill_video_id uuid,
    ad_slate_video_id uuid,
    filler_playlist_id uuid,
    version integer DEFAULT 1 NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    deleted_ms bigint,
    off_air_ms bigint,
    override_source_id uuid,
    scheduled_ms bigint,
    filler_title text,
    CONSTRAINT linear_channels_filler_title_check CHECK ((char_length(filler_title) <= 200)),
    CONSTRAINT linear_channels_override_status_check CHECK ((override_status = ANY (ARRAY['SCHEDULED'::text, 'OVERRIDDEN'::text, 'NOT_STARTED'::text]))),
    CONSTRAINT linear_channels_status_check CHECK ((status = ANY (ARRAY['OFFLINE'::text, 'PENDING_ON_AIR'::text, 'ON_AIR'::text, 'PENDING_OFFLINE'::text, 'ERROR'::text])))
);

CREATE TABLE public.live_breaks (
    account_id uuid NOT NULL,
    live_source_id uuid NOT NULL,
    log text NOT NULL,
    version integer NOT NULL
);

CREATE TABLE public.live_logs (
    account_id uuid NOT NULL,
    live_source_id uuid NOT NULL,
    input smallint NOT NULL,
    log text NOT NULL,
    stored_ms bigint NOT NULL,
    CONSTRAINT live_logs_input_check CHECK ((input = ANY (ARRAY[0, 1])))
);

CREATE TABLE public.live_sources (
    account_id uuid NOT NULL,
    live_source_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    type text NOT NULL,
    input_url text NOT NULL,
    scte_35_source text NOT NULL,
    always_keep_receiver_active boolean NOT NULL,
    enable_redundancy boolean NOT NULL,
    redundancy_source text NOT NULL,
    enable_audio_normalization boolean NOT NULL,
    audio_algorithm text NOT NULL,
    enable_auto_live_switch_on_signal boolean NOT NULL,
    auto_switch_channel_ids uuid[] NOT NULL,
    ad_slate_video_id uuid,
    enable_relative_start_for_countdown boolean NOT NULL,
    images text NOT NULL,
    state text NOT NULL,
    detail_code text,
    detail_message text,
    detail_ms bigint,
    generation integer DEFAULT 1 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_ms bigint NOT NULL,
    created_user_id text NOT NULL,
    updated_ms bigint NOT NULL,
    updated_user_id text NOT NULL,
    deleted_ms bigint,
    state_ms bigint DEFAULT 0 NOT NULL,
    swept_hour integer,
    CONSTRAINT live_sources_audio_algorithm_check CHECK ((audio_algorithm = ANY (ARRAY['EBU_R128'::text, 'ATSC_A85'::text, ''::text]))),
    CONSTRAINT live_sources_scte_35_source_check CHECK ((scte_35_source = ANY (ARRAY['NONE'::text, 'MANIFEST'::text, 'API'::text, ''::text]))),
    CONSTRAINT live_sources_state_check CHECK ((state = ANY (ARRAY['IDLE'::text, 'ACTIVATING'::text, 'ACTIVE'::text, 'DEACTIVATING'::text, 'ERROR'::text]))),
    CONSTRAINT live_sources_type_check CHECK ((type = 'HLS_PULL'::text))
);

CREATE TABLE public.login_limits (
    key bytea NOT NULL,
    tried_ms bigint[] NOT NULL,
    until_ms bigint NOT NULL
);

CREATE TABLE public.outputs (
    account_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    distributor text NOT NULL COLLATE pg_catalog."C",
    key text,
    window_ms integer NOT NULL,
    markers text NOT NULL,
    break_policy text NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    audience_source text DEFAULT 'NODES'::text NOT NULL,
    audience_from_ms bigint DEFAULT 0 NOT NULL,
    delay_ms integer DEFAULT 0 NOT NULL,
    CONSTRAINT outputs_audience_source_check CHECK ((audience_source = ANY (ARRAY['NODES'::text, 'LOGS'::text]))),
    CONSTRAINT outputs_break_policy_check CHECK ((break_policy = ANY (ARRAY['ACTUAL'::text, 'FULL_LENGTH'::text]))),
    CONSTRAINT outputs_delay_ms_check CHECK ((((delay_ms >= 0) AND (delay_ms <= 86400000)) AND ((delay_ms % 1000) = 0))),
    CONSTRAINT outputs_markers_check CHECK ((markers = ANY (ARRAY['DATERANGE'::text, 'CUE'::text, 'BOTH'::text, 'NONE'::text])))
);

CREATE TABLE public.playlist_videos (
    account_id uuid NOT NULL,
    playlist_id uuid NOT NULL,
    place integer NOT NULL,
    video_id uuid NOT NULL
);

CREATE TABLE public.playlists (
    account_id uuid NOT NULL,
    playlist_id uuid NOT NULL,
    title text NOT NULL,
    title_order text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL,
    images jsonb NOT NULL,
    status text NOT NULL,
    video_count integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    deleted_ms bigint,
    CONSTRAINT playlists_status_check CHECK ((status = ANY (ARRAY['READY'::text, 'DISABLED'::text]))),
    CONSTRAINT playlists_video_count_check CHECK ((video_count >= 0))
);

CREATE TABLE public.program_items (
    account_id uuid NOT NULL,
    program_id uuid NOT NULL,
    place integer NOT NULL,
    type text NOT NULL,
    declared_ms bigint NOT NULL,
    title text NOT NULL,
    video_id uuid,
    asset_id uuid,
    in_ms integer,
    out_ms integer,
    CONSTRAINT program_items_check CHECK (((type = 'AD_POD'::text) = ((asset_id IS NULL) AND (video_id IS NULL)))),
    CONSTRAINT program_items_check1 CHECK ((out_ms > COALESCE(in_ms, 0))),
    CONSTRAINT program_items_in_ms_check CHECK ((in_ms >= 0)),
    CONSTRAINT program_items_type_check CHECK ((type = ANY (ARRAY['AD_POD'::text, 'INTERSTITIAL'::text, 'VIDEO'::text])))
);

CREATE TABLE public.programs (
    account_id uuid NOT NULL,
    program_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    description text NOT NULL,
    start_ms bigint NOT NULL,
    end_ms bigint NOT NULL,
    details jsonb NOT NULL,
    removed_ms bigint,
    created_ms bigint NOT NULL,
    origin text DEFAULT 'REQUEST'::text NOT NULL,
    origin_id uuid,
    version integer DEFAULT 1 NOT NULL,
    rule jsonb,
    CONSTRAINT programs_origin_check CHECK ((origin = ANY (ARRAY['REQUEST'::text, 'OPERATOR'::text, 'RULE'::text])))
);

CREATE TABLE public.runs (
    account_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    number bigint NOT NULL,
    first_sequence bigint NOT NULL,
    start_ticks bigint NOT NULL,
    end_sequence bigint NOT NULL,
    end_ticks bigint NOT NULL,
    discontinuity bigint,
    is_start boolean NOT NULL,
    is_end boolean NOT NULL,
    body bytea NOT NULL,
    airings jsonb NOT NULL,
    created_ms bigint NOT NULL
);

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    breaking text,
    applied_ms bigint NOT NULL
);

CREATE TABLE public.search_tiers (
    account_id uuid NOT NULL,
    from_ms bigint NOT NULL,
    from_id uuid NOT NULL,
    tier integer NOT NULL,
    videos integer NOT NULL,
    moving integer[] DEFAULT '{}'::integer[] NOT NULL,
    CONSTRAINT search_tiers_videos_check CHECK ((videos >= 0))
);

ALTER TABLE public.search_tiers ALTER COLUMN tier ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.search_tiers_tier_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.series (
    account_id uuid NOT NULL,
    series_id uuid NOT NULL,
    title text NOT NULL,
    title_order text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL,
    brand_id text COLLATE pg_catalog."C",
    images jsonb NOT NULL,
    status text NOT NULL,
    video_count integer DEFAULT 0 NOT NULL,
    season_count integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    deleted_ms bigint,
    CONSTRAINT series_season_count_check CHECK ((season_count >= 0)),
    CONSTRAINT series_status_check CHECK ((status = ANY (ARRAY['READY'::text, 'DISABLED'::text]))),
    CONSTRAINT series_video_count_check CHECK ((video_count >= 0))
);

CREATE TABLE public.sessions (
    account_id uuid NOT NULL,
    session_id uuid NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    device_id uuid NOT NULL,
    user_agent text NOT NULL,
    country text NOT NULL,
    begun_ms bigint NOT NULL,
    expires_ms bigint NOT NULL,
    ended_ms bigint,
    ended_reason text,
    family_secret bytea NOT NULL,
    credential_number integer NOT NULL,
    credential_hash bytea NOT NULL,
    replaced_ms bigint,
    replaced_hash bytea,
    sealed_successor bytea,
    CONSTRAINT sessions_subject_type_check CHECK ((subject_type = ANY (ARRAY['user'::text, 'app'::text])))
)
WITH (fillfactor='80');

CREATE TABLE public.timelines (
    account_id uuid NOT NULL,
    linear_channel_id uuid NOT NULL,
    version bigint NOT NULL,
    feed_version bigint NOT NULL,
    reach_ms bigint,
    changed_ms bigint,
    recorded_sequence bigint NOT NULL,
    open_entry jsonb,
    feed_epoch bigint DEFAULT 1 NOT NULL,
    skip_sequence bigint,
    skip_discontinuity bigint,
    guide_version bigint DEFAULT 0 NOT NULL,
    rules_from_ms bigint
);

CREATE TABLE public.user_addresses (
    account_id uuid NOT NULL,
    user_id uuid NOT NULL,
    address text NOT NULL,
    last_login_ms bigint NOT NULL
);

CREATE TABLE public.users (
    account_id uuid NOT NULL,
    user_id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    roles text[] NOT NULL,
    status text NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    last_login_ms bigint,
    deleted_ms bigint,
    CONSTRAINT users_roles_check CHECK (((cardinality(roles) > 0) AND (roles <@ ARRAY['ROLE_USER'::text, 'ROLE_ADMIN'::text, 'ROLE_OPERATOR'::text, 'SCHEDULE'::text]))),
    CONSTRAINT users_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);

CREATE TABLE public.video_search (
    account_id uuid NOT NULL,
    video_id uuid NOT NULL,
    published_ms bigint NOT NULL,
    available_ms bigint NOT NULL,
    expired_ms bigint NOT NULL,
    is_ready boolean NOT NULL,
    tier integer NOT NULL,
    terms tsvector NOT NULL,
    words tsvector NOT NULL,
    duration integer NOT NULL
)
WITH (toast_tuple_target='2032');
ALTER TABLE ONLY public.video_search ALTER COLUMN terms SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.video_search ALTER COLUMN words SET STORAGE MAIN;

CREATE TABLE public.videos (
    account_id uuid NOT NULL,
    video_id uuid NOT NULL,
    published_ms bigint NOT NULL,
    available_ms bigint NOT NULL,
    expired_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    duration integer NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    season_order integer NOT NULL,
    episode_order integer NOT NULL,
    document text NOT NULL,
    hls_path text,
    mp4_path text,
    status text NOT NULL,
    title text NOT NULL,
    title_order text NOT NULL COLLATE pg_catalog."C",
    source_id text COLLATE pg_catalog."C",
    video_source_id text COLLATE pg_catalog."C",
    brand_id text COLLATE pg_catalog."C",
    series_id uuid,
    audio_language text COLLATE pg_catalog."C",
    country_origin text COLLATE pg_catalog."C",
    content_format text COLLATE pg_catalog."C",
    content_type text COLLATE pg_catalog."C",
    cut text COLLATE pg_catalog."C",
    periodicity text COLLATE pg_catalog."C",
    parental_rating text COLLATE pg_catalog."C",
    channel_ids text[] NOT NULL COLLATE pg_catalog."C",
    genres text[] NOT NULL COLLATE pg_catalog."C",
    sub_genres text[] NOT NULL COLLATE pg_catalog."C",
    keywords text[] NOT NULL COLLATE pg_catalog."C",
    deleted_ms bigint,
    cue_points text,
    CONSTRAINT videos_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PROCESSING'::text, 'READY'::text, 'DISABLED'::text, 'ERROR'::text])))
)
WITH (toast_tuple_target='4080');
ALTER TABLE ONLY public.videos ALTER COLUMN document SET STORAGE MAIN;

CREATE TABLE public.webhook_deliveries (
    account_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    "position" bigint NOT NULL,
    replays integer NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    event_ms bigint NOT NULL,
    body text NOT NULL,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    ready_ms bigint,
    first_attempt_ms bigint,
    attempt_ms bigint,
    attempt_url text,
    duration_ms integer,
    response_status integer,
    response_body text,
    error_code text,
    ended_ms bigint,
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])))
);

CREATE TABLE public.webhook_progress (
    account_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    is_active boolean NOT NULL,
    cursor_epoch bigint NOT NULL,
    cursor_horizon bigint NOT NULL,
    cursor_number bigint NOT NULL,
    from_ms bigint NOT NULL,
    replays integer DEFAULT 0 NOT NULL,
    last_position bigint DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failing_since_ms bigint,
    is_slow boolean NOT NULL,
    due_ms bigint,
    not_before_ms bigint DEFAULT 0 NOT NULL,
    lease uuid,
    lease_until_ms bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.webhooks (
    account_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    url text NOT NULL,
    description text NOT NULL,
    kinds text[] NOT NULL,
    status text NOT NULL,
    status_reason text,
    status_ms bigint NOT NULL,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_until_ms bigint,
    version integer DEFAULT 1 NOT NULL,
    created_ms bigint NOT NULL,
    created_user_id text NOT NULL,
    updated_ms bigint NOT NULL,
    updated_user_id text NOT NULL,
    deleted_ms bigint,
    CONSTRAINT webhooks_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'PAUSED'::text]))),
    CONSTRAINT webhooks_status_reason_check CHECK ((status_reason = ANY (ARRAY['USER'::text, 'GONE'::text, 'FAILING'::text])))
);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_name_key UNIQUE (name);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.alert_mails
    ADD CONSTRAINT alert_mails_pkey PRIMARY KEY (account_id, recipient_id, mail_id);

ALTER TABLE ONLY public.alert_notices
    ADD CONSTRAINT alert_notices_pkey PRIMARY KEY (account_id, recipient_id, alert_id);

ALTER TABLE ONLY public.alert_recipient_progress
    ADD CONSTRAINT alert_recipient_progress_pkey PRIMARY KEY (account_id, recipient_id);

ALTER TABLE ONLY public.alert_recipients
    ADD CONSTRAINT alert_recipients_pkey PRIMARY KEY (account_id, recipient_id);

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (account_id, alert_id);

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_pkey PRIMARY KEY (account_id, app_key_id);

ALTER TABLE ONLY public.as_run_entries
    ADD CONSTRAINT as_run_entries_pkey PRIMARY KEY (account_id, linear_channel_id, start_ticks);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_pkey PRIMARY KEY (account_id, asset_id);

ALTER TABLE ONLY public.audience_batches
    ADD CONSTRAINT audience_batches_pkey PRIMARY KEY (account_id, batch_id);

ALTER TABLE ONLY public.audience_hours
    ADD CONSTRAINT audience_hours_pkey PRIMARY KEY (account_id, hour_ms, linear_channel_id, distributor, country, span_ticks, type);

ALTER TABLE ONLY public.audience_log_blocks
    ADD CONSTRAINT audience_log_blocks_pkey PRIMARY KEY (account_id, session, hour_ms);

ALTER TABLE ONLY public.audience_minutes
    ADD CONSTRAINT audience_minutes_pkey PRIMARY KEY (account_id, minute_ms, linear_channel_id, distributor, span_ticks, type);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (account_id, audit_id);

ALTER TABLE ONLY public.brands
    ADD CONSTRAINT brands_pkey PRIMARY KEY (account_id, brand_id);

ALTER TABLE ONLY public.catalog_totals
    ADD CONSTRAINT catalog_totals_pkey PRIMARY KEY (account_id, kind);

ALTER TABLE ONLY public.catalog_word_grams
    ADD CONSTRAINT catalog_word_grams_pkey PRIMARY KEY (account_id, gram, word);

ALTER TABLE ONLY public.catalog_words
    ADD CONSTRAINT catalog_words_pkey PRIMARY KEY (account_id, word);

ALTER TABLE ONLY public.channel_plans
    ADD CONSTRAINT channel_plans_pkey PRIMARY KEY (account_id, linear_channel_id);

ALTER TABLE ONLY public.clock_faults
    ADD CONSTRAINT clock_faults_pkey PRIMARY KEY (code, subject_id);

ALTER TABLE ONLY public.due_rows
    ADD CONSTRAINT due_rows_pkey PRIMARY KEY (kind, subject_id);

ALTER TABLE ONLY public.ended_credentials
    ADD CONSTRAINT ended_credentials_pkey PRIMARY KEY (kind, id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (account_id, event_id);

ALTER TABLE ONLY public.feed_epoch
    ADD CONSTRAINT feed_epoch_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.feed_steps
    ADD CONSTRAINT feed_steps_pkey PRIMARY KEY (account_id, linear_channel_id, version);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, key_hash);

ALTER TABLE ONLY public.ingest_items
    ADD CONSTRAINT ingest_items_pkey PRIMARY KEY (account_id, request_id, place);

ALTER TABLE ONLY public.ingest_requests
    ADD CONSTRAINT ingest_requests_pkey PRIMARY KEY (account_id, request_id);

ALTER TABLE ONLY public.linear_channels
    ADD CONSTRAINT linear_channels_pkey PRIMARY KEY (account_id, linear_channel_id);

ALTER TABLE ONLY public.live_breaks
    ADD CONSTRAINT live_breaks_pkey PRIMARY KEY (account_id, live_source_id);

ALTER TABLE ONLY public.live_logs
    ADD CONSTRAINT live_logs_pkey PRIMARY KEY (account_id, live_source_id, input);

ALTER TABLE ONLY public.live_sources
    ADD CONSTRAINT live_sources_pkey PRIMARY KEY (account_id, live_source_id);

ALTER TABLE ONLY public.login_limits
    ADD CONSTRAINT login_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.outputs
    ADD CONSTRAINT outputs_pkey PRIMARY KEY (account_id, linear_channel_id, distributor);

ALTER TABLE ONLY public.playlist_videos
    ADD CONSTRAINT playlist_videos_pkey PRIMARY KEY (account_id, playlist_id, place);

ALTER TABLE ONLY public.playlists
    ADD CONSTRAINT playlists_pkey PRIMARY KEY (account_id, playlist_id);

ALTER TABLE ONLY public.program_items
    ADD CONSTRAINT program_items_pkey PRIMARY KEY (account_id, program_id, place);

ALTER TABLE ONLY public.programs
    ADD CONSTRAINT programs_pkey PRIMARY KEY (account_id, program_id);

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (account_id, linear_channel_id, number);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.search_tiers
    ADD CONSTRAINT search_tiers_pkey PRIMARY KEY (account_id, from_ms, from_id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_pkey PRIMARY KEY (account_id, series_id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (account_id, session_id);

ALTER TABLE ONLY public.timelines
    ADD CONSTRAINT timelines_pkey PRIMARY KEY (account_id, linear_channel_id);

ALTER TABLE ONLY public.user_addresses
    ADD CONSTRAINT user_addresses_pkey PRIMARY KEY (account_id, user_id, address);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (account_id, user_id);

ALTER TABLE ONLY public.video_search
    ADD CONSTRAINT video_search_pkey PRIMARY KEY (account_id, video_id);

ALTER TABLE ONLY public.videos
    ADD CONSTRAINT videos_pkey PRIMARY KEY (account_id, video_id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (account_id, webhook_id, event_id);

ALTER TABLE ONLY public.webhook_progress
    ADD CONSTRAINT webhook_progress_pkey PRIMARY KEY (account_id, webhook_id);

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (account_id, webhook_id);

CREATE INDEX alert_mails_ended ON public.alert_mails USING btree (ended_ms) WHERE (ended_ms IS NOT NULL);

CREATE INDEX alert_mails_pending ON public.alert_mails USING btree (account_id, recipient_id, ready_ms) WHERE (state = 'PENDING'::text);

CREATE INDEX alert_mails_tests ON public.alert_mails USING btree (account_id, composed_ms) WHERE (kind = 'TEST'::text);

CREATE INDEX alert_notices_due ON public.alert_notices USING btree (account_id, recipient_id, due_ms) WHERE (due_ms IS NOT NULL);

CREATE INDEX alert_recipients_present ON public.alert_recipients USING btree (account_id, recipient_id) WHERE (deleted_ms IS NULL);

CREATE INDEX alerts_by_severity ON public.alerts USING btree (account_id, severity, alert_id);

CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (account_id, code, subject_type, subject_id) WHERE (closed_ms IS NULL);

CREATE INDEX alerts_open_by_id ON public.alerts USING btree (account_id, alert_id) WHERE (closed_ms IS NULL);

CREATE INDEX assets_by_video ON public.assets USING btree (account_id, video_id, asset_id);

CREATE INDEX assets_unfinished ON public.assets USING btree (account_id, asset_id) WHERE (state = ANY (ARRAY['QUEUED'::text, 'FETCHING'::text, 'PACKAGING'::text]));

CREATE INDEX audience_batches_by_age ON public.audience_batches USING btree (closed_ms);

CREATE INDEX audience_log_blocks_by_age ON public.audience_log_blocks USING btree (hour_ms);

CREATE INDEX audit_entries_by_subject ON public.audit_entries USING btree (account_id, subject_id, audit_id);

CREATE INDEX audit_entries_by_user ON public.audit_entries USING btree (account_id, user_id, audit_id);

CREATE INDEX brands_in_order ON public.brands USING btree (account_id, name_order, brand_id) WHERE (deleted_ms IS NULL);

CREATE INDEX due_rows_by_time ON public.due_rows USING btree (due_ms);

CREATE INDEX ended_credentials_by_time ON public.ended_credentials USING btree (ended_ms);

CREATE INDEX events_by_time ON public.events USING btree (at_ms);

CREATE INDEX events_in_order ON public.events USING btree (account_id, horizon, number);

CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_ms);

CREATE INDEX ingest_items_by_asset ON public.ingest_items USING btree (account_id, asset_id) WHERE (asset_id IS NOT NULL);

CREATE UNIQUE INDEX ingest_requests_by_place ON public.ingest_requests USING btree (account_id, linear_channel_id, start_ms) WHERE (state = ANY (ARRAY['QUEUED'::text, 'PROCESSING'::text, 'SCHEDULED'::text]));

CREATE INDEX ingest_requests_by_program ON public.ingest_requests USING btree (account_id, program_id) WHERE (program_id IS NOT NULL);

CREATE INDEX ingest_requests_failed ON public.ingest_requests USING btree (account_id, linear_channel_id, start_ms) WHERE ((state = 'FAILED'::text) AND (program_id IS NOT NULL));

CREATE INDEX linear_channels_by_ad_slate ON public.linear_channels USING btree (account_id, ad_slate_video_id) WHERE ((ad_slate_video_id IS NOT NULL) AND (deleted_ms IS NULL));

CREATE INDEX linear_channels_by_filler ON public.linear_channels USING btree (account_id, filler_playlist_id) WHERE ((filler_playlist_id IS NOT NULL) AND (deleted_ms IS NULL));

CREATE INDEX linear_channels_by_rescue_slate ON public.linear_channels USING btree (account_id, rescue_slate_video_id) WHERE ((rescue_slate_video_id IS NOT NULL) AND (deleted_ms IS NULL));

CREATE INDEX linear_channels_by_time_fill ON public.linear_channels USING btree (account_id, time_fill_video_id) WHERE ((time_fill_video_id IS NOT NULL) AND (deleted_ms IS NULL));

CREATE INDEX linear_channels_on_air ON public.linear_channels USING btree (account_id) WHERE ((status <> 'OFFLINE'::text) AND (deleted_ms IS NULL));

CREATE INDEX linear_channels_override ON public.linear_channels USING btree (account_id, override_source_id) WHERE (override_source_id IS NOT NULL);

CREATE INDEX linear_channels_present ON public.linear_channels USING btree (account_id, updated_ms, linear_channel_id) WHERE (deleted_ms IS NULL);

CREATE INDEX live_sources_ad_slate ON public.live_sources USING btree (account_id, ad_slate_video_id) WHERE ((ad_slate_video_id IS NOT NULL) AND (deleted_ms IS NULL));

CREATE INDEX live_sources_present ON public.live_sources USING btree (account_id, live_source_id) WHERE (deleted_ms IS NULL);

CREATE INDEX login_limits_by_time ON public.login_limits USING btree (until_ms);

CREATE UNIQUE INDEX playlist_videos_by_video ON public.playlist_videos USING btree (account_id, video_id, playlist_id);

CREATE INDEX playlists_by_title ON public.playlists USING btree (account_id, title_order, playlist_id) WHERE (deleted_ms IS NULL);

CREATE INDEX program_items_by_asset ON public.program_items USING btree (account_id, asset_id) WHERE (asset_id IS NOT NULL);

CREATE INDEX program_items_by_video ON public.program_items USING btree (account_id, video_id) WHERE (video_id IS NOT NULL);

CREATE INDEX programs_by_end ON public.programs USING btree (account_id, linear_channel_id, end_ms) WHERE (removed_ms IS NULL);

CREATE UNIQUE INDEX programs_by_start ON public.programs USING btree (account_id, linear_channel_id, start_ms) WHERE (removed_ms IS NULL);

CREATE INDEX programs_cancelled ON public.programs USING btree (account_id, linear_channel_id, end_ms) WHERE ((removed_ms IS NOT NULL) AND (origin = 'OPERATOR'::text) AND (rule IS NOT NULL));

CREATE INDEX programs_of_rules ON public.programs USING btree (account_id, linear_channel_id, start_ms) WHERE ((removed_ms IS NULL) AND (origin = 'RULE'::text));

CREATE INDEX runs_by_age ON public.runs USING btree (end_ticks);

CREATE INDEX runs_by_end ON public.runs USING btree (account_id, linear_channel_id, end_ticks) WHERE (end_sequence > first_sequence);

CREATE INDEX series_by_title ON public.series USING btree (account_id, title_order, series_id) WHERE (deleted_ms IS NULL);

CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_ms);

CREATE INDEX sessions_open ON public.sessions USING btree (account_id, subject_id) WHERE (ended_ms IS NULL);

CREATE INDEX user_addresses_by_time ON public.user_addresses USING btree (last_login_ms);

CREATE UNIQUE INDEX users_by_email ON public.users USING btree (account_id, email) WHERE (deleted_ms IS NULL);

CREATE INDEX video_search_by_terms ON public.video_search USING gin (terms) WITH (fastupdate=off);

CREATE INDEX videos_by_available ON public.videos USING btree (account_id, available_ms, video_id) WHERE (deleted_ms IS NULL);

CREATE INDEX videos_by_duration ON public.videos USING btree (account_id, duration, video_id) WHERE (deleted_ms IS NULL);

CREATE INDEX videos_by_episode ON public.videos USING btree (account_id, series_id, episode_order, season_order, video_id) WHERE ((deleted_ms IS NULL) AND (series_id IS NOT NULL));

CREATE INDEX videos_by_expired ON public.videos USING btree (account_id, expired_ms, video_id) WHERE (deleted_ms IS NULL);

CREATE INDEX videos_by_published ON public.videos USING btree (account_id, published_ms, video_id) WHERE (deleted_ms IS NULL);

CREATE INDEX videos_by_season ON public.videos USING btree (account_id, series_id, season_order) WHERE ((deleted_ms IS NULL) AND (series_id IS NOT NULL));

CREATE UNIQUE INDEX videos_by_source ON public.videos USING btree (account_id, video_source_id, source_id) WHERE (deleted_ms IS NULL);

CREATE INDEX videos_by_title ON public.videos USING btree (account_id, title_order, video_id) WHERE (deleted_ms IS NULL);

CREATE INDEX videos_by_updated ON public.videos USING btree (account_id, updated_ms, video_id) WHERE (deleted_ms IS NULL);

CREATE INDEX webhook_deliveries_ended ON public.webhook_deliveries USING btree (ended_ms) WHERE (ended_ms IS NOT NULL);

CREATE INDEX webhook_deliveries_ready ON public.webhook_deliveries USING btree (account_id, webhook_id, ready_ms) WHERE ((state = 'PENDING'::text) AND (ready_ms IS NOT NULL));

CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (account_id, webhook_id, subject, "position") WHERE (state = 'PENDING'::text);

CREATE INDEX webhooks_present ON public.webhooks USING btree (account_id, webhook_id) WHERE (deleted_ms IS NULL);

CREATE TRIGGER duration_of_changed BEFORE UPDATE ON public.video_search FOR EACH ROW WHEN ((new.duration = old.duration)) EXECUTE FUNCTION public.take_duration();

CREATE TRIGGER duration_of_new BEFORE INSERT ON public.video_search FOR EACH ROW WHEN ((new.duration IS NULL)) EXECUTE FUNCTION public.take_duration();

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_account_id_ad_slate_video_id_fkey FOREIGN KEY (account_id, ad_slate_video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_account_id_rescue_slate_video_id_fkey FOREIGN KEY (account_id, rescue_slate_video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_account_id_time_fill_video_id_fkey FOREIGN KEY (account_id, time_fill_video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.alert_mails
    ADD CONSTRAINT alert_mails_account_id_recipient_id_fkey FOREIGN KEY (account_id, recipient_id) REFERENCES public.alert_recipients(account_id, recipient_id);

ALTER TABLE ONLY public.alert_notices
    ADD CONSTRAINT alert_notices_account_id_alert_id_fkey FOREIGN KEY (account_id, alert_id) REFERENCES public.alerts(account_id, alert_id);

ALTER TABLE ONLY public.alert_notices
    ADD CONSTRAINT alert_notices_account_id_recipient_id_fkey FOREIGN KEY (account_id, recipient_id) REFERENCES public.alert_recipients(account_id, recipient_id);

ALTER TABLE ONLY public.alert_recipient_progress
    ADD CONSTRAINT alert_recipient_progress_account_id_recipient_id_fkey FOREIGN KEY (account_id, recipient_id) REFERENCES public.alert_recipients(account_id, recipient_id);

ALTER TABLE ONLY public.alert_recipients
    ADD CONSTRAINT alert_recipients_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.assets
    ADD CONSTRAINT assets_account_id_video_id_fkey FOREIGN KEY (account_id, video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.audience_batches
    ADD CONSTRAINT audience_batches_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.brands
    ADD CONSTRAINT brands_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.catalog_totals
    ADD CONSTRAINT catalog_totals_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.catalog_word_grams
    ADD CONSTRAINT catalog_word_grams_account_id_word_fkey FOREIGN KEY (account_id, word) REFERENCES public.catalog_words(account_id, word);

ALTER TABLE ONLY public.catalog_words
    ADD CONSTRAINT catalog_words_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.channel_plans
    ADD CONSTRAINT channel_plans_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.channel_plans
    ADD CONSTRAINT channel_plans_account_id_linear_channel_id_fkey FOREIGN KEY (account_id, linear_channel_id) REFERENCES public.linear_channels(account_id, linear_channel_id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.feed_steps
    ADD CONSTRAINT feed_steps_account_id_linear_channel_id_fkey FOREIGN KEY (account_id, linear_channel_id) REFERENCES public.timelines(account_id, linear_channel_id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.ingest_items
    ADD CONSTRAINT ingest_items_account_id_asset_id_fkey FOREIGN KEY (account_id, asset_id) REFERENCES public.assets(account_id, asset_id);

ALTER TABLE ONLY public.ingest_items
    ADD CONSTRAINT ingest_items_account_id_request_id_fkey FOREIGN KEY (account_id, request_id) REFERENCES public.ingest_requests(account_id, request_id);

ALTER TABLE ONLY public.ingest_requests
    ADD CONSTRAINT ingest_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.ingest_requests
    ADD CONSTRAINT ingest_requests_account_id_linear_channel_id_fkey FOREIGN KEY (account_id, linear_channel_id) REFERENCES public.linear_channels(account_id, linear_channel_id);

ALTER TABLE ONLY public.linear_channels
    ADD CONSTRAINT linear_channels_account_id_ad_slate_video_id_fkey FOREIGN KEY (account_id, ad_slate_video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.linear_channels
    ADD CONSTRAINT linear_channels_account_id_filler_playlist_id_fkey FOREIGN KEY (account_id, filler_playlist_id) REFERENCES public.playlists(account_id, playlist_id);

ALTER TABLE ONLY public.linear_channels
    ADD CONSTRAINT linear_channels_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.linear_channels
    ADD CONSTRAINT linear_channels_account_id_rescue_slate_video_id_fkey FOREIGN KEY (account_id, rescue_slate_video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.linear_channels
    ADD CONSTRAINT linear_channels_account_id_time_fill_video_id_fkey FOREIGN KEY (account_id, time_fill_video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.live_breaks
    ADD CONSTRAINT live_breaks_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.live_logs
    ADD CONSTRAINT live_logs_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.live_sources
    ADD CONSTRAINT live_sources_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.outputs
    ADD CONSTRAINT outputs_account_id_linear_channel_id_fkey FOREIGN KEY (account_id, linear_channel_id) REFERENCES public.linear_channels(account_id, linear_channel_id);

ALTER TABLE ONLY public.playlist_videos
    ADD CONSTRAINT playlist_videos_account_id_playlist_id_fkey FOREIGN KEY (account_id, playlist_id) REFERENCES public.playlists(account_id, playlist_id);

ALTER TABLE ONLY public.playlist_videos
    ADD CONSTRAINT playlist_videos_account_id_video_id_fkey FOREIGN KEY (account_id, video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.playlists
    ADD CONSTRAINT playlists_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.program_items
    ADD CONSTRAINT program_items_account_id_program_id_fkey FOREIGN KEY (account_id, program_id) REFERENCES public.programs(account_id, program_id);

ALTER TABLE ONLY public.programs
    ADD CONSTRAINT programs_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.programs
    ADD CONSTRAINT programs_account_id_linear_channel_id_fkey FOREIGN KEY (account_id, linear_channel_id) REFERENCES public.linear_channels(account_id, linear_channel_id);

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_account_id_linear_channel_id_fkey FOREIGN KEY (account_id, linear_channel_id) REFERENCES public.timelines(account_id, linear_channel_id);

ALTER TABLE ONLY public.search_tiers
    ADD CONSTRAINT search_tiers_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_account_id_brand_id_fkey FOREIGN KEY (account_id, brand_id) REFERENCES public.brands(account_id, brand_id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.timelines
    ADD CONSTRAINT timelines_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.timelines
    ADD CONSTRAINT timelines_account_id_linear_channel_id_fkey FOREIGN KEY (account_id, linear_channel_id) REFERENCES public.linear_channels(account_id, linear_channel_id);

ALTER TABLE ONLY public.user_addresses
    ADD CONSTRAINT user_addresses_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES public.users(account_id, user_id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.video_search
    ADD CONSTRAINT video_search_account_id_video_id_fkey FOREIGN KEY (account_id, video_id) REFERENCES public.videos(account_id, video_id);

ALTER TABLE ONLY public.videos
    ADD CONSTRAINT videos_account_id_brand_id_fkey FOREIGN KEY (account_id, brand_id) REFERENCES public.brands(account_id, brand_id);

ALTER TABLE ONLY public.videos
    ADD CONSTRAINT videos_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

ALTER TABLE ONLY public.videos
    ADD CONSTRAINT videos_account_id_series_id_fkey FOREIGN KEY (account_id, series_id) REFERENCES public.series(account_id, series_id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES public.webhooks(account_id, webhook_id);

ALTER TABLE ONLY public.webhook_progress
    ADD CONSTRAINT webhook_progress_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES public.webhooks(account_id, webhook_id);

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(account_id);

CREATE POLICY account ON public.accounts TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.alert_mails TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.alert_notices TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.alert_recipient_progress TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.alert_recipients TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.alerts TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.app_keys TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.as_run_entries TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.assets TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.audience_batches TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.audience_hours TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.audience_log_blocks TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.audience_minutes TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.audit_entries TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.brands TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.catalog_totals TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.catalog_word_grams TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.catalog_words TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.channel_plans TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.events TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.feed_steps TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.idempotency_keys TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.ingest_items TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.ingest_requests TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.linear_channels TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.live_breaks TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.live_logs TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.live_sources TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.outputs TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.playlist_videos TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.playlists TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.program_items TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.programs TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.runs TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.search_tiers TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.series TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.sessions TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.timelines TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.user_addresses TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.users TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.video_search TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.videos TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.webhook_deliveries TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.webhook_progress TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

CREATE POLICY account ON public.webhooks TO continuity_service USING ((account_id = public.current_account())) WITH CHECK ((account_id = public.current_account()));

ALTER TABLE public.accounts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alert_mails ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alert_notices ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alert_recipient_progress ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alert_recipients ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.alerts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.app_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.as_run_entries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.assets ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audience_batches ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audience_hours ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audience_log_blocks ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audience_minutes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_entries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.brands ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.catalog_totals ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.catalog_word_grams ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.catalog_words ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.channel_plans ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_steps ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ingest_items ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ingest_requests ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.linear_channels ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.live_breaks ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.live_logs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.live_sources ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.outputs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.playlist_videos ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.playlists ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.program_items ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.programs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.runs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.search_tiers ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.series ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.timelines ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.user_addresses ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.users ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.video_search ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.videos ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_progress ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhooks ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON FUNCTION public.begin_feed_epoch(expected bigint, above bigint, now_ms bigint, why text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.begin_feed_epoch(expected bigint, above bigint, now_ms bigint, why text) TO continuity_service;

REVOKE ALL ON FUNCTION public.claim_alert_recipients(new_lease uuid, now_ms bigint, until_ms bigint, is_poor boolean, busy_accounts uuid[], most_each integer, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_alert_recipients(new_lease uuid, now_ms bigint, until_ms bigint, is_poor boolean, busy_accounts uuid[], most_each integer, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.claim_webhooks(new_lease uuid, now_ms bigint, until_ms bigint, is_poor boolean, busy_accounts uuid[], most_each integer, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_webhooks(new_lease uuid, now_ms bigint, until_ms bigint, is_poor boolean, busy_accounts uuid[], most_each integer, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.count_videos(is_told boolean, query text, exact tsquery, shown_ms bigint, least_published_ms bigint, most_published_ms bigint, least_duration bigint, most_duration bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_videos(is_told boolean, query text, exact tsquery, shown_ms bigint, least_published_ms bigint, most_published_ms bigint, least_duration bigint, most_duration bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.drop_audience_days(parent text, before_day integer, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_audience_days(parent text, before_day integer, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.find_account_id(account_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_account_id(account_name text) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_alert_mails(before_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_alert_mails(before_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_audience_batches(before_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_audience_batches(before_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_audience_log_blocks(before_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_audience_log_blocks(before_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_events(before_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_events(before_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_idempotency_keys(before_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_idempotency_keys(before_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_runs(before_ticks bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_runs(before_ticks bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_sessions(before_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_sessions(before_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_user_addresses(before_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_user_addresses(before_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.forget_webhook_deliveries(before_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_webhook_deliveries(before_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.list_accounts_on_air(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_accounts_on_air(most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.list_timelines(after_account uuid, after_channel uuid, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_timelines(after_account uuid, after_channel uuid, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.list_unknown_updates(published jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_unknown_updates(published jsonb) TO continuity_service;

REVOKE ALL ON FUNCTION public.make_as_run_months(through_month integer, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_as_run_months(through_month integer, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.make_audience_day(day integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_audience_day(day integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.match_videos(tiers integer[], from_ms bigint, from_id uuid, to_ms bigint, to_id uuid, query text, exact tsquery, shown_ms bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.match_videos(tiers integer[], from_ms bigint, from_id uuid, to_ms bigint, to_id uuid, query text, exact tsquery, shown_ms bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.match_videos(tiers integer[], from_ms bigint, from_id uuid, to_ms bigint, to_id uuid, query text, exact tsquery, shown_ms bigint, least_published_ms bigint, most_published_ms bigint, least_duration bigint, most_duration bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.match_videos(tiers integer[], from_ms bigint, from_id uuid, to_ms bigint, to_id uuid, query text, exact tsquery, shown_ms bigint, least_published_ms bigint, most_published_ms bigint, least_duration bigint, most_duration bigint, most integer) TO continuity_service;

REVOKE ALL ON FUNCTION public.note_database_compared(in_epoch bigint, identity text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.note_database_compared(in_epoch bigint, identity text) TO continuity_service;

REVOKE ALL ON FUNCTION public.reset_event_horizons(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.reset_event_horizons(most integer) TO continuity_service;

GRANT SELECT,INSERT ON TABLE public.as_run_entries TO continuity_service;

GRANT SELECT,UPDATE ON TABLE public.accounts TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.alert_mails TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.alert_notices TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.alert_recipient_progress TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.alert_recipients TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.alerts TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.app_keys TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.assets TO continuity_service;

GRANT SELECT,INSERT ON TABLE public.audience_batches TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.audience_hours TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.audience_log_blocks TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.audience_minutes TO continuity_service;

GRANT SELECT,INSERT ON TABLE public.audit_entries TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.brands TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.catalog_totals TO continuity_service;

GRANT SELECT,INSERT ON TABLE public.catalog_word_grams TO continuity_service;

GRANT SELECT,INSERT ON TABLE public.catalog_words TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.channel_plans TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.clock_faults TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.due_rows TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.ended_credentials TO continuity_service;

GRANT SELECT,INSERT ON TABLE public.events TO continuity_service;

GRANT SELECT ON TABLE public.feed_epoch TO continuity_service;

GRANT SELECT,INSERT,DELETE ON TABLE public.feed_steps TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.ingest_items TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.ingest_requests TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.linear_channels TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.live_breaks TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.live_logs TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.live_sources TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.login_limits TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outputs TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.playlist_videos TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.playlists TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.program_items TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.programs TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.runs TO continuity_service;

GRANT SELECT ON TABLE public.schema_migrations TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.search_tiers TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.series TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.sessions TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.timelines TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.user_addresses TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.users TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.video_search TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.videos TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_deliveries TO continuity_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_progress TO continuity_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.webhooks TO continuity_service;
