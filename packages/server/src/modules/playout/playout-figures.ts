import type { Clock } from '../../platform/clock/clock.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { ChannelStore } from './channel-store.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Horizon } from './horizon.ts'
import type { Snapshot } from './snapshot.ts'

/** The state of a node as `/readyz` returns it. Null if unknown. */
export interface PlayoutFigures {
  readonly channels: number
  /** From now to the earliest end of a timeline of a channel on air. */
  readonly horizon_ms: number | null
  /** Since the last message of the feed was received. */
  readonly feed_age_ms: number | null
  /** How far the clock of the median worker is ahead of this node's. */
  readonly clock_offset_ms: number | null
  /** The same for the broker. */
  readonly clock_broker_offset_ms: number | null
  /** Workers with a recent heartbeat, and those of them whose clocks disagree with this node's. */
  readonly clock_workers: number
  readonly clock_workers_disagreeing: number
}

export interface FigureSources {
  readonly clock: Clock
  readonly store: ChannelStore
  readonly horizon: Horizon
  readonly watch: ClockWatch
  readonly lastReceivedMs: () => number | undefined
}

export function readFigures({ clock, store, horizon, watch, lastReceivedMs }: FigureSources): PlayoutFigures {
  const nowMs = clock()
  const lastMs = lastReceivedMs()
  const clocks = watch.look(nowMs)
  return {
    channels: store.count(),
    horizon_ms: horizon.nearestMs(nowMs) ?? null,
    feed_age_ms: lastMs === undefined ? null : nowMs - lastMs,
    clock_offset_ms: clocks.offsetMs ?? null,
    clock_broker_offset_ms: clocks.brokerOffsetMs ?? null,
    clock_workers: clocks.workers,
    clock_workers_disagreeing: clocks.workersDisagreeing,
  }
}

/** Registers the same figures as metrics, with NaN if unknown, and those of the snapshot. */
export function countFigures(metrics: Metrics, sources: FigureSources, snapshot: Snapshot): void {
  const figure = (name: keyof PlayoutFigures) => () => readFigures(sources)[name] ?? Number.NaN
  const { store } = sources
  metrics.gauge('playout_channels', 'Channels on this node.', figure('channels'))
  metrics.gauge('playout_horizon_ms', 'Time to the earliest end of a timeline on air.', figure('horizon_ms'))
  metrics.gauge('feed_age_ms', 'Time since the last feed message was received.', figure('feed_age_ms'))
  metrics.gauge(
    'clock_offset_ms',
    "How far the median worker's clock is ahead of this node's.",
    figure('clock_offset_ms'),
  )
  metrics.gauge(
    'clock_workers_disagreeing',
    'Workers whose clocks disagree with the clock of this node.',
    figure('clock_workers_disagreeing'),
  )
  metrics.gauges(
    'clock_offset_seconds',
    'How far the clock of this process is ahead of the reference.',
    () => {
      const { offsetMs, brokerOffsetMs } = sources.watch.look(sources.clock())
      return [
        [{ reference: 'workers' }, secondsAhead(offsetMs)],
        [{ reference: 'nats' }, secondsAhead(brokerOffsetMs)],
      ]
    },
  )
  metrics.gauge('playout_channels_waiting', 'Channels that wait for a missing feed update.', store.waiting)
  metrics.gauge('snapshot_bytes', 'Size of the snapshot on disk.', () => snapshot.figures().logBytes)
  metrics.gauge('snapshot_cut', '1 if the last frame of the snapshot was incomplete at startup.', () =>
    snapshot.figures().isCut ? 1 : 0,
  )
  metrics.gauge(
    'snapshot_corrupt_stretches',
    'Corrupt stretches of one or more frames in the snapshot, skipped at startup.',
    () => snapshot.figures().corruptStretches,
  )
  metrics.gauge(
    'snapshot_corrupt_bytes',
    'Bytes of corrupt stretches in the snapshot, skipped at startup.',
    () => snapshot.figures().corruptBytes,
  )
  metrics.total('snapshot_faults_total', 'Failed writes of the snapshot.', () => snapshot.figures().faults)
}

/** NaN if the reference is unknown. */
const secondsAhead = (offsetMs: number | undefined): number =>
  offsetMs === undefined ? Number.NaN : -offsetMs / 1_000
