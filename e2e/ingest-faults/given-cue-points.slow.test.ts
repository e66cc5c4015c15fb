import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { mediaFolder } from '@continuity/dev/make-home'
import { startOrigin } from '@continuity/dev/origin'
import { runTool } from '@continuity/dev/run-tool'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { startIngestSystem } from './ingest-system.ts'

const LATE_MS = 180_000
const FRAMES = 1_000
const CUE_MS = 21_410

test('a video is packaged again with the cue points that it is given, although the worker is killed meanwhile', async () => {
  await using opened = new AsyncDisposableStack()
  const films = await temporaryFolder(opened)
  await makeFilm(join(films, 'film.mp4'))
  const origin = opened.use(await startOrigin(films))
  const system = await startIngestSystem(opened, { OUTBOUND_ALLOW: origin.host }, LATE_MS)
  const { client, sql, parts } = system
  const requestId = await system.submit('film', origin.addressOf('film.mp4'))
  const params = { video_id: await system.untilReady(requestId) }

  const given = await client.changeVideo({ params, body: { cue_points_ms: [CUE_MS] } })
  assert.deepEqual(given.cue_points, [{ at_ms: CUE_MS, origin: 'GIVEN', offset_ms: 990 }])
  const assets = () =>
    sql.query<{ state: string; path: string | null }>(
      'select state, package_path as path from assets where video_id = $1 order by asset_id',
      [params.video_id],
    )
  const isStarted = await pollUntil(async () => (await assets())[1]?.state !== 'QUEUED' || undefined, LATE_MS)
  await parts.kill('The worker')
  await parts.start('The worker')
  const isReady = await pollUntil(async () => (await assets())[1]?.state === 'READY' || undefined, LATE_MS)

  assert.deepEqual([isStarted, isReady], [true, true])
  const made = await assets()
  assert.deepEqual(
    made.map(({ state }) => state),
    ['READY', 'READY'],
  )
  const video = await client.getVideo({ params, query: { media_type: 'hls' } })
  // 21.41 s are 642.3 frames of the house format.
  assert.deepEqual(video.cue_points, [{ at_ms: CUE_MS, origin: 'GIVEN', offset_ms: -10 }])
  assert.ok(video.media_url?.includes(made[1]!.path!))
  for (const { path } of made) {
    const { numbers } = await readNumbers(join(mediaFolder(system.home), path!, '90p', 'main.m3u8'))
    assert.deepEqual(numbers, [...Array(FRAMES).keys()])
  }
})

/** Bits of the number in a picture, in columns of black and white. */
const BITS = 16
const WHITE = 255

/** Makes a film whose frames show their numbers, with a tone. */
async function makeFilm(file: string): Promise<void> {
  const picture = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${BITS}x1`, '-r', '30', '-i', 'pipe:0']
  const sound = ['-f', 'lavfi', '-i', `sine=f=440:r=48000:d=${FRAMES / 30}`]
  const encoding = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '10',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]
  const args = ['-v', 'error', '-y', ...picture, ...sound, '-vf', 'scale=128:72:flags=neighbor', ...encoding]
  const child = spawn('ffmpeg', [...args, '-f', 'mp4', file], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.end(Buffer.concat(Array.from({ length: FRAMES }, (_, at) => pictureOf(at))))
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}

const pictureOf = (number: number): Buffer =>
  Buffer.from(Array.from({ length: BITS }, (_, bit) => ((number >> bit) & 1) * WHITE))

/** Decodes a playlist, and returns the number that each frame shows, with everything that ffmpeg complains about. */
async function readNumbers(
  playlist: string,
): Promise<{ readonly numbers: readonly number[]; readonly complaints: readonly string[] }> {
  const picture = ['-map', '0:v', '-vf', `scale=${BITS}:1:flags=area`, '-fps_mode', 'passthrough']
  const raw = [...picture, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
  const sound = ['-map', '0:a', '-f', 'null', '-']
  const { stdout, stderr } = await runTool('ffmpeg', ['-v', 'error', '-i', playlist, ...raw, ...sound])
  const numbers = Array.from({ length: stdout.length / BITS }, (_, at) =>
    Array.from({ length: BITS }, (_, bit) => (stdout[at * BITS + bit]! > WHITE / 2 ? 2 ** bit : 0)).reduce(
      (sum, value) => sum + value,
      0,
    ),
  )
  return { numbers, complaints: stderr.toString().split('\n').filter(Boolean) }
}
