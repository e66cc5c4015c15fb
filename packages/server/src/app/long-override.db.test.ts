import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printPlaylist, styleOf } from '@continuity/core/hls/media-playlist'
import { createSegmentTexts } from '@continuity/core/hls/segment-texts'
import { ticksOf } from '@continuity/core/time/ticks'
import { breaksIn } from '@continuity/core/timeline/breaks'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import { windowAt } from '@continuity/core/timeline/window'
import { sql } from 'kysely'
import { namedMedia } from '../modules/catalog/index.ts'
import { saveLog } from '../modules/live/log-store.ts'
import { loadLiveView } from '../modules/live/read.ts'
import { liveRoutes } from '../modules/live/routes.ts'
import { overrideRoutes } from '../modules/overrides/routes.ts'
import { purgeRuns } from '../modules/schedule/jobs.ts'
import { aScheduleApi, type ScheduleAccount } from '../modules/schedule/testing/a-schedule-api.ts'
import { LOG_KEPT_MS } from '../platform/live-bus/live-streams.ts'

const SLOT_MS = 3_200
const HOUR_MS = 3_600_000
/** Beyond the log of the source, two days, and beyond the runs that are kept, three. */
const LASTS_HOURS = 80
const STEP_HOURS = 4

const { api, feed, database, sweep, anAccount } = await aScheduleApi((deps) => ({
  ...liveRoutes({
    ...deps,
    readLatest: async () => undefined,
    mediaBase: '/media/',
    namedRecords: {
      hasVideo: namedMedia.hasVideo,
      hasChannel: async () => true,
      listShowing: async () => [],
    },
  }),
  ...overrideRoutes(deps),
}))

/** A source that has had a signal all the time, and of which the log is as long as it is kept. */
async function bringLog({ accountId, db }: ScheduleAccount, sourceId: string, fromSlot: number) {
  const endSlot = Math.floor(api.nowMs / SLOT_MS)
  const knownFrom = Math.max(fromSlot, Math.floor((api.nowMs - LOG_KEPT_MS) / SLOT_MS))
  const log = {
    token: 1,
    folder: 'live/source',
    slotMs: SLOT_MS,
    knownFrom,
    ranges: [{ firstSlot: knownFrom, endSlot, epoch: 1, key: 'k' }],
    newest: null,
  }
  const stored = { input: 0, log, storedMs: api.nowMs } as const
  await db.transaction().execute((tx) => saveLog(tx, { accountId, sourceId }, undefined, stored))
  return knownFrom
}

/** The playlist of a playout node at this time. */
async function playlistOf({ db, accountId, channelId }: ScheduleAccount, sourceId: string) {
  const live = await loadLiveView(db, accountId, [sourceId])
  const timeline = unpackBetween(feed.stateOf(channelId)!.timeline, 0, Number.MAX_SAFE_INTEGER)!
  const style = styleOf(SLOT_MS, 32_000, 'BOTH')
  const window = windowAt(timeline, ticksOf(api.nowMs), style.windowTicks, live)!
  const breaks = breaksIn(timeline, window, 'ACTUAL', live)
  const texts = createSegmentTexts({ mediaBase: '/media/', keptCharacters: 4_000_000 })
  const text = printPlaylist({ window, breaks, style, rung: '160x90', texts, live })
  const sequence = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)![1])
  const startMs = Date.parse(/#EXT-X-PROGRAM-DATE-TIME:(\S+)/.exec(text)![1]!)
  const paths = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return {
    paths,
    sequence,
    startMs,
    endMs: startMs + paths.length * SLOT_MS,
    discontinuity: Number(/#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/.exec(text)?.[1] ?? 0),
    marks: text.match(/^#EXT-X-DISCONTINUITY$/gm)?.length ?? 0,
  }
}

test('an override that outlives the log of its source continues without a discontinuity', async () => {
  const account = await anAccount()
  const { admin, channelId, db } = account
  await admin.put(`/api/2.3/linear_channels/${channelId}/start`)
  await sweep()
  api.nowMs += 120_000
  await sweep()
  const draft = { name: 'Harbour', type: 'HLS_PULL', metadata: { input_url: 'https://live.example/a.m3u8' } }
  const made = await admin.post<{ live_source_id: string }>('/api/2.3/live_sources', draft)
  const sourceId = made.json().live_source_id
  await sql`update live_sources set state = 'ACTIVE' where live_source_id = ${sourceId}`.execute(db)
  // It had a signal before.
  const fromSlot = Math.floor(api.nowMs / SLOT_MS) - 100
  const body = [{ linear_channel_id: channelId }]
  assert.equal((await admin.post(`/api/2.3/linear_channels/override/${sourceId}`, body)).statusCode, 200)
  api.nowMs += 120_000
  await bringLog(account, sourceId, fromSlot)
  const first = await playlistOf(account, sourceId)
  const overriddenMs = api.nowMs
  let knownFrom = fromSlot

  for (let hours = STEP_HOURS; hours <= LASTS_HOURS; hours += STEP_HOURS) {
    api.nowMs = overriddenMs + hours * HOUR_MS
    knownFrom = await bringLog(account, sourceId, fromSlot)
    await sweep()
    await purgeRuns(database.platform, api.nowMs)

    const { paths, sequence, startMs, endMs, discontinuity, marks } = await playlistOf(account, sourceId)

    const at = `after ${hours} h`
    // One segment for each slot since, whatever was planned in between.
    assert.equal(sequence - first.sequence, (startMs - first.startMs) / SLOT_MS, at)
    assert.deepEqual({ discontinuity, marks }, { discontinuity: first.discontinuity, marks: 0 }, at)
    assert.ok(paths.length >= 10 && api.nowMs - endMs < 2 * SLOT_MS, `${at}: ${paths.length} segments`)
    assert.deepEqual(
      paths.filter((path) => !path.includes('live/source')),
      [],
      at,
    )
  }
  // Otherwise nothing was deleted that the override began with.
  assert.ok(knownFrom > fromSlot + (24 * HOUR_MS) / SLOT_MS)
})
