import { startClockControl } from '@continuity/dev/clock-control'
import { startCatalogSystem } from '../paging/catalog-system.ts'
import { playlistVideoList, seriesVideoLists, sortedBy, videoLists } from '../paging/lists.ts'
import type { WireVideo } from '../paging/record-order.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { checkMoment } from './check-moment.ts'
import { createTagCheck } from './check-tags.ts'
import { isVisibleAt, makeOpenCatalog, type OpenCatalog } from './open-catalog.ts'
import { searchesAt } from './search-lists.ts'
import { createSlowWalks } from './slow-walks.ts'
import { createVisitor, isBroken } from './visitor.ts'

/** Between times at which videos become available or expire; all are within the lifetime of a session. */
const STEP_MS = 60_000
const PAGE_SIZES = [50, 7, 30]
const SLOW_PAGE_SIZE = 4

export const visibility = proof({
  name: 'visibility',
  title: 'What is public, and when',
  promise:
    'A random catalog, with videos of every status that become available and expire at various times, to the ' +
    'millisecond. A device of an app without a user reads all of it, in every way that there is: lists in every ' +
    'order, records by their ids, searches by words, phrases, mistyped words, filters and orders. The clock moves ' +
    'over those times, one millisecond before, at and after each, and nothing is written. Every answer, each count ' +
    'and total too, is what a model in plain JavaScript gives for that time. No answer and no page mark contains a ' +
    'word of a hidden record. A record that time alone has changed has another ETag. Lists that are read while the ' +
    'clock moves neither skip nor repeat what was public throughout.',
  watches: [
    'packages/server/src/modules/catalog',
    'packages/server/src/http/entity-tag.ts',
    'e2e/visibility',
    'e2e/paging',
  ],
  sabotage: {
    title: 'videos of every status but DRAFT are public',
    changes: [
      {
        file: 'packages/server/src/modules/catalog/records/video-store.ts',
        from: ".status = 'READY' and",
        to: ".status <> 'DRAFT' and",
      },
    ],
    missed: ['answers_that_differ_from_the_model', 'answers_that_contain_a_hidden_record'],
  },
  sizes: { small: { videos: 30, moments: 2 }, full: { videos: 600, moments: 6 } },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    const catalogSystem = await startCatalogSystem(opened, { CLOCK_CONTROL: clock.address })
    const account = await catalogSystem.makeAccount('one')
    const moments = Array.from({ length: size.moments }, (_, at) => clock.nowMs() + (at + 1) * STEP_MS)
    const random = seededRandom(seed)
    const catalog = await makeOpenCatalog(catalogSystem, account, random, { videos: size.videos, moments })
    log(`${catalog.videos.length} videos were made`)
    for (const id of catalog.misread.slice(0, 5)) log(`${id} does not read as it was written`)

    const nowMs = () => clock.nowMs()
    const visitor = createVisitor({ api: catalogSystem.api, headers: account.visitor, catalog, nowMs, log })
    const tags = createTagCheck(catalog, visitor, log)
    const slow = createSlowWalks(slowLists(catalog), { catalog, visitor, pageSize: SLOW_PAGE_SIZE, log })
    const times = moments.flatMap((atMs) => [atMs - 1, atMs, atMs + 1])
    const checked: number[] = []
    for (const atMs of times) {
      if (isBroken(visitor.found)) break
      await clock.steer({ kind: 'set', toMs: atMs })
      await slow.readAll(atMs)
      await tags.checkAll()
      await checkMoment({ catalog, visitor, nowMs: atMs, pageSizes: PAGE_SIZES, log })
      checked.push(atMs)
      log(`${new Date(atMs).toISOString()}: ${visitor.found.answers} answers`)
    }
    await slow.finish(nowMs())
    const { found } = visitor

    return {
      figures: {
        videos: catalog.videos.length,
        videos_that_do_not_read_as_written: catalog.misread.length,
        times_checked: checked.length,
        videos_that_came_or_went: catalog.videos.filter(
          (video) => new Set(times.map((atMs) => isVisibleAt(video, atMs))).size > 1,
        ).length,
        videos_public_at_the_end: catalog.videos.filter((video) => isVisibleAt(video, nowMs())).length,
        answers: found.answers,
        public_records_read: found.publicRecords,
        hidden_records_requested: found.hiddenRecords,
        lists_and_searches_compared: found.lists,
        rows_compared: found.rows,
        answers_that_differ_from_the_model: found.differences,
        words_of_public_records_in_answers: found.publicWords,
        answers_that_contain_a_hidden_record: found.leaks,
        records_confirmed_by_304: tags.found.confirmed,
        records_that_time_alone_changed: tags.found.renewed,
        records_whose_tag_was_wrong: tags.found.wrong,
        walks_over_several_times: slow.found.walks,
        rows_skipped: slow.found.skipped,
        rows_repeated: slow.found.repeated,
        rows_out_of_order: slow.found.misplaced,
        rows_shown_that_were_hidden: slow.found.hiddenRows,
        pages_that_failed: slow.found.failed,
      },
      targets: {
        videos_that_do_not_read_as_written: { is: 0 },
        times_checked: { is: 3 * size.moments },
        public_records_read: { atLeast: times.length * (size.videos / 10) },
        hidden_records_requested: { atLeast: times.length * (size.videos / 10) },
        // Each video has two searches: its unique word, and that word mistyped.
        lists_and_searches_compared: { atLeast: times.length * 2 * size.videos },
        rows_compared: { atLeast: times.length * size.videos },
        videos_that_came_or_went: { atLeast: size.videos / 20 },
        videos_public_at_the_end: { atLeast: size.videos / 10 },
        answers_that_differ_from_the_model: { is: 0 },
        words_of_public_records_in_answers: { atLeast: times.length * size.videos },
        answers_that_contain_a_hidden_record: { is: 0 },
        records_confirmed_by_304: { atLeast: size.videos / 10 },
        records_that_time_alone_changed: { atLeast: 1 },
        records_whose_tag_was_wrong: { is: 0 },
        walks_over_several_times: { atLeast: 10 },
        rows_skipped: { is: 0 },
        rows_repeated: { is: 0 },
        rows_out_of_order: { is: 0 },
        rows_shown_that_were_hidden: { is: 0 },
        pages_that_failed: { is: 0 },
      },
    }
  },
})

/** Some of each kind. */
function slowLists(catalog: OpenCatalog) {
  const [{ series_id }] = catalog.series as [OpenCatalog['series'][number]]
  const [{ playlist, videoIds }] = catalog.playlists as [OpenCatalog['playlists'][number]]
  // The order by relevance is not determined by a record.
  const unordered = { arrange: (rows: readonly WireVideo[]) => rows, countMisplaced: () => 0 }
  const searches = searchesAt(catalog, 0).slice(0, 4)
  const byWord = searches.at(-1)!
  const byTitle = { field: 'title', order: 'ASC' } as const
  return [
    ...videoLists,
    ...seriesVideoLists(series_id).slice(-2),
    playlistVideoList('videos of a playlist', playlist.playlist_id, {
      now: () => videoIds,
      lasting: videoIds,
    }),
    ...searches.map((search) => ({ ...search, ...unordered, isSortedByUpdate: false })),
    { ...byWord, ...sortedBy(byTitle), body: { ...(byWord.body as object), sort: byTitle } },
  ]
}
