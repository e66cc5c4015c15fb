import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { openBatchSpool } from './batch-spool.ts'
import { type SendBatch, startBatchSender } from './send-batches.ts'

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-spool-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + 30_000
  while (!(await isSo())) {
    assert.ok(performance.now() < endMs, 'timed out')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('complete files survive a restart in order, and unfinished ones are deleted', async (t) => {
  const folder = await aFolder(t)
  const spool = await openBatchSpool(folder, 1_000)
  await spool.write(['late'], 1_772_388_010_000)
  await spool.write(['early', 'also early'], 999_999_999_999)
  await writeFile(join(folder, 'half.batches.tmp'), 'ha')

  const again = await openBatchSpool(folder, 1_000)
  const names = await again.list()

  assert.deepEqual(await Promise.all(names.map((name) => again.read(name))), [
    ['early', 'also early'],
    ['late'],
  ])
  assert.equal(again.bytes(), spool.bytes())
  assert.equal((await readdir(folder)).length, 2)
})

test('a full spool rejects writes until something was removed', async (t) => {
  const spool = await openBatchSpool(await aFolder(t), 10)

  assert.equal(await spool.write(['12345678'], 1), true)
  assert.equal(await spool.write(['1'], 2), false)
  await spool.remove((await spool.list())[0]!)
  assert.equal(await spool.write(['1'], 3), true)
})

test('a batch is sent until it is applied, then removed', async (t) => {
  const spool = await openBatchSpool(await aFolder(t), 1_000)
  await spool.write(['a', 'b'], 1)
  const sent: string[] = []
  const answers: Awaited<ReturnType<SendBatch>>[] = ['applied', 'failed', 'applied', 'applied', 'applied']
  const sender = startBatchSender({
    spool,
    send: async (line) => {
      sent.push(line)
      return answers.shift() ?? 'failed'
    },
    logger: silent,
    metrics: createMetrics(),
  })

  await until(() => sent.length === 2)
  assert.equal((await spool.list()).length, 1)
  sender.ring()
  await until(async () => (await spool.list()).length === 0)
  await spool.write(['c'], 2)
  await sender.stop()

  assert.deepEqual(sent, ['a', 'b', 'a', 'b', 'c'])
  assert.deepEqual(await spool.list(), [])
})

test('a rejected batch is set aside and does not block others', async (t) => {
  const folder = await aFolder(t)
  const spool = await openBatchSpool(folder, 1_000)
  await spool.write(['bad'], 1)
  await spool.write(['good'], 2)
  const sender = startBatchSender({
    spool,
    send: async (line) => (line === 'bad' ? 'rejected' : 'applied'),
    logger: silent,
    metrics: createMetrics(),
  })

  await until(async () => (await spool.list()).length === 0)
  await sender.stop()

  const left = await readdir(folder)
  assert.deepEqual([left.length, left[0]?.endsWith('.rejected'), spool.bytes()], [1, true, 0])
})
