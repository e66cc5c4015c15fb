import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addHeartbeat, type Viewing } from './heartbeat.ts'
import { BLOCK_MS, type LoggedHeartbeat, RECORD_BYTES } from './heartbeat-block.ts'
import { importHeartbeats, type KeptBlock, neededBlocks } from './import-heartbeats.ts'

const MINTED_MS = 10 * BLOCK_MS - 20_000
const rules = { maxGapMs: 15_000, mintedMs: MINTED_MS }

/** A store of one session that returns exactly what was requested. */
function aSession() {
  const stored = new Map<number, KeptBlock>()
  const parts: string[] = []
  let rounds = 0
  const give = ({ whole, ends }: ReturnType<typeof neededBlocks>) => {
    const kept = new Map<number, KeptBlock>()
    for (const startMs of whole) if (stored.has(startMs)) kept.set(startMs, stored.get(startMs)!)
    for (const startMs of ends) {
      const block = stored.get(startMs)
      if (block !== undefined) kept.set(startMs, { ...block, records: block.records.slice(-RECORD_BYTES) })
    }
    return kept
  }
  return {
    stored,
    parts,
    rounds: () => rounds,
    add(heartbeats: readonly LoggedHeartbeat[]) {
      let missing: readonly number[] = []
      for (;;) {
        rounds += 1
        const needed = neededBlocks(heartbeats, missing)
        const change = importHeartbeats(give(needed), needed.whole, heartbeats, rules)
        // A block that does not exist is not missing.
        const more = change.missing.filter((startMs) => stored.has(startMs))
        if (more.length > 0) {
          missing = [...missing, ...more]
          continue
        }
        for (const block of change.blocks) stored.set(block.startMs, block)
        for (const part of change.gone) {
          const at = parts.indexOf(JSON.stringify(part))
          assert.notEqual(at, -1, 'a removed part was counted before')
          parts.splice(at, 1)
        }
        parts.push(...change.added.map((part) => JSON.stringify(part)))
        return change.heartbeats
      }
    },
  }
}

/** What all heartbeats together watched, computed without blocks. */
function watchedBy(heartbeats: readonly LoggedHeartbeat[]) {
  const texts = new Map(heartbeats.map((it) => [JSON.stringify(it), it]))
  const order = ({ atMs, shiftMs, bufferMs, isPaused, country }: LoggedHeartbeat) => [
    atMs,
    shiftMs,
    bufferMs ?? 1e9,
    [null, false, true].indexOf(isPaused),
    country.charCodeAt(0),
    country.charCodeAt(1),
  ]
  const sorted = [...texts.values()].toSorted((one, other) => {
    const [a, b] = [order(one), order(other)]
    const at = a.findIndex((value, index) => value !== b[index])
    return at === -1 ? 0 : a[at]! - b[at]!
  })
  const parts: string[] = []
  let viewing: (Viewing & { readonly country: string }) | undefined
  for (const heartbeat of sorted) {
    const step = addHeartbeat(viewing, heartbeat, rules)
    const { atMs, shiftMs, country } = heartbeat
    const part = (startMs: number, endMs: number, method: string | null, where: string) =>
      parts.push(JSON.stringify({ startMs, endMs, method, shiftMs, country: where }))
    if (step.isStart) part(atMs, atMs, null, country)
    if (step.watched !== undefined)
      part(step.watched.startMs, step.watched.endMs, step.watched.method, viewing!.country)
    viewing = { ...step.viewing, country }
  }
  return parts.toSorted()
}

const anyHeartbeat: fc.Arbitrary<LoggedHeartbeat> = fc.record({
  // Around the ends of two hours, close enough together that many are joined.
  atMs: fc.oneof(
    fc.integer({ min: 0, max: 80 }).map((step) => 10 * BLOCK_MS - 20_000 + step * 1_000),
    fc.integer({ min: 0, max: 40 }).map((step) => 11 * BLOCK_MS - 20_000 + step * 1_000),
    fc.integer({ min: 0, max: 3 * BLOCK_MS }).map((ms) => 10 * BLOCK_MS + ms),
  ),
  shiftMs: fc.constantFrom(0, 0, 0, 86_400_000),
  isPaused: fc.constantFrom(null, null, false, true),
  bufferMs: fc.constantFrom(null, 0, 1_000, 2_000, 3_000, 6_553_400),
  country: fc.constantFrom('DE', 'DE', 'ZZ', 'AA'),
})

test('the counts do not depend on how lines are divided, repeated and ordered', () => {
  const property = fc.property(
    fc.array(fc.array(anyHeartbeat, { maxLength: 20 }), { maxLength: 6 }),
    fc.array(fc.nat(5), { maxLength: 4 }),
    (parts, again) => {
      const session = aSession()
      let known = 0
      for (const part of [...parts, ...again.map((at) => parts[at] ?? [])]) known += session.add(part)
      const all = parts.flat()
      assert.deepEqual(session.parts.toSorted(), watchedBy(all))
      assert.equal(known, new Set(all.map((it) => JSON.stringify(it))).size)
    },
  )
  fc.assert(property, { numRuns: 500 })
})

test('a late line joins two parts that were counted separately', () => {
  const session = aSession()
  const at = (seconds: number): LoggedHeartbeat => ({
    atMs: MINTED_MS + seconds * 1_000,
    shiftMs: 0,
    isPaused: null,
    bufferMs: null,
    country: 'DE',
  })

  const first = session.add([at(0), at(5), at(25), at(30)])
  const apart = session.parts.length
  const second = session.add([at(15), at(25)])

  assert.deepEqual([first, apart, second], [4, 3, 1])
  const ms = session.parts.map((text) => JSON.parse(text) as { startMs: number; endMs: number })
  assert.equal(
    ms.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    30_000,
  )
})

test('a change propagates into later hours as long as it makes a difference', () => {
  const session = aSession()
  const inHour = (hour: number): LoggedHeartbeat => ({
    atMs: hour * BLOCK_MS,
    shiftMs: 0,
    isPaused: null,
    bufferMs: null,
    country: 'DE',
  })

  for (const hour of [14, 13, 12]) session.add([inHour(hour)])
  const before = session.rounds()
  session.add([inHour(11)])

  // None of them is the first heartbeat any more.
  const started = [...session.stored.values()].map(({ startMs, end }) => [startMs / BLOCK_MS, end.isStarted])
  assert.deepEqual(
    started.toSorted((one, other) => Number(one[0]) - Number(other[0])),
    [
      [11, false],
      [12, true],
      [13, true],
      [14, true],
    ],
  )
  assert.ok(session.rounds() - before >= 2)
})
