import pg from 'pg'

/**
 * Turns a database of tests into one in which every statement has to name its account.
 *
 * Row-level security hides a missing account filter: the statement still finds only rows of its own account.
 * Here the policies raise an error instead of filtering, and every row has a twin in another account with the same ids.
 * PostgreSQL evaluates `account_id = $1` before the policy, which is not leakproof and costs far more, so that a
 * statement with its filter never reaches a twin, and one without it fails.
 */
export async function setAccountTraps(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query(FUNCTIONS)
    const { rows } = await owner.query<TrappedTable>(TABLES)
    await owner.query(rows.map(trapOf).join('\n'))
  } finally {
    await owner.end()
  }
}

interface TrappedTable {
  readonly name: string
  readonly policy: string
  /** All that can be written. */
  readonly columns: readonly string[]
  readonly keys: readonly string[]
}

/** What a statement begins with that a test wrote itself. It is filtered by its account as row-level security does. */
export const OF_A_TEST = '/* of a test */'

/** Ids of accounts are of version 4 or 7. That of a twin is of version 0, which sorts before both. */
const FUNCTIONS = `
  create function twin_of(id uuid) returns uuid immutable return overlay(id::text placing '0' from 15)::uuid;
  create function require_own_account(id uuid) returns boolean language plpgsql stable cost 1000000 as $$
  begin
    if id = public.current_account() then return true; end if;
    if starts_with(current_query(), '${OF_A_TEST}') then return false; end if;
    raise exception 'a statement reads rows of another account: it lacks an account filter';
  end $$;`

const TABLES = `
  select c.relname as name, p.polname as policy,
         (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity = '') as columns,
         (select array_agg(a.attname::text) from pg_index i join pg_attribute a
             on a.attrelid = c.oid and a.attnum = any(i.indkey)
           where i.indrelid = c.oid and i.indisprimary) as keys
    from pg_class c join pg_policy p on p.polrelid = c.oid
   where c.relnamespace = 'public'::regnamespace and c.relrowsecurity`

/**
 * Before the row itself, so that a query for any row finds the twin first. Updates of functions that run as the
 * owner are not copied: they reach both. Nor are the thousands of rows that a test makes at once, which takes long.
 */
function trapOf({ name, policy, columns, keys }: TrappedTable): string {
  const values = columns.map((column) => twinValueOf(name, column))
  const others = columns.filter((column) => !keys.includes(column))
  const set = others.map((column) => `${column} = ${twinValueOf(name, column)}`)
  const isTwin = keys.map(
    (key) => `${key} = ${key === 'account_id' ? 'twin_of(old.account_id)' : `old.${key}`}`,
  )
  const isOwn = 'new.account_id <> public.twin_of(new.account_id)'
  return `
    alter policy ${policy} on ${name} using (require_own_account(account_id));
    create function copy_new_${name}() returns trigger language plpgsql security definer as $$ begin
      insert into public.${name} (${columns.join(', ')}) values (${values.join(', ')}) on conflict do nothing;
      return new;
    end $$;
    create trigger a_twin_of_new before insert on ${name} for each row
      when (${isOwn} and strpos(current_query(), 'generate_series') = 0) execute function copy_new_${name}();
    create function copy_changed_${name}() returns trigger language plpgsql security definer as $$ begin
      ${set.length === 0 ? '' : `update public.${name} set ${set.join(', ')} where ${isTwin.join(' and ')};`}
      return new;
    end $$;
    create trigger a_twin_of_changed before update on ${name} for each row
      when (${isOwn} and current_user = 'continuity_service') execute function copy_changed_${name}();`
}

function twinValueOf(table: string, column: string): string {
  if (column === 'account_id') return 'public.twin_of(new.account_id)'
  // Unique over all accounts.
  if (table === 'accounts' && column === 'name') return "new.name || '~twin'"
  // Search words of an account are distinguished by tier numbers, which the twins do not have.
  if (table === 'video_search' && column === 'terms') return "''"
  return `new.${column}`
}
