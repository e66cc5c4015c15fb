-- The epoch of the feed: a database that was restored from a backup publishes under a new one.

create table feed_epoch (
  is_only boolean primary key default true check (is_only), -- there is one row
  epoch bigint not null,
  begun_ms bigint not null,
  reason text not null,
  compared_identity text, -- of the database that was last compared with the stream; null before the first time
  events_until bigint -- events up to this number come from the backup and are not in order yet; null where there are none
);
insert into feed_epoch (epoch, begun_ms, reason) values (1, 0, 'the first');

grant select on feed_epoch to continuity_service;

-- Differs whenever the database may have been restored: with the server process, and with the storage of the timelines,
-- which a restore writes anew. The time as a number: its text depends on the time zone of the session.
create function database_identity()
  returns text
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select concat_ws('/', extract(epoch from pg_postmaster_start_time()), 'public.timelines'::regclass::oid,
                   pg_relation_filenode('public.timelines'))
$$;

-- Begins a new epoch, unless another process has begun one since `expected` was read. The new one is above every epoch
-- that was ever begun, also above those that the restored database has lost: it is at least the time in seconds.
create function begin_feed_epoch(expected bigint, above bigint, now_ms bigint, why text)
  returns bigint
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update public.feed_epoch e
     set epoch = greatest(e.epoch + 1, above + 1, now_ms / 1000), begun_ms = now_ms, reason = why,
         events_until = coalesce(pg_sequence_last_value(pg_get_serial_sequence('public.events', 'number')::regclass), 0)
   where e.epoch = expected
  returning e.epoch
$$;
revoke all on function begin_feed_epoch(bigint, bigint, bigint, text) from public;
grant execute on function begin_feed_epoch(bigint, bigint, bigint, text) to continuity_service;

-- The database of an identity was compared with the stream, in an epoch that is still the platform's.
create function note_database_compared(in_epoch bigint, identity text)
  returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update public.feed_epoch set compared_identity = identity
   where epoch = in_epoch and compared_identity is distinct from identity
$$;
revoke all on function note_database_compared(bigint, text) from public;
grant execute on function note_database_compared(bigint, text) to continuity_service;

-- Horizons of events are transaction numbers of the cluster that the backup was taken from. In another cluster they mean
-- nothing, so restored events are put in the order of their numbers, before all new ones. Some at a time; returns how many.
create function reset_event_horizons(most integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
revoke all on function reset_event_horizons(integer) from public;
grant execute on function reset_event_horizons(integer) to continuity_service;

-- The epoch in which a channel's timeline was last brought in line with what was published; and the numbers that its next
-- start has at least, where those that it has used are not known.
alter table timelines
  add feed_epoch bigint not null default 1,
  add skip_sequence bigint,
  add skip_discontinuity bigint;

-- Which of the updates that the stream of the feed holds are newer than what the database has of their channels.
-- Those of an epoch before the platform's were lost in a restore that is known.
create function list_unknown_updates(published jsonb)
  returns table (account_id text, linear_channel_id text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select p.account_id, p.linear_channel_id
    from jsonb_to_recordset(published)
         as p(account_id text, linear_channel_id text, epoch bigint, version bigint)
   where p.epoch >= (select e.epoch from public.feed_epoch e)
     and not exists (select from public.timelines t
                      where t.account_id::text = p.account_id and t.linear_channel_id::text = p.linear_channel_id
                        and (t.feed_epoch, t.feed_version) >= (p.epoch, p.version))
$$;
revoke all on function list_unknown_updates(jsonb) from public;
grant execute on function list_unknown_updates(jsonb) to continuity_service;

-- Runs that differ from those published are replaced.
grant delete on runs to continuity_service;
