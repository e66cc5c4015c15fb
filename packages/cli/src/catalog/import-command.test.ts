import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNdjson } from './import-command.ts'
import { collect, inChunks } from './testing/in-chunks.ts'

test('each line is an entry, wherever the chunks are cut', async () => {
  const text = '\uFEFF{"type":"video","title":"Flöte 🎺"}\r\n\n  \n{"a":2}'

  for (const size of [1, 2, 3, 7, 1_000]) {
    const items = await collect(readNdjson(inChunks(text, size)))

    assert.deepEqual(items, [
      { position: 1, where: 'line 1', bytesRead: 43, entry: { type: 'video', title: 'Flöte 🎺' } },
      { position: 4, where: 'line 4', bytesRead: 54, entry: { a: 2 } },
    ])
  }
})

test('an unreadable line is reported by its number, and the next one is read', async () => {
  const text = Buffer.concat([
    Buffer.from('{"a":\n'),
    Buffer.from([0x22, 0xff, 0x22, 0x0a]),
    Buffer.from(`"${'x'.repeat(1_100_000)}"\n`),
    Buffer.from('3\n'),
  ])

  const items = await collect(readNdjson(inChunks(text, 65_536)))

  assert.deepEqual(
    items.map(({ where, fault, entry }) => [where, fault?.replace(/: .*/, '') ?? entry]),
    [
      ['line 1', 'is not JSON'],
      ['line 2', 'is not valid UTF-8'],
      ['line 3', 'is longer than 1048576 bytes'],
      ['line 4', 3],
    ],
  )
})

test('a file is read on demand', async () => {
  let chunks = 0
  async function* endless() {
    for (;;) {
      chunks += 1
      yield Buffer.from('{}\n')
    }
  }

  for await (const { position } of readNdjson(endless())) if (position === 100) break

  assert.ok(chunks <= 101, String(chunks))
})
