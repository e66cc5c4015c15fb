import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operations } from '@continuity/contract'

/** Operations that no command calls by their name, and why. */
const withoutCommand: Readonly<Record<string, string>> = {
  refreshSession: 'the client renews a session by itself',
  endSession: 'a command logs in for itself, and its credentials expire',
  registerDevice: 'for apps of viewers, which have an app key and no user',
  streamEvents: 'through client.events: events',
  getScheduleRequest: 'through watchRequest: ingest watch',
  createVideo: 'through importCatalog: catalog import; videos with files come by ingest submit',
  getProgram: 'schedule list and schedule export show all of a program',
  replaceProgram: 'schedule import replaces the programs of a range',
  changeAccount: 'the format of an account belongs to the owner: accounts create',
  changeLiveSource: 'in the console: a source has many settings',
  getLiveSourcePreview: 'a picture, in the console',
}

test('every operation of the interface has a command, or a reason to have none', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/testing/**', '**/*.test.ts'] })
  const texts = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  // As a method, of the client or of the owner, or by its name, as reports are called.
  const isCalled = (id: string) => texts.some((text) => new RegExp(`[.']${id}\\b`).test(text))

  const uncalled = Object.keys(operations).filter((id) => !isCalled(id))

  assert.ok(files.length > 50)
  assert.deepEqual(uncalled.toSorted(), Object.keys(withoutCommand).toSorted())
})
