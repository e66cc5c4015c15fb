import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, median, round } from '@continuity/dev/figures'
import type { BenchContext } from '../bench.ts'
import { ratiosOf, runRounds } from '../engine/compare.ts'
import type { Load } from '../engine/load.ts'
import { type MeasuredServer, startMeasuredServer } from '../engine/measured-server.ts'
import { fetchMedian } from './fetch-playlist.ts'
import { asViewers, writeLoad } from './load-script.ts'
import { countsSince, readCounts } from './node-counts.ts'
import { requestMany } from './request-many.ts'

const BARE = join(import.meta.dirname, 'bare-server.ts')

export interface LoadedNode {
  readonly folder: string
  readonly node: MeasuredServer
  /** Paths of the requested playlists. */
  readonly paths: readonly string[]
}

/** Media playlists that a node serves for each answer of bare node:http, requested round-robin. */
export async function compareWithBare(
  { folder, node, paths }: LoadedNode,
  context: BenchContext,
): Promise<Figures> {
  const name = `of_${paths.length}`
  const answer = await fetchMedian(node.url, paths)
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify(answer))
  await using bare = await startMeasuredServer(BARE, `${file}.log`, { env: { BARE_ANSWER: file } })
  // Segments end during a pause: without a warm-up nearly every playlist would be rendered for its only viewer.
  const load: Load = { ...(await writeLoad(folder, name, asViewers(paths))), warmUpSeconds: 1 }
  // The first request of a channel unpacks its timeline, which happens once in five minutes.
  await requestMany(node.url, paths, paths.length)
  const before = await readCounts(node)
  const rates = await runRounds({ bare: { server: bare, load }, ours: { server: node, load } }, context)
  const { served, rendered } = countsSince(before, await readCounts(node))
  return {
    [`ratio_${name}`]: round(median(ratiosOf(rates.ours, rates.bare)), 3),
    [`bare_per_cpu_second_${name}`]: Math.round(median(rates.bare)),
    [`ours_per_cpu_second_${name}`]: Math.round(median(rates.ours)),
    // The share of rendered playlists: work for all viewers. It is larger at fewer requests per second.
    [`rendered_percent_${name}`]: round((rendered / served) * 100, 1),
    [`bytes_${name}`]: answer.body.length,
  }
}
