import { msOf } from '@continuity/core/time/ticks'
import { platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import { withItems } from './load-schedule.ts'
import type { PlanDeps } from './plan-channel.ts'
import { findProgram, type ProgramId, type ProgramRecord } from './program-store.ts'

/** How long before its slot an item that is not ready is a warning, and how long before it is critical. */
const WARNING_MS = 30 * 60_000
const CRITICAL_MS = 5 * 60_000

/** Items may follow one another quickly; they are checked this often while one is missing. */
const LOOK_AGAIN_MS = 60_000

export const firstLookMs = ({ startMs }: Pick<ProgramRecord, 'startMs'>): number => startMs - WARNING_MS

/** Opens an alert for items of a program that are not ready half an hour before their slots, critical from five minutes on. */
export async function watchItems(tx: Transaction, { clock }: PlanDeps, id: ProgramId): Promise<void> {
  const nowMs = clock()
  const { accountId, programId } = id
  const actor = platformActor(accountId, nowMs)
  const subject = { code: 'item.late' as const, subjectType: 'program', subjectId: programId }
  const program = await findProgram(tx, id)
  const missing = program === undefined ? [] : await listMissing(tx, program, nowMs)
  const late = missing.filter(({ slotMs }) => slotMs - WARNING_MS <= nowMs)
  if (late.length === 0) await closeAlert(tx, actor, subject)
  else {
    const isCritical = late.some(({ slotMs }) => slotMs - CRITICAL_MS <= nowMs)
    await openAlert(tx, actor, {
      ...subject,
      severity: isCritical ? 'CRITICAL' : 'WARNING',
      message: messageOf(program!, late),
    })
  }
  const next = missing.find(({ slotMs }) => slotMs - WARNING_MS > nowMs)
  if (missing.length === 0) return
  const dueMs = late.length > 0 ? nowMs + LOOK_AGAIN_MS : next!.slotMs - WARNING_MS
  await setDue(tx, { kind: 'late_items', subjectId: programId, accountId, dueMs })
}

interface MissingItem {
  readonly title: string
  readonly slotMs: number
}

/** Items without media whose slots are not over, by their declared lengths. */
async function listMissing(
  tx: Transaction,
  program: ProgramRecord,
  nowMs: number,
): Promise<readonly MissingItem[]> {
  const [scheduled] = await withItems(tx, program.accountId, [program])
  let slotMs = program.startMs
  const missing: MissingItem[] = []
  for (const { type, media, title, declaredTicks } of scheduled!.items) {
    const endMs = slotMs + msOf(declaredTicks)
    if (type !== 'AD_POD' && media === null && endMs > nowMs) missing.push({ title, slotMs })
    slotMs = endMs
  }
  return missing
}

/** As many as a person reads. */
const NAMED = 5

function messageOf({ title, startMs }: ProgramRecord, late: readonly MissingItem[]): string {
  const names = late
    .slice(0, NAMED)
    .map((item) => `"${item.title}" at ${new Date(item.slotMs).toISOString()}`)
  const more = late.length > NAMED ? ` and ${late.length - NAMED} more` : ''
  return `Items of "${title}" (${new Date(startMs).toISOString()}) are not ready: ${names.join(', ')}${more}. Their time is filled until they are.`
}
