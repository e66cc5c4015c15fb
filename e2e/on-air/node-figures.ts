import type { PlayoutNode } from './playout-node.ts'

/** How often nodes learnt of a change after they had listed what it changed, since they started. */
export async function countLateCuts(nodes: readonly PlayoutNode[]): Promise<number> {
  const counts = await Promise.all(nodes.map(({ url }) => readCounter(url(), 'late_cuts_total')))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The sum of a counter over all its labels. */
export async function readCounter(nodeUrl: string, name: string): Promise<number> {
  const answer = await fetch(`${nodeUrl}/metrics`, { signal: AbortSignal.timeout(5_000) })
  const lines = (await answer.text())
    .split('\n')
    .filter((line) => new RegExp(`^(\\w+_)?${name}[ {]`).test(line))
  if (lines.length === 0) throw new Error(`${nodeUrl} has no ${name}`)
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
