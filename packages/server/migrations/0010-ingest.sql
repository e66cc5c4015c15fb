-- Programs that partners hand over, and the media that is made of them.

create table ingest_requests (
  account_id uuid not null references accounts,
  request_id uuid not null, -- version 7
  linear_channel_id uuid not null,
  source_id text collate "C" not null,
  brand_id text collate "C",
  program_title text not null,
  program_description text not null,
  start_ms bigint not null,
  end_ms bigint not null,
  content_hash bytea not null, -- of the body, in whatever order its fields were sent
  state text not null check (state in ('QUEUED', 'PROCESSING', 'SCHEDULED', 'FAILED', 'REPLACED')),
  reason_code text,
  reason_message text,
  warnings jsonb not null, -- of the body; those of its items stand with them
  replaces_id uuid, -- the request whose place it took
  program_id uuid,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (account_id, request_id),
  foreign key (account_id, linear_channel_id) references linear_channels
);
-- Those that have a place on their channel: two never begin at once.
create unique index ingest_requests_by_place on ingest_requests (account_id, linear_channel_id, start_ms)
  where state in ('QUEUED', 'PROCESSING', 'SCHEDULED');

alter table ingest_requests enable row level security;
create policy account on ingest_requests to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on ingest_requests to continuity_service;

-- The packaged form of one file, or of a picture of ours. It never changes; another file is another asset.
create table assets (
  account_id uuid not null references accounts,
  asset_id uuid not null, -- version 7
  video_id uuid not null,
  -- The address that the file is fetched from, or what is made by ourselves: slate:rescue, slate:time_fill, slate:ad.
  made_from text not null,
  image_url text, -- a picture for the video, where the partner named one
  state text not null check (state in ('QUEUED', 'FETCHING', 'PACKAGING', 'READY', 'FAILED', 'CANCELLED')),
  progress real not null default 0 check (progress between 0 and 1),
  reason_code text,
  reason_message text,
  frame_rate integer not null,
  segment_ms integer not null,
  package_path text, -- where its objects lie, once it is READY
  duration_ticks bigint, -- of 1/90,000 s
  segment_count integer,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (account_id, asset_id),
  foreign key (account_id, video_id) references videos,
  check ((state = 'READY') = (package_path is not null and duration_ticks is not null and segment_count is not null))
);
create index assets_by_video on assets (account_id, video_id, asset_id);
create index assets_unfinished on assets (account_id, asset_id) where state in ('QUEUED', 'FETCHING', 'PACKAGING');

alter table assets enable row level security;
create policy account on assets to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on assets to continuity_service;

create table ingest_items (
  account_id uuid not null,
  request_id uuid not null,
  place integer not null, -- in the order of play, from 0
  type text not null check (type in ('AD_POD', 'VIDEO')),
  duration integer not null, -- as it was declared, in seconds
  video_source_id text collate "C",
  document jsonb, -- what a VIDEO said, fields that nobody knows as `extra`
  asset_id uuid, -- since the request is processed
  primary key (account_id, request_id, place),
  foreign key (account_id, request_id) references ingest_requests,
  foreign key (account_id, asset_id) references assets,
  check ((type = 'VIDEO') = (video_source_id is not null and document is not null))
);
create index ingest_items_by_asset on ingest_items (account_id, asset_id) where asset_id is not null;

alter table ingest_items enable row level security;
create policy account on ingest_items to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on ingest_items to continuity_service;

-- What channels without slates of their own show. Null until they are made.
alter table accounts
  add rescue_slate_video_id uuid,
  add time_fill_video_id uuid,
  add ad_slate_video_id uuid,
  add foreign key (account_id, rescue_slate_video_id) references videos,
  add foreign key (account_id, time_fill_video_id) references videos,
  add foreign key (account_id, ad_slate_video_id) references videos;
