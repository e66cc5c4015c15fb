import type { BreakLog } from '@continuity/core/live/break-log'
import { mergeLogs } from '@continuity/core/live/merge-logs'
import { followLog, type SlotLog, type StoredLog } from '@continuity/core/live/slot-log'
import { createLiveView, dropCounts, type LiveView } from '@continuity/core/timeline/discontinuity'
import type { LiveLog } from '@continuity/core/timeline/live-log'
import { LOG_KEPT_MS } from '../../platform/live-bus/live-streams.ts'
import { slotFolder } from '../../platform/live-bus/slot-folder.ts'

/** The live logs received by this node. */
export interface LiveLogs {
  readonly view: LiveView
  /** Applies the log of an input or the breaks of a source, by its subject. Idempotent. */
  apply(subject: string, text: string, storedMs: number): void
  /** Number of sources with a log. */
  count(): number
}

interface Known {
  readonly breaks: BreakLog | undefined
  readonly inputs: readonly [StoredLog | undefined, StoredLog | undefined]
  readonly log: LiveLog | undefined
}

export function createLiveLogs(onFault: (error: unknown) => void): LiveLogs {
  const sources = new Map<string, Known>()
  const view = createLiveView((sourceId) => sources.get(sourceId)?.log)
  const keep = (sourceId: string, { inputs, breaks }: Omit<Known, 'log'>) => {
    const receivedMs = Math.max(...inputs.map((stored) => stored?.storedMs ?? 0))
    const log = mergeLogs(inputs, { folderOf: slotFolder, receivedMs, breaks: breaks?.breaks ?? [] })
    sources.set(sourceId, { inputs, breaks, log })
  }
  return {
    view,
    apply(subject, text, storedMs) {
      const [, kind, sourceId = '', inputText] = subject.split('.')
      const known = sources.get(sourceId)
      if (kind === 'breaks') {
        const breaks = readBreaks(text)
        if (breaks === undefined) onFault(new Error(`the message on ${subject} is not a list of breaks`))
        else if (breaks.version > (known?.breaks?.version ?? 0)) {
          keep(sourceId, { inputs: known?.inputs ?? [undefined, undefined], breaks })
          // A slate may now replace slots that were counted.
          dropCounts(view, sourceId)
        }
        return
      }
      const input = inputText === '1' ? 1 : 0
      const log = readLog(text)
      if (log === undefined) {
        onFault(new Error(`the message on ${subject} is not a live log`))
        return
      }
      const before = known?.inputs[input]
      // Delivered again after a reconnection.
      if (before !== undefined && isLater(before, { log, storedMs })) return
      const keptFrom = Math.floor((storedMs - LOG_KEPT_MS) / log.slotMs)
      const after = followLog(before, { log, storedMs }, keptFrom)
      const inputs = [known?.inputs[0], known?.inputs[1]] as [StoredLog | undefined, StoredLog | undefined]
      inputs[input] = after
      keep(sourceId, { inputs, breaks: known?.breaks })
      // Slots that were counted without this log may have media now.
      if (before === undefined || storedMs - before.storedMs > 2 * log.slotMs) dropCounts(view, sourceId)
    },
    count: () => sources.size,
  }
}

const isLater = (one: StoredLog, other: StoredLog): boolean =>
  one.log.token > other.log.token || one.storedMs >= other.storedMs

function readBreaks(text: string): BreakLog | undefined {
  try {
    const log = JSON.parse(text) as BreakLog
    return typeof log.version === 'number' && Array.isArray(log.breaks) ? log : undefined
  } catch {
    return undefined
  }
}

function readLog(text: string): SlotLog | undefined {
  try {
    const log = JSON.parse(text) as SlotLog
    const isLog =
      typeof log.slotMs === 'number' && typeof log.folder === 'string' && Array.isArray(log.ranges)
    return isLog ? log : undefined
  } catch {
    return undefined
  }
}
