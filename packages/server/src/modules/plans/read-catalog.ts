import { usedOf } from '@continuity/core/media/video-cue-points'
import type { CatalogSnapshot } from '@continuity/core/rules/plan-input'
import type { PlanRules } from '@continuity/core/rules/plan-rules'
import { msOf } from '@continuity/core/time/ticks'
import { isId } from '../../platform/crypto/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { mediaOfVideos } from '../assets/read.ts'
import { cuesOf, listPlaylistTitles, listSeriesTitles, listVideoTexts } from '../catalog/read.ts'

export interface VideoMedia {
  readonly durationMs: number
  /** Without proposals. */
  readonly cuePointsMs: readonly number[]
}

export interface CatalogPage {
  /** As they are stored; the thread reads them. */
  readonly documents: readonly string[]
  /** Null for a video that has none. */
  readonly media: readonly (VideoMedia | null)[]
}

/** So that no other work of the process waits long for a page. */
const PAGE = 1_000

/** More videos of a playlist than a plan can air. */
const PLAYLIST_MAXIMUM = 10_000

/** All videos of an account with their media, page by page. */
export async function* readCatalogPages(db: Db, accountId: string): AsyncGenerator<CatalogPage> {
  for (let afterId: string | null = null, isMore = true; isMore; ) {
    const videos = await listVideoTexts(db, accountId, afterId, PAGE)
    const media = await mediaOfVideos(
      db,
      accountId,
      videos.map(({ videoId }) => videoId),
    )
    yield {
      documents: videos.map(({ document }) => document),
      media: videos.map(({ videoId, cues }) => {
        const found = media.get(videoId)
        if (found === undefined) return null
        const cuePointsMs = usedOf(cuesOf(cues).cue_points)
        return { durationMs: Math.ceil(msOf(found.durationTicks)), cuePointsMs }
      }),
    }
    afterId = videos.at(-1)?.videoId ?? null
    isMore = videos.length === PAGE
  }
}

/** Titles of series, and the playlists that rules name. */
export async function readNamed(
  db: Db,
  accountId: string,
  rules: PlanRules,
): Promise<Pick<CatalogSnapshot, 'series' | 'playlists'>> {
  const playlists = []
  for (const playlistId of new Set(playlistsOf(rules).filter(isId))) {
    const videos = await listPlaylistTitles(db, accountId, playlistId, PLAYLIST_MAXIMUM)
    playlists.push({ playlist_id: playlistId, video_ids: videos.map(({ videoId }) => videoId) })
  }
  return { series: await listSeriesTitles(db, accountId), playlists }
}

function playlistsOf({ blocks, default: rest, breaks }: PlanRules): readonly string[] {
  const contents = [...blocks, ...(rest === null ? [] : [rest])].map(({ content }) =>
    'playlist_id' in content ? content.playlist_id : null,
  )
  const interstitials = [breaks, ...blocks.map((block) => block.breaks)].flatMap((policy) => [
    policy.before_playlist_id,
    policy.after_playlist_id,
  ])
  return [...contents, ...interstitials].filter((id) => id !== null)
}
