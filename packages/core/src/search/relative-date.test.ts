import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDate } from './relative-date.ts'

// A Saturday.
const NOW = '2026-03-14T15:09:26.535Z'

const read = (text: string, now = NOW) => {
  const timeMs = readDate(text, Date.parse(now))
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString()
}

const examples: readonly (readonly [string, string])[] = [
  ['2026-03-01T18:00:00Z', '2026-03-01T18:00:00.000Z'],
  ['2026-03-01T18:00:00.25Z', '2026-03-01T18:00:00.250Z'],
  ['2024-02-29T00:00:00.123456789Z', '2024-02-29T00:00:00.123Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['now', NOW],
  ['now-30d', '2026-02-12T15:09:26.535Z'],
  ['now-12h', '2026-03-14T03:09:26.535Z'],
  ['now+2h', '2026-03-14T17:09:26.535Z'],
  ['now-90s', '2026-03-14T15:07:56.535Z'],
  ['now-10m', '2026-03-14T14:59:26.535Z'],
  ['now-1w', '2026-03-07T15:09:26.535Z'],
  ['now-1M', '2026-02-14T15:09:26.535Z'],
  ['now-1y', '2025-03-14T15:09:26.535Z'],
  ['now-0d', NOW],
  ['now/s', '2026-03-14T15:09:26.000Z'],
  ['now/m', '2026-03-14T15:09:00.000Z'],
  ['now/h', '2026-03-14T15:00:00.000Z'],
  ['now/d', '2026-03-14T00:00:00.000Z'],
  ['now/w', '2026-03-09T00:00:00.000Z'],
  ['now/M', '2026-03-01T00:00:00.000Z'],
  ['now/y', '2026-01-01T00:00:00.000Z'],
  ['now-1M/d', '2026-02-14T00:00:00.000Z'],
  ['now+1w/w', '2026-03-16T00:00:00.000Z'],
]

for (const [text, time] of examples) {
  test(`${text} is ${time}`, () => {
    assert.equal(read(text), time)
  })
}

test('a month that lacks the day gives its last day', () => {
  assert.equal(read('now-1M', '2026-03-31T10:00:00.000Z'), '2026-02-28T10:00:00.000Z')
  assert.equal(read('now-1M', '2024-03-31T10:00:00.000Z'), '2024-02-29T10:00:00.000Z')
  assert.equal(read('now+1M', '2026-01-31T10:00:00.000Z'), '2026-02-28T10:00:00.000Z')
  assert.equal(read('now-1y', '2024-02-29T10:00:00.000Z'), '2023-02-28T10:00:00.000Z')
  assert.equal(read('now-4y', '2024-02-29T10:00:00.000Z'), '2020-02-29T10:00:00.000Z')
})

test('any other text is rejected', () => {
  for (const text of [
    '',
    'yesterday',
    'Now',
    ' now',
    'now ',
    'now\n',
    'now-',
    'now-d',
    'now-1',
    'now-1D',
    'now-1.5d',
    'now--1d',
    'now-1d-1h',
    'now/',
    'now/d/M',
    'now/d-1M',
    'now-1234567d',
    '2026-03-01',
    '2026-03-01T18:00Z',
    '2026-03-01T18:00:00',
    '2026-03-01T18:00:00z',
    '2026-03-01T18:00:00+01:00',
    '2026-03-01T24:00:00Z',
    '2026-03-01T18:00:60Z',
    '2026-02-30T18:00:00Z',
    '2026-02-29T18:00:00Z',
    '2026-13-01T18:00:00Z',
    '+002026-03-01T18:00:00Z',
    '1772388000000',
  ]) {
    assert.equal(read(text), undefined, JSON.stringify(text))
  }
})

test('a time outside of the range of Date is rejected', () => {
  assert.equal(read('now-999999y'), undefined)
  assert.equal(read('now+999999y/d'), undefined)
  assert.equal(read('now-1s', '-271821-04-20T00:00:00.000Z'), undefined)
  assert.equal(read('now/M', '-271821-04-20T00:00:00.000Z'), undefined)
  assert.equal(read('now/d', '-271821-04-20T00:00:00.000Z'), '-271821-04-20T00:00:00.000Z')
  assert.equal(read('now+1M', '+275760-08-31T00:00:00.000Z'), undefined)
})

const unit = fc.constantFrom(...'smhdwMy')
const nowMs = fc.integer({ min: Date.UTC(1900), max: Date.UTC(2200) })

test('subtracting never gives a later time, and adding never an earlier one', () => {
  fc.assert(
    fc.property(nowMs, fc.nat(1_000), unit, (now, amount, of) => {
      assert.ok(readDate(`now-${amount}${of}`, now)! <= now)
      assert.ok(readDate(`now+${amount}${of}`, now)! >= now)
    }),
  )
})

test('rounding goes down by less than one unit, and is idempotent', () => {
  fc.assert(
    fc.property(nowMs, unit, (now, of) => {
      const rounded = readDate(`now/${of}`, now)!

      assert.ok(rounded <= now)
      assert.ok(readDate(`now+1${of}`, rounded)! > now)
      assert.equal(readDate(`now/${of}`, rounded), rounded)
    }),
  )
})

test('moving by months or years keeps the day, or gives the last of the month', () => {
  fc.assert(
    fc.property(nowMs, fc.integer({ min: -600, max: 600 }), fc.constantFrom('M', 'y'), (now, amount, of) => {
      const moved = new Date(readDate(`now${amount < 0 ? '' : '+'}${amount}${of}`, now)!)
      const before = new Date(now)
      const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()

      assert.equal(months(moved) - months(before), of === 'M' ? amount : 12 * amount)
      assert.equal(moved.toISOString().slice(-13), before.toISOString().slice(-13))
      const isLast = new Date(moved.getTime() + 86_400_000).getUTCDate() === 1
      assert.ok(
        moved.getUTCDate() === before.getUTCDate() || (isLast && moved.getUTCDate() < before.getUTCDate()),
      )
    }),
  )
})

test('any text gives a time within the range of Date, or is rejected', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.stringMatching(/^now([+-]\d{1,7}[smhdwMyx])?(\/[smhdwMyx])?$/),
    fc.stringMatching(/^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d{1,10})?Z$/),
  )

  fc.assert(
    fc.property(texts, nowMs, (text, now) => {
      const timeMs = readDate(text, now)

      assert.ok(timeMs === undefined || (Number.isInteger(timeMs) && Math.abs(timeMs) <= 8.64e15))
    }),
  )
})

test('a timestamp printed by JavaScript is read back', () => {
  const times = fc.integer({
    min: Date.parse('0000-01-01T00:00:00Z'),
    max: Date.parse('9999-12-31T23:59:59.999Z'),
  })

  fc.assert(fc.property(times, (timeMs) => assert.equal(readDate(new Date(timeMs).toISOString(), 0), timeMs)))
})
