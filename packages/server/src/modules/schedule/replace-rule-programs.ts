import { NOTICE_MS } from '@continuity/core/ingest/check-window'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { type NewProgram, placeProgram, removeProgram } from './place-program.ts'
import { listProgramItems, listPrograms } from './program-store.ts'
import { findTimeline, type TimelineId } from './timeline-store.ts'

/** A program as a rule plans it. */
export type RuleProgram = Omit<NewProgram, 'accountId' | 'channelId' | 'origin'>

export interface RuleChanges {
  readonly placed: readonly RuleProgram[]
  /** Left out: another program has their time, or they begin too early. */
  readonly skipped: readonly RuleProgram[]
  readonly removedIds: readonly string[]
}

interface Window {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Replaces all programs of rules of a channel from a time on, but nothing that is committed or starts within a minute. A
 * program that is planned again as it is keeps its id. Windows in `taken` have other owners, such as requests that are not
 * placed yet. The channel is locked.
 */
export async function replaceRulePrograms(
  tx: Transaction,
  actor: Actor,
  id: TimelineId,
  fromMs: number,
  programs: readonly RuleProgram[],
  taken: readonly Window[] = [],
): Promise<RuleChanges> {
  const committedMs = (await findTimeline(tx, id))?.plannedUntilMs ?? 0
  const firstMs = Math.max(fromMs, committedMs, actor.nowMs + NOTICE_MS)
  const present = await listPrograms(tx, id, firstMs, Number.MAX_SAFE_INTEGER)
  const isOld = (it: (typeof present)[number]) => it.origin === 'RULE' && it.startMs >= firstMs
  const kept: Window[] = [...taken, ...present.filter((it) => !isOld(it))]
  const old = new Map(present.filter(isOld).map((it) => [it.startMs, it]))
  const oldItems = Map.groupBy(
    await listProgramItems(
      tx,
      id.accountId,
      [...old.values()].map(({ programId }) => programId),
    ),
    ({ programId }) => programId,
  )
  const placed: RuleProgram[] = []
  const skipped: RuleProgram[] = []
  for (const program of programs.toSorted((one, other) => one.startMs - other.startMs)) {
    const isFree = kept.every(({ startMs, endMs }) => endMs <= program.startMs || startMs >= program.endMs)
    if (!isFree || program.startMs < firstMs) {
      skipped.push(program)
      continue
    }
    kept.push(program)
    const same = old.get(program.startMs)
    const items = (oldItems.get(same?.programId ?? '') ?? []).map(({ programId: _id, ...item }) => item)
    if (same !== undefined && contentOf({ ...same, items }) === contentOf(program))
      old.delete(program.startMs)
    else placed.push(program)
  }
  const removedIds = [...old.values()].map(({ programId }) => programId)
  for (const programId of removedIds) await removeProgram(tx, actor, programId)
  for (const program of placed) await placeProgram(tx, actor, { ...program, ...id, origin: 'RULE' })
  return { placed, skipped, removedIds }
}

/** Whether two programs are alike; the rule may be another. */
const contentOf = ({
  title,
  description,
  endMs,
  items,
}: Omit<RuleProgram, 'programId' | 'details'>): string =>
  JSON.stringify([
    title,
    description,
    endMs,
    items.map((it) => [it.type, it.declaredMs, it.title, it.videoId, it.assetId]),
  ])
