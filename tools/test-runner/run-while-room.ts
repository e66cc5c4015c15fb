import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

export interface RoomOptions {
  /** Runs the next one; false when none is left. */
  runNext(): Promise<boolean>
  /** So many at once, however busy the processors are. */
  readonly exactly?: number | undefined
  /** The share of time in which the processors were idle since the last call. */
  readIdleShare?(): number
  readonly lookMs?: number
}

/** More than this is room for another file. */
const IDLE_SHARE = 0.2
const LOOK_MS = 2_000

/**
 * Runs files beside each other: as many as there are processors, and up to twice as many while the processors are idle,
 * because some files compute and others wait. With a fixed number, either half the time is lost in waiting, or
 * files that compute meet and miss their deadlines.
 */
export async function runWhileRoom({
  runNext,
  exactly,
  readIdleShare = createIdleReader(),
  lookMs = LOOK_MS,
}: RoomOptions): Promise<void> {
  const least = exactly ?? availableParallelism()
  const most = exactly ?? 2 * least
  const more = new Set<Promise<void>>()
  let idleShare = 0 // of the last look
  const hasRoom = () => idleShare > IDLE_SHARE
  // Short files end before the next look, and would leave the slot empty until then.
  const runMore = async () => {
    while ((await runNext()) && hasRoom());
  }
  const timer = setInterval(() => {
    // Read each time: it counts from the last call.
    idleShare = readIdleShare()
    if (!hasRoom() || more.size >= most - least) return
    const one = runMore().finally(() => more.delete(one))
    more.add(one)
  }, lookMs)
  const runAll = async () => {
    while (await runNext());
  }
  await Promise.all(Array.from({ length: least }, runAll)).finally(() => clearInterval(timer))
  await Promise.all(more)
}

/** Time that another machine took from ours is not idle, nor is time spent in waiting for the disk. */
function createIdleReader(): () => number {
  let last = readTimes()
  return () => {
    const now = readTimes()
    const share = (now.idle - last.idle) / Math.max(1, now.all - last.all)
    last = now
    return share
  }
}

function readTimes(): { readonly idle: number; readonly all: number } {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/)
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in user already.
  const ticks = fields.slice(0, 8).map(Number)
  return { idle: ticks[3]!, all: ticks.reduce((sum, value) => sum + value, 0) }
}
