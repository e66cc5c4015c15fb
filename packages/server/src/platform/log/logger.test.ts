import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger, type LogLevel } from './logger.ts'

function aLogger(level: LogLevel = 'debug') {
  const lines: string[] = []
  const logger = createLogger({ level, base: { process: 'api' }, write: (line) => lines.push(line) })
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

test('a line is JSON with level, time, base fields and message', () => {
  const { logger, lines, last } = aLogger()

  logger.info({ url: 'http://127.0.0.1' }, 'listening')

  assert.match(lines[0] ?? '', /^\{.*\}\n$/)
  const { time, ...rest } = last()
  assert.deepEqual(rest, { level: 'info', process: 'api', url: 'http://127.0.0.1', msg: 'listening' })
  assert.equal(new Date(String(time)).toISOString(), time)
})

test('a line may have no fields, or only undefined fields', () => {
  const { logger, last } = aLogger()

  logger.warn('draining')
  assert.equal(last()['msg'], 'draining')

  logger.warn({ account_id: undefined }, 'request')
  assert.deepEqual(Object.keys(last()), ['level', 'time', 'process', 'msg'])
})

test('lines below the level are not written', () => {
  const { logger, lines } = aLogger('warn')

  logger.debug('no')
  logger.info({ a: 1 }, 'no')
  logger.warn('yes')
  logger.error('yes')

  assert.equal(lines.length, 2)
  const { logger: silent, lines: none } = aLogger('silent')
  silent.error('no')
  assert.deepEqual(none, [])
})

test('an error is logged with its type, stack and causes', () => {
  const { logger, last } = aLogger()
  const root = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })

  logger.error({ err: new TypeError('no database', { cause: root }) }, 'failed')

  const err = last()['err'] as { type: string; stack: string; cause: { code: string; message: string } }
  assert.equal(err.type, 'TypeError')
  assert.match(err.stack, /logger\.test\.ts/)
  assert.equal(err.cause.code, 'ECONNREFUSED')
  assert.equal(err.cause.message, 'connection refused')
})

test('any thrown value can be logged', () => {
  const { logger, last } = aLogger()
  for (const thrown of ['text', 7, null, Symbol('s'), Object.create(null)]) {
    logger.error({ err: thrown }, 'failed')
    assert.equal(last()['msg'], 'failed')
  }
})

test('a field that cannot be printed does not throw', () => {
  const { logger, last } = aLogger()
  const circle: Record<string, unknown> = {}
  circle['self'] = circle

  logger.info({ circle }, 'round')
  logger.info({ big: 1n }, 'big')

  assert.match(String(last()['unprintable']), /BigInt/)
})

test('text with line breaks and quotes stays on its line', () => {
  const { logger, lines, last } = aLogger()

  logger.info({ path: '/a"\n{"level":"fake"}' }, 'one\ntwo')

  assert.equal(lines[0]?.indexOf('\n'), (lines[0]?.length ?? 0) - 1)
  assert.equal(last()['path'], '/a"\n{"level":"fake"}')
})
