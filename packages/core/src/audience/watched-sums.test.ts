import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComponentCell } from './component-cell.ts'
import type { WatchedPart } from './heartbeat-block.ts'
import { createWatchedSums, type LoggedOutput } from './watched-sums.ts'

const MINUTE_MS = 60_000
const output: LoggedOutput = { channelId: 'north', distributor: 'direct', holdBackMs: 9_600, delayMs: 0 }

const film = { spanTicks: 90, type: 'VIDEO', programId: 'news', component: 1 } as const
const pod = { spanTicks: 180, type: 'AD_POD', programId: 'news', component: 2 } as const

/** A film until the second minute, then a break, and nothing from the third minute on. */
function cellAt(atMs: number): ComponentCell {
  const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
  const component = minuteMs < MINUTE_MS ? film : minuteMs < 2 * MINUTE_MS ? pod : null
  return { startMs: minuteMs, endMs: minuteMs + MINUTE_MS, minuteMs, component }
}

const part: WatchedPart = {
  startMs: 9_600 + 50_000,
  endMs: 9_600 + 63_000,
  method: 'CMCD_V2',
  shiftMs: 0,
  country: 'DE',
}

const none = { cmcdV2Ms: 0, cmcdV1Ms: 0, heartbeatMs: 0, starts: 0 }
const row = { channelId: 'north', distributor: 'direct', country: 'DE' }
const inFilm = { ...row, minuteMs: 0, ...film, ...none }
const inPod = { ...row, minuteMs: MINUTE_MS, ...pod, ...none }

function sumsOf(...parts: readonly (readonly [WatchedPart, (1 | -1)?, LoggedOutput?])[]) {
  const sums = createWatchedSums()
  for (const [one, sign = 1, where = output] of parts) sums.add(where, one, sign, cellAt)
  return sums.rows()
}

test('watched time is counted for what was on the air one hold-back earlier, by minute and component', () => {
  assert.deepEqual(sumsOf([part]), [
    { ...inFilm, cmcdV2Ms: 10_000 },
    { ...inPod, cmcdV2Ms: 3_000 },
  ])
})

test('a delayed output and a viewer who is behind saw what was on the air as much earlier', () => {
  const late = { ...part, startMs: part.startMs + 60_000, endMs: part.endMs + 60_000 }

  const rows = sumsOf([{ ...late, shiftMs: 20_000 }, 1, { ...output, delayMs: 40_000 }])

  assert.deepEqual(rows, sumsOf([part]))
})

test('time is summed by its method', () => {
  const inside = { ...part, endMs: part.startMs + 1_000 }

  assert.deepEqual(
    sumsOf(
      [inside],
      [inside],
      [{ ...inside, method: 'CMCD_V1' }],
      [{ ...inside, method: 'HEARTBEAT', endMs: inside.startMs + 10 }],
    ),
    [{ ...inFilm, cmcdV2Ms: 2_000, cmcdV1Ms: 1_000, heartbeatMs: 10 }],
  )
})

test('a start is counted where it was, off the air too, as a slate without a program', () => {
  const startAt = (endMs: number): WatchedPart => ({ ...part, startMs: endMs, endMs, method: null })
  const off = { spanTicks: 0, type: 'SLATE', programId: null, component: 0 } as const

  assert.deepEqual(sumsOf([startAt(9_600)], [startAt(9_700)], [startAt(9_600 + 130_000)]), [
    { ...inFilm, starts: 2 },
    { ...row, ...none, minuteMs: 2 * MINUTE_MS, ...off, starts: 1 },
  ])
})

test('what was watched while nothing was on the air is not counted', () => {
  assert.deepEqual(sumsOf([{ ...part, startMs: 9_600 + 130_000, endMs: 9_600 + 140_000 }]), [])
})

test('what is subtracted again leaves no row, and what was never added a negative one', () => {
  const start = { ...part, method: null }

  assert.deepEqual(sumsOf([part], [start], [part, -1], [start, -1]), [])
  assert.deepEqual(sumsOf([{ ...part, endMs: part.startMs + 5 }, -1]), [{ ...inFilm, cmcdV2Ms: -5 }])
  assert.deepEqual(sumsOf([{ ...start, endMs: 9_600 }, -1]), [{ ...inFilm, starts: -1 }])
})

test('channels, distributors, countries and components have rows of their own', () => {
  const inside = { ...part, endMs: part.startMs + 1_000 }

  const rows = sumsOf(
    [inside],
    [{ ...inside, country: 'FR' }],
    [inside, 1, { ...output, channelId: 'south' }],
    [inside, 1, { ...output, distributor: 'lens' }],
  )

  assert.deepEqual(
    rows.map(({ channelId, distributor, country, cmcdV2Ms }) => [channelId, distributor, country, cmcdV2Ms]),
    [
      ['north', 'direct', 'DE', 1_000],
      ['north', 'direct', 'FR', 1_000],
      ['south', 'direct', 'DE', 1_000],
      ['north', 'lens', 'DE', 1_000],
    ],
  )
})
