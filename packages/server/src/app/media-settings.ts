import { DEFAULT_LADDER, type Ladder, printLadder, readLadder } from '@continuity/core/media/ladder'
import { formed, text } from '../platform/config/setting.ts'
import { MEDIA_LOCATION_FORM, parseMediaLocation } from '../platform/media-store/media-location.ts'

/** For every process that reads or writes media. */
export const mediaSettings = {
  mediaStore: formed('MEDIA_STORE', {
    about: 'Store of packaged media',
    form: MEDIA_LOCATION_FORM,
    isFormed: (given) => parseMediaLocation(given) !== undefined,
  }),
  s3AccessKeyId: text('S3_ACCESS_KEY_ID', { about: 'Access key of an S3 media store', fallback: '' }),
  s3SecretAccessKey: text('S3_SECRET_ACCESS_KEY', {
    about: 'Secret of that key',
    fallback: '',
    secret: true,
  }),
  ladder: formed('LADDER', {
    about: 'Renditions of every asset, the same for all processes: size, then kbit/s of picture and sound',
    form: 'a list such as 640x360@800+96,1280x720@3000+128',
    isFormed: (given) => readLadder(given).kind === 'ladder',
    fallback: printLadder(DEFAULT_LADDER),
  }),
} as const

/** The ladder of valid settings. */
export function ladderOf({ ladder }: { readonly ladder: string }): Ladder {
  const result = readLadder(ladder)
  if (result.kind === 'rejected') throw new Error(`LADDER ${result.faults.join('; ')}`)
  return result.ladder
}
