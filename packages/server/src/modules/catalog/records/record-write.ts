import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { anyOf, recordAudit, shown, verbOf, type Write } from '../../audit/index.ts'
import type { Brand } from './brand-store.ts'
import type { Playlist } from './playlist-store.ts'
import type { Series } from './series-store.ts'
import type { Video } from './video-store.ts'
import { toWireBrand, toWirePlaylist, toWireSeries } from './wire.ts'

/** Audits a write of a brand. The catalog has no events, so none is recorded, here and below. */
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

/** The videos of a playlist, in its order. */
export interface PlaylistContent {
  readonly playlist: Playlist
  readonly videoIds: readonly string[]
}

/** A page of the audit log has fifty entries: with the longest playlists in full, it would be 18 MB. */
const AUDITED_VIDEOS = 100

/** Audits the new videos of a playlist, with the first of them. */
export async function recordPlaylistVideos(
  tx: Transaction,
  actor: Actor,
  before: PlaylistContent,
  after: PlaylistContent,
): Promise<void> {
  const toWire = ({ playlist, videoIds }: PlaylistContent) => ({
    ...toWirePlaylist(playlist),
    video_ids: videoIds.slice(0, AUDITED_VIDEOS),
  })
  await recordAudit(tx, actor, {
    action: 'playlist.set_videos',
    subjectType: 'playlist',
    subjectId: after.playlist.playlistId,
    before: toWire(before),
    after: toWire(after),
  })
}

/** For a change, only the fields that differ are audited: a description may be long, and rarely changes. */
export async function recordVideoWrite(tx: Transaction, actor: Actor, write: Write<Video>): Promise<void> {
  const { videoId } = anyOf(write)
  const [before, after] = [write.before, write.after].map((video) => video && auditedFieldsOf(video))
  const isChanged = (name: string) => !isDeepStrictEqual(before?.[name], after?.[name])
  const changedOf = (video: AuditedFields | null | undefined) =>
    video ? Object.fromEntries(Object.entries(video).filter(([name]) => isChanged(name))) : null
  await recordWrite(
    tx,
    actor,
    { type: 'video', id: videoId },
    { before: changedOf(before), after: changedOf(after) },
  )
}

type AuditedFields = Readonly<Record<string, unknown>>

const auditedFieldsOf = ({ record, hlsPath, mp4Path }: Video): AuditedFields => ({
  ...record,
  hls_url: hlsPath,
  mp4_url: mp4Path,
})

/** `type` is the name of the record on the wire. */
async function recordWrite(
  tx: Transaction,
  actor: Actor,
  { type, id }: { readonly type: string; readonly id: string },
  write: Write<unknown>,
): Promise<void> {
  const verb = verbOf(write)
  await recordAudit(tx, actor, { action: `${type}.${verb}`, subjectType: type, subjectId: id, ...write })
}
