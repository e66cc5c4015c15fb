import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDiskStore } from '../platform/media-store/disk-store.ts'

const PLAYOUT = join(import.meta.dirname, '../bin/playout.ts')

test('a playout node serves media and probes with nothing but its store, and ends in good order', async (t) => {
  const { url, store, end } = await aPlayoutNode(t)
  await store.put('assets/a.m3u8', { bytes: Buffer.from('#EXTM3U\n') })

  const media = await fetch(`${url}/media/assets/a.m3u8`)
  const statuses = await Promise.all(
    ['/livez', '/readyz', '/metrics', '/media/assets/b.m3u8', '/api/2.1/videos'].map(
      async (path) => (await fetch(url + path)).status,
    ),
  )

  assert.equal(await media.text(), '#EXTM3U\n')
  assert.deepEqual(statuses, [200, 200, 200, 404, 404])
  assert.equal(await end(), 0)
})

test('without its store a node is still ready, says why media fails, and goes on when it is back', async (t) => {
  const { url, folder, store } = await aPlayoutNode(t)
  await store.put('assets/a.ts', { bytes: Buffer.from('x') })
  await rename(folder, `${folder}-away`)
  t.after(() => rm(`${folder}-away`, { recursive: true, force: true }))

  const refused = await fetch(`${url}/media/assets/a.ts`)
  const ready = await fetch(`${url}/readyz`)
  const { checks } = (await ready.json()) as { checks: { media_store: { ok: boolean } } }
  await rename(`${folder}-away`, folder)
  const served = await fetch(`${url}/media/assets/a.ts`)

  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  assert.deepEqual([ready.status, checks.media_store.ok], [200, false])
  assert.equal(served.status, 200)
})

async function aPlayoutNode(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-media-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, [PLAYOUT], {
    env: { MEDIA_STORE: folder, PORT: '0', DRAIN_GRACE_MS: '0', DRAIN_LAST_MS: '100' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const end = async () => {
    child.kill('SIGTERM')
    const [code] = (await exited) as [number | null]
    return code
  }
  t.after(end)
  const [message] = (await once(child, 'message')) as [{ url: string }]
  return { url: message.url, folder, store: openDiskStore(folder), end }
}
