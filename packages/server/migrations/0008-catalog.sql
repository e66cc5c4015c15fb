-- Series, videos and playlists, and what videos are searched by.

alter table catalog_totals drop constraint catalog_totals_kind_check;
alter table catalog_totals add constraint catalog_totals_kind_check check (kind in (
  'brand',
  'series', 'series_ready', -- all, and those that everybody may see
  'playlist', 'playlist_ready',
  'video', 'video_open' -- all, and those that everybody may see at any time
));

create table series (
  account_id uuid not null references accounts,
  series_id uuid not null, -- version 7
  title text not null,
  -- The beginning of the title, folded. The list goes by it and by series_id.
  title_order text collate "C" not null,
  description text not null,
  brand_id text collate "C",
  images jsonb not null, -- as writes give them
  status text not null check (status in ('READY', 'DISABLED')),
  -- Of videos that are not deleted, whatever their status. Kept by whoever adds, moves or deletes one.
  video_count integer not null default 0 check (video_count >= 0),
  season_count integer not null default 0 check (season_count >= 0),
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  deleted_ms bigint,
  primary key (account_id, series_id),
  foreign key (account_id, brand_id) references brands
);
create index series_by_title on series (account_id, title_order, series_id) where deleted_ms is null;

alter table series enable row level security;
create policy account on series to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on series to continuity_service;

-- What a page of videos reads comes first in the row; all that lists go by is never null, so that one
-- comparison of rows finds where a page begins.
create table videos (
  account_id uuid not null references accounts,
  video_id uuid not null, -- version 7, of the time that date_created tells: the one order is the other
  published_ms bigint not null, -- the lowest time there is where it has none
  available_ms bigint not null, -- the lowest where it always was
  expired_ms bigint not null, -- the highest where it never does
  updated_ms bigint not null,
  duration integer not null,
  version integer not null default 1,
  season_order integer not null, -- the highest number where it has none
  episode_order integer not null,
  -- The record as it is answered, but for media_type, media_url and the last brace. U+0001 stands for the
  -- media's base address.
  document text not null,
  hls_path text, -- an address of its own, or a path below the media's base address
  mp4_path text,
  status text not null check (status in ('DRAFT', 'PROCESSING', 'READY', 'DISABLED', 'ERROR')),
  title text not null,
  title_order text collate "C" not null, -- the beginning of the title, folded
  source_id text collate "C",
  video_source_id text collate "C",
  brand_id text collate "C",
  series_id uuid,
  audio_language text collate "C",
  country_origin text collate "C",
  content_format text collate "C",
  content_type text collate "C",
  cut text collate "C",
  periodicity text collate "C",
  parental_rating text collate "C",
  channel_ids text[] collate "C" not null,
  genres text[] collate "C" not null,
  sub_genres text[] collate "C" not null,
  keywords text[] collate "C" not null,
  deleted_ms bigint,
  primary key (account_id, video_id),
  foreign key (account_id, brand_id) references brands,
  foreign key (account_id, series_id) references series
) with (toast_tuple_target = 4080);
-- A page of documents is read from the rows themselves: out of line, or packed, it takes twice as long.
alter table videos alter document set storage main;

create index videos_by_published on videos (account_id, published_ms, video_id) where deleted_ms is null;
create index videos_by_updated on videos (account_id, updated_ms, video_id) where deleted_ms is null;
create index videos_by_available on videos (account_id, available_ms, video_id) where deleted_ms is null;
create index videos_by_expired on videos (account_id, expired_ms, video_id) where deleted_ms is null;
create index videos_by_title on videos (account_id, title_order, video_id) where deleted_ms is null;
create index videos_by_duration on videos (account_id, duration, video_id) where deleted_ms is null;
create index videos_by_episode on videos (account_id, series_id, episode_order, season_order, video_id)
  where deleted_ms is null and series_id is not null;
create index videos_by_season on videos (account_id, series_id, season_order)
  where deleted_ms is null and series_id is not null;
-- Together they are a partner's name for one video.
create unique index videos_by_source on videos (account_id, video_source_id, source_id) where deleted_ms is null;

alter table videos enable row level security;
create policy account on videos to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on videos to continuity_service;

create table playlists (
  account_id uuid not null references accounts,
  playlist_id uuid not null, -- version 7
  title text not null,
  title_order text collate "C" not null,
  description text not null,
  images jsonb not null,
  status text not null check (status in ('READY', 'DISABLED')),
  video_count integer not null default 0 check (video_count >= 0),
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  deleted_ms bigint,
  primary key (account_id, playlist_id)
);
create index playlists_by_title on playlists (account_id, title_order, playlist_id) where deleted_ms is null;

alter table playlists enable row level security;
create policy account on playlists to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on playlists to continuity_service;

