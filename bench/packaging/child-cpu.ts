import { readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second. */
const MS_PER_TICK = 10

/** Processor time of this process and of all its children that have ended. */
export const childCpuMs = (): number => cpuMsOf('self')

/** The same for any process. */
export function cpuMsOf(pid: number | 'self'): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may contain spaces, so fields are counted after it: state and twelve others.
  const times = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) * MS_PER_TICK
}
