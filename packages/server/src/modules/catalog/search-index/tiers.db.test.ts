import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { videoSort } from '../records/video-sort.ts'
import { type SearchCursor, searchVideos } from '../search/search-videos.ts'
import { aTieredCatalog, TIERS, type TieredCatalog } from '../testing/a-tiered-catalog.ts'

const opened = await aDatabase()
const aCatalog = () => aTieredCatalog(opened)

/** The expected videos: dates by id. */
type Dates = Map<string, number | null>

interface Filled {
  readonly catalog: TieredCatalog
  readonly dates: Dates
}

/** Days since 1970. */
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

/** One tier that has grown by insertions: the newest video was added first. */
const anOvergrownTier = (count: number): Promise<Filled> =>
  aFilledCatalog(Array.from({ length: count }, (_, i) => count - i))

const newestFirst = (dates: Dates): string[] =>
  [...dates]
    .toSorted(([one, a], [other, b]) => (b ?? -1e16) - (a ?? -1e16) || (one < other ? 1 : -1))
    .map(([id]) => id)

type Way = 'by words' | 'by a label' | 'sorted'

/** All pages of a search that matches all videos. */
async function findAll({ db, accountId }: TieredCatalog, way: Way): Promise<string[]> {
  const ids: string[] = []
  const limit = 7
  let cursor: SearchCursor | undefined
  do {
    const { rows } = await searchVideos(db, {
      accountId,
      query: way === 'by a label' ? '' : 'night',
      fields: [],
      filter: way === 'by words' ? null : { kind: 'in', field: 'status', values: ['READY'] },
      sort: way === 'sorted' ? videoSort('date_published', 'DESC') : undefined,
      mediaType: 'mp4',
      visibleAtMs: null,
      limit,
      cursor,
    })
    ids.push(...rows.map(({ document }) => (JSON.parse(`${document}}`) as { video_id: string }).video_id))
    cursor = rows.length < limit ? undefined : rows.at(-1)?.cursor
  } while (cursor !== undefined)
  return ids
}

async function assertAllFound({ catalog, dates }: Filled, when: string): Promise<void> {
  for (const way of ['by words', 'by a label', 'sorted'] as const) {
    assert.deepEqual(await findAll(catalog, way), newestFirst(dates), `${when}, ${way}`)
  }
}

/** Asserts that every tier counts its videos, and that these have its number and no other. */
async function assertAtRest({ catalog }: Filled): Promise<void> {
  const { rows: tiers } = await sql<{ tier: number; videos: number; counted: number; misplaced: number }>`
    select t.tier, t.videos, count(v.video_id) as counted,
           count(*) filter (where s.tier <> t.tier or s.terms::text !~ ('^(''' || t.tier || '/[^'']*'' ?)*$')
             or s.published_ms <> v.published_ms) as misplaced
      from (select *, lead(from_ms, 1, 9000000000000000) over newer as to_ms,
                   lead(from_id) over newer as to_id
              from search_tiers window newer as (order by from_ms, from_id)) as t
      left join videos v on v.deleted_ms is null and (v.published_ms, v.video_id) >= (t.from_ms, t.from_id)
            and (v.published_ms, v.video_id) < (t.to_ms, coalesce(t.to_id, '00000000-0000-0000-0000-000000000000'))
      left join video_search s on s.video_id = v.video_id
     group by t.tier, t.videos order by t.tier`.execute(catalog.db)
  for (const { tier, videos, counted, misplaced } of tiers) {
    assert.deepEqual({ tier, videos, misplaced }, { tier, videos: counted, misplaced: 0 })
  }
  const { rows } = await sql<{ searched: number; listed: number }>`
    select (select count(*) from video_search) as searched,
           (select count(*) from videos where deleted_ms is null) as listed`.execute(catalog.db)
  assert.equal(rows[0]?.searched, rows[0]?.listed)
  assert.ok((await catalog.tiers()).every(({ moving }) => moving.length === 0))
}

/** A signal that is aborted at the given check. */
const abortedAt = (step: number): AbortSignal => {
  let checks = 0
  return Object.assign(new AbortController().signal, {
    throwIfAborted: () => {
      if (checks === step) throw new Error('stopped')
      checks += 1
    },
  })
}

test('videos that are added in the order of their dates fill one tier after another', async () => {
  const filled = await aFilledCatalog([null, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 13])

  const tiers = await filled.catalog.tiers()

  assert.deepEqual(
    tiers.map(({ videos }) => videos),
    [TIERS.tierFull, TIERS.tierFull, 16 - 2 * TIERS.tierFull],
  )
  await assertAllFound(filled, 'appended')
  await assertAtRest(filled)
})

test('videos that are inserted, moved to another date or deleted are found in the right order', async () => {
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

test('a tier that has grown is divided, and a smaller one is not', async () => {
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

test('a division that is stopped anywhere loses no video, and continues at the next run', async () => {
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

test('a video that leaves a tier during a division is not moved with the others', async () => {
  const filled = await anOvergrownTier(20)
  const { catalog, dates } = filled
  await assert.rejects(catalog.divide(undefined, abortedAt(0)), /stopped/)
  const leaving = newestFirst(dates)[8]!
  dates.set(await catalog.add(day(100)), day(100))
  // The job of a tier that is not locked: it reaches the videos at once, and waits there.
  const last = (await catalog.tiers()).at(-1)
  let dividing: Promise<void> | undefined

  await catalog.move(leaving, day(1.5), async () => {
    dividing = catalog.divide(last)
    await lockIsAwaited()
  })
  dates.set(leaving, day(1.5))
  await dividing

  await assertAllFound(filled, 'left')
  await assertAtRest(filled)
})

test('during a division with concurrent writes, searches always find every video', async () => {
  const filled = await anOvergrownTier(60)
  const { catalog, dates } = filled
  const ids = [...dates.keys()]
  const still = new Set(ids.filter((_, i) => i % 3 === 0))
  const stillInOrder = newestFirst(dates).filter((id) => still.has(id))
  const [first] = await catalog.tiers()
  const writing = new AbortController()
  /** Each writer has its own videos; one only moves them to newer dates, and so adds tiers after the divided one. */
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

/** Resolves when a connection to this database waits for a lock. */
async function lockIsAwaited(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      opened.database.platform,
    )
    if (rows.length > 0) return
  }
}
