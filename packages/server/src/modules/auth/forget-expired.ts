import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { forgetEnded } from './ended-store.ts'
import { forgetTries } from './limit-store.ts'
import { KNOWN_ADDRESS_MS } from './log-in.ts'
import { ACCESS_MS } from './open-session.ts'

/** At once, so that nobody waits long for a lock; who cleans up asks until there is less. */
const FORGET_MOST = 1_000

/** A session that is over is kept for a while, for those who ask what happened. */
const SESSION_KEPT_MS = 7 * 24 * 60 * 60 * 1_000

/** By what it is: each deletes a bounded number of rows that nobody needs any more, and tells how many. */
export const forgetExpiredAuth: Readonly<Record<string, (platform: Db, nowMs: number) => Promise<number>>> = {
  login_limits: (platform, nowMs) => forgetTries(platform, nowMs, FORGET_MOST),
  ended_credentials: (platform, nowMs) => forgetEnded(platform, nowMs - 2 * ACCESS_MS, FORGET_MOST),
  sessions: (platform, nowMs) => callForget(platform, 'forget_sessions', nowMs - SESSION_KEPT_MS),
  user_addresses: (platform, nowMs) =>
    callForget(platform, 'forget_user_addresses', nowMs - KNOWN_ADDRESS_MS),
}

async function callForget(platform: Db, name: string, beforeMs: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    select ${sql.id(name)}(${beforeMs}, ${FORGET_MOST}) as gone`.execute(platform)
  return rows[0]!.gone
}
