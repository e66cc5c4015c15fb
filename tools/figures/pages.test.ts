import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../architecture/source-files.ts'

const pages = globSync('docs/proofs/*.md', { cwd: projectRoot })

test('a figure that misses its target states what limits it and whether the target remains', () => {
  const lines = pages.flatMap((page) => readFileSync(join(projectRoot, page), 'utf8').split('\n'))
  const missed = lines.filter((line) => line.includes('**not met**'))
  assert.ok(pages.length > 30, `${pages.length} pages`)
  assert.deepEqual(
    missed.filter((line) => !/\*\*not met\*\*: .{20}/.test(line) || line.includes('not known yet')),
    [],
  )
})
