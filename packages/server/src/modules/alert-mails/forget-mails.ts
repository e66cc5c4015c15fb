import type { Db } from '../../platform/database/database.ts'
import { forgetMailsBefore } from './mail-store.ts'

const KEPT_MS = 7 * 24 * 3_600_000
const AT_ONCE = 1_000

/** Purges mails that have ended long ago, of all accounts: a bounded number, until there are none. */
export const forgetMails = (platform: Db, nowMs: number): Promise<number> =>
  forgetMailsBefore(platform, nowMs - KEPT_MS, AT_ONCE)
