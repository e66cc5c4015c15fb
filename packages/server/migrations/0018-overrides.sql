-- What overrides a channel, and when one that returned to its schedule follows it again.

alter table linear_channels
  add column override_source_id uuid, -- null: nothing does, or the rescue slate
  add column scheduled_ms bigint;
-- A source that a channel shows is not deactivated.
create index linear_channels_override on linear_channels (account_id, override_source_id)
  where override_source_id is not null;
