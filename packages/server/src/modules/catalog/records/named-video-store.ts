import { type RawBuilder, sql } from 'kysely'
import { isId } from '../../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../../platform/database/database.ts'

/** Which of these videos exist; locks them against deletion until the transaction ends. */
export async function lockNamedVideos(
  tx: Transaction,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return presentOf(await selectVideos(accountId, videoIds.filter(isId), sql`for key share`).execute(tx))
}

/** As `lockNamedVideos`, without locks. */
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
 * Deleted videos are filtered out here: with that condition in the query, PostgreSQL may scan a partial index over all
 * videos instead of looking up these.
 */
const presentOf = ({ rows }: { readonly rows: readonly Found[] }): ReadonlySet<string> =>
  new Set(rows.flatMap(({ videoId, deletedMs }) => (deletedMs === null ? [videoId] : [])))

/** A video as it is stored; `recordOf` reads the document. */
export interface StoredVideoText {
  readonly videoId: string
  readonly document: string
  /** `cuesOf` reads them. */
  readonly cues: string | null
}

/** A page of all videos of an account, by id. */
export async function listVideoTexts(
  db: Db,
  accountId: string,
  afterId: string | null,
  most: number,
): Promise<readonly StoredVideoText[]> {
  const { rows } = await sql<StoredVideoText>`
    select video_id as "videoId", document, cue_points as cues from videos
     where account_id = ${accountId} and deleted_ms is null
       and (${afterId}::uuid is null or video_id > ${afterId}::uuid)
     order by video_id limit ${most}`.execute(db)
  return rows
}
