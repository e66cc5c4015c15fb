-- Programs of channels, the timelines that are committed of them, and what was aired.

create table programs (
  account_id uuid not null references accounts,
  program_id uuid not null, -- version 7
  linear_channel_id uuid not null,
  source_id text collate "C" not null, -- the partner's
  title text not null,
  description text not null,
  start_ms bigint not null,
  end_ms bigint not null,
  details jsonb not null, -- what a guide tells beyond the title
  removed_ms bigint, -- when another took its place, or nothing was left of it
  created_ms bigint not null,
  primary key (account_id, program_id),
  foreign key (account_id, linear_channel_id) references linear_channels
);
create unique index programs_by_start on programs (account_id, linear_channel_id, start_ms) where removed_ms is null;
create index programs_by_end on programs (account_id, linear_channel_id, end_ms) where removed_ms is null;

alter table programs enable row level security;
create policy account on programs to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on programs to continuity_service;

create table program_items (
  account_id uuid not null,
  program_id uuid not null,
  place integer not null, -- in the order of play, from 0
  type text not null check (type in ('AD_POD', 'INTERSTITIAL', 'VIDEO')),
  declared_ms bigint not null,
  title text not null,
  video_id uuid,
  asset_id uuid,
  primary key (account_id, program_id, place),
  foreign key (account_id, program_id) references programs,
  check ((type = 'AD_POD') = (asset_id is null and video_id is null))
);
create index program_items_by_video on program_items (account_id, video_id) where video_id is not null;
create index program_items_by_asset on program_items (account_id, asset_id) where asset_id is not null;

alter table program_items enable row level security;
create policy account on program_items to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on program_items to continuity_service;

-- One row for each channel that was ever started.
create table timelines (
  account_id uuid not null references accounts,
  linear_channel_id uuid not null,
  version bigint not null, -- the number of the last run
  feed_version bigint not null, -- of the last step of the feed
  reach_ms bigint, -- how far the schedule is committed; null while none is followed
  changed_ms bigint, -- from when on the schedule has changed since it was committed
  recorded_sequence bigint not null, -- the first segment that is not in the as-run record
  open_entry jsonb, -- the end of that record, which may still grow
  primary key (account_id, linear_channel_id),
  foreign key (account_id, linear_channel_id) references linear_channels
);

alter table timelines enable row level security;
create policy account on timelines to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on timelines to continuity_service;

-- Spans that were committed together, packed. What a later run takes the place of is void; the bytes stay.
create table runs (
  account_id uuid not null,
  linear_channel_id uuid not null,
  number bigint not null,
  first_sequence bigint not null,
  start_ticks bigint not null,
  end_sequence bigint not null, -- by now; a later run may have ended it earlier than its bytes say
  end_ticks bigint not null,
  discontinuity bigint, -- null until the live log tells it
  is_start boolean not null,
  is_end boolean not null,
  body bytea not null,
  airings jsonb not null, -- [reference, title] of each span, which nodes do not need
  created_ms bigint not null,
  primary key (account_id, linear_channel_id, number),
  foreign key (account_id, linear_channel_id) references timelines
);
create index runs_by_end on runs (account_id, linear_channel_id, end_ticks) where end_sequence > first_sequence;
create index runs_by_age on runs (end_ticks);

alter table runs enable row level security;
create policy account on runs to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on runs to continuity_service;

-- Steps of the feed that NATS has not acknowledged.
create table feed_steps (
  account_id uuid not null,
  linear_channel_id uuid not null,
  version bigint not null,
  body bytea not null,
  created_ms bigint not null,
  primary key (account_id, linear_channel_id, version),
  foreign key (account_id, linear_channel_id) references timelines
);

alter table feed_steps enable row level security;
create policy account on feed_steps to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, delete on feed_steps to continuity_service;

-- What was aired: one row for each component, from where it began to where it was left.
create table as_run_entries (
  account_id uuid not null,
  linear_channel_id uuid not null,
  start_ticks bigint not null,
  end_ticks bigint not null,
  segments integer not null,
  program_id text, -- null in time that no program covered
  program jsonb, -- its title, description and window as they were
  component integer not null,
  type text not null check (type in ('VIDEO', 'AD_POD', 'INTERSTITIAL', 'TIME_FILL', 'LIVE', 'SLATE')),
  reference_id text,
  title text not null,
  break_sequence bigint,
  primary key (account_id, linear_channel_id, start_ticks),
  foreign key (account_id, linear_channel_id) references timelines
);

alter table as_run_entries enable row level security;
create policy account on as_run_entries to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert on as_run_entries to continuity_service;

-- When a channel that is to go off the air does.
alter table linear_channels add off_air_ms bigint;

-- Every channel with a timeline, whatever account it is of: all of them are told anew where the feed was lost.
create function list_timelines(after_account uuid, after_channel uuid, most integer)
  returns table (account_id uuid, linear_channel_id uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select t.account_id, t.linear_channel_id
    from public.timelines t
   where (t.account_id, t.linear_channel_id) > (after_account, after_channel)
   order by t.account_id, t.linear_channel_id
   limit most
$$;
revoke all on function list_timelines(uuid, uuid, integer) from public;
grant execute on function list_timelines(uuid, uuid, integer) to continuity_service;

-- Runs that ended long ago and are in the as-run record. One that a later one takes its numbers from stays.
create function forget_runs(before_ticks bigint, most integer)
  returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
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
revoke all on function forget_runs(bigint, integer) from public;
grant execute on function forget_runs(bigint, integer) to continuity_service;
