import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startOrigin } from '@continuity/dev/origin'
import { makeSmallFiles } from '@continuity/dev/small-files'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { type IngestSystem, startIngestSystem } from './ingest-system.ts'

const LATE_MS = 60_000

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
  const isDone = () => {
    try {
      mount('-o', 'remount,ro', folder)
      return true
    } catch {
      return undefined
    }
  }
  assert.ok(await pollUntil(isDone, LATE_MS), 'the store cannot be made read-only')
}

async function untilAlert(
  { client }: IngestSystem,
  state: 'OPEN' | 'CLOSED',
  message: RegExp,
): Promise<void> {
  const isSo = async () => {
    const { hits } = await client.listAlerts({ query: { state: 'ALL' } })
    const found = hits.find((it) => it.code === 'media_store.unavailable' && message.test(it.message))
    return (found !== undefined && (found.closed_at === null) === (state === 'OPEN')) || undefined
  }
  assert.ok(await pollUntil(isSo, LATE_MS), `no alert ${message} that is ${state}`)
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
  const files = await temporaryFolder(opened)
  const media = join(files, 'store')
  if (!mountFolder(opened, media, 'size=64k')) return t.skip('only root may mount a file system')
  const names = await makeSmallFiles(join(files, 'films'), 2)
  const origin = opened.use(await startOrigin(join(files, 'films')))
  const own = { OUTBOUND_ALLOW: origin.host, MEDIA_STORE: media }
  const system = await startIngestSystem(opened, own, LATE_MS)

  const first = await system.submit(names[0]!, origin.addressOf(names[0]!))
  await untilAlert(system, 'OPEN', /full/)
  assert.deepEqual(findPartial(media), [])
  mount('-o', 'remount,size=200m', media)
  await system.untilReady(first)
  await untilAlert(system, 'CLOSED', /full/)

  await makeReadOnly(media)
  const second = await system.submit(names[1]!, origin.addressOf(names[1]!), 1)
  await untilAlert(system, 'OPEN', /may not be written/)
  mount('-o', 'remount,rw', media)
  await system.untilReady(second)
  await untilAlert(system, 'CLOSED', /may not be written/)
  assert.deepEqual(findPartial(media), [])
  assert.ok(existsSync(join(media, 'assets')))
})
