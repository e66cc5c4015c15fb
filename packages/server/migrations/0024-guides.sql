-- Guides that are published to playout nodes, and what they call the time without a program.

alter table timelines
  add column guide_version bigint not null default 0; -- of the last guide; a later one replaces an earlier one

alter table linear_channels
  add column filler_title text check (char_length(filler_title) <= 200); -- null: time without a program is not listed
