import { CUE_GAP_MS } from '@continuity/core/media/cue-points'
import { findCueFault } from '@continuity/core/media/video-cue-points'

/** A cue point on the screen; it keeps its key while it is moved. */
export interface DraftCue {
  readonly key: string
  readonly atMs: number
}

/** 0:12:34.500 */
export function printCue(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1_000)
  const clock = `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${clock}.${String(ms % 1_000).padStart(3, '0')}`
}

const TIME = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/

/** 0:12:34.500, 12:34.5 or 754.5; undefined for anything else. */
export function readCue(text: string): number | undefined {
  const [, hours = '0', minutes, seconds, part = '0'] = TIME.exec(text.trim()) ?? []
  if (seconds === undefined || (minutes !== undefined && Number(seconds) >= 60) || Number(minutes ?? 0) >= 60)
    return undefined
  return (
    (Number(hours) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1_000 +
    Number(part.padEnd(3, '0'))
  )
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
  if (atMs >= durationMs) return { index, text: `The video ends at ${printCue(durationMs)}.` }
  if (atMs < CUE_GAP_MS) return { index, text: `At least ${gap} after the start.` }
  const beforeMs = Math.max(...timesMs.filter((ms, at) => at !== index && ms <= atMs))
  if (atMs - beforeMs < CUE_GAP_MS) return { index, text: `At least ${gap} after ${printCue(beforeMs)}.` }
  return { index, text: 'There are too many cue points.' }
}
