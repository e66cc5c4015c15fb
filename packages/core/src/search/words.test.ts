import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldText } from '../text/fold-text.ts'
import { wordsOf } from './words.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'aÉß 9\'’-"京がﾊﾟไม่က្ក̈') }),
)

const examples: readonly (readonly [string, readonly string[]])[] = [
  ['The Long Night', ['the', 'long', 'night']],
  ['  Spider-Man: No Way Home (2021) ', ['spider', 'man', 'no', 'way', 'home', '2021']],
  ['Ärzte & Straße', ['arzte', 'strasse']],
  ["Don't, don’t, dont, rock'n'roll", ['dont', 'dont', 'dont', 'rocknroll']],
  ["'quoted' words'", ['quoted', 'words']],
  ["Лето'90, 90'е, д'Артаньян, 'это'", ['лето90', '90е', 'дартаньян', 'это']],
  ['U.S.A. 1,000', ['u', 's', 'a', '1', '000']],
  ['S01E02', ['s01e02']],
  ['東京タワー2', ['東', '京', 'タ', 'ワ', 'ー', '2']],
  ['ﾊﾟﾘ news', ['パ', 'リ', 'news']],
  ['ไม่', ['ไ', 'ม่']],
  ['한국 영화', ['한국', '영화']],
  ['की कहानी', ['की', 'कहानी']],
  ['— … 🎬 "', []],
  ['', []],
]

for (const [text, words] of examples) {
  test(`${JSON.stringify(text)} is searched as ${JSON.stringify(words)}`, () => {
    assert.deepEqual(wordsOf(text), words)
  })
}

test('a word is cut at 64 characters, never inside of one', () => {
  assert.deepEqual(wordsOf(`${'x'.repeat(70)} y`), ['x'.repeat(64), 'y'])
  assert.deepEqual(wordsOf('𝼀'.repeat(70)), ['𝼀'.repeat(64)])
})

test('case and accents make no difference', () => {
  const spelled = fc.string({ unit: fc.constantFrom(..."aäbßcçdđeéøœłšž αβσ абё-'1") })

  fc.assert(
    fc.property(spelled, (text) => {
      assert.deepEqual(wordsOf(text.toUpperCase()), wordsOf(text))
      assert.deepEqual(wordsOf(text.normalize('NFD')), wordsOf(text))
    }),
  )
})

test('a text that was folded before has the same words', () => {
  fc.assert(fc.property(anyText, (text) => assert.deepEqual(wordsOf(foldText(text)), wordsOf(text))))
})

test('words are letters, digits and marks, and are themselves words', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const words = wordsOf(text)

      for (const word of words) assert.match(word, /^[\p{L}\p{N}\p{M}]{1,64}$/u)
      assert.deepEqual(wordsOf(words.join(' ')), words)
    }),
  )
})
