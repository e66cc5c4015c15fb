import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startOrigin } from '@continuity/dev/origin'
import { makeSmallFiles } from '@continuity/dev/small-files'
import {
  aProgramOf,
  type IngestSystem,
  startIngestSystem,
  untilEnded,
} from '../../proofs/shared/ingest-system.ts'

const LATE_MS = 60_000

interface Alert {
  readonly code: string
  readonly closed_at: string | null
  readonly message: string
}

const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' })

/** A separate file system that the test can fill and make read-only. */
function mountFolder(opened: AsyncDisposableStack, folder: string, options: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    mount('-t', 'tmpfs', '-o', options, 'tmpfs', folder)
  } catch {
    return false
  }
  opened.defer(() => void execFileSync('umount', ['-l', folder]))
  return true
}

/** Retries while the file system is being written to. */
async function makeReadOnly(folder: string): Promise<void> {
  const lateMs = performance.now() + LATE_MS
  for (;;) {
    try {
      return void mount('-o', 'remount,ro', folder)
    } catch (error) {
      if (performance.now() > lateMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function untilAlert(system: IngestSystem, state: 'OPEN' | 'CLOSED', message: RegExp): Promise<void> {
  const lateMs = performance.now() + LATE_MS
  for (;;) {
    const { hits } = await system.call<{ hits: Alert[] }>('GET', '/api/2.3/alerts?state=ALL')
    const found = hits.find(
      (alert) => alert.code === 'media_store.unavailable' && message.test(alert.message),
    )
    if (found !== undefined && (found.closed_at === null) === (state === 'OPEN')) return
    assert.ok(performance.now() < lateMs, `no alert ${message} that is ${state}: ${JSON.stringify(hits)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Object files that are smaller than a TS packet. */
function findPartial(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  return files.filter((name) => statSync(join(folder, name)).size % 188 !== 0)
}

test('a store that is full or read-only opens an alert and shows no partial files; packaging resumes once it is writable', async (t) => {
  await using opened = new AsyncDisposableStack()
  const files = await mkdtemp(join(tmpdir(), 'continuity-files-'))
  opened.defer(() => rm(files, { recursive: true, force: true }))
  const media = join(files, 'store')
  if (!mountFolder(opened, media, 'size=64k')) return t.skip('only root may mount a file system')
  const names = await makeSmallFiles(join(files, 'films'), 2)
  const origin = opened.use(await startOrigin(join(files, 'films')))
  const system = await startIngestSystem(opened, { allow: [origin.host], settings: { MEDIA_STORE: media } })
  const programOf = (name: string, slot: number) =>
    aProgramOf(system.channelId, [{ name, address: origin.addressOf(name) }], slot)
  await system.startWorker('worker')

  const first = await system.submit(programOf(names[0]!, 0))
  await untilAlert(system, 'OPEN', /full/)
  assert.deepEqual(findPartial(media), [])
  mount('-o', 'remount,size=200m', media)
  assert.equal((await untilEnded(system, first, { withinMs: LATE_MS })).items[0]?.state, 'READY')
  await untilAlert(system, 'CLOSED', /full/)

  await makeReadOnly(media)
  const second = await system.submit(programOf(names[1]!, 1))
  await untilAlert(system, 'OPEN', /may not be written/)
  mount('-o', 'remount,rw', media)
  assert.equal((await untilEnded(system, second, { withinMs: LATE_MS })).items[0]?.state, 'READY')
  await untilAlert(system, 'CLOSED', /may not be written/)
  assert.deepEqual(findPartial(media), [])
  assert.ok(existsSync(join(media, 'assets')))
})
