import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { awkwardTexts } from '../testing/any-run.ts'
import { openByteReader, openByteWriter } from './bytes.ts'
import { readText, writeText } from './tables.ts'

function written(text: string): Uint8Array {
  const writer = openByteWriter()
  writeText(writer, text)
  return writer.written()
}

const readBack = (text: string): string => readText(openByteReader(written(text)))

test('unusual texts are read as written', () => {
  for (const text of awkwardTexts) assert.equal(readBack(text), text)
})

test('any text is read as written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(readBack(text), text)
    }),
  )
})

test('any id is read as written, and takes 17 bytes', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      assert.equal(readBack(id), id)
      assert.equal(written(id).length, 17)
    }),
  )
})
