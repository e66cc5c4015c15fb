import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { beginImport, type ImportOrder, type ImportState, readState, writeState } from './import-state.ts'

const order: ImportOrder = {
  url: 'https://api.example',
  account: 'north',
  digest: 'd1',
  reading: 'ndjson',
  isRestart: false,
  salt: 's1',
}

function begun(kept: ImportState | undefined, changes: Partial<ImportOrder> = {}) {
  const beginning = beginImport(kept, { ...order, ...changes })
  assert.ok(beginning.kind !== 'refused')
  return beginning
}

const halfway: ImportState = { ...begun(undefined).state, donePlace: 17, series: { a: 'id-a' } }

test('an import that was cut off goes on where it was, under the same name', () => {
  assert.deepEqual(begun(halfway, { salt: 's2' }), { kind: 'go on', state: halfway })
  assert.equal(begun({ ...halfway, isFinished: true }).kind, 'finished')
})

test('the first import of a file is named after it, so that a lost state doubles nothing', () => {
  assert.equal(begun(undefined, { salt: 's2' }).state.importId, halfway.importId)
  assert.notEqual(begun(undefined, { digest: 'd2' }).state.importId, halfway.importId)
  assert.notEqual(begun(undefined, { reading: 'mrss' }).state.importId, halfway.importId)
})

test('another file, another reading and a restart begin anew under another name, and know the series', () => {
  for (const change of [{ digest: 'd2' }, { reading: 'mrss' }, { isRestart: true }]) {
    const { kind, state } = begun(halfway, change)

    assert.equal(kind, 'begin')
    assert.equal(state.donePlace, 0)
    assert.deepEqual(state.series, { a: 'id-a' })
    assert.notEqual(state.importId, halfway.importId)
    assert.notEqual(begun(halfway, { ...change, salt: 's2' }).state.importId, state.importId)
  }
})

test('the state of another account or service is not taken for this one', () => {
  assert.equal(beginImport(halfway, { ...order, account: 'south' }).kind, 'refused')
  assert.equal(
    beginImport(halfway, { ...order, url: 'https://other.example', isRestart: true }).kind,
    'refused',
  )
})

test('a state is read as it was written, and what is none is not taken for one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-state-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'a.import-state.json')

  assert.equal(await readState(path), undefined)
  await writeState(path, halfway)
  assert.deepEqual(await readState(path), halfway)
  assert.deepEqual(await readdir(folder), ['a.import-state.json'])
  await writeFile(path, '{"version":')
  await assert.rejects(readState(path), /is not the state of an import/)
})
