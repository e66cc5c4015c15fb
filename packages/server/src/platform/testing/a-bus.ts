import { setTimeout } from 'node:timers/promises'
import type { Bus } from '../bus.ts'

/**
 * Buses of several processes that hear each other, in one. What is told arrives at the end of the turn. There is no
 * NATS behind them.
 */
export function aBus(): { connect(): Bus } {
  const listeners = new Map<string, Set<Listener>>()
  const connect = (): Bus => ({
    user: 'anyone',
    opened: Promise.resolve(),
    ping: async () => {},
    publish: (subject, text) =>
      queueMicrotask(() => {
        for (const { heard } of chosen([...(listeners.get(subject) ?? [])])) heard(text, () => {})
      }),
    subscribe(subject, heard, queue) {
      const all = listeners.get(subject) ?? new Set()
      const listener = { heard, queue }
      listeners.set(subject, all.add(listener))
      return () => void all.delete(listener)
    },
    connection: () => undefined,
    lost: () => new AbortController().signal,
    isSettled: () => false,
    wait: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => {}),
    close: async () => {},
  })
  return { connect }
}

interface Listener {
  readonly heard: (text: string, respond: (text: string) => void) => void
  readonly queue: string | undefined
}

/** Everybody who listens alone, and the first of each queue group. */
const chosen = (all: readonly Listener[]): readonly Listener[] =>
  all.filter(({ queue }, at) => queue === undefined || all.findIndex((it) => it.queue === queue) === at)
