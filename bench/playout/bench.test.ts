import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measurePlayout } from './measure.ts'
import { isInstalled } from './rival/install-rival.ts'

test('the playout bench measures real nodes and reports its figures', async () => {
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

  const figures = await measurePlayout(sizes, { rounds: 1, secondsPerRound: 1, log: () => {} })

  // On a busy machine ratios are imprecise: these bounds fail only if something is broken.
  const isBetween = (name: string, low: number, high: number) =>
    assert.ok(Number(figures[name]) >= low && Number(figures[name]) <= high, `${name}: ${figures[name]}`)
  isBetween('ratio_of_60', 0.2, 3)
  isBetween('ratio_of_30', 0.2, 3)
  isBetween('edge_ratio', 0.2, 3)
  if (sizes.rival > 0) isBetween('times_channel_engine', 1, 20)
  isBetween('rss_mb', 50, 400)
  isBetween('idle_cpu_percent', 0, 25)
  assert.equal(figures['renders_per_playlist'], 1)
})
