import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createProgramRunner } from '../../packages/server/src/platform/programs/run-program.ts'
import { checkPackage } from './check-package.ts'
import { makeShapes } from './shapes.ts'
import { tryShape } from './try-shape.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })

test('a package is checked by its address as in its folder, and faults in it are found', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'continuity-check-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'package')
  const [shape] = await makeShapes(root, ['short-sound'])
  const format = { frameRate: 25, segmentMs: 3_200, loudnessLufs: -20 } as const
  assert.deepEqual((await tryShape({ runProgram }, shape!, folder, format)).faults, [])
  const address = await serve(t, folder)

  const checked = await checkPackage(address)
  assert.deepEqual(checked.faults, [])
  // 5 s at 25 frames a second in segments of 3.2 s, twice.
  assert.deepEqual([checked.renditions, checked.segments, checked.frames], [2, 4, 250])
  assert.ok(checked.bytes > 10_000, `${checked.bytes} bytes`)

  const [first, second] = [join(folder, '72p', '00000.ts'), join(folder, '72p', '00001.ts')]
  const bytes = await readFile(first)
  await writeFile(first, await readFile(second))
  await writeFile(second, bytes)
  assert.match((await checkPackage(address)).faults.join('\n'), /00001\.ts: the picture has a gap/)

  await rm(second)
  assert.match((await checkPackage(address)).faults.join('\n'), /00001\.ts answers 404/)
})

/** Serves the files of a folder; returns the address of its main.m3u8. */
async function serve(t: TestContext, folder: string): Promise<string> {
  const server = createServer((request, response) => {
    readFile(join(folder, request.url ?? '')).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}/main.m3u8`
}
