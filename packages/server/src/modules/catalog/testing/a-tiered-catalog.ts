import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../../platform/database/database.ts'
import type { TestDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { anActor } from '../../../platform/testing/an-actor.ts'
import { fillVideo, type VideoRecord } from '../records/video-record.ts'
import { insertVideo, lockVideo, markVideoDeleted, updateVideo } from '../records/video-store.ts'
import { type DivideTier, tierDivider } from '../search-index/divide-tier.ts'
import { indexVideo, unindexVideo } from '../search-index/index-video.ts'
import { aJobRun } from './a-job-run.ts'

/** Small enough that a dozen videos fill several tiers. */
export const TIERS = { tierFull: 6, movedAtOnce: 3 }

/** An account with small tiers. Writes are those of the server, without audit and totals. */
export interface TieredCatalog {
  readonly accountId: string
  readonly db: Db
  add(publishedMs: number | null): Promise<string>
  /** Changes its date, and runs `last` before the commit. */
  move(videoId: string, publishedMs: number | null, last?: (tx: Transaction) => Promise<void>): Promise<void>
  remove(videoId: string): Promise<void>
  /** Runs the job for the tier that begins at `start`; for the lowest tier by default. */
  divide(start?: DivideTier, signal?: AbortSignal): Promise<void>
  tiers(): Promise<readonly TierRow[]>
}

export interface TierRow extends DivideTier {
  readonly tier: number
  readonly videos: number
  readonly moving: readonly number[]
}

export async function aTieredCatalog({ database, ownerUrl }: TestDatabase): Promise<TieredCatalog> {
  const accountId = randomUUID()
  await addAccounts(ownerUrl, { [accountId]: accountId })
  const db = database.forAccount(accountId)
  const actor = anActor(accountId)
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => db.transaction().execute(work)
  const requireLocked = async (tx: Transaction, videoId: string) => {
    const video = await lockVideo(tx, accountId, videoId)
    if (video === undefined) throw new Error('there is no such video')
    return video
  }
  const tiers = async () => {
    const { rows } = await sql<TierRow>`
      select from_ms, from_id, tier, videos, moving from search_tiers order by from_ms, from_id`.execute(db)
    return rows
  }

  return {
    accountId,
    db,
    tiers,
    add: (publishedMs) =>
      inTransaction(async (tx) => {
        const record = aRecord(dateOf(publishedMs))
        await insertVideo(tx, accountId, record, { hlsPath: null, mp4Path: null })
        await indexVideo(tx, actor, { before: null, after: record, seriesTitle: '' }, TIERS.tierFull)
        return record.video_id
      }),
    move: (videoId, publishedMs, last) =>
      inTransaction(async (tx) => {
        const video = await requireLocked(tx, videoId)
        const after = { ...video.record, date_published: dateOf(publishedMs) }
        await updateVideo(tx, video, after, video)
        await indexVideo(tx, actor, { before: video.record, after, seriesTitle: '' }, TIERS.tierFull)
        await last?.(tx)
      }),
    remove: (videoId) =>
      inTransaction(async (tx) => {
        const video = await requireLocked(tx, videoId)
        await markVideoDeleted(tx, video, actor.nowMs)
        await unindexVideo(tx, accountId, video.record)
      }),
    divide: async (start, signal = new AbortController().signal) => {
      const [lowest] = await tiers()
      const data = start ?? lowest
      if (data === undefined) throw new Error('there is no tier')
      await tierDivider(TIERS)(
        aJobRun({ db, accountId }, { from_ms: data.from_ms, from_id: data.from_id }, signal),
      )
    },
  }
}

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** All contain one word, so that one search finds all. */
function aRecord(date_published: string | null): VideoRecord {
  const { hlsPath: _, mp4Path: __, ...fields } = fillVideo({ title: 'Night', duration: 60, status: 'READY' })
  const at = new Date(0).toISOString()
  const made = { video_id: newId(0), date_created: at, last_updated: at, channel_id: null, channel_ids: [] }
  return { ...fields, ...made, date_published }
}
