import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignLocal, createZone, HOUR_MS, MINUTE_MS, printDate, printTime } from './zone-time.ts'

const utc = (text: string) => Date.parse(`${text}Z`)

/** The zone, the local time, and the moment in UTC: found by hand from the published clock changes of 2026. */
const moments: readonly (readonly [string, string, string, string])[] = [
  ['a winter day in Berlin', 'Europe/Berlin', '2026-01-15T20:00', '2026-01-15T19:00'],
  ['a summer day in Berlin', 'Europe/Berlin', '2026-07-15T20:00', '2026-07-15T18:00'],
  ['skipped in Berlin', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00'],
  ['the end of what is skipped', 'Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00'],
  ['after what is skipped', 'Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30'],
  ['twice in Berlin', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
  ['after what is there twice', 'Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00'],
  ['skipped in New York', 'America/New_York', '2026-03-08T02:15', '2026-03-08T07:00'],
  ['twice in New York', 'America/New_York', '2026-11-01T01:00', '2026-11-01T05:00'],
  ['skipped in Sydney', 'Australia/Sydney', '2026-10-04T02:59', '2026-10-03T16:00'],
  ['twice in Sydney', 'Australia/Sydney', '2026-04-05T02:30', '2026-04-04T15:30'],
  ['half an hour skipped on Lord Howe Island', 'Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-03T15:30'],
  ['midnight skipped in Cairo', 'Africa/Cairo', '2026-04-24T00:00', '2026-04-23T22:00'],
  ['no clock change in Kathmandu', 'Asia/Kathmandu', '2026-03-29T02:30', '2026-03-28T20:45'],
  ['leap day', 'Europe/Berlin', '2028-02-29T23:00', '2028-02-29T22:00'],
]

for (const [name, timeZone, local, expected] of moments) {
  test(`the moment of a local time: ${name}`, () => {
    const zone = createZone(timeZone, utc(expected), utc(expected))

    assert.equal(new Date(zone.momentOf(utc(local))).toISOString().slice(0, 16), expected)
  })
}

test('a time before a clock change, long before the range, is in the local time of then', () => {
  const zone = createZone('America/New_York', utc('2026-03-20T00:00'), utc('2026-03-21T00:00'))

  // Midnight of 8 March in New York was at 05:00 UTC; since that day it is at 04:00.
  assert.equal(printDate(zone.localOf(utc('2026-03-08T04:30'))), '2026-03-07')
})

test('local times are those of Intl at 3,000 times of a year, in zones with all kinds of changes', () => {
  const zones = [
    'Europe/Dublin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Pacific/Apia',
  ]
  for (const timeZone of zones) {
    const [fromMs, toMs] = [utc('2026-01-01T00:00'), utc('2027-01-01T00:00')]
    const zone = createZone(timeZone, fromMs, toMs)
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    for (let ms = fromMs; ms < toMs; ms += 175 * MINUTE_MS) {
      const localMs = zone.localOf(ms)
      assert.equal(`${printDate(localMs)} ${printTime(localMs)}`, format.format(ms))
    }
  }
})

test('starts are aligned to local time, also where the offset is not of whole hours', () => {
  const kathmandu = createZone('Asia/Kathmandu', utc('2026-05-01T00:00'), utc('2026-05-02T00:00'))

  assert.equal(alignLocal(kathmandu, utc('2026-05-01T00:00'), HOUR_MS), utc('2026-05-01T00:15'))
  assert.equal(alignLocal(kathmandu, utc('2026-05-01T00:15'), HOUR_MS), utc('2026-05-01T00:15'))
  assert.equal(alignLocal(kathmandu, utc('2026-05-01T00:15:00.001'), HOUR_MS / 2), utc('2026-05-01T00:45'))
})

test('starts are aligned across a clock change of half an hour', () => {
  const zone = createZone('Australia/Lord_Howe', utc('2026-10-03T00:00'), utc('2026-10-05T00:00'))

  // 01:45 local time; at 02:00 clocks show 02:30.
  assert.equal(alignLocal(zone, utc('2026-10-03T15:15'), HOUR_MS), utc('2026-10-03T16:00'))
  assert.equal(alignLocal(zone, utc('2026-10-03T15:15'), HOUR_MS / 2), utc('2026-10-03T15:30'))
})
