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
  EntryRefused,
  type Upserted,
  upsertBrand,
  upsertSeries,
  upsertVideo,
} from './upsert.ts'

/** Something of a source, by its place in it. */
export interface Placed {
  /** Counts up through the source. It makes the idempotency key, so it has to be the same when it is read again. */
  readonly place: number
  /** An entry as it was read, not yet looked at. */
  readonly entry?: unknown
  /** In place of an entry: why there is none. */
  readonly fault?: string
  /** What a video gets when it is made here, and keeps as it is when it is there. */
  readonly initially?: Partial<VideoDraft>
}

export interface ImportOptions {
  /**
   * Names this import. Given again with the same source, whatever was made under
   * it in the last 24 hours is not made twice. One is made up where it is left out.
   */
  readonly importId?: string
  /** Entries in flight, 8 where it is left out. */
  readonly atOnce?: number
  /** Series of an earlier import: their keys, and their ids in this service. */
  readonly seriesIds?: ReadonlyMap<string, string>
  readonly signal?: AbortSignal
}

export type ImportResult<P extends Placed = Placed> =
  | ({ readonly item: P; readonly entry: CatalogEntry } & Upserted)
  | { readonly item: P; readonly outcome: 'refused'; readonly reason: string }

/**
 * Brings entries into the account of the client's session: makes what is not
 * there, and changes what differs.
 *
 * Results come in the order of the entries, so that the last one given is the
 * place to go on from. What is wrong with one entry is its result; whatever
 * stands in the way of all of them is thrown.
 */
export async function* importCatalog<P extends Placed>(
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
  const carry = carrier(client, seriesIds)
  const inFlight: Promise<ImportResult<P>>[] = []
  try {
    for await (const item of items) {
      const result = carry(item, { idempotencyKey: `${importId}-${item.place}`, signal })
      // It is waited for further down. If another one fails before, nobody would hear of this one.
      result.catch(() => undefined)
      inFlight.push(result)
      if (inFlight.length >= atOnce) yield* taken(inFlight)
    }
    while (inFlight.length > 0) yield* taken(inFlight)
  } finally {
    await Promise.allSettled(inFlight)
  }
}

/** The first in the line, when it is done. */
async function* taken<T>(inFlight: Promise<T>[]): AsyncGenerator<T, void, undefined> {
  const [first] = inFlight
  if (first === undefined) return
  const result = await first
  void inFlight.shift()
  yield result
}

/** What a later entry can mean too. */
function nameOf(entry: CatalogEntry): string | undefined {
  if (entry.type === 'brand') return brandName(entry.brand_id)
  if (entry.type === 'series') return `series ${entry.key}`
  const { source_id, video_source_id } = entry
  return source_id && video_source_id ? `video ${JSON.stringify([source_id, video_source_id])}` : undefined
}

const brandName = (brandId: string): string => `brand ${brandId}`

/** What has to be done before: an earlier entry that means the same, so that the later one wins, and its brand. */
function awaitedBy(entry: CatalogEntry): string[] {
  const name = nameOf(entry)
  const brand =
    entry.type !== 'brand' && typeof entry.brand_id === 'string' ? [brandName(entry.brand_id)] : []
  return name === undefined ? brand : [name, ...brand]
}

function carrier(client: Client, knownIds: ReadonlyMap<string, string>) {
  /** Of this import; undefined is one that was refused. Grows with the series, not with the videos. */
  const series = new Map<string, Promise<string | undefined>>()
  /** The last entry of each name that is in flight. */
  const busy = new Map<string, Promise<unknown>>()

  async function seriesOf(key: string): Promise<string> {
    const id = series.has(key) ? await series.get(key) : (knownIds.get(key) ?? (isId(key) ? key : undefined))
    if (id === undefined) throw new EntryRefused(`"series_key" names no series above: "${key}"`)
    return id
  }

  async function bring(entry: CatalogEntry, item: Placed, call: CallWith): Promise<Upserted> {
    if (entry.type === 'series') return bringSeries(client, entry, knownIds, call)
    if (entry.type === 'video') return bringVideo(client, entry, seriesOf, item.initially ?? {}, call)
    const { type: _, ...draft } = entry
    return upsertBrand(client, draft, call)
  }

  /** Everything up to the first wait happens in the order of the source. */
  return async function carry<P extends Placed>(item: P, call: CallWith): Promise<ImportResult<P>> {
    const fault = item.fault ?? faultOfEntry(item.entry)
    if (fault !== undefined) return { item, outcome: 'refused', reason: fault }
    const entry = item.entry as CatalogEntry
    const name = nameOf(entry)
    const awaited = awaitedBy(entry).flatMap((one) => busy.get(one) ?? [])
    const done = (async () => {
      await Promise.allSettled(awaited)
      return bring(entry, item, call)
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

/** A key that is the id of a series in this account means that one: an export goes back to where it came from. */
function bringSeries(
  client: Client,
  entry: SeriesEntry,
  knownIds: ReadonlyMap<string, string>,
  call: CallWith,
): Promise<Upserted> {
  const { type: _, key, ...draft } = entry
  return upsertSeries(client, draft, knownIds.get(key) ?? (isId(key) ? key : undefined), call)
}

const isId = (key: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)

async function bringVideo(
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

/** Why an entry was refused, in words. Throws what would refuse the next one as well. */
function reasonOf(error: unknown): string {
  if (error instanceof EntryRefused) return error.message
  if (!(error instanceof ProblemError) || !isAboutEntry(error)) throw error
  const { detail, errors, status, requestId } = error
  if (errors.length > 0) return errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  return status === 500 ? `${detail} (request ${requestId})` : detail
}

/**
 * A refusal of the body, or a fault of the service that this body met. Not one
 * of the credential, of the load or of a proxy: those meet every entry.
 */
function isAboutEntry(problem: ProblemError): boolean {
  return !isForeign(problem) && [400, 404, 409, 412, 413, 422, 500].includes(problem.status)
}
