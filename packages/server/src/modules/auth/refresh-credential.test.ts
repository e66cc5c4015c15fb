import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../platform/ids.ts'
import { isMarked, newSecret, printRefreshCredential, readRefreshCredential } from './refresh-credential.ts'
import { isSecretOf, newSdkKey, readSdkKey } from './sdk-key.ts'

const family = randomBytes(32)
const given = { accountId: newId(1), sessionId: newId(2), number: 7, secret: newSecret() }
const text = printRefreshCredential(given, family)

test('a refresh credential is read as it was made, and bears the mark of its family alone', () => {
  const read = readRefreshCredential(text)

  assert.ok(read !== undefined)
  const { mark: _, ...rest } = read
  assert.deepEqual(rest, given)
  assert.equal(isMarked(read, family), true)
  assert.equal(isMarked(read, randomBytes(32)), false)
})

test('another number or other bits lose the mark', () => {
  const read = readRefreshCredential(text)!

  assert.equal(isMarked({ ...read, number: 6 }, family), false)
  assert.equal(isMarked({ ...read, secret: newSecret() }, family), false)
})

test('whatever is no credential of ours is none, and one has one spelling', () => {
  assert.equal(readRefreshCredential(`${text}A`), undefined)
  assert.equal(readRefreshCredential(text.slice(0, -1)), undefined)
  assert.equal(readRefreshCredential(text.slice(2)), undefined)
  assert.equal(readRefreshCredential(`${text}=`), undefined)
  fc.assert(fc.property(fc.string(), (any) => readRefreshCredential(any) === undefined))
  fc.assert(fc.property(fc.base64String(), (any) => readRefreshCredential(`r_${any}`) === undefined))
})

test('an SDK key is read as it was made, and its secret is known by the hash', () => {
  const [accountId, appKeyId] = [newId(1), newId(2)]
  const { text: sdkKey, hash } = newSdkKey(accountId, appKeyId)

  const read = readSdkKey(sdkKey)

  assert.ok(read !== undefined)
  assert.deepEqual([read.accountId, read.appKeyId], [accountId, appKeyId])
  assert.equal(isSecretOf(hash, read), true)
  assert.equal(isSecretOf(newSdkKey(accountId, appKeyId).hash, read), false)
  for (const wrong of ['', 'sdk_', `${sdkKey}A`, sdkKey.slice(4), text])
    assert.equal(readSdkKey(wrong), undefined)
})
