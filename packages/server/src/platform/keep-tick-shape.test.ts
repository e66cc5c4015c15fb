import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

describe('what Node puts off to the next tick', () => {
  test('looks the same to V8 after every garbage collection, where one of it is kept', async () => {
    assert.equal(await countShapes('keepTickShape()'), 1)
  })

  test('and would otherwise look new after each: when it does not, there is nothing to keep any more', async () => {
    assert.equal(await countShapes(''), COLLECTIONS)
  })
})

const COLLECTIONS = 4

/** How many shapes V8 has given it over as many collections. */
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
  // What is printed is the shape of an object, and the shape of that shape.
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
