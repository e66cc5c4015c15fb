import { mergeLogs } from '@continuity/core/live/merge-logs'
import { createLiveView, type LiveView } from '@continuity/core/timeline/discontinuity'
import type { Db } from '../../platform/database/database.ts'
import { slotFolder } from '../../platform/live-bus/slot-folder.ts'
import { listBreaks, listLogs } from './log-store.ts'

/** The view of these sources from the copies of their logs. */
export async function loadLiveView(
  db: Db,
  accountId: string,
  sourceIds: readonly string[],
): Promise<LiveView> {
  if (sourceIds.length === 0) return createLiveView(() => undefined)
  const logs = Map.groupBy(await listLogs(db, accountId, sourceIds), ({ sourceId }) => sourceId)
  const breaks = new Map((await listBreaks(db, accountId, sourceIds)).map((it) => [it.sourceId, it.breaks]))
  const merged = new Map(
    sourceIds.map((sourceId) => {
      const stored = logs.get(sourceId) ?? []
      const inputs = [0, 1].map((input) => stored.find((log) => log.input === input))
      const receivedMs = Math.max(0, ...stored.map(({ storedMs }) => storedMs))
      const options = { folderOf: slotFolder, receivedMs, breaks: breaks.get(sourceId) ?? [] }
      return [sourceId, mergeLogs(inputs, options)]
    }),
  )
  return createLiveView((sourceId) => merged.get(sourceId))
}
