import { fromKysely, PgBoss } from 'pg-boss'
import type { Transaction } from '../database/database.ts'
import type { DataOf, JobData, JobMap, JobName } from './job-map.ts'

/** Ids take a few hundred bytes; what is larger belongs in a table. */
const DATA_BYTES = 8 * 1024

export interface EnqueueOptions {
  /** Whom the job works for; undefined for the platform itself. */
  readonly accountId: string | undefined
  /** What it was left by, so that its log lines can be found from there. */
  readonly requestId: string | undefined
  /** For kinds of which one waits: one for each key. */
  readonly key?: string
  /** Higher goes first among those of its kind. */
  readonly priority?: number
}

/** What lies in the queue's row. */
export interface JobEnvelope {
  readonly accountId: string | null
  readonly requestId: string | null
  readonly data: JobData
}

/** Gives the id of the job, or undefined where one like it waits already. */
export type Enqueue<M extends JobMap> = <Name extends JobName<M>>(
  tx: Transaction,
  name: Name,
  data: DataOf<M[Name]>,
  options: EnqueueOptions,
) => Promise<string | undefined>

/** Makes the function that leaves jobs of this map in a transaction. */
export function enqueueInto<M extends JobMap>(): Enqueue<M> {
  return async (tx, name, data, options) => {
    const envelope = envelopeOf(name, data, options)
    const db = fromKysely(tx)
    // A queue of its own for every call takes 30 µs. One for all would look its settings up on a
    // connection of its own, while the caller holds another: enough callers at once, and all wait for ever.
    const boss = new PgBoss({ db, migrate: false, supervise: false, schedule: false })
    const id = await boss.send(name, envelope, {
      db,
      ...(options.key === undefined ? {} : { singletonKey: options.key }),
      ...(options.priority === undefined ? {} : { priority: options.priority }),
    })
    return id ?? undefined
  }
}

function envelopeOf(name: string, data: JobData, { accountId, requestId }: EnqueueOptions): JobEnvelope {
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes > DATA_BYTES) throw new RangeError(`${name} was given ${bytes} bytes; a job takes ${DATA_BYTES}`)
  return { accountId: accountId ?? null, requestId: requestId ?? null, data }
}
