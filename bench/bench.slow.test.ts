import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_LADDER, readLadder } from '@continuity/core/media/ladder'
import type { Figures } from '@continuity/dev/figures'
import { measureAudience } from './audience/bench.ts'
import { catalog } from './catalog/bench.ts'
import { measureHorizon } from './horizon/measure.ts'
import { http } from './http/bench.ts'
import { measureMemory } from './memory/bench.ts'
import { comparePackaging } from './packaging/bench.ts'
import { measurePlan } from './plan/bench.ts'
import { measurePlayout } from './playout/measure.ts'
import { isInstalled } from './playout/rival/install-rival.ts'
import { compareReceiver } from './receiver/compare.ts'
import { render } from './render/bench.ts'
import { measureReports } from './reports/measure.ts'
import { session } from './session/bench.ts'

// Small runs of every bench: that it measures what it names. On a busy machine ratios are imprecise, so bounds are wide.
const log = () => {}
const once = { rounds: 1, secondsPerRound: 1, log }
const isBetween = (figures: Figures, name: string, low: number, high: number) =>
  assert.ok(Number(figures[name]) >= low && Number(figures[name]) <= high, `${name}: ${figures[name]}`)

test('audience counts real requests and adds real batches', async () => {
  const sizes = { sessions: 20_000, channels: 20, viewersOfEach: 3, hours: 6, rows: 200, batches: 2 }

  const figures = await measureAudience(sizes, once)

  isBetween(figures, 'sessions', 20_000, 22_001)
  isBetween(figures, 'counting_ratio', 0.3, 3)
  isBetween(figures, 'viewers_counted', 60, 60)
  isBetween(figures, 'report_ratio', 0.1, 3)
  isBetween(figures, 'roll_up_ratio_new', 0.01, 3)
})

test('catalog loads a catalog and reports all figures', async () => {
  // A rejected request would end it, except for rejections on a busy machine.
  const { figures, targets } = await catalog.run({ ...once, secondsPerRound: 0.2, videos: 20_000 })

  assert.deepEqual(
    Object.keys(targets).filter((name) => !Number.isFinite(figures[name])),
    [],
  )
  isBetween(figures, 'writes_answered', 1, Infinity)
})

test('horizon plans every channel, and extends it', async () => {
  const figures = await measureHorizon({ channels: 3, videos: 200, days: 3 }, { log })

  isBetween(figures, 'programs_of_a_channel', 61, Infinity)
  isBetween(figures, 'programs_added_to_a_channel', 4, Infinity)
})

test('http and session report their ratios', async () => {
  // A rejected request would end it: the load throws on any status but 2xx.
  for (const bench of [http, session]) isBetween((await bench.run(once)).figures, 'ratio', 0.001, 10)
})

test('memory loads channels and reports what they use', async () => {
  const figures = await measureMemory({ channels: 20, hours: 6 })

  isBetween(figures, 'hot_channels', 20, 20)
  isBetween(figures, 'kb_per_channel', 1, 10_000)
  isBetween(figures, 'unpack_window_us', 0.01, Infinity)
})

test('packaging reports its ratio', async () => {
  const film = { seconds: 10, size: '320x180' }
  const ladder = DEFAULT_LADDER.slice(0, 1)

  const figures = await comparePackaging({ ...film, ladder, preset: 'ultrafast', rounds: 1, log })

  isBetween(figures, 'packaging_ratio', 0.01, 100)
})

test('plan plans every case', async () => {
  const figures = await measurePlan({ videos: 10_000, days: 2, rounds: 1 })

  for (const name of ['usual', 'rating', 'rating_of_episodes', 'availability', 'keyword'])
    isBetween(figures, `programs_${name}`, 41, Infinity)
  isBetween(figures, 'programs_nothing', 0, 0)
})

test('playout measures real nodes', async () => {
  const sizes = {
    hours: 6,
    all: 60,
    some: 30,
    behindNginx: 10,
    // A test installs nothing.
    rival: isInstalled() ? 2 : 0,
    idleSeconds: 2,
    boundaryRequests: 1_000,
  }

  const figures = await measurePlayout(sizes, once)

  for (const name of ['ratio_of_60', 'ratio_of_30', 'edge_ratio']) isBetween(figures, name, 0.2, 3)
  isBetween(figures, 'rss_mb', 50, 400)
  isBetween(figures, 'renders_per_playlist', 1, 1)
})

test('receiver receives a source and compares itself to bare ffmpeg', async () => {
  const read = readLadder('160x90@100+64')
  assert.ok(read.kind === 'ladder')
  const { ladder } = read

  const figures = await compareReceiver({
    ladder,
    preset: 'ultrafast',
    rounds: 1,
    segments: 1,
    skippedSegments: 2,
    log,
  })

  isBetween(figures, 'receiver_cpu_ratio', 0.001, Infinity)
  isBetween(figures, 'segments_measured', 1, Infinity)
})

test('render copies the rendered bytes exactly', async () => {
  const { figures, targets } = await render.run({ ...once, secondsPerRound: 0.3 })

  assert.deepEqual(
    Object.keys(targets).filter((name) => !(Number(figures[name]) > 0)),
    [],
  )
})

test('reports reads every row in every format', async () => {
  const sizes = { channels: 4, distributors: 3, videosOfAnHour: 5, videos: 50, otherDays: 1 }

  const figures = await measureReports(sizes, once)

  assert.equal(figures['rows'], 24 * 4 * 3 * 5)
  for (const name of ['csv_ratio', 'json_ratio', 'ndjson_ratio']) isBetween(figures, name, 0.01, 100)
})
