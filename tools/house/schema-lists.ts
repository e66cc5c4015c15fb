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
  'public.assets': 'select, insert, update',
  'public.audit_entries': 'select, insert',
  'public.brands': 'select, insert, update',
  'public.catalog_totals': 'select, insert, update',
  'public.catalog_word_grams': 'select, insert',
  'public.catalog_words': 'select, insert',
  'public.due_rows': 'select, insert, update, delete',
  'public.ended_credentials': 'select, insert, update, delete',
  'public.events': 'select, insert',
  'public.idempotency_keys': 'select, insert, update, delete',
  'public.ingest_items': 'select, insert, update',
  'public.ingest_requests': 'select, insert, update',
  'public.linear_channels': 'select, insert, update',
  'public.login_limits': 'select, insert, update, delete',
  'public.outputs': 'select, insert, update, delete',
  'public.playlist_videos': 'select, insert, update, delete',
  'public.playlists': 'select, insert, update',
  'public.schema_migrations': 'select',
  'public.search_tiers': 'select, insert, update',
  'public.series': 'select, insert, update',
  'public.sessions': 'select, insert, update',
  'public.user_addresses': 'select, insert, update',
  'public.users': 'select, insert, update',
  'public.video_search': 'select, insert, update, delete',
  'public.videos': 'select, insert, update',
  // The queue's, which jobs are left in and taken from.
  'pgboss.job': 'select, insert, update, delete',
  'pgboss.job_common': 'select, insert, update, delete',
  'pgboss.job_dependency': 'select, delete',
  'pgboss.queue': 'select, update',
  'pgboss.version': 'select, update',
}

/** Functions that run as the owner, and so past every fence: each does one thing, and says no more than it must. */
export const definerFunctions: readonly string[] = [
  'count_videos(is_told boolean, query text, exact tsquery, shown_ms bigint, least_published_ms bigint, most_published_ms bigint, least_duration bigint, most_duration bigint, most integer)',
  'find_account_id(account_name text)',
  'forget_events(before_ms bigint, most integer)',
  'forget_idempotency_keys(before_ms bigint, most integer)',
  'forget_sessions(before_ms bigint, most integer)',
  'forget_user_addresses(before_ms bigint, most integer)',
  'match_videos(tiers integer[], from_ms bigint, from_id uuid, to_ms bigint, to_id uuid, query text, exact tsquery, shown_ms bigint, least_published_ms bigint, most_published_ms bigint, least_duration bigint, most_duration bigint, most integer)',
  'match_videos(tiers integer[], from_ms bigint, from_id uuid, to_ms bigint, to_id uuid, query text, exact tsquery, shown_ms bigint, most integer)',
]

const server = 'packages/server/src'

/** The files whose statements name a table: one store each, but for the history of the schema itself. */
export const tableStores: Readonly<Record<string, readonly string[]>> = {
  accounts: [`${server}/modules/accounts/store.ts`],
  alerts: [`${server}/modules/alerts/store.ts`],
  app_keys: [`${server}/modules/auth/app-key-store.ts`],
  assets: [`${server}/modules/ingest/asset-store.ts`, `${server}/modules/ingest/item-store.ts`],
  audit_entries: [`${server}/modules/audit/store.ts`],
  brands: [`${server}/modules/catalog/brand-store.ts`],
  catalog_totals: [`${server}/modules/catalog/total-store.ts`],
  catalog_word_grams: [`${server}/modules/catalog/word-store.ts`],
  catalog_words: [`${server}/modules/catalog/word-store.ts`],
  due_rows: [`${server}/platform/due/due-rows.ts`],
  ended_credentials: [`${server}/modules/auth/ended-store.ts`],
  events: [`${server}/modules/events/store.ts`],
  idempotency_keys: [`${server}/http/idempotency.ts`],
  ingest_items: [`${server}/modules/ingest/asset-store.ts`, `${server}/modules/ingest/item-store.ts`],
  ingest_requests: [`${server}/modules/ingest/item-store.ts`, `${server}/modules/ingest/request-store.ts`],
  linear_channels: [`${server}/modules/channels/store.ts`],
  login_limits: [`${server}/modules/auth/limit-store.ts`],
  outputs: [`${server}/modules/channels/output-store.ts`],
  playlist_videos: [`${server}/modules/catalog/playlist-video-store.ts`],
  playlists: [`${server}/modules/catalog/playlist-store.ts`],
  schema_migrations: [
    `${server}/platform/database/migrate.ts`,
    `${server}/platform/database/schema-check.ts`,
  ],
  search_tiers: [`${server}/modules/catalog/tier-store.ts`],
  series: [`${server}/modules/catalog/series-store.ts`],
  sessions: [`${server}/modules/auth/session-store.ts`],
  user_addresses: [`${server}/modules/auth/user-store.ts`],
  users: [`${server}/modules/auth/user-store.ts`],
  video_search: [`${server}/modules/catalog/search-select.ts`, `${server}/modules/catalog/search-store.ts`],
  videos: [
    `${server}/modules/catalog/named-video-store.ts`,
    `${server}/modules/catalog/playlist-video-store.ts`,
    `${server}/modules/catalog/search-select.ts`,
    `${server}/modules/catalog/series-store.ts`,
    `${server}/modules/catalog/video-store.ts`,
  ],
}
