import { defineError } from '../errors.ts'
import { unknownRecord } from '../unknown-name.ts'

/** For a record that another record references. Several modules have such records. */
export const RecordInUse = defineError('record.in_use', 409, 'The record is in use', (why: string) => why)

/** Channels and playlists name videos. */
export const UnknownVideo = defineError(
  'video.unknown',
  422,
  'The body names a video that does not exist',
  (field: string) => unknownRecord(field, 'video'),
)
