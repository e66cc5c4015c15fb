import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQuery } from './parse-query.ts'
import {
  compileText,
  distinctWordsOf,
  labelCodes,
  labelTerms,
  longHash,
  rankedWordsOf,
  type SearchedVideo,
  shortHash,
  type TextField,
  termsOf,
} from './search-terms.ts'

const aVideo = (fields: Partial<SearchedVideo> = {}): SearchedVideo => ({
  title: '',
  keywords: [],
  seriesTitle: '',
  description: '',
  labels: {},
  ...fields,
})

const pair = (words: string) => `+${shortHash(words)}`
const title = (words: string) => `'=${longHash(words)}'`

test('the index contains words, words by field, pairs and labels, each once and prefixed with the tier', () => {
  const video = aVideo({
    title: 'Long Night',
    keywords: ['sea', 'long night'],
    seriesTitle: 'Tales',
    description: 'The sea at night',
    labels: { channel_id: ['c1', 'c2'], status: ['READY'] },
  })

  assert.deepEqual(
    termsOf(video, 7).split(' ').toSorted(),
    [
      "'7/=cc1'",
      "'7/=cc2'",
      "'7/=xREADY'",
      "'7/at'",
      "'7/k.long'",
      "'7/k.night'",
      "'7/k.sea'",
      "'7/long'",
      "'7/night'",
      "'7/s.tales'",
      "'7/sea'",
      "'7/t.long'",
      "'7/t.night'",
      "'7/tales'",
      "'7/the'",
      ...['long night', 'the sea', 'sea at', 'at night'].map((words) => `'7/${pair(words)}'`),
    ].toSorted(),
  )
})

test('no pair spans two keywords or fields', () => {
  const video = aVideo({ title: 'a', keywords: ['b', 'c'], seriesTitle: 'd', description: 'e' })

  assert.ok(!termsOf(video, 1).includes('+'))
})

test('words have positions and weights, with gaps that no phrase crosses', () => {
  const video = aVideo({
    title: 'Long Night',
    keywords: ['sea', 'long day'],
    seriesTitle: 'Tales',
    description: 'Night at sea',
  })

  assert.equal(
    rankedWordsOf(video),
    `'long':1A,35B 'night':2A,47 'tales':13C 'sea':24B,49 'day':36B 'at':48 ${title('long night')}`,
  )
})

test('a video without words is not found', () => {
  assert.equal(termsOf(aVideo({ title: '…' }), 1), '')
  assert.equal(rankedWordsOf(aVideo({ title: '…' })), title(''))
})

