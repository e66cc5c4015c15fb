import { setTimeout } from 'node:timers/promises'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { encodeStep } from '@continuity/core/feed/feed-codec'
import { type FeedMessage, type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import { JetStreamApiError, type JetStreamPublishOptions, jetstream } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../bus.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { tellFaults } from '../told-faults.ts'
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
  ASK_SUBJECT,
  BEAT_SUBJECT,
  FEED_STREAM,
  type FeedChannelId,
  MARK_SUBJECT,
  readChannelId,
  stepSubject,
} from './feed-subjects.ts'
import { rememberOwnUpdates } from './own-updates.ts'

/** Tells playout nodes, by way of a stream that is kept. Everything is refused with `feed.unavailable` within 5 s. */
export interface FeedPublisher {
  /**
   * Settles when the stream has it. It may be published again, by any process. Where the stream already holds a newer
   * update of the channel, nothing is published and the version of that one is returned.
   */
  publishStep(id: FeedChannelId, step: FeedMessage): Promise<FeedVersion | undefined>
  /** A heartbeat: what the clock of the worker shows, and the worker's instance id. */
  beat(nowMs: number, worker?: string): Promise<void>
  /** The completeness marker of the stream; undefined where it has none, or that of another stream. */
  findMarker(): Promise<StoredMarker | undefined>
  /** When the stream was created; one that was lost and created anew is another. */
  findStream(): Promise<string>
  /** States that the stream of that creation holds every channel in an epoch. For any other it says nothing. */
  mark(created: string, epoch: number): Promise<void>
  /** The last update of every channel in the stream. */
  listLastVersions(): Promise<readonly StreamVersion[]>
  /** The version of the last update of a channel in the stream. */
  findVersion(id: FeedChannelId): Promise<FeedVersion | undefined>
  /** A channel as it was last published; undefined where the stream does not hold it. */
  readPublished(id: FeedChannelId): Promise<ChannelState | undefined>
  /** Of all who listen, one hears a question for the whole of a channel. Gives the way to stop. */
  hearAsks(heard: (id: FeedChannelId) => void): () => void
  /** Also that nodes are connected again after an outage: what is published before would reach them too late. */
  isUp(): boolean
}

