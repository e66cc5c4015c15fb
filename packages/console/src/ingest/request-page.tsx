import { isProblem } from '@continuity/client'
import { Alert } from '@mantine/core'
import { useChannels } from '../on-air/channel-queries.ts'
import { useVideo } from '../schedule/program-queries.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Link } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { readableTimes, utcMoment } from '../shared/times.ts'
import type { IngestStatus } from '../shared/wire-types.ts'
import classes from './ingest.module.css'
import { useRequest } from './request-queries.ts'
import {
  isFetched,
  itemTones,
  itemWords,
  requestMeanings,
  requestTones,
  requestWords,
} from './request-words.ts'

type Item = IngestStatus['items'][number]

/** A request while its videos are fetched, packaged and placed. */
export function RequestPage({ requestId }: { requestId: string }) {
  const { data: request, error } = useRequest(requestId)
  if (isProblem(error, 'request.not_found')) {
    return (
      <p>
        There is no such request. <Link to="/ingest">All requests</Link>
      </p>
    )
  }
  return (
    <>
      <p>
        <Link to="/ingest">All requests</Link>
      </p>
      {request === undefined ? <ReadState error={error} /> : <Progress request={request} />}
    </>
  )
}

function Progress({ request }: { request: IngestStatus }) {
  const { data: channels = [] } = useChannels()
  const nowMs = serverNowMs()
  const { state, reason, warnings, items } = request
  const channel = channels.find((one) => one.linear_channel_id === request.linear_channel_id)
  const videos = items.filter(({ type }) => type === 'VIDEO')
  const fetched = videos.filter((item) => isFetched(item.state)).length
  const packaged = videos.filter((item) => item.state === 'READY').length
  return (
    <>
      <div className={classes['heading']}>
        <h2>{request.program_title}</h2>
        <StatusBadge text={requestWords[state]} tone={requestTones[state]} />
      </div>
      <p className={classes['hint']}>
        {requestMeanings[state]} For{' '}
        {channel === undefined ? (
          'a former channel'
        ) : (
          <Link to={`/on-air/${encodeURIComponent(channel.linear_channel_id)}`}>{channel.title}</Link>
        )}
        , submitted by {request.source_id} at {utcMoment(Date.parse(request.created_date), nowMs)}.
      </p>
      {reason !== null && (
        <Alert color="red" role="alert" className={classes['notice']}>
          {reason.message}
        </Alert>
      )}
      {warnings.length > 0 && (
        <section className={classes['warnings']} aria-label="Warnings">
          <h3>{warnings.length === 1 ? 'A warning' : `${warnings.length} warnings`}</h3>
          <ul>
            {warnings.map(({ code, message }) => (
              <li key={`${code} ${message}`}>{readableTimes(withItemNumbers(message), nowMs)}</li>
            ))}
          </ul>
        </section>
      )}
      <div className={classes['steps']}>
        <Step name="Fetched" done={fetched} of={videos.length} />
        <Step name="Packaged" done={packaged} of={videos.length} />
        <Step name="Placed" done={state === 'SCHEDULED' ? 1 : 0} of={1} />
      </div>
      <ol className={classes['items']} aria-label="Items">
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of a request never changes, and items have no ids.
          <ItemLine key={at} number={at + 1} item={item} />
        ))}
      </ol>
    </>
  )
}

function Step({ name, done, of }: { name: string; done: number; of: number }) {
  return (
    <div className={classes['step']}>
      <span>{name}</span>
      <progress aria-label={name} max={Math.max(1, of)} value={done} data-done={done === of || undefined} />
      <span className={classes['count']}>
        {done} of {of}
      </span>
    </div>
  )
}

/** Messages of the service name an item by its pointer in the request, from 0. */
const withItemNumbers = (message: string): string =>
  message.replaceAll(/\/videos\/(\d+)/g, (_, at: string) => `Item ${Number(at) + 1}`)

function ItemLine({ number, item }: { number: number; item: Item }) {
  const { type, state, progress, reason } = item
  if (type === 'AD_POD') {
    return (
      <li className={classes['item']}>
        <span>{number}. Ad break</span>
      </li>
    )
  }
  return (
    <li className={classes['item']}>
      <span className={classes['name']}>
        <span>
          {number}. <ItemName item={item} />
        </span>
        <StatusBadge text={itemWords[state]} tone={itemTones[state]} />
      </span>
      <span className={classes['bar']}>
        <progress
          aria-label={`Progress of ${item.video_source_id}`}
          max={1}
          value={progress}
          data-done={state === 'READY' || undefined}
        />
        <span className={classes['count']}>{Math.round(progress * 100)} %</span>
      </span>
      {reason !== null && <span className={classes['fault']}>{reason.message}</span>}
    </li>
  )
}

function ItemName({ item: { video_id, video_source_id } }: { item: Item }) {
  return video_id === null ? (
    <span>{video_source_id}</span>
  ) : (
    <VideoName videoId={video_id} otherwise={video_source_id ?? ''} />
  )
}

function VideoName({ videoId, otherwise }: { videoId: string; otherwise: string }) {
  const { data } = useVideo(videoId)
  return <Link to={`/catalog/videos/${encodeURIComponent(videoId)}`}>{data?.title ?? otherwise}</Link>
}
