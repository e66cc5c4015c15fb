import { type Cue, isNear, JOIN_MS, type Segment } from './playlist.ts'
import type { Report } from './rules.ts'

interface OpenBreak {
  readonly startMs: number
  readonly durationMs: number
}

/** Checks the cue tags of a window segment by segment; every segment of a break has one. */
export function checkCues(window: readonly Segment[], isFullLength: boolean, report: Report): void {
  let open: OpenBreak | undefined
  for (const [at, segment] of window.entries()) {
    const { cues, startMs } = segment
    if (at === 0) open = breakBefore(segment)
    const form = cues.map(({ kind }) => kind).join()
    if (!isExpected(form, open !== undefined, at === 0)) {
      report('cue-order', `${segment.uri} has ${form || 'no cue'}`)
      return
    }
    if (open !== undefined) checkOpen(cues, open, segment, isFullLength, report)
    open = breakAfter(cues, startMs, open)
  }
}

/** Whether a break is open at the first segment of a window follows from its own tags. */
function breakBefore({ cues, startMs }: Segment): OpenBreak | undefined {
  const cont = cues.find((cue) => cue.kind === 'CONT')
  return cont && { startMs: startMs - cont.elapsedMs, durationMs: cont.durationMs }
}

function isExpected(form: string, isOpen: boolean, isFirst: boolean): boolean {
  if (isFirst && (form === 'IN' || form === 'IN,OUT')) return true
  return isOpen ? form === 'CONT' || form === 'IN' || form === 'IN,OUT' : form === '' || form === 'OUT'
}

function checkOpen(
  cues: readonly Cue[],
  open: OpenBreak,
  { startMs, uri }: Segment,
  isFullLength: boolean,
  report: Report,
): void {
  const [cue] = cues
  const elapsedMs = startMs - open.startMs
  if (cue?.kind === 'CONT') {
    const isRight = isNear(cue.elapsedMs, elapsedMs) && isNear(cue.durationMs, open.durationMs)
    if (!isRight || elapsedMs >= open.durationMs - JOIN_MS) {
      report('cue-elapsed', `${uri}, ${elapsedMs} ms into a break of ${open.durationMs} ms`)
    }
  }
  // Breaks never overlap, so the second ends the first.
  if (cue?.kind === 'IN' && cues.length === 1 && isFullLength && elapsedMs < open.durationMs - JOIN_MS) {
    report('break-cut-short', `${uri}, ${elapsedMs} ms into a break of ${open.durationMs} ms`)
  }
}

function breakAfter(cues: readonly Cue[], startMs: number, open: OpenBreak | undefined) {
  const last = cues.at(-1)
  if (last?.kind === 'OUT') return { startMs, durationMs: last.durationMs }
  return last?.kind === 'IN' ? undefined : open
}
