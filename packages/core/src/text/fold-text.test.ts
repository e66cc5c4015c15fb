import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldText } from './fold-text.ts'

const same: readonly (readonly [string, string])[] = [
  ['Ärzte OHNE Grenzen', 'arzte ohne grenzen'],
  ['Die große Straße', 'die grosse strasse'],
  ['GROẞE STRAẞE', 'grosse strasse'],
  ['Smørrebrød på Ærø', 'smorrebrod pa aero'],
  ['Łódź nocą', 'lodz noca'],
  ['Þór í Reykjavík', 'thor i reykjavik'],
  ['Đà Nẵng', 'da nang'],
  ['İstanbul’da Isı, ısı', "istanbul'da isi, isi"],
  ['L’œuvre – «noël»', 'l\'oeuvre - "noel"'],
  ['Ħal Għargħur', 'hal gharghur'],
  ['Ŧávvál, Guðrún', 'tavval, gudrun'],
  ['‘one’ “two” „three‟', '\'one\' "two" "three‟'],
  ['Hawaiʼi', "hawai'i"],
  ['a‐b—c−d', 'a-b-c-d'],
  ['é  e', 'e e'],
  ['Ｎｅｗｓ　２４ ①', 'news 24 1'],
  ['ﬁlm noir', 'film noir'],
  ['ΟΔΟΣ Ονείρων', 'οδοσ ονειρων'],
  ['Ёлка', 'елка'],
  ['co\u00adope\u200bration', 'cooperation'],
  ['  two   Words ', 'two words'],
  ['  two\t lines\r\nand\u00a0more ', 'two lines and more'],
]

for (const [spelled, folded] of same) {
  test(`${JSON.stringify(spelled)} is found as ${JSON.stringify(folded)}`, () => {
    assert.equal(foldText(spelled), folded)
  })
}

test('marks that make another word in their script stay', () => {
  for (const [one, other] of [
    ['がく', 'かく'],
    ['की', 'का'],
    ['ไม่', 'ไม'],
  ] as const) {
    assert.notEqual(foldText(one), foldText(other))
  }
})

test('folding is idempotent', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

  fc.assert(fc.property(texts, (text) => foldText(foldText(text)) === foldText(text)))
})

test('every character folds to something stable', () => {
  const unstable: string[] = []
  for (let point = 0; point <= 0x2_ffff; point += 1) {
    const folded = foldText(`a${String.fromCodePoint(point)}b`)
    if (foldText(folded) !== folded) unstable.push(point.toString(16))
  }

  assert.deepEqual(unstable, [])
})

test('composed and decomposed spellings fold to the same text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (text) => foldText(text.normalize('NFD')) === foldText(text.normalize('NFC')),
    ),
  )
})

test('case makes no difference if the alphabet has it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'aäbßcçdđeéøœłšž αβσ абё') }),
      (text) => foldText(text.toUpperCase()) === foldText(text),
    ),
  )
})

test('there are no spaces at the ends, and no two spaces in a row', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/^\s|\s$|\s\s|[^\S ]/.test(foldText(text))))
})
