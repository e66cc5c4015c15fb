import { readFilter } from '@continuity/core/search/filter'
import { answeredText } from '../../../http/answer.ts'
import type { Handlers } from '../../../http/bind.ts'
import { recordEtag, requireSeen } from '../../../http/entity-tag.ts'
import { countedTotal, type PagedCall, pageStart } from '../../../http/page.ts'
import { recordHandlers } from '../../../http/record-handlers.ts'
import { isId } from '../../../platform/crypto/ids.ts'
import type { PageCursors } from '../../../platform/crypto/page-cursor.ts'
import { bytesOfText, type Database } from '../../../platform/database/database.ts'
import { FilterInvalid, FilterTooLarge, VideoNotFound } from '../records/errors.ts'
import { listPlaylistVideos } from '../records/playlist-video-store.ts'
import { requirePlaylist } from '../records/require-playlist.ts'
import { requireSeries } from '../records/require-series.ts'
import { shownDocumentOf, withBase, withMedia } from '../records/video-document.ts'
import { readVideoSort, type SortKey, videoSort } from '../records/video-sort.ts'
import { findVideoDocument, listVideos, type Video, type VideoListing } from '../records/video-store.ts'
import { visibleAt } from '../records/visibility.ts'
import { printCursor, readCursor } from '../search/search-cursor.ts'
import { searchVideos } from '../search/search-videos.ts'
import { changeVideo } from './change-video.ts'
import { createVideo } from './create-video.ts'
import { deleteVideo, type IsReferenced, type NoteVideoDeleted } from './delete-video.ts'
import { type ApplyCuePoints, setCuePoints } from './set-cue-points.ts'
import { readMediaType, readVideoFields, videoPageText } from './video-wire.ts'

export interface VideoDeps {
  readonly database: Database
  readonly pageCursors: PageCursors
  /** The base address of media in responses. */
  readonly mediaBase: string
  readonly isReferenced: IsReferenced
  /** Absent without a schedule. */
  readonly noteVideoDeleted?: NoteVideoDeleted
  /** Absent without packaging. */
  readonly applyCuePoints?: ApplyCuePoints
}

