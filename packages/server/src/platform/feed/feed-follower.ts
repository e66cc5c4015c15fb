import { setTimeout } from 'node:timers/promises'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../bus.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { tellFaults } from '../told-faults.ts'
import { readMarker } from './completeness-marker.ts'
import type { Delivery } from './delivery.ts'
import { type FeedVerifier, SIGNATURE_HEADER } from './feed-signature.ts'
import {
  ASK_SUBJECT,
  BEAT_SUBJECT,
  type FeedChannelId,
  MARK_SUBJECT,
  printChannelId,
  readStepSubject,
} from './feed-subjects.ts'
import { type OpenDelivery, openDelivery, type Place } from './open-delivery.ts'
import { orderedMessages } from './ordered-messages.ts'
import { readStep } from './read-step.ts'

export interface FollowOptions {
  /** The bytes are those that were received: whoever keeps them copies them. What comes next waits until it has settled. */
  readonly onStep: (bytes: Uint8Array, message: FeedMessage, id: FeedChannelId) => void | Promise<void>
  readonly onBeat?: (beat: Beat) => void
  /** The stream holds every channel in this epoch: what was received of a channel in an earlier one is obsolete. */
  readonly onComplete?: (epoch: number) => void
  /** Undefined to accept everything, signed or not. */
  readonly verifier?: FeedVerifier | undefined
  /** Whether a message would change nothing: it is neither verified then, which is slow, nor handed over. */
  readonly isKnown?: (id: FeedChannelId, message: FeedMessage) => boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
}

/** A sign of life of the workers. */
export interface Beat {
  /** What the clock of the worker showed. */
  readonly nowMs: number
  /** The worker's instance id; undefined for one of the release before. */
  readonly worker: string | undefined
  /** When the broker stored it, by the broker's clock. */
  readonly storedMs: number
  /** What our own showed when it was heard. */
  readonly heardMs: number
  /** Told since we listen, and not kept from before: only then can the two clocks be compared. */
  readonly isFresh: boolean
}

/** Follows the feed through everything that may happen to NATS, from the beginning or from where it was. */
export interface FeedFollower {
  /** Settles when everything has been handed over that was in the stream at first, or when it is closed. */
  readonly caughtUp: Promise<void>
  /** The same for the stream as it was when it was last opened. */
  isCaughtUp(): boolean
  lastBeat(): Beat | undefined
  /** When anything of the feed was last heard, by the clock that was given. */
  lastHeardMs(): number | undefined
  /** Asks whoever has the record for the whole of a channel. It may be that nobody hears it. */
  ask(id: FeedChannelId): void
  close(): Promise<void>
}

/** Messages that cannot be verified may come at any rate, and from anyone who can publish. */
const ASK_AGAIN_MS = 10_000
const ASKED_MAXIMUM = 1_000

/** Between two tries; an outage is over at most so much later than NATS says. */
const RETRY_MS = 250

