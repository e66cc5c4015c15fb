import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** An event as the database has it. */
export interface ExpectedEvent {
  readonly id: string
  readonly subject: string
  /** Counts the changes of its subject, from 1 on. */
  readonly rank: number
}

export type Order =
  | {
      readonly kind: 'start'
      readonly count: number
      readonly urls: readonly string[]
      /** By turns. */
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
  | { readonly kind: 'progress'; readonly open: number; readonly fewest: number }
  | { readonly kind: 'delays'; readonly counts: Uint32Array }
  | Compared

/** How late events were, in milliseconds. */
export interface Delays {
  readonly count: number
  readonly median: number
  readonly p99: number
  readonly worst: number
}

type AnswerTo<K> = Extract<Answer, { readonly kind: K }>

export interface Followers extends AsyncDisposable {
  /** Read nothing, or read on. */
  pause(): void
  resume(): void
  /** How late each event reaches each follower, from now on until it is asked for. */
  measure(): void
  delays(): Promise<Delays>
  /** How many streams are open, and the fewest events that one of them has received. */
  progress(): Promise<AnswerTo<'progress'>>
  compare(expected: readonly ExpectedEvent[]): Promise<Compared>
}

/** So many streams of one account, in a thread of their own, which open again after their last event when they break. */
export function startFollowers(order: Omit<Extract<Order, { kind: 'start' }>, 'kind'>): Followers {
  const thread = new Worker(new URL('./followers-thread.ts', import.meta.url))
  const send = (it: Order) => thread.postMessage(it)
  const ask = async <K extends Answer['kind']>(it: Order): Promise<AnswerTo<K>> => {
    send(it)
    return (await once(thread, 'message'))[0] as AnswerTo<K>
  }
  send({ kind: 'start', ...order })
  return {
    pause: () => send({ kind: 'pause' }),
    resume: () => send({ kind: 'resume' }),
    measure: () => send({ kind: 'measure' }),
    delays: async () => delaysOf((await ask<'delays'>({ kind: 'delays' })).counts),
    progress: () => ask<'progress'>({ kind: 'progress' }),
    compare: (expected) => ask<'compared'>({ kind: 'compare', expected }),
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
