import { fromKysely, PgBoss } from 'pg-boss'
import type { Transaction } from '../database/database.ts'
import type { DataOf, JobData, JobMap, JobName } from './job-map.ts'

/** Ids take a few hundred bytes; larger data belongs in a table. */
const DATA_BYTES = 8 * 1024

export interface EnqueueOptions {
  /** The account that the job runs as; undefined for the platform itself. */
  readonly accountId: string | undefined
  /** The request that enqueued it, for its log lines. */
  readonly requestId: string | undefined
  /** For `oneWaiting` kinds: one waiting job per key. */
  readonly key?: string
  /** Higher goes first within the kind. */
  readonly priority?: number
}

/** The data of the queue's row. */
export interface JobEnvelope {
  readonly accountId: string | null
  readonly requestId: string | null
  readonly data: JobData
}

/** Returns the id of the job, or undefined where one with the same key waits already. */
export type Enqueue<M extends JobMap> = <Name extends JobName<M>>(
  tx: Transaction,
  name: Name,
  data: DataOf<M[Name]>,
  options: EnqueueOptions,
) => Promise<string | undefined>

/** Creates the function that enqueues jobs of this map. */
export function enqueueInto<M extends JobMap>(): Enqueue<M> {
  return async (tx, name, data, options) => {
    const envelope = envelopeOf(name, data, options)
    const db = fromKysely(tx)
    // A PgBoss per call takes 30 µs. A shared one would look up its settings on a connection of its own while the
    // caller holds another: with enough concurrent callers all would deadlock.
    const boss = new PgBoss({ db, migrate: false, supervise: false, schedule: false })
    const id = await boss.send(name, envelope, {
      db,
      // Workers distribute their slots over accounts.
      ...(options.accountId === undefined ? {} : { group: { id: options.accountId } }),
      ...(options.key === undefined ? {} : { singletonKey: options.key }),
      ...(options.priority === undefined ? {} : { priority: options.priority }),
    })
    return id ?? undefined
  }
}

function envelopeOf(name: string, data: JobData, { accountId, requestId }: EnqueueOptions): JobEnvelope {
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes > DATA_BYTES)
    throw new RangeError(`${name} has ${bytes} bytes of data; the limit is ${DATA_BYTES}`)
  return { accountId: accountId ?? null, requestId: requestId ?? null, data }
}
