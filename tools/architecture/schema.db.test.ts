import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { SERVICE_ROLE } from '../../packages/server/src/platform/database/migrate.ts'
import { aReleasedDatabase } from '../../packages/server/src/platform/testing/a-database.ts'
import { definerFunctions, platformTables, servicePrivileges } from './schema-lists.ts'

const it = await aReleasedDatabase()
const owner = new pg.Client({ connectionString: it.ownerUrl })
await owner.connect()
after(() => owner.end())

async function query<Row extends object>(statement: string): Promise<Row[]> {
  return (await owner.query<Row>(statement)).rows
}

const OUR_SCHEMAS = `nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and nspname !~ '^pg_temp'`

test('every table belongs to an account and is fenced, or is on the list of the platform’s', async () => {
  const tables = await query<{ name: string; isIsolated: boolean; isForced: boolean }>(`
    select relname as name, relrowsecurity as "isIsolated"
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  const policies = await query<{ name: string; policy: string }>(`
    select tablename as name, concat_ws(' | ', permissive, roles, cmd, qual, with_check) as policy
      from pg_policies where schemaname = 'public'`)
  const fence = '(account_id = current_account())'

  const fenced = tables.filter(({ name }) => !(name in platformTables))
  const open = tables.filter(({ name }) => name in platformTables)

  assert.ok(fenced.length > 0)
  assert.deepEqual(
    fenced.filter(({ isIsolated }) => !isIsolated),
    [],
  )
  assert.deepEqual(
    policies.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    fenced
      .map(({ name }) => ({ name, policy: `PERMISSIVE | {${SERVICE_ROLE}} | ALL | ${fence} | ${fence}` }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
  assert.deepEqual(open.map(({ name }) => name).toSorted(), Object.keys(platformTables).toSorted())
})

test('there is no view: one would show its owner’s rows, and those are everybody’s', async () => {
  const views = await query(`select relname from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind in ('v', 'm', 'f') and ${OUR_SCHEMAS}`)

  assert.deepEqual(views, [])
})

test('every fenced table is found by its account first', async () => {
  const keys = await query<{ name: string }>(`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relrowsecurity
       and not exists (
         select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
          where i.indrelid = c.oid and i.indisprimary and a.attname = 'account_id')`)

  assert.deepEqual(keys, [])
})

test('the service role has no special rights', async () => {
  const [role] = await query(`
    select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
           (select count(*)::integer from pg_auth_members where member = r.oid or roleid = r.oid) as memberships
      from pg_roles r where rolname = '${SERVICE_ROLE}'`)

  assert.deepEqual(role, {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    memberships: 0,
  })
})

test('the service role owns nothing and can create nothing', async () => {
  const owned = await query(`select classid::regclass, objid from pg_shdepend
    where refclassid = 'pg_authid'::regclass and refobjid = '${SERVICE_ROLE}'::regrole and deptype = 'o'`)
  const places = await query(`
    select nspname from pg_namespace where has_schema_privilege('${SERVICE_ROLE}', oid, 'create')
    union all
    select datname from pg_database
     where datname = current_database() and has_database_privilege('${SERVICE_ROLE}', oid, 'create')`)

  assert.deepEqual(owned, [])
  assert.deepEqual(places, [])
})

test('the service role has the privileges on the list, and not one more', async () => {
  const kinds = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
  const has = kinds.map(
    (kind) => `case when has_table_privilege('${SERVICE_ROLE}', c.oid, '${kind}') then '${kind}' end`,
  )
  const granted = await query<{ name: string; privileges: string }>(`
    select nspname || '.' || relname as name, concat_ws(', ', ${has.join(', ')}) as privileges
      from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'p', 'v', 'm', 'f') and ${OUR_SCHEMAS}`)
  const ofColumns = await query(`select attrelid::regclass, attname from pg_attribute
    join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
    where attacl is not null and ${OUR_SCHEMAS}`)
  const sequences = await query(`select relname from pg_class c join pg_namespace n on n.oid = relnamespace
    where case when relkind = 'S' then has_sequence_privilege('${SERVICE_ROLE}', c.oid, 'usage, select, update') end
      and ${OUR_SCHEMAS}`)

  const some = granted.filter(({ privileges }) => privileges !== '')
  assert.deepEqual(
    Object.fromEntries(some.map(({ name, privileges }) => [name, privileges])),
    servicePrivileges,
  )
  assert.deepEqual([ofColumns, sequences], [[], []])
})

test('what a table lets the service do, it does not let others do', async () => {
  const others = await query(`
    select nspname, relname, grantee::regrole, privilege_type
      from pg_class c join pg_namespace n on n.oid = relnamespace, aclexplode(relacl)
     where ${OUR_SCHEMAS} and grantee not in (relowner, '${SERVICE_ROLE}'::regrole)`)

  assert.deepEqual(others, [])
})

test('functions that run as the owner are on the list, look nowhere else, and are closed to the public', async () => {
  const functions = await query<{ name: string; path: string; isPublic: boolean; isOurs: boolean }>(`
    select proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name,
           (select string_agg(c, '; ') from unnest(proconfig) c where c like 'search_path%') as path,
           has_function_privilege('public', p.oid, 'execute') as "isPublic",
           has_function_privilege('${SERVICE_ROLE}', p.oid, 'execute') as "isOurs"
      from pg_proc p join pg_namespace n on n.oid = pronamespace
     where prosecdef and ${OUR_SCHEMAS}
     order by 1`)

  assert.deepEqual(
    functions,
    definerFunctions.map((name) => ({
      name,
      // Temporary tables last: the first schema on the path could shadow a table.
      path: 'search_path=pg_catalog, pg_temp',
      isPublic: false,
      isOurs: true,
    })),
  )
})
