import { createWaitingLine, type Lane, lanes, type Try } from './hash-lanes-line.ts'

export type HashResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Nothing was computed. */
  | { readonly kind: 'full' }

export interface HashLanes {
  /**
   * Runs `work` when a thread is free for it. `key` identifies the login: account and
   * e-mail address. Errors of `work` are thrown here.
   */
  run<T>(key: string, lane: Lane, work: () => Promise<T>): Promise<HashResult<T>>
  counts(): HashCounts
}

export interface HashCounts {
  readonly running: number
  readonly waiting: number
  /** Since the start, hashes that ended, also those that failed. */
  readonly computed: number
  /** Since the start, hashes that found the queue full or were displaced. */
  readonly rejected: number
}

export interface HashLanesOptions {
  /** Concurrent hashes. Node has four threads for these, for files and for compression: leave some. */
  readonly parallel: number
  /** The capacity of the queue of each lane. */
  readonly waiting: number
}

/**
 * Password hashing with bounded queues: each hash occupies a thread and 19 MiB for
 * tens of milliseconds, and any caller can cause one.
 *
 * The `known` lane goes before `other`, and each has its own queue, so that a flood
 * from unknown addresses does not delay known ones. A queue is round-robin over
 * keys, and one key has one running hash: a flood for one login delays only that login.
 */
export function createHashLanes({ parallel, waiting }: HashLanesOptions): HashLanes {
  const lines = { known: createWaitingLine(waiting), other: createWaitingLine(waiting) }
  const busy = new Set<string>() // the keys of the running hashes
  let computed = 0
  let rejected = 0

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
    // Promise.try, so that an error thrown synchronously also frees the thread.
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
          reject: () => resolve({ kind: 'full' }),
        }
        // While a thread is free, all waiting entries have a busy key.
        if (busy.size < parallel && !busy.has(key)) return start(tried)
        const displaced = lines[lane].add(tried)
        if (displaced === undefined) return
        rejected += 1
        displaced.reject()
      }),
    counts: () => ({
      running: busy.size,
      waiting: lanes.reduce((sum, lane) => sum + lines[lane].size(), 0),
      computed,
      rejected,
    }),
  }
}
