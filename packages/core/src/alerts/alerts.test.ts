import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AlertState, type LastMail, type MailRules, nextMail } from './next-mail.ts'
import { findQuietHoursFault, isTimeZone, type QuietHours, quietEndMs } from './quiet-hours.ts'
import { severities } from './severity.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const night: QuietHours = { severities: ['INFO', 'WARNING'], from: '22:00', to: '07:00' }
const inBerlin = (text: string, hours: QuietHours = night) =>
  new Date(quietEndMs([hours], 'Europe/Berlin', 'WARNING', Date.parse(text))).toISOString()

test('quiet hours over midnight last until the morning, by the clock of their zone', () => {
  assert.equal(inBerlin('2026-01-15T20:59:59.999Z'), '2026-01-15T20:59:59.999Z')
  assert.equal(inBerlin('2026-01-15T21:00:00.000Z'), '2026-01-16T06:00:00.000Z')
  assert.equal(inBerlin('2026-01-16T05:59:59.999Z'), '2026-01-16T06:00:00.000Z')
  assert.equal(inBerlin('2026-01-16T06:00:00.000Z'), '2026-01-16T06:00:00.000Z')
  assert.equal(inBerlin('2026-07-15T20:30:00.000Z'), '2026-07-16T05:00:00.000Z')
})

test('quiet hours end at their local end time, also in nights with a clock change', () => {
  // At 01:00 UTC, clocks go from 02:00 to 03:00 on 2026-03-29, and from 03:00 to 02:00 on 2026-10-25.
  assert.equal(inBerlin('2026-03-28T21:30:00.000Z'), '2026-03-29T05:00:00.000Z')
  assert.equal(inBerlin('2026-10-24T21:30:00.000Z'), '2026-10-25T06:00:00.000Z')
  const skipped = { ...night, to: '02:30' }
  assert.equal(inBerlin('2026-03-28T21:30:00.000Z', skipped), '2026-03-29T01:00:00.000Z')
  const twice = { ...night, from: '01:00', to: '02:30' }
  assert.equal(inBerlin('2026-10-25T00:00:00.000Z', twice), '2026-10-25T00:30:00.000Z')
  assert.equal(inBerlin('2026-10-25T01:10:00.000Z', twice), '2026-10-25T01:30:00.000Z')
})

const times = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((numbers) => numbers.map((number) => `${number}`.padStart(2, '0')).join(':'))
const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Apia',
)
const hoursArbitrary = fc
  .record({ from: times, to: times, severities: fc.constant(severities) })
  .filter(({ from, to }) => from !== to)
/** Half of them near a night with a clock change. */
const moments = fc.oneof(
  fc.integer({ min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2028-01-01T00:00:00Z') }),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-04', '2026-10-03', '2026-10-25', '2026-11-01'),
      fc.integer({ min: -36 * HOUR_MS, max: 36 * HOUR_MS }),
    )
    .map(([day, offsetMs]) => Date.parse(`${day}T00:00:00Z`) + offsetMs),
)

/** An independent implementation: compares clock texts. */
function isQuietText({ from, to }: QuietHours, timeZone: string, ms: number): boolean {
  const clock = new Date(ms).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return from < to ? from <= clock && clock < to : clock >= from || clock < to
}

test('the end of quiet hours is the first moment that is not quiet', () => {
  fc.assert(
    fc.property(hoursArbitrary, zones, moments, (hours, zone, atMs) => {
      const endMs = quietEndMs([hours], zone, 'INFO', atMs)

      assert.ok(!isQuietText(hours, zone, endMs))
      assert.ok(endMs === atMs || endMs % MINUTE_MS === 0)
      for (let ms = atMs; ms < endMs; ms += 15 * MINUTE_MS) assert.ok(isQuietText(hours, zone, ms))
      if (endMs > atMs) assert.ok(isQuietText(hours, zone, endMs - 1))
    }),
    { numRuns: 300 },
  )
})

