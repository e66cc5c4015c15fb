-- An output is counted by playout nodes or from the access logs of caches, never both.

alter table outputs
  add column audience_source text not null default 'NODES' check (audience_source in ('NODES', 'LOGS')),
  -- Lines of access logs before this time do not count: nodes may have counted them.
  add column audience_from_ms bigint not null default 0;
