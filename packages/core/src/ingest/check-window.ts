/** Programs that are on air or about to be cannot be changed. */
export const NOTICE_MS = 60_000

export interface RequestedWindow {
  readonly startMs: number
  readonly endMs: number
  /** Declared length of each item. */
  readonly declaredSeconds: readonly number[]
}

export type WindowResult =
  | { readonly kind: 'fits' }
  | { readonly kind: 'rejected'; readonly reason: 'too_late' }
  | { readonly kind: 'rejected'; readonly reason: 'too_long'; readonly overMs: number }

/** Whether a program can still be ingested, and its items fit by their declared lengths. */
export function checkWindow(
  { startMs, endMs, declaredSeconds }: RequestedWindow,
  nowMs: number,
): WindowResult {
  if (startMs < nowMs + NOTICE_MS) return { kind: 'rejected', reason: 'too_late' }
  const declaredMs = declaredSeconds.reduce((sum, seconds) => sum + seconds * 1_000, 0)
  const overMs = declaredMs - (endMs - startMs)
  return overMs > 0 ? { kind: 'rejected', reason: 'too_long', overMs } : { kind: 'fits' }
}
