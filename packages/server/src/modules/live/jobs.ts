import type { DueHandler } from '../../platform/due/sweeper.ts'
import { type SyncDeps, syncSource } from './sync-source.ts'

export { keepSources } from './keep-sources.ts'
export type { SyncDeps } from './sync-source.ts'

/** What is done when a live source falls due. */
export const liveDue = (deps: SyncDeps) =>
  ({
    live_source: async (tx, { subjectId, accountId }, nowMs) =>
      syncSource(tx, deps, { accountId: accountId!, sourceId: subjectId }, nowMs),
  }) as const satisfies Record<string, DueHandler>
