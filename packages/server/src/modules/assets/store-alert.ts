import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { clearDue, type Due, setDue } from '../../platform/due/due-rows.ts'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import { StoreUnavailable } from '../../platform/media-store/store-unavailable.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'

const store = {
  code: 'media_store.unavailable' as const,
  subjectType: 'media_store',
  subjectId: 'media_store',
}
const scratchOf = (name: string) => ({
  code: 'scratch.full' as const,
  subjectType: 'scratch',
  subjectId: name,
})

/** The previous release had one alert for all workers. */
const SCRATCH_OF_ANY = 'scratch'

/**
 * After this long without another report the worker is gone, or has no more work of the account. A running worker
 * retries within minutes.
 */
const UNREPORTED_MS = 3_600_000

type Fault = StoreUnavailable['code'] | 'scratch.full'

const messages: Readonly<Record<Fault, string>> = {
  'store.full': 'The media store is full. Packaging waits, and continues by itself when there is free space.',
  'store.read_only':
    'The media store may not be written to. Packaging waits, and continues by itself when its permissions are fixed.',
  'store.unreachable':
    'The media store does not respond. Packaging waits, and continues by itself when it does.',
  'scratch.full':
    'The scratch folder of a worker is full. Packaging waits, and continues by itself when there is free space.',
}

export interface WatchOptions {
  /** Host and path of the worker's scratch folder. It names the folder's alert, and is the same after a restart. */
  readonly scratch: string
  readonly actorAt: (nowMs: number) => Actor
  readonly clock: () => number
}

/**
 * Opens an alert when the media store or the scratch folder cannot be written to, and closes it after a success.
 *
 * There is one store, so the success of any worker shows that it is back. A scratch folder belongs to one worker: only
 * its own success shows that it has free space again.
 */
export async function watchStore<T>(
  { db, logger }: Pick<JobRun, 'db' | 'logger'>,
  { scratch, actorAt, clock }: WatchOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work()
    await db.transaction().execute(async (tx) => {
      const actor = actorAt(clock())
      await closeAlert(tx, actor, store)
      await closeAlert(tx, actor, scratchOf(SCRATCH_OF_ANY))
      await closeAlert(tx, actor, scratchOf(scratch))
      await clearDue(tx, dueOf(actor, scratch))
    })
    return result
  } catch (error) {
    const fault = faultOf(error)
    if (fault !== undefined) {
      await db
        .transaction()
        .execute((tx) => report(tx, actorAt(clock()), fault, scratch))
        .catch((failure: unknown) => logger.warn({ err: failure, code: fault }, 'could not open an alert'))
    }
    throw error
  }
}

async function report(tx: Transaction, actor: Actor, fault: Fault, scratch: string): Promise<void> {
  const subject = fault === 'scratch.full' ? scratchOf(scratch) : store
  await openAlert(tx, actor, { ...subject, severity: 'CRITICAL', message: messages[fault] })
  if (fault === 'scratch.full')
    await setDue(tx, { ...dueOf(actor, scratch), dueMs: actor.nowMs + UNREPORTED_MS })
}

/** Due when a worker has not reported its full folder for a while, because it is gone: its alert is closed. */
export async function closeScratchAlert(
  tx: Transaction,
  { subjectId, accountId }: Due<string>,
  nowMs: number,
): Promise<void> {
  if (accountId === undefined) throw new Error('an alert belongs to an account')
  const actor = { accountId, userId: null, requestId: null, nowMs }
  await closeAlert(tx, actor, scratchOf(subjectId.slice(accountId.length + 1)))
}

/** An alert is identified by its account and its folder. */
const dueOf = ({ accountId }: Actor, scratch: string) =>
  ({ kind: 'close_scratch_alert', subjectId: `${accountId} ${scratch}`, accountId }) as const

function faultOf(error: unknown): Fault | undefined {
  if (error instanceof StoreUnavailable) return error.code
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC' ? 'scratch.full' : undefined
}
