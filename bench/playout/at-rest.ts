import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type Figures, round } from '@continuity/dev/figures'
import type { MeasuredServer } from '../engine/measured-server.ts'

/** After its start a node first catches up with the feed and collects garbage. */
const SETTLING_MS = 5_000

/** Memory and processor time of a node without viewers. */
export async function measureAtRest(node: MeasuredServer, seconds: number): Promise<Figures> {
  await setTimeout(SETTLING_MS)
  const before = node.cpuSeconds()
  await setTimeout(seconds * 1_000)
  const used = node.cpuSeconds() - before
  return { rss_mb: await readRssMb(node), idle_cpu_percent: round((used / seconds) * 100, 2) }
}

export async function readRssMb({ pid }: MeasuredServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return round((Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / 1e6, 1)
}
