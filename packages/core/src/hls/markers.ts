import type { OutputFields } from '../channels/output-fields.ts'
import { spliceEventId, spliceIn, spliceOut } from '../scte35/break-cues.ts'
import { printHex } from '../scte35/print-bytes.ts'
import type { ShownBreak } from '../timeline/breaks.ts'
import { printDate, printSeconds } from './print-time.ts'

export type Markers = OutputFields['markers']

export const hasRanges = (markers: Markers): boolean => markers === 'DATERANGE' || markers === 'BOTH'
export const hasCues = (markers: Markers): boolean => markers === 'CUE' || markers === 'BOTH'

/**
 * The date ranges of breaks. The end of a break is a second range with the same id: attributes may be added to
 * a range, but not changed (rfc8216bis §4.4.5.1). The dates are later than those of the breaks by `delayTicks`.
 */
export function printRanges(breaks: readonly ShownBreak[], delayTicks: number): string {
  let text = ''
  for (const it of breaks) text += printOut(it, delayTicks) + (it.isOver ? printIn(it, delayTicks) : '')
  return text
}

function printOut({ sequence, startTicks, plannedTicks }: ShownBreak, delayTicks: number): string {
  const bytes = spliceOut({
    eventId: spliceEventId(4, sequence),
    durationTicks: plannedTicks,
    autoReturn: true,
  })
  return `${printRange(sequence, startTicks + delayTicks)},PLANNED-DURATION=${printSeconds(plannedTicks)},SCTE35-OUT=${printHex(bytes)}\n`
}

function printIn({ sequence, startTicks, reportedTicks }: ShownBreak, delayTicks: number): string {
  const bytes = spliceIn({ eventId: spliceEventId(4, sequence) })
  return `${printRange(sequence, startTicks + delayTicks)},DURATION=${printSeconds(reportedTicks)},SCTE35-IN=${printHex(bytes)}\n`
}

const printRange = (sequence: number, startTicks: number): string =>
  `#EXT-X-DATERANGE:ID="break-${sequence}",START-DATE="${printDate(startTicks)}"`

/** The tags before a segment in a break, and before the first one after it. */
export function printCue(breaks: readonly ShownBreak[], startTicks: number): string {
  const it = breakAt(breaks, startTicks)
  const before = breakAt(breaks, startTicks - 1)
  const end = before !== undefined && before !== it ? '#EXT-X-CUE-IN\n' : ''
  if (it === undefined) return end
  const duration = printSeconds(it.plannedTicks)
  if (it.startTicks === startTicks) return `${end}#EXT-X-CUE-OUT:DURATION=${duration}\n`
  return `${end}#EXT-X-CUE-OUT-CONT:ElapsedTime=${printSeconds(startTicks - it.startTicks)},Duration=${duration}\n`
}

const breakAt = (breaks: readonly ShownBreak[], ticks: number): ShownBreak | undefined =>
  breaks.find(({ startTicks, endTicks }) => startTicks <= ticks && ticks < endTicks)
