import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { runLine } from '../testing/a-world.ts'
import { onTerminal } from '../testing/on-terminal.ts'
import { aService } from './testing/a-service.ts'
import { anItem, aStatus, notFound, requestId } from './testing/a-status.ts'

const folder = await mkdtemp(join(tmpdir(), 'continuity-ingest-'))
after(() => rm(folder, { recursive: true }))
const file = join(folder, 'program.json')
const program = {
  program_title: 'Harbour Nights',
  videos: [{ video_source_id: 'a', title: 'The Tide Table' }],
}
await writeFile(file, JSON.stringify(program))

const programPath = join(import.meta.dirname, '../continuity.ts')
const watch = `ingest watch ${requestId}`
const fetching = aStatus([anItem('a', 'FETCHING', 0.5), anItem('b', 'QUEUED')])
const halfReady = aStatus([anItem('a', 'READY'), anItem('b', 'PACKAGING', 0.75)])
const ready = aStatus([anItem('a', 'READY'), anItem('b', 'READY')])
const scheduled = { ...ready, state: 'SCHEDULED' as const }

test('submits a program from a file or from standard input, and prints the request id', async (t) => {
  const { env, submitted } = await aService(t, [])

  const fromFile = await runLine(`ingest submit ${file}`, { env })
  const fromInput = await runLine('ingest submit - --json', { env, input: JSON.stringify(program) })

  assert.equal(fromFile.exitCode, 0)
  assert.match(
    fromFile.printed,
    new RegExp(`request_id  ${requestId}.*To watch it: continuity ${watch}`, 's'),
  )
  assert.equal((JSON.parse(fromInput.printed) as { request_id: string }).request_id, requestId)
  assert.deepEqual(submitted, [program, program])
})

test('without a terminal, prints what changed; the exit code is 0 when the program is scheduled', async (t) => {
  const { env } = await aService(t, [fetching, fetching, halfReady, ready, scheduled])

  const { exitCode, printed, errorOutput } = await runLine(`ingest submit ${file} --watch`, { env })

  assert.equal(exitCode, 0)
  assert.equal(errorOutput, '')
  assert.deepEqual(printed.split('\n').slice(0, -1), [
    `Accepted as request ${requestId}.`,
    'Harbour Nights  PROCESSING  0 of 2 READY',
    '  The Tide Table  FETCHING  50 %',
    'Harbour Nights  PROCESSING  1 of 2 READY',
    '  The Tide Table  READY',
    '  b  PACKAGING  75 %',
    'Harbour Nights  PROCESSING  2 of 2 READY',
    '  b  READY',
    'Harbour Nights  SCHEDULED  2 of 2 READY',
  ])
})

test('a terminal is redrawn in place, and shows the last status at the end', async (t) => {
  const { env } = await aService(t, [fetching, 'hang up', halfReady, scheduled])

  const { exitCode, drawn } = await runLine(watch, { env, terminal: { columns: 60, rows: 20 } })

  const [away, back, ...lines] = onTerminal(drawn)
  assert.equal(exitCode, 0)
  assert.match(away ?? '', /^Retrying until there is an answer.*No answer to GET/)
  assert.equal(back, 'The service answers again.')
  assert.deepEqual(lines, [
    'Harbour Nights  SCHEDULED  2 of 2 READY',
    `  a  READY      ${'█'.repeat(30)} 100 %`,
    `  b  READY      ${'█'.repeat(30)} 100 %`,
  ])
})

test('--json prints one status per line and nothing else', async (t) => {
  const { env } = await aService(t, [fetching, halfReady, scheduled])

  const { exitCode, printed, errorOutput } = await runLine(`${watch} --json`, { env })

  const lines = printed.split('\n').map((line): unknown => JSON.parse(line))
  assert.equal(exitCode, 0)
  assert.deepEqual(lines, [fetching, halfReady, scheduled])
  assert.equal(errorOutput, '')
})

