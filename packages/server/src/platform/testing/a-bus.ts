import { setTimeout } from 'node:timers/promises'
import type { Bus } from '../bus/bus.ts'

/**
 * Buses of several processes in one, without NATS. Messages arrive at the end of the turn.
 */
export function aBus(): { connect(): Bus } {
  const listeners = new Map<string, Set<Listener>>()
  const connect = (): Bus => ({
    user: 'anyone',
    opened: Promise.resolve(),
    ping: async () => {},
    publish: (subject, text) =>
      queueMicrotask(() => {
        for (const { onMessage } of chosen([...(listeners.get(subject) ?? [])])) onMessage(text, () => {})
      }),
    subscribe(subject, onMessage, queue) {
      const all = listeners.get(subject) ?? new Set()
      const listener = { onMessage, queue }
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
  readonly onMessage: (text: string, respond: (text: string) => void) => void
  readonly queue: string | undefined
}

/** Every subscriber without a queue group, and the first of each group. */
const chosen = (all: readonly Listener[]): readonly Listener[] =>
  all.filter(({ queue }, at) => queue === undefined || all.findIndex((it) => it.queue === queue) === at)
