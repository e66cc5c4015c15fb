import { randomBytes, randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type ApiUser, anApi } from '../../../http/testing/an-api.ts'
import { aCapturedLog } from '../../../http/testing/captured-log.ts'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import { createPageCursors } from '../../../platform/crypto/page-cursor.ts'
import { createSecretBox } from '../../../platform/crypto/secret-box.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { anOutboundClient } from '../../../platform/outbound/testing/an-outbound-client.ts'
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

/** The webhook API and workers on a database of their own, with a clock that the test moves. */
export async function aWebhookWorld() {
  const { database, ownerUrl } = await aReleasedDatabase()
  const [accountId, otherId] = [randomUUID(), randomUUID()]
  await addAccounts(ownerUrl, { one: accountId, other: otherId })
  const secretBox = createSecretBox([randomBytes(32)])
  const mark = randomBytes(32)
  const pageCursors = createPageCursors(() => [mark])
  const api = await anApi({
    ...webhookRoutes({ database, pageCursors, secretBox }),
    ...alertRoutes({ database, pageCursors }),
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
    otherAdmin: api.userOf(otherId),
    time,
    /** A delivering worker, stopped at the end of the test. It may connect to these ports of 127.0.0.1. */
    aWorker(t: TestContext, ports: readonly number[], over: { readonly ca?: string } = {}) {
      const outboundClient = anOutboundClient({ allow: ports.map((port) => `127.0.0.1:${port}`), ...over })
      const log = aCapturedLog()
      const worker = deliverWebhooks({
        database,
        outboundClient,
        secretBox,
        clock: () => time.nowMs,
        random: () => 0.5,
        logger: log.logger,
        metrics: createMetrics(),
        isPaused: () => false,
      })
      let stopped: Promise<void> | undefined
      const stop = () => (stopped ??= worker.stop().then(() => outboundClient.close()))
      t.after(stop)
      return { stop, log }
    },
    /** A separate account for a test, so that its events do not reach webhooks of other tests. */
    async anAccount() {
      const own = randomUUID()
      await addAccounts(ownerUrl, { [own]: own })
      const db = database.forAccount(own)
      return {
        accountId: own,
        admin: api.userOf(own),
        db,
        async recordEvent(subjectId: string, kind = 'channel.changed'): Promise<void> {
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
