import type { SlateKind } from '@continuity/core/packaging/slate-picture'
import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'

export interface Account {
  readonly accountId: string
  readonly name: string
  readonly title: string
  readonly country: string
  readonly frameRate: 25 | 30
  readonly segmentMs: 3_200 | 6_400
  readonly loudnessLufs: number
  /** Time of the first asset; frame rate and segment length cannot change after it. */
  readonly formatFrozenMs: number | null
  readonly version: number
  readonly createdMs: number
  readonly updatedMs: number
}

export type AccountDefaults = Pick<Account, 'title' | 'country' | 'frameRate' | 'segmentMs' | 'loudnessLufs'>

interface AccountRow {
  account_id: string
  name: string
  title: string
  country: string
  frame_rate: number
  segment_ms: number
  loudness_lufs: number
  format_frozen_ms: number | null
  version: number
  created_ms: number
  updated_ms: number
  rescue_slate_video_id: string | null
  time_fill_video_id: string | null
  ad_slate_video_id: string | null
}

const on = tables<{ accounts: AccountRow }>()

const columns = [
  'account_id as accountId',
  'name',
  'title',
  'country',
  'frame_rate as frameRate',
  'segment_ms as segmentMs',
  'loudness_lufs as loudnessLufs',
  'format_frozen_ms as formatFrozenMs',
  'version',
  'created_ms as createdMs',
  'updated_ms as updatedMs',
] as const

/** The only query that runs before the caller is authenticated. */
export async function findAccountId(platform: Db, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select find_account_id(${name}) as id`.execute(platform)
  return rows[0]?.id ?? undefined
}

export async function getAccount(db: Db, accountId: string): Promise<Account> {
  const row = await on(db)
    .selectFrom('accounts')
    .select(columns)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row as Account
}

export interface DefaultSlates {
  readonly rescue: string | null
  readonly timeFill: string | null
  readonly ad: string | null
}

/** The slates of channels without their own; null if not created yet. */
export async function getDefaultSlates(db: Db, accountId: string): Promise<DefaultSlates> {
  return on(db)
    .selectFrom('accounts')
    .select(['rescue_slate_video_id as rescue', 'time_fill_video_id as timeFill', 'ad_slate_video_id as ad'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
}

export async function lockAccount(tx: Transaction, accountId: string): Promise<Account> {
  const row = await on(tx)
    .selectFrom('accounts')
    .select(columns)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row as Account
}

export async function updateAccount(
  tx: Transaction,
  account: Account,
  changes: Partial<AccountDefaults>,
  nowMs: number,
): Promise<Account> {
  const next = { ...account, ...changes }
  const row = await on(tx)
    .updateTable('accounts')
    .set({ ...defaultsOf(next), version: account.version + 1, updated_ms: nowMs })
    .where('account_id', '=', account.accountId)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return row as Account
}

/** As the owner of the platform: the service cannot create accounts. False if the name is taken. */
export async function insertAccount(
  owner: Db,
  account: AccountDefaults & { readonly accountId: string; readonly name: string },
  nowMs: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await on(owner)
    .insertInto('accounts')
    .values({
      account_id: account.accountId,
      name: account.name,
      ...defaultsOf(account),
      format_frozen_ms: null,
      version: 1,
      created_ms: nowMs,
      updated_ms: nowMs,
      rescue_slate_video_id: null,
      time_fill_video_id: null,
      ad_slate_video_id: null,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** As the owner of the platform, sorted by name, page by page. */
export async function listAccounts(owner: Db, afterName: string, limit: number): Promise<readonly Account[]> {
  const rows = await on(owner)
    .selectFrom('accounts')
    .select(columns)
    .where('name', '>', afterName)
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows as Account[]
}

const defaultsOf = ({ title, country, frameRate, segmentMs, loudnessLufs }: AccountDefaults) => ({
  title,
  country,
  frame_rate: frameRate,
  segment_ms: segmentMs,
  loudness_lufs: loudnessLufs,
})

/** The format that all media of the account is packaged to. Freezes it. */
export async function lockFormat(
  tx: Transaction,
  accountId: string,
  nowMs: number,
): Promise<Pick<Account, 'frameRate' | 'segmentMs'>> {
  const account = await getAccount(tx, accountId)
  if (account.formatFrozenMs === null) return freezeFormat(tx, accountId, nowMs)
  const { frameRate, segmentMs } = account
  return { frameRate, segmentMs }
}

async function freezeFormat(tx: Transaction, accountId: string, nowMs: number) {
  const row = await on(tx)
    .updateTable('accounts')
    .set(({ fn, val }) => ({ format_frozen_ms: fn.coalesce('format_frozen_ms', val(nowMs)) }))
    .where('account_id', '=', accountId)
    .returning(['frame_rate as frameRate', 'segment_ms as segmentMs'])
    .executeTakeFirstOrThrow()
  return row as Pick<Account, 'frameRate' | 'segmentMs'>
}

const slateColumns = {
  rescue: 'rescue_slate_video_id',
  time_fill: 'time_fill_video_id',
  ad: 'ad_slate_video_id',
} as const satisfies Record<SlateKind, keyof AccountRow>

/** Sets the slate of channels without their own. */
export async function setDefaultSlate(
  tx: Transaction,
  accountId: string,
  kind: SlateKind,
  videoId: string,
): Promise<void> {
  await on(tx)
    .updateTable('accounts')
    .set({ [slateColumns[kind]]: videoId })
    .where('account_id', '=', accountId)
    .execute()
}

/** Whether a video is a default slate. */
export async function isDefaultSlate(db: Db, accountId: string, videoId: string): Promise<boolean> {
  const row = await on(db)
    .selectFrom('accounts')
    .select(['rescue_slate_video_id', 'time_fill_video_id', 'ad_slate_video_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined && Object.values(row).includes(videoId)
}
