import { setTimeout } from 'node:timers/promises'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import { type FeedMessage, type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import { JetStreamApiError, type JetStreamPublishOptions, jetstream } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import { createFaultLog } from '../log/fault-log.ts'
import type { Logger } from '../log/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type CompletenessMarker, printMarker, readMarker } from './completeness-marker.ts'
import { FeedUnavailable } from './errors.ts'
import {
  findLastVersion,
  listLastVersions,
  readPublished,
  type StreamVersion,
  versionHeader,
} from './feed-contents.ts'
import { type FeedSigner, SIGNATURE_HEADER } from './feed-signature.ts'
import { ensureStream, manageStreams, WRONG_LAST_SEQUENCE } from './feed-stream.ts'
import {
  FEED_STREAM,
  type FeedChannelId,
  HEARTBEAT_SUBJECT,
  MARKER_SUBJECT,
  readChannelId,
  SNAPSHOT_REQUEST_SUBJECT,
  updateSubject,
} from './feed-subjects.ts'
import { rememberOwnUpdates } from './own-updates.ts'

/** Publishes to playout nodes through a stream. Every method rejects with `feed.unavailable` within 5 s. */
export interface FeedPublisher {
  /**
   * Resolves when the stream has stored it. It may be published again, by any process. Where the stream already holds a
   * newer update of the channel, nothing is published and the version of that one is returned. With `withinMs`, it is not
   * sent any more after that time.
   */
  publishUpdate(id: FeedChannelId, update: FeedMessage, withinMs?: number): Promise<FeedVersion | undefined>
  /** The time of the worker's clock, and the worker's instance id. */
  publishHeartbeat(nowMs: number, worker?: string): Promise<void>
  /** The completeness marker of the stream; undefined where it has none, or one of another stream. */
  findMarker(): Promise<StoredMarker | undefined>
  /** When the stream was created; a recreated one is another. */
  findStream(): Promise<string>
  /** Publishes the marker that the stream of that creation holds every channel in an epoch. Any other ignores it. */
  publishMarker(created: string, epoch: number): Promise<void>
  /** The last update of every channel in the stream. */
  listLastVersions(): Promise<readonly StreamVersion[]>
  /** The version of the last update of a channel in the stream. */
  findVersion(id: FeedChannelId): Promise<FeedVersion | undefined>
  /** A channel as it was last published; undefined where the stream does not hold it. */
  readPublished(id: FeedChannelId): Promise<ChannelState | undefined>
  /** Subscribes to requests for a snapshot of a channel; each goes to one subscriber. Returns a function that stops it. */
  onSnapshotRequest(onRequest: (id: FeedChannelId) => void): () => void
  /** True only some time after an outage, when nodes are connected again: earlier messages would reach them too late. */
  isUp(): boolean
}

export interface StoredMarker extends CompletenessMarker {
  /**
   * Whether it was signed with the current key. Where not, all channels have to be published again, so that nodes no
   * longer need the previous key.
   */
  readonly isCurrent: boolean
}

export interface FeedPublisherOptions {
  readonly replicas: number
  /** Undefined for a feed without signatures. */
  readonly signer?: FeedSigner | undefined
  readonly logger: Logger
  readonly metrics?: Metrics
}

/** The timeout of a caller that waits for a change on air. */
const GIVE_UP_MS = 5_000

/** The timeout of one attempt: a message lost in an election is sent again to the new leader. */
const TRY_MS = 1_500
const PAUSE_MS = 100

export function openFeedPublisher(bus: Bus, options: FeedPublisherOptions): FeedPublisher {
  const { logger, replicas, signer } = options
  const logFault = createFaultLog(logger, 'feed: publishing failed; retrying')
  const published = options.metrics?.counter(
    'feed_steps_published_total',
    'Feed updates stored by the stream.',
  )
  const rejected = options.metrics?.counter(
    'feed_rejections_total',
    'Publications and reads that failed because the feed was unavailable.',
  )
  let ensured: Promise<void> | undefined // the check that the stream exists; undefined where it must be repeated

  /** Retries until the signal aborts, and creates the stream where it is missing. */
  const retry = async <T>(work: (nc: NatsConnection) => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (;;) {
      const nc = bus.connection()
      try {
        if (nc === undefined) throw new Error('not connected')
        ensured ??= ensureStream(nc, replicas, logger)
        await ensured
        return await work(nc)
      } catch (error) {
        ensured = undefined
        if (signal.aborted || error instanceof UpdateTooLarge) throw error
        logFault(error)
      }
      await setTimeout(PAUSE_MS, undefined, { signal })
    }
  }
  const onFeed = async <T>(
    work: (nc: NatsConnection) => Promise<T>,
    withinMs = Number.POSITIVE_INFINITY,
  ): Promise<T> => {
    const over = new AbortController()
    try {
      if (bus.connection() === undefined) throw new Error('not connected')
      return await Promise.race([
        retry(work, over.signal),
        lateAfter(Math.min(GIVE_UP_MS, withinMs), over.signal),
      ])
    } catch (error) {
      if (error instanceof UpdateTooLarge) throw error
      rejected?.series().add()
      throw FeedUnavailable(error)
    } finally {
      over.abort()
    }
  }

  const sign = (subject: string, payload: Uint8Array) => {
    if (signer === undefined) return {}
    const signed = headers()
    signed.set(SIGNATURE_HEADER, signer.sign(subject, payload))
    return { headers: signed }
  }
  const own = rememberOwnUpdates(bus.lost)
  /** False where another process has published to the channel meanwhile. */
  const publishNext = async (
    nc: NatsConnection,
    subject: string,
    bytes: Uint8Array,
    update: FeedMessage,
    publishOptions: Partial<JetStreamPublishOptions>,
    lastSubjectSequence: number,
  ): Promise<boolean> => {
    try {
      const expect = { lastSubjectSequence }
      own.note(subject, update, await jetstream(nc).publish(subject, bytes, { ...publishOptions, expect }))
      return true
    } catch (error) {
      own.drop(subject)
      if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return false
      throw error
    }
  }
  const publishText = async (subject: string, text: string) => {
    const bytes = new TextEncoder().encode(text)
    const publishOptions = { ...sign(subject, bytes), timeout: TRY_MS }
    await onFeed(async (nc) => void (await jetstream(nc).publish(subject, bytes, publishOptions)))
  }

  return {
    async publishUpdate(id, update, withinMs) {
      const bytes = encodeUpdate(update)
      const subject = updateSubject(id)
      const signature = signer?.sign(subject, bytes)
      // A snapshot has no id for deduplication: it is published again on request.
      const msgID = update.kind === 'whole' ? {} : { msgID: duplicateId(id, update, signature ?? '') }
      // New for every attempt: the client writes the expected sequence into the headers.
      const optionsOf = () => {
        const versioned = headers()
        if (signature !== undefined) versioned.set(SIGNATURE_HEADER, signature)
        versioned.set(...versionHeader(update))
        return { ...msgID, headers: versioned, timeout: TRY_MS }
      }
      const newer = await onFeed(async (nc) => {
        requireFittingSize(nc, bytes)
        const known = own.after(subject, update)
        if (known !== undefined && (await publishNext(nc, subject, bytes, update, optionsOf(), known)))
          return undefined
        const last = await findLastVersion(nc, subject, signer)
        if (last !== undefined && isNewer(last, update)) return last
        own.note(subject, update, await jetstream(nc).publish(subject, bytes, optionsOf()))
        return undefined
      }, withinMs)
      if (newer === undefined) published?.series({ kind: update.kind }).add()
      return newer
    },
    publishHeartbeat: (nowMs, worker) =>
      publishText(HEARTBEAT_SUBJECT, JSON.stringify({ now_ms: nowMs, worker })),
    findMarker: () =>
      onFeed(async (nc) => {
        const { streams } = await manageStreams(nc)
        const { created } = await streams.info(FEED_STREAM)
        const stored = await streams.getMessage(FEED_STREAM, { last_by_subj: MARKER_SUBJECT })
        if (stored === null) return undefined
        const signature = stored.header.get(SIGNATURE_HEADER)
        const isValid = signer?.isValid(MARKER_SUBJECT, stored.data, signature) ?? true
        const marker = readMarker(stored.string())
        if (marker.created !== created || !isValid) return undefined
        return { ...marker, isCurrent: signer?.isCurrent(MARKER_SUBJECT, stored.data, signature) ?? true }
      }),
    findStream: () =>
      onFeed(async (nc) => (await (await manageStreams(nc)).streams.info(FEED_STREAM)).created),
    publishMarker: (created, epoch) => publishText(MARKER_SUBJECT, printMarker({ created, epoch })),
    listLastVersions: () => onFeed((nc) => listLastVersions(nc, bus.user)),
    findVersion: (id) => onFeed((nc) => findLastVersion(nc, updateSubject(id), signer)),
    readPublished: (id) => onFeed((nc) => readPublished(nc, bus.user, id, signer)),
    onSnapshotRequest: (onRequest) =>
      bus.subscribe(
        SNAPSHOT_REQUEST_SUBJECT,
        (text) => {
          const id = readChannelId(text)
          if (id !== undefined) onRequest(id)
        },
        'feed',
      ),
    isUp: bus.isSettled,
  }
}

/** Includes the signature: an unsigned copy that was stored before must not suppress the signed one. */
const duplicateId = (
  { channelId }: FeedChannelId,
  { epoch, version, kind }: FeedMessage,
  signature: string,
): string => `${channelId}:${epoch}:${version}:${kind}:${signature}`

class UpdateTooLarge extends Error {
  override readonly name = 'UpdateTooLarge'
}

/** A server closes the connection of a client that sends more than its limit. */
function requireFittingSize(nc: NatsConnection, { length }: Uint8Array): void {
  const most = (nc.info?.max_payload ?? Number.POSITIVE_INFINITY) - HEADER_BYTES
  if (length > most)
    throw new UpdateTooLarge(`an update of ${length} bytes exceeds the limit of NATS (${most})`)
}

/** Reserved for headers, which count too. */
const HEADER_BYTES = 1_024

async function lateAfter(ms: number, signal: AbortSignal): Promise<never> {
  await setTimeout(ms, undefined, { signal })
  throw new Error('not acknowledged in time')
}
