import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LINE_BYTES } from './log-line.ts'
import { createLogger, type Fields, PrintedFields } from './logger.ts'

/** The line written for these fields, as text and parsed. */
function lineOf(fields: Fields | PrintedFields, message: string) {
  const lines: string[] = []
  const logger = createLogger({
    level: 'info',
    base: { process: 'api', instance: 'a' },
    write: (line) => lines.push(line),
  })
  logger.info(fields, message)
  assert.equal(lines.length, 1)
  const [line = ''] = lines
  return { line, record: JSON.parse(line) as Record<string, unknown> }
}

/** Strings, some far longer than a line, with characters that JSON has to escape. */
const aString = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.integer({ min: 0, max: 3_000 }))
  .map(([part, times]) => part.repeat(times))

const aValue = fc.anything({
  values: [aString, fc.integer(), fc.boolean(), fc.constant(null)],
  key: fc.oneof(fc.string({ maxLength: 10 }), aString),
  maxDepth: 3,
  maxKeys: 8,
})

/** Excludes the names that the logger writes itself. */
const aName = fc
  .string({ minLength: 1, maxLength: 10 })
  .filter((name) => !/^(level|time|msg|truncated)$/.test(name))

test('any value is logged as one line of JSON of bounded length', () => {
  const someFields = fc.dictionary(aName, aValue, { maxKeys: 10 })
  let longer = 0

  fc.assert(
    fc.property(someFields, aString, fc.boolean(), (fields, message, isPrinted) => {
      const text = JSON.stringify(fields)
      const given = isPrinted ? new PrintedFields(text === '{}' ? '' : `,${text.slice(1, -1)}`) : fields
      const { line, record } = lineOf(given, message)

      assert.ok(Buffer.byteLength(line) <= LINE_BYTES, `${Buffer.byteLength(line)}`)
      assert.equal(line.indexOf('\n'), line.length - 1)
      assert.equal(record['level'], 'info')
      assert.equal(typeof record['msg'], 'string')
      if (record['truncated'] === true) longer += 1
      else assert.equal(record['msg'], message)
    }),
    { numRuns: 100 },
  )

  assert.ok(longer > 10, `only ${longer} lines were long`)
})

test('the longest strings are truncated first and short fields are kept', () => {
  const fields = { account_id: 'a-1', path: '/x'.repeat(300), err: new Error('e'.repeat(100_000)) }

  const { record } = lineOf(fields, 'failed')

  const err = record['err'] as Record<string, string>
  assert.equal(record['truncated'], true)
  assert.deepEqual(
    [record['process'], record['instance'], record['account_id'], record['path'], record['msg']],
    ['api', 'a', 'a-1', fields.path, 'failed'],
  )
  assert.match(err['message']!, /^e{1000,}…$/)
  assert.match(err['stack']!, /^Error: e{1000,}…$/)
})

test('a line that fits is written unchanged', () => {
  const { line, record } = lineOf({ text: 'x'.repeat(16_000) }, 'long')

  assert.equal(record['truncated'], undefined)
  assert.equal((record['text'] as string).length, 16_000)
  assert.ok(line.length > 16_000)
})

test('long fields without long strings are left out, the longest first', () => {
  const numbers = Array.from({ length: 50_000 }, (_, i) => i)

  const { record } = lineOf({ numbers, count: 50_000 }, 'counted')

  assert.deepEqual(
    [record['numbers'], record['count'], record['truncated'], record['msg']],
    [undefined, 50_000, true, 'counted'],
  )
})

test('truncation never splits a surrogate pair', () => {
  const { line } = lineOf({ text: `x${'😀'.repeat(20_000)}` }, 'smile')

  assert.doesNotMatch(line, /\\ud[89a-f]/i)
  assert.ok(line.isWellFormed())
})

test('fields named like the built-in ones do not replace them in a long line', () => {
  const { record } = lineOf(
    { level: { deep: 'x'.repeat(20_000) }, msg: 7, time: ['x'.repeat(20_000)] },
    'mine',
  )

  assert.deepEqual([record['level'], record['msg'], record['truncated']], ['info', 'mine', true])
  assert.equal(new Date(String(record['time'])).toISOString(), record['time'])
})
