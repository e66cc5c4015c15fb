import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { type SearchPlace, searchVideos } from './search-videos.ts'
import { aTieredCatalog, TIERS, type TieredCatalog } from './testing/a-tiered-catalog.ts'
import { videoSort } from './video-sort.ts'

const opened = await aDatabase()
const aCatalog = () => aTieredCatalog(opened)

/** What should be there: dates by id. */
type Dates = Map<string, number | null>

interface Filled {
  readonly catalog: TieredCatalog
  readonly dates: Dates
}

/** Days of a calendar of the test's own. */
const day = (n: number) => n * 86_400_000

async function aFilledCatalog(days: readonly (number | null)[]): Promise<Filled> {
  const catalog = await aCatalog()
  const dates: Dates = new Map()
  for (const n of days) {
    const publishedMs = n === null ? null : day(n)
    dates.set(await catalog.add(publishedMs), publishedMs)
  }
  return { catalog, dates }
}

/** In one tier, which has grown in the middle: the newest comes first. */
const anOvergrownTier = (count: number): Promise<Filled> =>
  aFilledCatalog(Array.from({ length: count }, (_, i) => count - i))

const newestFirst = (dates: Dates): string[] =>
  [...dates]
    .toSorted(([one, a], [other, b]) => (b ?? -1e16) - (a ?? -1e16) || (one < other ? 1 : -1))
    .map(([id]) => id)

type Way = 'by words' | 'by a label' | 'sorted'

/** Every page of a search that matches all. */
async function findAll({ db, accountId }: TieredCatalog, way: Way): Promise<string[]> {
  const ids: string[] = []
  const limit = 7
  let place: SearchPlace | undefined
  do {
    const { rows } = await searchVideos(db, {
      accountId,
      query: way === 'by a label' ? '' : 'night',
      fields: [],
      filter: way === 'by words' ? null : { kind: 'in', field: 'status', values: ['READY'] },
      sort: way === 'sorted' ? videoSort('date_published', 'DESC') : undefined,
      mediaType: 'mp4',
      shownMs: null,
      limit,
      place,
    })
    ids.push(...rows.map(({ document }) => (JSON.parse(`${document}}`) as { video_id: string }).video_id))
    place = rows.length < limit ? undefined : rows.at(-1)?.place
  } while (place !== undefined)
  return ids
}

async function assertAllFound({ catalog, dates }: Filled, when: string): Promise<void> {
  for (const way of ['by words', 'by a label', 'sorted'] as const) {
    assert.deepEqual(await findAll(catalog, way), newestFirst(dates), `${when}, ${way}`)
  }
}

/** Every tier counts what lies in it, and what lies in it bears its number and no other. */
async function assertAtRest({ catalog }: Filled): Promise<void> {
  const { rows: tiers } = await sql<{ tier: number; videos: number; counted: number; strangers: number }>`
    select t.tier, t.videos, count(v.video_id) as counted,
           count(*) filter (where s.tier <> t.tier or s.terms::text !~ ('^(''' || t.tier || '/[^'']*'' ?)*$')
             or s.published_ms <> v.published_ms) as strangers
      from (select *, lead(from_ms, 1, 9000000000000000) over newer as to_ms,
                   lead(from_id) over newer as to_id
              from search_tiers window newer as (order by from_ms, from_id)) as t
      left join videos v on v.deleted_ms is null and (v.published_ms, v.video_id) >= (t.from_ms, t.from_id)
            and (v.published_ms, v.video_id) < (t.to_ms, coalesce(t.to_id, '00000000-0000-0000-0000-000000000000'))
      left join video_search s on s.video_id = v.video_id
     group by t.tier, t.videos order by t.tier`.execute(catalog.db)
  for (const { tier, videos, counted, strangers } of tiers) {
    assert.deepEqual({ tier, videos, strangers }, { tier, videos: counted, strangers: 0 })
  }
  const { rows } = await sql<{ searched: number; listed: number }>`
    select (select count(*) from video_search) as searched,
           (select count(*) from videos where deleted_ms is null) as listed`.execute(catalog.db)
  assert.equal(rows[0]?.searched, rows[0]?.listed)
  assert.ok((await catalog.tiers()).every(({ moving }) => moving.length === 0))
}

/** A signal that is aborted when it is asked for the so-many-th time. */
const abortedAt = (step: number): AbortSignal => {
  let asked = 0
  return Object.assign(new AbortController().signal, {
    throwIfAborted: () => {
      if (asked === step) throw new Error('stopped')
      asked += 1
    },
  })
}

test('videos that come in the order of their dates fill one tier after the other', async () => {
  const filled = await aFilledCatalog([null, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 13])

  const tiers = await filled.catalog.tiers()

  assert.deepEqual(
    tiers.map(({ videos }) => videos),
    [TIERS.tierFull, TIERS.tierFull, 16 - 2 * TIERS.tierFull],
  )
  await assertAllFound(filled, 'appended')
  await assertAtRest(filled)
})

