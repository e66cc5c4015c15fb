import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import { type KeysFile, readCreatedMs } from '../../../platform/signing-keys/keys-file.ts'
import { type Dated, rotateKeys } from '../../../platform/signing-keys/rotation.ts'
import { aKeyEntry } from '../testing/a-keys-file.ts'
import { credentialKeys } from './credential-keys.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const dated = (kid: string, createdMs: number): Dated => ({ kid, createdMs })
const kidsOf = ({ keys }: KeysFile) => keys.map(({ kid }) => kid)

test('a new key signs after one minute; until then the previous key signs', () => {
  const keys = [dated('new', 10 * MINUTE_MS), dated('old', 0)]

  assert.equal(credentialKeys.choose(keys, 11 * MINUTE_MS - 1)?.kid, 'old')
  assert.equal(credentialKeys.choose(keys, 11 * MINUTE_MS)?.kid, 'new')
})

test('a first key signs at once; of several new keys, the oldest signs', () => {
  assert.equal(credentialKeys.choose([dated('only', 5_000)], 5_000)?.kid, 'only')
  assert.equal(credentialKeys.choose([dated('b', 6_000), dated('a', 5_000)], 6_000)?.kid, 'a')
  assert.equal(credentialKeys.choose([], 6_000), undefined)
})

test('which key signs does not depend on the order of the file', () => {
  const key = fc.record({
    kid: fc.uuid(),
    createdMs: fc.integer({ min: 0, max: 5 }).map((n) => n * MINUTE_MS),
  })
  const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 6, selector: ({ kid }) => kid })

  fc.assert(
    fc.property(keys, fc.nat({ max: 8 * MINUTE_MS }), fc.gen(), (given, nowMs, random) => {
      const shuffled = random(fc.shuffledSubarray, given, { minLength: given.length })
      assert.equal(credentialKeys.choose(shuffled, nowMs), credentialKeys.choose(given, nowMs))
    }),
  )
})

test('a rotation adds a key that can be read, and changes nothing else', () => {
  const file = { keys: [aKeyEntry('first')], note: 'kept' }

  const rotated = rotateKeys(file, NOW_MS + HOUR_MS)

  assert.deepEqual({ ...rotated, keys: rotated.keys.slice(0, 1) }, file)
  const read = credentialKeys.parse('keys.json', JSON.stringify(rotated))
  assert.ok(read.kind === 'read')
  assert.equal([...read.keys.values()][1]?.createdMs, NOW_MS + HOUR_MS)
})

test('a key is removed ten minutes after its last token has expired', () => {
  const file = { keys: [aKeyEntry('new', HOUR_MS), aKeyEntry('old')] }
  const spareMs = NOW_MS + HOUR_MS + MINUTE_MS + HOUR_MS + 10 * MINUTE_MS

  assert.deepEqual(kidsOf(credentialKeys.prune(file, spareMs)), ['new', 'old'])
  assert.deepEqual(kidsOf(credentialKeys.prune(file, spareMs + 1)), ['new'])
  assert.deepEqual(kidsOf(credentialKeys.prune(file, spareMs + 1_000 * HOUR_MS)), ['new'])
})

test('however often keys are rotated and pruned, tokens signed within the hour are still verified', () => {
  const first = aKeyEntry('first')
  const gaps = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 12 })

  fc.assert(
    fc.property(gaps, (minutes) => {
      let file: KeysFile = { keys: [first] }
      let nowMs = NOW_MS
      const signed: { kid: string; untilMs: number }[] = []
      for (const gap of minutes) {
        file = rotateKeys(credentialKeys.prune(file, nowMs), nowMs)
        // One login each minute until the next rotation.
        for (let minute = 0; minute < gap; minute += 1, nowMs += MINUTE_MS) {
          const keys = file.keys.map((entry) => dated(entry.kid, readCreatedMs(entry)))
          signed.push({ kid: credentialKeys.choose(keys, nowMs)?.kid ?? '', untilMs: nowMs + HOUR_MS })
        }
        const present = kidsOf(credentialKeys.prune(file, nowMs))
        for (const { kid, untilMs } of signed) assert.ok(untilMs <= nowMs || present.includes(kid))
      }
    }),
    { numRuns: 30 },
  )
})

test('keys are described by their state, without their secrets', () => {
  const file = { keys: [aKeyEntry('new', 3 * HOUR_MS), aKeyEntry('middle', HOUR_MS), aKeyEntry('old')] }

  const states = credentialKeys.describe(file, NOW_MS + 3 * HOUR_MS)

  assert.deepEqual(
    states.map(({ kid, state }) => [kid, state]),
    [
      ['old', 'retired'],
      ['middle', 'signs'],
      ['new', 'next'],
    ],
  )
  assert.deepEqual(states[2], {
    kid: 'new',
    createdMs: NOW_MS + 3 * HOUR_MS,
    signsFromMs: NOW_MS + 3 * HOUR_MS + MINUTE_MS,
    state: 'next',
  })
})