export function followFeed(bus: Bus, options: FollowOptions): FeedFollower {
  const { clock, logger, verifier } = options
  const tellOutage = tellFaults(logger, 'The feed cannot be followed')
  const tellFault = tellFaults(logger, 'A step of the feed was not taken in')
  const spoilt = options.metrics?.counter('feed_spoilt_total', 'Messages of the feed that could not be read.')
  const steps = options.metrics?.counter(
    'feed_steps_total',
    'Steps that the feed has told, some of them twice.',
  )
  const unverified = options.metrics
    ?.counter(
      'feed_unverified_total',
      'Messages of the feed that were dropped for want of a valid signature.',
    )
    .series()
  const logUnverified = tellFaults(logger, 'dropped a message of the feed without a valid signature')
  const opened = options.metrics?.counter('feed_opened_total', 'How often the feed was opened, or anew.')
  const abort = new AbortController()
  const { promise: caughtUp, resolve: haveCaughtUp } = Promise.withResolvers<void>()
  let place: Place | undefined // written by the loop below only, like all of these
  let isCaughtUp = false
  let lastBeat: Beat | undefined
  let lastHeardMs: number | undefined
  let isSpoiltTold = false
  let completeEpoch: number | undefined // of a marker that was received and not reported yet
  const askedMs = new Map<string, number>() // by channel, when its snapshot was last requested for an invalid message
  let droppedBy: object | undefined // the keys by which a message was last dropped

  const setCaughtUp = (isSo: boolean) => {
    isCaughtUp = isSo
    if (isSo) haveCaughtUp()
  }
  const tellSpoilt = (subject: string) => {
    spoilt?.series().add()
    if (!isSpoiltTold) logger.error({ subject }, 'The feed says something that cannot be read')
    isSpoiltTold = true
  }
  const askOnce = (id: FeedChannelId) => {
    const nowMs = performance.now()
    const lastMs = askedMs.get(id.channelId) ?? Number.NEGATIVE_INFINITY
    if (nowMs - lastMs < ASK_AGAIN_MS) return
    if (askedMs.size >= ASKED_MAXIMUM) askedMs.clear()
    askedMs.set(id.channelId, nowMs)
    bus.publish(ASK_SUBJECT, printChannelId(id))
  }
  /** Before anything of a message is applied, or written to disk. */
  const verify = ({ subject, data, headers }: Msg): boolean => {
    if (verifier?.isValid(subject, data, headers?.get(SIGNATURE_HEADER)) === false) {
      unverified?.add()
      logUnverified(new Error(subject))
      droppedBy = verifier.keys()
      // It may be an update that a process without the right key has published: the snapshot of the channel has it too.
      const id = readStepSubject(subject)
      if (id !== undefined) askOnce(id)
      return false
    }
    return true
  }
  const isKnown = (id: FeedChannelId | undefined, message: FeedMessage | undefined): boolean =>
    id !== undefined && message !== undefined && options.isKnown?.(id, message) === true
  const handBeat = (text: string, storedMs: number, isFresh: boolean) => {
    const beat = readBeat(text)
    if (beat === undefined) return tellSpoilt(BEAT_SUBJECT)
    lastBeat = { ...beat, storedMs, heardMs: clock(), isFresh }
    options.onBeat?.(lastBeat)
  }
  const handStep = async ({ subject, data }: Msg, id: FeedChannelId, message: FeedMessage | undefined) => {
    if (message === undefined) return tellSpoilt(subject)
    steps?.series({ kind: message.kind }).add()
    if (!isKnown(id, message)) await options.onStep(data, message, id)
  }
  const handMarker = (text: string, streamCreated: string) => {
    const { created, epoch } = readMarker(text)
    // A marker of another stream does not concern this one.
    if (created === streamCreated && Number.isSafeInteger(epoch)) completeEpoch = epoch
  }
  /** Channels of the marker's epoch may be stored after it, where they have changed since. */
  const reportComplete = () => {
    if (completeEpoch !== undefined) options.onComplete?.(completeEpoch)
    completeEpoch = undefined
  }
  const hand = async (message: Msg, { streamSequence, storedMs }: Delivery, delivery: OpenDelivery) => {
    try {
      const id = readStepSubject(message.subject)
      const step = id === undefined ? undefined : readStep(message.data)
      if (!isKnown(id, step) && !verify(message)) return
      lastHeardMs = clock()
      if (message.subject === BEAT_SUBJECT)
        handBeat(message.string(), storedMs, streamSequence > delivery.untilSequence)
      else if (message.subject === MARK_SUBJECT) handMarker(message.string(), delivery.created)
      else if (id !== undefined) await handStep(message, id, step)
    } catch (error) {
      tellFault(error)
    }
  }
  /** With other keys, what was dropped may be valid: everything is read again. */
  const startOver = () => {
    droppedBy = undefined
    place = undefined
  }
  const follow = async (nc: NatsConnection) => {
    const delivery = await openDelivery(nc, bus.user, place)
    opened?.series().add()
    setCaughtUp(delivery.isCaughtUp)
    if (!delivery.isSame) place = undefined
    // A server that was restarted knows no consumer any more: waiting for its silence would take seconds.
    const signal = AbortSignal.any([abort.signal, bus.lost()])
    for await (const [message, at] of orderedMessages(nc, delivery.messages, signal)) {
      if (place === undefined || !isBefore(at, place)) {
        await hand(message, at, delivery)
        place = { created: delivery.created, streamSequence: at.streamSequence, storedMs: at.storedMs }
      }
      if (droppedBy !== undefined && droppedBy !== verifier?.keys()) return startOver()
      if (at.pending === 0 || at.streamSequence >= delivery.untilSequence) {
        reportComplete()
        setCaughtUp(true)
      }
    }
  }
  const followOn = async () => {
    while (!abort.signal.aborted) {
      const nc = bus.connection()
      if (nc !== undefined) await follow(nc).catch(tellOutage)
      await setTimeout(RETRY_MS, undefined, { signal: abort.signal }).catch(() => {})
    }
    haveCaughtUp()
  }
  const closed = followOn()

  return {
    caughtUp,
    isCaughtUp: () => isCaughtUp,
    lastBeat: () => lastBeat,
    lastHeardMs: () => lastHeardMs,
    ask: (id) => bus.publish(ASK_SUBJECT, printChannelId(id)),
    async close() {
      abort.abort()
      await closed
    },
  }
}

/** Whether it was handed over already. By both: a number alone may have been given to two messages. */
const isBefore = (at: Delivery, { streamSequence, storedMs }: Place): boolean =>
  at.streamSequence <= streamSequence && at.storedMs <= storedMs

/** An instance id is a UUID. */
const WORKER_LENGTH = 64

function readBeat(text: string): Pick<Beat, 'nowMs' | 'worker'> | undefined {
  try {
    const { now_ms: nowMs, worker } = JSON.parse(text) as { now_ms?: unknown; worker?: unknown }
    if (typeof nowMs !== 'number') return undefined
    return { nowMs, worker: typeof worker === 'string' ? worker.slice(0, WORKER_LENGTH) : undefined }
  } catch {
    return undefined
  }
}
