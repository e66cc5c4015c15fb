import { setTimeout } from 'node:timers/promises'
import { type ClockVerdict, judgeClocks } from '@continuity/core/time/clock-verdict'
import { createAlarm } from '../concurrency/alarm.ts'
import type { Logger } from '../log/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Clock } from './clock.ts'
import { ClockWrong } from './errors.ts'
import type { ReferenceClock } from './reference-clock.ts'

export interface ClockCheckOptions {
  readonly systemClock: Clock
  readonly database: ReferenceClock
  readonly broker: ReferenceClock
  readonly logger: Logger
  readonly metrics: Metrics
  /** Called after every reading once there is a verdict. Must not throw. */
  readonly onVerdict?: (verdict: ClockVerdict) => void
}

/** Compares the clock of this process with PostgreSQL's and the broker's while it runs. */
export interface ClockCheck {
  /** Settles with the first verdict, which needs PostgreSQL. */
  readonly checked: Promise<void>
  /** As of now: a step of the system clock counts at once. Undefined before the first verdict. */
  verdict(): ClockVerdict | undefined
  /** Whether the process may write. */
  isRight(): boolean
  /** Throws `clock.wrong` where it may not. */
  requireRight(): void
  close(): Promise<void>
}

/** Interval before the first verdict; readings take a millisecond each. */
const START_MS = 20
const START_READINGS = 3

/** The broker may connect a moment after PostgreSQL; the first verdict waits this long for it. */
const BROKER_PATIENCE_MS = 500

/** The longest that a round waits for the broker. */
const BROKER_WAIT_MS = 150

const DOUBTFUL_MS = 1_000
const USUAL_MS = 3_000

export function checkClock(options: ClockCheckOptions): ClockCheck {
  const { systemClock, database, broker, logger } = options
  const { promise: checked, resolve: haveChecked } = Promise.withResolvers<void>()
  const alarm = createAlarm()
  const startedMs = performance.now()
  let isChecked = false // set by the loop below only, like the next one
  let atFault: ClockVerdict['atFault']
  let brokerSample: Promise<void> | undefined // one at a time
  const closing = new AbortController()

  const readings = () => {
    const systemMs = systemClock()
    return { database: database.reading(systemMs), broker: broker.reading(systemMs) }
  }
  const verdict = () => (isChecked ? judgeClocks(readings()) : undefined)
  const findFault = (): string | undefined => {
    const found = verdict()
    if (found === undefined) return 'its clock was not compared with PostgreSQL yet'
    return found.mustStop ? `it is ${printOffset(found.offsetMs)} PostgreSQL and the broker` : undefined
  }
  const logChange = (found: ClockVerdict) => {
    if (found.atFault === atFault) return
    atFault = found.atFault
    const fields = { at_fault: atFault, offset_ms: found.offsetMs, must_stop: found.mustStop }
    if (atFault === undefined) logger.info('clocks agree again')
    else logger.error(fields, 'clocks disagree; comparing again in 1s')
  }
  const isEnough = () =>
    database.readings() >= START_READINGS &&
    (broker.readings() >= START_READINGS || performance.now() - startedMs > BROKER_PATIENCE_MS)

  const round = async (): Promise<number> => {
    brokerSample ??= broker.sample().finally(() => (brokerSample = undefined))
    // A broker that elects a leader answers late; its reading counts in a later round.
    await Promise.all([database.sample(), Promise.race([brokerSample, setTimeout(BROKER_WAIT_MS)])])
    if (!isChecked && isEnough()) isChecked = true
    const found = verdict()
    if (found === undefined) return database.readings() > 0 ? START_MS : DOUBTFUL_MS / 10
    logChange(found)
    options.onVerdict?.(found)
    haveChecked()
    return found.atFault === undefined ? USUAL_MS : DOUBTFUL_MS
  }
  const run = async () => {
    while (!closing.signal.aborted) await alarm.wait(await round())
    haveChecked()
  }
  const ran = run()

  options.metrics.gauges(
    'clock_offset_seconds',
    'Offset of the clock of this process to a reference clock; positive is ahead.',
    () => {
      const { database: toDatabase, broker: toBroker } = readings()
      return [
        [{ reference: 'postgresql' }, (toDatabase?.offsetMs ?? Number.NaN) / 1_000],
        [{ reference: 'nats' }, (toBroker?.offsetMs ?? Number.NaN) / 1_000],
      ]
    },
  )
  return {
    checked,
    verdict,
    isRight: () => findFault() === undefined,
    requireRight() {
      const fault = findFault()
      if (fault !== undefined) throw ClockWrong(fault)
    },
    async close() {
      closing.abort()
      alarm.ring()
      await ran
    },
  }
}

/** Such as `3600.0 s ahead of`. */
const printOffset = (offsetMs: number): string =>
  `${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'}`
