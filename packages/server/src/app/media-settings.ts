import { DEFAULT_LADDER, type Ladder, printLadder, readLadder } from '@continuity/core/packaging/ladder'
import { formed, text } from '../platform/config/setting.ts'
import { MEDIA_PLACE_FORM, parseMediaPlace } from '../platform/media-store/media-place.ts'

/** Of every process that reads or writes media. */
export const mediaSettings = {
  mediaStore: formed('MEDIA_STORE', {
    about: 'Where packaged media lies',
    form: MEDIA_PLACE_FORM,
    isFormed: (given) => parseMediaPlace(given) !== undefined,
  }),
  s3AccessKeyId: text('S3_ACCESS_KEY_ID', { about: 'Key of a media store of S3', fallback: '' }),
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

/** The ladder of settings that were read. */
export function ladderOf({ ladder }: { readonly ladder: string }): Ladder {
  const result = readLadder(ladder)
  if (result.kind === 'refused') throw new Error(`LADDER ${result.faults.join('; ')}`)
  return result.ladder
}
