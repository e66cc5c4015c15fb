import { LAST_TITLE_ORDER } from './title-order.ts'
import { FIRST_MS, LAST_MS, LAST_NUMBER } from './video-document.ts'

/** The columns by which videos are sorted, all in one direction; the last one is unique. */
export interface VideoSort {
  readonly columns: readonly SortColumn[]
  readonly isDescending: boolean
}

export type SortColumn = keyof typeof bounds

/** Keys below and above all values: a page that begins there is the first. */
const bounds = {
  published_ms: [FIRST_MS - 1, LAST_MS + 1],
  updated_ms: [FIRST_MS - 1, LAST_MS + 1],
  available_ms: [FIRST_MS - 1, LAST_MS + 1],
  expired_ms: [FIRST_MS - 1, LAST_MS + 1],
  duration: [-1, LAST_NUMBER],
  episode_order: [-1, LAST_NUMBER],
  season_order: [-1, LAST_NUMBER],
  title_order: ['', LAST_TITLE_ORDER],
  video_id: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
} as const satisfies Record<string, readonly [number | string, number | string]>

/** SQL types of the columns, for values that are sent as text. */
export const sortTypes: Readonly<Record<SortColumn, string>> = {
  published_ms: 'bigint',
  updated_ms: 'bigint',
  available_ms: 'bigint',
  expired_ms: 'bigint',
  duration: 'integer',
  episode_order: 'integer',
  season_order: 'integer',
  title_order: 'text',
  video_id: 'uuid',
}

const columnsOfField = {
  date_published: ['published_ms', 'video_id'],
  // An id begins with the time at which its record was created.
  date_created: ['video_id'],
  last_updated: ['updated_ms', 'video_id'],
  date_available: ['available_ms', 'video_id'],
  date_expired: ['expired_ms', 'video_id'],
  title: ['title_order', 'video_id'],
  duration: ['duration', 'video_id'],
  episode_number: ['episode_order', 'season_order', 'video_id'],
} as const satisfies Record<string, readonly SortColumn[]>

export type VideoSortField = keyof typeof columnsOfField

export const videoSort = (field: VideoSortField, order: string): VideoSort => ({
  columns: columnsOfField[field],
  isDescending: order.toUpperCase() === 'DESC',
})

/** Parses `field.ORDER`, which the contract has validated. */
export function readVideoSort(text: string): VideoSort {
  const [field = '', order = ''] = text.split('.')
  return videoSort(field as VideoSortField, order)
}

export type SortKey = readonly (string | number)[]

/** The key before the first row. */
export const beforeFirst = ({ columns, isDescending }: VideoSort): SortKey =>
  columns.map((column) => bounds[column][isDescending ? 1 : 0])
