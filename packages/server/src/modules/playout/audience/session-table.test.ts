import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSessionTable, type KeptSession, type SessionTable } from './session-table.ts'

const aSession = (fields: Partial<KeptSession> = {}): KeptSession => ({
  atMs: 1_772_388_000_123,
  shiftMs: 0,
  isPaused: null,
  bufferMs: null,
  owedMs: 0,
  isIdle: false,
  isStarted: false,
  isExcluded: false,
  output: 0,
  country: 0,
  nextEvent: 0,
  ...fields,
})

const put = (table: SessionTable, sid: string, fields: Partial<KeptSession> = {}): boolean => {
  const session = aSession(fields)
  return table.put(sid, session, session)
}

const anySession = fc.record(
  {
    atMs: fc.nat(),
    shiftMs: fc.nat(8_640).map((steps) => steps * 10_000),
    isPaused: fc.constantFrom(null, true, false),
    bufferMs: fc.option(fc.nat(65_534).map((steps) => steps * 100)),
    owedMs: fc.integer({ min: -7_000_000, max: 7_000_000 }),
    isIdle: fc.boolean(),
    isStarted: fc.boolean(),
    isExcluded: fc.boolean(),
    output: fc.nat(2 ** 31),
    country: fc.nat(675),
    nextEvent: fc.nat(),
  },
  { noNullPrototype: true },
)

test('every session put is found unchanged', () => {
  const anyPuts = fc.array(fc.tuple(fc.string({ maxLength: 4 }), anySession), { maxLength: 500 })
  fc.assert(
    fc.property(anyPuts, fc.nat(), (puts, seed) => {
      const table = createSessionTable(seed, 1_000)
      const expected = new Map(puts)

      for (const [sid, session] of puts) assert.ok(table.put(sid, session, session))

      assert.equal(table.count(), expected.size)
      for (const [sid, session] of expected) assert.deepEqual(table.find(sid), session)
      assert.equal(table.find('never put'), undefined)
    }),
  )
})

test('sweep drops ended sessions and keeps the others', () => {
  const table = createSessionTable(1, 100_000)
  for (let at = 0; at < 20_000; at += 1) put(table, `s${at}`, { atMs: at, output: at })

  // Enough calls to sweep all shards.
  for (let i = 0; i < 16; i += 1) table.sweep(5_000, 14_999)

  assert.equal(table.count(), 10_000)
  for (const at of [0, 4_999, 15_000, 19_999]) assert.equal(table.find(`s${at}`), undefined)
  for (let at = 5_000; at < 15_000; at += 1) assert.equal(table.find(`s${at}`)?.output, at)
})

test('a full table rejects new sessions and updates existing ones', () => {
  const table = createSessionTable(1, 100)
  for (let at = 0; at < 100; at += 1) assert.ok(put(table, `s${at}`))

  assert.equal(put(table, 'one more'), false)
  assert.equal(put(table, 's7', { output: 9 }), true)
  assert.deepEqual([table.count(), table.find('s7')?.output], [100, 9])
})
