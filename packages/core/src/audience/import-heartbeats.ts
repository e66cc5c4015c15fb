import type { SessionRules } from './heartbeat.ts'
import {
  addToBlock,
  BLOCK_MS,
  type BlockEnd,
  blockOf,
  comparePieces,
  type LoggedHeartbeat,
  type LoggedViewing,
  lastOfBlock,
  type WatchedPiece,
  watchBlock,
} from './heartbeat-block.ts'

/** A block as it is stored. */
export interface KeptBlock {
  readonly startMs: number
  /** Its records; of a block that only the next one depends on, the last one is enough. */
  readonly records: Uint8Array
  readonly end: BlockEnd
}

/** What becomes of a session with some more heartbeats. */
export interface SessionChange {
  /** Blocks that are new or others now. */
  readonly blocks: readonly KeptBlock[]
  /** Counted before, and not to be counted any more. */
  readonly gone: readonly WatchedPiece[]
  readonly added: readonly WatchedPiece[]
  /** Heartbeats that were not known. */
  readonly heartbeats: number
  /** Blocks that depend on what has changed and were not given: it has to be done again with them. */
  readonly missing: readonly number[]
}

/** The hours of which blocks are needed: all of some, and of others the end. */
export function neededBlocks(heartbeats: readonly LoggedHeartbeat[], missing: readonly number[]) {
  const touched = new Set([...heartbeats.map(({ atMs }) => blockOf(atMs)), ...missing])
  const whole = new Set([...touched].flatMap((startMs) => [startMs, startMs + BLOCK_MS]))
  const ends = [...touched].map((startMs) => startMs - BLOCK_MS).filter((startMs) => !whole.has(startMs))
  return { whole: [...whole], ends }
}

/**
 * Adds heartbeats to a session. What it watched is a function of the set of all its heartbeats, in the order of their
 * times: so lines that are imported twice change nothing, and one that comes late takes back what was counted without it.
 */
export function importHeartbeats(
  kept: ReadonlyMap<number, KeptBlock>,
  loaded: readonly number[],
  heartbeats: readonly LoggedHeartbeat[],
  rules: SessionRules,
): SessionChange {
  const byBlock = Map.groupBy(heartbeats, ({ atMs }) => blockOf(atMs))
  const hours = [...new Set([...loaded, ...byBlock.keys()])].toSorted((one, other) => one - other)
  const after = new Map<number, LoggedViewing | undefined>() // of blocks that were looked at
  const blocks: KeptBlock[] = []
  const gone: WatchedPiece[] = []
  const added: WatchedPiece[] = []
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
    const counted = watchBlock(records, startMs, before, rules).pieces
    const { pieces, last } = watchBlock(merged.block, startMs, nowBefore, rules)
    const difference = comparePieces(counted, pieces)
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
