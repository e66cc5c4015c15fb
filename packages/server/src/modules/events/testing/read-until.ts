import type { Db } from '../../../platform/database/database.ts'
import { type Event, type EventCursor, readEvents } from '../read.ts'

const PATIENCE_MS = 20_000

/**
 * Reads until `count` events have been returned. An event is delayed by every older
 * transaction of the server, including those of tests in other files.
 */
export async function readUntil(
  db: Db,
  accountId: string,
  count: number,
  { after, limit = 100 }: { readonly after?: EventCursor | undefined; readonly limit?: number } = {},
): Promise<readonly Event[]> {
  const deadlineMs = performance.now() + PATIENCE_MS
  const seen: Event[] = []
  while (seen.length < count) {
    if (performance.now() > deadlineMs)
      throw new Error(`only ${seen.length} of ${count} events became readable`)
    seen.push(...(await readEvents(db, accountId, seen.at(-1)?.cursor ?? after, limit)))
  }
  return seen
}
