import { AckPolicy, type ConsumerConfig, DeliverPolicy } from '@nats-io/jetstream'
import { createInbox, type NatsConnection, nanos, type Subscription } from '@nats-io/transport-node'
import { findStream, manageStreams } from './feed-stream.ts'
import { deliveryPrefix, FEED_STREAM } from './feed-subjects.ts'

/** How far a follower has come, and in which stream: one that was made anew has the same name. */
export interface Place {
  readonly created: string
  readonly streamSequence: number
  readonly storedMs: number
}

/** What a stream holds, in order, and then what it is told. */
export interface OpenDelivery {
  readonly messages: Subscription
  readonly created: string
  /** The stream is that of the place. */
  readonly isSame: boolean
  /** The last message that was there when it was opened. */
  readonly untilSequence: number
  /** Nothing is there that was not handed over before. */
  readonly isCaughtUp: boolean
}

/** What was stored since the place, or everything where the stream is another than that of the place. */
export async function openDelivery(
  nc: NatsConnection,
  user: string,
  place: Place | undefined,
): Promise<OpenDelivery> {
  const { consumers } = await manageStreams(nc)
  const stream = await findStream(nc)
  if (stream === undefined) throw new Error('there is no stream')
  const { created, state } = stream
  const isSame = place?.created === created && place.streamSequence <= state.last_seq
  const inbox = createInbox(deliveryPrefix(user))
  const messages = nc.subscribe(inbox)
  try {
    const from = place !== undefined && isSame ? since(place) : { deliver_policy: DeliverPolicy.All }
    const { num_pending } = await consumers.add(FEED_STREAM, { ...orderly, ...from, deliver_subject: inbox })
    // A consumer dies with its stream, so this one is of the stream that was looked at if that is still there.
    if ((await findStream(nc))?.created !== created) throw new Error('the stream was made anew meanwhile')
    const isCaughtUp = num_pending === 0 || (isSame && place.streamSequence === state.last_seq)
    return { messages, created, isSame, untilSequence: state.last_seq, isCaughtUp }
  } catch (error) {
    messages.unsubscribe()
    throw error
  }
}

/**
 * By the server's time, and not by the sequence number: a server that lost the end of its store gives the same numbers
 * to other messages. Some seconds earlier, since the clocks of three servers differ.
 */
const since = ({ storedMs }: Place) => ({
  deliver_policy: DeliverPolicy.StartTime,
  opt_start_time: new Date(storedMs - 10_000).toISOString(),
})

/** A consumer that lives in memory while it has a subscriber, sends each message once and waits for flow control. */
export const orderly = {
  ack_policy: AckPolicy.None,
  max_deliver: 1,
  mem_storage: true,
  num_replicas: 1,
  flow_control: true,
  // The server asks for it beside flow control.
  idle_heartbeat: nanos(1_000),
  inactive_threshold: nanos(5_000),
} as const satisfies Partial<ConsumerConfig>
