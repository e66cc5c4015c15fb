import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AudienceBatch, type AudienceRow, decodeBatch, encodeBatch } from './audience-batch.ts'

const ID = '0198b0a0-0000-7000-8000-00000000c001'
const CLOSED_MS = 1_767_229_200_000

const aRow: AudienceRow = {
  channelId: ID,
  distributor: 'direct',
  country: 'ZZ',
  minuteMs: CLOSED_MS - 60_000,
  spanTicks: 159_050_628_000_000,
  type: 'VIDEO',
  programId: null,
  component: 0,
  cmcdV2Ms: 1,
  cmcdV1Ms: 2,
  heartbeatMs: 3,
  starts: 4,
}

const aBatch = (rows: readonly AudienceRow[]): AudienceBatch => ({
  batchId: ID,
  accountId: ID,
  closedMs: CLOSED_MS,
  rows,
})

test('a batch is read as written, in one line', () => {
  const anyRow = fc.record({
    distributor: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
    type: fc.constantFrom('VIDEO' as const, 'LIVE' as const, 'SLATE' as const),
    programId: fc.constantFrom(null, ID),
    heartbeatMs: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(anyRow), (rows) => {
      const batch = aBatch(rows.map((fields) => ({ ...aRow, ...fields })))

      const text = encodeBatch(batch)

      assert.ok(!text.includes('\n'))
      assert.deepEqual(decodeBatch(text), batch)
    }),
  )
})

test('anything that a node does not write is rejected', () => {
  const head = JSON.parse(encodeBatch(aBatch([aRow]))) as { rows: unknown[][] }
  const invalid: readonly Partial<Record<keyof AudienceRow, unknown>>[] = [
    { channelId: 'none' },
    { country: 'zz' },
    { country: '192.0.2.1' },
    { country: 'DEU' },
    { country: 49 },
    { channelId: 7 },
    { type: 7 },
    { distributor: 'a\tb' },
    { distributor: 'a\\b' },
    { distributor: 'x'.repeat(201) },
    { type: 'FILM' },
    { minuteMs: CLOSED_MS - 60_001 },
    { minuteMs: CLOSED_MS - 4 * 86_400_000 },
    { minuteMs: CLOSED_MS + 86_400_000 },
    { heartbeatMs: -1 },
    { heartbeatMs: 0.5 },
    { starts: '1' },
    { spanTicks: null },
    { programId: 7 },
  ]

  const read = invalid.map((fields) =>
    decodeBatch(encodeBatch(aBatch([{ ...aRow, ...fields } as AudienceRow]))),
  )

  assert.deepEqual(
    read.filter((batch) => batch !== undefined),
    [],
  )
  for (const text of [
    '',
    'null',
    '[]',
    '{}',
    '{"format":1}',
    encodeBatch(aBatch([])).replace('"format":1', '"format":2'),
    JSON.stringify({ ...head, batch: 'none' }),
    JSON.stringify({ ...head, account: 7 }),
    JSON.stringify({ ...head, closed: -1 }),
    JSON.stringify({ ...head, rows: undefined }),
    JSON.stringify({ ...head, rows: [{}] }),
    JSON.stringify({ ...head, rows: [[...head.rows[0]!, 0]] }),
  ])
    assert.equal(decodeBatch(text), undefined, text)
})

test('the first and the last minute that a batch may contain are read, and the longest texts', () => {
  const rows = [
    { ...aRow, minuteMs: CLOSED_MS - 3 * 86_400_000 },
    { ...aRow, minuteMs: CLOSED_MS + 3_600_000 },
    { ...aRow, distributor: 'x'.repeat(200) },
  ]

  assert.deepEqual(decodeBatch(encodeBatch(aBatch(rows)))?.rows, rows)
})
