-- Two batches at once may need the same new day: the second one found it missing again after it had waited for the first,
-- because to_regclass may still have the answer from before the wait.
create or replace function make_audience_day(day integer)
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
    continue when exists (select from pg_class where relnamespace = 'audience_days'::regnamespace and relname = partition);
    -- A table that is attached locks the parent less than one that is made as its partition. Rows are updated in place for
    -- an hour, for which there has to be room in their pages.
    execute format('create table audience_days.%I (like public.%I including all) with (fillfactor = 80)', partition, parent);
    execute format('alter table public.%I attach partition audience_days.%I for values from (%s) to (%s)',
                   parent, partition, day * 86400000::bigint, (day + 1) * 86400000::bigint);
  end loop;
end $$;
