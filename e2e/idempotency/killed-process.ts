import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type AnotherApi, startAnotherApi } from '../another-api.ts'
import { carriedOutBy, type Effects } from './effects.ts'
import { holdOrders } from './hold.ts'
import type { OrderSystem } from './order-system.ts'
import { anOrder, manyOrders, type OrderAnswer, sendOrder, shown } from './orders.ts'

export interface Killed {
  /** Orders that the process had in hand, whose clients got no answer. */
  readonly unanswered: number
  /** How the process ended. */
  readonly exit: string
  /** Rows that a process left which was killed in the middle of an order. */
  readonly rowsLeft: number
  /** The copy that waited for its key has carried the order out. */
  readonly isDoneByCopy: boolean
  readonly rowsAmiss: number
}

/** Kills a process while it holds the key of an order and a copy of the order waits for that key. */
export async function killWhileHeld(it: OrderSystem, effects: Effects, name: string): Promise<Killed> {
  await using victim = await startVictim(it, name)
  const [waited, repeated] = [anOrder('channel'), anOrder('appKey')]
  const before = await effects.count()
  const hold = await holdOrders(it)
  const waiting = { account: it.one, key: randomUUID(), order: waited }
  const later = { account: it.one, key: randomUUID(), order: repeated }
  const lost = [waiting, later].map((sending) =>
    sendOrder({ ...sending, api: victim.baseUrl }).catch(() => undefined),
  )
  let copy: Promise<OrderAnswer>
  let unanswered = 0
  try {
    await hold.untilHeld(2)
    process.kill(victim.child.pid, 'SIGKILL')
    unanswered = (await Promise.all(lost)).filter((answer) => answer === undefined).length
    await victim.child.exited
    copy = sendOrder({ ...waiting, api: it.apis[0] })
    await hold.untilWaiting(1)
  } finally {
    await hold.release()
  }
  const answer = await copy
  await untilForgotten(it, name)
  const rowsLeft = await effects.amiss(before, [waited])
  const again = await sendOrder({ ...waiting, api: it.apis[1] })
  const repeat = await sendOrder({ ...later, api: it.apis[1] })
  const [by] = await carriedOutBy(it.database, [answer.requestId])
  const areDone = answer.status === 201 && repeat.status === 201 && shown(again) === shown(answer)
  return {
    unanswered,
    exit: await victim.child.exited,
    rowsLeft,
    isDoneByCopy: areDone && by === answer.requestId,
    rowsAmiss: await effects.amiss(before, [waited, repeated]),
  }
}

export interface KilledUnderLoad {
  readonly orders: number
  /** Orders that the process had answered before it was killed, and that got another answer afterwards. */
  readonly answeredOtherwise: number
  readonly notDone: number
  readonly rowsAmiss: number
  /** Orders that were answered with success before the process was killed, and those whose answer was lost with it. */
  readonly answered: number
  readonly unanswered: number
}

interface LoadedKill {
  readonly name: string
  readonly orders: number
  /** So many answers are awaited before the process is killed. */
  readonly afterAnswers: number
}

/** Kills a process with orders in hand, at any moment of their work, and sends all of them again elsewhere. */
export async function killUnderLoad(
  it: OrderSystem,
  effects: Effects,
  { name, orders: count, afterAnswers }: LoadedKill,
): Promise<KilledUnderLoad> {
  await using victim = await startVictim(it, name)
  const before = await effects.count()
  const orders = manyOrders(count).map((order) => ({ account: it.one, key: randomUUID(), order }))
  let answered = 0
  const first = orders.map(async (order) => {
    const answer = await sendOrder({ ...order, api: victim.baseUrl }).catch(() => undefined)
    answered += 1
    if (answered === afterAnswers) process.kill(victim.child.pid, 'SIGKILL')
    return answer
  })
  const answers = await Promise.all(first)
  const repeats = await Promise.all(orders.map((order, i) => sendOrder({ ...order, api: it.apis[i % 2]! })))
  const isOther = (answer: OrderAnswer | undefined, i: number) =>
    answer?.status === 201 && shown(answer) !== shown(repeats[i]!)
  return {
    orders: count,
    answeredOtherwise: answers.filter(isOther).length,
    notDone: repeats.filter(({ status }) => status !== 201).length,
    rowsAmiss: await effects.amiss(
      before,
      orders.map(({ order }) => order),
    ),
    answered: answers.filter((answer) => answer?.status === 201).length,
    unanswered: answers.filter((answer) => answer === undefined).length,
  }
}

const startVictim = (it: OrderSystem, name: string): Promise<AnotherApi> =>
  startAnotherApi(it.system, {
    name,
    databaseUrl: `${it.system.databaseUrl}?application_name=${name}`,
    settings: it.settings,
  })

/** Resolves when the database has noticed that the process is no more. */
async function untilForgotten({ database }: OrderSystem, name: string): Promise<void> {
  const lateMs = performance.now() + 10_000
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity where application_name = ${name}`.execute(
      database.platform,
    )
    if (rows.length === 0) return
    if (performance.now() > lateMs)
      throw new Error(`The database still has ${rows.length} connections of ${name}.`)
  }
}
