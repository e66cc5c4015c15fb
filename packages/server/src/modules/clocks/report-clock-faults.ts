import type { AlertCode } from '@continuity/core/alerts/advice'
import type { ClockVerdict } from '@continuity/core/time/clock-verdict'
import { platformActor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { forEachConcurrent } from '../../platform/concurrency/for-each-concurrent.ts'
import type { Database } from '../../platform/database/database.ts'
import { createFaultLog } from '../../platform/log/fault-log.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type AlertRecord, closeAlert, openAlert } from '../alerts/index.ts'
import { claimEndedFault, deleteFault, type EndedFault, renewFault, upsertFault } from './store.ts'

export interface ClockReporterOptions extends ProcessName {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

export interface ClockReporter {
  /** Call with every verdict. Returns immediately; a verdict that arrives during a write is dropped. */
  report(verdict: ClockVerdict): void
  /** Resolves when no write is in progress. */
  settled(): Promise<void>
}

/** Accounts above this number get no alert: a thousand are enough for an operator to notice. */
const ACCOUNTS_MAXIMUM = 1_000
const AT_ONCE = 3

/** Processes report about once a second while clocks disagree. */
const KEPT_MS = 10_000

/** Opens alerts about clocks, in the accounts that have a channel that is not OFFLINE, and closes them. */
export function createClockReporter(options: ClockReporterOptions): ClockReporter {
  const { database, clock, logger } = options
  const logFault = createFaultLog(logger, 'writing clock alerts failed')
  const opened = new Map<string, AlertRecord>() // by account, while this process reports its fault
  let busy: Promise<void> | undefined // one report at a time

  const open = async (alert: AlertRecord, nowMs: number) => {
    const { isNew, accountIds } = await upsertFault(database.platform, alert, ACCOUNTS_MAXIMUM)
    if (isNew) opened.clear()
    const missing = accountIds.filter((id) => !isSame(opened.get(id), alert))
    await forEachBatch(missing, async (ids) => {
      await renewFault(database.platform, alert)
      await forEachConcurrent(ids, AT_ONCE, async (id) => {
        const write = database.forAccount(id).transaction()
        await write.execute((tx) => openAlert(tx, platformActor(id, nowMs), alert))
        opened.set(id, alert)
      })
    })
  }
  /** Closes faults of any process: the one that reported it may have been killed. */
  const closeEnded = async (nowMs: number) => {
    const fault = await claimEndedFault(database.platform, KEPT_MS)
    if (fault === undefined) return
    let { reportedAt } = fault
    await forEachBatch(fault.accountIds, async (ids) => {
      reportedAt = (await renewFault(database.platform, fault)) ?? reportedAt
      await forEachConcurrent(ids, AT_ONCE, async (id) => {
        const write = database.forAccount(id).transaction()
        await write.execute((tx) => closeAlert(tx, platformActor(id, nowMs), subjectOf(fault)))
      })
    })
    await deleteFault(database.platform, fault, reportedAt)
  }
  const write = async (verdict: ClockVerdict) => {
    // Correct the own clock by its measured offset.
    const nowMs = clock() - (verdict.atFault === 'own' ? verdict.offsetMs : 0)
    const alert = clockAlert(verdict, options)
    if (alert === undefined) opened.clear()
    else await open(alert, nowMs)
    await closeEnded(nowMs)
  }

  return {
    report(verdict) {
      busy ??= write(verdict)
        .catch(logFault)
        .finally(() => (busy = undefined))
    },
    async settled() {
      await busy
    },
  }
}

/** Small enough that writing the alerts of a batch takes less time than `KEPT_MS`. */
const BATCH = 50

async function forEachBatch(
  ids: readonly string[],
  work: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) await work(ids.slice(at, at + BATCH))
}

/** Ignores the message: the offset jitters, and would cause an event every second. */
const isSame = (opened: AlertRecord | undefined, alert: AlertRecord): boolean =>
  opened?.code === alert.code && opened.subjectId === alert.subjectId && opened.severity === alert.severity

const subjectOf = ({ code, subjectId }: EndedFault) => ({
  code,
  subjectId,
  subjectType: code === 'clock.process_wrong' ? 'process' : 'server',
})

/** How an alert identifies a process. */
interface ProcessName {
  readonly role: 'api' | 'worker'
  readonly instance: string
}

/** The alert for a verdict; undefined if no clock is at fault. */
function clockAlert(verdict: ClockVerdict, who: ProcessName): AlertRecord | undefined {
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
