import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AnswerOf, Operations } from '@continuity/contract'
import { startOrigin } from '@continuity/dev/origin'
import { pollUntil } from '@continuity/dev/waiting'
import { checkPackage } from '../../proofs/media/check-package.ts'
import { aProgramOf, startIngestSystem, untilEnded } from '../../proofs/shared/ingest-system.ts'
import { makeFilm, readNumbers } from './counted-film.ts'

type Video = AnswerOf<Operations['getVideo']>

const LATE_MS = 180_000
const FRAMES = 1_000
const CUE_MS = 21_410

test('a video is packaged again with the cue points that it is given, although the worker is killed meanwhile', async () => {
  await using opened = new AsyncDisposableStack()
  const films = await mkdtemp(join(tmpdir(), 'continuity-given-cues-'))
  opened.defer(() => rm(films, { recursive: true, force: true }))
  await makeFilm(join(films, 'film.mp4'), { frames: FRAMES, frameRate: 30 })
  const origin = opened.use(await startOrigin(films))
  const system = await startIngestSystem(opened, { allow: [origin.host] })
  const worker = await system.startWorker('worker')
  const file = { name: 'film', address: origin.addressOf('film.mp4') }
  const requestId = await system.submit(aProgramOf(system.channelId, [file]))
  const { items } = await untilEnded(system, requestId, { withinMs: LATE_MS })
  const videoId = items[0]?.video_id
  const address = `/api/2.1/videos/${videoId}`

  const given = await system.call<Video>('PATCH', address, { cue_points_ms: [CUE_MS] })
  assert.deepEqual(given.cue_points, [{ at_ms: CUE_MS, origin: 'GIVEN', offset_ms: 990 }])
  const states = async () => {
    const rows = await system.sql.query<{ state: string; path: string | null }>(
      'select state, package_path as path from assets where video_id = $1 order by asset_id',
      [videoId],
    )
    return rows
  }
  const isStarted = await pollUntil(async () => (await states())[1]?.state !== 'QUEUED' || undefined, LATE_MS)
  process.kill(worker.pid, 'SIGKILL')
  await worker.exited
  await system.startWorker('worker')
  const isReady = await pollUntil(async () => (await states())[1]?.state === 'READY' || undefined, LATE_MS)

  assert.deepEqual([isStarted, isReady], [true, true])
  const assets = await states()
  assert.deepEqual(
    assets.map(({ state }) => state),
    ['READY', 'READY'],
  )
  const video = await system.call<Video>('GET', `${address}?media_type=hls`)
  // 21.41 s are 642.3 frames of the house format.
  assert.deepEqual(video.cue_points, [{ at_ms: CUE_MS, origin: 'GIVEN', offset_ms: -10 }])
  assert.ok(video.media_url?.includes(assets[1]!.path!))
  const { faults } = await checkPackage(join(system.mediaFolder, assets[1]!.path!), true)
  assert.deepEqual(faults, [])
  for (const { path } of assets) {
    const { numbers } = await readNumbers(join(system.mediaFolder, path!, '90p', 'main.m3u8'))
    assert.deepEqual(numbers, [...Array(FRAMES).keys()])
  }
})
