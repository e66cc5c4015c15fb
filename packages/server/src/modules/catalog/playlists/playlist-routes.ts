import { answered } from '../../../http/answer.ts'
import type { Handlers } from '../../../http/bind.ts'
import { recordEtag, requireSeen } from '../../../http/entity-tag.ts'
import { countedTotal, pageAnswer, pageStart } from '../../../http/page.ts'
import { recordHandlers } from '../../../http/record-handlers.ts'
import type { PageCursors } from '../../../platform/crypto/page-cursor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { listPlaylists, type Playlist } from '../records/playlist-store.ts'
import { requirePlaylist } from '../records/require-playlist.ts'
import { visibleAt } from '../records/visibility.ts'
import { toWirePlaylist } from '../records/wire.ts'
import type { IsReferenced } from '../videos/delete-video.ts'
import { changePlaylist } from './change-playlist.ts'
import { createPlaylist } from './create-playlist.ts'
import { deletePlaylist } from './delete-playlist.ts'
import { setPlaylistVideos } from './set-playlist-videos.ts'

export interface PlaylistDeps {
  readonly database: Database
  readonly pageCursors: PageCursors
  readonly isReferenced: IsReferenced
}

/** Endpoint to use case. */
export function playlistRoutes({ database, pageCursors, isReferenced }: PlaylistDeps) {
  const { reading, changing } = recordHandlers(database)
  return {
    listPlaylists: reading(async (db, call) => {
      const start = pageStart(pageCursors, call) as [string, string] | undefined
      const visibleAtMs = visibleAt(call)
      const { rows, total } = await listPlaylists(db, call.principal.accountId, {
        after: start && { titleOrder: start[0], playlistId: start[1] },
        limit: call.query.page_size + 1,
        visibleAtMs,
      })
      const page = pageAnswer(pageCursors, call, {
        rows,
        hitOf: toWirePlaylist,
        keyOf: (row) => [row.titleOrder, row.playlistId],
      })
      return visibleAtMs === null ? { ...page, total } : { ...page, ...countedTotal(total) }
    }),
    getPlaylist: reading(async (db, call) => {
      const visibleAtMs = visibleAt(call)
      const playlist = await requirePlaylist(
        db,
        call.principal.accountId,
        call.params.playlist_id,
        visibleAtMs,
      )
      return toAnswer(playlist, visibleAtMs)
    }),
    createPlaylist: changing(async (tx, { body }, actor) => toAnswer(await createPlaylist(tx, actor, body))),
    changePlaylist: changing(async (tx, call, actor) =>
      toAnswer(await changePlaylist(tx, actor, call.params.playlist_id, call.body, requireSeen(call))),
    ),
    deletePlaylist: changing(async (tx, call, actor) => {
      await deletePlaylist(tx, actor, call.params.playlist_id, requireSeen(call), isReferenced)
    }),
    setPlaylistVideos: changing(async (tx, call, actor) => {
      const { playlist_id } = call.params
      const { video_ids } = call.body
      return toAnswer(await setPlaylistVideos(tx, actor, playlist_id, video_ids, requireSeen(call)))
    }),
  } satisfies Handlers
}

const toAnswer = (playlist: Playlist, visibleAtMs: number | null = null) =>
  answered(toWirePlaylist(playlist), { etag: etagOf(playlist, visibleAtMs) })

/** The public count changes with time, without a new version, so it is part of the tag. */
const etagOf = ({ version, videoCount }: Playlist, visibleAtMs: number | null) =>
  visibleAtMs === null ? recordEtag(version) : `"${version}-${videoCount}"`