create table playlist_videos (
  account_id uuid not null,
  playlist_id uuid not null,
  place integer not null, -- with gaps; the order is what counts
  video_id uuid not null,
  primary key (account_id, playlist_id, place),
  foreign key (account_id, playlist_id) references playlists,
  foreign key (account_id, video_id) references videos
);
create unique index playlist_videos_by_video on playlist_videos (account_id, video_id, playlist_id);

alter table playlist_videos enable row level security;
create policy account on playlist_videos to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on playlist_videos to continuity_service;

-- Videos of an account lie in tiers by date_published, some tens of thousands in each. A search goes
-- from the newest tier to the oldest and stops when it has found enough.
create table search_tiers (
  account_id uuid not null references accounts,
  -- It begins here and ends where the next one begins: by published_ms, then by video_id.
  from_ms bigint not null,
  from_id uuid not null,
  tier integer generated always as identity,
  videos integer not null check (videos >= 0),
  -- Tiers whose videos are being moved here: some that belong here still bear their numbers.
  moving integer[] not null default '{}',
  primary key (account_id, from_ms, from_id)
);

alter table search_tiers enable row level security;
create policy account on search_tiers to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on search_tiers to continuity_service;

-- What a video is found by. The row is as small as can be: a search for a common word visits ten thousand.
create table video_search (
  account_id uuid not null,
  video_id uuid not null,
  published_ms bigint not null,
  available_ms bigint not null,
  expired_ms bigint not null,
  is_ready boolean not null,
  tier integer not null,
  -- Words, pairs of words and labels, each behind the number of the tier. What the index holds.
  terms tsvector not null,
  -- Words with their places and weights: what matches are ranked by, and phrases made sure of.
  words tsvector not null,
  primary key (account_id, video_id),
  foreign key (account_id, video_id) references videos
) with (toast_tuple_target = 128);
alter table video_search alter terms set storage external;
alter table video_search alter words set storage external;
-- Without a list of what is still to be entered, which every search would have to read through.
create index video_search_by_terms on video_search using gin (terms) with (fastupdate = off);

alter table video_search enable row level security;
create policy account on video_search to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on video_search to continuity_service;

-- The videos of a stretch of tiers that match, newest first, and so many of them at most.
--
-- Under row-level security no index may be asked for words, because an operator that could tell of another
-- account's rows must not run before the fence. So this runs as the owner, has the fence in itself, and gives
-- nothing but ids and times of the account that the statement runs as.
--
-- Planned once and for any values: for some of them the planner would rather read every row there is.
create function match_videos(
  tiers integer[],
  from_ms bigint, from_id uuid,
  to_ms bigint, to_id uuid,
  query text, -- for terms, with ~ for the number of the tier
  exact tsquery, -- for words, where terms alone cannot tell
  shown_ms bigint, -- only what everybody may see at this time; null for all
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
         and (shown_ms is null or (v.is_ready and v.available_ms <= shown_ms and v.expired_ms > shown_ms))
         and (exact is null or v.words @@ exact)
       order by v.published_ms desc, v.video_id desc
       limit most;
  end
  $$;
revoke all on function match_videos(integer[], bigint, uuid, bigint, uuid, text, tsquery, bigint, integer) from public;
grant execute on function match_videos(integer[], bigint, uuid, bigint, uuid, text, tsquery, bigint, integer)
  to continuity_service;

-- Every word that an account's videos hold or held, for those who mistype one, and each by its runs of
-- three letters.
create table catalog_words (
  account_id uuid not null references accounts,
  word text collate "C" not null,
  primary key (account_id, word)
);
alter table catalog_words enable row level security;
create policy account on catalog_words to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert on catalog_words to continuity_service;

create table catalog_word_grams (
  account_id uuid not null,
  gram text collate "C" not null,
  word text collate "C" not null,
  primary key (account_id, gram, word),
  foreign key (account_id, word) references catalog_words
);
alter table catalog_word_grams enable row level security;
create policy account on catalog_word_grams to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert on catalog_word_grams to continuity_service;

-- A channel's slates and filler.
alter table linear_channels
  add foreign key (account_id, rescue_slate_video_id) references videos,
  add foreign key (account_id, time_fill_video_id) references videos,
  add foreign key (account_id, ad_slate_video_id) references videos,
  add foreign key (account_id, filler_playlist_id) references playlists;
-- By what they hold, for whoever wants to delete it.
create index linear_channels_by_rescue_slate on linear_channels (account_id, rescue_slate_video_id)
  where rescue_slate_video_id is not null and deleted_ms is null;
create index linear_channels_by_time_fill on linear_channels (account_id, time_fill_video_id)
  where time_fill_video_id is not null and deleted_ms is null;
create index linear_channels_by_ad_slate on linear_channels (account_id, ad_slate_video_id)
  where ad_slate_video_id is not null and deleted_ms is null;
create index linear_channels_by_filler on linear_channels (account_id, filler_playlist_id)
  where filler_playlist_id is not null and deleted_ms is null;
