import assert from 'node:assert/strict'
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { readSegmentIndex } from '@continuity/core/media/segment-index'
import { ProgramFailed } from '../../../platform/programs/program-failed.ts'
import type { ProgramOptions } from '../../../platform/programs/program-options.ts'
import { packageFile } from './package-file.ts'
import { probeFile } from './probe-file.ts'
import { aLadder, aPackaging, ffmpeg, someOptions } from './testing/a-packaging.ts'

const { signal } = new AbortController()
const PICTURE = '-f lavfi -i testsrc2=s=160x90:r=25:d=SECONDS'
const SOUND = '-f lavfi -i sine=f=300:r=44100:d=SECONDS'
const ENCODING = '-c:v libx264 -preset ultrafast -c:a aac'
const movie = (file: string, seconds: number) =>
  ffmpeg(`${PICTURE} ${SOUND} ${ENCODING} ${file}`.replaceAll('SECONDS', String(seconds)))

const namesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted((a, b) => (a < b ? -1 : 1))

test('a file becomes exactly the objects of a package, and a folder that has them is not packaged again', async (t) => {
  const { root, deps, programRuns } = await aPackaging(t)
  const [file, folder] = [join(root, 'original'), join(root, 'package')]
  await movie(`-f mp4 ${file}`, 7)
  const shares: number[] = []
  const facts = await probeFile(deps, file, signal)
  const options = {
    ...someOptions(folder),
    file,
    facts,
    onProgress: (share: number) => void shares.push(share),
  }

  const index = await packageFile(deps, options)

  const segments = ['00000', '00001']
  const objects = [
    ...['72p', '108p'].flatMap((rung) => [...segments.map((it) => `${rung}/${it}.ts`), `${rung}/main.m3u8`]),
    ...segments.map((it) => `stills/${it}.jpg`),
    'index.json',
    'main.m3u8',
    'video.mp4',
  ]
  assert.deepEqual(new Set(await namesIn(folder)), new Set(objects))
  assert.deepEqual(index.segments, [288_000, 342_000])
  assert.deepEqual(readSegmentIndex(await readFile(join(folder, 'index.json'), 'utf8')), index)
  assert.equal(shares.at(-1), 1)

  const programs = programRuns.length
  assert.deepEqual(await packageFile(deps, options), index)
  assert.equal(programRuns.length, programs)
})

test('a segment ends at every chapter of a file, to the frame', async (t) => {
  const { root, deps } = await aPackaging(t)
  const [file, folder] = [join(root, 'original.mp4'), join(root, 'package')]
  const chapter = (start: number, end: number) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\n`
  await writeFile(join(root, 'chapters'), `;FFMETADATA1\n${chapter(0, 12_345)}${chapter(12_345, 16_000)}`)
  const streams = `${PICTURE} ${SOUND}`.replaceAll('SECONDS', '16')
  await ffmpeg(`${streams} -i ${join(root, 'chapters')} -map_chapters 2 ${ENCODING} ${file}`)

  const facts = await probeFile(deps, file, signal)
  assert.deepEqual(facts.chaptersMs, [0, 12_345])
  const index = await packageFile(deps, { ...someOptions(folder), file, facts, cueFrames: [370] })

  // 12.345 s are 370.35 frames; the rest of 110 frames is a whole segment and a tail that joins it.
  assert.deepEqual(
    index.segments.map((ticks) => ticks / 3_000),
    [96, 96, 96, 82, 110],
  )
  assert.deepEqual(index.cuts, [{ segment: 4, ticks: 1_110_000 }])
  const numbers = ['00000', '00001', '00002', '00003', '00004']
  assert.deepEqual((await namesIn(join(folder, 'stills'))).concat(await namesIn(join(folder, '72p'))), [
    ...numbers.map((it) => `${it}.jpg`),
    ...numbers.map((it) => `${it}.ts`),
    'main.m3u8',
  ])
})

test('a break is proposed where the picture is black and there is no sound', async (t) => {
  const { root, deps } = await aPackaging(t)
  const [file, folder] = [join(root, 'original.mp4'), join(root, 'package')]
  // Black at 61, 75 and 90 s; silence at 61 and 90 s.
  const black = 'drawbox=t=fill:c=black:enable=between(t\\,61\\,62)+between(t\\,75\\,76)+between(t\\,90\\,91)'
  const silence = 'volume=0:enable=between(t\\,60\\,61.8)+between(t\\,90\\,92)'
  const picture = `-f lavfi -i testsrc2=s=64x36:r=10:d=125,${black}`
  const sound = `-f lavfi -i sine=f=300:r=44100:d=125,${silence}`
  await ffmpeg(`${picture} ${sound} ${ENCODING} ${file}`)
  const facts = await probeFile(deps, file, signal)

  const ladder = aLadder('128x72@120+64')
  const index = await packageFile(deps, { ...someOptions(folder), ladder, file, facts })

  const [atMs, ...others] = index.proposedMs ?? []
  assert.deepEqual(others, [])
  assert.ok(Math.abs(atMs! - 61_400) < 60, `${atMs}`)
})

test('an attempt that was aborted is continued, and its loudness is not measured again', async (t) => {
  const { root, deps, programRuns } = await aPackaging(t)
  const [file, folder] = [join(root, 'original'), join(root, 'package')]
  await movie(`-f mp4 ${file}`, 2)
  const facts = await probeFile(deps, file, signal)
  const cut = new AbortController()
  const cutting = {
    runProgram: (options: ProgramOptions) => {
      if (options.args.includes('libx264')) cut.abort()
      return deps.runProgram(options)
    },
  }

  await assert.rejects(packageFile(cutting, { ...someOptions(folder), file, facts, signal: cut.signal }))
  await writeFile(join(folder, '72p', '00009.ts'), 'left by the first attempt')
  const before = programRuns.length
  await packageFile(deps, { ...someOptions(folder), file, facts })

  const again = programRuns.slice(before).filter(({ args }) => args.join(' ').includes('ebur128'))
  assert.equal(again.length, 0)
  assert.ok(!(await namesIn(folder)).includes('72p/00009.ts'))
})

test('a list or a script that names other files is rejected, and none of them is read', async (t) => {
  const { root, deps } = await aPackaging(t)
  await movie(join(root, 'secret.ts'), 2)
  const named = `file://${join(root, 'secret.ts')}`
  const scripts = [
    `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:2,\n${named}\n#EXT-X-ENDLIST\n`,
    '#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:2,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n',
    "ffconcat version 1.0\nfile 'secret.ts'\n",
    'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="x"><BaseURL>${named}</BaseURL></MPD>`,
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
  ]
  for (const [at, script] of scripts.entries()) {
    for (const name of [`script-${at}`, `script-${at}.mp4`]) {
      await writeFile(join(root, name), script)
      await assert.rejects(probeFile(deps, join(root, name), signal), { code: 'media.unreadable' }, script)
    }
  }
})

