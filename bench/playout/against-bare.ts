import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, median, round } from '../../tools/figures/figures.ts'
import type { BenchContext } from '../bench.ts'
import { ratiosOf, takeRounds } from '../engine/compare.ts'
import { type MeasuredServer, startMeasuredServer } from '../engine/measured-server.ts'
import { askMany } from './ask-many.ts'
import { askMiddling } from './ask-playlist.ts'
import { asViewers, writeLoad } from './load-script.ts'
import { countsSince, readCounts } from './node-counts.ts'

const BARE = join(import.meta.dirname, 'bare-server.ts')

export interface AskedNode {
  readonly folder: string
  readonly node: MeasuredServer
  /** Of the playlists that are asked for. */
  readonly paths: readonly string[]
}

/** How many media playlists a node gives for each answer of bare node:http, with all of them asked for in turn. */
export async function compareWithBare(
  { folder, node, paths }: AskedNode,
  context: BenchContext,
): Promise<Figures> {
  const name = `of_${paths.length}`
  const answer = await askMiddling(node.url, paths)
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify(answer))
  await using bare = await startMeasuredServer(BARE, `${file}.log`, { env: { BARE_ANSWER: file } })
  // In a pause segments go on ending: without a lead-in nearly every playlist would be made anew for its only viewer.
  const load = { ...(await writeLoad(folder, name, asViewers(paths))), leadInSeconds: 1 }
  // The first viewer of a channel has its timeline unpacked, which is done once in five minutes.
  await askMany(node.url, paths, paths.length)
  const before = await readCounts(node)
  const rates = await takeRounds({ bare: { server: bare, load }, ours: { server: node, load } }, context)
  const { served, rendered } = countsSince(before, await readCounts(node))
  return {
    [`ratio_${name}`]: round(median(ratiosOf(rates.ours, rates.bare)), 3),
    [`bare_per_cpu_second_${name}`]: Math.round(median(rates.bare)),
    [`ours_per_cpu_second_${name}`]: Math.round(median(rates.ours)),
    // How much of the work was not for one viewer but for all. With fewer requests a second it is a larger part.
    [`rendered_percent_${name}`]: round((rendered / served) * 100, 1),
    [`bytes_${name}`]: answer.body.length,
  }
}