export interface StoredMarker extends CompletenessMarker {
  /**
   * Whether it was signed with the key that signs now. Where not, all channels are to be published again, so that nodes
   * can do without the key before it.
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

/** Whoever waits for a change on the air is answered by then. */
const GIVE_UP_MS = 5_000

/** A try of its own is shorter: what is lost in an election is said again to the one elected. */
const TRY_MS = 1_500
const PAUSE_MS = 100

export function openFeedPublisher(bus: Bus, options: FeedPublisherOptions): FeedPublisher {
  const { logger, replicas, signer } = options
  const tell = tellFaults(logger, 'The feed does not take what it is told')
  const published = options.metrics?.counter('feed_steps_published_total', 'Steps that the feed has taken.')
  const refused = options.metrics?.counter('feed_refusals_total', 'What was not told, for want of the feed.')
  let ensured: Promise<void> | undefined // that there is a stream; undefined where that is to be looked at

  /** Once more and once more, with the stream made anew where it is gone, until the time is over. */
  const tryOn = async <T>(work: (nc: NatsConnection) => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (;;) {
      const nc = bus.connection()
      try {
        if (nc === undefined) throw new Error('not connected')
        ensured ??= ensureStream(nc, replicas, logger)
        await ensured
        return await work(nc)
      } catch (error) {
        ensured = undefined
        if (signal.aborted || error instanceof StepTooLarge) throw error
        tell(error)
      }
      await setTimeout(PAUSE_MS, undefined, { signal })
    }
  }
  const onFeed = async <T>(work: (nc: NatsConnection) => Promise<T>): Promise<T> => {
    const over = new AbortController()
    try {
      if (bus.connection() === undefined) throw new Error('not connected')
      return await Promise.race([tryOn(work, over.signal), lateAfter(GIVE_UP_MS, over.signal)])
    } catch (error) {
      if (error instanceof StepTooLarge) throw error
      refused?.series().add()
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
    step: FeedMessage,
    order: Partial<JetStreamPublishOptions>,
    lastSubjectSequence: number,
  ): Promise<boolean> => {
    try {
      const expect = { lastSubjectSequence }
      own.note(subject, step, await jetstream(nc).publish(subject, bytes, { ...order, expect }))
      return true
    } catch (error) {
      own.forget(subject)
      if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return false
      throw error
    }
  }
  const publishText = async (subject: string, text: string) => {
    const bytes = new TextEncoder().encode(text)
    const order = { ...sign(subject, bytes), timeout: TRY_MS }
    await onFeed(async (nc) => void (await jetstream(nc).publish(subject, bytes, order)))
  }

  return {
    async publishStep(id, step) {
      const bytes = encodeStep(step)
      const subject = stepSubject(id)
      const signature = signer?.sign(subject, bytes)
      // A whole has no id against duplicates: who asks for it again is to get it again.
      const msgID = step.kind === 'whole' ? {} : { msgID: duplicateId(id, step, signature ?? '') }
      // For every try: the client writes what it expects into the headers.
      const orderOf = () => {
        const versioned = headers()
        if (signature !== undefined) versioned.set(SIGNATURE_HEADER, signature)
        versioned.set(...versionHeader(step))
        return { ...msgID, headers: versioned, timeout: TRY_MS }
      }
      const newer = await onFeed(async (nc) => {
        requireRoom(nc, bytes)
        const known = own.after(subject, step)
        if (known !== undefined && (await publishNext(nc, subject, bytes, step, orderOf(), known)))
          return undefined
        const last = await findLastVersion(nc, subject, signer)
        if (last !== undefined && isNewer(last, step)) return last
        own.note(subject, step, await jetstream(nc).publish(subject, bytes, orderOf()))
        return undefined
      })
      if (newer === undefined) published?.series({ kind: step.kind }).add()
      return newer
    },
    beat: (nowMs, worker) => publishText(BEAT_SUBJECT, JSON.stringify({ now_ms: nowMs, worker })),
    findMarker: () =>
      onFeed(async (nc) => {
        const { streams } = await manageStreams(nc)
        const { created } = await streams.info(FEED_STREAM)
        const stored = await streams.getMessage(FEED_STREAM, { last_by_subj: MARK_SUBJECT })
        if (stored === null) return undefined
        const signature = stored.header.get(SIGNATURE_HEADER)
        const isValid = signer?.isValid(MARK_SUBJECT, stored.data, signature) ?? true
        const marker = readMarker(stored.string())
        if (marker.created !== created || !isValid) return undefined
        return { ...marker, isCurrent: signer?.isCurrent(MARK_SUBJECT, stored.data, signature) ?? true }
      }),
    findStream: () =>
      onFeed(async (nc) => (await (await manageStreams(nc)).streams.info(FEED_STREAM)).created),
    mark: (created, epoch) => publishText(MARK_SUBJECT, printMarker({ created, epoch })),
    listLastVersions: () => onFeed((nc) => listLastVersions(nc, bus.user)),
    findVersion: (id) => onFeed((nc) => findLastVersion(nc, stepSubject(id), signer)),
    readPublished: (id) => onFeed((nc) => readPublished(nc, bus.user, id, signer)),
    hearAsks: (heard) =>
      bus.subscribe(
        ASK_SUBJECT,
        (text) => {
          const id = readChannelId(text)
          if (id !== undefined) heard(id)
        },
        'feed',
      ),
    isUp: bus.isSettled,
  }
}

/** With the signature: an unsigned copy that was stored before must not keep the signed one out of the stream. */
const duplicateId = (
  { channelId }: FeedChannelId,
  { epoch, version, kind }: FeedMessage,
  signature: string,
): string => `${channelId}:${epoch}:${version}:${kind}:${signature}`

class StepTooLarge extends Error {
  override readonly name = 'StepTooLarge'
}

/** A server that is sent more than it takes closes the connection, for everybody on it. */
function requireRoom(nc: NatsConnection, { length }: Uint8Array): void {
  const most = (nc.info?.max_payload ?? Number.POSITIVE_INFINITY) - HEADER_BYTES
  if (length > most) throw new StepTooLarge(`A step of ${length} bytes is more than NATS takes (${most})`)
}

/** Headers count too. */
const HEADER_BYTES = 1_024

async function lateAfter(ms: number, signal: AbortSignal): Promise<never> {
  await setTimeout(ms, undefined, { signal })
  throw new Error('not acknowledged in time')
}
