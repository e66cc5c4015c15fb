import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { LiveCommandParams } from '@continuity/core/packaging/live-command'
import { type EncodedSegment, startLiveEncoder } from './live-encoder.ts'
import { aLadder, runProgram } from './testing/an-encoding.ts'

const run = promisify(execFile)
const ladder = aLadder('128x72@100+64,192x108@200+64')

const video = {
  index: 0,
  codec: 'h264',
  width: 192,
  height: 108,
  rotation: 0,
  frameRate: 25,
  isInterlaced: false,
  matrix: 'bt709',
  isHdr: false,
} as const

async function anEncoder(t: TestContext, over: Partial<LiveCommandParams> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'continuity-live-'))
  const encoder = await startLiveEncoder({
    container: 'mpegts',
    video,
    sound: { kind: 'muxed', index: 1 },
    format: { frameRate: 30, segmentMs: 3_200 },
    ladder,
    preset: 'ultrafast',
    loudnessLufs: null,
    folder: join(root, 'live'),
    ...over,
    runProgram,
    signal: new AbortController().signal,
  })
  t.after(() => encoder[Symbol.asyncDispose]())
  t.after(() => rm(root, { recursive: true, force: true }))
  return { root, encoder }
}

/** Some seconds of a source stream, with a frame rate other than the house format's and timestamps far from zero. */
async function aStream(seconds: number, ...args: readonly string[]): Promise<Buffer> {
  const inputs = ['-f', 'lavfi', '-i', `testsrc2=size=192x108:rate=25:duration=${seconds}`]
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`]
  const coded = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '50',
    '-c:a',
    'aac',
    '-output_ts_offset',
    '95000',
  ]
  const { stdout } = await run('ffmpeg', ['-v', 'error', ...inputs, ...sound, ...coded, ...args, 'pipe:1'], {
    encoding: 'buffer',
    maxBuffer: 2 ** 28,
  })
  return stdout
}

/** 6.4 s each: moving pictures with a tone of -23 LUFS (EBU Tech 3341, test 1), black and silence, a still with a tone of -33. */
async function aChangingStream(): Promise<Buffer> {
  const picture = (filter: string, name: string) => `${filter},trim=duration=6.4,setpts=PTS-STARTPTS[${name}]`
  const tone = (db: number) => `aevalsrc=exprs='${10 ** (db / 20)}*sin(2*PI*1000*t)':s=48000:d=6.4`
  const graph = [
    picture('testsrc2=size=192x108:rate=25', 'moving'),
    picture('color=black:size=192x108:rate=25', 'black'),
    picture('testsrc2=size=192x108:rate=25,trim=end_frame=1,loop=-1:1,setpts=N/25/TB', 'still'),
    `${tone(-23)}[loud];anullsrc=r=48000:cl=mono,atrim=duration=6.4[silence];${tone(-33)}[quiet]`,
    '[moving][loud][black][silence][still][quiet]concat=n=3:a=1[v][mono]',
    '[mono]pan=stereo|c0=c0|c1=c0[a]',
  ].join(';')
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'aac', '-b:a', '128k']
  const args = ['-filter_complex', graph, '-map', '[v]', '-map', '[a]', ...coded, '-f', 'mpegts', 'pipe:1']
  const { stdout } = await run('ffmpeg', ['-v', 'error', ...args], { encoding: 'buffer', maxBuffer: 2 ** 28 })
  return stdout
}

async function all(segments: AsyncGenerator<EncodedSegment>): Promise<EncodedSegment[]> {
  const found: EncodedSegment[] = []
  for await (const segment of segments) found.push(segment)
  return found
}

/** Frames of a stream in a file, and the ticks from one to the next. */
async function packetsOf(file: string, stream: 'v:0' | 'a:0') {
  const shown = ['-select_streams', stream, '-show_entries', 'packet=pts,flags', '-of', 'csv=p=0']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...shown, file])
  const lines = stdout.split('\n').filter((line) => line !== '')
  const times = lines.map((line) => Number.parseInt(line, 10))
  const steps = new Set(times.slice(1).map((time, at) => time - times[at]!))
  return { count: lines.length, steps: [...steps], first: times[0]!, startsWithKey: lines[0]!.includes('K') }
}

/** The mean brightness of a picture. */
async function lightOf(file: string): Promise<number> {
  const filters = ['-vf', 'scale=1:1:flags=area', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, ...filters], { encoding: 'buffer' })
  return stdout[0]!
}

describe('a live encoder', { concurrency: true }, () => {
  for (const [container, args, loudnessLufs] of [
    ['mpegts', ['-f', 'mpegts'], null],
    ['mp4', ['-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov'], -23],
  ] as const) {
    const sound = loudnessLufs === null ? 'as it is' : 'normalised'
    test(`encodes ${container} with sound ${sound} into house segments, each one slot long and contiguous`, async (t) => {
      const { root, encoder } = await anEncoder(t, { container, loudnessLufs })
      const stream = await aStream(10, ...args)
      // In chunks, as it arrives from the network.
      for (let at = 0; at < stream.length; at += 50_000)
        await encoder.write('video', stream.subarray(at, at + 50_000))
      encoder.end()

      const segments = await all(encoder.segments())

      // Three whole slots of 3.2 s, and the rest of ten seconds.
      assert.deepEqual(
        segments.map(({ number }) => number),
        [0, 1, 2, 3],
      )
      const whole = segments.slice(0, 3)
      for (const { name } of ladder) {
        for (const { files, still } of whole) {
          const picture = await packetsOf(files[name]!, 'v:0')
          assert.deepEqual([picture.count, picture.steps, picture.startsWithKey], [96, [3_000], true])
          const sound = await packetsOf(files[name]!, 'a:0')
          assert.deepEqual([sound.count, sound.steps], [150, [1_920]])
          assert.ok((await readFile(still)).length > 0)
        }
        const joined = join(root, `${name}.ts`)
        for (const { files } of whole) await appendFile(joined, await readFile(files[name]!))
        assert.deepEqual((await packetsOf(joined, 'v:0')).steps, [3_000])
        const decoded = await run('ffmpeg', ['-v', 'error', '-i', joined, '-f', 'null', '-'])
        assert.equal(decoded.stderr, '')
      }
    })
  }

  test('a segment is returned as soon as it is complete, while the source continues', async (t) => {
    const { encoder } = await anEncoder(t)
    const stream = await aStream(5, '-f', 'mpegts')
    await encoder.write('video', stream)

    const { value } = await encoder.segments().next()

    assert.equal((value as EncodedSegment).number, 0)
  })

  test('missing audio is silence, and audio and video stay in sync', async (t) => {
    const { encoder } = await anEncoder(t)
    const hole = ['-af', "aselect='not(between(t,4,6))'", '-f', 'mpegts']
    await encoder.write('video', await aStream(10, ...hole))
    encoder.end()

    const segments = await all(encoder.segments())

    for (const { files } of segments.slice(0, 3)) {
      const sound = await packetsOf(files['108p']!, 'a:0')
      assert.deepEqual([sound.count, sound.steps], [150, [1_920]])
    }
  })

  test('the signal of each segment is measured while it is encoded', async (t) => {
    const { encoder } = await anEncoder(t)
    await encoder.write('video', await aChangingStream())
    encoder.end()

    const segments = await all(encoder.segments())

    // The first of each pair contains the transition.
    const [moving, black, still] = [1, 3, 5].map((number) => segments[number]!.signal())
    const flags = [moving, black, still].map((signal) => [
      signal!.isBlack,
      signal!.isFrozen,
      signal!.isSilent,
    ])
    assert.deepEqual(flags, [
      [false, false, false],
      [true, false, true],
      [false, true, false],
    ])
    const [loud, quiet] = [moving!.loudnessLufs!, still!.loudnessLufs!]
    assert.ok(Math.abs(loud + 23) < 0.3 && Math.abs(quiet + 33) < 0.3, `${loud} and ${quiet} LUFS`)
    assert.equal(black!.loudnessLufs, -70)
    // A still is the first frame, which in these is the one before the transition.
    const lights = await Promise.all(segments.slice(0, 6).map((segment) => lightOf(segment.still)))
    assert.deepEqual(
      lights.map((light) => light > 40),
      [true, true, true, false, false, true],
      lights.join(),
    )
  })

  test('demuxed audio that has ended is measured as silent, normalised or not', async (t) => {
    for (const loudnessLufs of [null, -23]) {
      const sound = { kind: 'demuxed', container: 'mpegts', index: 0, offsetMs: 0 } as const
      const { encoder } = await anEncoder(t, { sound, loudnessLufs })
      const writing = encoder.write('audio', await aStream(4, '-vn', '-f', 'mpegts'))
      encoder.endAudio()
      await Promise.all([writing, encoder.write('video', await aStream(10, '-an', '-f', 'mpegts'))])
      encoder.end()

      const signals = (await all(encoder.segments())).slice(0, 3).map((segment) => segment.signal())

      assert.deepEqual(
        signals.map(({ isSilent }) => isSilent),
        [false, false, true],
      )
    }
  })

  test('undecodable input fails, and leaves no files', async (t) => {
    const { root, encoder } = await anEncoder(t)
    await encoder.write('video', Buffer.alloc(500_000, 'no video at all '))
    encoder.end()

    await assert.rejects(all(encoder.segments()), { name: 'ProgramFailed' })
    await encoder[Symbol.asyncDispose]()
    assert.deepEqual(await readdir(root), [])
  })

  test('disposing stops it immediately, even during a write', async (t) => {
    const { root, encoder } = await anEncoder(t)
    const writing = encoder.write('video', await aStream(20, '-f', 'mpegts'))

    await encoder[Symbol.asyncDispose]()
    await writing

    await encoder.write('video', Buffer.alloc(10))
    assert.deepEqual(await readdir(root), [])
  })
})
