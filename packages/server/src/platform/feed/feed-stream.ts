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
import type { Logger } from '../logger.ts'
import { FEED_STREAM, STORED_SUBJECTS } from './feed-subjects.ts'

/** nats-server's code for a publish whose expected last message of the subject is another. */
export const WRONG_LAST_SEQUENCE = 10_071

/** One answer of JetStream; an election among three servers may take longer, and is asked again. */
export const ANSWER_MS = 2_000

/** The last so many steps of a channel are kept, and beats: one that starts finds a whole among them. */
export const STEPS_KEPT = 16

/** A channel is told as a whole at least every so many steps. Twice as many are kept, for those that are told twice. */
export const WHOLE_EVERY = 8

/** What a channel's whole may take at most: some hundred times what a usual one does. */
const STEP_BYTES = 8 * 1024 * 1024

/** A worker that was not answered tells the same change again, within seconds. */
const DUPLICATES_MS = 120_000

export const manageStreams = (nc: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(nc, { checkAPI: false, timeout: ANSWER_MS })

/** Makes the stream where it is missing, and gives one that is there the settings of this version. */
export async function ensureStream(nc: NatsConnection, replicas: number, logger: Logger): Promise<void> {
  const { streams } = await manageStreams(nc)
  const wanted = wantedConfig(replicas)
  const found = await findStream(nc)
  if (found === undefined) {
    await streams.add(wanted)
    logger.info({ replicas }, 'The stream of the feed was made')
  } else if (!isAsWanted(found.config, wanted)) {
    await streams
      .update(FEED_STREAM, { ...found.config, ...wanted })
      // One with other settings serves as well: fewer copies are better than no feed.
      .catch((err: unknown) => logger.warn({ err }, 'The stream of the feed keeps its settings'))
  }
}

export async function findStream(nc: NatsConnection): Promise<StreamInfo | undefined> {
  const { streams } = await manageStreams(nc)
  return streams.info(FEED_STREAM).catch((error: unknown) => {
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
  // And no roll-ups, which would keep less: in nats-server 2.9.10 they make every consumer that is behind skip all that
  // it has not had yet, of other subjects too (pull requests 3838 and 5075).
  max_msgs_per_subject: STEPS_KEPT,
  max_msg_size: STEP_BYTES,
  duplicate_window: nanos(DUPLICATES_MS),
})

const isAsWanted = (found: StreamConfig, wanted: Wanted): boolean =>
  (Object.keys(wanted) as (keyof Wanted)[]).every(
    (key) => JSON.stringify(found[key]) === JSON.stringify(wanted[key]),
  )
