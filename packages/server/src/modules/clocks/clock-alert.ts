import type { AlertCode } from '@continuity/core/alerts/advice'
import type { ClockVerdict } from '@continuity/core/time/clock-verdict'
import type { AlertRecord } from '../alerts/index.ts'

/** How an alert identifies a process. */
export interface ProcessName {
  readonly role: 'api' | 'worker'
  readonly instance: string
}

/** The alert for a verdict; undefined if no clock is at fault. */
export function clockAlert(verdict: ClockVerdict, who: ProcessName): AlertRecord | undefined {
  const { atFault } = verdict
  if (atFault === undefined) return undefined
  if (atFault === 'own') return processAlert(verdict, who)
  return atFault === 'database'
    ? serverAlert('clock.database_wrong', 'postgresql', 'PostgreSQL', 'the broker')
    : serverAlert('clock.broker_wrong', 'nats', 'the broker (NATS)', 'PostgreSQL')
}

const processAlert = (
  { mustStop, offsetMs }: ClockVerdict,
  { role, instance }: ProcessName,
): AlertRecord => ({
  code: 'clock.process_wrong',
  subjectType: 'process',
  subjectId: instance,
  severity: mustStop ? 'CRITICAL' : 'WARNING',
  message:
    `The clock of ${role} ${instance} is ${printOffset(offsetMs)}. ` +
    `${mustStop ? 'It takes no work until its clock is right.' : 'Beyond 1 s it takes no more work.'} ` +
    'Check the time synchronisation of its host.',
})

/** The text does not depend on the reporting process, or each process would change the alert of another. */
const serverAlert = (code: AlertCode, subjectId: string, name: string, other: string): AlertRecord => ({
  code,
  subjectType: 'server',
  subjectId,
  severity: 'WARNING',
  message:
    `The clock of ${name} disagrees with ${other} and with the processes by more than 250 ms. ` +
    'Channels continue. Check the time synchronisation of its host; the metric clock_offset_seconds has the offset.',
})

/** In seconds, such as `3600.0 s fast`. */
const printOffset = (offsetMs: number): string =>
  `${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${offsetMs > 0 ? 'fast' : 'slow'}`
