import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { ensureServerBundle } from './server-bundle.ts'

test('bundled processes start as their sources do, and are built once', async () => {
  const folder = await ensureServerBundle(projectRoot)
  const again = await ensureServerBundle(projectRoot)

  assert.equal(again, folder)
  const start = (file: string) => {
    const env = { PATH: process.env['PATH'] }
    const { status, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8' })
    return { status, stderr }
  }
  for (const name of ['api', 'worker', 'playout', 'receiver']) {
    assert.match(start(join(folder, `${name}.js`)).stderr, /cannot start:[\s\S]+NATS_URL is not set/)
  }
  const source = join(projectRoot, 'packages/server/src/bin/playout.ts')
  assert.deepEqual(start(join(folder, 'playout.js')), start(source))
})
