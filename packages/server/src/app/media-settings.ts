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
} as const
