import type { Measurable } from '../engine/measured-server.ts'

/** Counters of a node since its start. */
export interface NodeCounts {
  readonly served: number
  readonly rendered: number
}

export async function readCounts({ url }: Measurable): Promise<NodeCounts> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return { served: read(text, 'playlists_served_total'), rendered: read(text, 'playlists_rendered_total') }
}

export const countsSince = (before: NodeCounts, after: NodeCounts): NodeCounts => ({
  served: after.served - before.served,
  rendered: after.rendered - before.rendered,
})

function read(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`the node has no metric ${name}`)
  return Number(value)
}
