import { readFilter } from '@continuity/core/search/filter'
import { answeredText } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { countedTotal, type PagedCall, pageStart } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import { bytesOfText, type Database } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import type { PageMarks } from '../../platform/page-mark.ts'
import { changeVideo } from './change-video.ts'
import { createVideo } from './create-video.ts'
import { deleteVideo, type IsHeld, type NoteVideoDeleted } from './delete-video.ts'
import { FilterInvalid, FilterTooLarge, VideoNotFound } from './errors.ts'
import { listPlaylistVideos } from './playlist-video-store.ts'
import { requirePlaylist } from './require-playlist.ts'
import { requireSeries } from './require-series.ts'
import { printPlace, readPlace } from './search-place.ts'
import { searchVideos } from './search-videos.ts'
import { documentOf, withBase, withMedia } from './video-document.ts'
import { readVideoSort, type SortKey, videoSort } from './video-sort.ts'
import { findVideoDocument, listVideos, type Video, type VideoListing } from './video-store.ts'
import { readMediaType, readVideoFields, videoPageText } from './video-wire.ts'
import { shownAt } from './who-sees.ts'

export interface VideoDeps {
  readonly database: Database
  readonly pageMarks: PageMarks
  /** What paths of media begin with when they are answered. */
  readonly mediaBase: string
  readonly isHeld: IsHeld
  /** Absent where nothing is scheduled. */
  readonly noteVideoDeleted?: NoteVideoDeleted
}

/** Endpoint to use case, of videos. */
export function videoRoutes({ database, pageMarks, isHeld, noteVideoDeleted, mediaBase }: VideoDeps) {
  const { reading, changing } = recordHandlers(database)
  /** Writes answer with the media type that reads have by default. */
  const toAnswer = ({ record, mp4Path, version }: Video) =>
    answeredText(withBase(withMedia(documentOf(record), 'mp4', mp4Path), mediaBase), {
      etag: recordEtag(version),
    })
  /** What was counted for visitors is told only so far. */
  const toPage = (
    call: PagedCall,
    { rows, total }: Awaited<ReturnType<typeof listVideos>>,
    { mediaType, shownMs }: Pick<VideoListing, 'mediaType' | 'shownMs'>,
  ) =>
    videoPageText(pageMarks, call, {
      rows,
      keyOf: ({ key }) => key,
      mediaType,
      mediaBase,
      total: shownMs === null ? { total } : countedTotal(total),
    })

  return {
    listVideos: reading(async (db, call) => {
      const mediaType = readMediaType(call.query)
      const shownMs = shownAt(call)
      const listed = await listVideos(db, call.principal.accountId, {
        sort: readVideoSort(call.query.sort),
        after: pageStart(pageMarks, call) as SortKey | undefined,
        limit: call.query.page_size + 1,
        mediaType,
        shownMs,
      })
      return toPage(call, listed, { mediaType, shownMs })
    }),

    listSeriesVideos: reading(async (db, call) => {
      const { accountId } = call.principal
      const { episode, sort, page_size } = call.query
      const mediaType = readMediaType(call.query)
      const shownMs = shownAt(call)
      const { seriesId, videoCount } = await requireSeries(db, accountId, call.params.series_id, shownMs)
      const listed = await listVideos(db, accountId, {
        sort: readVideoSort(sort),
        after: pageStart(pageMarks, call) as SortKey | undefined,
        limit: page_size + 1,
        mediaType,
        shownMs,
        seriesId,
        episode,
        keptTotal: shownMs === null && episode === undefined ? videoCount : undefined,
      })
      return toPage(call, listed, { mediaType, shownMs })
    }),

    listPlaylistVideos: reading(async (db, call) => {
      const { accountId } = call.principal
      const mediaType = readMediaType(call.query)
      const shownMs = shownAt(call)
      const { playlistId, videoCount } = await requirePlaylist(
        db,
        accountId,
        call.params.playlist_id,
        shownMs,
      )
      const [place] = (pageStart(pageMarks, call) ?? [undefined]) as [number | undefined]
      const limit = call.query.page_size + 1
      const listing = { after: place, limit, mediaType, shownMs }
      const rows = await listPlaylistVideos(db, accountId, playlistId, listing)
      return videoPageText(pageMarks, call, {
        rows,
        keyOf: (row) => [row.place],
        mediaType,
        mediaBase,
        total: shownMs === null ? { total: videoCount } : countedTotal(videoCount),
      })
    }),

    getVideo: reading(async (db, call) => {
      const mediaType = readMediaType(call.query)
      const { video_id } = call.params
      const asked = { mediaType, shownMs: shownAt(call) }
      const found = isId(video_id)
        ? await findVideoDocument(db, call.principal.accountId, video_id, asked)
        : undefined
      if (found === undefined) throw VideoNotFound()
      const text = withBase(withMedia(found.document, mediaType, found.mediaPath), bytesOfText(mediaBase))
      return answeredText(text, { etag: recordEtag(found.version), isBytes: true })
    }),

    searchVideos: reading(async (db, call) => {
      const { query = '', fields = [], filter, sort } = call.body
      const mediaType = readMediaType(call.query)
      const key = pageStart(pageMarks, call)
      const { rows, total } = await searchVideos(db, {
        accountId: call.principal.accountId,
        query,
        fields,
        filter: filter === undefined ? null : requireFilter(filter, call.nowMs),
        sort: sort === undefined ? undefined : videoSort(sort.field, sort.order ?? 'ASC'),
        mediaType,
        shownMs: shownAt(call),
        limit: call.query.page_size + 1,
        place: key === undefined ? undefined : readPlace(key),
      })
      return videoPageText(pageMarks, call, {
        rows,
        keyOf: ({ place }) => printPlace(place),
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
      const changes = readVideoFields(call.body)
      const changesOf = (video: Video) => {
        requireSeen(call)(video)
        return changes
      }
      return toAnswer(await changeVideo(tx, actor, call.params.video_id, changesOf))
    }),
    deleteVideo: changing(async (tx, call, actor) => {
      await deleteVideo(tx, actor, call.params.video_id, requireSeen(call), isHeld)
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
