import { randomUUID } from 'node:crypto'
import { carriedOutBy, type Effects } from './effects.ts'
import { type Hold, holdOrders } from './hold.ts'
import type { OrderSystem } from './order-system.ts'
import { manyOrders, type Order, type OrderAnswer, type Sending, sendOrder, shown } from './orders.ts'

/** How the copies of an order fared whose first one was held up. */
export interface Held {
  /** All copies but the first had one answer, a success. */
  readonly areAlike: boolean
  /** Of the first; undefined where its client had gone. */
  readonly first: OrderAnswer | undefined
  /** The answer was the first one's own work, and no other's. */
  readonly isOfFirst: boolean
  readonly rowsAmiss: number
  /** Why the order could not be held up; the rest is then without meaning. */
  readonly failure?: string
}

const notHeld = (error: unknown): Held => ({
  areAlike: false,
  first: undefined,
  isOfFirst: false,
  rowsAmiss: 0,
  failure: String(error),
})

interface Scene {
  /** The process that the first copy is sent to. */
  readonly api: string
  /** What happens when the order is held, before copies are sent. */
  readonly meanwhile?: (first: Promise<OrderAnswer>, leave: () => void) => Promise<unknown>
}

/** Holds orders one after the other, sends copies of each to both processes, and lets it go. */
async function holdEach(
  it: OrderSystem,
  effects: Effects,
  orders: readonly Order[],
  scene: Scene,
): Promise<Held[]> {
  const results: Held[] = []
  for (const order of orders) {
    results.push(await holdOne(it, effects, order, scene).catch(notHeld))
  }
  return results
}

async function holdOne(it: OrderSystem, effects: Effects, order: Order, scene: Scene): Promise<Held> {
  const before = await effects.count()
  const hold = await holdOrders(it)
  const sent = await sendHeld(it, hold, order, scene).finally(() => hold.release())
  const copies = await Promise.all(sent.copies)
  copies.push(await sendOrder({ ...sent.sending, api: it.apis[1] }))
  const [by, ...others] = await carriedOutBy(it.database, [
    sent.firstId,
    ...copies.map(({ requestId }) => requestId),
  ])
  return {
    areAlike: copies.every((copy) => copy.status === 201 && shown(copy) === shown(copies[0]!)),
    first: await sent.first.catch(() => undefined),
    isOfFirst: by === sent.firstId && others.length === 0,
    rowsAmiss: await effects.amiss(before, [order]),
  }
}

async function sendHeld(it: OrderSystem, hold: Hold, order: Order, { api, meanwhile }: Scene) {
  const sending: Omit<Sending, 'api'> = { account: it.one, key: randomUUID(), order }
  const leaving = new AbortController()
  const firstId = randomUUID()
  const first = sendOrder({ ...sending, api, requestId: firstId, signal: leaving.signal })
  // Who looks at it looks later.
  first.catch(() => {})
  await hold.untilHeld(1)
  await meanwhile?.(first, () => leaving.abort())
  const copies = it.apis.map((api) => sendOrder({ ...sending, api }))
  // Where they do not come to wait, nobody reads their answers.
  for (const copy of copies) copy.catch(() => {})
  await hold.untilWaiting(copies.length)
  return { sending, firstId, first, copies }
}

/** The first one is in no hurry, and its client waits. */
export const holdFirst = (it: OrderSystem, effects: Effects, count: number): Promise<Held[]> =>
  holdEach(it, effects, manyOrders(count), { api: it.apis[0] })

/** The client of the first one goes away while it is held. */
export const holdWhileClientLeaves = (it: OrderSystem, effects: Effects, count: number): Promise<Held[]> =>
  holdEach(it, effects, manyOrders(count), {
    api: it.apis[0],
    meanwhile: async (first, leave) => {
      leave()
      await first.catch(() => {})
    },
  })

/** The process of the first one has little patience, and has answered before the copies are sent. */
export const holdPastDeadline = (
  it: OrderSystem,
  effects: Effects,
  count: number,
  hastyApi: string,
): Promise<Held[]> => holdEach(it, effects, manyOrders(count), { api: hastyApi, meanwhile: (first) => first })
