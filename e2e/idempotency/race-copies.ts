import { randomUUID } from 'node:crypto'
import { severalAtOnce } from '../sessions/several-at-once.ts'
import { countClearSecrets } from './clear-secrets.ts'
import { carriedOutBy, type Effects } from './effects.ts'
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
  /** Keys whose copies had all been sent before the first of them was answered. */
  readonly atOnce: number
  /** Keys of which not all copies were answered alike, and with success. */
  readonly unequal: number
  /** Keys of which the audit record names exactly one copy. */
  readonly doneByOne: number
  readonly rowsAmiss: number
  /** Other requests under a key that was used, and how many of them were refused as they should be. */
  readonly otherRequests: number
  readonly otherRequestsRefused: number
  /** The same keys and orders in another account: how many were carried out there as well. */
  readonly otherAccountDone: number
  readonly secrets: number
  readonly secretsInClear: number
  /** Texts of the orders that the database does hold: the search for secrets finds what is there. */
  readonly textsInClear: number
}

/** Sends all copies of an order at once, to both processes in turn. Then tries each key for what it is not meant for. */
export async function raceCopies(
  it: OrderSystem,
  effects: Effects,
  { keys, copies, say }: { readonly keys: number; readonly copies: number; say(line: string): void },
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
  const carriers = await severalAtOnce(KEYS_AT_ONCE, raced, ({ answers }) =>
    carriedOutBy(
      it.database,
      answers.map(({ requestId }) => requestId),
    ),
  )
  const secrets = raced.flatMap(({ order, answers }) => secretsOf(order, answers[0]!.text))
  const unequal = raced.filter(({ answers }) => !areAlike(answers))
  for (const { order, answers } of unequal.slice(0, 5)) {
    say(`copies of one ${order.kind}: ${answers.map(shown).join(' | ').slice(0, 500)}`)
  }
  return {
    answers: raced.flatMap(({ answers }) => answers).length,
    atOnce: raced.filter(({ answers }) => areAtOnce(answers)).length,
    unequal: unequal.length,
    doneByOne: carriers.filter((ids) => ids.length === 1).length,
    rowsAmiss: await effects.amiss(before, [...orders, ...orders]),
    otherRequests: others.flat().length,
    otherRequestsRefused: others.flat().filter(({ code }) => code === 'idempotency.key_reused').length,
    otherAccountDone: foreign.filter(areAlike).length,
    secrets: secrets.length,
    secretsInClear: await countClearSecrets(it.database, secrets),
    textsInClear: await countClearSecrets(
      it.database,
      orders.flatMap(({ text }) => text),
    ),
  }
}

const sendCopies = (it: OrderSystem, account: Account, key: string, order: Order, copies: number) =>
  Promise.all(
    Array.from({ length: copies }, (_, i) => sendOrder({ api: it.apis[i % 2]!, account, key, order })),
  )

const areAtOnce = (answers: readonly OrderAnswer[]): boolean =>
  Math.max(...answers.map(({ sentMs }) => sentMs)) < Math.min(...answers.map(({ endedMs }) => endedMs))

const areAlike = (answers: readonly OrderAnswer[]): boolean =>
  answers[0]!.status === 201 && answers.every((answer) => shown(answer) === shown(answers[0]!))
