import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { startCatalogSystem } from './catalog-system.ts'
import { checkMarks } from './check-marks.ts'
import { brandKind, playlistKind, seriesKind, videoKind } from './kinds.ts'
import { brandList, playlistList, seriesLists, seriesVideoLists, videoLists } from './lists.ts'
import { makeWalkedPlaylists } from './playlist-videos.ts'
import { timeOf, type WirePlaylist, type WireSeries, type WireVideo } from './record-order.ts'
import { changeRecords, makeFixed, makeRecords, type Writer } from './records.ts'
import { searchLists } from './search-lists.ts'
import { type Group, noFindings, walkGroup } from './walk-group.ts'

export const paging = proof({
  name: 'paging',
  title: 'Lists that are read while they change',
  promise:
    'Two API processes, asked in turn, and a catalog in which many records say the same of what lists go by. Every ' +
    'list of the catalog and every kind of search is walked from the first page to the last, in every order, with ' +
    'pages of several sizes, by one who sees all and by one who sees what everybody may, while records are made, ' +
    'moved and deleted. No record that was there throughout and kept its place is skipped or repeated, all stand in ' +
    'order, and every page but the last is full. When all is quiet, each list is to the row what the writes say, its ' +
    'total too, and it ends with its last row. A mark of another account, list, order, filter or search, or one ' +
    'that was spoilt, is refused as such.',
  sizes: {
    small: { videos: 150, others: 24, changes: 40, copies: 4, pageSizes: [50, 9, 30] },
    full: { videos: 5_000, others: 300, changes: 1_000, copies: 100, pageSizes: [50, 17, 30] },
  },
  async run({ size, seed, say }) {
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
    say(`the catalog was made in ${loadSeconds} s`)

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
    const walk = async <R>(group: Group<R>) => {
      startMs = performance.now()
      const { changes, walks } = found
      await walkGroup(group, { account, writer, say, ...size }, found)
      const counts = `${found.walks - walks} walks, ${found.changes - changes} changes`
      say(`${group.name}: ${counts} in ${secondsSince()} s`)
    }
    const ofSeries = seriesVideoLists(seriesId)
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
    await walk({ ...ofVideos, name: 'videos', lists: videoLists })
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
    const marks = await checkMarks(lists, { account, other, writer, say, ...size })
    say(`${marks.refusals} marks were sent where they do not belong, or spoilt`)

    return {
      figures: {
        videos: size.videos,
        seconds_to_make_the_catalog: loadSeconds,
        walks_while_records_change: found.walks,
        changes_meanwhile: found.changes,
        pages: found.pages,
        rows_skipped: found.skipped,
        rows_repeated: found.repeated,
        rows_out_of_order: found.misplaced,
        pages_malformed: found.malformed,
        rows_shown_that_nobody_may_see: found.hiddenShown,
        walks_in_quiet: found.quietWalks,
        lists_that_are_not_what_was_written: found.quietWrong,
        totals_wrong_in_quiet: found.totalsWrong,
        marks_of_good_lists: marks.marks,
        marks_good_and_not_taken: marks.notTaken,
        marks_spoilt_or_misplaced: marks.refusals,
        marks_not_refused_as_such: marks.notRefused,
      },
      targets: {
        changes_meanwhile: { atLeast: 7 * size.changes },
        rows_skipped: { is: 0 },
        rows_repeated: { is: 0 },
        rows_out_of_order: { is: 0 },
        pages_malformed: { is: 0 },
        rows_shown_that_nobody_may_see: { is: 0 },
        lists_that_are_not_what_was_written: { is: 0 },
        totals_wrong_in_quiet: { is: 0 },
        marks_good_and_not_taken: { is: 0 },
        marks_not_refused_as_such: { is: 0 },
      },
    }
  },
})
