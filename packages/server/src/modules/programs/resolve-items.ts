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
import { ItemRangeInvalid, NoItems, TooManyItems, VideoNotPlayable } from './errors.ts'
import { programDetails } from './program-details.ts'

/** An item as a caller names it. */
export type DraftItem =
  | {
      readonly kind: 'video'
      readonly videoId: string
      /** Where it begins and ends in the video; null for its start and its end. */
      readonly inMs: number | null
      readonly outMs: number | null
    }
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
  const lengthMs = items.reduce((sum, item) => {
    const found = item.assetId === null ? undefined : media.get(item.assetId)
    if (found === undefined || item.inMs != null || item.outMs != null) return sum + item.declaredMs
    return sum + Math.max(item.declaredMs, Math.ceil(msOf(found.durationTicks)))
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
    named.push(
      ...videos.map(({ videoId }) => ({ kind: 'video', videoId, inMs: null, outMs: null, item }) as const),
    )
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
  { videoId, item, inMs, outMs }: NamedItem & { readonly kind: 'video' },
  videos: ReadonlyMap<string, ScheduledVideo>,
  assets: ReadonlyMap<string, string>,
): ItemRecord {
  const video = videos.get(videoId)!
  const assetId = assets.get(videoId)
  if (video.status === 'DISABLED') throw VideoNotPlayable(item, 'is DISABLED. Change its status first.')
  if (assetId === undefined)
    throw VideoNotPlayable(item, 'has no media. Submit its file with an ingest request.')
  const type = isInterstitialType(video.content_type) ? 'INTERSTITIAL' : 'VIDEO'
  const wholeMs = video.duration * 1_000
  const declaredMs = Math.min(outMs ?? wholeMs, wholeMs) - (inMs ?? 0)
  if (declaredMs <= 0) throw ItemRangeInvalid(item, video.duration)
  return { type, declaredMs, title: video.title, videoId, assetId, inMs, outMs }
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
  return programDetails(video, episode)
}
