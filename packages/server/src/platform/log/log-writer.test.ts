import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLogWriter } from './log-writer.ts'

function aFile(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'continuity-log-'))
  const path = join(folder, 'log')
  const fd = openSync(path, 'a')
  t.after(() => {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })
  return { fd, read: () => readFileSync(path, 'utf8') }
}

/** Polls on each turn of the event loop; the test runner's time limit bounds it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate)
}

test('lines are written in the background, complete and in order', async (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)
  const lines = Array.from({ length: 5_000 }, (_, i) => `line ${i} äöü ${'x'.repeat(i % 100)}\n`)

  for (const line of lines) writer.write(line)
  await until(() => file.read().length >= lines.join('').length)

  assert.equal(file.read(), lines.join(''))
  assert.equal(writer.droppedLines(), 0)
})

test('a flush writes everything that is buffered', async (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)

  writer.write('the last line\n')
  writer.flushSync()

  assert.equal(file.read(), 'the last line\n')
})

test('a flush during a background write loses and repeats nothing', async (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)
  const lines = Array.from({ length: 2_000 }, (_, i) => `${String(i).padStart(6, '0')} ${'x'.repeat(100)}\n`)

  for (const line of lines) writer.write(line)
  writer.flushSync()
  await until(() => file.read().length >= lines.join('').length)

  assert.deepEqual(file.read().split('\n').toSorted(), lines.join('').split('\n').toSorted())
})

test('lines beyond the buffer limit are dropped and counted', (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)

  // Nothing is written during this turn, so all of it is buffered.
  for (let i = 0; i < 20_000; i += 1) writer.write(`${'x'.repeat(1_000)}\n`)

  assert.ok(writer.droppedLines() > 10_000)
  assert.ok(writer.droppedLines() < 12_500)
})

test('a line that is too long is truncated, not lost', (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)

  writer.write(`${'x'.repeat(100_000)}\n`)
  writer.write('next\n')
  writer.flushSync()

  assert.equal(file.read(), `${'x'.repeat(16 * 1024)}\nnext\n`)
  assert.equal(writer.droppedLines(), 0)
})

test('a closed log output does not fail the process, and its lines are counted as dropped', () => {
  const closed = openSync('/dev/null', 'w')
  closeSync(closed)
  const writer = createLogWriter(closed)

  writer.write('unread\n')
  writer.flushSync()

  assert.equal(writer.droppedLines(), 1)
})
