import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { gramsOf, mostSimilar, similarity } from './similar-words.ts'

test('the trigrams of a word are those of pg_trgm', () => {
  assert.deepEqual(gramsOf('cat'), ['  c', ' ca', 'cat', 'at '])
  assert.deepEqual(gramsOf('aaaa'), ['  a', ' aa', 'aaa', 'aa '])
  assert.deepEqual(gramsOf('a'), ['  a', ' a '])
  assert.deepEqual(gramsOf('한국'), ['  한', ' 한국', '한국 '])
})

test('similarity equals that of pg_trgm', () => {
  assert.equal(similarity('word', 'word'), 1)
  assert.equal(similarity('word', 'two'), 0)
  assert.equal(similarity('word', 'words'), 4 / 7)
  assert.equal(similarity('hello', 'hallo'), 3 / 9)
})

test('one typing error finds a short word, two find a longer one', () => {
  assert.deepEqual(mostSimilar('nigth', ['night']), ['night'])
  assert.deepEqual(mostSimilar('ingth', ['night']), [])
  assert.deepEqual(mostSimilar('ahrbuor', ['harbour']), ['harbour'])
  assert.deepEqual(mostSimilar('ahbruro', ['harbour']), [])
})

test('the most similar come first, and equals in alphabetical order', () => {
  assert.deepEqual(mostSimilar('harbor', ['barber', 'harbor', 'sea', 'harbour']), [
    'harbor',
    'harbour',
    'barber',
  ])
  assert.deepEqual(mostSimilar('cat', ['zat', 'bat', 'rat']), ['bat', 'rat', 'zat'])
})

test('at most the requested number is returned, without duplicates', () => {
  const candidates = ['cart', 'cast', 'cat', 'cats', 'cat', 'chat', 'coat']

  assert.equal(mostSimilar('cat', candidates).length, 5)
  assert.deepEqual(mostSimilar('cat', candidates, 1), ['cat'])
  assert.deepEqual(mostSimilar('cat', ['cat', 'cat']), ['cat'])
})

test('a word of one or two letters has no similar words', () => {
  assert.deepEqual(mostSimilar('ab', ['ab', 'abc']), [])
  assert.deepEqual(mostSimilar('東', ['東']), [])
})

const word = fc.string({ unit: fc.constantFrom(...'abcé한'), minLength: 3, maxLength: 12 })

test('similarity is symmetric, and 1 only for equal trigrams', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      const similar = similarity(one, other)

      assert.equal(similarity(other, one), similar)
      assert.ok(similar >= 0 && similar <= 1)
      assert.equal(similar === 1, gramsOf(one).toSorted().join() === gramsOf(other).toSorted().join())
    }),
  )
})

test('every single typing error is tolerated', () => {
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom(...'abcx'), (meant, number, letter) => {
      const letters = Array.from(meant)
      const at = number % letters.length
      const slips = [
        letters.toSpliced(at, 1),
        letters.toSpliced(at, 0, letter),
        letters.toSpliced(at, 1, letter),
        letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse()),
      ].filter((typed) => typed.length >= 3)

      for (const typed of slips) assert.deepEqual(mostSimilar(typed.join(''), [meant]), [meant])
    }),
  )
})

test('the order of the candidates does not matter', () => {
  fc.assert(
    fc.property(word, fc.array(word), (typed, candidates) => {
      assert.deepEqual(mostSimilar(typed, candidates.toReversed()), mostSimilar(typed, candidates))
    }),
  )
})
