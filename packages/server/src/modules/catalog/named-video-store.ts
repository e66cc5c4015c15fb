import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'

/** Which of these videos are there. Nobody deletes one of them before the transaction ends. */
export async function lockNamedVideos(
  tx: Transaction,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlySet<string>> {
  // Those that are deleted are sorted out here: asked not to give them, PostgreSQL may read all videos
  // through an index that holds no others, where it can look up these.
  const { rows } = await sql<{ readonly videoId: string; readonly deletedMs: number | null }>`
    select video_id as "videoId", deleted_ms as "deletedMs" from videos
     where account_id = ${accountId} and video_id = any(${videoIds.filter(isId)}::uuid[])
       for key share`.execute(tx)
  return new Set(rows.flatMap(({ videoId, deletedMs }) => (deletedMs === null ? [videoId] : [])))
}

/** Which of these videos are not deleted. */
export async function listPresentVideos(
  db: Db,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly videoId: string; readonly deletedMs: number | null }>`
    select video_id as "videoId", deleted_ms as "deletedMs" from videos
     where account_id = ${accountId} and video_id = any(${videoIds}::uuid[])`.execute(db)
  return new Set(rows.flatMap(({ videoId, deletedMs }) => (deletedMs === null ? [videoId] : [])))
}
