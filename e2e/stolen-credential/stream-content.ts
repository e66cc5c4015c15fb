import { createHash, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import { SIGNATURE_HEADER } from '../../packages/server/src/platform/feed/feed-signature.ts'
import { parsePublicKeys } from '../../packages/server/src/platform/signing-keys/keys-file.ts'
import type { Thief } from './thief.ts'

/** The settings and messages of the feed's stream, without heartbeats, of which the last sixteen are kept. */
export interface StreamContent {
  readonly settings: string
  readonly consumers: number
  readonly messages: ReadonlyMap<number, string>
  /** Messages without a valid signature. */
  readonly unsigned: number
  readonly list: readonly StoredMsg[]
}

export type ReadContent = () => Promise<StreamContent>

/** Reads as the owner; signatures are verified here, and not by the code that nodes use. */
export async function contentReader(owner: Thief, publicKeysFile: string): Promise<ReadContent> {
  const manager = await jetstreamManager(owner.connection)
  const read = parsePublicKeys('', publicKeysFile, await readFile(publicKeysFile, 'utf8'))
  if (read.kind === 'rejected') throw new Error(read.fault)
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

/** How the stream was damaged; undefined if it was not. New signed messages are allowed. */
export function findEffect(before: StreamContent, after: StreamContent): string | undefined {
  if (before.settings !== after.settings) return 'the stream was replaced, or its settings changed'
  if (after.unsigned > before.unsigned) return 'the stream has a message without a valid signature'
  for (const [seq, hash] of before.messages)
    if (after.messages.get(seq) !== hash) return `message ${seq} was deleted or changed`
  return undefined
}
