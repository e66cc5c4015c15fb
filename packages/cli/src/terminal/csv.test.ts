import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRow, readCsv } from './csv.ts'

function textsOf(csv: string): readonly (readonly string[])[] {
  const result = readCsv(csv)
  assert.ok(result.kind === 'rows', JSON.stringify(result))
  return result.rows.map(({ values }) => values.map(({ text }) => text))
}

test('values are plain or quoted, with any line break, and empty ones at the end count', () => {
  assert.deepEqual(textsOf('a,b\r\n1,"two, ""2"""\r\n'), [
    ['a', 'b'],
    ['1', 'two, "2"'],
  ])
  assert.deepEqual(textsOf('\uFEFFa\n\nb,\rc'), [['a'], ['b', ''], ['c']])
  assert.deepEqual(textsOf('""\n'), [['']])
  assert.deepEqual(textsOf('a,'), [['a', '']])
  assert.deepEqual(textsOf(''), [])
})

test('rows and values have the line and the column of the file, after line breaks in values too', () => {
  const result = readCsv('\uFEFFa,b\n"x\ny", z\n\nlast,"q"')
  assert.ok(result.kind === 'rows')

  assert.deepEqual(
    result.rows.map(({ line, values }) => [line, ...values.map((it) => `${it.line}:${it.column}`)]),
    [
      [1, '1:1', '1:3'],
      [2, '2:1', '3:4'],
      [5, '5:1', '5:6'],
    ],
  )
})

test('a quote at a wrong place is rejected with its position', () => {
  assert.deepEqual(readCsv('a\nb,"c'), {
    kind: 'rejected',
    fault: 'a quoted value has no end',
    position: { line: 2, column: 3 },
  })
  for (const text of ['x\n"a"b', 'x\nab"c'])
    assert.deepEqual(readCsv(text), {
      kind: 'rejected',
      fault: 'expected a comma or the end of the line',
      position: { line: 2, column: text === 'x\n"a"b' ? 4 : 3 },
    })
})

test('what is printed is read as it was', () => {
  const values = ['plain', '', 'a,b', 'a "b"', 'two\r\nlines', ' spaced ', 'ü']

  assert.deepEqual(textsOf(csvRow(values) + csvRow(['x'])), [values, ['x']])
})
