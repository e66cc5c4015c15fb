import { type Db, tables } from '../../../platform/database/database.ts'

/**
 * Access credentials that were revoked before they expired: those of one session,
 * or those of a subject (a user or an app key) older than a generation.
 */
export interface EndedCredential {
  readonly kind: 'session' | 'subject'
  readonly id: string
  readonly generation: number
  readonly endedMs: number
}

interface EndedRow {
  kind: 'session' | 'subject'
  id: string
  generation: number
  ended_ms: number
}

const on = tables<{ ended_credentials: EndedRow }>()

export async function insertEnded(db: Db, ended: readonly EndedCredential[]): Promise<void> {
  if (ended.length === 0) return
  await on(db)
    .insertInto('ended_credentials')
    .values(ended.map(({ endedMs, ...rest }) => ({ ...rest, ended_ms: endedMs })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet((eb) => ({
        generation: eb.fn('greatest', ['ended_credentials.generation', 'excluded.generation']),
        ended_ms: eb.ref('excluded.ended_ms'),
      })),
    )
    .execute()
}

/** Credentials that ended since `sinceMs`, the latest first. */
export async function listEnded(db: Db, sinceMs: number, limit: number): Promise<readonly EndedCredential[]> {
  return on(db)
    .selectFrom('ended_credentials')
    .select(['kind', 'id', 'generation', 'ended_ms as endedMs'])
    .where('ended_ms', '>=', sinceMs)
    .orderBy('ended_ms', 'desc')
    .limit(limit)
    .execute()
}

export async function purgeEnded(db: Db, beforeMs: number, most: number): Promise<number> {
  const { numDeletedRows } = await on(db)
    .deleteFrom('ended_credentials')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('kind', 'id'),
        'in',
        selectFrom('ended_credentials')
          .select(['kind', 'id'])
          .where('ended_ms', '<', beforeMs)
          .limit(most)
          .$asTuple('kind', 'id'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
