import { randomUUID } from 'node:crypto'
import { severalAtOnce } from '../sessions/several-at-once.ts'
import { countClearSecrets } from './clear-secrets.ts'
import type { Effects } from './effects.ts'
import type { Account, OrderSystem } from './order-system.ts'
import {
  anOrder,
  manyOrders,
  type Order,
  type OrderAnswer,
  orderKinds,
  secretsOf,
  sendOrder,
  shown,
} from './orders.ts'

/** Keys at a time. Their copies together are more than the two processes have connections to the database. */
const KEYS_AT_ONCE = 4

export interface Raced {
  readonly answers: number
  /** Keys of which not all copies were answered alike, and with success. */
  readonly unequal: number
  readonly rowsAmiss: number
  /** Other requests under a key that was used, and how many of them were refused as they should be. */
  readonly otherRequests: number
  readonly otherRequestsRefused: number
  /** The same keys and orders in another account: how many were carried out there as well. */
  readonly otherAccountDone: number
  readonly secretsInClear: number
}

/** Sends all copies of an order at once, to both processes in turn. Then tries each key for what it is not meant for. */
export async function raceCopies(
  it: OrderSystem,
  effects: Effects,
  { keys, copies }: { readonly keys: number; readonly copies: number },
): Promise<Raced> {
  const orders = manyOrders(keys)
  const before = await effects.count()
  const raced = await severalAtOnce(KEYS_AT_ONCE, orders, async (order) => {
    const key = randomUUID()
    return { order, key, answers: await sendCopies(it, it.one, key, order, copies) }
  })
  const others = await severalAtOnce(KEYS_AT_ONCE, raced, async ({ key, order }, i) => {
    const sending = { api: it.apis[i % 2]!, account: it.one, key }
    const otherKind = orderKinds[(orderKinds.indexOf(order.kind) + 1) % orderKinds.length]!
    return [
      await sendOrder({ ...sending, order: anOrder(order.kind) }),
      await sendOrder({ ...sending, order: anOrder(otherKind) }),
    ]
  })
  const foreign = await severalAtOnce(KEYS_AT_ONCE, raced, ({ key, order }) =>
    sendCopies(it, it.other, key, order, 2),
  )
  const secrets = raced.flatMap(({ order, answers }) => secretsOf(order, answers[0]!.text))
  return {
    answers: raced.flatMap(({ answers }) => answers).length,
    unequal: raced.filter(({ answers }) => !areAlike(answers)).length,
    rowsAmiss: await effects.amiss(before, [...orders, ...orders]),
    otherRequests: others.flat().length,
    otherRequestsRefused: others.flat().filter(({ code }) => code === 'idempotency.key_reused').length,
    otherAccountDone: foreign.filter(areAlike).length,
    secretsInClear: await countClearSecrets(it.database, secrets),
  }
}

const sendCopies = (it: OrderSystem, account: Account, key: string, order: Order, copies: number) =>
  Promise.all(
    Array.from({ length: copies }, (_, i) => sendOrder({ api: it.apis[i % 2]!, account, key, order })),
  )

const areAlike = (answers: readonly OrderAnswer[]): boolean =>
  answers[0]!.status === 201 && answers.every((answer) => shown(answer) === shown(answers[0]!))
