import { setTimeout } from 'node:timers/promises'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import { createFaultLog } from '../log/fault-log.ts'
import type { Logger } from '../log/logger.ts'
import { type FeedVerifier, SIGNATURE_HEADER } from './feed-signature.ts'
import { type FeedChannelId, GUIDE_STREAM, readGuideSubject } from './feed-subjects.ts'
import { type FeedPosition, openDelivery } from './open-delivery.ts'
import { orderedMessages } from './ordered-messages.ts'

export interface FollowGuidesOptions {
  /** The next message waits until it has settled. */
  readonly onGuide: (id: FeedChannelId, bytes: Uint8Array) => Promise<void>
  /** Whether a guide would change nothing: it is then not verified, which is slow. */
  readonly isKnown: (id: FeedChannelId, bytes: Uint8Array) => Promise<boolean>
  /** Undefined to accept everything, signed or not. */
  readonly verifier?: FeedVerifier | undefined
  readonly logger: Logger
}

export interface GuideFollower {
  close(): Promise<void>
}

/** A control room of the release before publishes no guides, and the stream may be missing for long. */
const RETRY_MS = 2_000

/** Follows the planned programs of all channels until it is closed, through all faults of NATS. */
export function followGuides(bus: Bus, options: FollowGuidesOptions): GuideFollower {
  const { logger, verifier } = options
  const logFault = createFaultLog(logger, 'guide: a message was not stored')
  const logUnverified = createFaultLog(logger, 'guide: dropped a message without a valid signature')
  const stop = new AbortController()
  let position: FeedPosition | undefined // set by the loop only, like the next
  let droppedBy: object | undefined // the keys by which a message was last dropped

  const handle = async ({ subject, data, headers }: Msg) => {
    const id = readGuideSubject(subject)
    if (id === undefined || (await options.isKnown(id, data))) return
    if (verifier?.isValid(subject, data, headers?.get(SIGNATURE_HEADER)) === false) {
      logUnverified(new Error(subject))
      droppedBy = verifier.keys()
    } else await options.onGuide(id, data)
  }
  const follow = async (nc: NatsConnection) => {
    const { messages, created, isSame } = await openDelivery(nc, bus.user, position, GUIDE_STREAM)
    if (!isSame) position = undefined
    const signal = AbortSignal.any([stop.signal, bus.lost()])
    for await (const [message, at] of orderedMessages(nc, messages, signal, { doHeartbeatsCount: true })) {
      await handle(message).catch(logFault)
      position = { created, streamSequence: at.streamSequence, storedMs: at.storedMs }
      if (droppedBy === undefined || droppedBy === verifier?.keys()) continue
      // With other keys, dropped messages may be valid: everything is read again.
      droppedBy = undefined
      position = undefined
      return
    }
  }
  const keepFollowing = async () => {
    while (!stop.signal.aborted) {
      const nc = bus.connection()
      if (nc !== undefined)
        await follow(nc).catch((error: unknown) =>
          logger.debug({ error: (error as Error).message }, 'could not follow guides; retrying'),
        )
      await setTimeout(RETRY_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const following = keepFollowing()
  return {
    async close() {
      stop.abort()
      await following
    },
  }
}
