export { createVideo } from './create-video.ts'
export { namedMedia } from './named-media.ts'
export {
  lockVideoForMedia,
  markMediaFailed,
  publishMedia,
  type TakenInVideo,
  takeInVideo,
} from './take-in-video.ts'
export { MEDIA_BASE } from './video-document.ts'
export type { RecordImage } from './video-record.ts'
