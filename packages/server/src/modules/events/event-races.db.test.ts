import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ControlledTransaction, sql } from 'kysely'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { anActor } from '../../platform/testing/an-actor.ts'
import { recordEvent } from './index.ts'
import { type Event, type EventCursor, readEvents } from './read.ts'
import { anEvent } from './testing/an-event.ts'
import { readUntil } from './testing/read-until.ts'

const it = await aDatabase()
const accountId = randomUUID()
await addAccounts(it.ownerUrl, { one: accountId })
const db = it.database.forAccount(accountId)

type Tx = ControlledTransaction<Record<never, never>>

const WRITERS = 5

/** The cursor of the one reader, which continues across all races. */
let cursor: EventCursor | undefined

/** A step of one of the writers, or a read. A writer's first step begins its transaction. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('record' as const), writer: fc.nat(WRITERS - 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('begin' as const), writer: fc.nat(WRITERS - 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('commit' as const), writer: fc.nat(WRITERS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rollback' as const), writer: fc.nat(WRITERS - 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('look' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  },
)

test('a reader receives every event exactly once, in whatever order transactions begin, write and end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const race = new Race()
      try {
        for (const each of steps) await race.take(each)
      } finally {
        await race.end()
      }
      race.check()
    }),
    { numRuns: 300, interruptAfterTimeLimit: 60_000 },
  )
})

/** An event that a writer recorded. Times are step numbers. */
interface Written {
  readonly id: string
  readonly recordedAt: number
  committedAt: number | undefined
}

class Race {
  readonly #open: (Tx | undefined)[] = []
  readonly #pending: Written[][] = Array.from({ length: WRITERS }, () => [])
  readonly #written: Written[] = []
  readonly #seen: string[] = []
  #time = 0

  async take(each: typeof step extends fc.Arbitrary<infer S> ? S : never): Promise<void> {
    this.#time += 1
    if (each.kind === 'look') await this.#look(each.limit)
    else if (each.kind === 'record') await this.#record(each.writer)
    else if (each.kind === 'begin') await this.#transactionOf(each.writer)
    else await this.#finish(each.writer, each.kind)
  }

  async end(): Promise<void> {
    for (let writer = 0; writer < WRITERS; writer += 1) {
      this.#time += 1
      await this.#finish(writer, 'commit')
    }
    const missing = this.#committed().length - this.#seen.length
    this.#keep(await readUntil(db, accountId, missing, { after: cursor, limit: 3 }))
    await this.#look(1)
  }

  #committed(): Written[] {
    return this.#written.filter(({ committedAt }) => committedAt !== undefined)
  }

  check(): void {
    const committed = this.#committed()
    assert.deepEqual(this.#seen.toSorted(), committed.map(({ id }) => id).toSorted())
    const indexes = new Map(this.#seen.map((id, index) => [id, index]))
    for (const before of committed) {
      for (const after of committed) {
        if (before.committedAt! < after.recordedAt) {
          assert.ok(
            indexes.get(before.id)! < indexes.get(after.id)!,
            'an event was read before one that was committed earlier',
          )
        }
      }
    }
  }

  async #look(limit: number): Promise<void> {
    this.#keep(await readEvents(db, accountId, cursor, limit))
  }

  #keep(events: readonly Event[]): void {
    this.#seen.push(...events.map(({ subjectId }) => subjectId))
    cursor = events.at(-1)?.cursor ?? cursor
  }

  async #record(writer: number): Promise<void> {
    const tx = await this.#transactionOf(writer)
    const event = { id: randomUUID(), recordedAt: this.#time, committedAt: undefined }
    await recordEvent(tx, anActor(accountId), anEvent(event.id))
    this.#written.push(event)
    this.#pending[writer]!.push(event)
  }

  /** Assigns the transaction id at the start, as in a transaction that writes something else first. */
  async #transactionOf(writer: number): Promise<Tx> {
    const begun = this.#open[writer]
    if (begun !== undefined) return begun
    const tx = await db.startTransaction().execute()
    await sql`select pg_current_xact_id()`.execute(tx)
    this.#open[writer] = tx
    return tx
  }

  async #finish(writer: number, how: 'commit' | 'rollback'): Promise<void> {
    const tx = this.#open[writer]
    await tx?.[how]().execute()
    for (const event of this.#pending[writer]!) if (how === 'commit') event.committedAt = this.#time
    this.#pending[writer] = []
    this.#open[writer] = undefined
  }
}

test('changes of one record by concurrent writers are read in commit order', async () => {
  const own = randomUUID()
  await addAccounts(it.ownerUrl, { two: own })
  const records = it.database.forAccount(own)
  const most = WRITERS * 60

  const [seen] = await Promise.all([
    readUntil(records, own, most, { limit: 7 }),
    ...Array.from({ length: WRITERS }, () => writeMany(60)),
  ])

  const counts = seen.map(({ data }) => Number((data as { title: string }).title))
  assert.deepEqual(
    counts,
    Array.from({ length: most }, (_, index) => index + 2),
  )

  /** Increments a row that all writers contend for, and records the new count. */
  async function writeMany(times: number): Promise<void> {
    for (let done = 0; done < times; done += 1) {
      await records.transaction().execute(async (tx) => {
        if (done % 2 === 0) await sql`select pg_current_xact_id()`.execute(tx)
        const counted = sql<{ count: number }>`
          update accounts set version = version + 1 where account_id = ${own} returning version as count`
        const { rows } = await counted.execute(tx)
        await recordEvent(tx, anActor(own), anEvent('counter', String(rows[0]!.count)))
      })
    }
  }
})
