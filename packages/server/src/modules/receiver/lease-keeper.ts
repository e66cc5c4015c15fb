import { isFree, type Lease, mayWrite, nextToken, type StoredLease } from '@continuity/core/live/lease'
import { JetStreamApiError, jetstream } from '@nats-io/jetstream'
import type { Bus } from '../../platform/bus.ts'
import {
  ANSWER_MS,
  LIVE_STREAM,
  type LiveInput,
  leaseSubject,
  manageLive,
} from '../../platform/live-bus/live-streams.ts'

/** A lease that this process holds. */
export interface HeldLease {
  readonly token: number
  /** Whether it may still be written under: it was renewed lately, and nobody else is known to have it. */
  isValid(): boolean
  /** False when another has it now; throws when nobody answered, which may be tried again. */
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

/**
 * Takes the lease of an input if it is free; undefined where another has it. Of two who try at once the broker lets one:
 * each names the message that it wants to replace.
 */
export async function takeLease(options: LeaseOptions, input: LiveInput): Promise<HeldLease | undefined> {
  const { holder, brokerMs, steadyMs } = options
  const found = await readLease(options.bus, input)
  if (!isFree(found?.lease, brokerMs())) return undefined
  const lease: Lease = { holder, token: nextToken(found?.lease, brokerMs()) }
  let askedMs = steadyMs()
  const first = await publish(options.bus, input, lease, found?.sequence ?? 0)
  if (first === undefined) return undefined
  let sequence = first
  let isLost = false
  return {
    token: lease.token,
    isValid: () => !isLost && mayWrite(steadyMs() - askedMs),
    async renew() {
      // From when it was asked for: the broker stored it later, never earlier.
      const nowMs = steadyMs()
      const next = await publish(options.bus, input, lease, sequence)
      if (next === undefined) isLost = true
      else [sequence, askedMs] = [next, nowMs]
      return next !== undefined
    },
    async release() {
      if (isLost) return
      isLost = true
      await publish(options.bus, input, { ...lease, holder: RELEASED }, sequence)
    },
  }
}

/** The holder of a lease that was given back. */
const RELEASED = ''

async function readLease(
  bus: Bus,
  input: LiveInput,
): Promise<{ readonly lease: StoredLease | undefined; readonly sequence: number } | undefined> {
  const { streams } = await manageLive(connectionOf(bus))
  const message = await streams.getMessage(LIVE_STREAM, { last_by_subj: leaseSubject(input) })
  if (message === null) return undefined
  const { holder, token } = message.json<Lease>()
  const storedMs = holder === RELEASED ? Number.NEGATIVE_INFINITY : message.time.getTime()
  return { lease: { holder, token, storedMs }, sequence: message.seq }
}

/** The sequence of the message, if it took the place of the one that was expected. */
async function publish(
  bus: Bus,
  input: LiveInput,
  lease: Lease,
  expected: number,
): Promise<number | undefined> {
  try {
    const { seq } = await jetstream(connectionOf(bus)).publish(leaseSubject(input), JSON.stringify(lease), {
      expect: { lastSubjectSequence: expected },
      timeout: ANSWER_MS,
    })
    return seq
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return undefined
    throw error
  }
}

/** What nats-server calls it when the last message of the subject is another than was expected. */
export const WRONG_LAST_SEQUENCE = 10_071

export function connectionOf(bus: Bus) {
  const nc = bus.connection()
  if (nc === undefined) throw new Error('there is no connection to NATS')
  return nc
}
