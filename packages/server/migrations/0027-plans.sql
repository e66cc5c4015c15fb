-- Rules by which channels plan their own programs.

create table channel_plans (
  account_id uuid not null references accounts,
  linear_channel_id uuid not null,
  rules jsonb not null,
  version integer not null,
  seed integer not null, -- never changes, so that what a shuffle chooses does not either
  -- The planner's state after all programs of rules that start before `state_ms`.
  state jsonb not null,
  state_ms bigint not null,
  replan_from_ms bigint, -- null: what is planned stays as it is
  planned_until_ms bigint, -- null: not planned yet
  planned_ms bigint, -- when the planner last ran
  refreshed_ms bigint not null default 0, -- when it last planned again what is more than a week ahead
  warnings jsonb not null default '[]',
  created_ms bigint not null,
  changed_ms bigint not null,
  changed_user_id text not null,
  primary key (account_id, linear_channel_id),
  foreign key (account_id, linear_channel_id) references linear_channels (account_id, linear_channel_id)
);

alter table channel_plans enable row level security;
create policy account on channel_plans to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on channel_plans to continuity_service;

-- The rule of a program that was planned, why it was planned, and what the planner continues from.
alter table programs add column rule jsonb;

-- Where an operator cancelled what a rule had planned.
create index programs_cancelled on programs (account_id, linear_channel_id, end_ms)
  where removed_ms is not null and origin = 'OPERATOR' and rule is not null;

-- Where an item begins and ends in its video; null for its start and its end.
alter table program_items
  add column in_ms integer check (in_ms >= 0),
  add column out_ms integer check (out_ms > coalesce(in_ms, 0));

-- The earliest change of other programs since rules were last planned; null for none.
alter table timelines add column rules_from_ms bigint;
