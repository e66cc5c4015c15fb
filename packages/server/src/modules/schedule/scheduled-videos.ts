import type { Actor } from '../../platform/actor.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { findChannel } from '../channels/index.ts'
import { planRulesAgain, replan } from './place-program.ts'
import { COMMITTED_MS } from './plan-channel.ts'
import { listProgramsShowing } from './program-store.ts'

/**
 * Whether a video is in a program that is on the air or begins within 25 hours, whatever the state of its channel: one
 * that is OFFLINE may be started at any time and shows the program then. A deleted channel shows nothing any more.
 */
export async function isVideoCommitted(
  db: Db,
  accountId: string,
  videoId: string,
  nowMs: number,
): Promise<boolean> {
  const programs = await listProgramsShowing(db, accountId, videoId, nowMs, nowMs + COMMITTED_MS)
  for (const channelId of new Set(programs.map((program) => program.channelId)))
    if ((await findChannel(db, accountId, channelId)) !== undefined) return true
  return false
}

/** Up to an hour more than that may be committed already: it is planned anew, and the time of the video is filled. */
export async function noteVideoDeleted(
  tx: Transaction,
  { accountId, nowMs }: Actor,
  videoId: string,
): Promise<void> {
  for (const program of await listProgramsShowing(tx, accountId, videoId, nowMs, Number.MAX_SAFE_INTEGER)) {
    await replan(tx, program, program.startMs, nowMs)
    await planRulesAgain(tx, program, program.startMs, nowMs)
  }
}
