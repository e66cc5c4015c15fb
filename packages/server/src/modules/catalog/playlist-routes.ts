import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { countedTotal, pageAnswer, pageStart } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { Database } from '../../platform/database/database.ts'
import type { PageMarks } from '../../platform/page-mark.ts'
import { changePlaylist } from './change-playlist.ts'
import { createPlaylist } from './create-playlist.ts'
import { deletePlaylist } from './delete-playlist.ts'
import type { IsHeld } from './delete-video.ts'
import { listPlaylists, type Playlist } from './playlist-store.ts'
import { requirePlaylist } from './require-playlist.ts'
import { setPlaylistVideos } from './set-playlist-videos.ts'
import { shownAt } from './who-sees.ts'
import { toWirePlaylist } from './wire.ts'

export interface PlaylistDeps {
  readonly database: Database
  readonly pageMarks: PageMarks
  readonly isHeld: IsHeld
}

/** Endpoint to use case. */
export function playlistRoutes({ database, pageMarks, isHeld }: PlaylistDeps) {
  const { reading, changing } = recordHandlers(database)
  return {
    listPlaylists: reading(async (db, call) => {
      const start = pageStart(pageMarks, call) as [string, string] | undefined
      const shownMs = shownAt(call)
      const { rows, total } = await listPlaylists(db, call.principal.accountId, {
        after: start && { titleOrder: start[0], playlistId: start[1] },
        limit: call.query.page_size + 1,
        shownMs,
      })
      const page = pageAnswer(pageMarks, call, {
        rows,
        hitOf: toWirePlaylist,
        keyOf: (row) => [row.titleOrder, row.playlistId],
      })
      return shownMs === null ? { ...page, total } : { ...page, ...countedTotal(total) }
    }),
    getPlaylist: reading(async (db, call) => {
      const shownMs = shownAt(call)
      const playlist = await requirePlaylist(db, call.principal.accountId, call.params.playlist_id, shownMs)
      return toAnswer(playlist, shownMs)
    }),
    createPlaylist: changing(async (tx, { body }, actor) => toAnswer(await createPlaylist(tx, actor, body))),
    changePlaylist: changing(async (tx, call, actor) =>
      toAnswer(await changePlaylist(tx, actor, call.params.playlist_id, call.body, requireSeen(call))),
    ),
    deletePlaylist: changing(async (tx, call, actor) => {
      await deletePlaylist(tx, actor, call.params.playlist_id, requireSeen(call), isHeld)
    }),
    setPlaylistVideos: changing(async (tx, call, actor) => {
      const { playlist_id } = call.params
      const { video_ids } = call.body
      return toAnswer(await setPlaylistVideos(tx, actor, playlist_id, video_ids, requireSeen(call)))
    }),
  } satisfies Handlers
}

const toAnswer = (playlist: Playlist, shownMs: number | null = null) =>
  answered(toWirePlaylist(playlist), { etag: etagOf(playlist, shownMs) })

/** What some may see of it changes with time, and no version counts that. */
const etagOf = ({ version, videoCount }: Playlist, shownMs: number | null) =>
  shownMs === null ? recordEtag(version) : `"${version}-${videoCount}"`
