import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../../http/testing/wire.ts'
import type { WirePlaylist, WireSeries } from '../records/wire.ts'
import { aCatalogApi, made, PLAYLISTS, SERIES, VIDEOS } from '../testing/a-catalog-api.ts'

const { anAccount } = await aCatalogApi()
const { admin, db } = await anAccount()
const CHANNELS = '/api/2.3/linear_channels'

/** Enough rounds for a race to show. */
const ROUNDS = 15

test('a deleted video is removed from its playlists, whose counts and versions change', async () => {
  const [gone, kept] = [await aVideo(), await aVideo()]
  const lists = [await aPlaylist(), await aPlaylist(), await aPlaylist()]
  await set(lists[0]!, [gone, kept])
  await set(lists[1]!, [kept, gone])
  await set(lists[2]!, [kept])

  assert.equal((await admin.delete(`${VIDEOS}/${gone}`)).statusCode, 204)

  for (const [i, etag] of ['"3"', '"3"', '"2"'].entries()) {
    const read = await admin.get<WirePlaylist>(addressOf(lists[i]!))
    assert.equal(read.json().video_count, 1)
    assert.equal(read.headers['etag'], etag)
    assert.deepEqual(await videoIdsOf(lists[i]!), [kept])
  }
})

test('videos deleted while playlists are set are in none of them afterwards, without deadlocks', async () => {
  const lists = [await aPlaylist(), await aPlaylist()]

  for (let round = 0; round < ROUNDS; round += 1) {
    const ids = await Promise.all(Array.from({ length: 6 }, aVideo))
    const going = ids.slice(0, 3)
    await Promise.all(lists.map((list) => set(list, ids)))

    const [removals, settings] = await Promise.all([
      Promise.all(going.map((id) => admin.delete(`${VIDEOS}/${id}`))),
      Promise.all([
        set(lists[0]!, ids.toReversed()),
        set(lists[0]!, ids.slice(3)),
        set(lists[1]!, ids.toReversed()),
        set(lists[1]!, ids.slice(1, 5)),
      ]),
    ])

    for (const { statusCode, body } of removals) assert.equal(statusCode, 204, body)
    for (const answer of settings) {
      if (answer.statusCode !== 200) assertProblem(answer, 422, 'video.unknown')
    }
    for (const list of lists) {
      const listedIds = await videoIdsOf(list)
      assert.deepEqual(
        listedIds.filter((id) => going.includes(id)),
        [],
      )
      assert.equal((await admin.get<WirePlaylist>(addressOf(list))).json().video_count, listedIds.length)
    }
  }
})

test('setting videos while the playlist is deleted either precedes the deletion or returns 404', async () => {
  const ids = [await aVideo(), await aVideo()]

  for (let round = 0; round < ROUNDS; round += 1) {
    const list = await aPlaylist()
    const [setting, removal] = await Promise.all([set(list, ids), admin.delete(addressOf(list))])

    assert.equal(removal.statusCode, 204)
    if (setting.statusCode !== 200) assertProblem(setting, 404, 'playlist.not_found')
  }
})

test('a video added to a series during its deletion either prevents the deletion or is rejected', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { series_id } = await made<WireSeries>(admin, SERIES, { title: 'Short' })

    const [coming, removal] = await Promise.all([
      admin.post(VIDEOS, { title: 'Late', duration: 60, series_id, season_number: 1 }),
      admin.delete(`${SERIES}/${series_id}`),
    ])

    if (coming.statusCode === 201) assertProblem(removal, 409, 'record.in_use')
    else {
      assertProblem(coming, 422, 'series.unknown')
      assert.equal(removal.statusCode, 204)
    }
  }
})

test('a video or playlist that a channel uses cannot be deleted until the channel no longer uses it', async () => {
  const video = await aVideo()
  const list = await aPlaylist()
  const draft = { title: 'North One', ad_slate_video_id: video, filler_playlist_id: list.playlist_id }
  const { linear_channel_id } = await made<{ linear_channel_id: string }>(admin, CHANNELS, draft)

  assertProblem(await admin.delete(`${VIDEOS}/${video}`), 409, 'record.in_use')
  assertProblem(await admin.delete(addressOf(list)), 409, 'record.in_use')
  const change = { ad_slate_video_id: null, time_fill_video_id: video }
  await admin.patch(`${CHANNELS}/${linear_channel_id}`, change)
  assertProblem(await admin.delete(`${VIDEOS}/${video}`), 409, 'record.in_use')
  await admin.delete(`${CHANNELS}/${linear_channel_id}`)

  assert.equal((await admin.delete(`${VIDEOS}/${video}`)).statusCode, 204)
  assert.equal((await admin.delete(addressOf(list))).statusCode, 204)
})

test('no channel references a slate or a filler that was deleted concurrently', async () => {
  const channel = await made<{ linear_channel_id: string }>(admin, CHANNELS, { title: 'Racing' })
  const address = `${CHANNELS}/${channel.linear_channel_id}`

  for (let round = 0; round < ROUNDS; round += 1) {
    const video = await aVideo()
    const list = await aPlaylist()
    const takes = [
      ['rescue_slate_video_id', video, `${VIDEOS}/${video}`, 'video.unknown'],
      ['filler_playlist_id', list.playlist_id, addressOf(list), 'playlist.unknown'],
    ] as const
    for (const [field, id, media, code] of takes) {
      const [change, creation, removal] = await Promise.all([
        admin.patch(address, { [field]: id }),
        admin.post<{ linear_channel_id: string }>(CHANNELS, { title: 'New', [field]: id }),
        admin.delete(media),
      ])

      if (removal.statusCode === 204) {
        assertProblem(change, 422, code)
        assertProblem(creation, 422, code)
      } else {
        assertProblem(removal, 409, 'record.in_use')
        const taken = [change, creation].filter(({ statusCode }) => statusCode < 300)
        assert.ok(taken.length > 0)
      }
      if (creation.statusCode === 201) await admin.delete(`${CHANNELS}/${creation.json().linear_channel_id}`)
      await admin.patch(address, { [field]: null })
    }
  }
})

const aPlaylist = () => made<WirePlaylist>(admin, PLAYLISTS, { title: 'Night trains' })

async function aVideo(): Promise<string> {
  const draft = { title: 'The Tide Table', duration: 60, status: 'READY' }
  return (await made<{ video_id: string }>(admin, VIDEOS, draft)).video_id
}

function addressOf({ playlist_id }: WirePlaylist): string {
  return `${PLAYLISTS}/${playlist_id}`
}

function set(playlist: WirePlaylist, video_ids: readonly string[]) {
  return admin.put(`${addressOf(playlist)}/videos`, { video_ids })
}

async function videoIdsOf({ playlist_id }: WirePlaylist): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select video_id as id from playlist_videos where playlist_id = ${playlist_id} order by place`.execute(db)
  return rows.map(({ id }) => id)
}