test('a word has at most 255 positions, and all words after the last position share it', () => {
  const often = rankedWordsOf(aVideo({ description: 'so '.repeat(300) }))
  const keywords = Array.from({ length: 100 }, (_, at) => hanText(255 * at, 255))
  const far = rankedWordsOf(aVideo({ keywords, description: 'far far away' }))

  assert.equal(often.split(',').length, 255)
  assert.match(far, / 'far':16383 'away':16383 '=/)
  assert.doesNotMatch(far, /16383B,16383/)
})

test('the largest record fits into a vector, even with the longest tier number', () => {
  const video = aVideo({
    title: hanText(0, 255),
    keywords: Array.from({ length: 100 }, (_, at) => hanText(300 + 255 * at, 255)),
    seriesTitle: hanText(26_000, 255),
    description: hanText(27_000, 10_000),
    labels: { genre: Array.from({ length: 50 }, (_, at) => `${at}${'ж'.repeat(62)}`) },
  })

  assert.ok(lexemeBytes(termsOf(video, 2_147_483_647)) < 1_048_576)
  assert.ok(Buffer.byteLength(rankedWordsOf(video)) < 1_048_576)
})

test('a long text in a script with spaces is indexed to its end', () => {
  const keywords = Array.from({ length: 100 }, (_, at) =>
    Array.from({ length: 42 }, (_, of) => `k${at}x${of}`).join(' '),
  )
  const description = Array.from({ length: 1_600 }, (_, at) => `d${at}`).join(' ')

  assert.ok(termsOf(aVideo({ keywords, description }), 2_147_483_647).includes('/d1599'))
})

test('the vocabulary contains words of three to forty characters with a letter', () => {
  const video = aVideo({
    title: `A sea 2024 4k8 ${'x'.repeat(40)} ${'y'.repeat(41)} 東京`,
    keywords: ['Sea', 'ship'],
    description: 'ship at sea',
  })

  assert.deepEqual(distinctWordsOf(video), ['sea', '4k8', 'x'.repeat(40), 'ship'])
})

test('a label term consists of its code and its value, encoded without characters that need quoting', () => {
  assert.equal(labelTerms('genre', ['Drama']), "'~/=gDrama'")
  assert.equal(labelTerms('genre', ['Drama', 'Sci Fi']), "('~/=gDrama' | '~/=gSci%20Fi')")
  assert.equal(labelTerms('brand_id', ["a~b'c\\d/é%"]), "'~/=ba%7Eb%27c%5Cd%2F%C3%A9%25'")
  assert.equal(labelTerms('cut', ['!()*']), "'~/=u%21%28%29%2A'")
  assert.equal(labelTerms('cut', []), "('~/=')")
})

test('no two labels share a code', () => {
  assert.equal(new Set(Object.values(labelCodes)).size, Object.keys(labelCodes).length)
})

test('long labels that differ at their ends have different terms', () => {
  const one = labelTerms('brand_id', [`${'é'.repeat(254)}a`])
  const other = labelTerms('brand_id', [`${'é'.repeat(254)}b`])

  assert.notEqual(one, other)
  assert.ok(one.length < 230)
})

test('a label is found by the term of its video, and by no other', () => {
  const value = fc.oneof(fc.string({ maxLength: 255 }), fc.string({ unit: 'binary', maxLength: 255 }))

  fc.assert(
    fc.property(value, value, (one, other) => {
      const terms = termsOf(aVideo({ labels: { brand_id: [one] } }), 3)

      assert.match(terms, /^'3\/=b[\w.%+-]*'$/)
      assert.equal(labelTerms('brand_id', [one]).replace('~', '3'), terms)
      assert.equal(labelTerms('brand_id', [other]).replace('~', '3') === terms, one === other)
    }),
  )
})

test('vectors contain quotes only around their entries', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab\'’"\\~/ é京\u0000\ud800:&|!') })

  fc.assert(
    fc.property(text, text, text, (title, keyword, description) => {
      const video = aVideo({ title, keywords: [keyword], description, labels: { cut: [keyword] } })

      assert.match(termsOf(video, 5), /^('5\/[^'\\ ~]+'( (?!$)|$))*$/)
      assert.match(rankedWordsOf(video), /^('[^'\\ ~]+':\d+[ABC]?(,\d+[ABC]?)* )*'=[0-9a-f]{16}'$/)
    }),
  )
})

/** Without the parts that have their own tests. */
function compiled(query: string, ...fields: TextField[]) {
  const { terms, exact, rank } = compileText(parseQuery(query), fields)
  return { terms, exact, rank }
}

test('an empty query compiles to nothing', () => {
  assert.deepEqual(compiled(''), { terms: null, exact: null, rank: null })
})

test('single words are decided by the index alone', () => {
  assert.deepEqual(compiled('sea night -ship'), {
    terms: "'~/sea' & '~/night' & !'~/ship'",
    exact: null,
    rank: "'sea' & 'night'",
  })
  assert.deepEqual(compiled('sea', 'title', 'keywords', 'series_title', 'description'), compiled('sea'))
})

test('a phrase queries its words and pairs, and needs the exact check', () => {
  assert.deepEqual(compiled('"the long night" sea'), {
    terms: `'~/the' & '~/long' & '~/night' & '~/${pair('the long')}' & '~/${pair('long night')}' & '~/sea'`,
    exact: "('the' <-> 'long' <-> 'night') & 'sea'",
    rank: "('the' <-> 'long' <-> 'night') & 'sea'",
  })
})

