import {
  type CatalogEntry,
  faultOfEntry,
  type SeriesEntry,
  type VideoDraft,
  type VideoEntry,
} from './catalog-entry.ts'
import type { Client } from './method-types.ts'
import { isForeign, ProblemError } from './problem-error.ts'
import {
  type CallWith,
  EntryRejected,
  type Upserted,
  upsertBrand,
  upsertSeries,
  upsertVideo,
} from './upsert.ts'

/** An item of an import source, by its position. */
export interface ImportItem {
  /** Increases through the source. Part of the idempotency key, so it must be the same when the source is read again. */
  readonly position: number
  /** An entry as it was read, not yet validated. */
  readonly entry?: unknown
  /** Instead of an entry: why it cannot be read. */
  readonly fault?: string
  /** Fields of a video that are set only when it is created. */
  readonly initially?: Partial<VideoDraft>
}

export interface ImportOptions {
  /**
   * Identifies this import. With the same id and the same source, records that
   * were created in the last 24 hours are not created twice. Default: a random id.
   */
  readonly importId?: string
  /** Entries in flight. Default: 8. */
  readonly atOnce?: number
  /** Series of an earlier import: their keys, and their ids in this service. */
  readonly seriesIds?: ReadonlyMap<string, string>
  readonly signal?: AbortSignal
}

export type ImportResult<P extends ImportItem = ImportItem> =
  | ({ readonly item: P; readonly entry: CatalogEntry } & Upserted)
  | { readonly item: P; readonly outcome: 'refused'; readonly reason: string }

/**
 * Imports entries into the account of the client's session: creates missing
 * records, and updates those that differ.
 *
 * Results come in the order of the entries, so that an import can resume after
 * the last one. An error of one entry is its result; an error that affects all
 * entries is thrown.
 */
export async function* importCatalog<P extends ImportItem>(
  client: Client,
  items: AsyncIterable<P> | Iterable<P>,
  options: ImportOptions = {},
): AsyncGenerator<ImportResult<P>, void, undefined> {
  const {
    importId = crypto.randomUUID(),
    atOnce = 8,
    seriesIds = new Map<string, string>(),
    signal,
  } = options
  const importItem = createImporter(client, seriesIds)
  const inFlight: Promise<ImportResult<P>>[] = []
  try {
    for await (const item of items) {
      const result = importItem(item, { idempotencyKey: `${importId}-${item.position}`, signal })
      // Awaited below. If an earlier one throws first, this rejection would be unhandled.
      result.catch(() => undefined)
      inFlight.push(result)
      if (inFlight.length >= atOnce) yield* taken(inFlight)
    }
    while (inFlight.length > 0) yield* taken(inFlight)
  } finally {
    await Promise.allSettled(inFlight)
  }
}

/** The first result in flight, when it is done. */
async function* taken<T>(inFlight: Promise<T>[]): AsyncGenerator<T, void, undefined> {
  const [first] = inFlight
  if (first === undefined) return
  const result = await first
  void inFlight.shift()
  yield result
}

/** Identifies the record of an entry; other entries may have the same one. */
function nameOf(entry: CatalogEntry): string | undefined {
  if (entry.type === 'brand') return brandName(entry.brand_id)
  if (entry.type === 'series') return `series ${entry.key}`
  const { source_id, video_source_id } = entry
  return source_id && video_source_id ? `video ${JSON.stringify([source_id, video_source_id])}` : undefined
}

const brandName = (brandId: string): string => `brand ${brandId}`

/** Which entries have to be done before: earlier ones of the same record, so that the last one wins, and the brand. */
function awaitedBy(entry: CatalogEntry): string[] {
  const name = nameOf(entry)
  const brand =
    entry.type !== 'brand' && typeof entry.brand_id === 'string' ? [brandName(entry.brand_id)] : []
  return name === undefined ? brand : [name, ...brand]
}

function createImporter(client: Client, knownIds: ReadonlyMap<string, string>) {
  /** Series of this import; undefined if it was rejected. Grows with the series, not with the videos. */
  const series = new Map<string, Promise<string | undefined>>()
  /** The last entry in flight of each record. */
  const busy = new Map<string, Promise<unknown>>()

  async function seriesOf(key: string): Promise<string> {
    const id = series.has(key) ? await series.get(key) : (knownIds.get(key) ?? (isId(key) ? key : undefined))
    if (id === undefined) throw new EntryRejected(`"series_key" refers to no earlier series: "${key}"`)
    return id
  }

  async function upsert(entry: CatalogEntry, item: ImportItem, call: CallWith): Promise<Upserted> {
    if (entry.type === 'series') return importSeries(client, entry, knownIds, call)
    if (entry.type === 'video') return importVideo(client, entry, seriesOf, item.initially ?? {}, call)
    const { type: _, ...draft } = entry
    return upsertBrand(client, draft, call)
  }

  /** Everything up to the first await runs in the order of the source. */
  return async function importItem<P extends ImportItem>(item: P, call: CallWith): Promise<ImportResult<P>> {
    const fault = item.fault ?? faultOfEntry(item.entry)
    if (fault !== undefined) return { item, outcome: 'refused', reason: fault }
    const entry = item.entry as CatalogEntry
    const name = nameOf(entry)
    const awaited = awaitedBy(entry).flatMap((one) => busy.get(one) ?? [])
    const done = (async () => {
      await Promise.allSettled(awaited)
      return upsert(entry, item, call)
    })()
    if (name !== undefined) busy.set(name, done)
    if (entry.type === 'series') series.set(entry.key, idOrNothing(done))
    try {
      return { item, entry, ...(await done) }
    } catch (error) {
      return { item, outcome: 'refused', reason: reasonOf(error) }
    } finally {
      if (name !== undefined && busy.get(name) === done) busy.delete(name)
    }
  }
}

/** A key that is the id of a series in this account refers to that series: this re-imports an export of the same account. */
function importSeries(
  client: Client,
  entry: SeriesEntry,
  knownIds: ReadonlyMap<string, string>,
  call: CallWith,
): Promise<Upserted> {
  const { type: _, key, ...draft } = entry
  return upsertSeries(client, draft, knownIds.get(key) ?? (isId(key) ? key : undefined), call)
}

const isId = (key: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)

async function importVideo(
  client: Client,
  entry: VideoEntry,
  seriesOf: (key: string) => Promise<string>,
  initially: Partial<VideoDraft>,
  call: CallWith,
): Promise<Upserted> {
  const { type: _, series_key, ...draft } = entry
  const series = typeof series_key === 'string' ? { series_id: await seriesOf(series_key) } : {}
  return upsertVideo(client, { ...draft, ...series }, initially, call)
}

const idOrNothing = (done: Promise<Upserted>): Promise<string | undefined> =>
  done.then(
    ({ id }) => id,
    () => undefined,
  )

/** Why an entry was rejected. Rethrows errors that are not about this entry. */
function reasonOf(error: unknown): string {
  if (error instanceof EntryRejected) return error.message
  if (!(error instanceof ProblemError) || !isAboutEntry(error)) throw error
  const { detail, errors, status, requestId } = error
  if (errors.length > 0) return errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  return status === 500 ? `${detail} (request ${requestId})` : detail
}

/**
 * Whether the service rejected the body, or failed to process it. Errors about
 * the credential, the load or a proxy affect every entry.
 */
function isAboutEntry(problem: ProblemError): boolean {
  return !isForeign(problem) && [400, 404, 409, 412, 413, 422, 500].includes(problem.status)
}
