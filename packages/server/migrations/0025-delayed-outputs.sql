-- The playlists and the guide of an output may be those of the channel up to a day earlier.

alter table outputs
  add column delay_ms integer not null default 0 check (delay_ms between 0 and 86400000 and delay_ms % 1000 = 0);
