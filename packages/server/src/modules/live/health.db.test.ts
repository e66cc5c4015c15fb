import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerOf, Operations } from '@continuity/contract'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { addressOf, aLiveApi, aSource } from './testing/a-live-api.ts'

type WireHealth = AnswerOf<Operations['getLiveSourceHealth']>

const { bus, admin, otherAdmin } = await aLiveApi()
const SLOT_MS = 3_200
const NOW_SLOT = Math.floor(NOW_MS / SLOT_MS)

/** In the format of a receiver: offset of the slot, kbit/s, tenths of LUFS, ms and flags; only the offset for fill. */
function publish(sourceId: string, input: number, slots: readonly (readonly (number | null)[])[]) {
  const text = JSON.stringify({ slotMs: SLOT_MS, first: NOW_SLOT - 300, slots })
  bus.messages.set(`live.health.${sourceId}.${input}`, text)
}

test('health has the measurements of the last ten minutes, by slot and in total', async () => {
  const source = await aSource(admin)
  publish(source.live_source_id, 0, [
    [0, 9_999, -100, 1, 0],
    [297, 3_000, -230, 9_000, 0],
    [298],
    [299, 1_000, -700, 4_000, 5],
    [300, 2_000, null, 5_000, 2],
  ])

  const answer = await admin.get<WireHealth>(`${addressOf(source)}/health`)

  assert.equal(answer.statusCode, 200, answer.body)
  const at = (back: number) => new Date((NOW_SLOT - back) * SLOT_MS).toISOString()
  const good = { fill: false, black: false, frozen: false, silent: false }
  assert.deepEqual(answer.json(), {
    live_source_id: source.live_source_id,
    status: 'IDLE',
    inputs: [
      {
        input: 0,
        totals: {
          slots: 4,
          fill: 1,
          black: 1,
          frozen: 1,
          silent: 1,
          bitrate_kbps: 2_000,
          loudness_lufs: -23,
          delay_ms: 4_000,
        },
        slots: [
          { start_time: at(3), ...good, bitrate_kbps: 3_000, loudness_lufs: -23, delay_ms: 9_000 },
          { start_time: at(2), ...good, fill: true, bitrate_kbps: null, loudness_lufs: null, delay_ms: null },
          {
            start_time: at(1),
            ...good,
            black: true,
            silent: true,
            bitrate_kbps: 1_000,
            loudness_lufs: -70,
            delay_ms: 4_000,
          },
          {
            start_time: at(0),
            ...good,
            frozen: true,
            bitrate_kbps: 2_000,
            loudness_lufs: null,
            delay_ms: 5_000,
          },
        ],
      },
    ],
  })
})

test('each configured input is listed, even without measurements', async () => {
  const redundant = { enable_redundancy: true, redundancy_source: 'https://live.example/b/index.m3u8' }
  const source = await aSource(admin, { feature: redundant })
  publish(source.live_source_id, 1, [[300, 2_000, -230, 5_000, 0]])

  const { inputs } = (await admin.get<WireHealth>(`${addressOf(source)}/health`)).json()

  assert.deepEqual(
    inputs.map(({ input, totals, slots }) => [input, totals.slots, totals.bitrate_kbps, slots.length]),
    [
      [0, 0, null, 0],
      [1, 1, 2_000, 1],
    ],
  )
})

test('unreadable health is empty, another account gets 404, and NATS down is 503', async () => {
  const source = await aSource(admin)
  bus.messages.set(`live.health.${source.live_source_id}.0`, 'no health')
  const address = `${addressOf(source)}/health`

  const unreadable = await admin.get<WireHealth>(address)
  assert.deepEqual([unreadable.statusCode, unreadable.json().inputs[0]?.slots], [200, []])
  assertProblem(await otherAdmin.get(address), 404, 'live_source.not_found')
  bus.isUp = false
  const unavailable = await admin.get(address)
  bus.isUp = true
  assertProblem(unavailable, 503, 'live_source.signal_unavailable')
  assert.equal(unavailable.headers['retry-after'], '1')
})
