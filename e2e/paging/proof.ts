import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { startCatalogSystem } from './catalog-system.ts'
import { checkCursors } from './check-cursors.ts'
import { brandKind, playlistKind, seriesKind, videoKind } from './kinds.ts'
import { brandList, playlistList, seriesLists, seriesVideoLists, videoLists } from './lists.ts'
import { makeWalkedPlaylists } from './playlist-videos.ts'
import { timeOf, type WirePlaylist, type WireSeries, type WireVideo } from './record-order.ts'
import { changeRecords, makeFixed, makeRecords, type Writer } from './records.ts'
import { searchLists } from './search-lists.ts'
import { type Findings, type Group, isBroken, noFindings, walkGroup } from './walk-group.ts'

export const paging = proof({
  name: 'paging',
  title: 'Lists that are read while they change',
  promise:
    'Two API processes, called alternately, and a catalog in which many records have the same values in the fields that ' +
    'lists are sorted by. Every list of the catalog and every kind of search is read from the first page to the last, ' +
    'in every order, with pages of several sizes, by an admin and by a device that sees what is public, while records ' +
    'are created, moved and deleted. No record that existed throughout and kept its position is skipped or repeated, ' +
    'all are in order, and every page but the last is full. When nothing changes, each list has exactly the rows that ' +
    'were written, its total too, and it ends with its last row. A page mark of another account, list, order, filter ' +
    'or search, or one that was altered, is rejected as such.',
  watches: [
    'packages/server/src/modules/catalog',
    'packages/server/src/platform/crypto/page-cursor.ts',
    'e2e/paging',
  ],
  sabotage: {
    title: 'a page of videos begins with the last row of the page before',
    changes: [
      {
        file: 'packages/server/src/modules/catalog/records/video-store.ts',
        from: "sql.raw(isDescending ? '<' : '>')",
        to: "sql.raw(isDescending ? '<=' : '>=')",
      },
    ],
    missed: ['rows_repeated', 'rows_out_of_order'],
  },
  sizes: {
    small: { videos: 100, others: 24, changes: 30, copies: 2, pageSizes: [50, 9, 30] },
    full: { videos: 5_000, others: 300, changes: 1_000, copies: 100, pageSizes: [50, 17, 30] },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const { api, makeAccount } = await startCatalogSystem(opened)
    const [account, other] = [await makeAccount('one'), await makeAccount('other')]
    const writer: Writer = { api, headers: account.admin, random: seededRandom(seed) }
    const nowMs = Date.now()

    let startMs = performance.now()
    const secondsSince = () => ((performance.now() - startMs) / 1_000).toFixed(1)
    const series = await makeRecords(writer, seriesKind, size.others)
    const seriesId = await makeFixed(writer, series, { title: 'Walked', status: 'READY' })
    const playlists = await makeRecords(writer, playlistKind, size.others)
    const brands = await makeRecords(writer, brandKind, size.others)
    const videos = await makeRecords(writer, videoKind([seriesId, seriesId, null], nowMs), size.videos)
    const walkedPlaylists = await makeWalkedPlaylists(writer, playlists, videos)
    const loadSeconds = Number(secondsSince())
    log(`the catalog was made in ${loadSeconds} s`)

    const isReady = ({ status }: WireSeries | WirePlaylist | WireVideo) => status === 'READY'
    const ofVideos = {
      records: videos,
      isOpen: (video: WireVideo) =>
        isReady(video) &&
        timeOf(video.date_available, -Infinity) <= nowMs &&
        nowMs < timeOf(video.date_expired, Infinity),
      change: () => changeRecords(writer, videos),
    }
    const found = noFindings()
    let groups = 0
    const walk = async <R>(group: Group<R>) => {
      if (isBroken(found)) return
      startMs = performance.now()
      const { walks } = found
      const changes = changesOf(found)
      await walkGroup(group, { account, writer, log, ...size }, found)
      groups += 1
      const counts = `${found.walks - walks} walks, ${changesOf(found) - changes} changes`
      log(`${group.name}: ${counts} in ${secondsSince()} s`)
    }
    const ofSeries = seriesVideoLists(seriesId)
    await walk({ ...ofVideos, name: 'videos', lists: videoLists })
    await walk<WireSeries>({
      name: 'series',
      lists: seriesLists,
      records: series,
      isOpen: isReady,
      change: () => changeRecords(writer, series),
    })
    await walk<WirePlaylist>({
      name: 'playlists',
      lists: [playlistList],
      records: playlists,
      isOpen: isReady,
      change: () => changeRecords(writer, playlists),
    })
    await walk({
      name: 'brands',
      lists: [brandList],
      records: brands,
      isOpen: () => true,
      change: () => changeRecords(writer, brands),
    })
    await walk({ ...ofVideos, name: 'videos of a series', lists: ofSeries })
    await walk({ ...ofVideos, name: 'videos of playlists', ...walkedPlaylists })
    await walk({ ...ofVideos, name: 'searches', lists: searchLists })

    const lists = [
      ...seriesLists,
      playlistList,
      brandList,
      ...videoLists.slice(0, 3),
      ...ofSeries.filter((_, at) => at % 6 === 0),
      ...walkedPlaylists.lists,
      ...searchLists.slice(0, -10),
    ]
    const cursors = await checkCursors(isBroken(found) ? [] : lists, { account, other, writer, log, ...size })
    log(`${cursors.rejections} cursors of other lists and corrupt ones were sent`)

    return {
      figures: {
        videos: videos.all.size,
        seconds_to_make_the_catalog: loadSeconds,
        groups_of_lists: groups,
        records_created_meanwhile: found.changes.created,
        records_moved_meanwhile: found.changes.moved,
        records_deleted_meanwhile: found.changes.deleted,
        records_touched_meanwhile: found.changes.touched,
        walks_while_records_change: found.walks,
        walks_of_several_pages: found.severalPages,
        of_them_with_changes_between_their_pages: found.whileChanging,
        pages: found.pages,
        rows_that_had_to_be_found_once: found.rowsDue,
        rows_skipped: found.skipped,
        rows_repeated: found.repeated,
        rows_out_of_order: found.misplaced,
        pages_malformed: found.malformed,
        rows_shown_that_are_not_public: found.hiddenShown,
        walks_that_failed: found.failed,
        walks_without_changes: found.unchangedWalks,
        rows_compared_without_changes: found.unchangedRows,
        lists_that_are_not_what_was_written: found.unchangedWrong,
        totals_wrong_without_changes: found.totalsWrong,
        valid_cursors: cursors.cursors,
        valid_cursors_rejected: cursors.notAccepted,
        invalid_cursors_sent: cursors.rejections,
        invalid_cursors_not_rejected: cursors.notRejected,
      },
      targets: {
        groups_of_lists: { is: 7 },
        records_created_meanwhile: { atLeast: size.changes },
        records_moved_meanwhile: { atLeast: size.changes },
        records_deleted_meanwhile: { atLeast: size.changes },
        // Every list as both readers: 2 of series, playlists, brands, 14 of videos, 20 of a series, 2 of playlists, 26
        // searches.
        walks_while_records_change: { atLeast: 2 * LISTS },
        walks_of_several_pages: { atLeast: LISTS },
        of_them_with_changes_between_their_pages: { atLeast: LISTS / 2 },
        rows_that_had_to_be_found_once: { atLeast: LISTS * (size.videos / 5) },
        rows_skipped: { is: 0 },
        rows_repeated: { is: 0 },
        rows_out_of_order: { is: 0 },
        pages_malformed: { is: 0 },
        rows_shown_that_are_not_public: { is: 0 },
        walks_that_failed: { is: 0 },
        walks_without_changes: { is: 2 * LISTS },
        rows_compared_without_changes: { atLeast: LISTS * (size.videos / 5) },
        lists_that_are_not_what_was_written: { is: 0 },
        totals_wrong_without_changes: { is: 0 },
        valid_cursors: { atLeast: 20 },
        valid_cursors_rejected: { is: 0 },
        invalid_cursors_sent: { atLeast: 20 * 19 },
        invalid_cursors_not_rejected: { is: 0 },
      },
    }
  },
})

const LISTS = 66

const changesOf = ({ changes }: Findings): number =>
  Object.values(changes).reduce((sum, count) => sum + count, 0)
