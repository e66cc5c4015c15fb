import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { probeFile } from './probe-file.ts'
import { aPackaging, ffmpeg } from './testing/a-packaging.ts'

const { signal } = new AbortController()
const picture = (seconds: number) =>
  `-f lavfi -i testsrc2=size=64x36:rate=10:duration=${seconds} -preset ultrafast`

test('the duration of a recording that does not state it is measured by reading it', async (t) => {
  const { root, deps, programRuns } = await aPackaging(t)
  const file = join(root, 'recording')
  await ffmpeg(`${picture(3)} -live 1 -f matroska ${file}`)

  const { durationMs } = await probeFile(deps, file, signal)

  assert.ok(durationMs !== null && durationMs > 2_800 && durationMs <= 3_000, String(durationMs))
  assert.equal(programRuns.length, 2)
})

test('a few frames that are more than a day apart are rejected without encoding', async (t) => {
  const { root, deps } = await aPackaging(t)
  const file = join(root, 'recording')
  const apart = '-vf setpts=if(gte(N\\,2)\\,108000/TB\\,N/10/TB) -fps_mode passthrough'
  await ffmpeg(`${picture(0.3)} ${apart} -live 1 -f matroska ${file}`)

  await assert.rejects(probeFile(deps, file, signal), { name: 'MediaRejected', code: 'media.too_long' })
})

test('a file that states its duration is not read for it', async (t) => {
  const { root, deps, programRuns } = await aPackaging(t)
  const file = join(root, 'video')
  await ffmpeg(`${picture(1)} -f mp4 ${file}`)

  const { durationMs } = await probeFile(deps, file, signal)

  assert.equal(durationMs, 1_000)
  assert.equal(programRuns.length, 1)
})

test('a playlist is rejected, whatever it names', async (t) => {
  const { root, deps } = await aPackaging(t)
  const [segment, file] = [join(root, 'a.ts'), join(root, 'list.mp4')]
  await ffmpeg(`${picture(1)} -f mpegts ${segment}`)
  await writeFile(file, `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${segment}\n#EXT-X-ENDLIST\n`)

  await assert.rejects(probeFile(deps, file, signal), { name: 'MediaRejected', code: 'media.unreadable' })
})
