import { actorOf } from '../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { hourFolder, sourceFolder } from '../../platform/live-bus/slot-folder.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'

export type SegmentJob = { readonly live_source_id: string; readonly hour: number }

/** Deletes the segments of a source whose slots began in an hour, when no playlist can list them any more. */
export function segmentDeleter(store: Pick<MediaStore, 'removeAll'>): JobHandler<SegmentJob> {
  return async (run) => {
    const { accountId } = actorOf(run)
    await store.removeAll(`${hourFolder(sourceFolder(accountId, run.data.live_source_id), run.data.hour)}/`)
  }
}
