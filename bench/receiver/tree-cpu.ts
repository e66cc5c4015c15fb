import { readdirSync, readFileSync } from 'node:fs'
import { cpuMsOf } from '../packaging/child-cpu.ts'

/** Processor time, user and system, of a process and its descendants. */
export function treeCpuMs(root: number): number {
  const parents = readParents()
  const isInTree = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isInTree(parents.get(pid) as number))
  const cpuMs = [root, ...parents.keys()]
    .filter((pid, at) => at === 0 || (pid !== root && isInTree(pid)))
    .map(cpuOrGone)
  return cpuMs.reduce((sum, ms) => sum + ms, 0)
}

/** Running processes by pid, with their parents. */
function readParents(): ReadonlyMap<number, number> {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name is in parentheses, and may contain anything.
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended: its time is counted with its parent's.
    }
  }
  return parents
}

function cpuOrGone(pid: number): number {
  try {
    return cpuMsOf(pid)
  } catch {
    return 0
  }
}