test('a fault of the file is a rejection with a code', async (t) => {
  const { root, deps } = await aPackaging(t)
  const [file, cover] = [join(root, 'sound.mp4'), join(root, 'cover.png')]
  await ffmpeg(`${SOUND.replace('SECONDS', '1')} ${file}`)
  await ffmpeg(`${PICTURE.replace('SECONDS', '1')} -frames:v 1 ${cover}`)
  await assert.rejects(probeFile(deps, file, signal), { name: 'MediaRejected', code: 'media.no_video' })
  await assert.rejects(probeFile(deps, cover, signal), { name: 'MediaRejected', code: 'media.unreadable' })

  const longer = join(root, 'longer.mp4')
  await movie(longer, 40)
  const facts = await probeFile(deps, longer, signal)
  const options = { ...someOptions(join(root, 'package')), file: longer }
  await assert.rejects(packageFile(deps, { ...options, facts: { ...facts, durationMs: 1_000 } }), {
    name: 'MediaRejected',
    code: 'media.longer_than_told',
  })

  await writeFile(
    longer,
    Buffer.concat([(await readFile(longer)).subarray(0, 2_000), Buffer.alloc(100_000, 7)]),
  )
  await assert.rejects(packageFile(deps, { ...options, facts }), {
    name: 'MediaRejected',
    code: 'media.damaged',
  })
})

test('a fault of the machine does not reject the file', async (t) => {
  const { root, deps } = await aPackaging(t)
  const [file, folder] = [join(root, 'original'), join(root, 'package')]
  await ffmpeg(`${PICTURE.replace('SECONDS', '2')} -c:v libx264 -preset ultrafast -f mp4 ${file}`)
  const facts = await probeFile(deps, file, signal)
  const options = { ...someOptions(folder), file, facts }
  const tornSegment = {
    runProgram: async (program: ProgramOptions) => {
      const result = await deps.runProgram(program)
      await truncate(join(folder, '72p', '00000.ts'), 188 * 9)
      return result
    },
  }
  const outOfMemory = {
    runProgram: (program: ProgramOptions) =>
      deps.runProgram({ ...program, program: 'sh', args: ['-c', 'kill -KILL $$'] }),
  }

  await assert.rejects(packageFile(tornSegment, options), { name: 'TornPackage' })
  await assert.rejects(packageFile(outOfMemory, options), ProgramFailed)
  await assert.rejects(probeFile(deps, join(root, 'gone'), signal), ProgramFailed)
})

test('a file whose name is an option or a pattern is read literally, and padded when it is short', async (t) => {
  const { root, deps } = await aPackaging(t)
  const folder = join(root, 'a,b [c]')
  const file = join(root, "-i 'x' http:%d")
  await ffmpeg(
    `${PICTURE.replace('SECONDS', '0.4')} -c:v libx264 -preset ultrafast -f mp4 ${join(root, 'made')}`,
  )
  await writeFile(file, await readFile(join(root, 'made')))

  const facts = await probeFile(deps, file, signal)
  const { segments } = await packageFile(deps, { ...someOptions(folder), file, facts })

  assert.deepEqual(segments, [144_000])
  assert.ok((await stat(join(folder, '108p', '00000.ts'))).size > 0)
})
