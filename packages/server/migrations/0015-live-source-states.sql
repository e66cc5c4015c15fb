-- Since when a source is in its state: validation ends after a time.

alter table live_sources add column state_ms bigint not null default 0;
