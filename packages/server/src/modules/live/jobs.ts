import type { DueHandler } from '../../platform/due/sweeper.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import { segmentDeleter } from './delete-segments.ts'
import { keepLog } from './keep-log.ts'
import { type SyncDeps, syncSource } from './sync-source.ts'

export { keepSources } from './keep-sources.ts'
export type { SyncDeps } from './sync-source.ts'

/** Handlers of due rows of live sources. */
export const liveDue = (deps: SyncDeps) =>
  ({
    live_log: async (tx, { subjectId, accountId }, nowMs) =>
      keepLog(tx, deps.bus, { accountId: accountId!, sourceId: subjectId }, nowMs),
    live_source: async (tx, { subjectId, accountId }, nowMs) =>
      syncSource(tx, deps, { accountId: accountId!, sourceId: subjectId }, nowMs),
  }) as const satisfies Record<string, DueHandler>

export const liveJobs = (deps: { readonly store: MediaStore }) => ({
  delete_live_segments: segmentDeleter(deps.store),
})
