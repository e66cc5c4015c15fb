import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgress, lineOf } from './progress.ts'

function aScreen(isTerminal: boolean, columns = 80) {
  const written: string[] = []
  const screen = { isTerminal, columns: () => columns, write: (text: string) => void written.push(text) }
  return { screen, written }
}

const at = (rows: number, read: number, failed = 0) => ({ rows, failed, bytes: { read, total: 1_000 } })

test('a line has percent, rows, speed, time left and failures', () => {
  assert.deepEqual(lineOf(at(0, 0), at(2_500, 250, 3), 10_000), [
    ' 25 %',
    '2,500 rows',
    '250/s',
    '0:30 left',
    '3 failed',
  ])
  assert.deepEqual(lineOf(at(0, 0), at(10, 1), 10_000).at(3), '2:46:30 left')
})

test('the rows of an earlier run do not count for the speed', () => {
  assert.deepEqual(lineOf(at(5_000, 500), at(6_000, 600), 10_000).slice(2), ['100/s', '0:40 left'])
})

test('a terminal shows a bar that is redrawn, and lines that stay above it', () => {
  let nowMs = 0
  const { screen, written } = aScreen(true)
  const progress = createProgress(screen, () => nowMs)

  for (nowMs = 50; nowMs <= 250; nowMs += 50) progress.update(at(nowMs, nowMs))
  progress.log('line 3: \u001b[2J')
  progress.end()

  assert.equal(written.length, 4)
  assert.match(written[0] ?? '', /^\r█{4}░{36} {2}10 % {2}100 rows/)
  assert.equal(written[2], '\r\u001b[K')
  assert.equal(written[3], 'line 3: □[2J\n')
})

test('a narrow terminal shows a text that fits, without a bar', () => {
  let nowMs = 0
  const { screen, written } = aScreen(true, 30)
  const progress = createProgress(screen, () => nowMs)
  nowMs = 1_000

  progress.update(at(100, 100))

  assert.equal(written[0], '\r 10 %  100 rows  0/s\u001b[K')
})

test('a log gets a line every ten seconds and no control characters', () => {
  let nowMs = 0
  const { screen, written } = aScreen(false)
  const progress = createProgress(screen, () => nowMs)

  for (nowMs = 0; nowMs <= 25_000; nowMs += 500) progress.update(at(nowMs / 100, nowMs / 100))
  progress.end()

  assert.deepEqual(written, [' 10 %  100 rows  10/s  1:30 left\n', ' 20 %  200 rows  10/s  1:20 left\n'])
})
