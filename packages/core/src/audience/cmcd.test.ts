import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noReport, readCmcd } from './cmcd.ts'

test('the state of version 2 decides whether time is watched', () => {
  const pausedIn = (state: string) => readCmcd(`ot=m,sid="x",sta=${state},v=2`).isPaused

  assert.deepEqual(['p', 's', 'k', 'r', 'w'].map(pausedIn), [false, false, false, false, false])
  assert.deepEqual(['a', 'e', 'f', 'q', 'd'].map(pausedIn), [true, true, true, true, true])
})

test('the buffer is rounded to 100 ms, also from a list of version 2', () => {
  assert.equal(readCmcd('bl=21349,ot=m').bufferMs, 21_300)
  assert.equal(readCmcd('ot=m,bl=21350').bufferMs, 21_400)
  assert.equal(readCmcd('bl=(14200;v 3000;a),v=2').bufferMs, 14_200)
  assert.equal(readCmcd('bl=999999999').bufferMs, 6_553_400)
})

test('quoted text of the player is not read as keys, and text without keys reports nothing', () => {
  assert.deepEqual(readCmcd('cid="a,sta=a,bl=5000,\\",sta=a,"'), noReport)
  assert.deepEqual(readCmcd('abl=5000,osta=a,sta=ab,bl='), noReport)
  assert.deepEqual(readCmcd(''), noReport)
})

test('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { isPaused, bufferMs } = readCmcd(text)
      assert.ok(isPaused === null || typeof isPaused === 'boolean')
      assert.ok(bufferMs === null || bufferMs % 100 === 0)
    }),
  )
})
