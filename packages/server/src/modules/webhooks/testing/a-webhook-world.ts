import { randomBytes, randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type ApiUser, anApi } from '../../../app/testing/an-api.ts'
import { aCapturedLog } from '../../../http/testing/captured-log.ts'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import { aGuard } from '../../../platform/guarded-fetch/testing/a-guard.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { createPageMarks } from '../../../platform/page-mark.ts'
import { createSecretBox } from '../../../platform/secret-box.ts'
import { aReleasedDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { anActor } from '../../../platform/testing/an-actor.ts'
import { alertRoutes } from '../../alerts/routes.ts'
import { recordAnyEvent } from '../../events/testing/record-any-event.ts'
import { deliverWebhooks } from '../jobs.ts'
import { webhookRoutes } from '../routes.ts'
import type { WireWebhook } from '../wire.ts'

export const WEBHOOKS = '/api/2.3/webhooks'

export type MadeWebhook = WireWebhook & { readonly secret: string }

/** Webhooks over HTTP, and workers that serve them, in a database of their own. The clock of all is moved by the test. */
export async function aWebhookWorld() {
  const { database, ownerUrl } = await aReleasedDatabase()
  const [accountId, otherId] = [randomUUID(), randomUUID()]
  await addAccounts(ownerUrl, { one: accountId, other: otherId })
  const secretBox = createSecretBox([randomBytes(32)])
  const mark = randomBytes(32)
  const pageMarks = createPageMarks(() => [mark])
  const api = await anApi({
    ...webhookRoutes({ database, pageMarks, secretBox }),
    ...alertRoutes({ database, pageMarks }),
  })
  const time = { nowMs: NOW_MS }
  return {
    api,
    database,
    ownerUrl,
    accountId,
    otherId,
    db: database.forAccount(accountId),
    admin: api.userOf(accountId),
    stranger: api.userOf(otherId),
    time,
    /** A worker's part, until the test ends. It may connect to these ports of loopback. */
    aWorker(t: TestContext, ports: readonly number[], over: { readonly ca?: string } = {}) {
      const guard = aGuard({ allow: ports.map((port) => `127.0.0.1:${port}`), ...over })
      const log = aCapturedLog()
      const worker = deliverWebhooks({
        database,
        guard,
        secretBox,
        clock: () => time.nowMs,
        random: () => 0.5,
        logger: log.logger,
        metrics: createMetrics(),
        isPaused: () => false,
      })
      let stopped: Promise<void> | undefined
      const stop = () => (stopped ??= worker.stop().then(() => guard.close()))
      t.after(stop)
      return { stop, log }
    },
    /** One of its own for a test: what happens in it reaches no other test's webhooks. */
    async anAccount() {
      const own = randomUUID()
      await addAccounts(ownerUrl, { [own]: own })
      const db = database.forAccount(own)
      return {
        accountId: own,
        admin: api.userOf(own),
        db,
        async happen(subjectId: string, kind = 'channel.changed'): Promise<void> {
          const actor = anActor(own, { nowMs: time.nowMs })
          await db.transaction().execute((tx) => recordAnyEvent(tx, actor, kind, subjectId))
        },
      }
    },
  }
}

export async function aWebhook(user: ApiUser, url: string, more: object = {}): Promise<MadeWebhook> {
  const answer = await user.post<MadeWebhook>(WEBHOOKS, { url, ...more })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}
