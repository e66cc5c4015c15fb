import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SlotHealth } from './input-health.ts'
import { followTroubles, lastingTroubles, NO_TROUBLES } from './signal-trouble.ts'

const good = {
  bitrateKbps: 2_000,
  delayMs: 5_000,
  loudnessLufs: -23,
  isBlack: false,
  isFrozen: false,
  isSilent: false,
}
const media = (over: Partial<typeof good> = {}): Pick<SlotHealth, 'media'> => ({
  media: { ...good, ...over },
})
const fill = { media: null }
const black = media({ isBlack: true })

/** The troubles after each slot. */
function troublesAfter(slots: readonly Pick<SlotHealth, 'media'>[], slotMs = 3_200): (readonly string[])[] {
  let runs = NO_TROUBLES
  return slots.map((each, slot) => {
    runs = followTroubles(runs, { slot, ...each }, slotMs)
    return lastingTroubles(runs)
  })
}
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value)
const beginsAt = (troubles: readonly (readonly string[])[]) => troubles.findIndex((each) => each.length > 0)

test('a trouble begins after it has lasted for more than a minute', () => {
  // 18 slots of 3.2 s are 57.6 s, and 9 of 6.4 s; the next one ends after 60.8 and 64 s.
  assert.equal(beginsAt(troublesAfter(times(30, black))), 18)
  assert.equal(beginsAt(troublesAfter(times(30, black), 6_400)), 9)
  assert.deepEqual(troublesAfter(times(19, media({ isFrozen: true, isSilent: true }))).at(-1), [
    'frozen',
    'silent',
  ])
})

test('a trouble ends after the signal has been good for ten seconds, not before', () => {
  const begun = times(19, black)

  assert.deepEqual(troublesAfter([...begun, ...times(3, media())]).at(-1), ['black'])
  assert.deepEqual(troublesAfter([...begun, ...times(4, media())]).at(-1), [])
  assert.deepEqual(troublesAfter([...begun, ...times(3, media()), black, ...times(3, media())]).at(-1), [
    'black',
  ])
})

test('a good slot in between restarts the minute', () => {
  assert.equal(beginsAt(troublesAfter([...times(18, black), media(), ...times(18, black)])), -1)
})

test('fill is ignored: it neither counts nor interrupts', () => {
  assert.equal(beginsAt(troublesAfter([...times(10, black), ...times(20, fill), ...times(10, black)])), 38)
  assert.deepEqual(troublesAfter([...times(19, black), ...times(50, fill)]).at(-1), ['black'])
  assert.deepEqual(troublesAfter(times(50, fill)).at(-1), [])
})
