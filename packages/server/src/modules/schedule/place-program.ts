import { NOTICE_MS } from '@continuity/core/ingest/check-window'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { advanceDue, setDue } from '../../platform/due/due-rows.ts'
import { listReferencing } from '../channels/index.ts'
import { recordEvent } from '../events/index.ts'
import { firstLookMs } from './late-items.ts'
import {
  deleteProgramItems,
  findProgram,
  type ItemRecord,
  insertProgram,
  insertProgramItems,
  listPrograms,
  markRemoved,
  type ProgramId,
  type ProgramRecord,
  updateProgram,
} from './program-store.ts'
import { noteGuideChange } from './publish-guide.ts'
import { ensureTimeline, noteChange, noteRulesChange, type TimelineId } from './timeline-store.ts'

/** A request is accepted up to a minute before its program starts, and half of that is left to place and plan it. */
const ROOM_MS = 30_000

/** Some segments longer than a minute: the cut is at a boundary before the requested time. */
const LATE_ITEM_MS = NOTICE_MS + 5_000

export interface NewProgram extends ProgramRecord {
  readonly items: readonly ItemRecord[]
}

/** `too_late`: its time is over, or a program that it was to replace is on the air or about to be. */
export type PlaceResult = 'placed' | 'too_late'

/**
 * Places a program of a request or an operator on a channel, and has the timeline planned with it. Programs in the same time
 * are removed: those of requests that it replaced, or that others had replaced before, and those of rules. Requests with a
 * time slot and programs of operators never overlap.
 */
export async function placeProgram(tx: Transaction, actor: Actor, program: NewProgram): Promise<PlaceResult> {
  const { accountId, startMs } = program
  const { nowMs } = actor
  await ensureTimeline(tx, program)
  const former = await listPrograms(tx, program, startMs, program.endMs)
  const isNear = former.some((it) => it.origin !== 'RULE' && it.startMs < nowMs + ROOM_MS)
  if (program.endMs < nowMs + ROOM_MS || isNear) return 'too_late'
  for (const it of former)
    await (it.origin === 'RULE' ? giveWay(tx, actor, it, startMs) : remove(tx, actor, it))
  await insertProgram(tx, program, nowMs)
  await record(tx, actor, 'program.placed', program)
  await insertProgramItems(tx, program, program.items)
  const { programId } = program
  await setDue(tx, { kind: 'late_items', subjectId: programId, accountId, dueMs: firstLookMs(program) })
  await replan(tx, program, startMs, nowMs)
  await planRulesAgain(tx, program, startMs, nowMs)
  return 'placed'
}

/** A program of a rule gives way to any other: it ends where the other begins, or is removed if it begins later. */
async function giveWay(
  tx: Transaction,
  actor: Actor,
  program: ProgramRecord,
  startMs: number,
): Promise<void> {
  if (program.startMs >= startMs) return remove(tx, actor, program)
  const shortened = { ...program, endMs: startMs }
  await updateProgram(tx, shortened)
  await record(tx, actor, 'program.changed', shortened)
}

/** Moves a program that is ahead, or gives it other items. Its window overlaps none but those of rules. */
export async function replaceProgram(
  tx: Transaction,
  actor: Actor,
  before: ProgramRecord,
  after: NewProgram,
): Promise<void> {
  const { accountId, programId, startMs } = after
  for (const it of await listPrograms(tx, after, startMs, after.endMs))
    if (it.programId !== programId) await giveWay(tx, actor, it, startMs)
  await updateProgram(tx, after)
  await deleteProgramItems(tx, after)
  await insertProgramItems(tx, after, after.items)
  await record(tx, actor, 'program.changed', after)
  await setDue(tx, { kind: 'late_items', subjectId: programId, accountId, dueMs: firstLookMs(after) })
  const fromMs = Math.min(before.startMs, startMs)
  await replan(tx, after, fromMs, actor.nowMs)
  await planRulesAgain(tx, after, fromMs, actor.nowMs)
}

/** Whether a program still has its time slot. */
export const hasProgram = async (tx: Transaction, id: ProgramId): Promise<boolean> =>
  (await findProgram(tx, id)) !== undefined

/** Removes a program that failed or is cancelled: its time is filled. */
export async function removeProgram(tx: Transaction, actor: Actor, programId: string): Promise<void> {
  const program = await findProgram(tx, { accountId: actor.accountId, programId })
  if (program === undefined) return
  await remove(tx, actor, program)
  await replan(tx, program, program.startMs, actor.nowMs)
  await planRulesAgain(tx, program, program.startMs, actor.nowMs)
}

/** The due row closes the alert for its late items. */
async function remove(tx: Transaction, actor: Actor, program: ProgramRecord): Promise<void> {
  const { accountId, programId } = program
  const { nowMs } = actor
  await markRemoved(tx, accountId, [programId], nowMs)
  await setDue(tx, { kind: 'late_items', subjectId: programId, accountId, dueMs: nowMs })
  await record(tx, actor, 'program.removed', program)
}

const record = (
  tx: Transaction,
  actor: Actor,
  kind: 'program.placed' | 'program.changed' | 'program.removed',
  { programId, channelId, title, startMs, endMs }: ProgramRecord,
): Promise<void> =>
  recordEvent(tx, actor, {
    kind,
    subjectId: programId,
    data: {
      program_id: programId,
      linear_channel_id: channelId,
      title,
      start_time: new Date(startMs).toISOString(),
      end_time: new Date(endMs).toISOString(),
    },
  })

/** A video of a program has become ready, or never will. */
export async function noteItemEnded(tx: Transaction, actor: Actor, programId: string): Promise<void> {
  const id: ProgramId = { accountId: actor.accountId, programId }
  const program = await findProgram(tx, id)
  if (program === undefined) return
  await setDue(tx, { kind: 'late_items', subjectId: programId, accountId: id.accountId, dueMs: actor.nowMs })
  // The whole program, if it is ahead: an item that is longer or shorter than declared moves all that follow.
  await replan(tx, program, Math.max(program.startMs, actor.nowMs + LATE_ITEM_MS), actor.nowMs)
}

export async function replan(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  fromMs: number,
  nowMs: number,
) {
  if (!(await noteChange(tx, { accountId, channelId }, fromMs))) return
  await noteGuideChange(tx, { accountId, channelId }, nowMs)
  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
}

/** Operators and partners often make several changes. */
const RULES_DELAY_MS = 3_000

/** Where a channel has rules, they are planned again from a time on: other programs have changed there. */
export async function planRulesAgain(
  tx: Transaction,
  id: TimelineId,
  fromMs: number,
  nowMs: number,
): Promise<void> {
  await noteRulesChange(tx, id, fromMs)
  await advanceDue(tx, 'plan_rules', [id.channelId], nowMs + RULES_DELAY_MS)
}

/** A video that channels have for a slate has become ready: what is planned with another one is planned anew. */
export async function noteSlateReady(
  tx: Transaction,
  { accountId, nowMs }: Actor,
  videoId: string,
): Promise<void> {
  for (const channelId of await listReferencing(tx, accountId, videoId))
    await replan(tx, { accountId, channelId }, nowMs + LATE_ITEM_MS, nowMs)
}
