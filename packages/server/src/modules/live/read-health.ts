import { HEALTH_KEPT_MS, type InputHealth, readHealth } from '@continuity/core/live/input-health'
import { inputsOf } from '@continuity/core/live/source-config'
import { slotStartMs } from '@continuity/core/timeline/live-log'
import { healthSubject, LIVE_STREAM } from '../../platform/live-bus/live-streams.ts'
import type { ReadLatest } from '../../platform/live-bus/read-latest.ts'
import { SignalUnavailable } from './errors.ts'
import type { LiveSource } from './store.ts'

/**
 * What receivers have measured of each input of a source in the last minutes. Read directly from NATS: a table
 * would be one more copy to maintain, and older.
 */
export async function readSourceHealth(
  readLatest: ReadLatest,
  source: LiveSource,
  nowMs: number,
): Promise<readonly InputHealth[]> {
  const texts = await Promise.all(
    inputsOf(source).map((input) =>
      readLatest(LIVE_STREAM, healthSubject({ sourceId: source.sourceId, input })),
    ),
  ).catch((cause: unknown) => {
    throw SignalUnavailable(cause)
  })
  return texts.map((text) => {
    const { slotMs, slots } = (text === undefined ? undefined : readHealth(text)) ?? { slotMs: 0, slots: [] }
    const isRecent = (slot: number) => slotStartMs(slot + 1, slotMs) > nowMs - HEALTH_KEPT_MS
    return { slotMs, slots: slots.filter(({ slot }) => isRecent(slot)) }
  })
}
