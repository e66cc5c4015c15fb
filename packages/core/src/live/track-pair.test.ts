import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pairTracks, type TrackSegment } from './track-pair.ts'

const NEAR_MS = 30_000

const aSegment = (startMs: number, more: Partial<TrackSegment> = {}): TrackSegment => ({
  startMs,
  durationMs: 6_000,
  isBreak: false,
  ...more,
})

test('segments on one clock are paired, with audio earlier or later than video', () => {
  const earlier = pairTracks(aSegment(100_000), aSegment(98_500), NEAR_MS)
  const later = pairTracks(aSegment(100_000), aSegment(103_000), NEAR_MS)

  assert.deepEqual(earlier, { kind: 'pair', offsetMs: -1_500 })
  assert.deepEqual(later, { kind: 'pair', offsetMs: 3_000 })
})

test('timestamps that wrap between them are still near', () => {
  const wrapMs = 2 ** 33 / 90
  const pair = pairTracks(aSegment(wrapMs - 400), aSegment(100), NEAR_MS)

  assert.equal(pair.kind, 'pair')
  assert.ok(pair.kind === 'pair' && Math.abs(pair.offsetMs - 500) < 1e-3)
})

test('audio that ends before the video begins is skipped', () => {
  assert.deepEqual(pairTracks(aSegment(100_000), aSegment(94_000), NEAR_MS), { kind: 'skip', track: 'audio' })
  assert.equal(pairTracks(aSegment(100_000), aSegment(94_001), NEAR_MS).kind, 'pair')
})

test('of two clocks the one after a break is current; without a break it is undetermined', () => {
  const [old, fresh] = [aSegment(900_000), aSegment(5_000, { isBreak: true })]

  assert.deepEqual(pairTracks(fresh, old, NEAR_MS), { kind: 'skip', track: 'audio' })
  assert.deepEqual(pairTracks(old, fresh, NEAR_MS), { kind: 'skip', track: 'video' })
  assert.deepEqual(pairTracks(old, aSegment(5_000), NEAR_MS), { kind: 'unrelated' })
  assert.deepEqual(pairTracks({ ...old, isBreak: true }, fresh, NEAR_MS), { kind: 'unrelated' })
})
