-- Brands, by the ids that partners give them.

create table brands (
  account_id uuid not null references accounts,
  brand_id text collate "C" not null,
  name text not null,
  -- The beginning of the name, folded. Lists go by it and by brand_id, which their marks have to hold.
  name_order text collate "C" not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  deleted_ms bigint,
  primary key (account_id, brand_id)
);
create index brands_in_order on brands (account_id, name_order, brand_id) where deleted_ms is null;

alter table brands enable row level security;
create policy account on brands to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on brands to continuity_service;

-- How many records of a kind are present. Kept by whoever adds or deletes one, because a page tells
-- the number each time, and counting takes longer than the page.
create table catalog_totals (
  account_id uuid not null references accounts,
  kind text not null check (kind in ('brand')),
  total bigint not null check (total >= 0),
  primary key (account_id, kind)
);

alter table catalog_totals enable row level security;
create policy account on catalog_totals to continuity_service
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update on catalog_totals to continuity_service;
