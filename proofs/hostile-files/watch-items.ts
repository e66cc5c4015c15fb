import { sql } from 'kysely'
import { type IngestStatus, type IngestSystem, untilEnded } from '../ingest/ingest-system.ts'

export interface EndedItem {
  readonly name: string
  readonly state: string
  readonly code: string
  readonly message: string
  /** From when it was first in progress, with all retries. */
  readonly tookMs: number
}

/** Waits until every item of a request has ended, or the time is over, and returns how each ended. */
export async function watchItems(
  system: IngestSystem,
  requestId: string,
  withinMs: number,
): Promise<readonly EndedItem[]> {
  const begun = new Map<string, number>()
  const ended = new Map<string, number>()
  const note = ({ items }: IngestStatus) => {
    const nowMs = performance.now()
    for (const { video_source_id: name, state } of items) {
      const key = name ?? ''
      if (state !== 'QUEUED' && !begun.has(key)) begun.set(key, nowMs)
      if (hasEnded(state) && !ended.has(key)) ended.set(key, nowMs)
    }
    hurry(system)
  }
  const { items } = await untilEnded(system, requestId, { withinMs, onStatus: note }).catch(() =>
    system.statusOf(requestId),
  )
  return items.map(({ video_source_id: name, state, reason }) => ({
    name: name ?? '',
    state,
    code: reason?.code ?? '',
    message: reason?.message ?? '',
    tookMs: (ended.get(name ?? '') ?? performance.now()) - (begun.get(name ?? '') ?? 0),
  }))
}

const hasEnded = (state: string): boolean => state === 'FAILED' || state === 'READY'

/** The delays between retries add up to a quarter of an hour: skip them. */
function hurry({ database }: IngestSystem): void {
  sql`update pgboss.job set start_after = now()
       where name = 'package_asset' and state = 'retry' and start_after > now()`
    .execute(database.platform)
    .catch(() => {}) // repeated at the next status
}
