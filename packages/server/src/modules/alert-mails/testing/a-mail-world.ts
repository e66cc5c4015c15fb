import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { type ApiUser, anApi, somePageCursors } from '../../../http/testing/an-api.ts'
import { aCapturedLog } from '../../../http/testing/captured-log.ts'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import { openMailSender } from '../../../platform/mail/mail-sender.ts'
import type { MailConfig } from '../../../platform/mail/mail-settings.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { aReleasedDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { anActor } from '../../../platform/testing/an-actor.ts'
import { type AlertRecord, closeAlert, openAlert } from '../../alerts/index.ts'
import { alertRoutes } from '../../alerts/routes.ts'
import { namedMedia } from '../../catalog/index.ts'
import { listShowing } from '../../channels/index.ts'
import { channelRoutes } from '../../channels/routes.ts'
import { liveRoutes } from '../../live/routes.ts'
import { deliverMails } from '../jobs.ts'
import { alertMailRoutes } from '../routes.ts'
import type { WireRecipient } from '../wire.ts'

export const RECIPIENTS = '/api/2.3/alert_recipients'

/** The recipient API and workers on a database of their own, with a clock that the test moves. */
export async function aMailWorld() {
  const { database, ownerUrl } = await aReleasedDatabase()
  const pageCursors = somePageCursors()
  const api = await anApi({
    ...alertMailRoutes({ database, pageCursors, isMailOn: true }),
    ...alertRoutes({ database, pageCursors }),
    ...channelRoutes({ database, namedMedia, publishChange: async () => {} }),
    ...liveRoutes({
      database,
      namedRecords: { hasVideo: namedMedia.hasVideo, hasChannel: async () => true, listShowing },
      mediaBase: 'https://media.example/',
      readLatest: async () => undefined,
    }),
  })
  const time = { nowMs: NOW_MS }
  return {
    api,
    database,
    time,
    /** Moves the clock of the API and the workers. */
    pass(ms: number) {
      time.nowMs += ms
      api.nowMs = time.nowMs
    },
    /** A sending worker, stopped at the end of the test. */
    async aWorker(t: TestContext, settings: MailConfig, over: { readonly attemptMs?: number } = {}) {
      const sender = await openMailSender({ ...settings, ...over })
      const log = aCapturedLog()
      const worker = deliverMails({
        database,
        sender: sender!,
        clock: () => time.nowMs,
        random: () => 0.5,
        logger: log.logger,
        metrics: createMetrics(),
        isPaused: () => false,
      })
      let stopped: Promise<void> | undefined
      const stop = () => (stopped ??= worker.stop())
      t.after(stop)
      return { stop, log }
    },
    /** A separate account for a test; its recipients are deactivated at the end. */
    async anAccount(t: TestContext) {
      const accountId = randomUUID()
      await addAccounts(ownerUrl, { [accountId]: accountId })
      const db = database.forAccount(accountId)
      t.after(() => sql`update alert_recipient_progress set is_active = false`.execute(db))
      const actor = () => anActor(accountId, { nowMs: time.nowMs })
      return {
        accountId,
        db,
        admin: api.userOf(accountId),
        open: (over: Partial<AlertRecord> = {}) =>
          db.transaction().execute((tx) => openAlert(tx, actor(), anAlert(over))),
        close: (over: Partial<AlertRecord> = {}) =>
          db.transaction().execute((tx) => closeAlert(tx, actor(), anAlert(over))),
      }
    },
  }
}

export const anAlert = (over: Partial<AlertRecord> = {}): AlertRecord => ({
  severity: 'WARNING',
  code: 'schedule.ending',
  message: 'The schedule ends in 6 days.',
  subjectType: 'process',
  subjectId: 'one',
  ...over,
})

export async function aRecipient(user: ApiUser, address: string, more: object = {}): Promise<WireRecipient> {
  const answer = await user.post<WireRecipient>(RECIPIENTS, { address, ...more })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}
