import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { ensureConsole } from './build.ts'

/** Compressed, before the first player or chart. */
const SCRIPT_BYTES_MAXIMUM = 400_000

const built = join(projectRoot, 'packages/console/dist')

/** The scripts that the page loads at once: its own, and what they import without a condition. */
function firstScripts(): readonly string[] {
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const found = new Set(
    [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name!),
  )
  // A set also visits what is added meanwhile.
  for (const name of found) {
    const script = readFileSync(join(built, name), 'utf8')
    for (const [, imported] of script.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
      found.add(`assets/${imported}`)
    }
  }
  return [...found]
}

test('the first load of the console is under 400 kB of compressed script, without the player and the charts', async () => {
  await ensureConsole()

  const scripts = firstScripts()

  const bytes = scripts.reduce((sum, name) => sum + statSync(join(built, `${name}.gz`)).size, 0)
  assert.ok(bytes > 50_000 && bytes < SCRIPT_BYTES_MAXIMUM, `${bytes} bytes: ${scripts.join(', ')}`)
  assert.ok(
    !scripts.some((name) => /play-hls|draw-chart|reports-page|access-page/.test(name)),
    scripts.join(', '),
  )
})
