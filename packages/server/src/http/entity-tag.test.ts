import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../platform/errors.ts'
import { isCached, recordEtag, requireMatch } from './entity-tag.ts'

const etag = recordEtag(7)

test('the tag of a record is its version in quotes', () => {
  assert.equal(etag, '"7"')
})

test('a change with no tag, any tag or the current tag is accepted', () => {
  for (const ifMatch of [undefined, '*', ' * ', '"7"', '"6", "7"', '"6","7" ,"8"', 'W/"7", "7"', ',, "7",']) {
    assert.doesNotThrow(() => requireMatch({ ifMatch }, etag), ifMatch)
  }
})

test('a change of a record that changed meanwhile is rejected', () => {
  const stale = ['"6"', '"77"', '"6", "8"', 'W/"7"', '', ',', '7', '"7', '7"', "'7'", 'w/"7"', '"7"x', 'x"7"']

  for (const ifMatch of [...stale, '"*"', '**', '" 7"', '"7 "', '"6,"7', '"a b", 7']) {
    assert.equal(errorCodeOf(ifMatch, etag), 'record.changed', ifMatch)
  }
})

test('a weak tag of a record never matches If-Match, except *', () => {
  assert.equal(errorCodeOf('W/"7"', 'W/"7"'), 'record.changed')
  assert.equal(errorCodeOf('"7"', 'W/"7"'), 'record.changed')
  assert.doesNotThrow(() => requireMatch({ ifMatch: '*' }, 'W/"7"'))
})

test('If-None-Match matches weak and strong tags', () => {
  for (const ifNoneMatch of ['"7"', 'W/"7"', '*', '"6", "7"', '"a,b", W/"7"']) {
    assert.equal(isCached(ifNoneMatch, '"7"'), true, ifNoneMatch)
    assert.equal(isCached(ifNoneMatch, 'W/"7"'), true, ifNoneMatch)
  }
  for (const ifNoneMatch of [undefined, '', '"6"', '"77"', '7', '"7', 'w/"7"', '"6,7"']) {
    assert.equal(isCached(ifNoneMatch, '"7"'), false, ifNoneMatch)
  }
})

test('a comma inside a tag does not end it', () => {
  assert.equal(isCached('"a,b"', '"a,b"'), true)
  assert.equal(isCached('"x", "a,b"', '"a,b"'), true)
  assert.equal(isCached('"a,b"', '"a'), false)
})

test('every tag of a list is found, at any position', () => {
  const opaque = fc.string({ unit: fc.constantFrom(...'!#,a7~ÿ'), maxLength: 8 })
  const tag = fc.tuple(fc.boolean(), opaque).map(([isWeak, text]) => `${isWeak ? 'W/' : ''}"${text}"`)
  const separator = fc.constantFrom(',', ', ', ' , ', ',,', '\t,')

  fc.assert(
    fc.property(fc.array(tag, { minLength: 1, maxLength: 6 }), separator, (tags, between) => {
      const list = tags.join(between)
      for (const each of tags) {
        assert.equal(isCached(list, each), true)
        if (!each.startsWith('W/')) requireMatch({ ifMatch: list }, each)
      }
      assert.equal(isCached(list, '"none of them"'), false)
    }),
  )
})

test('any header matches or not, without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'"*,W/7 \t') }), (given) => {
      assert.equal(typeof isCached(given, etag), 'boolean')
      assert.ok([undefined, 'record.changed'].includes(errorCodeOf(given, etag)))
    }),
  )
})

test('a hostile header is read in linear time', () => {
  // The longest possible header. Quadratic time would take many seconds.
  const hostile = ['"', ',"', ' ', ', ', 'W/', '","', '"a" '].map((part) => part.repeat(16_384 / part.length))
  const startMs = performance.now()

  for (const given of hostile) isCached(given, etag)

  assert.ok(performance.now() - startMs < 1_000)
})

function errorCodeOf(ifMatch: string, current: string): string | undefined {
  try {
    requireMatch({ ifMatch }, current)
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.equal(error.kind.status, 412)
    return error.kind.code
  }
}
