import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type BeginOptions, beginImport, type ImportState, readState, writeState } from './import-state.ts'

const options: BeginOptions = {
  url: 'https://api.example',
  account: 'north',
  digest: 'd1',
  reading: 'ndjson',
  isRestart: false,
  salt: 's1',
}

function begun(kept: ImportState | undefined, changes: Partial<BeginOptions> = {}) {
  const beginning = beginImport(kept, { ...options, ...changes })
  assert.ok(beginning.kind !== 'rejected')
  return beginning
}

const halfway: ImportState = { ...begun(undefined).state, donePlace: 17, series: { a: 'id-a' } }

test('an interrupted import resumes where it stopped, with the same importId', () => {
  assert.deepEqual(begun(halfway, { salt: 's2' }), { kind: 'resume', state: halfway })
  assert.equal(begun({ ...halfway, isFinished: true }).kind, 'finished')
})

test('the first importId of a file depends only on the file, so that a lost state creates no duplicates', () => {
  assert.equal(begun(undefined, { salt: 's2' }).state.importId, halfway.importId)
  assert.notEqual(begun(undefined, { digest: 'd2' }).state.importId, halfway.importId)
  assert.notEqual(begun(undefined, { reading: 'mrss' }).state.importId, halfway.importId)
})

test('another file, another format and a restart begin with a new importId, and keep the series ids', () => {
  for (const change of [{ digest: 'd2' }, { reading: 'mrss' }, { isRestart: true }]) {
    const { kind, state } = begun(halfway, change)

    assert.equal(kind, 'begin')
    assert.equal(state.donePlace, 0)
    assert.deepEqual(state.series, { a: 'id-a' })
    assert.notEqual(state.importId, halfway.importId)
    assert.notEqual(begun(halfway, { ...change, salt: 's2' }).state.importId, state.importId)
  }
})

test('rejects the state of another account or service', () => {
  assert.equal(beginImport(halfway, { ...options, account: 'south' }).kind, 'rejected')
  assert.equal(
    beginImport(halfway, { ...options, url: 'https://other.example', isRestart: true }).kind,
    'rejected',
  )
})

test('reads a state as it was written, and rejects a file that is not a state', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-state-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'a.import-state.json')

  assert.equal(await readState(path), undefined)
  await writeState(path, halfway)
  assert.deepEqual(await readState(path), halfway)
  assert.deepEqual(await readdir(folder), ['a.import-state.json'])
  await writeFile(path, '{"version":')
  await assert.rejects(readState(path), /is not an import state/)
})
