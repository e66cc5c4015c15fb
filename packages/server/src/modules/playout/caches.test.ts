import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, ticks } from '@continuity/core/schedule/testing/a-schedule'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import { addPacked, emptyPacked, packRun } from '@continuity/core/timeline/codec/packed'
import { aRun, loops } from '@continuity/core/timeline/testing/a-run'
import { anAnswer } from './answers.ts'
import { createHotChannels } from './hot-channels.ts'
import { type CachedPlaylist, createPlaylistCache } from './playlist-cache.ts'
import { aChannel, anOutput } from './testing/a-feed.ts'
import { UNPACKED_TICKS } from './unpacked.ts'

const aCached = (over: Partial<CachedPlaylist> = {}): CachedPlaylist => ({
  channelId: 'north',
  answer: anAnswer('text/plain', 'no-store', ''),
  counted: undefined,
  shiftMs: 0,
  behindTicks: 0,
  fromTicks: 0,
  untilTicks: 1,
  requestedMs: 0,
  ...over,
})

test('a bounded number of time-shifted playlists is cached, the most recent ones', () => {
  const cache = createPlaylistCache()
  cache.keep('now', aCached())
  cache.keep('past-0', aCached({ shiftMs: 10_000 }))
  for (let key = 1; key < 19_000; key += 1) cache.keep(`past-${key}`, aCached({ shiftMs: 10_000 }))

  cache.keep('past-0', aCached({ shiftMs: 10_000 }))
  for (let key = 19_000; key < 25_000; key += 1) cache.keep(`past-${key}`, aCached({ shiftMs: 10_000 }))

  assert.equal(cache.count(), 20_001)
  const found = ['now', 'past-0', 'past-24999', 'past-1', 'past-5000'].map(
    (key) => cache.find(key) !== undefined,
  )
  assert.deepEqual(found, [true, true, true, false, false])
})

test('evicting a channel removes all of its playlists, and no others', () => {
  const cache = createPlaylistCache()
  cache.keep('north', aCached())
  cache.keep('north past', aCached({ shiftMs: 10_000 }))
  cache.keep('south', aCached({ channelId: 'south' }))

  cache.evict('north')

  assert.equal(cache.count(), 1)
  assert.notEqual(cache.find('south'), undefined)
})

test('sweep drops playlists last requested before a time', () => {
  const cache = createPlaylistCache()
  cache.keep('before', aCached({ requestedMs: 999 }))
  cache.keep('then', aCached({ requestedMs: 1_000 }))
  cache.keep('after', aCached({ requestedMs: 1_001 }))

  cache.sweep(1_000)

  const found = ['before', 'then', 'after'].map((key) => cache.find(key) !== undefined)
  assert.deepEqual(found, [false, true, true])
})

test('a bounded number of parts of a channel is unpacked, and each once', () => {
  const hot = createHotChannels()
  const run = packRun(aRun({ shownFromSeconds: 0 }, loops('fill', 60_000)))
  const state = { epoch: 1, version: 1, channel: aChannel(), timeline: addPacked(emptyPacked, run) }

  const first = hot.unpack(state, at(100), 0)
  const again = hot.unpack(state, at(100) + 1, 0)
  for (let part = 0; part < 100; part += 1) hot.unpack(state, at(100) + part * UNPACKED_TICKS, 0)

  assert.equal(first, again)
  assert.equal(hot.count(), 32)
  assert.ok(first.fromTicks <= at(100) && at(100) < first.untilTicks)
  assert.ok(first.untilTicks - first.fromTicks === ticks(300))
})

test('time-shifted viewers never evict the part of live viewers', () => {
  const hot = createHotChannels()
  const run = packRun(aRun({ shownFromSeconds: 0 }, loops('fill', 60_000)))
  const state = { epoch: 1, version: 1, channel: aChannel(), timeline: addPacked(emptyPacked, run) }
  const nowMs = msOf(at(80_000))
  const live = hot.unpack(state, at(80_000), nowMs)

  // The live part is not requested meanwhile: its playlist is cached until the next segment.
  for (let part = 1; part <= 200; part += 1) hot.unpack(state, at(80_000) - part * UNPACKED_TICKS, nowMs)

  assert.equal(hot.count(), 32)
  assert.equal(hot.unpack(state, at(80_000), nowMs), live)
})

test('time-shifted viewers never evict the parts of delayed outputs, which leave them as many as before', () => {
  const hot = createHotChannels()
  const run = packRun(aRun({ shownFromSeconds: 0 }, loops('fill', 60_000)))
  const delaysMs = Array.from({ length: 40 }, (_, at) => at * 600_000)
  const outputs = delaysMs.map((delayMs) => anOutput({ distributor: `d${delayMs}`, delayMs }))
  const channel = aChannel({ outputs })
  const state = { epoch: 1, version: 1, channel, timeline: addPacked(emptyPacked, run) }
  const nowMs = msOf(at(80_000))
  const unpackLater = () => delaysMs.map((delayMs) => hot.unpack(state, ticksOf(nowMs - delayMs), nowMs))
  const before = unpackLater()

  for (let part = 1; part <= 200; part += 1) hot.unpack(state, at(80_000) - part * UNPACKED_TICKS, nowMs)

  assert.equal(hot.count(), 40 + 31)
  assert.ok(unpackLater().every((part, at) => part === before[at]))
})

test('of the time-shifted parts the least recently requested are evicted', () => {
  const hot = createHotChannels()
  const run = packRun(aRun({ shownFromSeconds: 0 }, loops('fill', 60_000)))
  const state = { epoch: 1, version: 1, channel: aChannel(), timeline: addPacked(emptyPacked, run) }
  let nowMs = msOf(at(80_000))
  const unpackPast = (part: number) => hot.unpack(state, at(80_000) - part * UNPACKED_TICKS, ++nowMs)
  const popular = unpackPast(1)

  for (let part = 2; part <= 200; part += 1) {
    unpackPast(part)
    assert.equal(unpackPast(1), popular)
  }
})
