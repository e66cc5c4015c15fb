import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from './json-text.ts'

const TEXT = `{
  "blocks": [
    { "id": "one", "times": [] },
    { "id": "two",
      "a/b~c": { "deep": null } }
  ],
  "count": -1.5e3
}`

function positions(text: string, ...pointers: readonly string[]) {
  const result = readJson(text)
  assert.ok(result.kind === 'json')
  return pointers.map((pointer) => {
    const { line, column } = result.positionOf(pointer)
    return `${line}:${column}`
  })
}

test('each value has the line and the column where it begins', () => {
  const found = positions(
    TEXT,
    '',
    '/blocks',
    '/blocks/1',
    '/blocks/1/id',
    '/blocks/1/a~1b~0c/deep',
    '/count',
  )

  assert.deepEqual(found, ['1:1', '2:13', '4:5', '4:13', '5:26', '7:12'])
})

test('a missing value has the position of its nearest parent', () => {
  assert.deepEqual(positions(TEXT, '/blocks/0/order', '/blocks/7/id', '/zone'), ['3:5', '2:13', '1:1'])
})

test('a byte order mark is not part of the text', () => {
  const result = readJson('\uFEFF{"a": 1}')

  assert.deepEqual(result.kind === 'json' && result.value, { a: 1 })
})

test('a syntax error has its position, and every text that is not JSON is rejected', () => {
  const faults = {
    '': '1:1 expected a value, found the end of the file',
    abc: '1:1 expected a value, found "a"',
    '{\n  "a": 1,\n}': '3:1 expected a name in double quotes, found "}"',
    '[1 2]': '1:4 expected "," or "]", found "2"',
    '{"a" 1}': '1:6 expected ":", found "1"',
    '{"a": 1': '1:8 expected "," or "}", found the end of the file',
    '"\n"': '1:1 expected a valid string, found "\\""',
    '01': '1:2 expected the end of the file, found "1"',
  }

  for (const [text, expected] of Object.entries(faults)) {
    const result = readJson(text)
    assert.throws(() => JSON.parse(text), text)
    assert.ok(result.kind === 'rejected', text)
    assert.equal(`${result.position.line}:${result.position.column} ${result.fault}`, expected)
  }
})

test('a text that is nested too deeply is rejected', () => {
  const result = readJson('['.repeat(100_000))

  assert.equal(result.kind === 'rejected' && result.fault, 'nested too deeply')
})
