import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

describe('objects that Node creates for the next tick', () => {
  test('keep their hidden class over garbage collections when one of them is kept', async () => {
    assert.equal(await countShapes('keepTickShape()'), 1)
  })

  test('get a new one after each collection otherwise; if this fails, the workaround is obsolete', async () => {
    assert.equal(await countShapes(''), COLLECTIONS)
  })
})

const COLLECTIONS = 4

/** How many hidden classes V8 used over that many collections. */
async function countShapes(prepare: string): Promise<number> {
  const args = [
    '--expose-gc',
    '--allow-natives-syntax',
    '--input-type=module',
    '--eval',
    printScript(prepare),
  ]
  const { stdout } = await run(process.execPath, args)
  const shapes = stdout.match(/(?<=^ - map: )0x[0-9a-f]+/gm) ?? []
  // Both the map of the object and the map of that map are printed.
  return new Set(shapes.filter((_, at) => at % 2 === 0)).size
}

const printScript = (prepare: string): string => `
  import { executionAsyncResource } from 'node:async_hooks'
  import { setTimeout } from 'node:timers/promises'
  import { keepTickShape } from ${JSON.stringify(join(import.meta.dirname, 'keep-tick-shape.ts'))}
  ${prepare}
  for (let i = 0; i < ${COLLECTIONS}; i += 1) {
    await setTimeout(1)
    process.nextTick(() => %DebugPrint(executionAsyncResource()))
    await setTimeout(1)
    // V8 keeps a shape over two collections before it lets go of it.
    for (let j = 0; j < 12; j += 1) gc()
  }
`
