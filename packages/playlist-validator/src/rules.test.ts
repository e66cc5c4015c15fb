import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenMarkers } from './broken-markers.ts'
import { brokenNumbers } from './broken-numbers.ts'
import { brokenPlaylists } from './broken-playlists.ts'
import { runCase } from './broken-steps.ts'
import { rules } from './rules.ts'

const cases = [...brokenPlaylists, ...brokenNumbers, ...brokenMarkers]

for (const rule of Object.keys(rules)) {
  test(`${rule} is reported, and no other rule`, () => {
    const own = cases.filter((broken) => broken.rule === rule)

    const found = own.map(runCase)

    assert.ok(own.length > 0, 'no case breaks this rule')
    assert.deepEqual(
      found,
      own.map(({ steps }) => [...steps.slice(1).map(() => []), [rule]]),
    )
  })
}
