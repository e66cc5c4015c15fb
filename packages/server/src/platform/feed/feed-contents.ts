import { applyUpdate, type ChannelState } from '@continuity/core/feed/channel-state'
import { type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import { AckPolicy, type ConsumerConfig, DeliverPolicy } from '@nats-io/jetstream'
import { createInbox, type Msg, type MsgHdrs, type NatsConnection, nanos } from '@nats-io/transport-node'
import { inboxPrefixOf } from '../bus/bus.ts'
import { readDelivery } from './delivery.ts'
import { type FeedSigner, SIGNATURE_HEADER } from './feed-signature.ts'
import { manageStreams } from './feed-stream.ts'
import {
  FEED_STREAM,
  type FeedChannelId,
  readUpdateSubject,
  UPDATE_SUBJECTS,
  updateSubject,
} from './feed-subjects.ts'
import { readUpdate } from './read-update.ts'

/** The last update of a channel in the stream. */
export interface StreamVersion extends FeedVersion {
  readonly id: FeedChannelId
}

const VERSION_HEADER = 'Continuity-Feed-Version'

/** A header, so that the versions of all channels can be read without their timelines. It is not signed. */
export const versionHeader = ({ epoch, version }: FeedVersion): readonly [string, string] => [
  VERSION_HEADER,
  `${epoch}.${version}`,
]

function readVersionHeader(headers: MsgHdrs | undefined): FeedVersion | undefined {
  const text = headers?.get(VERSION_HEADER) ?? ''
  if (!/^\d{1,15}\.\d{1,15}$/.test(text)) return undefined
  const [epoch, version] = text.split('.').map(Number)
  return { epoch: epoch!, version: version! }
}

/** Recognises messages signed by one of our processes. Undefined where nothing is signed. */
export type Verifier = Pick<FeedSigner, 'isValid'> | undefined

/** The version of a channel's last update in the stream; undefined without a trusted one. */
export async function findLastVersion(
  nc: NatsConnection,
  subject: string,
  verifier: Verifier,
): Promise<FeedVersion | undefined> {
  const { streams } = await manageStreams(nc)
  const last = await streams.getMessage(FEED_STREAM, { last_by_subj: subject })
  if (last === null || !isTrusted(verifier, subject, last.data, last.header)) return undefined
  const message = readUpdate(last.data)
  return message && { epoch: message.epoch, version: message.version }
}

const isTrusted = (
  verifier: Verifier,
  subject: string,
  data: Uint8Array,
  headers: MsgHdrs | undefined,
): boolean => verifier?.isValid(subject, data, headers?.get(SIGNATURE_HEADER)) ?? true

/**
 * The last update of every channel in the stream, by headers only. The versions are not verified: one that matters is
 * read again with `readPublished`.
 */
export async function listLastVersions(nc: NatsConnection, user: string): Promise<readonly StreamVersion[]> {
  const found: StreamVersion[] = []
  const lastOfEach = { deliver_policy: DeliverPolicy.LastPerSubject, headers_only: true }
  for await (const { subject, headers } of storedMessages(nc, user, UPDATE_SUBJECTS, lastOfEach)) {
    const id = readUpdateSubject(subject)
    const version = readVersionHeader(headers)
    if (id !== undefined && version !== undefined) found.push({ id, ...version })
  }
  return found
}

/** A channel as nodes know it that have read the stream; undefined where the stream does not hold enough of it. */
export async function readPublished(
  nc: NatsConnection,
  user: string,
  id: FeedChannelId,
  verifier: Verifier,
): Promise<ChannelState | undefined> {
  let state: ChannelState | undefined
  let newest: FeedVersion | undefined
  const all = { deliver_policy: DeliverPolicy.All }
  for await (const { subject, data, headers } of storedMessages(nc, user, updateSubject(id), all)) {
    const message = isTrusted(verifier, subject, data, headers) ? readUpdate(data) : undefined
    if (message === undefined) continue
    const result = applyUpdate(state, message)
    if (result.kind === 'applied') state = result.state
    if (newest === undefined || isNewer(message, newest)) newest = message
  }
  // A state without the newest update is not what nodes have.
  const isComplete = state !== undefined && newest !== undefined && !isNewer(newest, state)
  return isComplete ? state : undefined
}

/** A server that sends nothing for so long has stopped. */
const SILENCE_MS = 5_000

/** The messages of a subject that are stored now. */
async function* storedMessages(
  nc: NatsConnection,
  user: string,
  subject: string,
  delivery: Pick<ConsumerConfig, 'deliver_policy'> & Partial<ConsumerConfig>,
): AsyncGenerator<Msg> {
  const { consumers } = await manageStreams(nc)
  const inbox = createInbox(inboxPrefixOf(user))
  const messages = nc.subscribe(inbox)
  const silence = setTimeout(() => messages.unsubscribe(), SILENCE_MS)
  try {
    const { num_pending: count } = await consumers.add(FEED_STREAM, {
      ...delivery,
      ack_policy: AckPolicy.None,
      filter_subject: subject,
      mem_storage: true,
      num_replicas: 1,
      deliver_subject: inbox,
      // It is removed this long after its inbox.
      inactive_threshold: nanos(1_000),
    })
    let isDone = count === 0
    for await (const message of isDone ? [] : messages) {
      silence.refresh()
      yield message
      isDone = readDelivery(message.reply)?.pending === 0
      if (isDone) break
    }
    if (!isDone) throw new Error('the feed stream stopped sending')
  } finally {
    clearTimeout(silence)
    messages.unsubscribe()
  }
}
