import { setTimeout } from 'node:timers/promises'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import type { Clock } from '../clock/clock.ts'
import { createFaultLog } from '../log/fault-log.ts'
import type { Logger } from '../log/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { readMarker } from './completeness-marker.ts'
import type { Delivery } from './delivery.ts'
import { type FeedVerifier, SIGNATURE_HEADER } from './feed-signature.ts'
import {
  type FeedChannelId,
  HEARTBEAT_SUBJECT,
  MARKER_SUBJECT,
  printChannelId,
  readUpdateSubject,
  SNAPSHOT_REQUEST_SUBJECT,
} from './feed-subjects.ts'
import { type FeedPosition, type OpenDelivery, openDelivery } from './open-delivery.ts'
import { orderedMessages } from './ordered-messages.ts'
import { readUpdate } from './read-update.ts'

export interface FollowOptions {
  /** The received bytes: copy them to keep them. The next message waits until this has settled. */
  readonly onUpdate: (bytes: Uint8Array, message: FeedMessage, id: FeedChannelId) => void | Promise<void>
  readonly onHeartbeat?: (heartbeat: Heartbeat) => void
  /** The stream holds every channel in this epoch: channels received in an earlier one are obsolete. */
  readonly onComplete?: (epoch: number) => void
  /** Undefined to accept everything, signed or not. */
  readonly verifier?: FeedVerifier | undefined
  /** Whether a message would change nothing: it is then neither verified, which is slow, nor delivered. */
  readonly isKnown?: (id: FeedChannelId, message: FeedMessage) => boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
}

/** A heartbeat of a worker. */
export interface Heartbeat {
  /** The time of the worker's clock. */
  readonly nowMs: number
  /** The worker's instance id; undefined for one of the previous release. */
  readonly worker: string | undefined
  /** When the broker stored it, by the broker's clock. */
  readonly storedMs: number
  /** The time of our own clock when it was received. */
  readonly receivedMs: number
  /** Published since we subscribed, not stored before: only then can the two clocks be compared. */
  readonly isFresh: boolean
}

/** Follows the feed through all faults of NATS, from the start or from its last position. */
export interface FeedFollower {
  /** Resolves when everything that was in the stream at first has been delivered, or when it is closed. */
  readonly caughtUp: Promise<void>
  /** The same for the stream as of its last opening. */
  isCaughtUp(): boolean
  lastHeartbeat(): Heartbeat | undefined
  /** When anything of the feed was last received, by the given clock. */
  lastReceivedMs(): number | undefined
  /** Requests a snapshot of a channel from any worker. The request may get lost. */
  requestSnapshot(id: FeedChannelId): void
  close(): Promise<void>
}

/** Messages without a valid signature may come at any rate, from anyone who can publish. */
const REQUEST_AGAIN_MS = 10_000
const REQUESTS_MAXIMUM = 1_000

/** Between two attempts, and the longest delay after NATS is back. */
const RETRY_MS = 250

