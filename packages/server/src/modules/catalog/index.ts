export { CuePointsUnsupported } from './records/errors.ts'
export { lockScheduledVideos, type ScheduledVideo } from './records/scheduled-video-store.ts'
export { MEDIA_BASE } from './records/video-document.ts'
export type { RecordImage } from './records/video-record.ts'
export { findGivenCues } from './records/video-store.ts'
export { createVideo } from './videos/create-video.ts'
export { namedMedia } from './videos/named-media.ts'
export type { ApplyCuePoints } from './videos/set-cue-points.ts'
export {
  type IngestedVideo,
  lockVideoForMedia,
  markMediaFailed,
  publishMedia,
  upsertIngestedVideo,
} from './videos/upsert-ingested-video.ts'
