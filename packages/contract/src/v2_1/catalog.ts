import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { examplePlaylist, exampleSeries, exampleVideo, pageExample } from '../definition/examples.ts'
import {
  mediaType,
  Playlist,
  PlaylistPage,
  Series,
  SeriesPage,
  Video,
  VideoPage,
} from '../schemas/catalog.ts'
import { markPaging } from '../schemas/page.ts'
import { id } from '../schemas/scalars.ts'
import { SearchBody, videoSortFields } from '../schemas/search.ts'
import { defaulted, shape } from '../schemas/shape.ts'

const common = { version: '2.1', access: 'any' } as const
const read = { ...common, method: 'GET' } as const
const cursorErrors = { 'page.mark_invalid': 400 } as const
const videoAnswer = { status: 200, description: 'A page of videos.', schema: VideoPage } as const

const seriesParams = shape({ series_id: id('Id of the series.') })
const videoParams = shape({ video_id: id('Id of the video.') })
const playlistParams = shape({ playlist_id: id('Id of the playlist.') })

const sortBy = (fields: readonly string[]) =>
  Type.String({
    pattern: `^(${fields.join('|')})\\.(ASC|DESC|asc|desc)$`,
    description: `One of ${fields.join(', ')}, with .ASC or .DESC.`,
  })

export const listSeries = endpoint({
  ...read,
  id: 'listSeries',
  group: 'Series',
  path: '/series',
  summary: 'List series',
  query: shape({ ...markPaging, sort: defaulted(sortBy(['title']), 'title.ASC') }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of series.', schema: SeriesPage },
  errors: cursorErrors,
  example: { answer: pageExample(exampleSeries) },
})

export const getSeries = endpoint({
  ...read,
  id: 'getSeries',
  group: 'Series',
  path: '/series/{series_id}',
  summary: 'Read one series',
  params: seriesParams,
  answer: { status: 200, description: 'The series.', schema: Series },
  errors: { 'series.not_found': 404 },
  example: { answer: exampleSeries },
})

export const listSeriesVideos = endpoint({
  ...read,
  id: 'listSeriesVideos',
  group: 'Series',
  path: '/series/{series_id}/videos',
  summary: 'List the videos of a series',
  params: seriesParams,
  query: shape({
    ...mediaType,
    episode: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Only this episode number.' }),
    ),
    sort: defaulted(sortBy(['episode_number', ...videoSortFields]), 'episode_number.ASC'),
    ...markPaging,
  }),
  paging: 'mark',
  answer: videoAnswer,
  errors: { 'series.not_found': 404, ...cursorErrors },
  example: { answer: pageExample(exampleVideo) },
})

export const listVideos = endpoint({
  ...read,
  id: 'listVideos',
  group: 'Videos',
  path: '/videos',
  summary: 'List videos',
  query: shape({
    ...mediaType,
    sort: defaulted(sortBy(videoSortFields), 'date_published.DESC'),
    ...markPaging,
  }),
  paging: 'mark',
  answer: videoAnswer,
  errors: cursorErrors,
  example: { answer: pageExample(exampleVideo, 'eyJrIjpbMTc3M10sInMiOiJ4In0') },
})

export const getVideo = endpoint({
  ...read,
  id: 'getVideo',
  group: 'Videos',
  path: '/videos/{video_id}',
  summary: 'Read one video',
  params: videoParams,
  query: shape({ ...mediaType }),
  answer: { status: 200, description: 'The video.', schema: Video },
  errors: { 'video.not_found': 404 },
  example: { answer: exampleVideo },
})

export const searchVideos = endpoint({
  ...common,
  method: 'POST',
  id: 'searchVideos',
  group: 'Videos',
  path: '/search/videos',
  summary: 'Search videos',
  description: 'Without `sort`, the best matches come first, then the newest.',
  query: shape({ ...mediaType, ...markPaging }),
  body: SearchBody,
  bodyLimit: 256 * 1024,
  paging: 'mark',
  answer: videoAnswer,
  errors: { 'search.filter_invalid': 400, 'search.filter_too_large': 400, ...cursorErrors },
  example: {
    body: {
      query: '"night train" -harbour',
      fields: [],
      filter: {
        and: [
          { gte: { date_published: 'now-30d' } },
          { in: { channel_id: ['0195c1de-6f00-7a10-8000-00000000c001'] } },
          { lte: { duration: 3_600 } },
        ],
      },
      sort: { field: 'date_published', order: 'DESC' },
    },
    answer: { ...pageExample(exampleVideo), total_relation: 'eq' },
  },
})

export const listPlaylists = endpoint({
  ...read,
  id: 'listPlaylists',
  group: 'Playlists',
  path: '/playlists',
  summary: 'List playlists',
  query: shape({ ...markPaging }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of playlists.', schema: PlaylistPage },
  errors: cursorErrors,
  example: { answer: pageExample(examplePlaylist) },
})

export const getPlaylist = endpoint({
  ...read,
  id: 'getPlaylist',
  group: 'Playlists',
  path: '/playlists/{playlist_id}',
  summary: 'Read one playlist',
  params: playlistParams,
  answer: { status: 200, description: 'The playlist.', schema: Playlist },
  errors: { 'playlist.not_found': 404 },
  example: { answer: examplePlaylist },
})

export const listPlaylistVideos = endpoint({
  ...read,
  id: 'listPlaylistVideos',
  group: 'Playlists',
  path: '/playlists/{playlist_id}/videos',
  summary: 'List the videos of a playlist, in its order',
  params: playlistParams,
  query: shape({ ...mediaType, ...markPaging }),
  paging: 'mark',
  answer: videoAnswer,
  errors: { 'playlist.not_found': 404, ...cursorErrors },
  example: { answer: pageExample(exampleVideo) },
})
