import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeSmallFiles } from '../ingest-kills/small-files.ts'
import { aProgramOf, type IngestSystem, startIngestSystem, untilEnded } from './ingest-system.ts'
import { startOrigin } from './origin.ts'

const LATE_MS = 60_000

interface Alert {
  readonly code: string
  readonly closed_at: string | null
  readonly message: string
}

const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' })

/** A file system of its own, which the test can fill and lock. */
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

/** As long as somebody writes to it, it cannot be locked. */
async function lockFolder(folder: string): Promise<void> {
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

async function untilAlert(system: IngestSystem, state: 'OPEN' | 'CLOSED', words: RegExp): Promise<void> {
  const lateMs = performance.now() + LATE_MS
  for (;;) {
    const { hits } = await system.call<{ hits: Alert[] }>('GET', '/api/2.3/alerts?state=ALL')
    const found = hits.find(({ code, message }) => code === 'media_store.unavailable' && words.test(message))
    if (found !== undefined && (found.closed_at === null) === (state === 'OPEN')) return
    assert.ok(performance.now() < lateMs, `no alert ${words} that is ${state}: ${JSON.stringify(hits)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Everything that has the name of an object, down to the size of a packet that a segment is made of. */
function findPartial(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  return files.filter((name) => statSync(join(folder, name)).size % 188 !== 0)
}

test('a store that is full or read-only raises an alert, shows nothing partial, and videos go on when it is well', async (t) => {
  await using opened = new AsyncDisposableStack()
  const files = await mkdtemp(join(tmpdir(), 'continuity-files-'))
  opened.defer(() => rm(files, { recursive: true, force: true }))
  const media = join(files, 'store')
  if (!mountFolder(opened, media, 'size=64k')) return t.skip('nobody but root may mount a file system')
  const names = await makeSmallFiles(join(files, 'films'), 2)
  const origin = opened.use(await startOrigin(join(files, 'films')))
  const system = await startIngestSystem(opened, { allow: [origin.place], store: { MEDIA_STORE: media } })
  const programOf = (name: string, slot: number) =>
    aProgramOf(system.channelId, [{ name, address: origin.addressOf(name) }], slot)
  await system.startWorker('worker')

  const first = await system.submit(programOf(names[0]!, 0))
  await untilAlert(system, 'OPEN', /full/)
  assert.deepEqual(findPartial(media), [])
  mount('-o', 'remount,size=200m', media)
  assert.equal((await untilEnded(system, first, { withinMs: LATE_MS })).items[0]?.state, 'READY')
  await untilAlert(system, 'CLOSED', /full/)

  await lockFolder(media)
  const second = await system.submit(programOf(names[1]!, 1))
  await untilAlert(system, 'OPEN', /may not be written/)
  mount('-o', 'remount,rw', media)
  assert.equal((await untilEnded(system, second, { withinMs: LATE_MS })).items[0]?.state, 'READY')
  await untilAlert(system, 'CLOSED', /may not be written/)
  assert.deepEqual(findPartial(media), [])
  assert.ok(existsSync(join(media, 'assets')))
})