test('with given fields, their own terms are used', () => {
  assert.deepEqual(compiled('sea -ship', 'title'), {
    terms: "'~/t.sea' & !'~/t.ship'",
    exact: null,
    rank: "'sea':A",
  })
  assert.deepEqual(compiled('sea -ship', 'series_title', 'keywords', 'keywords'), {
    terms: "('~/s.sea' | '~/k.sea') & !('~/s.ship' | '~/k.ship')",
    exact: null,
    rank: "'sea':BC",
  })
  assert.deepEqual(compiled('"long night"', 'title'), {
    terms: `'~/t.long' & '~/t.night' & '~/${pair('long night')}'`,
    exact: "('long':A <-> 'night':A)",
    rank: "('long':A <-> 'night':A)",
  })
})

test('the description among the given fields needs the exact check', () => {
  assert.deepEqual(compiled('sea -ship', 'description'), {
    terms: "'~/sea'",
    exact: "'sea':D & !'ship':D",
    rank: "'sea':D",
  })
  assert.equal(compiled('sea', 'description', 'title').exact, "'sea':AD")
})

test('an excluded phrase is only in the exact check', () => {
  assert.deepEqual(compiled('sea -"long night"'), {
    terms: "'~/sea'",
    exact: "'sea' & !('long' <-> 'night')",
    rank: "'sea'",
  })
})

test('exclusions alone cannot use the index', () => {
  assert.deepEqual(compiled('-sea -"long night"'), {
    terms: null,
    exact: "!'sea' & !('long' <-> 'night')",
    rank: null,
  })
  assert.equal(compiled('-sea').exact, "!'sea'")
})

test('the whole query can be checked on a single video, even if the index decides', () => {
  const whole = (query: string, ...fields: TextField[]) => compileText(parseQuery(query), fields).whole

  assert.equal(whole('sea -ship'), "'sea' & !'ship'")
  assert.equal(whole('"long night" -sea', 'title'), "('long':A <-> 'night':A) & !'sea':A")
  assert.equal(whole('-sea'), "!'sea'")
  assert.equal(whole(''), null)
})

test('a query that equals a title has a title term, if titles are searched', () => {
  const titleOf = (query: string, ...fields: TextField[]) => compileText(parseQuery(query), fields).title

  assert.equal(titleOf('The Long-Night'), title('the long night'))
  assert.equal(titleOf('long "night" -sea', 'title'), title('long night'))
  assert.equal(titleOf('long night', 'keywords'), null)
  assert.equal(titleOf('-sea'), null)
  assert.equal(titleOf(''), null)
})

/** Distinct characters, each of which is a word. */
function hanText(from: number, length: number): string {
  return Array.from({ length }, (_, at) => String.fromCodePoint(0x2_0000 + from + at)).join('')
}

/** What PostgreSQL counts: the entries without their quotes. */
const lexemeBytes = (vector: string) => Buffer.byteLength(vector.replaceAll(/'( |$)|'/g, ''))

test('hashes equal those in stored rows', () => {
  assert.equal(shortHash(''), '2h9')
  assert.equal(shortHash('long night'), '2kl')
  assert.equal(shortHash('東 京'), '20u')
  // The published values of 64-bit FNV-1a.
  assert.equal(longHash(''), 'cbf29ce484222325')
  assert.equal(longHash('a'), 'af63dc4c8601ec8c')
  assert.equal(longHash('foobar'), '85944171f73967e8')
  assert.equal(longHash('東京'), '79319608151cd730')
})

test('a short hash is one of 4,096, a long one has sixteen digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.match(shortHash(text), /^[0-9a-z]{1,3}$/)
      assert.ok(Number.parseInt(shortHash(text), 36) < 4_096)
      assert.match(longHash(text), /^[0-9a-f]{16}$/)
    }),
  )
})

test('pairs of words spread over all short hashes', () => {
  const seen = new Set(Array.from({ length: 40_960 }, (_, at) => shortHash(`word${at % 64} other${at}`)))

  assert.ok(seen.size > 4_080, `${seen.size}`)
})
