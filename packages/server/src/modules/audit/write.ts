/** A record before and after a write; null where it was not there, or no longer is. */
export interface Write<T> {
  readonly before: T | null
  readonly after: T | null
}

/** What was done, as the second word of an action. */
export function verbOf({ before, after }: Write<unknown>): 'create' | 'change' | 'delete' {
  if (before === null) return 'create'
  return after === null ? 'delete' : 'change'
}

/** The record that was written, for what a write leaves as it is, such as its id. */
export function anyOf<T>({ before, after }: Write<T>): T {
  const record = after ?? before
  if (record === null) throw new Error('nothing was written')
  return record
}

/** The same write as the wire shows it. */
export const shown = <T>({ before, after }: Write<T>, toWire: (record: T) => unknown): Write<unknown> => ({
  before: before === null ? null : toWire(before),
  after: after === null ? null : toWire(after),
})
