import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeSlate } from './make-slate.ts'
import { aFormat, aPackaging, someOptions } from './testing/a-packaging.ts'

const picture = { headline: 'We will be right back', name: 'Harbour TV', accent: '0xf2a541' }

test('a slate is packaged in segments of one GOP, each with a still, and no other file is left', async (t) => {
  const { root, deps } = await aPackaging(t)
  const folder = join(root, 'package')

  const index = await makeSlate(deps, { ...someOptions(folder), picture, gops: 3 })

  assert.equal(index.segmentMs, 1_600)
  assert.deepEqual(index.segments, [144_000, 144_000, 144_000])
  assert.deepEqual(await readdir(root), ['package'])
  assert.deepEqual((await readdir(join(folder, 'stills'))).toSorted(), [
    '00000.jpg',
    '00001.jpg',
    '00002.jpg',
  ])
})

test('a slate is packaged in segments of a slot too, without a gap between them', async (t) => {
  const { root, deps } = await aPackaging(t)
  const folder = join(root, 'package')
  const options = { ...someOptions(folder), picture, gops: 8 }

  await makeSlate(deps, options)

  const slots = options.format.segmentMs === 3_200 ? 4 : 2
  for (const { name } of options.ladder) {
    const files = (await readdir(join(folder, 'slots', name))).toSorted()
    assert.deepEqual(
      files,
      Array.from({ length: slots }, (_, i) => `0000${i}.ts`),
    )
    const joined = `concat:${files.map((file) => join(folder, 'slots', name, file)).join('|')}`
    const frames = 8 * 1.6 * options.format.frameRate
    assert.deepEqual(stepsOf(joined, 'v:0'), { packets: frames, steps: [90_000 / options.format.frameRate] })
    assert.deepEqual(stepsOf(joined, 'a:0'), { packets: 8 * 75, steps: [1_920] })
  }
  assert.equal((await readdir(join(folder, 'slots', 'stills'))).length, slots)
})

for (const frameRate of [25, 30] as const) {
  test(`a slate at ${frameRate} frames a second has no gap where its picture and sound repeat`, async (t) => {
    const { root, deps } = await aPackaging(t)
    const options = {
      ...someOptions(join(root, 'package')),
      format: { ...aFormat, frameRate },
      picture,
      gops: 4,
    }

    await makeSlate(deps, options)

    for (const { name } of options.ladder) {
      const playlist = join(options.folder, name, 'main.m3u8')
      assert.deepEqual(
        stepsOf(playlist, 'v:0'),
        { packets: 4 * 1.6 * frameRate, steps: [90_000 / frameRate] },
        name,
      )
      assert.deepEqual(stepsOf(playlist, 'a:0'), { packets: 4 * 75, steps: [1_920] }, name)
    }
  })
}

test('only one GOP of a slate is encoded, however long it is', async (t) => {
  const { root, deps, programRuns } = await aPackaging(t)

  await makeSlate(deps, { ...someOptions(join(root, 'package')), picture, gops: 40 })

  const encoding = programRuns.filter(({ args }) => args.includes('libx264'))
  assert.equal(encoding.length, 1)
  assert.match(encoding[0]!.args.join(' '), /loop=loop=47:size=1/)
})

/** How many packets a stream has, and the ticks from one to the next. */
function stepsOf(playlist: string, stream: string): { packets: number; steps: number[] } {
  const shown = ['-select_streams', stream, '-show_entries', 'packet=pts', '-of', 'csv=p=0']
  const text = execFileSync('ffprobe', ['-v', 'error', ...shown, playlist], { encoding: 'utf8' })
  const times = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number.parseInt(line, 10))
  const steps = times.slice(1).map((time, at) => time - times[at]!)
  return { packets: times.length, steps: [...new Set(steps)] }
}
