import type { Actor } from '../../platform/actor.ts'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import { StoreUnavailable } from '../../platform/media-store/store-unavailable.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'

/** There is one store, and scratch folders are as good as one another: neither needs a name. */
const store = { code: 'media_store.unavailable', subjectType: 'media_store', subjectId: 'media_store' }
const scratch = { code: 'scratch.full', subjectType: 'scratch', subjectId: 'scratch' }

const faults = {
  'store.full': [store, 'The media store is full. Videos wait; make room, and they go on by themselves.'],
  'store.read_only': [
    store,
    'The media store may not be written to. Videos wait; mend its rights, and they go on by themselves.',
  ],
  'store.unreachable': [
    store,
    'The media store does not answer. Videos wait, and go on by themselves when it does.',
  ],
  'scratch.full': [
    scratch,
    'The scratch folder of a worker is full. Videos wait; make room, and they go on by themselves.',
  ],
} as const

/** Opens an alert when there is no room, or nobody who takes anything, and closes it when there is again. */
export async function watchStore<T>(
  { db, logger }: Pick<JobRun, 'db' | 'logger'>,
  actorAt: (nowMs: number) => Actor,
  clock: () => number,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work()
    await db.transaction().execute(async (tx) => {
      for (const subject of [store, scratch]) await closeAlert(tx, actorAt(clock()), subject)
    })
    return result
  } catch (error) {
    const fault = faultOf(error)
    if (fault !== undefined) {
      const [subject, message] = faults[fault]
      await db
        .transaction()
        .execute((tx) => openAlert(tx, actorAt(clock()), { ...subject, severity: 'CRITICAL', message }))
        .catch((unheard: unknown) => logger.warn({ err: unheard }, 'an alert could not be opened'))
    }
    throw error
  }
}

function faultOf(error: unknown): keyof typeof faults | undefined {
  if (error instanceof StoreUnavailable) return error.code
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC' ? 'scratch.full' : undefined
}
