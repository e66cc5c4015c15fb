import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPageCursors, type PageKey, type PageScope } from './page-cursor.ts'

const secret = randomBytes(32)
const cursors = createPageCursors(() => [secret])
const scope: PageScope = { accountId: 'account-1', operationId: 'listVideos', filter: { sort: 'title' } }

/** Values that a column can hold: text without NUL, integers and fractions, null. */
const values = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }).filter((text) => !text.includes('\0')),
  fc.integer(),
  fc.double({ noNaN: true }).map((number) => number + 0),
  fc.constant(null),
)
const keys: fc.Arbitrary<PageKey> = fc.array(values, { minLength: 1, maxLength: 4 })
const scopes: fc.Arbitrary<PageScope> = fc.record({
  accountId: fc.string(),
  operationId: fc.string(),
  filter: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()))),
})

test('a cursor opens in its scope, to the key that it was sealed with', () => {
  fc.assert(
    fc.property(scopes, keys, (where, key) => {
      assert.deepEqual(cursors.open(where, cursors.seal(where, key)), key)
    }),
  )
})

test('a cursor of another account, operation, filter or sort never opens', () => {
  const cursor = cursors.seal(scope, ['Harbour', 7])

  fc.assert(
    fc.property(scopes, (other) => {
      const mixed: PageScope[] = [
        other,
        { ...scope, accountId: other.accountId },
        { ...scope, operationId: other.operationId },
        { ...scope, filter: other.filter },
      ]
      for (const where of mixed) assert.equal(cursors.open(where, cursor), undefined)
    }),
  )
  assert.equal(cursors.open({ ...scope, filter: { sort: 'date' } }, cursor), undefined)
  assert.equal(cursors.open({ ...scope, filter: undefined }, cursor), undefined)
})

test('the fields of a scope are not confused with each other', () => {
  const cursor = cursors.seal({ accountId: 'ab', operationId: 'c', filter: null }, ['x'])

  assert.equal(cursors.open({ accountId: 'a', operationId: 'bc', filter: null }, cursor), undefined)
  assert.equal(cursors.open({ accountId: 'ab","c', operationId: '', filter: null }, cursor), undefined)
})

test('a cursor does not reveal its texts', () => {
  const text = 'Harbour Nights '.repeat(10)

  const [one, other] = [cursors.seal(scope, [text]), cursors.seal(scope, [`${text}!`])].map((cursor) =>
    Buffer.from(cursor, 'base64url').subarray(16),
  )

  assert.ok(!one!.includes('Harbour'))
  assert.notDeepEqual(one!.subarray(0, 100), other!.subarray(0, 100))
})

test('a cursor with any byte changed, added or removed never opens', () => {
  const cursor = cursors.seal(scope, ['Harbour', 1_772_388_000_000, null])
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n'

  for (let at = 0; at < cursor.length; at += 1) {
    for (const letter of alphabet) {
      const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1)
      if (changed !== cursor) assert.equal(cursors.open(scope, changed), undefined)
      assert.equal(cursors.open(scope, cursor.slice(0, at) + letter + cursor.slice(at)), undefined)
    }
    assert.equal(cursors.open(scope, cursor.slice(0, at) + cursor.slice(at + 1)), undefined)
    assert.equal(cursors.open(scope, cursor.slice(0, at)), undefined)
  }
})

test('an invented text never opens', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ minLength: 3_000 })), (text) => {
      assert.equal(cursors.open(scope, text), undefined)
    }),
  )
})

test('the order of the filter’s fields does not matter', () => {
  const cursor = cursors.seal({ ...scope, filter: { a: { c: 1, d: 2 }, b: [1, 2] } }, ['x'])

  assert.deepEqual(cursors.open({ ...scope, filter: { b: [1, 2], a: { d: 2, c: 1 } } }, cursor), ['x'])
  assert.equal(cursors.open({ ...scope, filter: { a: { c: 1, d: 2 }, b: [2, 1] } }, cursor), undefined)
})

test('the first secret signs, and every secret opens', () => {
  const next = randomBytes(32)
  const rotated = createPageCursors(() => [next, secret])
  const old = cursors.seal(scope, ['x'])

  assert.deepEqual(rotated.open(scope, old), ['x'])
  assert.deepEqual(createPageCursors(() => [next]).open(scope, rotated.seal(scope, ['y'])), ['y'])
  assert.equal(cursors.open(scope, rotated.seal(scope, ['y'])), undefined)
  assert.equal(createPageCursors(() => [next]).open(scope, old), undefined)
})

test('the longest title and id fit into a cursor', () => {
  for (const character of ['\u{1f6a2}', '"', '\u0001', '\\']) {
    const key = [character.repeat(255), '0195c1de-6f00-7a10-8000-00000000d001']
    const cursor = cursors.seal(scope, key)

    assert.ok(cursor.length <= 2_048)
    assert.deepEqual(cursors.open(scope, cursor), key)
  }
})

test('a cursor that is too long is never issued', () => {
  assert.throws(() => cursors.seal(scope, ['x'.repeat(1_600)]), RangeError)
})

test('without a secret nothing is sealed and nothing opens', () => {
  const none = createPageCursors(() => [])

  assert.throws(() => none.seal(scope, ['x']), /no secret/)
  assert.equal(none.open(scope, cursors.seal(scope, ['x'])), undefined)
})
