import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageFile } from './package-file.ts'
import { probeFile } from './probe-file.ts'
import { aPackaging, ffmpeg, someOptions } from './testing/a-packaging.ts'

/** The mean of red, green and blue, as a viewer of the picture sees it. */
function colourOf(file: string): readonly number[] {
  const filters = ['-vf', 'scale=1:1:flags=area', '-pix_fmt', 'rgb24']
  return [...execFileSync('ffmpeg', ['-v', 'error', '-i', file, ...filters, '-f', 'rawvideo', 'pipe:1'])]
}

const isNear = (one: readonly number[], other: readonly number[]) =>
  one.every((value, at) => Math.abs(value - other[at]!) <= 10)

test('the still of a segment is its first frame, in its colours', async (t) => {
  const { root, deps } = await aPackaging(t)
  const [file, folder] = [join(root, 'original'), join(root, 'package')]
  // The first frame of each segment of 96 has a colour: red, green, blue. All others are grey.
  const colours = [
    [220, 20, 30],
    [20, 200, 40],
    [30, 40, 220],
  ]
  const expressionOf = (channel: number) =>
    `if(mod(N,96),128,${colours.reduceRight((rest, colour, at) => `if(eq(N,${96 * at}),${colour[channel]},${rest})`, '0')})`
  const picture = `color=s=160x90:r=30:d=8,format=gbrp,geq=r='${expressionOf(0)}':g='${expressionOf(1)}':b='${expressionOf(2)}'`
  const matrix = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'
  const coding = '-c:v libx264 -preset ultrafast -crf 4 -colorspace bt709 -f mp4'
  await ffmpeg(`-f lavfi -i ${picture},${matrix} ${coding} ${file}`)

  await packageFile(deps, {
    ...someOptions(folder),
    file,
    facts: await probeFile(deps, file, new AbortController().signal),
  })

  const stills = (await readdir(join(folder, 'stills'))).toSorted()
  assert.deepEqual(stills, ['00000.jpg', '00001.jpg', '00002.jpg'])
  const seen = stills.map((name) => colourOf(join(folder, 'stills', name)))
  assert.ok(
    seen.every((colour, at) => isNear(colour, colours[at]!)),
    `${seen.join(' and ')} instead of ${colours.join(' and ')}`,
  )
})
