import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { aCapturedLog } from '../../../http/testing/captured-log.ts'
import { NOW_MS, someClaims } from '../../../http/testing/credentials.ts'
import type { KeyEntry } from '../../../platform/signing-keys/keys-file.ts'
import { writeKeysFile } from '../../../platform/signing-keys/signing-keys.ts'
import { aKeyEntry, aKeysFile } from '../testing/a-keys-file.ts'
import { signToken, verifyToken } from './access-token.ts'
import { credentialKeys } from './credential-keys.ts'
import { openKeyRing } from './key-ring.ts'

const MINUTE_MS = 60_000
/** Disables polling: only the test refreshes the ring. */
const NEVER_MS = 2 ** 31 - 1

test('during a rotation, each process accepts what the others sign, whichever reads the file first', async (t) => {
  const path = await aKeysFile(t, { keys: [aKeyEntry('first', -MINUTE_MS)] })
  const [early, late] = [await aRing(t, path), await aRing(t, path)]
  const accepts = (by: typeof early, from: typeof early, nowMs: number) => {
    const token = signToken(from.ring.signingKey(nowMs), someClaims())
    assert.equal(verifyToken(by.ring.keys(), token, NOW_MS).kind, 'valid')
  }

  await credentialKeys.rotateFile(path, NOW_MS)
  await early.ring.refresh()
  accepts(late, early, NOW_MS + MINUTE_MS - 1)
  assert.equal(early.ring.signingKey(NOW_MS + MINUTE_MS - 1).kid, 'first')

  await late.ring.refresh()
  accepts(late, early, NOW_MS + MINUTE_MS)
  accepts(early, late, NOW_MS + MINUTE_MS)
  assert.notEqual(early.ring.signingKey(NOW_MS + MINUTE_MS).kid, 'first')
})

test('a running process picks up a changed file', async (t) => {
  const path = await aKeysFile(t, { keys: [aKeyEntry('first')] })
  const { ring, log } = await aRing(t, path, { pollMs: 5 })

  await writeKeysFile(path, { keys: [aKeyEntry('second')] })
  const line = await log.find(({ msg }) => msg === 'credential keys changed')

  assert.deepEqual(line['kids'], ['second'])
  assert.deepEqual([...ring.keys().keys()], ['second'])
})

test('an invalid file is logged once, and the last valid keys stay until it is repaired', async (t) => {
  const first = aKeyEntry('first')
  const path = await aKeysFile(t, { keys: [first] })
  const { ring, log } = await aRing(t, path)
  const before = ring.keys()

  await writeFile(path, '{"keys": [secret')
  for (let looks = 0; looks < 3; looks += 1) await ring.refresh()
  assert.equal(ring.keys(), before)
  assert.deepEqual(
    log.lines().map(({ level }) => level),
    ['error'],
  )
  assert.doesNotMatch(log.text(), /secret/)

  await rm(path)
  for (let looks = 0; looks < 3; looks += 1) await ring.refresh()
  assert.equal(ring.keys(), before)
  assert.equal(log.lines().length, 2)
  assert.match(log.text(), /cannot be read/)

  await writeKeysFile(path, { keys: [first, aKeyEntry('second')] })
  await ring.refresh()
  assert.deepEqual([...ring.keys().keys()], ['first', 'second'])
})

test('a file that has not changed is not loaded again', async (t) => {
  const keys = [aKeyEntry('first')]
  const path = await aKeysFile(t, { keys })
  const { ring, log } = await aRing(t, path)
  const before = ring.keys()

  await writeFile(path, JSON.stringify({ keys }))
  await ring.refresh()

  assert.equal(ring.keys(), before)
  assert.deepEqual(log.lines(), [])
})

test('a key that stays is the same object; a new key with the same id is another', async (t) => {
  const [kept, replaced] = [aKeyEntry('kept'), aKeyEntry('replaced')]
  const path = await aKeysFile(t, { keys: [kept, replaced] })
  const { ring } = await aRing(t, path)
  const before = ring.keys()

  await writeKeysFile(path, { keys: [kept, aKeyEntry('replaced')] })
  await ring.refresh()

  assert.equal(ring.keys().get('kept'), before.get('kept'))
  assert.notEqual(ring.keys().get('replaced'), before.get('replaced'))
})

test('cursors are sealed with the secret of the signing key, and those of the other keys still open', async (t) => {
  const [old, next] = [aKeyEntry('old', -MINUTE_MS), aKeyEntry('next')]
  const path = await aKeysFile(t, { keys: [next, old] })
  let nowMs = NOW_MS
  const { ring } = await aRing(t, path, { clock: () => nowMs })

  const before = ring.cursorSecrets()
  assert.equal(ring.cursorSecrets(), before)
  nowMs += MINUTE_MS
  const after = ring.cursorSecrets()

  assert.deepEqual(after, before.toReversed())
  assert.deepEqual(before, [await cursorSecretOf(t, old), await cursorSecretOf(t, next)])
  assert.equal(new Set(before.map((secret) => secret.toString('hex'))).size, 2)
  for (const secret of before) assert.equal(secret.length, 32)
})

test('the cursor secrets follow the file', async (t) => {
  const [first, second] = [aKeyEntry('first', -MINUTE_MS), aKeyEntry('second')]
  const path = await aKeysFile(t, { keys: [first] })
  const { ring } = await aRing(t, path)
  const before = ring.cursorSecrets()

  await writeKeysFile(path, { keys: [first, second] })
  await ring.refresh()

  assert.deepEqual(ring.cursorSecrets(), [...before, await cursorSecretOf(t, second)])
})

test('a ring does not open on an invalid file', async (t) => {
  const path = await aKeysFile(t, { keys: [] })

  await assert.rejects(aRing(t, path), /CREDENTIAL_KEYS_FILE .* contains no key/)
})

interface RingOptions {
  readonly pollMs?: number
  readonly clock?: () => number
}

async function aRing(
  t: TestContext,
  path: string,
  { pollMs = NEVER_MS, clock = () => NOW_MS }: RingOptions = {},
) {
  const log = aCapturedLog()
  const ring = await openKeyRing(path, { logger: log.logger, clock, pollMs })
  t.after(() => ring.close())
  return { ring, log }
}

async function cursorSecretOf(t: TestContext, entry: KeyEntry): Promise<Buffer | undefined> {
  const { ring } = await aRing(t, await aKeysFile(t, { keys: [entry] }))
  return ring.cursorSecrets()[0]
}
