import type { Clock } from '../../platform/clock/clock.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { ChannelStore } from './channel-store.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Horizon } from './horizon.ts'
import type { Snapshot } from './snapshot.ts'

/** How a node is, as `/readyz` tells it. Null is what is not known. */
export interface PlayoutFigures {
  readonly channels: number
  /** From now to where the first timeline of a channel on the air ends. */
  readonly horizon_ms: number | null
  /** Since anything of the feed was heard. */
  readonly feed_age_ms: number | null
  /** How far the clock of the median worker is ahead of ours. */
  readonly clock_offset_ms: number | null
  /** The same of the broker. */
  readonly clock_broker_offset_ms: number | null
  /** Workers that sent a heartbeat lately, and those of them whose clocks disagree with ours. */
  readonly clock_workers: number
  readonly clock_workers_disagreeing: number
}

export interface FigureSources {
  readonly clock: Clock
  readonly store: ChannelStore
  readonly horizon: Horizon
  readonly watch: ClockWatch
  readonly heardMs: () => number | undefined
}

export function readFigures({ clock, store, horizon, watch, heardMs }: FigureSources): PlayoutFigures {
  const nowMs = clock()
  const lastMs = heardMs()
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

/** The same for Prometheus, to which NaN is what is not known, and what is of interest beside it. */
export function countFigures(metrics: Metrics, sources: FigureSources, snapshot: Snapshot): void {
  const figure = (name: keyof PlayoutFigures) => () => readFigures(sources)[name] ?? Number.NaN
  const { store } = sources
  metrics.gauge('playout_channels', 'Channels that the node knows.', figure('channels'))
  metrics.gauge('playout_horizon_ms', 'How far every timeline on the air reaches.', figure('horizon_ms'))
  metrics.gauge('feed_age_ms', 'Time since anything of the feed was heard.', figure('feed_age_ms'))
  metrics.gauge('clock_offset_ms', "How far the workers' clocks are ahead.", figure('clock_offset_ms'))
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
  metrics.gauge('playout_channels_waiting', 'Channels that miss a step of the feed.', store.waiting)
  metrics.gauge('snapshot_bytes', 'Length of the disk copy.', () => snapshot.figures().logBytes)
  metrics.gauge('snapshot_cut', '1 where the last frame of the disk copy was incomplete at the start.', () =>
    snapshot.figures().isCut ? 1 : 0,
  )
  metrics.gauge(
    'snapshot_corrupt_stretches',
    'Corrupt stretches of the disk copy that were skipped at the start, of one frame or more each.',
    () => snapshot.figures().corruptStretches,
  )
  metrics.gauge('snapshot_corrupt_bytes', 'Bytes in these stretches.', () => snapshot.figures().corruptBytes)
  metrics.total('snapshot_faults_total', 'Failures of the disk copy.', () => snapshot.figures().faults)
}

/** NaN where the reference is unknown. */
const secondsAhead = (offsetMs: number | undefined): number =>
  offsetMs === undefined ? Number.NaN : -offsetMs / 1_000
