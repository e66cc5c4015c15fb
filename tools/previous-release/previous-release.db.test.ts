import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testServer } from '../../packages/server/src/platform/testing/a-database.ts'
import { projectRoot } from '../architecture/source-files.ts'
import { tryPrevious } from './try-previous.ts'

test('the previous release works on the schema of this one', async (t) => {
  const template = await testServer()

  const isEvery = process.env['PREVIOUS_RELEASE'] === 'every-test'

  const result = await tryPrevious({ root: projectRoot, template, isEvery })

  if (result.kind === 'not tried') t.diagnostic(`not tried: ${result.why}`)
  else {
    const { name, files, failures, alwaysFailing, output } = result
    t.diagnostic(`ran ${files.length} files of ${name}`)
    for (const { file } of alwaysFailing) t.diagnostic(`${file} of ${name} fails on its own schema as well`)
    assert.deepEqual(failures, [], `${name} fails on this schema:\n${output}`)
  }
})
