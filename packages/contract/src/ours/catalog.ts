import { endpoint } from '../definition/endpoint.ts'
import {
  exampleBrand,
  examplePlaylist,
  exampleSeries,
  exampleVideo,
  ids,
  pageExample,
} from '../definition/examples.ts'
import {
  Brand,
  BrandChange,
  BrandDraft,
  BrandPage,
  Playlist,
  PlaylistChange,
  PlaylistDraft,
  PlaylistVideos,
  Series,
  SeriesChange,
  SeriesDraft,
  Video,
  VideoChange,
  VideoDraft,
} from '../schemas/catalog.ts'
import { markPaging } from '../schemas/page.ts'
import { id, partnerId } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'

const common = { version: '2.1', ours: true } as const
const write = { ...common, access: ['ROLE_ADMIN'] } as const
const create = { ...write, method: 'POST', idempotencyKey: true } as const
const change = { ...write, method: 'PATCH' } as const
const remove = { ...write, method: 'DELETE' } as const
const gone = { status: 204, description: 'It is gone.' } as const
const stale = { 'record.changed': 412 } as const
const inUse = { 'record.in_use': 409 } as const
const brandNamed = { 'brand.unknown': 422 } as const
const videoErrors = {
  'video.exists': 409,
  'cue_points.unsupported': 409,
  'series.unknown': 422,
  'cue_points.invalid': 422,
  ...brandNamed,
} as const

const series = { group: 'Series', params: shape({ series_id: id('Id of the series.') }) } as const
const seriesPath = '/series/{series_id}'

export const createSeries = endpoint({
  ...create,
  id: 'createSeries',
  group: 'Series',
  path: '/series',
  summary: 'Make a series',
  body: SeriesDraft,
  answer: { status: 201, description: 'The series.', schema: Series },
  errors: brandNamed,
  example: { body: { title: 'Harbour Nights', brand_id: 'north' }, answer: exampleSeries },
})
export const changeSeries = endpoint({
  ...change,
  ...series,
  id: 'changeSeries',
  path: seriesPath,
  summary: 'Change a series',
  body: SeriesChange,
  answer: { status: 200, description: 'The series.', schema: Series },
  errors: { 'series.not_found': 404, ...brandNamed, ...stale },
  example: { body: { description: 'A port that never sleeps.' }, answer: exampleSeries },
})
export const deleteSeries = endpoint({
  ...remove,
  ...series,
  id: 'deleteSeries',
  path: seriesPath,
  summary: 'Delete a series',
  answer: gone,
  errors: { 'series.not_found': 404, ...inUse, ...stale },
  example: {},
})

const video = { group: 'Videos', params: shape({ video_id: id('Id of the video.') }) } as const
const videoPath = '/videos/{video_id}'

export const createVideo = endpoint({
  ...create,
  id: 'createVideo',
  group: 'Videos',
  path: '/videos',
  summary: 'Make a video record',
  body: VideoDraft,
  answer: { status: 201, description: 'The video.', schema: Video },
  errors: videoErrors,
  example: { body: { title: 'Harbour Nights: The Tide Table', duration: 1_440 }, answer: exampleVideo },
})
export const changeVideo = endpoint({
  ...change,
  ...video,
  id: 'changeVideo',
  path: videoPath,
  summary: 'Change a video record',
  body: VideoChange,
  answer: { status: 200, description: 'The video.', schema: Video },
  errors: { 'video.not_found': 404, ...videoErrors, ...stale },
  example: { body: { status: 'DISABLED' }, answer: { ...exampleVideo, status: 'DISABLED' } },
})
export const deleteVideo = endpoint({
  ...remove,
  ...video,
  id: 'deleteVideo',
  path: videoPath,
  summary: 'Delete a video record',
  answer: gone,
  errors: { 'video.not_found': 404, ...inUse, ...stale },
  example: {},
})

const playlist = { group: 'Playlists', params: shape({ playlist_id: id('Id of the playlist.') }) } as const
const playlistPath = '/playlists/{playlist_id}'

export const createPlaylist = endpoint({
  ...create,
  id: 'createPlaylist',
  group: 'Playlists',
  path: '/playlists',
  summary: 'Make a playlist',
  body: PlaylistDraft,
  answer: { status: 201, description: 'The playlist.', schema: Playlist },
  example: { body: { title: 'Night trains' }, answer: { ...examplePlaylist, video_count: 0 } },
})
export const changePlaylist = endpoint({
  ...change,
  ...playlist,
  id: 'changePlaylist',
  path: playlistPath,
  summary: 'Change a playlist',
  body: PlaylistChange,
  answer: { status: 200, description: 'The playlist.', schema: Playlist },
  errors: { 'playlist.not_found': 404, ...stale },
  example: { body: { title: 'Night trains' }, answer: examplePlaylist },
})
export const deletePlaylist = endpoint({
  ...remove,
  ...playlist,
  id: 'deletePlaylist',
  path: playlistPath,
  summary: 'Delete a playlist',
  answer: gone,
  errors: { 'playlist.not_found': 404, ...inUse, ...stale },
  example: {},
})
export const setPlaylistVideos = endpoint({
  ...write,
  ...playlist,
  id: 'setPlaylistVideos',
  method: 'PUT',
  path: '/playlists/{playlist_id}/videos',
  summary: 'Set the videos of a playlist, in order',
  body: PlaylistVideos,
  idempotencyKey: true,
  answer: { status: 200, description: 'The playlist.', schema: Playlist },
  errors: { 'playlist.not_found': 404, 'video.unknown': 422, ...stale },
  example: { body: { video_ids: [ids.video] }, answer: { ...examplePlaylist, video_count: 1 } },
})

const brand = { group: 'Brands', params: shape({ brand_id: partnerId('Id of the brand.') }) } as const
const brandPath = '/brands/{brand_id}'

export const listBrands = endpoint({
  ...common,
  id: 'listBrands',
  method: 'GET',
  group: 'Brands',
  path: '/brands',
  summary: 'List brands',
  access: 'any',
  query: shape({ ...markPaging }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of brands.', schema: BrandPage },
  errors: { 'page.mark_invalid': 400 },
  example: { answer: pageExample(exampleBrand) },
})
export const getBrand = endpoint({
  ...common,
  ...brand,
  id: 'getBrand',
  method: 'GET',
  path: brandPath,
  summary: 'Read one brand',
  access: 'any',
  answer: { status: 200, description: 'The brand.', schema: Brand },
  errors: { 'brand.not_found': 404 },
  example: { answer: exampleBrand },
})
export const createBrand = endpoint({
  ...create,
  id: 'createBrand',
  group: 'Brands',
  path: '/brands',
  summary: 'Make a brand',
  body: BrandDraft,
  answer: { status: 201, description: 'The brand.', schema: Brand },
  errors: { 'brand.exists': 409 },
  example: { body: exampleBrand, answer: exampleBrand },
})
export const changeBrand = endpoint({
  ...change,
  ...brand,
  id: 'changeBrand',
  path: brandPath,
  summary: 'Rename a brand',
  body: BrandChange,
  answer: { status: 200, description: 'The brand.', schema: Brand },
  errors: { 'brand.not_found': 404 },
  example: { body: { name: 'North Television' }, answer: exampleBrand },
})
export const deleteBrand = endpoint({
  ...remove,
  ...brand,
  id: 'deleteBrand',
  path: brandPath,
  summary: 'Delete a brand',
  answer: gone,
  errors: { 'brand.not_found': 404, ...inUse },
  example: {},
})
