/** A record before and after a write; null before a create and after a delete. */
export interface Write<T> {
  readonly before: T | null
  readonly after: T | null
}

/** The kind of write, as the second part of an action. */
export function verbOf({ before, after }: Write<unknown>): 'create' | 'change' | 'delete' {
  if (before === null) return 'create'
  return after === null ? 'delete' : 'change'
}

/** Either record, to read fields that a write does not change, such as the id. */
export function anyOf<T>({ before, after }: Write<T>): T {
  const record = after ?? before
  if (record === null) throw new Error('nothing was written')
  return record
}

/** The same write as the API shows it. */
export const shown = <T>({ before, after }: Write<T>, toWire: (record: T) => unknown): Write<unknown> => ({
  before: before === null ? null : toWire(before),
  after: after === null ? null : toWire(after),
})