test('a severity without quiet hours has none, and a repeated severity is a fault', () => {
  const atMs = Date.parse('2026-01-15T23:00:00.000Z')

  assert.equal(quietEndMs([night], 'Europe/Berlin', 'CRITICAL', atMs), atMs)
  assert.equal(findQuietHoursFault([night, { ...night, severities: ['CRITICAL'] }]), undefined)
  assert.equal(findQuietHoursFault([night, { ...night, severities: ['INFO'] }]), 'severity_twice')
  assert.equal(findQuietHoursFault([{ ...night, to: '22:00' }]), 'empty')
  assert.equal(
    findQuietHoursFault([
      { ...night, severities: ['CRITICAL'] },
      { ...night, to: '22:00' },
    ]),
    'empty',
  )
})

test('a time zone must be an IANA name', () => {
  assert.ok(isTimeZone('Europe/Berlin') && isTimeZone('UTC'))
  for (const name of ['Europe/Atlantis', '+01:00', '', 'CET; drop']) assert.ok(!isTimeZone(name), name)
})

const rules: MailRules = {
  minimumSeverity: 'WARNING',
  quietHours: [],
  timeZone: 'UTC',
  reminderMs: 4 * HOUR_MS,
}
const open: AlertState = { severity: 'WARNING', openedMs: 1_000, closedMs: null }
const closed: AlertState = { ...open, closedMs: 5_000 }
const mailed: LastMail = { atMs: 2_000, severity: 'WARNING' }

test('an alert is mailed when it opens, again after the reminder interval, and when it closes', () => {
  assert.deepEqual(nextMail(open, undefined, rules, 1_000), { kind: 'opened', dueMs: 1_000 })
  const reminderMs = 2_000 + 4 * HOUR_MS
  assert.deepEqual(nextMail(open, mailed, rules, 3_000), { kind: 'reminder', dueMs: reminderMs })
  assert.deepEqual(nextMail(open, mailed, { ...rules, reminderMs: null }, 3_000), { kind: 'wait' })
  assert.deepEqual(nextMail(closed, mailed, rules, 6_000), { kind: 'closed', dueMs: 6_000 })
})

test('an alert that closed before its first mail is not mailed, nor is one below the minimum severity', () => {
  assert.deepEqual(nextMail(closed, undefined, rules, 6_000), { kind: 'none' })
  assert.deepEqual(nextMail({ ...open, severity: 'INFO' }, undefined, rules, 6_000), { kind: 'none' })
  assert.deepEqual(nextMail({ ...open, severity: 'INFO' }, mailed, rules, 6_000), { kind: 'wait' })
})

test('an alert whose severity rises is mailed at once, by the quiet hours of the new severity', () => {
  const nowMs = Date.parse('2026-01-15T23:00:00.000Z')
  const quiet = { ...rules, quietHours: [night] }
  const worse = { ...open, severity: 'CRITICAL' } as const

  assert.deepEqual(nextMail(worse, mailed, quiet, nowMs), { kind: 'raised', dueMs: nowMs })
  assert.deepEqual(nextMail(worse, undefined, quiet, nowMs), { kind: 'opened', dueMs: nowMs })
  assert.equal(nextMail(open, mailed, rules, 3_000).kind, 'reminder')
  assert.equal(nextMail(open, { ...mailed, severity: 'CRITICAL' }, rules, 3_000).kind, 'reminder')
})

test('no mail is due in quiet hours, before now, or for an alert that closed without a mail', () => {
  const states = fc.record({
    severity: fc.constantFrom(...severities),
    openedMs: moments,
    closedMs: fc.option(moments),
  })
  const lasts = fc.option(fc.record({ atMs: moments, severity: fc.constantFrom(...severities) }), {
    nil: undefined,
  })
  fc.assert(
    fc.property(states, lasts, hoursArbitrary, zones, moments, (alert, last, hours, timeZone, nowMs) => {
      const next = nextMail(alert, last, { ...rules, quietHours: [hours], timeZone }, nowMs)

      if ('dueMs' in next) {
        assert.ok(next.dueMs >= nowMs && !isQuietText(hours, timeZone, next.dueMs))
        assert.equal(next.kind === 'opened', last === undefined)
        assert.equal(next.kind === 'closed', alert.closedMs !== null)
      } else if (next.kind === 'none') assert.equal(last, undefined)
    }),
    { numRuns: 300 },
  )
})
