import { setTimeout } from 'node:timers/promises'
import type { Bus } from '../bus.ts'

/** Buses of several processes that hear each other, in one. What is told arrives at the end of the turn. */
export function aBus(): { connect(): Bus } {
  const listeners = new Map<string, Set<(text: string) => void>>()
  const connect = (): Bus => ({
    opened: Promise.resolve(),
    ping: async () => {},
    publish: (subject, text) =>
      queueMicrotask(() => {
        for (const heard of listeners.get(subject) ?? []) heard(text)
      }),
    subscribe(subject, heard) {
      const all = listeners.get(subject) ?? new Set()
      listeners.set(subject, all.add(heard))
      return () => void all.delete(heard)
    },
    wait: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => {}),
    close: async () => {},
  })
  return { connect }
}
