import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { loadOwner } from './terminal/load-owner.ts'

const run = promisify(execFile)

/** Prints the address of every module that is loaded, on standard error. */
const PRELOAD = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      process.stderr.write(url + '\\n')
      return next(url, context)
    },
  })`)}`

async function loadedBy(...args: readonly string[]): Promise<readonly string[]> {
  const program = join(import.meta.dirname, 'continuity.ts')
  const { stderr } = await run(process.execPath, ['--import', PRELOAD, program, ...args]).catch(
    (error: unknown) => error as { stderr: string },
  )
  return stderr.split('\n').filter((line) => line.startsWith('file:'))
}

test('the help loads neither the client nor the server, a command only what it needs', async () => {
  const [help, config, keys] = await Promise.all([
    loadedBy('help'),
    loadedBy('config'),
    loadedBy('channels', 'list', '--url', 'http://127.0.0.1:1', '--account', 'a', '--email', 'a@b.example'),
  ])

  assert.ok(help.length > 50, 'the commands are loaded')
  const heavy =
    /\/packages\/(?:server|core|contract)\/|\/client\/src\/create-client|\/node_modules\/(?!sax\/)/
  assert.deepEqual(
    help.filter((url) => heavy.test(url)),
    [],
  )
  assert.ok(config.some((url) => url.includes('/packages/server/')))
  assert.ok(!keys.some((url) => url.includes('/packages/server/')))
})

test('a command of the owner names the Node that it needs', async () => {
  await assert.rejects(loadOwner('22.23.3'), /needs Node 24\.7 or later; this is Node 22\.23\.3\.$/)
  await assert.rejects(loadOwner('24.6.0'), /24\.7 or later/)
  assert.ok('openOwner' in (await loadOwner('25.0.0')))
})
