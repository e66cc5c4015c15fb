import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { LAST_NUMBER } from './video-document.ts'

/** The position of a video in its series. */
export interface Episode {
  readonly seriesName: string | null
  readonly seasonNumber: number | null
  readonly episodeNumber: number | null
}

/** Includes deleted videos. */
export async function listEpisodes(
  db: Db,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, Episode>> {
  if (videoIds.length === 0) return new Map()
  const { rows } = await sql<Episode & { readonly videoId: string }>`
    select v.video_id as "videoId", s.title as "seriesName",
           nullif(v.season_order, ${LAST_NUMBER}) as "seasonNumber",
           nullif(v.episode_order, ${LAST_NUMBER}) as "episodeNumber"
      from videos v
      left join series s on s.account_id = ${accountId} and s.series_id = v.series_id
     where v.account_id = ${accountId} and v.video_id = any(${videoIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ videoId, ...episode }) => [videoId, episode]))
}
