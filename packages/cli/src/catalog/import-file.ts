import type { Client, ImportResult } from '@continuity/client'
import type { Progress } from '../terminal/progress.ts'
import { type Counts, type ImportState, writeState } from './import-state.ts'
import type { SourceItem } from './source-item.ts'

export interface ImportRun {
  readonly client: Client
  readonly clock: () => number
  readonly progress: Progress
  /** All items of the file, from its beginning. */
  readonly items: AsyncIterable<SourceItem>
  readonly totalBytes: number
  readonly state: ImportState
  readonly statePath: string
  readonly atOnce: number
  /** Stop after this many errors: the file probably has another format. */
  readonly stopAt: number
}

export interface ImportReport {
  readonly state: ImportState
  readonly faults: readonly { readonly where: string; readonly reason: string }[]
  /** What was ignored because it has no field, and how often. */
  readonly leftOut: ReadonlyMap<string, number>
}

const STATE_EVERY_MS = 1_000

/** Imports the remaining items and saves the progress, also if it throws. */
export async function importFile(run: ImportRun): Promise<ImportReport> {
  const { client, clock, progress, statePath, stopAt, atOnce } = run
  const { importCatalog } = await import('@continuity/client')
  const seriesIds = new Map(Object.entries(run.state.series))
  const faults: { where: string; reason: string }[] = []
  const leftOut = new Map<string, number>()
  let state = run.state
  let isFinished = true

  const save = () => writeState(statePath, { ...state, series: Object.fromEntries(seriesIds) })
  // Before anything is sent: a resumed import needs the importId.
  await save()
  let savedMs = clock()
  const options = { importId: state.importId, atOnce, seriesIds: new Map(seriesIds) }
  try {
    for await (const result of importCatalog(client, following(run.items, state.donePlace), options)) {
      const { item } = result
      if (result.outcome === 'refused') {
        const fault = { where: item.where, reason: result.reason }
        faults.push(fault)
        progress.log(`${fault.where}: ${fault.reason}`)
      } else if (result.entry.type === 'series') {
        seriesIds.set(result.entry.key, result.id)
      }
      for (const what of item.leftOut ?? []) leftOut.set(what, (leftOut.get(what) ?? 0) + 1)
      state = { ...state, donePlace: item.position, counts: counted(state.counts, result) }
      progress.update(progressAt(item, state.counts, run.totalBytes))
      if (clock() - savedMs >= STATE_EVERY_MS) {
        await save()
        savedMs = clock()
      }
      isFinished = faults.length < stopAt
      if (!isFinished) break
    }
    state = { ...state, isFinished }
  } finally {
    await save()
    progress.end()
  }
  return { state, faults, leftOut }
}

/** The items after a position. */
async function* following(items: AsyncIterable<SourceItem>, position: number) {
  for await (const item of items) if (item.position > position) yield item
}

function counted(counts: Counts, { outcome }: Pick<ImportResult, 'outcome'>): Counts {
  const kind = outcome === 'refused' ? 'failed' : outcome
  return { ...counts, [kind]: counts[kind] + 1 }
}

function progressAt({ bytesRead }: SourceItem, counts: Counts, total: number) {
  const { created, changed, unchanged, failed } = counts
  return { rows: created + changed + unchanged + failed, failed, bytes: { read: bytesRead, total } }
}
