import { CUE_GAP_MS } from '@continuity/core/media/cue-points'
import { findCueFault } from '@continuity/core/media/video-cue-points'
import { printVideoTime } from '../shared/video-times.ts'

/** A cue point on the screen; it keeps its key while it is moved. */
export interface DraftCue {
  readonly key: string
  readonly atMs: number
}

export interface CueFault {
  readonly index: number
  readonly text: string
}

/** The first fault by the rules of the service; undefined if there is none. */
export function cueFault(timesMs: readonly number[], durationMs: number): CueFault | undefined {
  const fault = findCueFault(timesMs, durationMs)
  if (fault === undefined) return undefined
  const { index } = fault
  const atMs = timesMs[index]!
  const gap = `${CUE_GAP_MS / 1_000} seconds`
  if (atMs >= durationMs) return { index, text: `The video ends at ${printVideoTime(durationMs)}.` }
  if (atMs < CUE_GAP_MS) return { index, text: `At least ${gap} after the start.` }
  const beforeMs = Math.max(...timesMs.filter((ms, at) => at !== index && ms <= atMs))
  if (atMs - beforeMs < CUE_GAP_MS)
    return { index, text: `At least ${gap} after ${printVideoTime(beforeMs)}.` }
  return { index, text: 'There are too many cue points.' }
}
