import { operations } from '@continuity/contract'
import { type Random, titleOf, videoDraft } from './drafts.ts'
import type { WireBrand, WirePlaylist, WireSeries, WireVideo } from './record-order.ts'
import type { Kind } from './records.ts'

const titled = (random: Random) => ({
  title: titleOf(random),
  status: random() < 0.8 ? 'READY' : 'DISABLED',
})
const described = (random: Random) => ({ description: `Described ${random()}` })

export const seriesKind: Kind<WireSeries> = {
  create: operations.createSeries,
  change: operations.changeSeries,
  remove: operations.deleteSeries,
  id: 'series_id',
  draft: titled,
  move: titled,
  touch: described,
}

export const playlistKind: Kind<WirePlaylist> = {
  create: operations.createPlaylist,
  change: operations.changePlaylist,
  remove: operations.deletePlaylist,
  id: 'playlist_id',
  draft: titled,
  move: titled,
  touch: described,
}

/** Ids of a partner, in random order. */
export const brandKind: Kind<WireBrand> = {
  create: operations.createBrand,
  change: operations.changeBrand,
  remove: operations.deleteBrand,
  id: 'brand_id',
  draft: (random) => ({ brand_id: `b${random().toString(36).slice(2)}`, name: titleOf(random) }),
  move: (random) => ({ name: titleOf(random) }),
  touch: () => undefined,
}

/** Each is in one of these series, or in none for null. */
export const videoKind = (seriesIds: readonly (string | null)[], nowMs: number): Kind<WireVideo> => ({
  create: operations.createVideo,
  change: operations.changeVideo,
  remove: operations.deleteVideo,
  id: 'video_id',
  draft: (random) => videoDraft(random, seriesIds, nowMs),
  move: (random) => videoDraft(random, seriesIds, nowMs),
  touch: (random) => ({ cut: `cut ${random()}` }),
})
