import { defineError } from '../../../platform/errors.ts'
import { unknownRecord } from '../../../platform/unknown-name.ts'

export const BrandNotFound = defineError(
  'brand.not_found',
  404,
  'Brand not found',
  () => 'There is no brand with this id.',
)
export const BrandExists = defineError(
  'brand.exists',
  409,
  'The brand exists already',
  (brandId: string) => `There is a brand ${brandId} already.`,
)
export const UnknownBrand = defineError(
  'brand.unknown',
  422,
  'The body references an unknown brand',
  (field: string) => unknownRecord(field, 'brand'),
)
export const SeriesNotFound = defineError(
  'series.not_found',
  404,
  'Series not found',
  () => 'There is no series with this id.',
)
export const UnknownSeries = defineError(
  'series.unknown',
  422,
  'The body references an unknown series',
  (field: string) => unknownRecord(field, 'series'),
)
export const PlaylistNotFound = defineError(
  'playlist.not_found',
  404,
  'Playlist not found',
  () => 'There is no playlist with this id.',
)
export const VideoNotFound = defineError(
  'video.not_found',
  404,
  'Video not found',
  () => 'There is no video with this id.',
)
export const VideoExists = defineError(
  'video.exists',
  409,
  'The video exists already',
  (sourceId: string | null, videoSourceId: string | null) =>
    `There is a video ${videoSourceId} of ${sourceId} already.`,
)
export const CuePointsInvalid = defineError(
  'cue_points.invalid',
  422,
  'The cue points cannot be those of this video',
  (index: number, message: string) => {
    const pointer = `/cue_points_ms/${index}`
    return { detail: `${pointer} ${message}`, options: { faults: [{ pointer, code: 'cue_point', message }] } }
  },
)
export const CuePointsUnsupported = defineError(
  'cue_points.unsupported',
  409,
  'The video has no file that could be cut',
  () => 'The platform renders this slate, and repeats it: it cannot have cue points.',
)
export const FilterInvalid = defineError(
  'search.filter_invalid',
  400,
  'Unknown filter field or operator',
  (pointer: string, message: string) => ({
    detail: `${pointer} ${message}`,
    options: { faults: [{ pointer, code: 'filter', message }] },
  }),
)
export const FilterTooLarge = defineError(
  'search.filter_too_large',
  400,
  'The filter is too large',
  (pointer: string, message: string) => ({
    detail: `${pointer} ${message}`,
    options: { faults: [{ pointer, code: 'too_large', message }] },
  }),
)
