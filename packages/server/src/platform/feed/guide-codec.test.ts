import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WindowedProgram } from '@continuity/core/timeline/span'
import { isGuideIntact, packGuide, readGuideVersion, unpackGuide } from './guide-codec.ts'

/** Fourteen days of programs of five minutes, each with its own text. */
const programs: readonly WindowedProgram[] = Array.from({ length: 4_032 }, (_, at) => ({
  id: `program ${at}`,
  title: `Title ${at}`,
  description: 'A description. '.repeat(10) + at,
  startMs: at * 300_000,
  endMs: (at + 1) * 300_000,
  details: { seasonNumber: 1, episodeNumber: at },
}))

test('fourteen days of programs of five minutes are one message, read as it was written', async () => {
  const { bytes, count } = await packGuide({ epoch: 300, version: 2 ** 40 }, programs)

  assert.equal(count, 4_032)
  assert.ok(isGuideIntact(bytes))
  assert.deepEqual(readGuideVersion(bytes), { epoch: 300, version: 2 ** 40 })
  assert.deepEqual(await unpackGuide(bytes), programs)
})

test('a guide of more than 5,000 programs or 4 MiB of text has the first of them', async () => {
  const many = [...programs, ...programs]
  const long = programs.map((program) => ({ ...program, description: 'x'.repeat(4_096) }))

  assert.equal((await packGuide({ epoch: 1, version: 1 }, many)).count, 5_000)
  const { bytes, count } = await packGuide({ epoch: 1, version: 1 }, long)
  assert.ok(count > 900 && count < 1_024, `${count}`)
  assert.deepEqual(await unpackGuide(bytes), long.slice(0, count))
})

test('any changed or missing byte is noticed', async () => {
  const { bytes } = await packGuide({ epoch: 1, version: 1 }, programs.slice(0, 3))

  for (let at = 0; at < bytes.length; at += 1) {
    assert.ok(!isGuideIntact(bytes.with(at, bytes[at]! ^ (1 << (at % 8)))))
    assert.ok(!isGuideIntact(bytes.subarray(0, at)))
  }
  assert.equal(readGuideVersion(new Uint8Array()), undefined)
})
