import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { insertPlaylist, type Playlist, type PlaylistFields } from './playlist-store.ts'
import { countRecord } from './record-totals.ts'
import { recordPlaylistWrite } from './record-write.ts'

export type PlaylistDraft = Pick<PlaylistFields, 'title'> & Partial<PlaylistFields>

/** What a playlist is where nobody has said otherwise. */
const unsaid = { description: '', images: [], status: 'READY' } as const

/** Makes a playlist without videos. */
export async function createPlaylist(tx: Transaction, actor: Actor, draft: PlaylistDraft): Promise<Playlist> {
  const { accountId, nowMs } = actor
  const id = { accountId, playlistId: newId(nowMs) }
  const playlist = await insertPlaylist(tx, id, { ...unsaid, ...draft }, nowMs)
  await recordPlaylistWrite(tx, actor, { before: null, after: playlist })
  await countRecord(tx, accountId, 'playlist', null, playlist)
  return playlist
}
