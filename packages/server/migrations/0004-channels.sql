-- Linear channels and what distributors get of them.

create table linear_channels (
  account_id uuid not null references accounts,
  linear_channel_id uuid not null, -- version 7
  title text not null,
  -- As a search sees it: without case and accents. Sorted by its bytes, so in every database alike.
  title_folded text collate "C" not null,
  description text not null,
  internal_title text not null,
  status text not null check (status in ('OFFLINE', 'PENDING_ON_AIR', 'ON_AIR', 'PENDING_OFFLINE', 'ERROR')),
  override_status text not null check (override_status in ('SCHEDULED', 'OVERRIDDEN', 'NOT_STARTED')),
  rescue_slate_video_id uuid,
  time_fill_video_id uuid,
  ad_slate_video_id uuid,
  filler_playlist_id uuid,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  deleted_ms bigint,
  primary key (account_id, linear_channel_id)
);
-- For the listing in its usual order, and for counting.
create index linear_channels_present on linear_channels (account_id, updated_ms, linear_channel_id)
  where deleted_ms is null;

alter table linear_channels enable row level security;
create policy account on linear_channels to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on linear_channels to continuity_service;

create table outputs (
  account_id uuid not null,
  linear_channel_id uuid not null,
  distributor text collate "C" not null,
  key text, -- the distributor's own id of the channel
  window_ms integer not null,
  markers text not null check (markers in ('DATERANGE', 'CUE', 'BOTH', 'NONE')),
  break_policy text not null check (break_policy in ('ACTUAL', 'FULL_LENGTH')),
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (account_id, linear_channel_id, distributor),
  foreign key (account_id, linear_channel_id) references linear_channels
);

alter table outputs enable row level security;
create policy account on outputs to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on outputs to continuity_service;
