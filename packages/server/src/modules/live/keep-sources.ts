import type { Bus } from '../../platform/bus/bus.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { advanceDue } from '../../platform/due/due-rows.ts'
import { followLatest } from '../../platform/live-bus/follow-latest.ts'
import { ensureLiveStreams, REPORT_SUBJECTS } from '../../platform/live-bus/live-streams.ts'
import type { Logger } from '../../platform/log/logger.ts'

export interface KeepSourcesOptions {
  readonly bus: Bus
  readonly database: Database
  readonly clock: Clock
  readonly replicas: number
  readonly logger: Logger
  readonly isPaused: () => boolean
}

const STREAMS_MS = 5_000
/** Batches reports, which arrive in bursts after a reconnection, into one statement. */
const GATHER_MS = 200

/** Maintains the NATS streams of live sources, and makes sources due when receivers report on them. */
export function keepSources(options: KeepSourcesOptions): { stop(): Promise<void> } {
  const { bus, database, clock, replicas, logger, isPaused } = options
  const stopping = new AbortController()
  let reported = new Set<string>()

  const advance = async (sourceIds: readonly string[] | 'all') =>
    advanceDue(database.platform, 'live_source', sourceIds, clock())

  const keepStreams = async () => {
    while (!stopping.signal.aborted) {
      const nc = bus.connection()
      if (nc !== undefined && !isPaused()) {
        try {
          // Lost streams are restored from the records of the sources.
          if ((await ensureLiveStreams(nc, replicas)) > 0) await advance('all')
        } catch (error) {
          logger.debug(
            { error: (error as Error).message },
            'looking up the streams of live sources failed; retrying',
          )
        }
      }
      await bus.wait(STREAMS_MS, stopping.signal)
    }
  }
  const gathering = setInterval(() => {
    if (reported.size === 0 || isPaused()) return
    const sourceIds = [...reported]
    reported = new Set()
    advance(sourceIds).catch((error: unknown) => {
      // Without the database the sources become due later by their own schedule.
      logger.debug({ error: (error as Error).message }, 'making reported sources due failed')
    })
  }, GATHER_MS)
  const follower = followLatest(bus, {
    subjects: REPORT_SUBJECTS,
    onMessage: (subject) => reported.add(subject.split('.')[2]!),
    logger,
  })
  const keeping = keepStreams()
  return {
    async stop() {
      stopping.abort()
      clearInterval(gathering)
      await follower.close()
      await keeping
    },
  }
}
