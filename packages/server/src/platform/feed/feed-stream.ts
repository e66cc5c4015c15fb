import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Logger } from '../log/logger.ts'
import { FEED_STREAM, STORED_SUBJECTS } from './feed-subjects.ts'

/** Error code of nats-server for a publish with a wrong expected last sequence of the subject. */
export const WRONG_LAST_SEQUENCE = 10_071

/** Timeout of one JetStream answer; an election among three servers may take longer, and the request is repeated. */
export const ANSWER_MS = 2_000

/** The number of messages kept per subject: a node that starts finds a snapshot of each channel among them. */
export const UPDATES_KEPT = 16

/** A snapshot of a channel is published at least every so many updates. Twice as many are kept, for repetitions. */
export const SNAPSHOT_EVERY = 8

/** The maximum size of a snapshot: some hundred times the usual one. */
const UPDATE_BYTES = 8 * 1024 * 1024

/** A worker repeats an unanswered update within seconds. */
const DUPLICATES_MS = 120_000

export const manageStreams = (nc: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(nc, { checkAPI: false, timeout: ANSWER_MS })

/** Creates the stream where it is missing, and updates the settings of an existing one. */
export async function ensureStream(nc: NatsConnection, replicas: number, logger: Logger): Promise<void> {
  const { streams } = await manageStreams(nc)
  const wanted = wantedConfig(replicas)
  const found = await findStream(nc)
  if (found === undefined) {
    await streams.add(wanted)
    logger.info({ replicas }, 'feed: stream created')
  } else if (!isAsWanted(found.config, wanted)) {
    await streams
      .update(FEED_STREAM, { ...found.config, ...wanted })
      // A stream with other settings works as well: fewer replicas are better than no feed.
      .catch((err: unknown) =>
        logger.warn({ err }, 'feed: could not update the stream; keeping its settings'),
      )
  }
}

export async function findStream(
  nc: NatsConnection,
  name: string = FEED_STREAM,
): Promise<StreamInfo | undefined> {
  const { streams } = await manageStreams(nc)
  return streams.info(name).catch((error: unknown) => {
    const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound
    if (!isMissing) throw error
    return undefined
  })
}

type Wanted = Pick<StreamConfig, 'name' | 'subjects' | 'storage' | 'retention' | 'discard' | 'num_replicas'> &
  Pick<StreamConfig, 'max_msgs_per_subject' | 'max_msg_size' | 'duplicate_window'>

const wantedConfig = (replicas: number): Wanted => ({
  name: FEED_STREAM,
  subjects: [...STORED_SUBJECTS],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  num_replicas: replicas,
  // Not roll-ups, which would keep less: in nats-server 2.9.10 they make every consumer that is behind skip messages
  // that it has not received yet, of other subjects too (pull requests 3838 and 5075).
  max_msgs_per_subject: UPDATES_KEPT,
  max_msg_size: UPDATE_BYTES,
  duplicate_window: nanos(DUPLICATES_MS),
})

const isAsWanted = (found: StreamConfig, wanted: Wanted): boolean =>
  (Object.keys(wanted) as (keyof Wanted)[]).every(
    (key) => JSON.stringify(found[key]) === JSON.stringify(wanted[key]),
  )
