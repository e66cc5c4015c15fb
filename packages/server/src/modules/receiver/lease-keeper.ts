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
import type { Bus } from '../../platform/bus/bus.ts'
import { LIVE_STREAM, type LiveInput, leaseSubject } from '../../platform/live-bus/live-streams.ts'
import { publishAfter, readLast } from '../../platform/live-bus/publish-after.ts'

/** A lease that this process holds. */
export interface HeldLease {
  readonly token: number
  /** Whether its holder may still write: it was renewed recently, and is not known to be lost. */
  isValid(): boolean
  /** False if another process holds it now; throws if the broker does not answer, which may be retried. */
  renew(): Promise<boolean>
  /** Lets another process take it immediately. */
  release(): Promise<void>
}

export interface LeaseOptions {
  readonly bus: Bus
  /** The unique name of this process. */
  readonly holder: string
  /** The time of the broker's clock. */
  readonly brokerMs: () => number
  /** A monotonic clock. */
  readonly steadyMs: () => number
}

export type TakeResult =
  | { readonly kind: 'taken'; readonly lease: HeldLease }
  /** Another process has it; it expires after `freeInMs` unless renewed. */
  | { readonly kind: 'held'; readonly freeInMs: number }

/**
 * Takes the lease of an input if it is free. The broker accepts one of two concurrent attempts, since each states the
 * sequence that it replaces.
 */
export async function takeLease(options: LeaseOptions, input: LiveInput): Promise<TakeResult> {
  const { holder, brokerMs, steadyMs } = options
  const found = await readLease(options.bus, input)
  const freeInMs = freeIn(found?.lease, brokerMs())
  if (freeInMs > 0) return { kind: 'held', freeInMs }
  const lease: Lease = { holder, token: nextToken(found?.lease, brokerMs()) }
  const put = (value: Lease, after: number) =>
    publishAfter(options.bus, leaseSubject(input), JSON.stringify(value), after)
  let requestedMs = steadyMs()
  const first = await put(lease, found?.sequence ?? 0)
  if (first === undefined) return { kind: 'held', freeInMs: LEASE_MS }
  let sequence = first
  let isLost = false
  const held: HeldLease = {
    token: lease.token,
    isValid: () => !isLost && mayWrite(steadyMs() - requestedMs),
    async renew() {
      // The time before the request: the broker stores it later, never earlier.
      const nowMs = steadyMs()
      const next = await put(lease, sequence)
      if (next === undefined) isLost = true
      else [sequence, requestedMs] = [next, nowMs]
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
