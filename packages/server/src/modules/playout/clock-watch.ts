import { CLOCK_TOLERANCE_MS } from '@continuity/core/time/clock-verdict'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Heartbeat } from '../../platform/feed/feed-follower.ts'

/** Compares this node's clock with those of the workers and of the broker, by the heartbeats of the feed. */
export interface ClockWatch {
  receive(heartbeat: Heartbeat): void
  look(nowMs: number): ClockComparison
}

export interface ClockComparison {
  /** How far the clock of the median worker is ahead of this node's; undefined without a recent heartbeat. */
  readonly offsetMs: number | undefined
  /** The same for the broker. */
  readonly brokerOffsetMs: number | undefined
  readonly workers: number
  /** Workers whose clocks are too far from this node's. */
  readonly workersDisagreeing: number
  /** Whether the broker and the majority of the workers disagree with this node. */
  readonly isWrong: boolean
}

/** Older heartbeats are ignored. */
const KEPT_MS = 10_000

/** Per worker, which sends one a second. */
const HEARTBEATS_MAXIMUM = 10

/** Worker ids are not trusted: above this the least recent one is dropped. */
const WORKERS_MAXIMUM = 1_000

/** Readings of the broker, from the heartbeats of all workers. */
const BROKER_MAXIMUM = 100

/** An older release sends heartbeats without an id; all of its workers count as one. */
const ANONYMOUS = ''

interface Reading {
  readonly offsetMs: number
  readonly receivedMs: number
}

interface Worker {
  lastNowMs: number // time of its last heartbeat, by its own clock
  readings: Reading[]
}

export function createClockWatch(systemClock: Clock): ClockWatch {
  const workers = new Map<string, Worker>() // least recent first
  let broker: Reading[] = []

  const dropOld = (nowMs: number) => {
    const isRecent = ({ receivedMs }: Reading) => Math.abs(nowMs - receivedMs) <= KEPT_MS
    broker = broker.filter(isRecent)
    for (const [id, worker] of workers) {
      worker.readings = worker.readings.filter(isRecent)
      if (worker.readings.length === 0) workers.delete(id)
    }
  }

  return {
    receive({ nowMs, receivedMs, storedMs, isFresh, worker: id = ANONYMOUS }) {
      // A heartbeat that was stored before the node connected has an unknown delay.
      if (!isFresh) return
      // By the system clock: the broker does not follow a clock that a test steers.
      const fromBroker = { offsetMs: storedMs - systemClock(), receivedMs }
      broker = [...broker.slice(-BROKER_MAXIMUM + 1), fromBroker]
      const worker = workers.get(id) ?? { lastNowMs: Number.NEGATIVE_INFINITY, readings: [] }
      // A replay. A worker whose clock was set back is compared again once its last readings have expired.
      if (nowMs <= worker.lastNowMs && isWithin(worker, receivedMs)) return
      worker.lastNowMs = nowMs
      worker.readings = [
        ...worker.readings.slice(-HEARTBEATS_MAXIMUM + 1),
        { offsetMs: nowMs - receivedMs, receivedMs },
      ]
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
  readings.some(({ receivedMs }) => Math.abs(nowMs - receivedMs) <= KEPT_MS)

const isFar = (offsetMs: number): boolean => Math.abs(offsetMs) > CLOCK_TOLERANCE_MS

/**
 * The offset of the heartbeat with the shortest delay. A delay can only make an offset smaller, and a slow feed
 * delays all heartbeats of some seconds, so that their median would measure the delay.
 */
const leastDelayed = (readings: readonly Reading[]): number | undefined =>
  readings.length === 0 ? undefined : Math.max(...readings.map(({ offsetMs }) => offsetMs))

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
