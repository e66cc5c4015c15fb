import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findStackFile } from '@continuity/dev/stack-file'
import { pollUntil, settlesWithin } from '@continuity/dev/waiting'
import { aHome } from './home.ts'
import { listRemains } from './remains.ts'

const home = await aHome({ after })

test('Ctrl-C in the terminal of npm start stops everything', async (t) => {
  const running = home.start(t, { command: ['npm', 'start', '--silent'] })
  await running.ready()
  const record = await running.getRecord()

  running.signalGroup('SIGINT')
  const end = await running.ended()

  assert.deepEqual(end, { code: 0, signal: null })
  assert.match(running.stderr(), /Continuity has stopped/)
  assert.deepEqual(await listRemains(record), [])
  assert.equal(await findStackFile(home.path), undefined)
})

test('killing only npm, whose shell does not forward the signal, stops everything too', async (t) => {
  const running = home.start(t, { command: ['npm', 'start', '--silent'] })
  await running.ready()
  const record = await running.getRecord()

  process.kill(running.pid, 'SIGTERM')
  await running.ended()

  assert.match(running.stderr(), /Continuity has stopped/)
  assert.deepEqual(await listRemains(record), [])
})

test('SIGTERM and SIGHUP stop everything with exit code 0', async (t) => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    const running = home.start(t)
    await running.ready()
    const record = await running.getRecord()

    running.signalGroup(signal)
    const end = await running.ended()

    assert.deepEqual(end, { code: 0, signal: null }, signal)
    assert.deepEqual(await listRemains(record), [], signal)
  }
})

test('a second Ctrl-C does not wait for a process that hangs', async (t) => {
  const running = home.start(t)
  await running.ready()
  const record = await running.getRecord()
  process.kill(record.processes.find((part) => part.name === 'The API')!.pid, 'SIGSTOP')

  // Without force it would wait 15 s for the API; signals within the first second count as one.
  const exit = await pollUntil(async () => {
    running.signalGroup('SIGINT')
    const ended = running.ended()
    return (await settlesWithin(ended, 100)) ? ended : undefined
  }, 8_000)
  const remains = await pollUntil(async () => {
    const found = await listRemains(record)
    return found.length === 0 ? found : undefined
  }, 5_000)

  assert.deepEqual(exit, { code: 1, signal: null })
  assert.deepEqual(remains, [])
})

test('when one process dies the others are stopped, and the reason is printed', async (t) => {
  const running = home.start(t)
  await running.ready()
  const record = await running.getRecord()

  process.kill(record.processes.find((part) => part.name === 'NATS')!.pid, 'SIGKILL')
  const end = await running.ended()

  assert.equal(end.code, 1)
  assert.match(running.stderr(), /NATS ended by SIGKILL/)
  assert.deepEqual(await listRemains(record), [])
})
