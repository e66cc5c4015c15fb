import { Button } from '@mantine/core'
import { useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import tables from '../shared/table.module.css'
import { utcMoment } from '../shared/times.ts'
import type { Webhook } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookForm } from './webhook-dialogs.tsx'
import { kindsText, webhookState } from './webhook-words.ts'

export const SECRET_TEXT =
  'The receiver checks with this secret that a delivery is from here, and is unchanged.'

export function WebhooksPage() {
  const client = useClient()
  const nowMs = useServerNow()
  const [isCreating, setIsCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { data, error, pager } = useMarkPages<Webhook>(keys.webhooks, (page_offset, signal) =>
    client.listWebhooks({ query: { page_size: PAGE_SIZE, page_offset } }, { signal }),
  )
  if (data === undefined) return <ReadState error={error} />
  return (
    <>
      <div className={classes['head']}>
        <p>Addresses that are sent what happens here. At most 50.</p>
        <Button onClick={() => setIsCreating(true)}>Add a webhook</Button>
      </div>
      {data.hits.length === 0 ? (
        <p className={classes['empty']}>This account has no webhooks yet.</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
          <section className={tables['scroll']} tabIndex={0} aria-label="Table of webhooks">
            <table className={tables['table']}>
              <thead>
                <tr>
                  <th scope="col">Webhook</th>
                  <th scope="col">Address</th>
                  <th scope="col">Sends</th>
                  <th scope="col">Status</th>
                  <th scope="col">Since</th>
                </tr>
              </thead>
              <tbody>
                {data.hits.map((webhook) => {
                  const { text, tone } = webhookState(webhook)
                  const since = webhook.failing_since ?? webhook.status_at
                  return (
                    <tr key={webhook.webhook_id}>
                      <th scope="row" data-kind="text">
                        <Link to={`/access/webhooks/${webhook.webhook_id}`}>{nameOf(webhook)}</Link>
                      </th>
                      <td data-kind="text">{webhook.url}</td>
                      <td data-kind="text">{kindsText(webhook.kinds)}</td>
                      <td>
                        <StatusBadge text={text} tone={tone} />
                      </td>
                      <td className={classes['nowrap']}>{utcMoment(Date.parse(since), nowMs)}</td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </section>
          <Pager label="Pages of webhooks" {...pager} />
        </>
      )}
      {isCreating && (
        <WebhookForm
          onClose={() => setIsCreating(false)}
          onCreated={(made) => {
            setIsCreating(false)
            setSecret(made)
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title="Secret of the webhook"
          label="Secret"
          value={secret}
          text={SECRET_TEXT}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

/** What people call it. */
export const nameOf = ({ description, url }: Webhook): string => (description === '' ? url : description)
