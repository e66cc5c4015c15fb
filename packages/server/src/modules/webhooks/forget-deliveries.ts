import type { Db } from '../../platform/database/database.ts'
import { forgetDeliveriesBefore } from './delivery-store.ts'

const KEPT_MS = 7 * 24 * 3_600_000
const AT_ONCE = 1_000

/** Purges deliveries that have ended long ago, of all accounts: a bounded number, until there are none. */
export const forgetDeliveries = (platform: Db, nowMs: number): Promise<number> =>
  forgetDeliveriesBefore(platform, nowMs - KEPT_MS, AT_ONCE)
