import {
  freeIn,
  isHeld,
  LEASE_MS,
  type Lease,
  mayWrite,
  nextToken,
  RELEASED,
  type StoredLease,
} from '@continuity/core/live/lease'
import type { Bus } from '../../platform/bus.ts'
import { LIVE_STREAM, type LiveInput, leaseSubject } from '../../platform/live-bus/live-streams.ts'
import { publishAfter, readLast } from '../../platform/live-bus/publish-after.ts'

/** A lease that this process holds. */
export interface HeldLease {
  readonly token: number
  /** Whether it may still be written under: it was renewed lately, and no other process is known to hold it. */
  isValid(): boolean
  /** False when another process holds it now; throws when the broker does not answer, which may be tried again. */
  renew(): Promise<boolean>
  /** Lets another take it at once. */
  release(): Promise<void>
}

export interface LeaseOptions {
  readonly bus: Bus
  /** The name of this process, which no other has. */
  readonly holder: string
  /** What the broker's clock shows. */
  readonly brokerMs: () => number
  /** A clock that only goes forward. */
  readonly steadyMs: () => number
}

export type TakeResult =
  | { readonly kind: 'taken'; readonly lease: HeldLease }
  /** Another has it; it is free then, if it is not renewed. */
  | { readonly kind: 'held'; readonly freeInMs: number }

/**
 * Takes the lease of an input if it is free. Of two who try at once the broker lets one: each names the message that it
 * wants to replace.
 */
export async function takeLease(options: LeaseOptions, input: LiveInput): Promise<TakeResult> {
  const { holder, brokerMs, steadyMs } = options
  const found = await readLease(options.bus, input)
  const freeInMs = freeIn(found?.lease, brokerMs())
  if (freeInMs > 0) return { kind: 'held', freeInMs }
  const lease: Lease = { holder, token: nextToken(found?.lease, brokerMs()) }
  const put = (value: Lease, after: number) =>
    publishAfter(options.bus, leaseSubject(input), JSON.stringify(value), after)
  let askedMs = steadyMs()
  const first = await put(lease, found?.sequence ?? 0)
  if (first === undefined) return { kind: 'held', freeInMs: LEASE_MS }
  let sequence = first
  let isLost = false
  const held: HeldLease = {
    token: lease.token,
    isValid: () => !isLost && mayWrite(steadyMs() - askedMs),
    async renew() {
      // From when it was asked for: the broker stored it later, never earlier.
      const nowMs = steadyMs()
      const next = await put(lease, sequence)
      if (next === undefined) isLost = true
      else [sequence, askedMs] = [next, nowMs]
      return next !== undefined
    },
    async release() {
      if (isLost) return
      isLost = true
      await put({ ...lease, holder: RELEASED }, sequence)
    },
  }
  return { kind: 'taken', lease: held }
}

async function readLease(
  bus: Bus,
  input: LiveInput,
): Promise<{ readonly lease: StoredLease | undefined; readonly sequence: number } | undefined> {
  const message = await readLast(bus, LIVE_STREAM, leaseSubject(input))
  if (message === null) return undefined
  const lease = message.json<Lease>()
  const storedMs = isHeld(lease) ? message.time.getTime() : Number.NEGATIVE_INFINITY
  return { lease: { ...lease, storedMs }, sequence: message.seq }
}