test('a video that comes between others, changes its date or is deleted is found where it belongs', async () => {
  const filled = await aFilledCatalog(Array.from({ length: 20 }, (_, i) => 2 * i))
  const { catalog, dates } = filled
  const ids = [...dates.keys()]
  const move = async (id: string, publishedMs: number | null) => {
    await catalog.move(id, publishedMs)
    dates.set(id, publishedMs)
  }

  for (const n of [1, 15, 29, 37]) dates.set(await catalog.add(day(n)), day(n))
  await assertAllFound(filled, 'inserted')
  await move(ids[0]!, day(35))
  await move(ids[19]!, day(3))
  await move(ids[7]!, null)
  await move(ids[8]!, day(1_000))
  await move(ids[9]!, day(19))
  await assertAllFound(filled, 'moved')
  for (const id of [ids[3]!, ids[8]!, ids[12]!]) {
    await catalog.remove(id)
    dates.delete(id)
  }
  await assertAllFound(filled, 'deleted')
  await assertAtRest(filled)
})

test('a tier that has grown is divided, and one that has not is left alone', async () => {
  const grown = await anOvergrownTier(30)
  const small = await anOvergrownTier(2 * TIERS.tierFull - 1)

  await grown.catalog.divide()
  await small.catalog.divide()

  assert.deepEqual(
    (await grown.catalog.tiers()).map(({ videos }) => videos),
    [15, 15],
  )
  assert.equal((await small.catalog.tiers()).length, 1)
  await assertAllFound(grown, 'divided')
  await assertAtRest(grown)
})

test('a division that is stopped anywhere loses nothing, and goes on when it is run again', async () => {
  let stops = 0
  for (let isStopped = true; isStopped; stops += 1) {
    const filled = await anOvergrownTier(20)
    const { catalog, dates } = filled
    isStopped = await catalog.divide(undefined, abortedAt(stops)).then(
      () => false,
      (error: Error) => error.message === 'stopped' || assert.fail(error),
    )

    await assertAllFound(filled, `stopped at ${stops}`)
    const [oldest, newest] = [newestFirst(dates).at(-1)!, newestFirst(dates)[0]!]
    await catalog.move(oldest, day(15.5))
    dates.set(oldest, day(15.5))
    await catalog.move(newest, day(2.5))
    dates.set(newest, day(2.5))
    dates.set(await catalog.add(day(12.5)), day(12.5))
    await assertAllFound(filled, `written after a stop at ${stops}`)
    await catalog.divide()

    assert.equal((await catalog.tiers()).length, 2, `divided once, stopped at ${stops}`)
    await assertAllFound(filled, `run again after a stop at ${stops}`)
    await assertAtRest(filled)
  }
  assert.ok(stops > 4, `${stops} stops`)
})

test('a video that leaves a tier while its neighbours are moved is not moved with them', async () => {
  const filled = await anOvergrownTier(20)
  const { catalog, dates } = filled
  await assert.rejects(catalog.divide(undefined, abortedAt(0)), /stopped/)
  const leaving = newestFirst(dates)[8]!
  dates.set(await catalog.add(day(100)), day(100))
  // The job of a tier that nobody holds: it comes to the videos at once, and waits there.
  const last = (await catalog.tiers()).at(-1)
  let dividing: Promise<void> | undefined

  await catalog.move(leaving, day(1.5), async () => {
    dividing = catalog.divide(last)
    await somebodyWaits()
  })
  dates.set(leaving, day(1.5))
  await dividing

  await assertAllFound(filled, 'left')
  await assertAtRest(filled)
})

test('whoever writes while a tier is divided finds everything, at any moment', async () => {
  const filled = await anOvergrownTier(60)
  const { catalog, dates } = filled
  const ids = [...dates.keys()]
  const still = new Set(ids.filter((_, i) => i % 3 === 0))
  const stillInOrder = newestFirst(dates).filter((id) => still.has(id))
  const [first] = await catalog.tiers()
  const writing = new AbortController()
  /** Each has videos of its own; one of them only ever adds newer ones, and so new tiers behind the divided. */
  const write = async (writer: number) => {
    const own = ids.filter((_, i) => i % 3 === writer)
    for (const [i, id] of own.entries()) {
      const publishedMs = writer === 1 ? day(60 - ((i * 7) % 60) + 0.5) : day(100 + i)
      await catalog.move(id, publishedMs)
      dates.set(id, publishedMs)
      if (i % 4 !== 0) continue
      await catalog.remove(id)
      dates.delete(id)
    }
  }
  const search = async () => {
    while (!writing.signal.aborted) {
      const found = await findAll(catalog, 'by a label')
      assert.deepEqual(
        found.filter((id) => still.has(id)),
        stillInOrder,
      )
    }
  }

  const searching = search()
  await Promise.all([catalog.divide(first), write(1), write(2)])
  writing.abort()
  await searching
  for (const tier of await catalog.tiers()) await catalog.divide(tier)

  await assertAllFound(filled, 'all written')
  await assertAtRest(filled)
})

/** Until a connection to this database waits for another's lock. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      opened.database.platform,
    )
    if (rows.length > 0) return
  }
}