export function followFeed(bus: Bus, options: FollowOptions): FeedFollower {
  const { clock, logger, verifier } = options
  const logOutage = createFaultLog(logger, 'feed: could not follow the stream; retrying')
  const logFault = createFaultLog(logger, 'feed: could not apply an update')
  const undecodable = options.metrics?.counter('feed_corrupt_total', 'Feed messages that failed to decode.')
  const received = options.metrics?.counter(
    'feed_steps_total',
    'Feed updates received, including repetitions.',
  )
  const unverified = options.metrics
    ?.counter('feed_unverified_total', 'Feed messages dropped without a valid signature.')
    .series()
  const logUnverified = createFaultLog(logger, 'feed: dropped a message without a valid signature')
  const opened = options.metrics?.counter('feed_opened_total', 'Number of times the feed was opened.')
  const abort = new AbortController()
  const { promise: caughtUp, resolve: haveCaughtUp } = Promise.withResolvers<void>()
  let position: FeedPosition | undefined // set by the loop below only, like all of these
  let isCaughtUp = false
  let lastHeartbeat: Heartbeat | undefined
  let lastReceivedMs: number | undefined
  let isUndecodableLogged = false
  let completeEpoch: number | undefined // of a marker received and not reported yet
  const requestedMs = new Map<string, number>() // by channel, when its snapshot was last requested for an invalid message
  let droppedBy: object | undefined // the keys by which a message was last dropped

  const setCaughtUp = (isSo: boolean) => {
    isCaughtUp = isSo
    if (isSo) haveCaughtUp()
  }
  const countUndecodable = (subject: string) => {
    undecodable?.series().add()
    if (!isUndecodableLogged) logger.error({ subject }, 'feed: a message failed to decode')
    isUndecodableLogged = true
  }
  const requestSnapshotOnce = (id: FeedChannelId) => {
    const nowMs = performance.now()
    const lastMs = requestedMs.get(id.channelId) ?? Number.NEGATIVE_INFINITY
    if (nowMs - lastMs < REQUEST_AGAIN_MS) return
    if (requestedMs.size >= REQUESTS_MAXIMUM) requestedMs.clear()
    requestedMs.set(id.channelId, nowMs)
    bus.publish(SNAPSHOT_REQUEST_SUBJECT, printChannelId(id))
  }
  /** Called before anything of a message is applied or written to disk. */
  const verify = ({ subject, data, headers }: Msg): boolean => {
    if (verifier?.isValid(subject, data, headers?.get(SIGNATURE_HEADER)) === false) {
      unverified?.add()
      logUnverified(new Error(subject))
      droppedBy = verifier.keys()
      // It may be a valid update of a process without the right key: the snapshot of the channel includes it.
      const id = readUpdateSubject(subject)
      if (id !== undefined) requestSnapshotOnce(id)
      return false
    }
    return true
  }
  const isKnown = (id: FeedChannelId | undefined, message: FeedMessage | undefined): boolean =>
    id !== undefined && message !== undefined && options.isKnown?.(id, message) === true
  const handleHeartbeat = (text: string, storedMs: number, isFresh: boolean) => {
    const heartbeat = readHeartbeat(text)
    if (heartbeat === undefined) return countUndecodable(HEARTBEAT_SUBJECT)
    lastHeartbeat = { ...heartbeat, storedMs, receivedMs: clock(), isFresh }
    options.onHeartbeat?.(lastHeartbeat)
  }
  const handleUpdate = async (
    { subject, data }: Msg,
    id: FeedChannelId,
    message: FeedMessage | undefined,
  ) => {
    if (message === undefined) return countUndecodable(subject)
    received?.series({ kind: message.kind }).add()
    if (!isKnown(id, message)) await options.onUpdate(data, message, id)
  }
  const handleMarker = (text: string, streamCreated: string) => {
    const { created, epoch } = readMarker(text)
    // A marker of another stream is ignored.
    if (created === streamCreated && Number.isSafeInteger(epoch)) completeEpoch = epoch
  }
  /** Channels of the marker's epoch may be stored after it, where they have changed since. */
  const reportComplete = () => {
    if (completeEpoch !== undefined) options.onComplete?.(completeEpoch)
    completeEpoch = undefined
  }
  const handleMessage = async (
    message: Msg,
    { streamSequence, storedMs }: Delivery,
    delivery: OpenDelivery,
  ) => {
    try {
      const id = readUpdateSubject(message.subject)
      const update = id === undefined ? undefined : readUpdate(message.data)
      if (!isKnown(id, update) && !verify(message)) return
      lastReceivedMs = clock()
      if (message.subject === HEARTBEAT_SUBJECT)
        handleHeartbeat(message.string(), storedMs, streamSequence > delivery.untilSequence)
      else if (message.subject === MARKER_SUBJECT) handleMarker(message.string(), delivery.created)
      else if (id !== undefined) await handleUpdate(message, id, update)
    } catch (error) {
      logFault(error)
    }
  }
  /** With other keys, dropped messages may be valid: everything is read again. */
  const startOver = () => {
    droppedBy = undefined
    position = undefined
  }
  const follow = async (nc: NatsConnection) => {
    const delivery = await openDelivery(nc, bus.user, position)
    opened?.series().add()
    setCaughtUp(delivery.isCaughtUp)
    if (!delivery.isSame) position = undefined
    // A restarted server has lost the consumer: waiting for the silence timeout would take seconds.
    const signal = AbortSignal.any([abort.signal, bus.lost()])
    for await (const [message, at] of orderedMessages(nc, delivery.messages, signal)) {
      if (position === undefined || !isBefore(at, position)) {
        await handleMessage(message, at, delivery)
        position = { created: delivery.created, streamSequence: at.streamSequence, storedMs: at.storedMs }
      }
      if (droppedBy !== undefined && droppedBy !== verifier?.keys()) return startOver()
      if (at.pending === 0 || at.streamSequence >= delivery.untilSequence) {
        reportComplete()
        setCaughtUp(true)
      }
    }
  }
  const keepFollowing = async () => {
    while (!abort.signal.aborted) {
      const nc = bus.connection()
      if (nc !== undefined) await follow(nc).catch(logOutage)
      await setTimeout(RETRY_MS, undefined, { signal: abort.signal }).catch(() => {})
    }
    haveCaughtUp()
  }
  const closed = keepFollowing()

  return {
    caughtUp,
    isCaughtUp: () => isCaughtUp,
    lastHeartbeat: () => lastHeartbeat,
    lastReceivedMs: () => lastReceivedMs,
    requestSnapshot: (id) => bus.publish(SNAPSHOT_REQUEST_SUBJECT, printChannelId(id)),
    async close() {
      abort.abort()
      await closed
    },
  }
}

/** Whether it was delivered already. By both: a sequence number alone may have been assigned twice. */
const isBefore = (at: Delivery, { streamSequence, storedMs }: FeedPosition): boolean =>
  at.streamSequence <= streamSequence && at.storedMs <= storedMs

/** An instance id is a UUID. */
const WORKER_LENGTH = 64

function readHeartbeat(text: string): Pick<Heartbeat, 'nowMs' | 'worker'> | undefined {
  try {
    const { now_ms: nowMs, worker } = JSON.parse(text) as { now_ms?: unknown; worker?: unknown }
    if (typeof nowMs !== 'number') return undefined
    return { nowMs, worker: typeof worker === 'string' ? worker.slice(0, WORKER_LENGTH) : undefined }
  } catch {
    return undefined
  }
}
