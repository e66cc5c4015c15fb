import type { SessionRules } from './heartbeat.ts'
import {
  addToBlock,
  BLOCK_MS,
  type BlockEnd,
  blockOf,
  compareParts,
  type LoggedHeartbeat,
  type LoggedViewing,
  lastOfBlock,
  type WatchedPart,
  watchBlock,
} from './heartbeat-block.ts'

/** A block as stored. */
export interface KeptBlock {
  readonly startMs: number
  /** Its records; if only the next block depends on it, the last one is sufficient. */
  readonly records: Uint8Array
  readonly end: BlockEnd
}

/** The changes of a session by additional heartbeats. */
export interface SessionChange {
  /** New or changed blocks. */
  readonly blocks: readonly KeptBlock[]
  /** Counted before, and to be subtracted. */
  readonly gone: readonly WatchedPart[]
  readonly added: readonly WatchedPart[]
  /** Number of new heartbeats. */
  readonly heartbeats: number
  /** Blocks that depend on the changes and were not given: the import has to be repeated with them. */
  readonly missing: readonly number[]
}

/** The hours whose blocks are needed: some completely, of others only the end. */
export function neededBlocks(heartbeats: readonly LoggedHeartbeat[], missing: readonly number[]) {
  const touched = new Set([...heartbeats.map(({ atMs }) => blockOf(atMs)), ...missing])
  const whole = new Set([...touched].flatMap((startMs) => [startMs, startMs + BLOCK_MS]))
  const ends = [...touched].map((startMs) => startMs - BLOCK_MS).filter((startMs) => !whole.has(startMs))
  return { whole: [...whole], ends }
}

/**
 * Adds heartbeats to a session. What it watched is a function of the set of all its heartbeats, ordered by
 * time: so lines that are imported twice change nothing, and a late one subtracts what was counted without it.
 */
export function importHeartbeats(
  kept: ReadonlyMap<number, KeptBlock>,
  loaded: readonly number[],
  heartbeats: readonly LoggedHeartbeat[],
  rules: SessionRules,
): SessionChange {
  const byBlock = Map.groupBy(heartbeats, ({ atMs }) => blockOf(atMs))
  const hours = [...new Set([...loaded, ...byBlock.keys()])].toSorted((one, other) => one - other)
  const after = new Map<number, LoggedViewing | undefined>() // of processed blocks
  const blocks: KeptBlock[] = []
  const gone: WatchedPart[] = []
  const added: WatchedPart[] = []
  const missing: number[] = []
  let count = 0
  const lastKept = (startMs: number) => {
    const block = kept.get(startMs)
    return block && lastOfBlock(block.records, startMs, block.end)
  }
  for (const startMs of hours) {
    const block = kept.get(startMs)
    const fresh = byBlock.get(startMs) ?? []
    if (block === undefined && fresh.length === 0) continue
    const before = lastKept(startMs - BLOCK_MS)
    const nowBefore = after.has(startMs - BLOCK_MS) ? after.get(startMs - BLOCK_MS) : before
    const records = block?.records ?? new Uint8Array()
    const merged = addToBlock(records, startMs, fresh)
    if (merged.added === 0 && isSameViewing(before, nowBefore)) continue
    count += merged.added
    const counted = watchBlock(records, startMs, before, rules).parts
    const { parts, last } = watchBlock(merged.block, startMs, nowBefore, rules)
    const difference = compareParts(counted, parts)
    gone.push(...difference.gone)
    added.push(...difference.added)
    const { owedMs, isIdle, isStarted } = last!
    blocks.push({ startMs, records: merged.block, end: { owedMs, isIdle, isStarted } })
    after.set(startMs, last)
    const next = startMs + BLOCK_MS
    if (!hours.includes(next) && !isSameViewing(lastKept(startMs), last)) missing.push(next)
  }
  return { blocks, gone, added, heartbeats: count, missing }
}

const isSameViewing = (one: LoggedViewing | undefined, other: LoggedViewing | undefined): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.atMs === other.atMs &&
    one.shiftMs === other.shiftMs &&
    one.isPaused === other.isPaused &&
    one.bufferMs === other.bufferMs &&
    one.country === other.country &&
    one.owedMs === other.owedMs &&
    one.isIdle === other.isIdle &&
    one.isStarted === other.isStarted)
