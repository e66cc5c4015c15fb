import { type BreakChange, type BreakLog, emptyBreakLog } from '@continuity/core/live/break-log'
import type { Bus } from '../bus/bus.ts'
import { FeedUnavailable } from '../feed/errors.ts'
import { breakSubject, LIVE_LOG_STREAM } from './live-streams.ts'
import { publishAfter, readLast } from './publish-after.ts'

/** Attempts while other processes change the same source. */
const TRIES = 5

/**
 * Changes the ad breaks of a source on the bus; `decide` runs again where another process was faster. It should read the
 * time itself: a break has to reach every node within the cut margin from then on.
 */
export async function changeBreaks(
  bus: Bus,
  sourceId: string,
  slotMs: number,
  decide: (log: BreakLog) => BreakChange | Promise<BreakChange>,
): Promise<{ readonly change: BreakChange; readonly log: BreakLog }> {
  const subject = breakSubject(sourceId)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const message = await orUnavailable(readLast(bus, LIVE_LOG_STREAM, subject))
    const before = message?.json<BreakLog>() ?? emptyBreakLog(slotMs)
    const change = await decide(before)
    if (change.kind !== 'changed') return { change, log: before }
    const text = JSON.stringify(change.log)
    const sequence = await orUnavailable(publishAfter(bus, subject, text, message?.seq ?? 0))
    if (sequence !== undefined) return { change, log: change.log }
  }
  throw FeedUnavailable(
    new Error(`the breaks of source ${sourceId} were changed concurrently ${TRIES} times`),
  )
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw FeedUnavailable(error)
  })
}
