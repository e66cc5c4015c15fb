import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isZone, localTimes, nextDay, readDay, startOfDay } from './zone-time.ts'

test('times are those of the zone, with summer time', () => {
  const local = localTimes('Europe/Berlin')

  assert.deepEqual(local(Date.parse('2026-03-28T23:30Z')), {
    day: '2026-03-29',
    weekday: 'Sun',
    time: '00:30',
  })
  assert.deepEqual(local(Date.parse('2026-03-29T01:00Z')), {
    day: '2026-03-29',
    weekday: 'Sun',
    time: '03:00',
  })
})

test('a day begins at its local midnight, or where midnight is skipped, just after', () => {
  const starts = [
    ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-07-01', 'Pacific/Kiritimati', '2026-06-30T10:00:00.000Z'],
    ['2026-07-01', 'America/Los_Angeles', '2026-07-01T07:00:00.000Z'],
    // The clocks of Cairo go from 00:00 to 01:00.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ] as const

  for (const [day, zone, expected] of starts)
    assert.equal(new Date(startOfDay(day, zone)).toISOString(), expected, `${day} ${zone}`)
})

test('days and zones are checked', () => {
  assert.deepEqual(readDay('2026-02-28'), { value: '2026-02-28' })
  for (const text of ['2026-02-30', '2026-2-1', 'today', '2026-13-01'])
    assert.ok('fault' in readDay(text), text)
  assert.equal(nextDay('2026-12-31'), '2027-01-01')
  assert.equal(isZone('Europe/Berlin'), true)
  assert.equal(isZone('Europe/Atlantis'), false)
})
