import { isInterstitialType } from '@continuity/core/ingest/interstitial'
import { msOf } from '@continuity/core/time/ticks'
import type { ProgramDetails } from '@continuity/core/timeline/span'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { UnknownVideo } from '../../platform/database/record-errors.ts'
import { requirePlayable } from '../assets/index.ts'
import { mediaOfAssets } from '../assets/read.ts'
import { lockScheduledVideos, namedMedia, type ScheduledVideo } from '../catalog/index.ts'
import { listEpisodes, listPlaylistTitles } from '../catalog/read.ts'
import { UnknownPlaylist } from '../channels/errors.ts'
import type { ItemRecord } from '../schedule/index.ts'
import { NoItems, TooManyItems, VideoNotPlayable } from './errors.ts'

/** An item as a caller names it. */
export type DraftItem =
  | { readonly kind: 'video'; readonly videoId: string }
  | { readonly kind: 'playlist'; readonly playlistId: string }
  | { readonly kind: 'pod'; readonly durationMs: number }

export interface ResolvedItems {
  readonly items: readonly ItemRecord[]
  readonly details: ProgramDetails
  /** As long as the items are, by what is known of their media. */
  readonly lengthMs: number
}

const ITEMS_MAXIMUM = 1_000

/** The items of a program, each with the asset that it shows; the videos cannot be deleted before the transaction ends. */
export async function resolveItems(
  tx: Transaction,
  actor: Actor,
  draft: readonly DraftItem[],
): Promise<ResolvedItems> {
  const named = await expandPlaylists(tx, actor.accountId, draft)
  if (named.length === 0) throw NoItems()
  if (named.length > ITEMS_MAXIMUM) throw TooManyItems(ITEMS_MAXIMUM)
  const ids = [...new Set(named.flatMap((it) => (it.kind === 'video' ? [it.videoId] : [])))]
  const videos = await lockScheduledVideos(tx, actor.accountId, ids)
  for (const it of named)
    if (it.kind === 'video' && !videos.has(it.videoId)) throw UnknownVideo(`items/${it.item}`)
  const assets = await requirePlayable(tx, actor, ids)
  const items = named.map((it) => (it.kind === 'pod' ? podOf(it.durationMs) : videoOf(it, videos, assets)))
  const media = await mediaOfAssets(tx, actor.accountId, [...assets.values()])
  const lengthMs = items.reduce((sum, { assetId, declaredMs }) => {
    const ticks = assetId === null ? undefined : media.get(assetId)?.durationTicks
    return sum + Math.max(declaredMs, ticks === undefined ? 0 : Math.ceil(msOf(ticks)))
  }, 0)
  return { items, details: await detailsOf(tx, actor.accountId, items, videos), lengthMs }
}

type NamedItem = Exclude<DraftItem, { kind: 'playlist' }> & { readonly item: number }

async function expandPlaylists(
  tx: Transaction,
  accountId: string,
  draft: readonly DraftItem[],
): Promise<readonly NamedItem[]> {
  const named: NamedItem[] = []
  for (const [item, it] of draft.entries()) {
    if (it.kind !== 'playlist') {
      named.push({ ...it, item })
      continue
    }
    if (!(await namedMedia.hasPlaylist(tx, accountId, it.playlistId)))
      throw UnknownPlaylist(`items/${item}/playlist_id`)
    const videos = await listPlaylistTitles(tx, accountId, it.playlistId, ITEMS_MAXIMUM + 1)
    named.push(...videos.map(({ videoId }) => ({ kind: 'video', videoId, item }) as const))
    if (named.length > ITEMS_MAXIMUM) throw TooManyItems(ITEMS_MAXIMUM)
  }
  return named
}

const podOf = (declaredMs: number): ItemRecord => ({
  type: 'AD_POD',
  declaredMs,
  title: '',
  videoId: null,
  assetId: null,
})

function videoOf(
  { videoId, item }: NamedItem & { readonly kind: 'video' },
  videos: ReadonlyMap<string, ScheduledVideo>,
  assets: ReadonlyMap<string, string>,
): ItemRecord {
  const video = videos.get(videoId)!
  const assetId = assets.get(videoId)
  if (video.status === 'DISABLED') throw VideoNotPlayable(item, 'is DISABLED. Change its status first.')
  if (assetId === undefined)
    throw VideoNotPlayable(item, 'has no media. Submit its file with an ingest request.')
  const type = isInterstitialType(video.content_type) ? 'INTERSTITIAL' : 'VIDEO'
  return { type, declaredMs: video.duration * 1_000, title: video.title, videoId, assetId }
}

/** A guide describes a program by its longest video. */
async function detailsOf(
  tx: Transaction,
  accountId: string,
  items: readonly ItemRecord[],
  videos: ReadonlyMap<string, ScheduledVideo>,
): Promise<ProgramDetails> {
  const longest = items
    .filter(({ type }) => type === 'VIDEO')
    .toSorted((one, other) => other.declaredMs - one.declaredMs)[0]
  const video = longest === undefined ? undefined : videos.get(longest.videoId!)
  if (video === undefined) return {}
  const episode = (await listEpisodes(tx, accountId, [video.video_id])).get(video.video_id)
  const image = video.images.find(({ original_image_url: url }) => /^https?:/.test(url))
  return {
    ...(episode?.seriesName == null ? {} : { seriesTitle: episode.seriesName, episodeTitle: video.title }),
    ...(video.season_number === null ? {} : { seasonNumber: video.season_number }),
    ...(video.episode_number === null ? {} : { episodeNumber: video.episode_number }),
    ...(video.genres.length === 0 ? {} : { genres: video.genres.map(({ genre }) => genre) }),
    ...(image === undefined ? {} : { imageUrl: image.original_image_url }),
    ...(video.parental_rating === null ? {} : { parentalRating: video.parental_rating }),
    ...(video.audio_language === null ? {} : { language: video.audio_language }),
  }
}
