import { CLOCK_TOLERANCE_MS } from '@continuity/core/time/clock-verdict'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Beat } from '../../platform/feed/feed-follower.ts'

/** Compares this node's clock with those of the workers and of the broker, by the heartbeats of the feed. */
export interface ClockWatch {
  heard(beat: Beat): void
  look(nowMs: number): ClockComparison
}

export interface ClockComparison {
  /** How far the clock of the median worker is ahead of ours; undefined without a recent heartbeat. */
  readonly offsetMs: number | undefined
  /** The same of the broker. */
  readonly brokerOffsetMs: number | undefined
  readonly workers: number
  /** Those of them whose clocks are too far from ours. */
  readonly workersDisagreeing: number
  /** The broker and the majority of the workers disagree with this node. */
  readonly isWrong: boolean
}

/** Older heartbeats say nothing about the clocks as they are now. */
const KEPT_MS = 10_000

/** Of each worker, which sends one a second. */
const BEATS_MAXIMUM = 10

/** Worker ids come from outside: when there are more, the one that has been silent for longest is dropped. */
const WORKERS_MAXIMUM = 1_000

/** Of the broker, from the heartbeats of all workers. */
const BROKER_MAXIMUM = 100

/** The release before sends heartbeats without an id; all of its workers count as one. */
const ANONYMOUS = ''

interface Reading {
  readonly offsetMs: number
  readonly heardMs: number
}

interface Worker {
  lastNowMs: number // of its last heartbeat, by its own clock
  readings: Reading[]
}

export function createClockWatch(systemClock: Clock): ClockWatch {
  const workers = new Map<string, Worker>() // the one that was silent for longest comes first
  let broker: Reading[] = []

  const dropOld = (nowMs: number) => {
    const isRecent = ({ heardMs }: Reading) => Math.abs(nowMs - heardMs) <= KEPT_MS
    broker = broker.filter(isRecent)
    for (const [id, worker] of workers) {
      worker.readings = worker.readings.filter(isRecent)
      if (worker.readings.length === 0) workers.delete(id)
    }
  }

  return {
    heard({ nowMs, heardMs, storedMs, isFresh, worker: id = ANONYMOUS }) {
      // A heartbeat that was stored before we connected says when it was sent, and not how late it is.
      if (!isFresh) return
      // By the system's clock: the broker knows nothing of the course of a steered one.
      const fromBroker = { offsetMs: storedMs - systemClock(), heardMs }
      broker = [...broker.slice(-BROKER_MAXIMUM + 1), fromBroker]
      const worker = workers.get(id) ?? { lastNowMs: Number.NEGATIVE_INFINITY, readings: [] }
      // A replay. A worker whose clock was set back is compared again once its last readings have aged out.
      if (nowMs <= worker.lastNowMs && isWithin(worker, heardMs)) return
      worker.lastNowMs = nowMs
      worker.readings = [...worker.readings.slice(-BEATS_MAXIMUM + 1), { offsetMs: nowMs - heardMs, heardMs }]
      workers.delete(id)
      workers.set(id, worker)
      if (workers.size > WORKERS_MAXIMUM) workers.delete(workers.keys().next().value!)
    },
    look(nowMs) {
      dropOld(nowMs)
      const offsets = [...workers.values()].map(({ readings }) => leastDelayed(readings)!)
      const workersDisagreeing = offsets.filter(isFar).length
      const brokerOffsetMs = leastDelayed(broker)
      return {
        offsetMs: medianOf(offsets),
        brokerOffsetMs,
        workers: offsets.length,
        workersDisagreeing,
        isWrong:
          workersDisagreeing * 2 > offsets.length && brokerOffsetMs !== undefined && isFar(brokerOffsetMs),
      }
    },
  }
}

const isWithin = ({ readings }: Worker, nowMs: number): boolean =>
  readings.some(({ heardMs }) => Math.abs(nowMs - heardMs) <= KEPT_MS)

const isFar = (offsetMs: number): boolean => Math.abs(offsetMs) > CLOCK_TOLERANCE_MS

/**
 * The offset of the heartbeat that was delivered fastest. A delay can only make an offset smaller, and a feed that is
 * behind delays all heartbeats of some seconds: their median would be the delay, and not a wrong clock.
 */
const leastDelayed = (readings: readonly Reading[]): number | undefined =>
  readings.length === 0 ? undefined : Math.max(...readings.map(({ offsetMs }) => offsetMs))

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
