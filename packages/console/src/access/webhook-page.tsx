import { isProblem } from '@continuity/client'
import { Alert, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { ReadState } from '../shared/page-state.tsx'
import { commandProblemText } from '../shared/problem-text.ts'
import { keys } from '../shared/query-keys.ts'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { utcMoment } from '../shared/times.ts'
import type { Webhook } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { DeliveryLog } from './delivery-log.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { DeleteWebhook, ReplayEvents, RotateSecret, WebhookForm } from './webhook-dialogs.tsx'
import { kindsText, webhookState } from './webhook-words.ts'
import { nameOf, SECRET_TEXT } from './webhooks-page.tsx'

export function WebhookPage({ webhookId }: { webhookId: string }) {
  const client = useClient()
  const { data, error } = useQuery({
    queryKey: keys.webhook(webhookId),
    staleTime: 0,
    queryFn: ({ signal }) => client.getWebhook({ params: { webhook_id: webhookId } }, { signal }),
  })
  if (isProblem(error, 'webhook.not_found')) {
    return (
      <p>
        There is no such webhook. <Link to="/access/webhooks">All webhooks</Link>
      </p>
    )
  }
  if (data === undefined) return <ReadState error={error} />
  return (
    <>
      <p>
        <Link to="/access/webhooks">All webhooks</Link>
      </p>
      <h2>{nameOf(data)}</h2>
      <Facts webhook={data} />
      <Commands webhook={data} />
      <DeliveryLog webhookId={webhookId} />
    </>
  )
}

function Facts({ webhook }: { webhook: Webhook }) {
  const nowMs = useServerNow()
  const { text, tone } = webhookState(webhook)
  const moment = (at: string) => utcMoment(Date.parse(at), nowMs)
  return (
    <dl className={classes['facts']}>
      <dt>Status</dt>
      <dd>
        <StatusBadge text={text} tone={tone} /> since {moment(webhook.failing_since ?? webhook.status_at)}
      </dd>
      <dt>Address</dt>
      <dd>{webhook.url}</dd>
      <dt>Sends</dt>
      <dd>{kindsText(webhook.kinds)}</dd>
      {webhook.previous_secret_until !== null && (
        <>
          <dt>Previous secret</dt>
          <dd>Signs as well until {moment(webhook.previous_secret_until)}</dd>
        </>
      )}
      <dt>Made</dt>
      <dd>{moment(webhook.created_date)}</dd>
    </dl>
  )
}

type Opened = 'change' | 'rotate' | 'replay' | 'delete'

function Commands({ webhook }: { webhook: Webhook }) {
  const client = useClient()
  const queries = useQueryClient()
  const [opened, setOpened] = useState<Opened>()
  const [secret, setSecret] = useState<string>()
  const close = () => setOpened(undefined)
  const params = { webhook_id: webhook.webhook_id }
  const changed = () => queries.invalidateQueries({ queryKey: keys.webhooks })
  const isPaused = webhook.status === 'PAUSED'
  const pause = useMutation({
    mutationFn: () => client.changeWebhook({ params, body: { status: isPaused ? 'ACTIVE' : 'PAUSED' } }),
    onSuccess: changed,
  })
  const test = useMutation({ mutationFn: () => client.testWebhook({ params }), onSuccess: changed })
  const error = pause.error ?? test.error
  return (
    <>
      <div className={classes['commands']}>
        <Button
          onClick={() => test.mutate()}
          loading={test.isPending}
          disabled={isPaused}
          title={isPaused ? 'Nothing is sent while it is paused' : undefined}
        >
          Send a test delivery
        </Button>
        <Button variant="default" onClick={() => pause.mutate()} loading={pause.isPending}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Button variant="default" onClick={() => setOpened('replay')}>
          Send events again…
        </Button>
        <Button variant="default" onClick={() => setOpened('rotate')}>
          New secret…
        </Button>
        <Button variant="default" onClick={() => setOpened('change')}>
          Change…
        </Button>
        <Button variant="default" onClick={() => setOpened('delete')}>
          Delete…
        </Button>
      </div>
      {isPaused && (
        <p className={classes['empty']}>
          Nothing is sent while it is paused. When it is resumed, it continues with the event at which it was
          paused; events are kept for 7 days.
        </p>
      )}
      {error !== null && (
        <Alert color="red" role="alert">
          {commandProblemText(error)}
        </Alert>
      )}
      {opened === 'change' && <WebhookForm webhook={webhook} onClose={close} />}
      {opened === 'replay' && <ReplayEvents webhook={webhook} onClose={close} />}
      {opened === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
      {opened === 'rotate' && (
        <RotateSecret
          webhook={webhook}
          onClose={close}
          onRotated={(made) => {
            close()
            setSecret(made)
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title="New secret of the webhook"
          label="Secret"
          value={secret}
          text={SECRET_TEXT}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}
