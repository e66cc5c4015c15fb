import { NOTICE_MS } from '@continuity/core/ingest/check-window'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { type NewProgram, replan } from './place-program.ts'
import {
  findLastEnd,
  insertItems,
  insertPrograms,
  listCancelledWindows,
  listProgramItems,
  listPrograms,
  markRemoved,
  type ProgramRule,
  updateRules,
} from './program-store.ts'
import { ensureTimeline, findTimeline, type TimelineId } from './timeline-store.ts'

/** A program as a rule plans it. */
export interface RuleProgram
  extends Omit<NewProgram, 'accountId' | 'channelId' | 'origin' | 'originId' | 'sourceId' | 'rule'> {
  readonly rule: ProgramRule
}

export interface RuleChanges {
  readonly placed: readonly RuleProgram[]
  /** Left out: another program has their time, or they begin too early. */
  readonly skipped: readonly RuleProgram[]
  readonly removedIds: readonly string[]
}

export interface Window {
  readonly startMs: number
  readonly endMs: number
}

/**
 * From when on programs of rules can be replaced: nothing that is committed or starts within a minute. Committed time after
 * the last program is only filled, and can be planned.
 */
export async function findReplaceableFrom(db: Db, id: TimelineId, nowMs: number): Promise<number> {
  const committedMs = await findCommittedUntil(db, id)
  const lastEndMs = (await findLastEnd(db, id, committedMs)) ?? 0
  return Math.max(Math.min(committedMs, lastEndMs), nowMs + NOTICE_MS)
}

/** 0 for a channel that was never on the air. */
export const findCommittedUntil = async (db: Db, id: TimelineId): Promise<number> =>
  (await findTimeline(db, id))?.plannedUntilMs ?? 0

/**
 * Replaces all programs of rules of a channel from a time on, but none that can no longer be replaced. A program that is
 * planned again as it is keeps its id. Windows in `taken` have other owners, such as requests that are not placed yet. Nothing
 * of a channel off the air is committed: there, programs are replaced that start at once, or have started. The
 * channel is locked. A month of programs is written in few statements, and without an event for each.
 */
export async function replaceRulePrograms(
  tx: Transaction,
  actor: Actor,
  id: TimelineId,
  fromMs: number,
  programs: readonly RuleProgram[],
  { taken = [], isOffAir = false }: { readonly taken?: readonly Window[]; readonly isOffAir?: boolean } = {},
): Promise<RuleChanges> {
  const { accountId, channelId } = id
  const { nowMs } = actor
  await ensureTimeline(tx, id)
  const firstMs = Math.max(
    fromMs,
    isOffAir ? await findCommittedUntil(tx, id) : await findReplaceableFrom(tx, id, nowMs),
  )
  const present = await listPrograms(tx, id, Math.max(firstMs, nowMs), Number.MAX_SAFE_INTEGER)
  const isOld = (it: (typeof present)[number]) => it.origin === 'RULE' && it.startMs >= firstMs
  const others = [...taken, ...(await listCancelledWindows(tx, id, firstMs))]
  const isFree = createFreeTimes([...others, ...present.filter((it) => !isOld(it))])
  const old = new Map(present.filter(isOld).map((it) => [it.startMs, it]))
  const oldIds = [...old.values()].map(({ programId }) => programId)
  const oldItems = Map.groupBy(await listProgramItems(tx, accountId, oldIds), ({ programId }) => programId)
  const placed: RuleProgram[] = []
  const skipped: RuleProgram[] = []
  const kept: { readonly programId: string; readonly rule: ProgramRule }[] = []
  for (const program of programs.toSorted((one, other) => one.startMs - other.startMs)) {
    if (program.startMs < firstMs || !isFree(program)) {
      skipped.push(program)
      continue
    }
    const same = old.get(program.startMs)
    const items = oldItems.get(same?.programId ?? '') ?? []
    if (same === undefined || contentOf({ ...same, items }) !== contentOf(program)) {
      placed.push(program)
      continue
    }
    old.delete(program.startMs)
    if (JSON.stringify(same.rule) !== JSON.stringify(program.rule))
      kept.push({ programId: same.programId, rule: program.rule })
  }
  const removedIds = [...old.values()].map(({ programId }) => programId)
  const changedMs = Math.min(...old.keys(), ...placed.map(({ startMs }) => startMs))
  await updateRules(tx, accountId, kept)
  if (removedIds.length > 0) await markRemoved(tx, accountId, removedIds, nowMs)
  if (placed.length > 0) {
    const whose = { accountId, channelId, sourceId: '', origin: 'RULE', originId: null } as const
    await insertPrograms(
      tx,
      accountId,
      placed.map((program) => ({ ...program, ...whose })),
      nowMs,
    )
    await insertItems(tx, accountId, placed)
  }
  if (Number.isFinite(changedMs)) await replan(tx, id, changedMs, nowMs)
  return { placed, skipped, removedIds }
}

/** Whether a window overlaps none of the others, nor one that was free before; windows are passed in order of their start. */
function createFreeTimes(others: readonly Window[]): (window: Window) => boolean {
  const waiting = others.toSorted((one, other) => one.startMs - other.startMs)
  let at = 0
  let busyMs = Number.NEGATIVE_INFINITY // the latest end of those that started before
  return ({ startMs, endMs }) => {
    for (; at < waiting.length && waiting[at]!.startMs <= startMs; at += 1)
      busyMs = Math.max(busyMs, waiting[at]!.endMs)
    const isFree = busyMs <= startMs && (waiting[at]?.startMs ?? Infinity) >= endMs
    if (isFree) busyMs = endMs
    return isFree
  }
}

/** Whether two programs are alike; the rule may be another. */
const contentOf = ({
  title,
  description,
  endMs,
  items,
}: Pick<RuleProgram, 'title' | 'description' | 'endMs' | 'items'>): string =>
  JSON.stringify([
    title,
    description,
    endMs,
    items.map((it) => [
      it.type,
      it.declaredMs,
      it.title,
      it.videoId,
      it.assetId,
      it.inMs ?? null,
      it.outMs ?? null,
    ]),
  ])
