import type { Transaction } from '../../platform/database/database.ts'
import { listOpenAlertIds } from '../alerts/read.ts'
import { type Event, type EventCursor, findHead, readEvents } from '../events/read.ts'
import { SUBJECT_TYPE } from './failing-alert.ts'
import { touchNotices } from './notice-store.ts'
import { lockLeased, updateProgress } from './progress-store.ts'
import type { RecipientKey } from './store.ts'

/** Events read per query. */
const BATCH = 500

/** Maximum of open alerts noted for a new recipient. */
const OPEN_MAXIMUM = 5_000

/** Before all events. Used while restored events are being reordered. */
const BEGINNING: EventCursor = { epoch: 0, horizon: 0, number: 0 }

/**
 * The start of a new or resumed recipient: the alerts that are open, and the events from now on. The
 * cursor is read first, so that an alert that opens meanwhile is in at least one of them.
 */
export async function beginFollowing(
  tx: Transaction,
  key: RecipientKey,
  nowMs: number,
): Promise<{ readonly cursor: EventCursor; noteOpen(): Promise<void> }> {
  const cursor = (await findHead(tx, key.accountId)) ?? BEGINNING
  const open = await listOpenAlertIds(tx, key.accountId, OPEN_MAXIMUM)
  return { cursor, noteOpen: () => touchNotices(tx, key, open, nowMs) }
}

/**
 * Notes which alerts have changed and moves the cursor in one transaction. What is mailed depends on the state of the
 * alert, so that reading an event twice, after a restore, is harmless.
 */
export async function noteAlerts(
  tx: Transaction,
  key: RecipientKey,
  lease: string,
  nowMs: number,
): Promise<'lost' | 'more' | 'all'> {
  const progress = await lockLeased(tx, key, lease)
  if (progress === undefined) return 'lost'
  const events = await readEvents(tx, key.accountId, progress.cursor, BATCH)
  if (events.length === 0) return 'all'
  const alertIds = events.filter((event) => isFollowed(event, key)).map(({ subjectId }) => subjectId)
  await touchNotices(tx, key, [...new Set(alertIds)], nowMs)
  await updateProgress(tx, key, { cursor: events.at(-1)!.cursor })
  return events.length === BATCH ? 'more' : 'all'
}

/** An alert that mails to a recipient fail is mailed only to the other recipients. */
function isFollowed({ kind, data }: Event, { recipientId }: RecipientKey): boolean {
  if (!kind.startsWith('alert.')) return false
  const { subject_type, subject_id } = data as { readonly subject_type: string; readonly subject_id: string }
  return subject_type !== SUBJECT_TYPE || subject_id !== recipientId
}
