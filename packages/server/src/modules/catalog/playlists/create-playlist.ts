import type { Actor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { insertPlaylist, type Playlist, type PlaylistFields } from '../records/playlist-store.ts'
import { countRecord } from '../records/record-totals.ts'
import { recordPlaylistWrite } from '../records/record-write.ts'

export type PlaylistDraft = Pick<PlaylistFields, 'title'> & Partial<PlaylistFields>

const defaults = { description: '', images: [], status: 'READY' } as const

/** Creates a playlist without videos. */
export async function createPlaylist(tx: Transaction, actor: Actor, draft: PlaylistDraft): Promise<Playlist> {
  const { accountId, nowMs } = actor
  const id = { accountId, playlistId: newId(nowMs) }
  const playlist = await insertPlaylist(tx, id, { ...defaults, ...draft }, nowMs)
  await recordPlaylistWrite(tx, actor, { before: null, after: playlist })
  await countRecord(tx, accountId, 'playlist', null, playlist)
  return playlist
}
