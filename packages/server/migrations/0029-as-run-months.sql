-- The as-run record, in one partition for each month: the index that is written to stays small over years of channels, and
-- an old month can be moved or dropped as a table.
create schema as_run_months;

alter table as_run_entries set schema as_run_months;
alter table as_run_months.as_run_entries drop constraint as_run_entries_account_id_linear_channel_id_fkey;
drop policy account on as_run_months.as_run_entries;
alter table as_run_months.as_run_entries disable row level security;
revoke all on as_run_months.as_run_entries from continuity_service;

-- No foreign key: attaching a partition would lock the timelines of all channels.
create table as_run_entries (like as_run_months.as_run_entries including all) partition by range (start_ticks);

alter table as_run_entries enable row level security;
create policy account on as_run_entries to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert on as_run_entries to continuity_service;

-- What was recorded until now stays where it is, as a partition of all time before the next month.
do $$
declare
  newest timestamp := greatest(
    now() at time zone 'UTC',
    (select to_timestamp(max(start_ticks) / 90000) at time zone 'UTC' from as_run_months.as_run_entries));
  next_month date := date_trunc('month', newest) + interval '1 month';
begin
  execute format('alter table as_run_months.as_run_entries rename to %I', 'as_run_until_' || to_char(next_month, 'YYYYMM'));
  execute format('alter table as_run_entries attach partition as_run_months.%I for values from (minvalue) to (%s)',
                 'as_run_until_' || to_char(next_month, 'YYYYMM'), extract(epoch from next_month)::bigint * 90000);
end $$;

-- Rows of months that have no partition yet.
create table as_run_months.as_run_other partition of as_run_entries default;

-- Makes the partitions of all months up to one, counted from 1970, that are missing; a bounded number; gives how many. Who
-- reads the record is not waited for: the next call makes them.
create function make_as_run_months(through_month integer, most integer)
  returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '500ms'
as $$
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
end $$;
revoke all on function make_as_run_months(integer, integer) from public;
grant execute on function make_as_run_months(integer, integer) to continuity_service;
