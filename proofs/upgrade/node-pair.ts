import { PATIENCE_MS, untilAnswered } from '../on-air/channels.ts'
import { addressOf, fetchAnswer, type OutputRef, rungsIn } from '../on-air/fetch-playlist.ts'
import { segmentsIn } from '../on-air/output-watch.ts'
import type { Release } from './releases.ts'
import type { NodeName, Running, Site } from './site.ts'

/** Two nodes behind a load balancer, which a viewer reaches one after the other. */
export interface NodePair {
  /** The address of the next node that serves. */
  next(): string
  /** How often the next node was one of this release. */
  chosen(release: Release): number
  /** Takes a node out, stops it, starts that of a release on its disk, and puts it back when it serves the output. */
  replace(name: NodeName, release: Release, output: OutputRef): Promise<void>
  running(): readonly Running[]
}

export function openNodePair(site: Site, a: Running, b: Running): NodePair {
  const nodes = { a, b }
  let serving: readonly NodeName[] = ['a', 'b']
  let count = 0
  const chosen = new Map<Release, number>()
  return {
    next() {
      count += 1
      const { release, url } = nodes[serving[count % serving.length]!]
      chosen.set(release, (chosen.get(release) ?? 0) + 1)
      return url
    },
    chosen: (release) => chosen.get(release) ?? 0,
    async replace(name, release, output) {
      serving = serving.filter((it) => it !== name)
      await nodes[name].child.stop()
      nodes[name] = await site.startNode(release, name)
      await untilAnswered([nodes[name].url], output, PATIENCE_MS)
      serving = ['a', 'b']
    },
    running: () => [nodes.a, nodes.b],
  }
}

/** Whether both nodes list the same segments. For a clock that is stopped. */
export async function findDifferentSegments(pair: NodePair, output: OutputRef): Promise<string[]> {
  const [one, other] = await Promise.all(pair.running().map(({ url }) => listSegments(url, output)))
  return one === other ? [] : [`${one}\nand\n${other}`]
}

async function listSegments(url: string, output: OutputRef): Promise<string> {
  const multivariant = await fetchAnswer(addressOf(url, output, 'index.m3u8'))
  const rungs = rungsIn(multivariant.text)
  const texts = await Promise.all(
    rungs.map(async (rung) => (await fetchAnswer(addressOf(url, output, `${rung}.m3u8`))).text),
  )
  return texts
    .flatMap(segmentsIn)
    .map(({ sequence, startMs, uri }) => `${sequence} ${startMs} ${uri}`)
    .join('\n')
}
