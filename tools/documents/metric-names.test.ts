import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { findMetrics } from '../architecture/operator-texts.ts'
import { readSourceFiles } from '../architecture/source-files.ts'

const REFERENCE = 'docs/operations/metrics.md'

test('every counter that a document names is in the reference of metrics', () => {
  const known = new Set(findMetrics(readSourceFiles()).map(({ name }) => name))
  const documents = globSync('{*.md,{deploy,docs,packages,tools}/**/*.md}', {
    cwd: projectRoot,
    exclude: ['**/node_modules/**', REFERENCE],
  })
  const named = documents.flatMap((document) =>
    [...readFileSync(join(projectRoot, document), 'utf8').matchAll(/`([a-z][a-z0-9_]*_total)\b/g)].map(
      (match) => ({ document, name: match[1]! }),
    ),
  )

  assert.ok(named.length >= 20, `${named.length}`)
  assert.deepEqual(
    named.filter(({ name }) => !known.has(name)),
    [],
  )
})
