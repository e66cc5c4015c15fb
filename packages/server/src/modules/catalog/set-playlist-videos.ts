import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { UnknownVideo } from '../../platform/record-errors.ts'
import { lockNamedVideos } from './named-video-store.ts'
import { type Playlist, updatePlaylist } from './playlist-store.ts'
import { listVideoIds, replaceVideos } from './playlist-video-store.ts'
import { recordPlaylistVideos } from './record-write.ts'
import { requirePlaylistLocked } from './require-playlist.ts'

/**
 * Makes these the videos of a playlist, in this order. `check` sees the
 * playlist as it is, under its lock. The same videos again are no change.
 *
 * Videos are locked before the playlist, as by who deletes one of them: in the
 * other order the two could wait for each other.
 */
export async function setPlaylistVideos(
  tx: Transaction,
  actor: Actor,
  playlistId: string,
  videoIds: readonly string[],
  check: (playlist: Playlist) => void,
): Promise<Playlist> {
  const { accountId, nowMs } = actor
  const there = await lockNamedVideos(tx, accountId, videoIds)
  const playlist = await requirePlaylistLocked(tx, accountId, playlistId, 'change')
  check(playlist)
  const unknown = videoIds.findIndex((id) => !there.has(id))
  if (unknown !== -1) throw UnknownVideo(`video_ids/${unknown}`)

  const before = { playlist, videoIds: await listVideoIds(tx, accountId, playlistId) }
  if (isDeepStrictEqual(before.videoIds, videoIds)) return playlist
  await replaceVideos(tx, accountId, playlistId, videoIds)
  const changed = await updatePlaylist(tx, playlist, { videoCount: videoIds.length }, nowMs)
  await recordPlaylistVideos(tx, actor, before, { playlist: changed, videoIds })
  return changed
}