/** Endpoint to use case. */
export function videoRoutes(deps: VideoDeps) {
  const { database, pageCursors, isReferenced, noteVideoDeleted, applyCuePoints, mediaBase } = deps
  const { reading, changing } = recordHandlers(database)
  /** Writes return the default media type of reads. */
  const toAnswer = ({ record, mp4Path, version }: Video) =>
    answeredText(withBase(withMedia(shownDocumentOf(record), 'mp4', mp4Path), mediaBase), {
      etag: recordEtag(version),
    })
  /** The total for anonymous sessions is limited. */
  const toPage = (
    call: PagedCall,
    { rows, total }: Awaited<ReturnType<typeof listVideos>>,
    { mediaType, visibleAtMs }: Pick<VideoListing, 'mediaType' | 'visibleAtMs'>,
  ) =>
    videoPageText(pageCursors, call, {
      rows,
      keyOf: ({ key }) => key,
      mediaType,
      mediaBase,
      total: visibleAtMs === null ? { total } : countedTotal(total),
    })

  return {
    listVideos: reading(async (db, call) => {
      const mediaType = readMediaType(call.query)
      const visibleAtMs = visibleAt(call)
      const listed = await listVideos(db, call.principal.accountId, {
        sort: readVideoSort(call.query.sort),
        after: pageStart(pageCursors, call) as SortKey | undefined,
        limit: call.query.page_size + 1,
        mediaType,
        visibleAtMs,
      })
      return toPage(call, listed, { mediaType, visibleAtMs })
    }),

    listSeriesVideos: reading(async (db, call) => {
      const { accountId } = call.principal
      const { episode, sort, page_size } = call.query
      const mediaType = readMediaType(call.query)
      const visibleAtMs = visibleAt(call)
      const { seriesId, videoCount } = await requireSeries(db, accountId, call.params.series_id, visibleAtMs)
      const listed = await listVideos(db, accountId, {
        sort: readVideoSort(sort),
        after: pageStart(pageCursors, call) as SortKey | undefined,
        limit: page_size + 1,
        mediaType,
        visibleAtMs,
        seriesId,
        episode,
        storedTotal: visibleAtMs === null && episode === undefined ? videoCount : undefined,
      })
      return toPage(call, listed, { mediaType, visibleAtMs })
    }),

    listPlaylistVideos: reading(async (db, call) => {
      const { accountId } = call.principal
      const mediaType = readMediaType(call.query)
      const visibleAtMs = visibleAt(call)
      const { playlistId, videoCount } = await requirePlaylist(
        db,
        accountId,
        call.params.playlist_id,
        visibleAtMs,
      )
      const [after] = (pageStart(pageCursors, call) ?? [undefined]) as [number | undefined]
      const limit = call.query.page_size + 1
      const listing = { after, limit, mediaType, visibleAtMs }
      const rows = await listPlaylistVideos(db, accountId, playlistId, listing)
      return videoPageText(pageCursors, call, {
        rows,
        keyOf: (row) => [row.place],
        mediaType,
        mediaBase,
        total: visibleAtMs === null ? { total: videoCount } : countedTotal(videoCount),
      })
    }),

    getVideo: reading(async (db, call) => {
      const mediaType = readMediaType(call.query)
      const { video_id } = call.params
      const options = { mediaType, visibleAtMs: visibleAt(call) }
      const found = isId(video_id)
        ? await findVideoDocument(db, call.principal.accountId, video_id, options)
        : undefined
      if (found === undefined) throw VideoNotFound()
      const text = withBase(withMedia(found.document, mediaType, found.mediaPath), bytesOfText(mediaBase))
      return answeredText(text, { etag: recordEtag(found.version), isBytes: true })
    }),

    searchVideos: reading(async (db, call) => {
      const { query = '', fields = [], filter, sort } = call.body
      const mediaType = readMediaType(call.query)
      const key = pageStart(pageCursors, call)
      const { rows, total } = await searchVideos(db, {
        accountId: call.principal.accountId,
        query,
        fields,
        filter: filter === undefined ? null : requireFilter(filter, call.nowMs),
        sort: sort === undefined ? undefined : videoSort(sort.field, sort.order ?? 'ASC'),
        mediaType,
        visibleAtMs: visibleAt(call),
        limit: call.query.page_size + 1,
        cursor: key === undefined ? undefined : readCursor(key),
      })
      return videoPageText(pageCursors, call, {
        rows,
        keyOf: ({ cursor }) => printCursor(cursor),
        mediaType,
        mediaBase,
        total: countedTotal(total),
      })
    }),

    createVideo: changing(async (tx, { body }, actor) => {
      const { title, duration } = body
      return toAnswer(await createVideo(tx, actor, { ...readVideoFields(body), title, duration }))
    }),
    changeVideo: changing(async (tx, call, actor) => {
      const { video_id: videoId } = call.params
      const { cue_points_ms: timesMs, duration: durationS } = call.body
      const cues =
        timesMs === undefined
          ? {}
          : await setCuePoints(tx, actor, { videoId, timesMs, durationS }, applyCuePoints)
      const changes = { ...readVideoFields(call.body), ...cues }
      const changesOf = (video: Video) => {
        requireSeen(call)(video)
        return changes
      }
      return toAnswer(await changeVideo(tx, actor, videoId, changesOf))
    }),
    deleteVideo: changing(async (tx, call, actor) => {
      await deleteVideo(tx, actor, call.params.video_id, requireSeen(call), isReferenced)
      await noteVideoDeleted?.(tx, actor, call.params.video_id)
    }),
  } satisfies Handlers
}

function requireFilter(input: unknown, nowMs: number) {
  const result = readFilter(input, nowMs)
  if (result.kind === 'filter') return result.filter
  const { reason, pointer, message } = result
  throw (reason === 'too_large' ? FilterTooLarge : FilterInvalid)(`/filter${pointer}`, message)
}
