import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from './plan-rules.ts'
import { readPlanRules } from './read-plan-rules.ts'
import { resolveSegments } from './segments.ts'
import { createZone } from './zone-time.ts'

const utc = (text: string) => Date.parse(`${text}Z`)

/** Blocks by id, as `id from-to` in UTC, over a range; a dash for the default. */
function divided(
  blocks: readonly (Partial<Block> & { id: string })[],
  [from, to]: readonly [string, string],
  { zone: time_zone = 'UTC', fixed = [] as readonly (readonly [string, string])[] } = {},
): string[] {
  const content = { content: { playlist_id: 'p' }, order: 'SHUFFLE' }
  const read = readPlanRules({ time_zone, blocks: blocks.map((block) => ({ ...content, ...block })) })
  assert.ok(read.kind === 'rules', JSON.stringify(read))
  const range = { startMs: utc(from), endMs: utc(to) }
  const zone = createZone(time_zone, range.startMs, range.endMs)
  const fixedPrograms = fixed.map(([start, end]) => ({ start_ms: utc(start), end_ms: utc(end) }))
  return resolveSegments(read.rules, zone, range, fixedPrograms).map(({ startMs, endMs, block }) => {
    const print = (ms: number) => new Date(ms).toISOString().slice(8, 16).replace('T', ' ')
    return `${read.rules.blocks[block]?.id ?? '-'} ${print(startMs)} to ${print(endMs)}`
  })
}

test('the higher priority interrupts the lower one, and of two equal ones the first', () => {
  const blocks = [
    { id: 'low', times: [{ from: '10:00', to: '14:00' }] },
    { id: 'high', priority: 5, times: [{ from: '11:00', to: '12:00' }] },
    { id: 'later', times: [{ from: '13:00', to: '15:00' }] },
  ]

  assert.deepEqual(divided(blocks, ['2026-05-01T09:00', '2026-05-01T16:00']), [
    '- 01 09:00 to 01 10:00',
    'low 01 10:00 to 01 11:00',
    'high 01 11:00 to 01 12:00',
    'low 01 12:00 to 01 14:00',
    'later 01 14:00 to 01 15:00',
    '- 01 15:00 to 01 16:00',
  ])
})

test('fixed programs have their time to themselves', () => {
  const blocks = [{ id: 'a', times: [{ from: '10:00', to: '12:00' }] }]
  const fixed = [
    ['2026-05-01T10:30', '2026-05-01T10:45'] as const,
    ['2026-05-01T11:50', '2026-05-01T12:10'] as const,
  ]

  assert.deepEqual(divided(blocks, ['2026-05-01T10:00', '2026-05-01T13:00'], { fixed }), [
    'a 01 10:00 to 01 10:30',
    'a 01 10:45 to 01 11:50',
    '- 01 12:10 to 01 13:00',
  ])
})

test('a block over midnight belongs to the day on which it begins', () => {
  const blocks = [{ id: 'late', days: ['FRI' as const], times: [{ from: '23:00', to: '02:00' }] }]

  // 1 May 2026 was a Friday.
  assert.deepEqual(divided(blocks, ['2026-05-01T00:00', '2026-05-03T00:00']), [
    '- 01 00:00 to 01 23:00',
    'late 01 23:00 to 02 02:00',
    '- 02 02:00 to 03 00:00',
  ])
  assert.deepEqual(divided(blocks, ['2026-05-02T01:00', '2026-05-02T03:00']), [
    'late 02 01:00 to 02 02:00',
    '- 02 02:00 to 02 03:00',
  ])
})

test('the first and the last date are both included, also a leap day', () => {
  const blocks = [
    {
      id: 'leap',
      first_date: '2028-02-29',
      last_date: '2028-02-29',
      times: [{ from: '12:00', to: '13:00' }],
    },
  ]

  assert.deepEqual(divided(blocks, ['2028-02-28T00:00', '2028-03-02T00:00']), [
    '- 28 00:00 to 29 12:00',
    'leap 29 12:00 to 29 13:00',
    '- 29 13:00 to 02 00:00',
  ])
})

test('a block in an hour that a clock change skips begins at the change, and one inside of it does not occur', () => {
  const blocks = [
    { id: 'inside', times: [{ from: '02:10', to: '02:50' }] },
    { id: 'across', times: [{ from: '02:30', to: '04:00' }] },
  ]

  assert.deepEqual(divided(blocks, ['2026-03-29T00:00', '2026-03-29T03:00'], { zone: 'Europe/Berlin' }), [
    '- 29 00:00 to 29 01:00',
    'across 29 01:00 to 29 02:00',
    '- 29 02:00 to 29 03:00',
  ])
})

test('a block in an hour that is there twice begins and ends at its first occurrence', () => {
  const blocks = [
    { id: 'inside', times: [{ from: '02:10', to: '02:50' }] },
    { id: 'across', times: [{ from: '02:50', to: '03:10' }] },
  ]

  assert.deepEqual(divided(blocks, ['2026-10-25T00:00', '2026-10-25T03:00'], { zone: 'Europe/Berlin' }), [
    '- 25 00:00 to 25 00:10',
    'inside 25 00:10 to 25 00:50',
    'across 25 00:50 to 25 02:10',
    '- 25 02:10 to 25 03:00',
  ])
})

test('from and to at the same time are a whole day, of 23 hours in spring', () => {
  const blocks = [{ id: 'day', days: ['SUN' as const], times: [{ from: '00:00', to: '00:00' }] }]

  assert.deepEqual(divided(blocks, ['2026-03-28T12:00', '2026-03-30T00:00'], { zone: 'Europe/Berlin' }), [
    '- 28 12:00 to 28 23:00',
    'day 28 23:00 to 29 22:00',
    '- 29 22:00 to 30 00:00',
  ])
})
