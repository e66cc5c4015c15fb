import { type RawBuilder, sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'

/** Which of these videos are there. Nobody deletes one of them before the transaction ends. */
export async function lockNamedVideos(
  tx: Transaction,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return presentOf(await selectVideos(accountId, videoIds.filter(isId), sql`for key share`).execute(tx))
}

/** The same, and they may be deleted a moment later. */
export async function listPresentVideos(
  db: Db,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return presentOf(await selectVideos(accountId, videoIds, sql``).execute(db))
}

interface Found {
  readonly videoId: string
  readonly deletedMs: number | null
}

const selectVideos = (accountId: string, videoIds: readonly string[], locking: RawBuilder<unknown>) =>
  sql<Found>`
    select video_id as "videoId", deleted_ms as "deletedMs" from videos
     where account_id = ${accountId} and video_id = any(${videoIds}::uuid[]) ${locking}`

/**
 * Those that are deleted are sorted out here: asked not to give them, PostgreSQL may read all videos through an index
 * that holds no others, where it can look up these.
 */
const presentOf = ({ rows }: { readonly rows: readonly Found[] }): ReadonlySet<string> =>
  new Set(rows.flatMap(({ videoId, deletedMs }) => (deletedMs === null ? [videoId] : [])))
