import { readHealth } from '@continuity/core/live/input-health'
import type { SlotLog } from '@continuity/core/live/slot-log'
import { inputsOf } from '@continuity/core/live/source-config'
import { segmentName, stillKey } from '@continuity/core/media/segment-index'
import { slotStartMs } from '@continuity/core/timeline/live-log'
import {
  healthSubject,
  LIVE_LOG_STREAM,
  LIVE_STREAM,
  type LiveInput,
  logSubject,
} from '../../platform/live-bus/live-streams.ts'
import type { ReadLatest } from '../../platform/live-bus/read-latest.ts'
import { slotFolder } from '../../platform/live-bus/slot-folder.ts'
import { SignalUnavailable } from './errors.ts'
import type { LiveSource } from './store.ts'

/** The newest slot of a source. Paths are those of the media store. */
export interface SourcePreview {
  readonly input: 0 | 1
  readonly startMs: number
  readonly stillPath: string
  /** Of the lowest rendition; null until the receiver has reported which that is. */
  readonly segmentPath: string | null
}

/** An input without a slot for this long is not what channels show. */
const FRESH_MS = 20_000

/** The preview of the first input with a recent slot; null if none has one. */
export async function readPreview(
  readLatest: ReadLatest,
  source: LiveSource,
  nowMs: number,
): Promise<SourcePreview | null> {
  try {
    for (const input of inputsOf(source)) {
      const preview = await previewOf(readLatest, { sourceId: source.sourceId, input }, nowMs)
      if (preview !== undefined) return preview
    }
    return null
  } catch (cause) {
    throw SignalUnavailable(cause)
  }
}

async function previewOf(
  readLatest: ReadLatest,
  input: LiveInput,
  nowMs: number,
): Promise<SourcePreview | undefined> {
  const text = await readLatest(LIVE_LOG_STREAM, logSubject(input))
  if (text === undefined) return undefined
  const { folder, slotMs, newest } = JSON.parse(text) as SlotLog
  if (newest === null || slotStartMs(newest.slot, slotMs) < nowMs - FRESH_MS) return undefined
  const { slot, key } = newest
  const health = await readLatest(LIVE_STREAM, healthSubject(input))
  const rung = health === undefined ? undefined : readHealth(health)?.rung
  const path = slotFolder(folder, key, slot, slotMs)
  return {
    input: input.input,
    startMs: slotStartMs(slot, slotMs),
    stillPath: stillKey(path, slot),
    segmentPath: rung === undefined ? null : `${path}/${rung}/${segmentName(slot)}`,
  }
}
