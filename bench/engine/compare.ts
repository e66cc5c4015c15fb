import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Figures, median, round } from '../../tools/figures/figures.ts'
import type { BenchContext } from '../bench.ts'
import { type Load, requestsPerCpuSecond } from './load.ts'
import { startMeasuredServer } from './measured-server.ts'

/** Scripts of two servers that answer the same bytes. */
export interface Compared {
  readonly bare: string
  readonly ours: string
}

/** How many requests ours answers for each one of the bare engine. Rounds are interleaved, figures are medians. */
export async function compareServers(
  scripts: Compared,
  load: Load,
  { rounds, secondsPerRound, say }: BenchContext,
): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const start = (script: string) => startMeasuredServer(script, join(folder, `${basename(script)}.log`))
  const bare = opened.use(await start(scripts.bare))
  const ours = opened.use(await start(scripts.ours))

  // The first round warms both up and does not count.
  const ratios: number[] = []
  const rates = { bare: [] as number[], ours: [] as number[] }
  for (let i = 0; i <= rounds; i += 1) {
    const bareRate = await requestsPerCpuSecond(bare, load, secondsPerRound)
    const ourRate = await requestsPerCpuSecond(ours, load, secondsPerRound)
    if (i === 0) continue
    rates.bare.push(bareRate)
    rates.ours.push(ourRate)
    ratios.push(ourRate / bareRate)
    say(
      `round ${i}: bare ${Math.round(bareRate)}, ours ${Math.round(ourRate)}, ratio ${round(ourRate / bareRate, 3)}`,
    )
  }
  return {
    ratio: round(median(ratios), 3),
    bare_requests_per_cpu_second: Math.round(median(rates.bare)),
    our_requests_per_cpu_second: Math.round(median(rates.ours)),
    lowest_ratio: round(Math.min(...ratios), 3),
    highest_ratio: round(Math.max(...ratios), 3),
    rounds,
  }
}
