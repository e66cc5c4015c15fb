import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase, type Transaction } from '../../../platform/database/database.ts'
import { createLog } from '../../../platform/log/logger.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { aVideoRow } from '../testing/a-video-row.ts'
import { namedMedia } from '../videos/named-media.ts'
import { leavePlaylists } from './leave-playlists.ts'
import {
  findPlaylist,
  insertPlaylist,
  listPlaylists,
  lockPlaylist,
  markPlaylistDeleted,
  updatePlaylist,
} from './playlist-store.ts'
import { listVideoIds, replaceVideos } from './playlist-video-store.ts'
import {
  countVideoIn,
  findSeries,
  insertSeries,
  listSeries,
  lockSeries,
  markSeriesDeleted,
  updateSeries,
} from './series-store.ts'

const { ownerUrl } = await aDatabase()
const [one, other] = [randomUUID(), randomUUID()]
await addAccounts(ownerUrl, { one, other })

/** Row-level security does not apply to the owner: only the statements filter by account. */
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
const database = openDatabase(ownerUrl, { connections: 2, logger })
after(() => database.close())
const db = database.forAccount(one)

const fields = { title: 'North', description: '', images: [], status: 'READY' } as const
const { series, playlist } = await inTransaction(async (tx) => ({
  series: await insertSeries(
    tx,
    { accountId: one, seriesId: randomUUID() },
    { ...fields, brandId: null },
    1_000,
  ),
  playlist: await insertPlaylist(tx, { accountId: one, playlistId: randomUUID() }, fields, 1_000),
}))
const { seriesId } = series
const { playlistId } = playlist
const videoId = await aVideoRow(db, one, { seriesId, season: 1 })
await inTransaction((tx) => replaceVideos(tx, one, playlistId, [videoId]))
const firstPage = { isDescending: false, after: undefined, limit: 10 }

test('an account finds its series and playlists as they were inserted', async () => {
  assert.deepEqual(await findSeries(db, one, seriesId, null), series)
  assert.deepEqual(await findSeries(db, one, seriesId, 0), { ...series, videoCount: 1, seasonCount: 1 })
  assert.deepEqual(await inTransaction((tx) => lockSeries(tx, one, seriesId)), series)
  assert.deepEqual(await findPlaylist(db, one, playlistId, null), playlist)
  assert.deepEqual(await findPlaylist(db, one, playlistId, 0), { ...playlist, videoCount: 1 })
  assert.deepEqual(await inTransaction((tx) => lockPlaylist(tx, one, playlistId, 'change')), playlist)
  for (const visibleAtMs of [null, 0]) {
    assert.equal((await listSeries(db, one, { ...firstPage, visibleAtMs })).rows.length, 1)
    assert.equal((await listPlaylists(db, one, { ...firstPage, visibleAtMs })).rows.length, 1)
  }
})

test('no statement reads a series or a playlist of another account, even as the owner', async () => {
  const none = { rows: [], total: 0 }

  for (const visibleAtMs of [null, 0]) {
    assert.equal(await findSeries(db, other, seriesId, visibleAtMs), undefined)
    assert.equal(await findPlaylist(db, other, playlistId, visibleAtMs), undefined)
    assert.deepEqual(await listSeries(db, other, { ...firstPage, visibleAtMs }), none)
    assert.deepEqual(await listPlaylists(db, other, { ...firstPage, visibleAtMs }), none)
  }
  assert.deepEqual(await listVideoIds(db, other, playlistId), [])
  await inTransaction(async (tx) => {
    assert.equal(await lockSeries(tx, other, seriesId), undefined)
    assert.equal(await lockPlaylist(tx, other, playlistId, 'delete'), undefined)
    assert.equal(await namedMedia.hasVideo(tx, other, videoId), false)
    assert.equal(await namedMedia.hasPlaylist(tx, other, playlistId), false)
  })
})

test('no statement writes a series or a playlist of another account, even as the owner', async () => {
  const theirSeries = { ...series, accountId: other }
  const theirPlaylist = { ...playlist, accountId: other }

  await inTransaction(async (tx) => {
    await updateSeries(tx, theirSeries, { title: 'Mine' }, 2_000)
    await markSeriesDeleted(tx, theirSeries, 2_000)
    await countVideoIn(tx, other, seriesId, true)
    await updatePlaylist(tx, theirPlaylist, { title: 'Mine' }, 2_000)
    await markPlaylistDeleted(tx, theirPlaylist, 2_000)
    await replaceVideos(tx, other, playlistId, [])
    await leavePlaylists(tx, other, videoId, 2_000)
  })

  assert.deepEqual(await findSeries(db, one, seriesId, null), series)
  assert.deepEqual(await findPlaylist(db, one, playlistId, null), playlist)
  assert.deepEqual(await listVideoIds(db, one, playlistId), [videoId])
})

function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(work)
}
