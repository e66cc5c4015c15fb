-- Programs of operators and rules beside those of ingest requests, and requests that an operator cancels.

-- The id is that of the user or the rule. That of a request is found by its program: processes of the previous release
-- insert programs without naming it.
alter table programs
  add column origin text not null default 'REQUEST',
  add column origin_id uuid,
  add column version integer not null default 1,
  add constraint programs_origin_check check (origin in ('REQUEST', 'OPERATOR', 'RULE'));

-- A changed program has other items.
grant delete on program_items to continuity_service;

create index programs_of_rules on programs (account_id, linear_channel_id, start_ms)
  where removed_ms is null and origin = 'RULE';

alter table ingest_requests
  drop constraint ingest_requests_state_check,
  add constraint ingest_requests_state_check
    check (state in ('QUEUED', 'PROCESSING', 'SCHEDULED', 'FAILED', 'REPLACED', 'CANCELLED'));

create index ingest_requests_by_program on ingest_requests (account_id, program_id) where program_id is not null;

create index ingest_requests_failed on ingest_requests (account_id, linear_channel_id, start_ms)
  where state = 'FAILED' and program_id is not null;
