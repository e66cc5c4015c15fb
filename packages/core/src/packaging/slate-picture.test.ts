import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterValue, letterHeight, slatePicture } from './slate-picture.ts'

test('the three slates have different texts and colours', () => {
  const pictures = (['rescue', 'ad', 'time_fill'] as const).map((kind) => slatePicture(kind, 'Harbour TV'))

  assert.deepEqual(
    pictures.map(({ headline, name }) => [headline, name]),
    [
      ['We will be right back', 'Harbour TV'],
      ['Back after the break', 'Harbour TV'],
      ['Harbour TV', ''],
    ],
  )
  assert.equal(new Set(pictures.map(({ accent }) => accent)).size, 3)
})

test('a name that the font cannot show is omitted', () => {
  for (const name of ['ハーバー', 'قناة', 'चैनल', 'Harbour 🎬', '', ' ', 'a\u0000b']) {
    assert.equal(slatePicture('rescue', name).name, '', name)
    assert.equal(slatePicture('time_fill', name).headline, 'More in a moment', name)
  }
  for (const name of ['Gdańsk 24', 'Новости', 'Ελλάδα', 'A&B: 100 % «live» £5']) {
    assert.equal(slatePicture('rescue', name).name, name)
  }
})

test('a name is one line of at most 60 letters', () => {
  assert.equal(slatePicture('rescue', ' One\n  Two\t').name, 'One Two')
  const { name } = slatePicture('rescue', 'x'.repeat(200))
  assert.equal(name, `${'x'.repeat(59)}…`)
  assert.equal(slatePicture('rescue', 'x'.repeat(60)).name, 'x'.repeat(60))
})

test('letters get smaller as a line gets longer, so that it fits', () => {
  assert.equal(letterHeight('short', 1_920, 98), 98)
  assert.equal(letterHeight('m'.repeat(60), 1_920, 98), 41)
  assert.equal(letterHeight('m'.repeat(60), 128, 6), 8)
})

test('a path is one value in a filter graph, whatever it contains', () => {
  assert.equal(filterValue('/fonts/a.ttf'), '/fonts/a.ttf')
  assert.equal(filterValue("/it's:a,b;[c]"), String.raw`/it\\\'s\\:a\,b\;\[c\]`)
})
