-- Slates are packaged a second time in segments of a slot, to stand in for a live source. Those made before are not.

alter table assets add column has_slots boolean not null default false;
