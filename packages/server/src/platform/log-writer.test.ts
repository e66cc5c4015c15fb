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

/** Looks again at each turn until it is so; the runner's own time limit ends a wait in vain. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate)
}

test('lines arrive by themselves, whole and in their order', async (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)
  const lines = Array.from({ length: 5_000 }, (_, i) => `line ${i} äöü ${'x'.repeat(i % 100)}\n`)

  for (const line of lines) writer.write(line)
  await until(() => file.read().length >= lines.join('').length)

  assert.equal(file.read(), lines.join(''))
  assert.equal(writer.droppedLines(), 0)
})

test('a flush leaves nothing behind', async (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)

  writer.write('the last words\n')
  writer.flushSync()

  assert.equal(file.read(), 'the last words\n')
})

test('a flush beside a write in the background loses and repeats nothing', async (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)
  const lines = Array.from({ length: 2_000 }, (_, i) => `${String(i).padStart(6, '0')} ${'x'.repeat(100)}\n`)

  for (const line of lines) writer.write(line)
  writer.flushSync()
  await until(() => file.read().length >= lines.join('').length)

  assert.deepEqual(file.read().split('\n').toSorted(), lines.join('').split('\n').toSorted())
})

test('what nobody takes is dropped and counted, and memory stays bounded', (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)

  // Nothing is written while this turn lasts, so all of it has to wait.
  for (let i = 0; i < 20_000; i += 1) writer.write(`${'x'.repeat(1_000)}\n`)

  assert.ok(writer.droppedLines() > 10_000)
  assert.ok(writer.droppedLines() < 12_500)
})

test('a line too long for any log is cut, not lost', (t) => {
  const file = aFile(t)
  const writer = createLogWriter(file.fd)

  writer.write(`${'x'.repeat(100_000)}\n`)
  writer.write('next\n')
  writer.flushSync()

  assert.equal(file.read(), `${'x'.repeat(16 * 1024)}\nnext\n`)
  assert.equal(writer.droppedLines(), 0)
})

test('a reader that has gone ends nothing but the log, and is counted', () => {
  const closed = openSync('/dev/null', 'w')
  closeSync(closed)
  const writer = createLogWriter(closed)

  writer.write('nobody reads this\n')
  writer.flushSync()

  assert.equal(writer.droppedLines(), 1)
})
