import { createHash } from 'node:crypto'
import type { Db } from '../../platform/database/database.ts'
import { countTry, type Limit, uncountTry } from './limit-store.ts'

const WINDOW_MS = 15 * 60 * 1_000

/**
 * Wrong passwords in any 15 minutes. For one user together never more than ten
 * hashes are computed: five for strangers, and five that only addresses can
 * use from which that user has logged in before, so that an attacker can use
 * up the strangers' and still not lock the person out.
 */
const STRANGERS_TRIES = 5
const KNOWN_TRIES = 5

/** From one address, whoever it names. Offices and networks share one, so it is wider. */
const ADDRESS_TRIES = 30

/** Devices that one address may register in the window: a network behind one address has many. */
const DEVICE_TRIES = 600

export interface LoginTry {
  readonly accountName: string
  readonly email: string
  readonly address: string
  /** That user logged in from this address lately. */
  readonly isKnown: boolean
}

export type LimitResult =
  | { readonly kind: 'allowed'; takeBack(): Promise<void> }
  | { readonly kind: 'refused'; readonly retryAfterSeconds: number }

/**
 * Counts a try before its password is looked at: counted afterwards, all that
 * arrive at once would pass. A good login takes its own try back.
 */
export function countLogin(
  platform: Db,
  { accountName, email, address, isKnown }: LoginTry,
  nowMs: number,
): Promise<LimitResult> {
  // The address first: one that has no tries left must not use up those of the users that it names.
  const limits = isKnown
    ? [limitOf(KNOWN_TRIES, 'known', accountName, email)]
    : [limitOf(ADDRESS_TRIES, 'address', address), limitOf(STRANGERS_TRIES, 'stranger', accountName, email)]
  return count(platform, limits, nowMs)
}

export function countDevice(platform: Db, address: string, nowMs: number): Promise<LimitResult> {
  return count(platform, [limitOf(DEVICE_TRIES, 'device', address)], nowMs)
}

async function count(platform: Db, limits: readonly Limit[], nowMs: number): Promise<LimitResult> {
  for (const limit of limits) {
    const result = await countTry(platform, limit, nowMs)
    if (result.kind === 'full') {
      // A call that waited for the database carries an older time than those it waited for.
      const waitMs = Math.min(result.untilMs - nowMs, limit.windowMs)
      return { kind: 'refused', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }
    }
  }
  return {
    kind: 'allowed',
    async takeBack() {
      for (const { key } of limits) await uncountTry(platform, key, nowMs)
    },
  }
}

/** The table tells nobody who was tried, or from where. */
const limitOf = (most: number, ...parts: readonly string[]): Limit => ({
  key: createHash('sha256').update(JSON.stringify(parts)).digest(),
  most,
  windowMs: WINDOW_MS,
})
