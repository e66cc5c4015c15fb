import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { compileCache } from '@continuity/dev/compile-cache'

/**
 * Runs at the end of `npm ci`: builds the console and the server processes, so that the first start is quick. Whatever is
 * missing then is built by the start itself, so a failure is printed and is none of the installation.
 */
const startMs = performance.now()
try {
  // Not at the top: an installation without development dependencies has no bundler.
  const [{ ensureConsole }, { ensureServerBundle }] = await Promise.all([
    import('./console/build.ts'),
    import('./build/server-bundle.ts'),
  ])
  await ensureConsole()
  await ensureServerBundle(process.cwd())
  // Loads what a start loads, and keeps it compiled.
  const env = { ...process.env, ...compileCache(process.cwd()) }
  await promisify(execFile)(process.execPath, ['tools/start/start.ts', '--help'], { env })
  console.log(
    `the console and the servers are built, ${((performance.now() - startMs) / 1_000).toFixed(1)} s`,
  )
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(`nothing is built before the first start: ${reason}`)
}
