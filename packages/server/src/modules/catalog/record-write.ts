import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { anyOf, recordAudit, shown, verbOf, type Write } from '../audit/index.ts'
import type { Brand } from './brand-store.ts'
import type { Playlist } from './playlist-store.ts'
import type { Series } from './series-store.ts'
import type { Video } from './video-store.ts'
import { toWireBrand, toWirePlaylist, toWireSeries } from './wire.ts'

/** Who wrote a brand. Nobody follows the catalog, so there is no event, here and below. */
export async function recordBrandWrite(tx: Transaction, actor: Actor, write: Write<Brand>): Promise<void> {
  const { brandId } = anyOf(write)
  await recordWrite(tx, actor, { type: 'brand', id: brandId }, shown(write, toWireBrand))
}

export async function recordSeriesWrite(tx: Transaction, actor: Actor, write: Write<Series>): Promise<void> {
  const { seriesId } = anyOf(write)
  await recordWrite(tx, actor, { type: 'series', id: seriesId }, shown(write, toWireSeries))
}

export async function recordPlaylistWrite(
  tx: Transaction,
  actor: Actor,
  write: Write<Playlist>,
): Promise<void> {
  const { playlistId } = anyOf(write)
  await recordWrite(tx, actor, { type: 'playlist', id: playlistId }, shown(write, toWirePlaylist))
}

/** The videos of a playlist, in their order. */
export interface PlaylistContent {
  readonly playlist: Playlist
  readonly videoIds: readonly string[]
}

/** A page of the audit record has fifty entries: with the longest playlists whole, it would have 18 MB. */
const TOLD_VIDEOS = 100

/** Who set the videos of a playlist, with the first of them. */
export async function recordPlaylistVideos(
  tx: Transaction,
  actor: Actor,
  before: PlaylistContent,
  after: PlaylistContent,
): Promise<void> {
  const toWire = ({ playlist, videoIds }: PlaylistContent) => ({
    ...toWirePlaylist(playlist),
    video_ids: videoIds.slice(0, TOLD_VIDEOS),
  })
  await recordAudit(tx, actor, {
    action: 'playlist.set_videos',
    subjectType: 'playlist',
    subjectId: after.playlist.playlistId,
    before: toWire(before),
    after: toWire(after),
  })
}

/** Of a change only what differs is told: a description may be long, and most often it stays. */
export async function recordVideoWrite(tx: Transaction, actor: Actor, write: Write<Video>): Promise<void> {
  const { videoId } = anyOf(write)
  const [before, after] = [write.before, write.after].map((video) => video && toldVideo(video))
  const isTold = (name: string) => !isDeepStrictEqual(before?.[name], after?.[name])
  const told = (video: Told | null | undefined) =>
    video ? Object.fromEntries(Object.entries(video).filter(([name]) => isTold(name))) : null
  await recordWrite(tx, actor, { type: 'video', id: videoId }, { before: told(before), after: told(after) })
}

type Told = Readonly<Record<string, unknown>>

const toldVideo = ({ record, hlsPath, mp4Path }: Video): Told => ({
  ...record,
  hls_url: hlsPath,
  mp4_url: mp4Path,
})

/** `type` is the word of the wire for it. */
async function recordWrite(
  tx: Transaction,
  actor: Actor,
  { type, id }: { readonly type: string; readonly id: string },
  write: Write<unknown>,
): Promise<void> {
  const verb = verbOf(write)
  await recordAudit(tx, actor, { action: `${type}.${verb}`, subjectType: type, subjectId: id, ...write })
}
