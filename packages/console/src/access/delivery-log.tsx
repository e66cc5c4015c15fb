import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { utcMoment } from '../shared/times.ts'
import type { Delivery } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { deliveryWords, errorText } from './webhook-words.ts'

/** No event reports a delivery; someone who tests a receiver looks at the page. */
const READ_MS = 3_000

type State = Delivery['state'] | ''

/** What was sent to a webhook, and what it answered. */
export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const [state, setState] = useState<State>('')
  return (
    <section className={classes['deliveries']} aria-label="Deliveries">
      <div className={classes['filters']}>
        <h2>Deliveries</h2>
        <NativeSelect
          aria-label="Deliveries to show"
          data={[
            { value: '', label: 'All' },
            ...Object.entries(deliveryWords).map(([value, { text }]) => ({ value, label: text })),
          ]}
          value={state}
          onChange={(event) => setState(event.currentTarget.value as State)}
        />
      </div>
      <Deliveries key={state} webhookId={webhookId} state={state} />
    </section>
  )
}

function Deliveries({ webhookId, state }: { webhookId: string; state: State }) {
  const client = useClient()
  const { data, error, pager } = useMarkPages<Delivery>(
    [...keys.webhook(webhookId), 'deliveries', state],
    (page_offset, signal) =>
      client.listWebhookDeliveries(
        {
          params: { webhook_id: webhookId },
          query: { page_size: PAGE_SIZE, page_offset, ...(state === '' ? {} : { state }) },
        },
        { signal },
      ),
    { refetchInterval: READ_MS },
  )
  if (data === undefined) return <ReadState error={error} />
  if (data.hits.length === 0) {
    return (
      <p className={classes['empty']}>
        {state === ''
          ? 'Nothing was sent in the last 7 days. A test delivery shows whether the receiver works.'
          : 'No delivery of the last 7 days is in this state.'}
      </p>
    )
  }
  return (
    <>
      <ul className={classes['log']}>
        {data.hits.map((delivery) => (
          <li key={delivery.event_id}>
            <Exchange delivery={delivery} />
          </li>
        ))}
      </ul>
      <Pager label="Pages of deliveries" {...pager} />
    </>
  )
}

function Exchange({ delivery }: { delivery: Delivery }) {
  const nowMs = useServerNow()
  const { kind, attempts, next_attempt_at, request, response } = delivery
  const { text, tone } = deliveryWords[delivery.state]
  return (
    <details className={classes['entry']}>
      <summary>
        <StatusBadge text={text} tone={tone} /> <strong>{kind === 'webhook.test' ? 'Test' : kind}</strong>{' '}
        <span>{resultText(response)}</span> {attempts > 1 && <span>{attempts} attempts</span>}{' '}
        {next_attempt_at !== null && <span>next at {utcMoment(Date.parse(next_attempt_at), nowMs)}</span>}
        {response !== null && <time dateTime={response.at}>{utcMoment(Date.parse(response.at), nowMs)}</time>}
      </summary>
      <div className={classes['exchange']}>
        <div>
          <h3>Request</h3>
          <p>POST {request.url ?? '(not sent yet)'}</p>
          <pre className={classes['body']}>{readable(request.body)}</pre>
        </div>
        <div>
          <h3>Response</h3>
          {response === null ? (
            <p>None yet.</p>
          ) : (
            <>
              <p>
                {resultText(response)}, after {response.duration_ms} ms
              </p>
              <pre className={classes['body']}>{response.body === '' ? '(empty)' : response.body}</pre>
            </>
          )}
        </div>
      </div>
    </details>
  )
}

function resultText(response: Delivery['response']): string {
  if (response === null) return 'not sent yet'
  return response.status === null ? errorText(response.error ?? 'unknown') : `status ${response.status}`
}

/** Indented, where it is JSON. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // It may have been cut short; then it is shown as it is.
    return body
  }
}
