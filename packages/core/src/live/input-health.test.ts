import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptHealth, printHealth, readHealth, type SlotHealth } from './input-health.ts'

const aMedia = {
  bitrateKbps: 2_950,
  delayMs: 7_421,
  loudnessLufs: -23.1,
  isBlack: false,
  isFrozen: false,
  isSilent: false,
}

test('health is read as it was printed', () => {
  const slots: readonly SlotHealth[] = [
    { slot: 557_000_001, media: aMedia },
    { slot: 557_000_002, media: null },
    { slot: 557_000_005, media: { ...aMedia, isBlack: true, loudnessLufs: null } },
    { slot: 557_000_006, media: { ...aMedia, isFrozen: true, isSilent: true, loudnessLufs: -70 } },
  ]

  assert.deepEqual(readHealth(printHealth({ slotMs: 3_200, slots })), { slotMs: 3_200, slots })
  assert.deepEqual(readHealth(printHealth({ slotMs: 3_200, slots: [] })), { slotMs: 3_200, slots: [] })
})

test('anything else is no health', () => {
  for (const text of ['', 'null', '{}', '[]', '{"slots":[null]}', '{"slots":3}']) {
    assert.equal(readHealth(text), undefined, text)
  }
})

test('ten minutes are kept and no more, in a message of a few kilobytes', () => {
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

test('after a pause, what is older than ten minutes is gone', () => {
  const slots = [1, 313, 314, 500].map((slot) => ({ slot, media: null }))

  const kept = keptHealth(slots, 500, 3_200)

  assert.deepEqual(
    kept.map(({ slot }) => slot),
    [314, 500],
  )
})
