import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../../platform/crypto/ids.ts'
import {
  hasValidMac,
  newSecret,
  printRefreshCredential,
  readRefreshCredential,
} from './refresh-credential.ts'
import { isSecretOf, newSdkKey, readSdkKey } from './sdk-key.ts'

const family = randomBytes(32)
const given = { accountId: newId(1), sessionId: newId(2), number: 7, secret: newSecret() }
const text = printRefreshCredential(given, family)

test('a refresh credential is parsed as it was printed, and has the MAC of its own family', () => {
  const read = readRefreshCredential(text)

  assert.ok(read !== undefined)
  const { mac: _, ...rest } = read
  assert.deepEqual(rest, given)
  assert.equal(hasValidMac(read, family), true)
  assert.equal(hasValidMac(read, randomBytes(32)), false)
})

test('another number or another secret invalidates the MAC', () => {
  const read = readRefreshCredential(text)!

  assert.equal(hasValidMac({ ...read, number: 6 }, family), false)
  assert.equal(hasValidMac({ ...read, secret: newSecret() }, family), false)
})

test('text that is not one of our credentials is rejected, and a credential has one encoding', () => {
  assert.equal(readRefreshCredential(`${text}A`), undefined)
  assert.equal(readRefreshCredential(text.slice(0, -1)), undefined)
  assert.equal(readRefreshCredential(text.slice(2)), undefined)
  assert.equal(readRefreshCredential(`${text}=`), undefined)
  fc.assert(fc.property(fc.string(), (any) => readRefreshCredential(any) === undefined))
  fc.assert(fc.property(fc.base64String(), (any) => readRefreshCredential(`r_${any}`) === undefined))
})

test('an SDK key is parsed as it was printed, and its secret matches its hash', () => {
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
