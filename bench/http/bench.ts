import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, round } from '../../tools/figures/figures.ts'
import type { Bench } from '../bench.ts'
import { requestsPerCpuSecond } from '../engine/load.ts'
import { startMeasuredServer } from '../engine/measured-server.ts'
import { path } from './answer.ts'

export const http: Bench = {
  name: 'http',
  title: 'A request through the whole stack against bare Fastify',
  question:
    'Requests per second of processor time of the server: routing, request ids, log, limits, metrics, headers, ' +
    'validation of the query and the deadline of an asynchronous handler; no credential and no database. Against bare ' +
    'Fastify that answers the same bytes. Rounds are interleaved, figures are medians, the load runs on another core.',
  async run({ rounds, secondsPerRound, say }) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const start = (name: string) =>
      startMeasuredServer(join(import.meta.dirname, name), join(folder, `${name}.log`))
    const bare = opened.use(await start('bare-server.ts'))
    const ours = opened.use(await start('our-server.ts'))

    // The first round warms both up and does not count.
    const ratios: number[] = []
    const rates = { bare: [] as number[], ours: [] as number[] }
    for (let i = 0; i <= rounds; i += 1) {
      const bareRate = await requestsPerCpuSecond(bare, path, secondsPerRound)
      const ourRate = await requestsPerCpuSecond(ours, path, secondsPerRound)
      if (i === 0) continue
      rates.bare.push(bareRate)
      rates.ours.push(ourRate)
      ratios.push(ourRate / bareRate)
      say(
        `round ${i}: bare ${Math.round(bareRate)}, ours ${Math.round(ourRate)}, ratio ${round(ourRate / bareRate, 3)}`,
      )
    }
    return {
      figures: {
        ratio: round(median(ratios), 3),
        bare_requests_per_cpu_second: Math.round(median(rates.bare)),
        our_requests_per_cpu_second: Math.round(median(rates.ours)),
        lowest_ratio: round(Math.min(...ratios), 3),
        highest_ratio: round(Math.max(...ratios), 3),
        rounds,
      },
      targets: { ratio: { atLeast: 0.7 } },
    }
  },
}
