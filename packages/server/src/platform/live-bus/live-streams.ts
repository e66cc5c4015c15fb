import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { manageStreams } from '../feed/feed-stream.ts'

/** Keeps the last message of every subject: configuration, leases, status and history of live sources. */
export const LIVE_STREAM = 'LIVE'
/** Logs of inputs and ad breaks of sources: the last message of a subject is complete, earlier ones are for diagnosis. */
export const LIVE_LOG_STREAM = 'LIVE_LOG'

/** One input of a source: its own address is 0, the redundant one 1. */
export interface LiveInput {
  readonly sourceId: string
  readonly input: 0 | 1
}

/** The sources to receive, by source. */
export const CONFIG_SUBJECTS = 'live.config.*'
/** The status of inputs, by source and input. */
export const REPORT_SUBJECTS = 'live.report.*.*'
/** The last minutes of inputs, by source and input. */
export const HEALTH_SUBJECTS = 'live.health.*.*'

/** The receiver of an input, by source and input. */
export const LEASE_SUBJECTS = 'live.lease.*.*'
export const LOG_SUBJECTS = 'live.log.*.*'
/** The ad breaks of a source. */
export const BREAK_SUBJECTS = 'live.breaks.*'

/** Both, for a consumer: nats-server 2.9 allows one filter. */
export const ALL_LOG_SUBJECTS = 'live.>'

export const configSubject = (sourceId: string): string => `live.config.${sourceId}`
export const reportSubject = ({ sourceId, input }: LiveInput): string => `live.report.${sourceId}.${input}`
export const healthSubject = ({ sourceId, input }: LiveInput): string => `live.health.${sourceId}.${input}`
export const leaseSubject = ({ sourceId, input }: LiveInput): string => `live.lease.${sourceId}.${input}`
export const logSubject = ({ sourceId, input }: LiveInput): string => `live.log.${sourceId}.${input}`

export const breakSubject = (sourceId: string): string => `live.breaks.${sourceId}`

export const liveDeliverySubjects = (user: string): string => `${liveDeliveryPrefix(user)}.*`

/** Where the stream delivers to the processes of a user. */
export const liveDeliveryPrefix = (user: string): string => `live.deliver.${user}`

/** How long segments of live sources, and their logs, are kept. */
export const LOG_KEPT_MS = 48 * 3_600_000
const LOG_MESSAGES = 1_000

/** Creates missing streams and returns their number. A stream of an earlier version gets the subjects of this one. */
export async function ensureLiveStreams(nc: NatsConnection, replicas: number): Promise<number> {
  const { streams } = await manageStreams(nc)
  const common = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
  }
  const wanted = [
    {
      ...common,
      name: LIVE_STREAM,
      subjects: [CONFIG_SUBJECTS, LEASE_SUBJECTS, REPORT_SUBJECTS, HEALTH_SUBJECTS],
      max_msgs_per_subject: 1,
    },
    {
      ...common,
      name: LIVE_LOG_STREAM,
      subjects: [LOG_SUBJECTS, BREAK_SUBJECTS],
      max_age: nanos(LOG_KEPT_MS),
      max_msgs_per_subject: LOG_MESSAGES,
    },
  ]
  let made = 0
  for (const config of wanted) {
    const found = await streams.info(config.name).catch((error: unknown) => {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null
      throw error
    })
    if (found === null) {
      await streams.add(config)
      made += 1
    } else if (config.subjects.some((subject) => !found.config.subjects.includes(subject))) {
      const subjects = [...new Set([...found.config.subjects, ...config.subjects])]
      await streams.update(config.name, { ...found.config, subjects })
    }
  }
  return made
}
