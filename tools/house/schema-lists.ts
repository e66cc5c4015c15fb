/** Tables that belong to no account, each with the reason. All others of schema public are fenced. */
export const platformTables: Readonly<Record<string, string>> = {
  schema_migrations: 'what was applied to the database; the service may only read it',
  ended_credentials:
    'ids of sessions and subjects, which every process knows by heart whatever account they are of',
  login_limits: 'tries before anybody is known; its keys are hashes',
  due_rows: 'ids and times, which every worker looks through for all accounts',
}

/** All that the service role may do, table by table. What is not here is closed to it. */
export const servicePrivileges: Readonly<Record<string, string>> = {
  'public.accounts': 'select, update',
  'public.alerts': 'select, insert, update',
  'public.app_keys': 'select, insert, update',
  'public.audit_entries': 'select, insert',
  'public.brands': 'select, insert, update',
  'public.catalog_totals': 'select, insert, update',
  'public.due_rows': 'select, insert, update, delete',
  'public.ended_credentials': 'select, insert, update, delete',
  'public.events': 'select, insert',
  'public.idempotency_keys': 'select, insert, update, delete',
  'public.linear_channels': 'select, insert, update',
  'public.login_limits': 'select, insert, update, delete',
  'public.outputs': 'select, insert, update, delete',
  'public.schema_migrations': 'select',
  'public.sessions': 'select, insert, update',
  'public.user_addresses': 'select, insert, update',
  'public.users': 'select, insert, update',
  // The queue's, which jobs are left in and taken from.
  'pgboss.job': 'select, insert, update, delete',
  'pgboss.job_common': 'select, insert, update, delete',
  'pgboss.job_dependency': 'select, delete',
  'pgboss.queue': 'select, update',
  'pgboss.version': 'select, update',
}

/** Functions that run as the owner, and so past every fence: each does one thing, and says no more than it must. */
export const definerFunctions: readonly string[] = [
  'find_account_id(account_name text)',
  'forget_events(before_ms bigint, most integer)',
  'forget_idempotency_keys(before_ms bigint, most integer)',
  'forget_sessions(before_ms bigint, most integer)',
  'forget_user_addresses(before_ms bigint, most integer)',
]

const server = 'packages/server/src'

/** The files whose statements name a table: one store each, but for the history of the schema itself. */
export const tableStores: Readonly<Record<string, readonly string[]>> = {
  accounts: [`${server}/modules/accounts/store.ts`],
  alerts: [`${server}/modules/alerts/store.ts`],
  app_keys: [`${server}/modules/auth/app-key-store.ts`],
  audit_entries: [`${server}/modules/audit/store.ts`],
  brands: [`${server}/modules/catalog/brand-store.ts`],
  catalog_totals: [`${server}/modules/catalog/total-store.ts`],
  due_rows: [`${server}/platform/due/due-rows.ts`],
  ended_credentials: [`${server}/modules/auth/ended-store.ts`],
  events: [`${server}/modules/events/store.ts`],
  idempotency_keys: [`${server}/http/idempotency.ts`],
  linear_channels: [`${server}/modules/channels/store.ts`],
  login_limits: [`${server}/modules/auth/limit-store.ts`],
  outputs: [`${server}/modules/channels/output-store.ts`],
  schema_migrations: [
    `${server}/platform/database/migrate.ts`,
    `${server}/platform/database/schema-check.ts`,
  ],
  sessions: [`${server}/modules/auth/session-store.ts`],
  user_addresses: [`${server}/modules/auth/user-store.ts`],
  users: [`${server}/modules/auth/user-store.ts`],
}
