-- Where the parts of a package begin: [{"segment", "ticks"}] for each cue point, null for a package in one part.

alter table assets add column cuts jsonb;
