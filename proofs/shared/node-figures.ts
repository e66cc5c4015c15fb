import type { PlayoutNode } from './on-air-system.ts'

/** How often nodes received a change after they had listed what it changed, since they started. */
export async function countLateCuts(nodes: readonly PlayoutNode[]): Promise<number> {
  const counts = await Promise.all(nodes.map(({ url }) => readCounter(url(), 'late_cuts_total')))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The sum of a metric over all labels; 0 without any series: events that never happened have none. */
export async function readFigure(nodeUrl: string, name: string): Promise<number> {
  return (await readSeries(nodeUrl, name)).reduce((sum, value) => sum + value, 0)
}

/** The same for a counter that exists from the start of the process. */
export async function readCounter(nodeUrl: string, name: string): Promise<number> {
  const values = await readSeries(nodeUrl, name)
  if (values.length === 0) throw new Error(`${nodeUrl} has no ${name}`)
  return values.reduce((sum, value) => sum + value, 0)
}

async function readSeries(nodeUrl: string, name: string): Promise<number[]> {
  const answer = await fetch(`${nodeUrl}/metrics`, { signal: AbortSignal.timeout(60_000) })
  if (!answer.ok) throw new Error(`${nodeUrl}/metrics: ${answer.status}`)
  return (await answer.text())
    .split('\n')
    .filter((line) => new RegExp(`^(\\w+_)?${name}[ {]`).test(line))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)))
}
