import { randomUUID } from 'node:crypto'
import { blockWrites, type WriteBlock } from './block-writes.ts'
import { carriedOutBy, type Effects } from './effects.ts'
import type { IdempotencySystem } from './idempotency-system.ts'
import { manyWrites, type Sending, sendWrite, shown, type Write, type WriteAnswer } from './writes.ts'

/** The results of the copies of a write whose first one was blocked. */
export interface Blocked {
  /** All copies but the first got the same answer, a success. */
  readonly areAlike: boolean
  /** Of the first; undefined where its client had disconnected. */
  readonly first: WriteAnswer | undefined
  /** The first one carried out the write, and no other. */
  readonly isOfFirst: boolean
  readonly wrongRows: number
  /** Why the write could not be blocked; the rest is then meaningless. */
  readonly failure?: string
}

const notBlocked = (error: unknown): Blocked => ({
  areAlike: false,
  first: undefined,
  isOfFirst: false,
  wrongRows: 0,
  failure: String(error),
})

interface Scene {
  /** The process that the first copy is sent to. */
  readonly api: string
  /** What happens while the write is blocked, before copies are sent. */
  readonly meanwhile?: (first: Promise<WriteAnswer>, leave: () => void) => Promise<unknown>
}

/** Blocks writes one after another, sends copies of each to both processes, and unblocks it. */
async function blockEach(
  it: IdempotencySystem,
  effects: Effects,
  writes: readonly Write[],
  scene: Scene,
): Promise<Blocked[]> {
  const results: Blocked[] = []
  for (const write of writes) {
    results.push(await blockOne(it, effects, write, scene).catch(notBlocked))
  }
  return results
}

async function blockOne(
  it: IdempotencySystem,
  effects: Effects,
  write: Write,
  scene: Scene,
): Promise<Blocked> {
  const before = await effects.count()
  const block = await blockWrites(it)
  const sent = await sendBlocked(it, block, write, scene).finally(() => block.release())
  const copies = await Promise.all(sent.copies)
  copies.push(await sendWrite({ ...sent.sending, api: it.apis[1] }))
  const [by, ...others] = await carriedOutBy(it.database, [
    sent.firstId,
    ...copies.map(({ requestId }) => requestId),
  ])
  return {
    areAlike: copies.every((copy) => copy.status === 201 && shown(copy) === shown(copies[0]!)),
    first: await sent.first.catch(() => undefined),
    isOfFirst: by === sent.firstId && others.length === 0,
    wrongRows: await effects.countWrongRows(before, [write]),
  }
}

async function sendBlocked(
  it: IdempotencySystem,
  block: WriteBlock,
  write: Write,
  { api, meanwhile }: Scene,
) {
  const sending: Omit<Sending, 'api'> = { account: it.one, key: randomUUID(), write }
  const leaving = new AbortController()
  const firstId = randomUUID()
  const first = sendWrite({ ...sending, api, requestId: firstId, signal: leaving.signal })
  // The result is awaited later.
  first.catch(() => {})
  await block.untilBlocked(1)
  await meanwhile?.(first, () => leaving.abort())
  const copies = it.apis.map((api) => sendWrite({ ...sending, api }))
  // Unhandled if untilWaiting fails.
  for (const copy of copies) copy.catch(() => {})
  await block.untilWaiting(copies.length)
  return { sending, firstId, first, copies }
}

/** The client of the first one waits. */
export const blockFirst = (it: IdempotencySystem, effects: Effects, count: number): Promise<Blocked[]> =>
  blockEach(it, effects, manyWrites(count), { api: it.apis[0] })

/** The client of the first one disconnects while it is blocked. */
export const blockWhileClientLeaves = (
  it: IdempotencySystem,
  effects: Effects,
  count: number,
): Promise<Blocked[]> =>
  blockEach(it, effects, manyWrites(count), {
    api: it.apis[0],
    meanwhile: async (first, leave) => {
      leave()
      await first.catch(() => {})
    },
  })

/** The process of the first one has a short deadline, and answers before the copies are sent. */
export const blockPastDeadline = (
  it: IdempotencySystem,
  effects: Effects,
  count: number,
  hastyApi: string,
): Promise<Blocked[]> =>
  blockEach(it, effects, manyWrites(count), { api: hastyApi, meanwhile: (first) => first })
