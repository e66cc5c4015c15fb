import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Figures, median, round } from '@continuity/dev/figures'
import type { BenchContext } from '../bench.ts'
import { type Load, requestsPerCpuSecond } from './load.ts'
import { type Measurable, startMeasuredServer } from './measured-server.ts'

/** Scripts of two servers that return the same bytes. */
export interface Compared {
  readonly bare: string
  readonly ours: string
}

/** Requests that ours answers for each one of the bare engine. Rounds are interleaved, figures are medians. */
export async function compareServers(scripts: Compared, load: Load, context: BenchContext): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const start = (script: string) => startMeasuredServer(script, join(folder, `${basename(script)}.log`))
  const bare = opened.use(await start(scripts.bare))
  const ours = opened.use(await start(scripts.ours))

  const rates = await runRounds({ bare: { server: bare, load }, ours: { server: ours, load } }, context)
  const ratios = ratiosOf(rates.ours, rates.bare)
  return {
    ratio: round(median(ratios), 3),
    bare_requests_per_cpu_second: Math.round(median(rates.bare)),
    our_requests_per_cpu_second: Math.round(median(rates.ours)),
    lowest_ratio: round(Math.min(...ratios), 3),
    highest_ratio: round(Math.max(...ratios), 3),
    rounds: context.rounds,
  }
}

/** A server and its load. */
export interface Side {
  readonly server: Measurable
  readonly load: Load
}

/** Requests per second of processor time of every side, round by round; every other round in reverse order. */
export async function runRounds<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { rounds, secondsPerRound, log }: BenchContext,
): Promise<Readonly<Record<Name, number[]>>> {
  const names = Object.keys(sides) as Name[]
  const rates = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>
  // The first round is a warm-up and does not count.
  for (let i = 0; i <= rounds; i += 1) {
    for (const name of i % 2 === 0 ? names : names.toReversed()) {
      const { server, load } = sides[name]
      const rate = await requestsPerCpuSecond(server, load, secondsPerRound)
      if (i > 0) rates[name].push(rate)
    }
    if (i > 0)
      log(`round ${i}: ${names.map((name) => `${name} ${Math.round(rates[name].at(-1)!)}`).join(', ')}`)
  }
  return rates
}

/** Round by round: what disturbs one round disturbs both. */
export const ratiosOf = (rates: readonly number[], against: readonly number[]): number[] =>
  rates.map((rate, at) => rate / against[at]!)
