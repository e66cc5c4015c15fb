import { generateKeyPairSync, sign } from 'node:crypto'
import { decodeUpdate, encodeUpdate } from '@continuity/core/feed/feed-codec'
import type { StoredMsg } from '@nats-io/jetstream'
import { SIGNATURE_HEADER } from '../../packages/server/src/platform/feed/feed-signature.ts'
import { type Outcome, type Thief, withHeader } from './thief.ts'

/** What an attacker may know, much of it from an insider. */
export interface Loot {
  /** A snapshot that was published, and the oldest message of the same channel. */
  readonly snapshot: StoredMsg
  readonly oldest: StoredMsg
  /** The id of the key that signs. */
  readonly kid: string
  /** The consumer of another node, and its delivery subject. */
  readonly consumer: { readonly name: string; readonly inbox: string }
}

/** One way to disturb the feed. */
export interface Attempt {
  readonly name: string
  /** Whether NATS denies it. An attempt that NATS accepts must still have no effect. */
  readonly expected: Outcome
  try(thief: Thief, loot: Loot): Promise<Outcome>
}

const API = '$JS.API'

export const attempts: readonly Attempt[] = [
  publishing('an update that is not signed', ({ snapshot }) => [snapshot.subject, gone(snapshot)]),
  publishing('a snapshot signed with a key of the thief', ({ snapshot, kid }) => {
    const body = gone(snapshot)
    return [snapshot.subject, body, SIGNATURE_HEADER, ownSignature(kid, snapshot.subject, body)]
  }),
  publishing('a heartbeat of an hour ahead', () => ['feed.beat', heartbeatAhead()]),
  publishing('a completeness marker', () => ['feed.mark', 'another stream']),
  publishing('a recorded message again', ({ snapshot }) => [snapshot.subject, ...recorded(snapshot)]),
  publishing('a recorded message on another channel', ({ snapshot }) => [
    `${snapshot.subject}x`,
    ...recorded(snapshot),
  ]),
  publishing('an old version', ({ oldest }) => [oldest.subject, ...recorded(oldest)]),
  publishing('a roll-up of a channel', ({ snapshot }) => [snapshot.subject, '', 'Nats-Rollup', 'sub']),
  requesting('delete the stream', `${API}.STREAM.DELETE.FEED`),
  requesting('purge the stream', `${API}.STREAM.PURGE.FEED`),
  requesting('make the stream keep one message', `${API}.STREAM.UPDATE.FEED`, { name: 'FEED', max_msgs: 1 }),
  requesting('delete a message', `${API}.STREAM.MSG.DELETE.FEED`, ({ snapshot }) => ({ seq: snapshot.seq })),
  requesting('read the stream past its consumer', `${API}.STREAM.MSG.GET.FEED`, { seq: 1 }),
  requesting('copy the stream out', `${API}.STREAM.SNAPSHOT.FEED`, {
    deliver_subject: '_INBOX_playout_1.copy',
  }),
  requesting('restore another stream in its place', `${API}.STREAM.RESTORE.FEED`, {
    config: { name: 'FEED' },
  }),
  requesting('make the stream elect anew', `${API}.STREAM.LEADER.STEPDOWN.FEED`),
  requesting('a stream that takes the same subjects', `${API}.STREAM.CREATE.OTHER`, {
    name: 'OTHER',
    subjects: ['feed.>'],
  }),
  requesting('a mirror of the stream', `${API}.STREAM.CREATE.COPY`, {
    name: 'COPY',
    mirror: { name: 'FEED' },
  }),
  requesting('a key-value bucket', `${API}.STREAM.CREATE.KV_feed`, {
    name: 'KV_feed',
    subjects: ['$KV.feed.>'],
  }),
  requesting('list the consumers of others', `${API}.CONSUMER.LIST.FEED`),
  requesting(
    'delete the consumer of another node',
    ({ consumer }) => `${API}.CONSUMER.DELETE.FEED.${consumer.name}`,
  ),
  requesting(
    'a durable consumer',
    `${API}.CONSUMER.DURABLE.CREATE.FEED.mine`,
    consumerOf({ durable_name: 'mine' }),
  ),
  consuming('a durable consumer by another name', {
    durable_name: 'mine',
    deliver_subject: 'feed.deliver.playout_1.a',
  }),
  consuming('a consumer that delivers onto a channel', ({ snapshot }) => ({
    deliver_subject: snapshot.subject,
  })),
  consuming('a consumer that delivers to JetStream', {
    deliver_subject: `${API}.STREAM.PURGE.FEED`,
    headers_only: true,
  }),
  consuming('a consumer that delivers to workers', { deliver_subject: 'feed.ask' }),
  consuming('a consumer that delivers to the API', { deliver_subject: 'continuity.credentials.ended' }),
  consuming('a consumer that delivers to another node', ({ consumer }) => ({
    deliver_subject: consumer.inbox,
  })),
  {
    name: 'an answer of JetStream onto a channel, twenty times',
    expected: 'taken',
    async try(thief, { snapshot }) {
      for (let time = 0; time < 20; time += 1)
        await thief.publish(`${API}.STREAM.INFO.FEED`, '', { reply: snapshot.subject })
      return 'taken'
    },
  },
  {
    name: 'an answer of JetStream to JetStream',
    expected: 'taken',
    try: (thief) => thief.publish(`${API}.STREAM.INFO.FEED`, '', { reply: `${API}.STREAM.PURGE.FEED` }),
  },
  publishing('a message to another node', ({ consumer, snapshot }) => [consumer.inbox, gone(snapshot)]),
  publishing('an acknowledgement of another consumer', ({ consumer }) => [
    `$JS.ACK.FEED.${consumer.name}.1.1.1.1.0`,
    '+TERM',
  ]),
  {
    name: 'flow control of another consumer',
    expected: 'taken',
    try: (thief, { consumer }) => thief.publish(`$JS.FC.FEED.${consumer.name}.abcd`),
  },
  publishing('an ended credential to the API', () => [
    'continuity.credentials.ended',
    JSON.stringify([{ kind: 'session', id: 'a', endedMs: 1 }]),
  ]),
  requesting('the state of the server', '$SYS.REQ.SERVER.PING'),
  publishing('an entry of a live log', () => ['live.log.one', '{}']),
  subscribing('everything', () => '>'),
  subscribing('the feed itself', () => 'feed.channel.>'),
  subscribing('the answers to workers', () => '_INBOX_worker.>'),
  subscribing('what is delivered to all nodes', () => 'feed.deliver.>'),
  subscribing('what is delivered to another node', ({ consumer }) => consumer.inbox),
  {
    name: 'twenty thousand requests for channels',
    expected: 'taken',
    async try(thief, { snapshot }) {
      const id = snapshot.subject.slice('feed.channel.'.length)
      for (let time = 0; time < 10_000; time += 1) {
        thief.connection.publish('feed.ask', id)
        thief.connection.publish('feed.ask', `${id.split('.')[0]}.${time}`)
      }
      return thief.publish('feed.ask', id)
    },
  },
]

