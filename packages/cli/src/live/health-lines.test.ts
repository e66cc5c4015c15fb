import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showHealth } from './health-lines.ts'

const slot = {
  start_time: '2026-03-01T18:00:00.000Z',
  fill: false,
  bitrate_kbps: 4_812,
  loudness_lufs: -22.8,
  delay_ms: 9_120,
  black: false,
  frozen: false,
  silent: false,
}
const totals = {
  slots: 5,
  fill: 1,
  black: 1,
  frozen: 1,
  silent: 2,
  bitrate_kbps: 4_812,
  loudness_lufs: -22.8,
  delay_ms: 9_120,
}
const none = {
  slots: 0,
  fill: 0,
  black: 0,
  frozen: 0,
  silent: 0,
  bitrate_kbps: null,
  loudness_lufs: null,
  delay_ms: null,
}

test('health is a table of inputs and a character for each slot', () => {
  const slots = [
    slot,
    { ...slot, fill: true },
    { ...slot, black: true, silent: true },
    { ...slot, frozen: true },
    { ...slot, silent: true },
  ]

  const text = showHealth({
    live_source_id: 's1',
    status: 'ACTIVE',
    inputs: [
      { input: 0, totals, slots },
      { input: 1, totals: none, slots: [] },
    ],
  })

  assert.equal(
    text,
    `  ACTIVE
  input  slots  fill  black  frozen  silent  kbit/s  LUFS   least delay
  0      5      1     1      1       2       4812    -22.8  9120 ms
  1      0      0     0      0       0       -       -      -

  input 0 since 2026-03-01T18:00:00.000Z
  ._bfs
  . media   _ fill   b black   f frozen   s silent`,
  )
})

test('ten minutes are split into lines that fit a terminal, and an input without slots has none', () => {
  const slots = Array.from({ length: 187 }, () => slot)
  const text = showHealth({ live_source_id: 's1', status: 'ACTIVE', inputs: [{ input: 0, totals, slots }] })
  const idle = showHealth({
    live_source_id: 's1',
    status: 'IDLE',
    inputs: [{ input: 0, totals: none, slots: [] }],
  })

  assert.deepEqual(
    text.match(/^ {2}\.+$/gm)?.map((line) => line.length - 2),
    [75, 75, 37],
  )
  assert.equal(idle.split('\n').length, 3)
})
