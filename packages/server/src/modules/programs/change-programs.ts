import { checkWindow, NOTICE_MS } from '@continuity/core/ingest/check-window'
import type { Actor } from '../../platform/actor.ts'
import { isId, newId } from '../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { recordAudit } from '../audit/index.ts'
import { requireChannelLocked } from '../channels/index.ts'
import { cancelRequestOf, listOverlapping } from '../ingest/index.ts'
import {
  findProgram,
  listPrograms,
  type NewProgram,
  placeProgram,
  removeProgram,
  replaceProgram,
  ScheduleOverlap,
  ScheduleTooLate,
  ScheduleTooLong,
  type StoredProgram,
  updateProgram,
} from '../schedule/index.ts'
import { ProgramNotFound, ProgramOfRequest, ProgramStarted } from './errors.ts'
import { type DraftItem, resolveItems } from './resolve-items.ts'

/** A program as an operator schedules it. */
export interface ProgramDraft {
  readonly title: string
  readonly description: string
  readonly startMs: number
  /** Undefined: with its last item. */
  readonly endMs: number | undefined
  readonly items: readonly DraftItem[]
}

/** Gets the locked program before a change. */
export type Check = (program: StoredProgram) => void

/** Schedules a program. Every change of a schedule locks the channel, so the second of two that overlap finds the first. */
export async function createProgram(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  draft: ProgramDraft,
): Promise<StoredProgram> {
  const channel = await requireChannelLocked(tx, actor.accountId, channelId)
  const program = await programOf(tx, actor, channel.channelId, newId(actor.nowMs), draft)
  if ((await placeProgram(tx, actor, program)) === 'too_late') throw ScheduleTooLate()
  await audit(tx, actor, 'program.create', undefined, program)
  return requireProgram(tx, actor.accountId, channel.channelId, program.programId)
}

/** Moves a program that is ahead, or gives it other items. One of a rule becomes the operator's: no rule replaces it. */
export async function changeProgram(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  programId: string,
  draft: ProgramDraft,
  check: Check,
): Promise<StoredProgram> {
  const channel = await requireChannelLocked(tx, actor.accountId, channelId)
  const before = await requireProgram(tx, actor.accountId, channel.channelId, programId)
  check(before)
  if (before.origin === 'REQUEST') throw ProgramOfRequest()
  requireAhead(before, actor.nowMs)
  const after = await programOf(tx, actor, channel.channelId, programId, draft)
  await replaceProgram(tx, actor, before, after)
  await audit(tx, actor, 'program.change', before, after)
  return requireProgram(tx, actor.accountId, channel.channelId, programId)
}

/** Cancels a program that is ahead, whatever its origin; its time is filled. */
export async function cancelProgram(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  programId: string,
  check: Check,
): Promise<void> {
  const channel = await requireChannelLocked(tx, actor.accountId, channelId)
  const program = await requireProgram(tx, actor.accountId, channel.channelId, programId)
  check(program)
  requireAhead(program, actor.nowMs)
  // Otherwise its rule would plan it again.
  if (program.origin === 'RULE')
    await updateProgram(tx, { ...program, origin: 'OPERATOR', originId: actor.userId })
  await removeProgram(tx, actor, programId)
  if (program.origin === 'REQUEST') await cancelRequestOf(tx, actor, programId)
  await audit(tx, actor, 'program.cancel', program, undefined)
}

/** Throws 404 for a malformed id, a program that was removed, and one of another channel or account. */
export async function requireProgram(
  db: Db,
  accountId: string,
  channelId: string,
  programId: string,
): Promise<StoredProgram> {
  const program = isId(programId) ? await findProgram(db, { accountId, programId }) : undefined
  if (program?.channelId !== channelId) throw ProgramNotFound()
  return program
}

function requireAhead({ startMs }: StoredProgram, nowMs: number): void {
  if (startMs < nowMs + NOTICE_MS) throw ProgramStarted()
}

async function programOf(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  programId: string,
  { title, description, startMs, endMs: givenMs, items: named }: ProgramDraft,
): Promise<NewProgram> {
  const { accountId, nowMs } = actor
  const { items, details, lengthMs } = await resolveItems(tx, actor, named)
  const endMs = givenMs ?? startMs + lengthMs
  const declaredSeconds = items.map(({ declaredMs }) => declaredMs / 1_000)
  const result = checkWindow({ startMs, endMs, declaredSeconds }, nowMs)
  if (result.kind === 'rejected')
    throw result.reason === 'too_late' ? ScheduleTooLate() : ScheduleTooLong(result.overMs)
  const window = { accountId, channelId, startMs, endMs }
  await requireFree(tx, window, programId)
  const origin = { origin: 'OPERATOR', originId: actor.userId } as const
  return { ...window, ...origin, programId, sourceId: '', title, description, details, items }
}

/** A request that is not placed yet has its time slot too. Programs of rules give way. */
async function requireFree(
  tx: Transaction,
  window: Pick<NewProgram, 'accountId' | 'channelId' | 'startMs' | 'endMs'>,
  programId: string,
): Promise<void> {
  const programs = await listPrograms(tx, window, window.startMs, window.endMs)
  const other =
    programs.find((it) => it.origin !== 'RULE' && it.programId !== programId) ??
    (await listOverlapping(tx, window))[0]
  if (other !== undefined) throw ScheduleOverlap(printTime(other.startMs), printTime(other.endMs))
}

async function audit(
  tx: Transaction,
  actor: Actor,
  action: string,
  before: StoredProgram | undefined,
  after: NewProgram | undefined,
): Promise<void> {
  const { programId, channelId } = (after ?? before)!
  const entry = (program: StoredProgram | NewProgram | undefined) =>
    program === undefined
      ? null
      : {
          linear_channel_id: channelId,
          title: program.title,
          start_time: printTime(program.startMs),
          end_time: printTime(program.endMs),
          origin: program.origin,
        }
  await recordAudit(tx, actor, {
    action,
    subjectType: 'program',
    subjectId: programId,
    before: entry(before),
    after: entry(after),
  })
}

const printTime = (timeMs: number): string => new Date(timeMs).toISOString()
