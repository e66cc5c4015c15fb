import { randomUUID } from 'node:crypto'
import type { Effects } from './effects.ts'
import type { OrderSystem } from './order-system.ts'
import { anOrder, type Order, type OrderAnswer, orderKinds, sendOrder, shown } from './orders.ts'

const HOUR_MS = 3_600_000

export interface Refused {
  /** Keys whose first order was refused and whose second, another one, was carried out. */
  readonly usedAnew: number
  readonly keys: number
  readonly rowsAmiss: number
}

/** Sends orders that are refused, and then others under the same keys. */
export async function reuseRefused(it: OrderSystem, effects: Effects, keys: number): Promise<Refused> {
  const brand = anOrder('brand')
  await sendOrder({ api: it.apis[0], account: it.one, key: randomUUID(), order: brand })
  const before = await effects.count()
  const orders = Array.from({ length: keys }, () => anOrder('channel'))
  let usedAnew = 0
  for (const order of orders) {
    const sending = { account: it.one, key: randomUUID() }
    const refused = await sendOrder({ ...sending, api: it.apis[0], order: brand })
    const again = await sendOrder({ ...sending, api: it.apis[1], order: brand })
    const anew = await sendOrder({ ...sending, api: it.apis[1], order })
    if (refused.status === 409 && again.status === 409 && anew.status === 201) usedAnew += 1
  }
  return { usedAnew, keys, rowsAmiss: await effects.amiss(before, orders) }
}

export interface Expired {
  readonly keys: number
  /** A second before a day has passed, the first answer. */
  readonly keptForADay: number
  /** And then another order is carried out, on one process or the other. */
  readonly freeAfterADay: number
  readonly rowsAmiss: number
}

/** Moves the clock of both processes to the end of the keys' day, and past it. */
export async function outliveKeys(it: OrderSystem, effects: Effects): Promise<Expired> {
  const before = await effects.count()
  const orders = orderKinds.map((kind) => ({ key: randomUUID(), order: anOrder(kind), anew: anOrder(kind) }))
  const send = (key: string, order: Order, api: 0 | 1) =>
    sendOrder({ api: it.apis[api], account: it.one, key, order })
  // The day of the first key begins before this, that of the last one after.
  const beginMs = it.clock.nowMs()
  const first: OrderAnswer[] = []
  for (const { key, order } of orders) first.push(await send(key, order, 0))
  const endMs = it.clock.nowMs()

  await it.clock.order({ kind: 'set', toMs: beginMs + 24 * HOUR_MS - MARGIN_MS })
  const kept: OrderAnswer[] = []
  for (const { key, order } of orders) kept.push(await send(key, order, 1))
  await it.clock.order({ kind: 'set', toMs: Math.max(endMs + 24 * HOUR_MS, it.clock.nowMs()) })
  const anew: OrderAnswer[] = []
  for (const { key, anew: order } of orders) anew.push(await send(key, order, 1))
  const again: OrderAnswer[] = []
  for (const { key, anew: order } of orders) again.push(await send(key, order, 0))

  const rowsAmiss = await effects.amiss(
    before,
    orders.flatMap(({ order, anew }) => [order, anew]),
  )
  return {
    keys: orders.length,
    keptForADay: kept.filter((answer, i) => answer.status === 201 && shown(answer) === shown(first[i]!))
      .length,
    freeAfterADay: anew.filter((answer, i) => answer.status === 201 && shown(answer) === shown(again[i]!))
      .length,
    // A key that is taken over has its row already.
    rowsAmiss: rowsAmiss - orders.length,
  }
}

/** Longer than these few requests take, so that all of them come before the end. */
const MARGIN_MS = 60_000
