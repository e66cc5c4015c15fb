import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPageMarks, type PageKey, type PageScope } from './page-mark.ts'

const secret = randomBytes(32)
const marks = createPageMarks(() => [secret])
const scope: PageScope = { accountId: 'account-1', operationId: 'listVideos', filter: { sort: 'title' } }

/** What a column can hold: text without NUL, whole and broken numbers, nothing. */
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

test('a mark opens where it was sealed, to the key that it was sealed with', () => {
  fc.assert(
    fc.property(scopes, keys, (where, key) => {
      assert.deepEqual(marks.open(where, marks.seal(where, key)), key)
    }),
  )
})

test('a mark of another account, operation, filter or sort never opens', () => {
  const mark = marks.seal(scope, ['Harbour', 7])

  fc.assert(
    fc.property(scopes, (other) => {
      const mixed: PageScope[] = [
        other,
        { ...scope, accountId: other.accountId },
        { ...scope, operationId: other.operationId },
        { ...scope, filter: other.filter },
      ]
      for (const where of mixed) assert.equal(marks.open(where, mark), undefined)
    }),
  )
  assert.equal(marks.open({ ...scope, filter: { sort: 'date' } }, mark), undefined)
  assert.equal(marks.open({ ...scope, filter: undefined }, mark), undefined)
})

test('what stands in one field of a scope is never taken for a part of another', () => {
  const mark = marks.seal({ accountId: 'ab', operationId: 'c', filter: null }, ['x'])

  assert.equal(marks.open({ accountId: 'a', operationId: 'bc', filter: null }, mark), undefined)
  assert.equal(marks.open({ accountId: 'ab","c', operationId: '', filter: null }, mark), undefined)
})

test('a mark tells nobody what it holds', () => {
  const text = 'Harbour Nights '.repeat(10)

  const [one, other] = [marks.seal(scope, [text]), marks.seal(scope, [`${text}!`])].map((mark) =>
    Buffer.from(mark, 'base64url').subarray(16),
  )

  assert.ok(!one!.includes('Harbour'))
  assert.notDeepEqual(one!.subarray(0, 100), other!.subarray(0, 100))
})

test('a mark with any byte changed, added or left out never opens', () => {
  const mark = marks.seal(scope, ['Harbour', 1_772_388_000_000, null])
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n'

  for (let at = 0; at < mark.length; at += 1) {
    for (const letter of alphabet) {
      const changed = mark.slice(0, at) + letter + mark.slice(at + 1)
      if (changed !== mark) assert.equal(marks.open(scope, changed), undefined)
      assert.equal(marks.open(scope, mark.slice(0, at) + letter + mark.slice(at)), undefined)
    }
    assert.equal(marks.open(scope, mark.slice(0, at) + mark.slice(at + 1)), undefined)
    assert.equal(marks.open(scope, mark.slice(0, at)), undefined)
  }
})

test('no text that somebody made up opens', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ minLength: 3_000 })), (text) => {
      assert.equal(marks.open(scope, text), undefined)
    }),
  )
})

test('the order of a filter’s fields makes no difference', () => {
  const mark = marks.seal({ ...scope, filter: { a: { c: 1, d: 2 }, b: [1, 2] } }, ['x'])

  assert.deepEqual(marks.open({ ...scope, filter: { b: [1, 2], a: { d: 2, c: 1 } } }, mark), ['x'])
  assert.equal(marks.open({ ...scope, filter: { a: { c: 1, d: 2 }, b: [2, 1] } }, mark), undefined)
})

test('every secret of the list opens, and the first one signs', () => {
  const next = randomBytes(32)
  const rotated = createPageMarks(() => [next, secret])
  const old = marks.seal(scope, ['x'])

  assert.deepEqual(rotated.open(scope, old), ['x'])
  assert.deepEqual(createPageMarks(() => [next]).open(scope, rotated.seal(scope, ['y'])), ['y'])
  assert.equal(marks.open(scope, rotated.seal(scope, ['y'])), undefined)
  assert.equal(createPageMarks(() => [next]).open(scope, old), undefined)
})

test('the longest title and id fit into a mark that the wire takes', () => {
  for (const character of ['\u{1f6a2}', '"', '\u0001', '\\']) {
    const key = [character.repeat(255), '0195c1de-6f00-7a10-8000-00000000d001']
    const mark = marks.seal(scope, key)

    assert.ok(mark.length <= 2_048)
    assert.deepEqual(marks.open(scope, mark), key)
  }
})

test('a mark that the wire would not take back is not given out', () => {
  assert.throws(() => marks.seal(scope, ['x'.repeat(1_600)]), RangeError)
})

test('without a secret nothing is sealed and nothing opens', () => {
  const none = createPageMarks(() => [])

  assert.throws(() => none.seal(scope, ['x']), /no secret/)
  assert.equal(none.open(scope, marks.seal(scope, ['x'])), undefined)
})
