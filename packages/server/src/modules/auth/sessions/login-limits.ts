import { createHash } from 'node:crypto'
import type { Db } from '../../../platform/database/database.ts'
import { countTry, type Limit, uncountTry } from '../records/limit-store.ts'

const WINDOW_MS = 15 * 60 * 1_000

/**
 * Wrong passwords in any 15 minutes. At most ten hashes are computed for one user:
 * five for unknown addresses, and five for addresses from which that user has
 * logged in before, so that an attacker cannot lock the user out.
 */
const UNKNOWN_TRIES = 5
const KNOWN_TRIES = 5

/** From one address, for any user. Offices and networks share an address, so the limit is higher. */
const ADDRESS_TRIES = 30

/** Devices that one address may register in the window: a network behind one address has many. */
const DEVICE_TRIES = 600

export interface LoginTry {
  readonly accountName: string
  readonly email: string
  readonly address: string
  /** The user logged in from this address within `KNOWN_ADDRESS_MS`. */
  readonly isKnown: boolean
}

export type LimitResult =
  | { readonly kind: 'allowed'; takeBack(): Promise<void> }
  | { readonly kind: 'rejected'; readonly retryAfterSeconds: number }

/**
 * Counts an attempt before its password is checked; otherwise concurrent attempts
 * would all pass. A successful login takes its attempt back.
 */
export function countLogin(
  platform: Db,
  { accountName, email, address, isKnown }: LoginTry,
  nowMs: number,
): Promise<LimitResult> {
  // The address first: one without attempts left must not use up those of a user.
  const limits = isKnown
    ? [limitOf(KNOWN_TRIES, 'known', accountName, email)]
    : [limitOf(ADDRESS_TRIES, 'address', address), limitOf(UNKNOWN_TRIES, 'stranger', accountName, email)]
  return count(platform, limits, nowMs)
}

export function countDevice(platform: Db, address: string, nowMs: number): Promise<LimitResult> {
  return count(platform, [limitOf(DEVICE_TRIES, 'device', address)], nowMs)
}

async function count(platform: Db, limits: readonly Limit[], nowMs: number): Promise<LimitResult> {
  for (const limit of limits) {
    const result = await countTry(platform, limit, nowMs)
    if (result.kind === 'full') {
      // A call that waited for the database has an older time than those it waited for.
      const waitMs = Math.min(result.untilMs - nowMs, limit.windowMs)
      return { kind: 'rejected', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }
    }
  }
  return {
    kind: 'allowed',
    async takeBack() {
      for (const { key } of limits) await uncountTry(platform, key, nowMs)
    },
  }
}

/** Keys are hashed: the table contains no users and no addresses. */
const limitOf = (most: number, ...parts: readonly string[]): Limit => ({
  key: createHash('sha256').update(JSON.stringify(parts)).digest(),
  most,
  windowMs: WINDOW_MS,
})
