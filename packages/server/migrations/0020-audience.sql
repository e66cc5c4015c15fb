-- What was watched, as playout nodes have counted it.

-- Batches that are in the sums below: sent again, they are not added again.
create table audience_batches (
  account_id uuid not null references accounts,
  batch_id uuid not null,
  closed_ms bigint not null,
  primary key (account_id, batch_id)
);
create index audience_batches_by_age on audience_batches (closed_ms);

alter table audience_batches enable row level security;
create policy account on audience_batches to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert on audience_batches to continuity_service;

-- Times are those of the channel: when what was watched was on the air.
create table audience_hours (
  account_id uuid not null,
  hour_ms bigint not null,
  linear_channel_id uuid not null,
  distributor text collate "C" not null,
  country text collate "C" not null, -- ISO 3166, ZZ where it is not known
  span_ticks bigint not null, -- where the span begins; 0 where nothing was on the air
  type text collate "C" not null check (type in ('VIDEO', 'AD_POD', 'INTERSTITIAL', 'TIME_FILL', 'LIVE', 'SLATE')),
  program_id text, -- null in time that no program covered
  component integer not null, -- its place in the program
  reference_id uuid, -- the video or the live source
  cmcd_v2_ms bigint not null, -- watched, by how it was told that the player played
  cmcd_v1_ms bigint not null,
  heartbeat_ms bigint not null,
  starts bigint not null, -- sessions that began here
  primary key (account_id, hour_ms, linear_channel_id, distributor, country, span_ticks, type)
) partition by range (hour_ms);

alter table audience_hours enable row level security;
create policy account on audience_hours to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on audience_hours to continuity_service;

-- The same by minute, for all countries together.
create table audience_minutes (
  account_id uuid not null,
  minute_ms bigint not null,
  linear_channel_id uuid not null,
  distributor text collate "C" not null,
  span_ticks bigint not null,
  type text collate "C" not null check (type in ('VIDEO', 'AD_POD', 'INTERSTITIAL', 'TIME_FILL', 'LIVE', 'SLATE')),
  program_id text,
  component integer not null,
  reference_id uuid,
  cmcd_v2_ms bigint not null,
  cmcd_v1_ms bigint not null,
  heartbeat_ms bigint not null,
  starts bigint not null,
  primary key (account_id, minute_ms, linear_channel_id, distributor, span_ticks, type)
) partition by range (minute_ms);

alter table audience_minutes enable row level security;
create policy account on audience_minutes to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on audience_minutes to continuity_service;

-- Their partitions, one for each day. Nobody is granted anything on them: they are reached through the tables above.
create schema audience_days;

-- Makes the partitions of a day, counted from 1970, where they are missing.
create function make_audience_day(day integer)
  returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  parent text;
  partition text;
begin
  if day not between 0 and 99999 then raise exception 'no such day: %', day; end if;
  foreach parent in array array['audience_hours', 'audience_minutes'] loop
    partition := parent || '_' || to_char(date '1970-01-01' + day, 'YYYYMMDD');
    continue when to_regclass('audience_days.' || partition) is not null;
    perform pg_advisory_xact_lock(hashtext('audience_days'));
    continue when to_regclass('audience_days.' || partition) is not null;
    -- A table that is attached locks the parent less than one that is made as its partition. Rows are updated in place for
    -- an hour, for which there has to be room in their pages.
    execute format('create table audience_days.%I (like public.%I including all) with (fillfactor = 80)', partition, parent);
    execute format('alter table public.%I attach partition audience_days.%I for values from (%s) to (%s)',
                   parent, partition, day * 86400000::bigint, (day + 1) * 86400000::bigint);
  end loop;
end $$;
revoke all on function make_audience_day(integer) from public;
grant execute on function make_audience_day(integer) to continuity_service;

-- Drops the partitions of one of these tables up to before a day, a bounded number; gives how many. Who reads them is not
-- waited for: the next call finds them again.
create function drop_audience_days(parent text, before_day integer, most integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '500ms'
as $$
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
end $$;
revoke all on function drop_audience_days(text, integer, integer) from public;
grant execute on function drop_audience_days(text, integer, integer) to continuity_service;

-- Ids of batches that are too old to be sent again.
create function forget_audience_batches(before_ms bigint, most integer)
  returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
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
revoke all on function forget_audience_batches(bigint, integer) from public;
grant execute on function forget_audience_batches(bigint, integer) to continuity_service;
