import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQuery } from './parse-query.ts'

/** A parsed query as text: `word`, `two words` and `-not this`. */
const parsed = (query: string) =>
  parseQuery(query).map(({ words, isExcluded }) => `${isExcluded ? '-' : ''}${words.join(' ')}`)

const examples: readonly (readonly [string, readonly string[]])[] = [
  ['harbour night', ['harbour', 'night']],
  ['"harbour night" sea', ['harbour night', 'sea']],
  ['„Die lange Nacht“ «la nuit» ＂full width＂', ['die lange nacht', 'la nuit', 'full width']],
  ['sea -storm -"long night"', ['sea', '-storm', '-long night']],
  ['sea –storm −wind', ['sea', '-storm', '-wind']],
  ['spider-man -spider-man', ['spider man', '-spider man']],
  ['東京 -大阪', ['東 京', '-大 阪']],
  ["don't -don't", ['dont', '-dont']],
  ['sea - storm', ['sea', 'storm']],
  ['--storm ---', ['-storm']],
  ['--"long night"', ['-long night']],
  ['sea-"long night"', ['sea', 'long night']],
  ['"long night"-sea', ['long night', 'sea']],
  ['sea "long night', ['sea', 'long night']],
  ['-"long night', ['-long night']],
  ['night "night" NIGHT -night', ['night', '-night']],
  ['"" -"" … - " "', []],
  ['  ', []],
  ['', []],
]

for (const [query, terms] of examples) {
  test(`${JSON.stringify(query)} is parsed to ${JSON.stringify(terms)}`, () => {
    assert.deepEqual(parsed(query), terms)
  })
}

test('the first fifty words count', () => {
  const words = Array.from({ length: 60 }, (_, at) => `w${at}`)

  assert.deepEqual(parsed(words.join(' ')), words.slice(0, 50))
})

test('a phrase is cut after fifty words, but an excluded phrase is dropped', () => {
  assert.deepEqual(parsed('字'.repeat(60)), ['字 '.repeat(50).trim()])
  assert.deepEqual(parsed(`sea -"${'so '.repeat(50)}" storm -wind`), ['sea', 'storm', '-wind'])
})

test('a repeated word counts once', () => {
  assert.deepEqual(parsed(`${'sea '.repeat(100)}storm`), ['sea', 'storm'])
})

test('every query is accepted, and parsed within the limits', () => {
  const queries = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1_000 }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.string({ unit: fc.constantFrom(...'ab -"\'“”–京é\ud800'), maxLength: 1_000 }),
  )

  fc.assert(
    fc.property(queries, (query) => {
      const terms = parseQuery(query)

      assert.ok(terms.every(({ words }) => words.length > 0))
      assert.ok(terms.flatMap(({ words }) => words).length <= 50)
      assert.equal(new Set(parsed(query)).size, terms.length)
    }),
  )
})

test('a parsed query that is printed again parses to the same terms', () => {
  const queries = fc.string({ unit: fc.constantFrom(...'ab -"\'“”–京é'), maxLength: 200 })

  fc.assert(
    fc.property(queries, (query) => {
      const spelled = parseQuery(query).map(
        (term) => `${term.isExcluded ? '-' : ''}"${term.words.join(' ')}"`,
      )

      assert.deepEqual(parseQuery(spelled.join(' ')), parseQuery(query))
    }),
  )
})
