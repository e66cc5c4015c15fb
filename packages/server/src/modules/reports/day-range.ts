import { RangeInvalid } from './errors.ts'

/** Whole days, UTC; the last is included. */
export interface DayRange {
  readonly from: string
  readonly to: string
  /** The starts of its days. */
  readonly daysMs: readonly number[]
}

export const DAY_MS = 86_400_000

export function readRange(
  { from, to }: { readonly from: string; readonly to: string },
  most: number,
): DayRange {
  const fromMs = Date.parse(`${from}T00:00:00Z`)
  const toMs = Date.parse(`${to}T00:00:00Z`)
  const days = (toMs - fromMs) / DAY_MS + 1
  if (days < 1) throw RangeInvalid('The last day is before the first: send a `to` that is not before `from`.')
  if (days > most)
    throw RangeInvalid(`The range has ${days} days, the maximum is ${most}: request fewer at a time.`)
  return { from, to, daysMs: Array.from({ length: days }, (_, at) => fromMs + at * DAY_MS) }
}
