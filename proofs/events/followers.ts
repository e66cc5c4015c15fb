import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** An event in the database. */
export interface ExpectedEvent {
  readonly id: string
  readonly subject: string
  /** Sequence number of the change of its subject, from 1. */
  readonly rank: number
}

export type Command =
  | {
      readonly kind: 'start'
      readonly count: number
      readonly urls: readonly string[]
      /** Assigned round-robin. */
      readonly paths: readonly string[]
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: 'pause' | 'resume' | 'measure' | 'delays' | 'progress' | 'stop' }
  | { readonly kind: 'compare'; readonly expected: readonly ExpectedEvent[] }

export interface Compared {
  readonly kind: 'compared'
  readonly missed: number
  readonly invented: number
  readonly outOfOrder: number
  readonly received: number
  readonly connections: number
}

export type Answer =
  | { readonly kind: 'progress'; readonly open: number; readonly fewest: number; readonly most: number }
  | { readonly kind: 'delays'; readonly counts: Uint32Array }
  | Compared

/** Delays of events, in milliseconds. */
export interface Delays {
  readonly count: number
  readonly median: number
  readonly p99: number
  readonly worst: number
}

type AnswerTo<K> = Extract<Answer, { readonly kind: K }>

export interface Followers extends AsyncDisposable {
  /** Stops reading, or continues. */
  pause(): void
  resume(): void
  /** Starts to measure the delay of each event at each follower, until `delays`. */
  measure(): void
  delays(): Promise<Delays>
  /** Number of open streams, and the fewest and the most events that one of them has received. */
  progress(): Promise<AnswerTo<'progress'>>
  compare(expected: readonly ExpectedEvent[]): Promise<Compared>
}

/** Opens so many streams of one account in a separate thread; broken streams resume after their last event. */
export function startFollowers(options: Omit<Extract<Command, { kind: 'start' }>, 'kind'>): Followers {
  const thread = new Worker(new URL('./followers-thread.ts', import.meta.url))
  const send = (it: Command) => thread.postMessage(it)
  const request = async <K extends Answer['kind']>(it: Command): Promise<AnswerTo<K>> => {
    send(it)
    return (await once(thread, 'message'))[0] as AnswerTo<K>
  }
  send({ kind: 'start', ...options })
  return {
    pause: () => send({ kind: 'pause' }),
    resume: () => send({ kind: 'resume' }),
    measure: () => send({ kind: 'measure' }),
    delays: async () => delaysOf((await request<'delays'>({ kind: 'delays' })).counts),
    progress: () => request<'progress'>({ kind: 'progress' }),
    compare: (expected) => request<'compared'>({ kind: 'compare', expected }),
    async [Symbol.asyncDispose]() {
      const exited = once(thread, 'exit')
      send({ kind: 'stop' })
      await exited
    },
  }
}

function delaysOf(counts: Uint32Array): Delays {
  const count = counts.reduce((sum, it) => sum + it, 0)
  const reached = (share: number) => {
    let sum = 0
    return counts.findIndex((it) => {
      sum += it
      return count > 0 && sum >= share * count
    })
  }
  return { count, median: reached(0.5), p99: reached(0.99), worst: counts.findLastIndex((it) => it > 0) }
}
