import { randomUUID } from 'node:crypto'
import { addressesOf, type Endpoint, operations } from '@continuity/contract'
import type { Account } from './idempotency-system.ts'

/** A request that must be carried out once. */
export interface Write {
  readonly kind: WriteKind
  readonly e: Endpoint
  readonly body: object
  /** A text that is in the database after the write. */
  readonly text: string
}

const { createAppKey, createBrand, createLinearChannel, createUser } = operations

/** The word makes each write unique. */
const kinds = {
  channel: (word: string) => ({ e: createLinearChannel, body: { title: `Channel ${word}` } }),
  brand: (word: string) => ({ e: createBrand, body: { brand_id: `brand-${word}`, name: word } }),
  appKey: (word: string) => ({ e: createAppKey, body: { app_name: `app-${word}` } }),
  user: (word: string) => ({
    e: createUser,
    body: { email: `${word}@writes.example`, password: passwordOf(word), roles: ['ROLE_USER'] },
  }),
} as const

export type WriteKind = keyof typeof kinds
export const writeKinds = Object.keys(kinds) as WriteKind[]

export const anWrite = (kind: WriteKind, word = randomUUID()): Write => ({
  kind,
  text: word,
  ...kinds[kind](word),
})

/** Few users: each copy of such a write computes a password hash. */
const CYCLE: readonly WriteKind[] = [
  ...(['channel', 'brand', 'appKey'] as const),
  ...(['channel', 'brand', 'appKey'] as const),
  ...(['channel', 'brand', 'appKey'] as const),
  'user',
]

export const manyWrites = (count: number): Write[] =>
  Array.from({ length: count }, (_, i) => anWrite(CYCLE[i % CYCLE.length]!))

/** Texts that must not be in the database: passwords that were sent, and app keys that were returned. */
export function secretsOf({ kind, body }: Write, answer: string): string[] {
  if (kind === 'user') return [(body as { password: string }).password]
  if (kind !== 'appKey') return []
  const { sdk_key } = JSON.parse(answer) as { sdk_key?: string }
  return sdk_key === undefined ? [] : [sdk_key]
}

const passwordOf = (word: string) => `secret of ${word}`

export interface WriteAnswer {
  readonly status: number
  /** Of a problem. */
  readonly code: string | undefined
  readonly text: string
  readonly etag: string | null
  readonly retryAfter: string | null
  /** Also in the audit entry. */
  readonly requestId: string
  readonly sentMs: number
  readonly endedMs: number
}

export interface Sending {
  readonly api: string
  readonly account: Account
  readonly key: string
  readonly write: Write
  readonly requestId?: string
  /** The client disconnects when it aborts. */
  readonly signal?: AbortSignal
}

/** Longer than the request deadline of a process. */
const TIMEOUT_MS = 15_000

/** Sends once, without retries. */
export async function sendWrite(sending: Sending): Promise<WriteAnswer> {
  const { api, account, key, write, requestId = randomUUID() } = sending
  const accountHeaders = await account.headers()
  const sentMs = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(`${api}${addressesOf(write.e)[0]!}`, {
    method: write.e.method,
    headers: {
      ...accountHeaders,
      'content-type': 'application/json',
      'idempotency-key': key,
      'x-request-id': requestId,
    },
    body: JSON.stringify(write.body),
    signal: sending.signal === undefined ? timeout : AbortSignal.any([timeout, sending.signal]),
  })
  const text = await answer.text()
  const { status, headers } = answer
  const code = status < 400 ? undefined : (JSON.parse(text) as { code: string }).code
  return {
    status,
    code,
    text,
    etag: headers.get('etag'),
    retryAfter: headers.get('retry-after'),
    requestId,
    sentMs,
    endedMs: performance.now(),
  }
}

/** The parts of an answer that are the same for all copies of a write. */
export const shown = ({ status, text, etag }: WriteAnswer): string => `${status} ${etag ?? ''} ${text}`
