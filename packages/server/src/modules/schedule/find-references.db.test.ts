import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import pg from 'pg'
import { findReferences } from './index.ts'
import { aScheduleApi, podItem, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const system = await aScheduleApi()
const { api, feed, anAccount, aVideo, place, sweep, ownerUrl } = system

/** As a playout node would name them: all spans of a program. */
function spansOf({ channelId }: ScheduleAccount, programId: string) {
  const timeline = unpackBetween(feed.stateOf(channelId)!.timeline, 0, Number.MAX_SAFE_INTEGER)!
  return timeline.runs
    .flatMap(({ spans }) => spans)
    .filter(({ airing }) => airing.program?.id === programId)
    .map(({ startTicks, airing: { type } }) => ({ channelId, spanTicks: startTicks, type, programId }))
}

test('spans have the video that was committed, also when only the as-run record still has it', async () => {
  const account = await anAccount()
  const { accountId, db } = account
  const startMs = api.nowMs + 120_000
  const [one, two] = [await aVideo(account, 32), await aVideo(account, 16)]
  const programId = await place(account, {
    startMs,
    endMs: startMs + 80_000,
    items: [videoItem(one, 32), podItem(16), videoItem(two, 16)],
  })
  await account.admin.put(`/api/2.3/linear_channels/${account.channelId}/start`)
  await sweep()
  const spans = spansOf(account, programId)
  const unknown = { ...spans[0]!, spanTicks: spans[0]!.spanTicks + 1, type: 'LIVE' as const }

  const committed = await findReferences(db, accountId, [...spans, unknown])
  for (const atMs of [startMs + 650_000, startMs + 1_400_000]) {
    api.nowMs = atMs
    await sweep()
  }
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('delete from runs where linear_channel_id = $1', [account.channelId])
  await owner.end()
  const recorded = await findReferences(db, accountId, [...spans, unknown])

  const expected = [
    ['VIDEO', one.videoId],
    ['AD_POD', null],
    ['VIDEO', two.videoId],
  ]
  assert.deepEqual(spans.map(({ type }, at) => [type, committed[at]]).slice(0, 3), expected)
  assert.deepEqual(spans.map(({ type }, at) => [type, recorded[at]]).slice(0, 3), expected)
  assert.deepEqual([committed.at(-1), recorded.at(-1)], [undefined, undefined])
})
