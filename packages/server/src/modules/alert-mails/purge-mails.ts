import type { Db } from '../../platform/database/database.ts'
import { purgeMailsBefore } from './mail-store.ts'

const KEPT_MS = 7 * 24 * 3_600_000
const AT_ONCE = 1_000

/** Deletes a batch of expired mails of all accounts and returns their number. Call until it returns 0. */
export const purgeMails = (platform: Db, nowMs: number): Promise<number> =>
  purgeMailsBefore(platform, nowMs - KEPT_MS, AT_ONCE)
