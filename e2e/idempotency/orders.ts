import { randomUUID } from 'node:crypto'
import { addressesOf, type Endpoint, operations } from '@continuity/contract'
import type { Account } from './order-system.ts'

/** Something that must be done once. */
export interface Order {
  readonly kind: OrderKind
  readonly e: Endpoint
  readonly body: object
  /** Found in the database once it was carried out. */
  readonly text: string
}

const { createAppKey, createBrand, createLinearChannel, createUser } = operations

/** A word makes an order that can be carried out only once, or at least told from all others. */
const kinds = {
  channel: (word: string) => ({ e: createLinearChannel, body: { title: `Channel ${word}` } }),
  brand: (word: string) => ({ e: createBrand, body: { brand_id: `brand-${word}`, name: word } }),
  appKey: (word: string) => ({ e: createAppKey, body: { app_name: `app-${word}` } }),
  user: (word: string) => ({
    e: createUser,
    body: { email: `${word}@orders.example`, password: passwordOf(word), roles: ['ROLE_USER'] },
  }),
} as const

export type OrderKind = keyof typeof kinds
export const orderKinds = Object.keys(kinds) as OrderKind[]

export const anOrder = (kind: OrderKind, word = randomUUID()): Order => ({
  kind,
  text: word,
  ...kinds[kind](word),
})

/** Users are few: each copy of such an order computes a hash. */
const CYCLE: readonly OrderKind[] = [
  ...(['channel', 'brand', 'appKey'] as const),
  ...(['channel', 'brand', 'appKey'] as const),
  ...(['channel', 'brand', 'appKey'] as const),
  'user',
]

export const manyOrders = (count: number): Order[] =>
  Array.from({ length: count }, (_, i) => anOrder(CYCLE[i % CYCLE.length]!))

/** What must not be in the database: passwords that were sent, and keys that were answered. */
export function secretsOf({ kind, body }: Order, answer: string): string[] {
  if (kind === 'user') return [(body as { password: string }).password]
  if (kind !== 'appKey') return []
  const { sdk_key } = JSON.parse(answer) as { sdk_key?: string }
  return sdk_key === undefined ? [] : [sdk_key]
}

const passwordOf = (word: string) => `secret of ${word}`

export interface OrderAnswer {
  readonly status: number
  /** Of a problem. */
  readonly code: string | undefined
  readonly text: string
  readonly etag: string | null
  readonly retryAfter: string | null
  /** What the request was called, in the audit record too. */
  readonly requestId: string
  readonly sentMs: number
  readonly endedMs: number
}

export interface Sending {
  readonly api: string
  readonly account: Account
  readonly key: string
  readonly order: Order
  readonly requestId?: string
  /** The client goes away when it aborts. */
  readonly signal?: AbortSignal
}

/** More than a process gives itself for an answer. */
const TIMEOUT_MS = 15_000

/** Sends once, and tries nothing again. */
export async function sendOrder(sending: Sending): Promise<OrderAnswer> {
  const { api, account, key, order, requestId = randomUUID() } = sending
  const accountHeaders = await account.headers()
  const sentMs = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(`${api}${addressesOf(order.e)[0]!}`, {
    method: order.e.method,
    headers: {
      ...accountHeaders,
      'content-type': 'application/json',
      'idempotency-key': key,
      'x-request-id': requestId,
    },
    body: JSON.stringify(order.body),
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

/** What must be the same for all copies of an order. */
export const shown = ({ status, text, etag }: OrderAnswer): string => `${status} ${etag ?? ''} ${text}`
