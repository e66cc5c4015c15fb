import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { UnknownVideo } from '../../../platform/database/record-errors.ts'
import { lockNamedVideos } from '../records/named-video-store.ts'
import { type Playlist, updatePlaylist } from '../records/playlist-store.ts'
import { listVideoIds, replaceVideos } from '../records/playlist-video-store.ts'
import { recordPlaylistVideos } from '../records/record-write.ts'
import { requirePlaylistLocked } from '../records/require-playlist.ts'

/**
 * Sets the videos of a playlist, in this order. `check` gets the locked playlist
 * before the change. The same videos again are not a change.
 *
 * Videos are locked before the playlist, as in the deletion of a video, to avoid
 * deadlocks.
 */
export async function setPlaylistVideos(
  tx: Transaction,
  actor: Actor,
  playlistId: string,
  videoIds: readonly string[],
  check: (playlist: Playlist) => void,
): Promise<Playlist> {
  const { accountId, nowMs } = actor
  const existing = await lockNamedVideos(tx, accountId, videoIds)
  const playlist = await requirePlaylistLocked(tx, accountId, playlistId, 'change')
  check(playlist)
  const unknown = videoIds.findIndex((id) => !existing.has(id))
  if (unknown !== -1) throw UnknownVideo(`video_ids/${unknown}`)

  const before = { playlist, videoIds: await listVideoIds(tx, accountId, playlistId) }
  if (isDeepStrictEqual(before.videoIds, videoIds)) return playlist
  await replaceVideos(tx, accountId, playlistId, videoIds)
  const changed = await updatePlaylist(tx, playlist, { videoCount: videoIds.length }, nowMs)
  await recordPlaylistVideos(tx, actor, before, { playlist: changed, videoIds })
  return changed
}
