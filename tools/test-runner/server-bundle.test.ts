import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../architecture/source-files.ts'
import { ensureServerBundle } from './server-bundle.ts'

test('bundled processes start as their sources do, and are built once', async () => {
  const folder = await ensureServerBundle(projectRoot)
  const again = await ensureServerBundle(projectRoot)

  assert.equal(again, folder)
  const env = { PATH: process.env['PATH'] }
  for (const name of ['api', 'worker', 'playout', 'receiver']) {
    const source = join(projectRoot, `packages/server/src/bin/${name}.ts`)
    const [bundled, plain] = [join(folder, `${name}.js`), source].map((file) => {
      const { status, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8' })
      return { status, stderr }
    })
    assert.deepEqual(bundled, plain)
    assert.match(plain!.stderr, /NATS_URL is not set/)
  }
})