test('a request that failed or was replaced exits with 1 and prints advice', async (t) => {
  const failed = aStatus([anItem('a', 'FAILED', 0, notFound)], { state: 'FAILED' })
  const replaced = aStatus([anItem('a', 'CANCELLED')], { state: 'REPLACED' })

  for (const [status, text] of [
    [failed, /a: The address answers 404.*Fix/s],
    [replaced, /A later request/],
  ] as const) {
    const { env } = await aService(t, [status])
    const { exitCode, printed } = await runLine(watch, { env })

    assert.equal(exitCode, 1)
    assert.match(printed, text)
  }
})

test('reports once that the service is unavailable, and once that it is back', async (t) => {
  const busy = { code: 'server.overloaded', status: 503 } as const
  const { env } = await aService(t, [fetching, busy, 'hang up', busy, fetching, scheduled])

  const { exitCode, errorOutput } = await runLine(watch, { env })

  const [away = '', back, ...more] = errorOutput.split('\n')
  assert.equal(exitCode, 0)
  assert.match(away, /503 server\.overloaded/)
  assert.deepEqual([back, more], ['The service answers again.', []])
})

test('Ctrl-C ends the watch and prints that the request continues', async (t) => {
  for (const flag of ['', ' --json']) {
    const keyboard = new AbortController()
    const { env } = await aService(t, [fetching], (times) => times === 3 && keyboard.abort())

    const { exitCode, printed, errorOutput } = await runLine(`${watch}${flag}`, {
      env,
      interruption: keyboard.signal,
    })

    assert.equal(exitCode, 130)
    assert.match(
      flag === '' ? printed : errorOutput,
      /continues to process the request.*continuity ingest watch 0195/,
    )
  }
})

test('the process handles Ctrl-C, and stops when its standard output is closed', {
  timeout: 20_000,
}, async (t) => {
  const moving = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? fetching : halfReady))
  const start = async () => {
    const { env } = await aService(t, moving)
    return spawn(process.execPath, [programPath, ...watch.split(' ')], { env })
  }
  const [pressed, unread] = [await start(), await start()]
  t.after(() => [pressed.kill('SIGKILL'), unread.kill('SIGKILL')])
  const output = text(pressed.stdout)

  await Promise.all([once(pressed.stdout, 'data'), once(unread.stdout, 'data')])
  pressed.kill('SIGINT')
  unread.stdout.destroy()

  assert.deepEqual(await Promise.all([once(pressed, 'close'), once(unread, 'exit')]), [
    [130, null],
    [130, null],
  ])
  assert.match(await output, /continues to process the request/)
})

test('an unknown request and an ended session are reported with advice', async (t) => {
  const unknown = await aService(t, [{ code: 'request.not_found', status: 404 }])
  const ended = await aService(t, [fetching, { code: 'role.missing', status: 403 }])

  const first = await runLine(watch, { env: unknown.env })
  const second = await runLine(watch, { env: ended.env })

  assert.equal(first.exitCode, 1)
  assert.match(first.errorOutput, /This account has no request 0195/)
  assert.equal(second.exitCode, 1)
  assert.match(second.errorOutput, /403 role\.missing.*continues to process the request/s)
})

test('an invalid program is reported before the password is read', async () => {
  const broken = join(folder, 'broken.json')
  await writeFile(broken, '{"program_title": ')
  const faults = {
    [`ingest submit ${broken}`]: [1, /broken\.json is not JSON: /],
    [`ingest submit ${folder}/none.json`]: [1, /none\.json cannot be read: /],
    'ingest submit -': [1, /Standard input is not a JSON object/],
    'ingest submit - --password-stdin': [2, /--password-stdin needs a file/],
    'ingest watch': [2, /REQUEST_ID is missing/],
  } as const
  for (const [line, [code, message]] of Object.entries(faults)) {
    const { exitCode, errorOutput } = await runLine(line, { input: '[]' })

    assert.equal(exitCode, code, line)
    assert.match(errorOutput, message)
  }
})
