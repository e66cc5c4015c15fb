import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { purgeEnded } from '../records/ended-store.ts'
import { purgeTries } from '../records/limit-store.ts'
import { KNOWN_ADDRESS_MS } from './log-in.ts'
import { ACCESS_MS } from './open-session.ts'

/** Rows per statement, to keep locks short; the job repeats until fewer are deleted. */
const PURGE_MOST = 1_000

/** How long an ended session is kept for investigations. */
const SESSION_KEPT_MS = 7 * 24 * 60 * 60 * 1_000

/** By table: each deletes a bounded number of expired rows and returns how many. */
export const purgeExpiredAuth: Readonly<Record<string, (platform: Db, nowMs: number) => Promise<number>>> = {
  login_limits: (platform, nowMs) => purgeTries(platform, nowMs, PURGE_MOST),
  ended_credentials: (platform, nowMs) => purgeEnded(platform, nowMs - 2 * ACCESS_MS, PURGE_MOST),
  sessions: (platform, nowMs) => callPurge(platform, 'forget_sessions', nowMs - SESSION_KEPT_MS),
  user_addresses: (platform, nowMs) => callPurge(platform, 'forget_user_addresses', nowMs - KNOWN_ADDRESS_MS),
}

async function callPurge(platform: Db, name: string, beforeMs: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    select ${sql.id(name)}(${beforeMs}, ${PURGE_MOST}) as gone`.execute(platform)
  return rows[0]!.gone
}
