import { createHash, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import { SIGNATURE_HEADER } from '../../packages/server/src/platform/feed/feed-signature.ts'
import { parsePublicKeys } from '../../packages/server/src/platform/signing-keys/keys-file.ts'
import type { Thief } from './thief.ts'

/** All that the stream of the feed is and holds, but for heartbeats, of which the last sixteen are kept. */
export interface StreamContent {
  readonly settings: string
  readonly consumers: number
  readonly messages: ReadonlyMap<number, string>
  /** Messages without a valid signature. */
  readonly unsigned: number
  readonly list: readonly StoredMsg[]
}

export type ReadContent = () => Promise<StreamContent>

/** Read as the owner; signatures are checked here anew, and not by the code that nodes use. */
export async function contentReader(owner: Thief, publicKeysFile: string): Promise<ReadContent> {
  const manager = await jetstreamManager(owner.connection)
  const read = parsePublicKeys('', publicKeysFile, await readFile(publicKeysFile, 'utf8'))
  if (read.kind === 'refused') throw new Error(read.fault)
  const isSigned = ({ subject, data, header }: StoredMsg): boolean => {
    const [kid = '', signature = ''] = header.get(SIGNATURE_HEADER).split('.')
    const key = read.keys.get(kid)?.publicKey
    const bytes = Buffer.concat([Buffer.from(`continuity feed 1\n${subject}\n`), data])
    return key !== undefined && verify(null, bytes, key, Buffer.from(signature, 'base64url'))
  }
  return async () => {
    const { config, created, state } = await manager.streams.info('FEED')
    const list = await listMessages(manager, state.first_seq, state.last_seq)
    return {
      settings: JSON.stringify([created, config]),
      consumers: state.consumer_count,
      messages: new Map(
        list
          .filter(({ subject }) => subject !== 'feed.beat')
          .map((message) => [message.seq, hashOf(message)]),
      ),
      unsigned: list.filter((message) => !isSigned(message)).length,
      list,
    }
  }
}

async function listMessages(manager: JetStreamManager, first: number, last: number): Promise<StoredMsg[]> {
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const found = await Promise.all(
    numbers.map((seq) => manager.streams.getMessage('FEED', { seq }).catch(() => null)),
  )
  return found.filter((message) => message !== null)
}

const hashOf = ({ subject, data }: StoredMsg): string =>
  createHash('sha256').update(subject).update('\n').update(data).digest('hex')

/** What is wrong with the stream now that was not before; undefined for nothing. New signed messages are no harm. */
export function findEffect(before: StreamContent, after: StreamContent): string | undefined {
  if (before.settings !== after.settings) return 'the stream is another, or has other settings'
  if (after.unsigned > before.unsigned) return 'the stream holds a message without a valid signature'
  for (const [seq, hash] of before.messages)
    if (after.messages.get(seq) !== hash) return `message ${seq} is gone or another`
  return undefined
}
