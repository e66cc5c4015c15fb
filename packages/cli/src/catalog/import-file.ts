import { type Client, type ImportResult, importCatalog } from '@continuity/client'
import { type Counts, type ImportState, writeState } from './import-state.ts'
import type { Progress } from './progress.ts'
import type { SourceItem } from './source-item.ts'

export interface ImportRun {
  readonly client: Client
  readonly clock: () => number
  readonly progress: Progress
  /** All of the file, from its beginning. */
  readonly items: AsyncIterable<SourceItem>
  readonly totalBytes: number
  readonly state: ImportState
  readonly statePath: string
  readonly atOnce: number
  /** So many faults are enough to stop: the file is of another kind than was thought. */
  readonly stopAt: number
}

export interface ImportReport {
  readonly state: ImportState
  readonly faults: readonly { readonly where: string; readonly reason: string }[]
  /** What there was no field for, and how often. */
  readonly leftOut: ReadonlyMap<string, number>
}

const STATE_EVERY_MS = 1_000

/** Imports what is not done yet, keeping note of it. Whatever it throws, running it again goes on from there. */
export async function importFile(run: ImportRun): Promise<ImportReport> {
  const { client, clock, progress, statePath, stopAt, atOnce } = run
  const kept = new Map(Object.entries(run.state.series))
  const faults: { where: string; reason: string }[] = []
  const leftOut = new Map<string, number>()
  let state = run.state
  let isFinished = true

  const save = () => writeState(statePath, { ...state, series: Object.fromEntries(kept) })
  // Before anything is sent: the import has to be known to whoever goes on with it.
  await save()
  let savedMs = clock()
  const options = { importId: state.importId, atOnce, seriesIds: new Map(kept) }
  try {
    for await (const result of importCatalog(client, following(run.items, state.donePlace), options)) {
      const { item } = result
      if (result.outcome === 'refused') {
        const fault = { where: item.where, reason: result.reason }
        faults.push(fault)
        progress.say(`${fault.where}: ${fault.reason}`)
      } else if (result.entry.type === 'series') {
        kept.set(result.entry.key, result.id)
      }
      for (const words of item.leftOut ?? []) leftOut.set(words, (leftOut.get(words) ?? 0) + 1)
      state = { ...state, donePlace: item.place, counts: counted(state.counts, result) }
      progress.reached(reachedAt(item, state.counts, run.totalBytes))
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

/** What comes after a place. */
async function* following(items: AsyncIterable<SourceItem>, place: number) {
  for await (const item of items) if (item.place > place) yield item
}

function counted(counts: Counts, { outcome }: Pick<ImportResult, 'outcome'>): Counts {
  const kind = outcome === 'refused' ? 'failed' : outcome
  return { ...counts, [kind]: counts[kind] + 1 }
}

function reachedAt({ bytesRead }: SourceItem, counts: Counts, total: number) {
  const { created, changed, unchanged, failed } = counts
  return { rows: created + changed + unchanged + failed, failed, bytes: { read: bytesRead, total } }
}
