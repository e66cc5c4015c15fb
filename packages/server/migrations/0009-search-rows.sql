-- Searches look at fewer and nearer rows.

-- Words stay in the row: out of line, a phrase that ten thousand videos may hold is ten thousand fetches. Where
-- the row is too long, terms go, which no search looks at.
alter table video_search alter words set storage main;
alter table video_search set (toast_tuple_target = 2032);

-- Filters by date and by length are the usual ones: the row tells both.
alter table video_search add duration integer;
update video_search s set duration = v.duration
  from videos v where v.account_id = s.account_id and v.video_id = s.video_id;
alter table video_search alter duration set not null;

-- Processes of the release before do not write it: what they leave out is taken from the video. These go, and so does
-- the match_videos without bounds, when no such process runs any more.
create function take_duration() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
  as $$
  begin
    select v.duration into new.duration
      from public.videos v where v.account_id = new.account_id and v.video_id = new.video_id;
    return new;
  end
  $$;
create trigger duration_of_new before insert on video_search
  for each row when (new.duration is null) execute function take_duration();
create trigger duration_of_changed before update on video_search
  for each row when (new.duration = old.duration) execute function take_duration();

-- Within bounds of date and duration.
create function match_videos(
  tiers integer[],
  from_ms bigint, from_id uuid,
  to_ms bigint, to_id uuid,
  query text, -- for terms, with ~ for the number of the tier
  exact tsquery, -- for words, where terms alone cannot tell
  shown_ms bigint, -- only what everybody may see at this time; null for all
  least_published_ms bigint, most_published_ms bigint,
  least_duration bigint, most_duration bigint,
  most integer -- null for all
) returns table (video_id uuid, published_ms bigint)
  language plpgsql stable security definer rows 1000
  set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  as $$
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
revoke all on function match_videos(integer[], bigint, uuid, bigint, uuid, text, tsquery, bigint,
  bigint, bigint, bigint, bigint, integer) from public;
grant execute on function match_videos(integer[], bigint, uuid, bigint, uuid, text, tsquery, bigint,
  bigint, bigint, bigint, bigint, integer) to continuity_service;

-- How many videos of the account match_videos would give, to one more than `most`. They are neither sorted nor
-- handed on, which takes as long as finding them.
--
-- It runs as the owner for the same reason. A number belongs to one tier of one account, and a video bears one
-- number, so each is asked in a statement of its own until there are enough.
create function count_videos(
  is_told boolean, -- the query is all that is asked
  query text,
  exact tsquery,
  shown_ms bigint,
  least_published_ms bigint, most_published_ms bigint,
  least_duration bigint, most_duration bigint,
  most integer
) returns integer
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  as $$
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
revoke all on function count_videos(boolean, text, tsquery, bigint, bigint, bigint, bigint, bigint, integer) from public;
grant execute on function count_videos(boolean, text, tsquery, bigint, bigint, bigint, bigint, bigint, integer)
  to continuity_service;
