import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { AnswerOf, Operations } from '@continuity/contract'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { addressOf, aLiveApi, aSource } from './testing/a-live-api.ts'

type WirePreview = AnswerOf<Operations['getLiveSourcePreview']>

const { bus, admin, otherAdmin } = await aLiveApi()
const SLOT_MS = 3_200
const NOW_SLOT = Math.floor(NOW_MS / SLOT_MS)
const feature = { enable_redundancy: true, redundancy_source: 'https://live.example/b/index.m3u8' }

/** In the format of a receiver: the log with its newest slot, and the health with the lowest rendition. */
function publish(sourceId: string, input: number, slot: number, rung: string | undefined) {
  const newest = { slot, epoch: 1, key: `key ${input}` }
  const log = { token: 1, folder: 'live/a/s', slotMs: SLOT_MS, knownFrom: 0, ranges: [], newest }
  bus.messages.set(`live.log.${sourceId}.${input}`, JSON.stringify(log))
  const health = { slotMs: SLOT_MS, rung, first: 0, slots: [] }
  bus.messages.set(`live.health.${sourceId}.${input}`, JSON.stringify(health))
}
const folderOf = (slot: number, key: string) => {
  const name = createHmac('sha256', key).update(`${slot}`).digest('base64url').slice(0, 22)
  return `https://media.example/live/a/s/${Math.floor((slot * SLOT_MS) / 3_600_000)}/${name}`
}
const previewOf = async (source: { readonly live_source_id: string }) => {
  const answer = await admin.get<WirePreview>(`${addressOf(source)}/preview`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

test('a preview is the still and the segment of the newest slot', async () => {
  const source = await aSource(admin)
  publish(source.live_source_id, 0, NOW_SLOT - 1, '360p')

  assert.deepEqual(await previewOf(source), {
    live_source_id: source.live_source_id,
    status: 'IDLE',
    slot: {
      input: 0,
      start_time: new Date((NOW_SLOT - 1) * SLOT_MS).toISOString(),
      still_url: `${folderOf(NOW_SLOT - 1, 'key 0')}/stills/${NOW_SLOT - 1}.jpg`,
      segment_url: `${folderOf(NOW_SLOT - 1, 'key 0')}/360p/${NOW_SLOT - 1}.ts`,
    },
  })
})

test('of two inputs the first one with a recent slot is shown', async () => {
  const source = await aSource(admin, { feature })
  publish(source.live_source_id, 0, NOW_SLOT - 7, '360p')
  publish(source.live_source_id, 1, NOW_SLOT, undefined)

  const second = await previewOf(source)
  publish(source.live_source_id, 0, NOW_SLOT - 1, '360p')
  const first = await previewOf(source)

  assert.deepEqual([second.slot?.input, second.slot?.segment_url], [1, null])
  assert.equal(first.slot?.input, 0)
})

test('no recent slot is null, another account gets 404, and NATS down is 503', async () => {
  const source = await aSource(admin)
  const address = `${addressOf(source)}/preview`

  assert.equal((await previewOf(source)).slot, null)
  assertProblem(await otherAdmin.get(address), 404, 'live_source.not_found')
  bus.isUp = false
  const unavailable = await admin.get(address)
  bus.isUp = true
  assertProblem(unavailable, 503, 'live_source.signal_unavailable')
})
