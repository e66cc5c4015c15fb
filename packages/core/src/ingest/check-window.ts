/** Changes of what is on air, or as good as on air, come too late. */
export const NOTICE_MS = 60_000

export interface AskedWindow {
  readonly startMs: number
  readonly endMs: number
  /** Of each item, in seconds. */
  readonly declaredSeconds: readonly number[]
}

export type WindowResult =
  | { readonly kind: 'fits' }
  | { readonly kind: 'refused'; readonly reason: 'too_late' }
  | { readonly kind: 'refused'; readonly reason: 'too_long'; readonly overMs: number }

/** Whether a program can still be taken in, and its items fit as their lengths were declared. */
export function checkWindow({ startMs, endMs, declaredSeconds }: AskedWindow, nowMs: number): WindowResult {
  if (startMs < nowMs + NOTICE_MS) return { kind: 'refused', reason: 'too_late' }
  const declaredMs = declaredSeconds.reduce((sum, seconds) => sum + seconds * 1_000, 0)
  const overMs = declaredMs - (endMs - startMs)
  return overMs > 0 ? { kind: 'refused', reason: 'too_long', overMs } : { kind: 'fits' }
}
