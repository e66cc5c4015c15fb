import type { AnswerOf, Operations } from '@continuity/contract'
import type { BrandDraft, SeriesDraft, VideoDraft } from './catalog-entry.ts'
import type { Client } from './method-types.ts'
import { isProblem } from './problem-error.ts'
import { UnreachableError } from './unreachable-error.ts'

export interface Upserted {
  readonly id: string
  readonly outcome: 'created' | 'changed' | 'unchanged'
}

export interface CallWith {
  readonly idempotencyKey: string
  readonly signal: AbortSignal | undefined
}

/** An error that affects one entry only. */
export class EntryRejected extends Error {
  override readonly name = 'EntryRejected'
}

/** A limit, because another client may keep changing the same record. */
const CHANGE_TRIES = 3

export async function upsertBrand(client: Client, draft: BrandDraft, call: CallWith): Promise<Upserted> {
  const { brand_id: id, name } = draft
  const params = { brand_id: id }
  const created = await unless('brand.exists', client.createBrand({ body: draft }, call))
  if (created !== undefined) return { id, outcome: 'created' }
  return changeUntilSame({
    find: () => client.getBrand({ params }, signalOf(call)),
    idOf: ({ brand_id }) => brand_id,
    draft: { name },
    change: (body) => client.changeBrand({ params, body }, signalOf(call)),
  })
}

/** The service stores no external id of a series, so the caller passes the id. */
export async function upsertSeries(
  client: Client,
  draft: SeriesDraft,
  knownId: string | undefined,
  call: CallWith,
): Promise<Upserted> {
  const params = { series_id: knownId ?? '' }
  const find = () => client.getSeries({ params }, signalOf(call))
  const known = knownId === undefined ? undefined : await unless('series.not_found', find())
  if (known === undefined) {
    const { series_id } = await client.createSeries({ body: draft }, call)
    return { id: series_id, outcome: 'created' }
  }
  return changeUntilSame({
    find,
    idOf: ({ series_id }) => series_id,
    draft,
    change: (body) => client.changeSeries({ params, body }, signalOf(call)),
  })
}

/** `initially` applies only if the video is created. */
export async function upsertVideo(
  client: Client,
  draft: VideoDraft,
  initially: Partial<VideoDraft>,
  call: CallWith,
): Promise<Upserted> {
  const created = await unless('video.exists', client.createVideo({ body: { ...initially, ...draft } }, call))
  if (created !== undefined) return { id: created.video_id, outcome: 'created' }
  return changeUntilSame({
    find: () => findBySource(client, draft, call),
    idOf: ({ video_id }) => video_id,
    draft,
    change: (body, video_id) => client.changeVideo({ params: { video_id }, body }, signalOf(call)),
  })
}

type Video = AnswerOf<Operations['getVideo']>
type WithMedia = Video & { hls_url?: string | null; mp4_url?: string | null }

/**
 * Both source ids together identify one video. The API returns one media address
 * at a time, so the video is read twice if the draft has both.
 */
async function findBySource(client: Client, draft: VideoDraft, call: CallWith): Promise<WithMedia> {
  const { source_id, video_source_id } = draft
  const and = [{ eq: { source_id: source_id ?? '' } }, { eq: { video_source_id: video_source_id ?? '' } }]
  const read = async (media_type: 'hls' | 'mp4') => {
    const input = { query: { page_size: 1, media_type }, body: { filter: { and } } }
    const [found] = (await client.searchVideos(input, signalOf(call))).hits
    // It was deleted after createVideo had failed with video.exists.
    if (found === undefined) throw new EntryRejected('the video was deleted during the import')
    return found
  }
  if (draft.hls_url === undefined) return withMedia(await read('mp4'), 'mp4_url')
  const hls = withMedia(await read('hls'), 'hls_url')
  return draft.mp4_url === undefined ? hls : { ...hls, ...withMedia(await read('mp4'), 'mp4_url') }
}

const withMedia = (video: Video, field: 'hls_url' | 'mp4_url'): WithMedia => ({
  ...video,
  [field]: video.media_url,
})

interface Change<R> {
  readonly find: () => Promise<R>
  readonly idOf: (record: R) => string
  readonly draft: object
  readonly change: (body: Record<string, unknown>, id: string) => Promise<unknown>
}

/**
 * Updates the fields that differ. An update whose answer was lost may have
 * succeeded: the record is read again and compared.
 */
async function changeUntilSame<R extends object>({
  find,
  idOf,
  draft,
  change,
}: Change<R>): Promise<Upserted> {
  for (let tried = 1; ; tried += 1) {
    const record = await find()
    const id = idOf(record)
    const body = differencesOf(record, draft)
    if (Object.keys(body).length === 0) return { id, outcome: tried === 1 ? 'unchanged' : 'changed' }
    try {
      await change(body, id)
      return { id, outcome: 'changed' }
    } catch (error) {
      if (!(error instanceof UnreachableError) || tried === CHANGE_TRIES) throw error
    }
  }
}

/** The answer, or undefined if the service returns this error. */
async function unless<T>(code: string, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isProblem(error, code)) return undefined
    throw error
  }
}

const signalOf = ({ signal }: CallWith) => ({ signal })

type Fields = Readonly<Record<string, unknown>>

const IMAGE_FIELDS = ['width', 'height', 'image_type', 'original_image_url'] as const

/**
 * The fields of a draft that differ from the record: the body of an update.
 * Fields that the draft does not have are not compared.
 */
export function differencesOf(record: object, draft: object): Record<string, unknown> {
  const current = { ...record } as Fields
  const wanted = Object.entries<unknown>({ ...draft })
  const differing = wanted.filter(([field, value]) => !isSame(field, current[field], value))
  return Object.fromEntries(differing)
}

function isSame(field: string, current: unknown, wanted: unknown): boolean {
  // A time can be written in several ways, and the service returns it in its own.
  if (field.startsWith('date_') && typeof current === 'string' && typeof wanted === 'string') {
    return Date.parse(current) === Date.parse(wanted)
  }
  return (
    canonical(field === 'images' ? asDrafts(current) : current) ===
    canonical(field === 'images' ? asDrafts(wanted) : wanted)
  )
}

/** Without the fields that the service adds to an image. */
function asDrafts(images: unknown): unknown {
  if (!Array.isArray(images)) return images
  return images.map((image: Fields) => Object.fromEntries(IMAGE_FIELDS.map((field) => [field, image[field]])))
}

/** JSON with sorted keys: the same text for equal values. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  )
}
