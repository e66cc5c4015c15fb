import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthTotals, keptHealth, printHealth, readHealth, type SlotHealth } from './input-health.ts'

const aMedia = {
  bitrateKbps: 2_950,
  delayMs: 7_421,
  loudnessLufs: -23.1,
  isBlack: false,
  isFrozen: false,
  isSilent: false,
}

test('health is read as printed', () => {
  const slots: readonly SlotHealth[] = [
    { slot: 557_000_001, media: aMedia },
    { slot: 557_000_002, media: null },
    { slot: 557_000_005, media: { ...aMedia, isBlack: true, loudnessLufs: null } },
    { slot: 557_000_006, media: { ...aMedia, isFrozen: true, isSilent: true, loudnessLufs: -70 } },
  ]

  const health = { slotMs: 3_200, rung: '360p', slots }
  assert.deepEqual(readHealth(printHealth(health)), health)
  assert.deepEqual(readHealth(printHealth({ slotMs: 3_200, slots: [] })), { slotMs: 3_200, slots: [] })
})

test('any other text is not health', () => {
  for (const text of ['', 'null', '{}', '[]', '{"slots":[null]}', '{"slots":3}']) {
    assert.equal(readHealth(text), undefined, text)
  }
})

test('only ten minutes are kept, in a message of a few kilobytes', () => {
  let slots: readonly SlotHealth[] = []
  for (let slot = 557_000_000; slot < 557_001_000; slot += 1) {
    const added = { slot, media: { ...aMedia, bitrateKbps: 12_345, delayMs: 12_345 } }
    slots = keptHealth([...slots, added], slot, 3_200)
  }

  assert.equal(slots.length, 187)
  assert.equal(slots.at(-1)!.slot, 557_000_999)
  const bytes = printHealth({ slotMs: 3_200, slots }).length
  assert.ok(bytes < 5_500, `${bytes} bytes`)
})

test('after a pause, entries older than ten minutes are dropped', () => {
  const slots = [1, 313, 314, 500].map((slot) => ({ slot, media: null }))

  const kept = keptHealth(slots, 500, 3_200)

  assert.deepEqual(
    kept.map(({ slot }) => slot),
    [314, 500],
  )
})

test('totals are of slots with media, and null without any', () => {
  const slots = [
    { slot: 1, media: { ...aMedia, bitrateKbps: 1_000, delayMs: 5_000 } },
    { slot: 2, media: null },
    { slot: 3, media: { ...aMedia, bitrateKbps: 2_000, delayMs: 3_000, isFrozen: true } },
    { slot: 4, media: { ...aMedia, bitrateKbps: 3_001, isBlack: true, isSilent: true, loudnessLufs: -70 } },
  ]

  const { loudnessLufs, ...totals } = healthTotals(slots)
  const none = healthTotals([{ slot: 1, media: null }])

  const counts = { slots: 4, fill: 1, black: 1, frozen: 1, silent: 1 }
  assert.deepEqual(totals, { ...counts, bitrateKbps: 2_000, delayMs: 3_000 })
  assert.equal(loudnessLufs?.toFixed(3), '-23.100')
  assert.deepEqual([none.bitrateKbps, none.loudnessLufs, none.delayMs], [null, null, null])
})
