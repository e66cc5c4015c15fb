import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { applyPacked, emptyPacked, packRun } from '../timeline/codec/packed.ts'
import type { Run } from '../timeline/run.ts'
import { aRun, plays } from '../timeline/testing/a-run.ts'
import type { FeedMessage } from './feed-message.ts'
import { firstListedMs, hasEnd, isLateCut } from './late-cut.ts'
import { aFeedChannel } from './testing/a-feed.ts'

const film = aRun({ shownFromSeconds: 0 }, plays('film', 10))
/** Replaces the film from its fourth segment on, at 9.6 s, which is listed from 12.8 s on. */
const cut = aRun({ number: 2, sequence: 3, startSeconds: 9.6, discontinuity: null }, plays('cut', 5))
const end: Run = { ...cut, spans: [], isEnd: true }

const version = { epoch: 1, version: 2 }
const before = { ...version, version: 1, channel: aFeedChannel(), timeline: applyPacked(emptyPacked, film) }
const change = (...runs: readonly Run[]): FeedMessage => ({
  ...version,
  kind: 'change',
  channel: null,
  runs: runs.map(packRun),
  settled: [],
})
const whole = (...runs: readonly Run[]): FeedMessage => ({
  ...version,
  kind: 'whole',
  channel: aFeedChannel(),
  timeline: runs.reduce(applyPacked, emptyPacked),
})

test('a cut is late once its first segment would have replaced one that is listed', () => {
  assert.equal(isLateCut(before, change(cut), at(9.6)), false)
  assert.equal(isLateCut(before, change(cut), at(12.7)), false)
  assert.equal(isLateCut(before, change(cut), at(12.8)), true)
  assert.equal(isLateCut(before, whole(film, cut), at(12.8)), true)
})

test('what is known, starts, or comes to a channel with nothing on the air is not late', () => {
  const start = aRun({ number: 2, sequence: 3, startSeconds: 9.6, shownFromSeconds: 9.6 }, plays('cut', 5))

  assert.equal(isLateCut(before, change(film), at(20)), false)
  assert.equal(isLateCut(before, change(start), at(20)), false)
  assert.equal(isLateCut({ ...before, timeline: emptyPacked }, change(cut), at(20)), false)
  assert.equal(isLateCut(before, change(), at(20)), false)
})

test('one late run of an update is enough', () => {
  const later = aRun({ number: 3, sequence: 8, startSeconds: 25.6, discontinuity: null }, plays('later', 5))

  assert.equal(isLateCut(before, change(cut, later), at(28.7)), true)
  assert.equal(isLateCut(before, change(later), at(28.7)), false)
})

test('an update is first listed when the first segment of its earliest run has ended', () => {
  const later = aRun({ number: 3, sequence: 8, startSeconds: 25.6, discontinuity: null }, plays('later', 5))

  assert.equal(firstListedMs(change(later, cut)), ORIGIN_MS + 12_800)
  assert.equal(firstListedMs(change(cut)), ORIGIN_MS + 12_800)
  assert.equal(firstListedMs(whole(film, cut)), ORIGIN_MS + 12_800)
})

test('a start and an end are listed at no time that something could be late for', () => {
  assert.equal(firstListedMs(change(film)), Infinity)
  assert.equal(firstListedMs(change(end)), Infinity)
})

test('an update has an end if any of its runs shows nothing', () => {
  assert.equal(hasEnd(change(film, end)), true)
  assert.equal(hasEnd(change(cut)), false)
  assert.equal(hasEnd(whole(film)), false)
})
