import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLogMessages, findMetrics } from './operator-texts.ts'
import { readSourceFiles } from './source-files.ts'

const aFile = (text: string) => [{ path: 'packages/server/src/a.ts', text, imports: [] }]

test('log messages are found in calls of every shape, with values left out', () => {
  const found = findLogMessages(
    aFile(`
    logger.info('ready')
    run.logger.warn({ err: error, code: reasonOf('x') }, 'asset failed permanently')
    logger.error(
      { channels, name: \`\${a}\` },
      \`snapshots failed, retrying in \${pauseMs / 1_000}s\`,
    )`),
  )
  assert.deepEqual(
    found.map(({ level, message }) => [level, message]),
    [
      ['warn', 'asset failed permanently'],
      ['info', 'ready'],
      ['error', 'snapshots failed, retrying in …s'],
    ],
  )
})

test('metrics are found with their help texts', () => {
  const found = findMetrics(
    aFile(`metrics.gauges(
      'clock_offset_seconds',
      "Offset of a node's clock.", // in seconds
      () => [],
    )
    options.metrics?.counter('feed_opened_total', 'Times.')
    options.metrics
      ?.counter('feed_unverified_total', 'Dropped.')
      .series()`),
  )
  assert.deepEqual(found, [
    { name: 'clock_offset_seconds', type: 'gauge', help: "Offset of a node's clock." },
    { name: 'feed_opened_total', type: 'counter', help: 'Times.' },
    { name: 'feed_unverified_total', type: 'counter', help: 'Dropped.' },
  ])
})

/** The rate-limited log of repeated faults, and the fault of a live source. */
const MESSAGE_IS_A_VALUE = 2

test('every call of the logger and of the metrics has its text in the lists', () => {
  const files = readSourceFiles().filter(({ path }) => path.startsWith('packages/server/'))
  const count = (pattern: RegExp) =>
    files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0)
  assert.equal(findLogMessages(files).filter(({ message }) => message === '…').length, MESSAGE_IS_A_VALUE)
  // By its arguments: however the metrics are reached, the first is a name.
  assert.equal(findMetrics(files).length, count(/\.(?:counter|gauges?|histogram|total)\(\s*'[a-z0-9_]+',/g))
  assert.ok(findLogMessages(files).length > 50)
})
