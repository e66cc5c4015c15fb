import { createWaitingLine, type Lane, lanes, type Try } from './hash-lanes-line.ts'

export type HashResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Nothing was computed. */
  | { readonly kind: 'full' }

export interface HashLanes {
  /**
   * Does the work when it is its turn. `key` is the login that is tried, account
   * and e-mail address together. What the work throws is thrown here.
   */
  run<T>(key: string, lane: Lane, work: () => Promise<T>): Promise<HashResult<T>>
  counts(): HashCounts
}

export interface HashCounts {
  readonly running: number
  readonly waiting: number
  /** Since the start, works that ended, also those that failed. */
  readonly computed: number
  /** Since the start, works that found no place or lost theirs. */
  readonly refused: number
}

export interface HashLanesOptions {
  /** Works at once. Node has four threads for these, for files and for compression: leave some. */
  readonly parallel: number
  /** Places to wait, in each lane. */
  readonly waiting: number
}

/**
 * Password hashing in bounded lanes: each hash holds a thread and 19 MiB for
 * tens of milliseconds, and anybody may ask for one.
 *
 * Who is `known` goes before all `other`, each in a line of its own, so that a
 * flood of strangers costs known people neither their turn nor their place.
 * Within a line the keys take turns, and one key is never computed twice at
 * once: a flood of tries for one login holds up that login and no second one.
 */
export function createHashLanes({ parallel, waiting }: HashLanesOptions): HashLanes {
  const lines = { known: createWaitingLine(waiting), other: createWaitingLine(waiting) }
  const busy = new Set<string>() // the keys that are computed now: one work each
  let computed = 0
  let refused = 0

  const startNext = () => {
    while (busy.size < parallel) {
      const next = lines.known.take(busy) ?? lines.other.take(busy)
      if (next === undefined) return
      start(next)
    }
  }

  const start = ({ key, work, done, fail }: Try) => {
    busy.add(key)
    const end = () => {
      busy.delete(key)
      computed += 1
      startNext()
    }
    // Begun inside a promise, so that a work which throws at once also ends.
    Promise.try(work).finally(end).then(done, fail)
  }

  return {
    run: <T>(key: string, lane: Lane, work: () => Promise<T>) =>
      new Promise<HashResult<T>>((resolve, fail) => {
        const tried: Try = {
          key,
          work,
          done: (value) => resolve({ kind: 'done', value: value as T }),
          fail,
          refuse: () => resolve({ kind: 'full' }),
        }
        // While a thread is free, all who wait, wait for their own key.
        if (busy.size < parallel && !busy.has(key)) return start(tried)
        const displaced = lines[lane].add(tried)
        if (displaced === undefined) return
        refused += 1
        displaced.refuse()
      }),
    counts: () => ({
      running: busy.size,
      waiting: lanes.reduce((sum, lane) => sum + lines[lane].size(), 0),
      computed,
      refused,
    }),
  }
}
