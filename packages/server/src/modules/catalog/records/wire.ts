import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { Brand } from './brand-store.ts'
import type { Playlist } from './playlist-store.ts'
import type { Series, SeriesFields } from './series-store.ts'
import { imagesOf } from './video-record.ts'

export type WireSeries = AnswerOf<Operations['getSeries']>
export type WirePlaylist = AnswerOf<Operations['getPlaylist']>

export const toWireBrand = ({
  brandId,
  name,
}: Pick<Brand, 'brandId' | 'name'>): AnswerOf<Operations['getBrand']> => ({ brand_id: brandId, name })

export const toWireSeries = (series: Series): WireSeries => ({
  series_id: series.seriesId,
  title: series.title,
  description: series.description,
  brand_id: series.brandId,
  images: imagesOf(series.images),
  season_count: series.seasonCount,
  video_count: series.videoCount,
  date_created: new Date(series.createdMs).toISOString(),
  last_updated: new Date(series.updatedMs).toISOString(),
  status: series.status,
})

export const toWirePlaylist = (playlist: Playlist): WirePlaylist => ({
  playlist_id: playlist.playlistId,
  title: playlist.title,
  description: playlist.description,
  images: imagesOf(playlist.images),
  video_count: playlist.videoCount,
  date_created: new Date(playlist.createdMs).toISOString(),
  last_updated: new Date(playlist.updatedMs).toISOString(),
  status: playlist.status,
})

/** Omitted fields stay omitted: only fields that were sent are changed. */
export const readSeriesFields = ({
  brand_id,
  ...fields
}: BodyOf<Operations['changeSeries']>): Partial<SeriesFields> =>
  brand_id === undefined ? fields : { ...fields, brandId: brand_id }
