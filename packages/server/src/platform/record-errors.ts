import { defineError } from './errors.ts'
import { namesNone } from './unknown-name.ts'

/** Of a record that something else needs as it is. Several modules keep such records. */
export const RecordInUse = defineError('record.in_use', 409, 'The record is in use', (why: string) => why)

/** Channels name videos, and so do playlists. */
export const UnknownVideo = defineError(
  'video.unknown',
  422,
  'The body names a video that is not there',
  (field: string) => namesNone(field, 'video'),
)
