import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { waitForNode } from '../../tools/dev-stack/node-process.ts'
import { startPlayout } from '../../tools/dev-stack/playout-process.ts'
import { aProgramOf, type IngestSystem, startIngestSystem, untilEnded } from '../ingest/ingest-system.ts'
import { type Origin, startOrigin } from '../ingest/origin.ts'
import { checkPackage } from '../media/check-package.ts'
import { measureLufs } from '../media/look-and-listen.ts'
import { makeShapes, type Shape, type ShapeName, shapeNames } from '../media/shapes.ts'
import { proof } from '../proofs/proof.ts'
import { type Played, playInBrowser } from './play-in-browser.ts'
import { openStore, type StoreKind } from './stores.ts'

interface ShapesSize {
  readonly shapes: readonly ShapeName[]
  readonly stores: readonly StoreKind[]
}

/** One of each frame rate, shape, sound and codec that is told apart. */
const few: readonly ShapeName[] = [
  'rate-25',
  'rate-23-976',
  'rate-29-97',
  'rate-variable',
  'four-by-three',
  'vertical',
  'rotated',
  'mono',
  'surround',
  'no-sound',
  'sound-44100',
  'hevc',
  'ten-bit',
  'open-gop',
  'short',
  'lying-name',
]

export const ingestShapes = proof<ShapesSize>({
  name: 'ingest-shapes',
  title: 'A batch of files of all shapes, from the call to a player',
  promise:
    'Real processes: API, worker, playout node, PostgreSQL. A program of files of every shape, with ad pods between ' +
    'them, is handed over; every file becomes READY. Each package is then fetched over HTTP as a player would and read ' +
    'to the last byte: all renditions with the same segments, each beginning with an IDR frame, all but the last of one ' +
    'length, no tail under a GOP, decoded by ffmpeg without a word, as loud as ordered. hls.js in a real browser plays ' +
    'one to its end, and the browser itself its MP4. On a disk, and on S3.',
  sizes: {
    small: { shapes: few, stores: ['disk'] },
    full: { shapes: shapeNames, stores: ['disk', 's3'] },
  },
  async run({ size, say }) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-shapes-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'files'))
    const shapes = await makeShapes(join(folder, 'files'), size.shapes)
    const origin = opened.use(await startOrigin(join(folder, 'files')))
    const totals = { ready: 0, faults: 0, played: 0, playFaults: 0 }
    for (const kind of size.stores) {
      const found = await tryStore(kind, { folder, shapes, origin, say })
      totals.ready += found.ready
      totals.faults += found.faults.length
      totals.played += found.played.filter(({ seconds }) => seconds > 0).length
      totals.playFaults += found.played.flatMap(({ faults }) => faults).length
    }
    const runs = size.stores.length
    return {
      figures: {
        files: shapes.length,
        stores: runs,
        files_ready: totals.ready,
        faults_in_packages: totals.faults,
        played_to_the_end: totals.played,
        faults_while_playing: totals.playFaults,
      },
      targets: {
        files_ready: { is: shapes.length * runs },
        faults_in_packages: { is: 0 },
        played_to_the_end: { is: 2 * runs },
        faults_while_playing: { is: 0 },
      },
    }
  },
})

interface Trial {
  readonly folder: string
  readonly shapes: readonly Shape[]
  readonly origin: Origin
  say(line: string): void
}

interface Found {
  readonly ready: number
  readonly faults: readonly string[]
  readonly played: readonly Played[]
}

const READY_MS = 600_000

/** Of an account that was told nothing else. */
const ORDERED_LUFS = -23

async function tryStore(kind: StoreKind, { folder, shapes, origin, say }: Trial): Promise<Found> {
  await using opened = new AsyncDisposableStack()
  const home = join(folder, kind)
  await mkdir(join(home, 'logs'), { recursive: true })
  const store = await openStore[kind](opened, home)
  // It serves media alone, and has nobody to follow.
  const playout = await startPlayout({ home, natsUrl: 'nats://127.0.0.1:9', settings: store })
  opened.defer(() => playout.stop())
  const mediaBaseUrl = `${await waitForNode(playout)}/media/`
  const settings = { LADDER: '160x90@100+64,320x180@250+64' }
  const system = await startIngestSystem(opened, { allow: [origin.place], store, mediaBaseUrl, settings })
  await system.startWorker('worker')
  const files = shapes.map(({ file }) => basename(file))
  const program = aProgramOf(
    system.channelId,
    files.map((name) => ({ name, address: origin.addressOf(name) })),
  )
  const pods = program.videos.flatMap((video) => [video, { type: 'AD_POD' as const, duration: 30 }])
  const requestId = await system.submit({ ...program, videos: pods })
  const { items } = await untilEnded(system, requestId, { withinMs: READY_MS })
  const videos = items.filter(({ type }) => type === 'VIDEO')
  for (const { video_source_id, state, reason } of videos)
    if (state !== 'READY') say(`${kind}: ${video_source_id} is ${state}: ${reason?.code}`)

  const faults: string[] = []
  for (const [i, { video_id, video_source_id, state }] of videos.entries()) {
    if (state !== 'READY') continue
    const address = await addressOf(system, video_id!, 'hls')
    const found = [...(await checkPackage(address)), ...(await checkLoudness(address, shapes[i]!))]
    for (const fault of found) say(`${kind}: ${video_source_id}: ${fault}`)
    faults.push(...found)
  }
  const first = videos[0]?.video_id ?? ''
  const played = await playInBrowser([
    await addressOf(system, first, 'hls'),
    await addressOf(system, first, 'mp4'),
  ])
  for (const { seconds, faults: inPlayer } of played)
    say(`${kind}: played ${seconds} s, ${inPlayer.join(', ') || 'no fault'}`)
  return { ready: videos.filter(({ state }) => state === 'READY').length, faults, played }
}

/** In less than three seconds a measurement has too little to go by. */
async function checkLoudness(address: string, { expected }: Shape): Promise<string[]> {
  if (expected.channels === null || expected.seconds <= 3) return []
  const lufs = await measureLufs(address)
  return Math.abs(lufs - ORDERED_LUFS) <= 1 ? [] : [`has ${lufs} LUFS`]
}

async function addressOf({ call }: IngestSystem, videoId: string, mediaType: 'hls' | 'mp4'): Promise<string> {
  const path = `/api/2.1/videos/${videoId}?media_type=${mediaType}`
  return (await call<{ media_url: string }>('GET', path)).media_url
}
