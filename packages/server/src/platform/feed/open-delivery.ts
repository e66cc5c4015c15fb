import { AckPolicy, type ConsumerConfig, DeliverPolicy } from '@nats-io/jetstream'
import { createInbox, type NatsConnection, nanos, type Subscription } from '@nats-io/transport-node'
import { findStream, manageStreams } from './feed-stream.ts'
import { deliveryPrefix, FEED_STREAM } from './feed-subjects.ts'

/** How far a follower has come, and in which stream: a recreated one has the same name. */
export interface FeedPosition {
  readonly created: string
  readonly streamSequence: number
  readonly storedMs: number
}

/** The messages of a stream, in order, and then new ones. */
export interface OpenDelivery {
  readonly messages: Subscription
  readonly created: string
  /** The stream is that of the position. */
  readonly isSame: boolean
  /** The last message that was stored when it was opened. */
  readonly untilSequence: number
  /** All stored messages were delivered before. */
  readonly isCaughtUp: boolean
}

/** Delivers what was stored since the position, or everything where the stream is another one. */
export async function openDelivery(
  nc: NatsConnection,
  user: string,
  position: FeedPosition | undefined,
  name: string = FEED_STREAM,
): Promise<OpenDelivery> {
  const { consumers } = await manageStreams(nc)
  const stream = await findStream(nc, name)
  if (stream === undefined) throw new Error(`the stream ${name} does not exist`)
  const { created, state } = stream
  const isSame = position?.created === created && position.streamSequence <= state.last_seq
  const inbox = createInbox(deliveryPrefix(user))
  const messages = nc.subscribe(inbox)
  try {
    const from = position !== undefined && isSame ? since(position) : { deliver_policy: DeliverPolicy.All }
    const { num_pending } = await consumers.add(name, { ...orderly, ...from, deliver_subject: inbox })
    // A consumer is deleted with its stream, so this one belongs to the stream found above if that still exists.
    if ((await findStream(nc, name))?.created !== created)
      throw new Error(`the stream ${name} was recreated meanwhile`)
    const isCaughtUp = num_pending === 0 || (isSame && position.streamSequence === state.last_seq)
    return { messages, created, isSame, untilSequence: state.last_seq, isCaughtUp }
  } catch (error) {
    messages.unsubscribe()
    throw error
  }
}

/**
 * By the server's time, not by sequence: a server that lost the end of its store assigns the same numbers to other
 * messages. Some seconds earlier, since the clocks of three servers differ.
 */
const since = ({ storedMs }: FeedPosition) => ({
  deliver_policy: DeliverPolicy.StartTime,
  opt_start_time: new Date(storedMs - 10_000).toISOString(),
})

/** An in-memory consumer that exists while it has a subscriber, sends each message once and uses flow control. */
export const orderly = {
  ack_policy: AckPolicy.None,
  max_deliver: 1,
  mem_storage: true,
  num_replicas: 1,
  flow_control: true,
  // The server requires it with flow control.
  idle_heartbeat: nanos(1_000),
  inactive_threshold: nanos(5_000),
} as const satisfies Partial<ConsumerConfig>
