-- Live sources as records. Their logs and leases are kept on the bus.

create table live_sources (
  account_id uuid not null references accounts,
  live_source_id uuid not null, -- version 7
  name text not null,
  description text not null,
  type text not null check (type in ('HLS_PULL')),
  input_url text not null,
  scte_35_source text not null check (scte_35_source in ('NONE', 'MANIFEST', 'API', '')),
  always_keep_receiver_active boolean not null,
  enable_redundancy boolean not null,
  redundancy_source text not null,
  enable_audio_normalization boolean not null,
  audio_algorithm text not null check (audio_algorithm in ('EBU_R128', 'ATSC_A85', '')),
  enable_auto_live_switch_on_signal boolean not null,
  auto_switch_channel_ids uuid[] not null,
  ad_slate_video_id uuid,
  enable_relative_start_for_countdown boolean not null,
  images text not null, -- JSON, as it is shown
  state text not null check (state in ('IDLE', 'ACTIVATING', 'ACTIVE', 'DEACTIVATING', 'ERROR')),
  -- Why it is in ERROR; null where it is not.
  detail_code text,
  detail_message text,
  detail_ms bigint,
  -- Counts what receivers must know of: reports that name an earlier one are out of date.
  generation integer not null default 1,
  version integer not null default 1,
  created_ms bigint not null,
  created_user_id text not null, -- empty: the platform
  updated_ms bigint not null,
  updated_user_id text not null,
  deleted_ms bigint,
  primary key (account_id, live_source_id)
);
-- For the listing, which is in the order of creation, and for counting.
create index live_sources_present on live_sources (account_id, live_source_id) where deleted_ms is null;
-- A video that is an ad slate is not deleted.
create index live_sources_ad_slate on live_sources (account_id, ad_slate_video_id)
  where ad_slate_video_id is not null and deleted_ms is null;

alter table live_sources enable row level security;
create policy account on live_sources to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on live_sources to continuity_service;
