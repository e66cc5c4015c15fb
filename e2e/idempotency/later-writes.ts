import { randomUUID } from 'node:crypto'
import type { Effects } from './effects.ts'
import type { IdempotencySystem } from './idempotency-system.ts'
import { anWrite, sendWrite, shown, type Write, type WriteAnswer, writeKinds } from './writes.ts'

const HOUR_MS = 3_600_000

export interface Rejected {
  /** Keys whose first write was rejected and whose second, another write, was carried out. */
  readonly usedAnew: number
  readonly keys: number
  readonly wrongRows: number
}

/** Sends writes that are rejected, and then others under the same keys. */
export async function reuseRejected(
  it: IdempotencySystem,
  effects: Effects,
  keys: number,
): Promise<Rejected> {
  const brand = anWrite('brand')
  await sendWrite({ api: it.apis[0], account: it.one, key: randomUUID(), write: brand })
  const before = await effects.count()
  const writes = Array.from({ length: keys }, () => anWrite('channel'))
  let usedAnew = 0
  for (const write of writes) {
    const sending = { account: it.one, key: randomUUID() }
    const rejected = await sendWrite({ ...sending, api: it.apis[0], write: brand })
    const again = await sendWrite({ ...sending, api: it.apis[1], write: brand })
    const anew = await sendWrite({ ...sending, api: it.apis[1], write })
    if (rejected.status === 409 && again.status === 409 && anew.status === 201) usedAnew += 1
  }
  return { usedAnew, keys, wrongRows: await effects.countWrongRows(before, writes) }
}

export interface Expired {
  readonly keys: number
  /** Keys with the first answer shortly before a day has passed. */
  readonly keptForADay: number
  /** Keys with which another write was carried out after that. */
  readonly freeAfterADay: number
  readonly wrongRows: number
}

/** Moves the clock of both processes to shortly before the keys expire, and past it. */
export async function outliveKeys(it: IdempotencySystem, effects: Effects): Promise<Expired> {
  const before = await effects.count()
  const writes = writeKinds.map((kind) => ({ key: randomUUID(), write: anWrite(kind), anew: anWrite(kind) }))
  const send = (key: string, write: Write, api: 0 | 1) =>
    sendWrite({ api: it.apis[api], account: it.one, key, write })
  // The day of the first key begins before this, that of the last one after.
  const beginMs = it.clock.nowMs()
  const first: WriteAnswer[] = []
  for (const { key, write } of writes) first.push(await send(key, write, 0))
  const endMs = it.clock.nowMs()

  await it.clock.steer({ kind: 'set', toMs: beginMs + 24 * HOUR_MS - MARGIN_MS })
  const kept: WriteAnswer[] = []
  for (const { key, write } of writes) kept.push(await send(key, write, 1))
  await it.clock.steer({ kind: 'set', toMs: Math.max(endMs + 24 * HOUR_MS, it.clock.nowMs()) })
  const anew: WriteAnswer[] = []
  for (const { key, anew: write } of writes) anew.push(await send(key, write, 1))
  const again: WriteAnswer[] = []
  for (const { key, anew: write } of writes) again.push(await send(key, write, 0))

  const wrongRows = await effects.countWrongRows(
    before,
    writes.flatMap(({ write, anew }) => [write, anew]),
  )
  return {
    keys: writes.length,
    keptForADay: kept.filter((answer, i) => answer.status === 201 && shown(answer) === shown(first[i]!))
      .length,
    freeAfterADay: anew.filter((answer, i) => answer.status === 201 && shown(answer) === shown(again[i]!))
      .length,
    // A key that is reused has its row already.
    wrongRows: wrongRows - writes.length,
  }
}

/** Longer than these few requests take, so that all of them come before the keys expire. */
const MARGIN_MS = 60_000
