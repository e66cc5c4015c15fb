import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { countedTotal, pageAnswer, pageStart, TOTAL_MAXIMUM } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { PageCursors } from '../../platform/crypto/page-cursor.ts'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import type { Database, Db } from '../../platform/database/database.ts'
import { changeWebhook } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { countDeliveries, selectDeliveries } from './delivery-store.ts'
import { readFailing } from './progress-store.ts'
import { replayWebhook } from './replay.ts'
import { requireWebhook } from './require-webhook.ts'
import { rotateSecret } from './rotate-secret.ts'
import { sendTest } from './send-test.ts'
import { countWebhooks, listWebhooks, type Webhook } from './store.ts'
import { readChanges, toWireDelivery, toWireWebhook, toWireWithSecret } from './wire.ts'

export interface WebhookDeps {
  readonly database: Database
  readonly pageCursors: PageCursors
  /** Undefined if no keys are configured: then no secret can be stored. */
  readonly secretBox: SecretBox | undefined
}

const EVERY_KIND = ['*']
const PREVIOUS_VALID_S = 86_400

/** Endpoint to use case. */
export function webhookRoutes({ database, pageCursors, secretBox }: WebhookDeps) {
  const { reading, changing } = recordHandlers(database)
  return {
    listWebhooks: reading(async (db, call) => {
      const { accountId } = call.principal
      const [after] = (pageStart(pageCursors, call) ?? []) as [string?]
      const rows = await listWebhooks(db, accountId, after, call.query.page_size + 1)
      const failing = await readFailing(
        db,
        accountId,
        rows.map(({ webhookId }) => webhookId),
      )
      const hitOf = (row: Webhook) => toWireWebhook(row, failing.get(row.webhookId))
      const page = pageAnswer(pageCursors, call, { rows, hitOf, keyOf: ({ webhookId }) => [webhookId] })
      return { ...page, total: await countWebhooks(db, accountId) }
    }),
    createWebhook: changing(async (tx, { body }, actor) => {
      const { url, description = '', kinds = EVERY_KIND } = body
      const { webhook, secret } = await createWebhook(tx, actor, { url, description, kinds }, secretBox)
      return answered(toWireWithSecret(webhook, undefined, secret), { etag: recordEtag(webhook.version) })
    }),
    getWebhook: reading(async (db, { principal, params }) =>
      toAnswer(db, await requireWebhook(db, principal.accountId, params.webhook_id)),
    ),
    changeWebhook: changing(async (tx, call, actor) => {
      const changes = readChanges(call.body)
      return toAnswer(tx, await changeWebhook(tx, actor, call.params.webhook_id, changes, requireSeen(call)))
    }),
    deleteWebhook: changing(async (tx, call, actor) => {
      await deleteWebhook(tx, actor, call.params.webhook_id, requireSeen(call))
    }),
    rotateWebhookSecret: changing(async (tx, { params, body }, actor) => {
      const previousMs = (body?.previous_valid_s ?? PREVIOUS_VALID_S) * 1_000
      const { webhook, secret } = await rotateSecret(tx, actor, params.webhook_id, previousMs, secretBox)
      const failing = await readFailing(tx, webhook.accountId, [webhook.webhookId])
      const wire = toWireWithSecret(webhook, failing.get(webhook.webhookId), secret)
      return answered(wire, { etag: recordEtag(webhook.version) })
    }),
    testWebhook: changing(async (tx, { params }, actor) => ({
      event_id: await sendTest(tx, actor, params.webhook_id),
    })),
    replayWebhook: changing(async (tx, { params, body }, actor) => {
      await replayWebhook(tx, actor, params.webhook_id, Date.parse(body.from))
      return { from: body.from }
    }),
    listWebhookDeliveries: reading(async (db, call) => {
      const { page_size: size, state } = call.query
      const webhook = await requireWebhook(db, call.principal.accountId, call.params.webhook_id)
      const [beforeId] = (pageStart(pageCursors, call) ?? []) as [string?]
      const rows = await selectDeliveries(db, webhook, state, beforeId, size + 1).execute()
      const page = pageAnswer(pageCursors, call, {
        rows,
        hitOf: toWireDelivery,
        keyOf: (row) => [row.event_id],
      })
      const count = countDeliveries(db, webhook, state, TOTAL_MAXIMUM + 1)
      return { ...page, ...countedTotal((await count.executeTakeFirstOrThrow()).counted) }
    }),
  } satisfies Handlers
}

async function toAnswer(db: Db, webhook: Webhook) {
  const failing = await readFailing(db, webhook.accountId, [webhook.webhookId])
  return answered(toWireWebhook(webhook, failing.get(webhook.webhookId)), {
    etag: recordEtag(webhook.version),
  })
}
