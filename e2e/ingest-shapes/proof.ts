import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { waitForNode } from '@continuity/dev/node-process'
import { startPlayout } from '@continuity/dev/playout-process'
import { round } from '../../tools/figures/figures.ts'
import { aProgramOf, type IngestSystem, startIngestSystem, untilEnded } from '../ingest/ingest-system.ts'
import { type Origin, startOrigin } from '../ingest/origin.ts'
import { type CheckedPackage, checkPackage } from '../media/check-package.ts'
import { measureLufs } from '../media/measure-media.ts'
import { makeShapes, type Shape, type ShapeName, shapeNames } from '../media/shapes.ts'
import { hasLoudness } from '../media/try-shape.ts'
import { proof } from '../proofs/proof.ts'
import { type Played, playInBrowser } from './play-in-browser.ts'
import { openStore, type StoreKind } from './stores.ts'

interface ShapesSize {
  readonly shapes: readonly ShapeName[]
  readonly stores: readonly StoreKind[]
}

/** The shapes that differ most in packaging. The first one is played. */
const few: readonly ShapeName[] = [
  'rate-29-97',
  'rate-variable',
  'rotated',
  'surround',
  'no-sound',
  'hevc',
  'short',
]

export const ingestShapes = proof<ShapesSize>({
  name: 'ingest-shapes',
  title: 'Files of all shapes, from the API call to a player',
  promise:
    'Real processes: API, worker, playout node, PostgreSQL. A program of files of every shape, with ad pods between ' +
    'them, is submitted; every file becomes READY. Each package is then fetched over HTTP as a player would and read ' +
    'to the last byte: all renditions with the same segments, each beginning with an IDR frame, all but the last of one ' +
    'length, no tail under a GOP, every frame decoded by ffmpeg without a message, as loud as configured. hls.js in a ' +
    'real browser plays one to its end, and the browser itself its MP4. On a disk, and on S3.',
  watches: [
    'packages/core/src/packaging',
    'packages/server/src/modules/assets',
    'packages/server/src/modules/ingest',
    'packages/server/src/platform/media-store',
    'packages/server/src/http/media-files.ts',
    'e2e/ingest-shapes',
    'e2e/media',
  ],
  sabotage: {
    title: 'a package is published without its first segment',
    changes: [
      {
        file: 'packages/server/src/modules/assets/publish-package.ts',
        from: 'await forEachConcurrent(rest, AT_ONCE, put)',
        to: 'await forEachConcurrent(rest.slice(1), AT_ONCE, put)',
      },
    ],
    missed: ['faults_in_packages', 'played_to_the_end'],
  },
  sizes: {
    small: { shapes: few, stores: ['disk'] },
    full: { shapes: shapeNames, stores: ['disk', 's3'] },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-shapes-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'files'))
    const shapes = await makeShapes(join(folder, 'files'), size.shapes)
    const origin = opened.use(await startOrigin(join(folder, 'files')))
    const totals = {
      ready: 0,
      packages: 0,
      segments: 0,
      bytes: 0,
      seconds: 0,
      loudness: 0,
      played: 0,
      playFaults: 0,
    }
    const faults: string[] = []
    for (const kind of size.stores) {
      const found = await tryStore(kind, { folder, shapes, origin, log })
      faults.push(...found.faults)
      totals.ready += found.ready
      totals.packages += found.checked.length
      totals.loudness += found.loudnessMeasured
      for (const { segments, bytes, frames } of found.checked) {
        totals.segments += segments
        totals.bytes += bytes
        totals.seconds += frames / FRAME_RATE
      }
      totals.played += found.played.filter(({ seconds }) => seconds > 0).length
      totals.playFaults += found.played.flatMap((played) => played.faults).length
    }
    for (const fault of faults.slice(0, 20)) log(fault)
    const runs = size.stores.length
    const packages = shapes.length * runs
    const seconds = shapes.reduce((sum, { expected }) => sum + Math.max(1.6, expected.seconds), 0) * runs
    return {
      figures: {
        files: shapes.length,
        stores: runs,
        files_ready: totals.ready,
        packages_checked: totals.packages,
        segments_read: totals.segments,
        bytes_read: totals.bytes,
        seconds_decoded: round(totals.seconds, 1),
        packages_whose_loudness_was_measured: totals.loudness,
        faults_in_packages: faults.length,
        played_to_the_end: totals.played,
        faults_while_playing: totals.playFaults,
      },
      targets: {
        files_ready: { is: packages },
        packages_checked: { is: packages },
        segments_read: { atLeast: RENDITIONS * packages },
        bytes_read: { atLeast: RENDITIONS * packages * 10_000 },
        seconds_decoded: { atLeast: round(0.98 * RENDITIONS * seconds, 1) },
        packages_whose_loudness_was_measured: {
          is: shapes.filter(({ expected }) => hasLoudness(expected)).length * runs,
        },
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
  log(line: string): void
}

interface Found {
  readonly ready: number
  readonly checked: readonly CheckedPackage[]
  readonly loudnessMeasured: number
  readonly faults: readonly string[]
  readonly played: readonly Played[]
}

const READY_MS = 600_000

/** The default of an account. */
const TARGET_LUFS = -23
const FRAME_RATE = 30

const LADDER = '160x90@100+64,320x180@250+64'
const RENDITIONS = 2

/** The check of a store stops after so many faulty packages. */
const ENOUGH_FAULTY = 3

async function tryStore(kind: StoreKind, { folder, shapes, origin, log }: Trial): Promise<Found> {
  await using opened = new AsyncDisposableStack()
  const home = join(folder, kind)
  await mkdir(join(home, 'logs'), { recursive: true })
  const store = await openStore[kind](opened, home)
  // Serves media only, without a feed.
  const playout = await startPlayout({ home, natsUrl: 'nats://127.0.0.1:9', settings: store })
  opened.defer(() => playout.stop())
  const mediaBaseUrl = `${await waitForNode(playout)}/media/`
  const settings = { LADDER }
  const system = await startIngestSystem(opened, { allow: [origin.host], store, mediaBaseUrl, settings })
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
    if (state !== 'READY') log(`${kind}: ${video_source_id} is ${state}: ${reason?.code}`)

  const faults: string[] = []
  const checked: CheckedPackage[] = []
  let loudnessMeasured = 0
  for (const [i, { video_id, video_source_id, state }] of videos.entries()) {
    if (state !== 'READY' || checked.filter((it) => it.faults.length > 0).length >= ENOUGH_FAULTY) continue
    const address = await addressOf(system, video_id!, 'hls')
    const one = await checkPackage(address)
    checked.push(one)
    const isMeasured = one.faults.length === 0 && hasLoudness(shapes[i]!.expected)
    if (isMeasured) loudnessMeasured += 1
    const found = [...one.faults, ...(isMeasured ? await checkLoudness(address) : [])]
    faults.push(...found.map((fault) => `${kind}: ${video_source_id}: ${fault}`))
  }
  const ready = videos.filter(({ state }) => state === 'READY').length
  const first = videos[0]?.video_id
  const isPlayable = first != null && checked[0]?.faults.length === 0
  const played = isPlayable
    ? await playInBrowser([await addressOf(system, first, 'hls'), await addressOf(system, first, 'mp4')])
    : []
  if (!isPlayable) log(`${kind}: the first package is faulty and not played`)
  for (const { seconds, faults: inPlayer } of played)
    log(`${kind}: played ${seconds} s, ${inPlayer.join(', ') || 'no fault'}`)
  return { ready, checked, loudnessMeasured, faults, played }
}

async function checkLoudness(address: string): Promise<string[]> {
  const lufs = await measureLufs(address)
  return Math.abs(lufs - TARGET_LUFS) <= 1 ? [] : [`has ${lufs} LUFS`]
}

async function addressOf({ call }: IngestSystem, videoId: string, mediaType: 'hls' | 'mp4'): Promise<string> {
  const path = `/api/2.1/videos/${videoId}?media_type=${mediaType}`
  return (await call<{ media_url: string }>('GET', path)).media_url
}
