import { sql } from 'kysely'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Db } from '../../../platform/database/database.ts'
import { columnsOf } from '../records/video-document.ts'
import { fillVideo, type VideoRecord } from '../records/video-record.ts'

export interface VideoRowOptions {
  readonly status?: VideoRecord['status']
  readonly availableMs?: number
  readonly expiredMs?: number
  readonly seriesId?: string
  readonly season?: number
  readonly deletedMs?: number
}

/** Inserts a video without counting or indexing it. Returns its id. */
export async function aVideoRow(db: Db, accountId: string, options: VideoRowOptions = {}): Promise<string> {
  const [videoId] = await someVideoRows(db, accountId, 1, options)
  return videoId!
}

/** READY and always visible by default. */
export async function someVideoRows(
  db: Db,
  accountId: string,
  count: number,
  { status = 'READY', availableMs, expiredMs, seriesId, season, deletedMs }: VideoRowOptions = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(0))
  const row = {
    ...columnsOf(
      aRecord({
        status,
        series_id: seriesId ?? null,
        season_number: season ?? null,
        date_available: dateOf(availableMs),
        date_expired: dateOf(expiredMs),
      }),
      { hlsPath: null, mp4Path: null },
    ),
    account_id: accountId,
    version: 1,
    deleted_ms: deletedMs ?? null,
  }
  await sql`
    insert into videos
    select made.* from unnest(${ids}::uuid[]) as id,
      jsonb_populate_record(null::videos, ${JSON.stringify(row)}::jsonb || jsonb_build_object('video_id', id)) as made`.execute(
    db,
  )
  return ids
}

const dateOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

function aRecord(over: Partial<VideoRecord>): VideoRecord {
  const { hlsPath: _, mp4Path: __, ...fields } = fillVideo({ title: 'A video', duration: 60 })
  const at = new Date(0).toISOString()
  const made = { video_id: newId(0), date_created: at, last_updated: at, channel_id: null, channel_ids: [] }
  return { ...fields, ...made, ...over }
}
