import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'

/** Files and folders that a guide makes in the folder that it is followed in. */
function madeBy(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!)
  const made = blocks.flatMap((block) => [
    ...block.matchAll(/>>? (\w[\w.-]*)/g),
    ...block.matchAll(/\bmkdir (?:-p )?(\w[\w.-]*)/g),
  ])
  return [...made, ...text.matchAll(/into one file, `([\w.-]+)`/g)].map(([, name]) => name!)
}

test('what the guides make in a clone is ignored: by git, and so by format and lint', () => {
  const guides = globSync(['README.md', 'docs/*.md'], { cwd: projectRoot })
  const made = [...new Set(guides.flatMap((guide) => madeBy(readFileSync(join(projectRoot, guide), 'utf8'))))]

  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...made], {
    cwd: projectRoot,
    encoding: 'utf8',
  })

  assert.ok(made.length >= 6, made.join())
  assert.deepEqual(stdout.trim().split('\n').toSorted(), made.toSorted())
})
