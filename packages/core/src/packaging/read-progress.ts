/** One progress value of ffmpeg (`-progress pipe:1`). */
export type Progress =
  | { readonly kind: 'frames'; readonly frames: number }
  | { readonly kind: 'time'; readonly outMs: number }

/**
 * Reads one line; most contain nothing relevant.
 *
 * `out_time_ms` is skipped: despite its name it contains microseconds.
 */
export function readProgress(line: string): Progress | undefined {
  const match = /^(frame|out_time_us)=\s*(\d+)\s*$/.exec(line)
  const value = Number(match?.[2])
  if (match === null || !Number.isSafeInteger(value)) return undefined
  if (match[1] === 'frame') return { kind: 'frames', frames: value }
  return { kind: 'time', outMs: Math.floor(value / 1_000) }
}

/** The finished share of the whole, from 0 to 1; 0 if the duration is unknown. */
export function shareOf(outMs: number, durationMs: number | null): number {
  if (durationMs === null || durationMs <= 0) return 0
  return Math.min(1, Math.max(0, outMs / durationMs))
}
