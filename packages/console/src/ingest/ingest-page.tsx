import { useState } from 'react'
import { useChannels } from '../on-air/channel-queries.ts'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { Link, useAddress } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { utcMoment } from '../shared/times.ts'
import type { SeenRequest } from '../shared/wire-types.ts'
import classes from './ingest.module.css'
import { IngestForm } from './ingest-form.tsx'
import { RequestPage } from './request-page.tsx'
import { useRequests } from './request-queries.ts'
import { requestTones, requestWords } from './request-words.ts'

/** Programs with their files: submitted here or by partners, and what becomes of them. */
export function IngestPage() {
  const { path } = useAddress()
  const isAllowed = useMayCall()('scheduleProgram')
  const [, , id = ''] = path.split('/')
  if (!isAllowed) {
    return (
      <>
        <h1>Ingest</h1>
        <p className={classes['hint']}>
          Ingest needs {rolesFor('scheduleProgram')}. An administrator of this account can grant it.
        </p>
      </>
    )
  }
  return (
    <>
      <h1>Ingest</h1>
      {id === '' ? (
        <div className={classes['columns']}>
          <IngestForm />
          <RequestList />
        </div>
      ) : (
        <RequestPage key={id} requestId={decodeURIComponent(id)} />
      )}
    </>
  )
}

const PAGE = 20

/** What was submitted in the last days, by anyone. */
function RequestList() {
  const { data, error } = useRequests()
  const [page, setPage] = useState(0)
  const { data: channels = [] } = useChannels()
  const nameOf = ({ linear_channel_id }: SeenRequest) =>
    channels.find((channel) => channel.linear_channel_id === linear_channel_id)?.title ?? 'A former channel'
  const nowMs = serverNowMs()
  const first = page * PAGE
  const shown = data?.slice(first, first + PAGE) ?? []
  return (
    <section aria-labelledby="requests">
      <h2 id="requests">Requests of the last 7 days</h2>
      {data === undefined ? (
        <ReadState error={error} />
      ) : data.length === 0 ? (
        <p className={classes['hint']}>Nothing was submitted, here or by partners.</p>
      ) : (
        <>
          <ul className={classes['requests']} aria-label="Requests">
            {shown.map((request) => (
              <li key={request.request_id}>
                <Link className={classes['request']} to={`/ingest/${encodeURIComponent(request.request_id)}`}>
                  <span className={classes['name']}>
                    <strong>{request.program_title}</strong>
                    <StatusBadge text={requestWords[request.state]} tone={requestTones[request.state]} />
                  </span>{' '}
                  <span className={classes['under']}>
                    {nameOf(request)}, submitted{' '}
                    <time dateTime={request.since}>{utcMoment(Date.parse(request.since), nowMs)}</time>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {data.length > PAGE && (
            <Pager
              label="Pages of requests"
              text={`${first + 1} to ${first + shown.length} of ${data.length}`}
              onPrevious={page > 0 ? () => setPage(page - 1) : undefined}
              onNext={first + PAGE < data.length ? () => setPage(page + 1) : undefined}
            />
          )}
        </>
      )}
    </section>
  )
}