function publishing(
  name: string,
  of: (loot: Loot) => readonly [string, (string | Uint8Array)?, string?, string?],
): Attempt {
  return {
    name: `publish ${name}`,
    expected: 'denied',
    try(thief, loot) {
      const [subject, body, header, value] = of(loot)
      return thief.publish(subject, body, header === undefined ? {} : withHeader(header, value!))
    },
  }
}

function requesting(
  name: string,
  subject: string | ((loot: Loot) => string),
  body: object | ((loot: Loot) => object) = {},
): Attempt {
  return {
    name,
    expected: 'denied',
    async try(thief, loot) {
      const { outcome } = await thief.request(given(subject, loot), given(body, loot))
      return outcome
    },
  }
}

/** A node may create consumers, and NATS does not check their delivery subjects. */
function consuming(name: string, config: object | ((loot: Loot) => object)): Attempt {
  return {
    name,
    expected: 'taken',
    async try(thief, loot) {
      const { outcome } = await thief.request(`${API}.CONSUMER.CREATE.FEED`, consumerOf(given(config, loot)))
      return outcome
    },
  }
}

function subscribing(name: string, subject: (loot: Loot) => string): Attempt {
  return {
    name: `listen to ${name}`,
    expected: 'denied',
    try: (thief, loot) => thief.subscribe(subject(loot)),
  }
}

function consumerOf(config: object): object {
  return { stream_name: 'FEED', config: { ack_policy: 'none', max_deliver: 1, ...config } }
}

const given = <T>(value: T | ((loot: Loot) => T), loot: Loot): T =>
  typeof value === 'function' ? (value as (loot: Loot) => T)(loot) : value

const recorded = ({ data, header }: StoredMsg) =>
  [data, SIGNATURE_HEADER, header.get(SIGNATURE_HEADER)] as const

/** An update that removes the outputs of a snapshot's channel, with a higher version. */
export function gone({ data }: StoredMsg): Uint8Array {
  const update = decodeUpdate(data)
  if (update?.kind !== 'whole') throw new Error('The message is not a snapshot.')
  return encodeUpdate({
    ...update,
    version: update.version + 1_000,
    channel: { ...update.channel, outputs: [] },
  })
}

export const heartbeatAhead = (): string => JSON.stringify({ now_ms: Date.now() + 3_600_000 })

function ownSignature(kid: string, subject: string, body: Uint8Array): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const bytes = Buffer.concat([Buffer.from(`continuity feed 1\n${subject}\n`), body])
  return `${kid}.${sign(null, bytes, privateKey).toString('base64url')}`
}
