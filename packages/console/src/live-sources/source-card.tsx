import { isDeletable, liveSourceTransitions, statesOf } from '@continuity/core/live/source-state'
import { Alert, Button } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { commandProblemText } from '../shared/problem-text.ts'
import { keys } from '../shared/query-keys.ts'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge, type Tone } from '../shared/status-badge.tsx'
import { utcMoment } from '../shared/times.ts'
import type { LiveSource } from '../shared/wire-types.ts'
import { AdBreakControl } from './ad-break-control.tsx'
import { SignalHealth } from './signal-health.tsx'
import { DeleteSource, SourceForm } from './source-dialogs.tsx'
import classes from './source-list.module.css'

const tones: Readonly<Record<LiveSource['status'], Tone>> = {
  ACTIVE: 'good',
  PROCESSING: 'busy',
  IDLE: 'quiet',
  ERROR: 'bad',
}

export function SourceCard({ source }: { source: LiveSource }) {
  const { live_source_id: id, name, status, status_detail: detail } = source
  const client = useClient()
  const queries = useQueryClient()
  const mayCall = useMayCall()
  const nowMs = useServerNow()
  // An account may have many: those out of sight are not read.
  const { ref, inViewport: isInSight } = useInViewport<HTMLLIElement>()
  const command = useMutation({
    mutationFn: (what: 'activate' | 'deactivate') => {
      const input = { params: { live_source_id: id } }
      return what === 'activate' ? client.activateLiveSource(input) : client.deactivateLiveSource(input)
    },
    onSuccess: (changed) =>
      queries.setQueryData<readonly LiveSource[]>(keys.liveSources, (list) =>
        list?.map((one) => (one.live_source_id === id ? { ...one, ...changed } : one)),
      ),
  })
  const isOperator = mayCall('activateLiveSource')
  const needs = isOperator ? undefined : `Needs ${rolesFor('activateLiveSource')}`
  return (
    <li ref={ref} className={classes['card']}>
      <div className={classes['head']}>
        <h2 title={name}>{name}</h2>
        <StatusBadge text={status} tone={tones[status]} />
      </div>
      <Still source={source} isInSight={isInSight} />
      <div className={classes['body']}>
        <p>{statusText(source)}</p>
        {detail !== null && (
          <p className={classes['detail']}>
            {detail.message} ({detail.code}, {utcMoment(Date.parse(detail.at), nowMs)})
          </p>
        )}
        <SignalHealth source={source} isInSight={isInSight} />
        {command.error !== null && (
          <Alert color="red" role="alert">
            {commandProblemText(command.error)}
          </Alert>
        )}
        <div className={classes['commands']}>
          {(['activate', 'deactivate'] as const).map((what) => {
            const word = what === 'activate' ? 'Activate' : 'Deactivate'
            const reason = needs ?? (isPossible(what, source) ? undefined : `It is ${status}`)
            return (
              <Button
                key={what}
                size="sm"
                variant={what === 'activate' ? 'filled' : 'default'}
                color="blue.9"
                aria-label={`${word} ${name}`}
                disabled={reason !== undefined}
                title={reason}
                loading={command.isPending && command.variables === what}
                onClick={() => command.mutate(what)}
              >
                {word}
              </Button>
            )
          })}
        </div>
        {status === 'ACTIVE' && isOperator && <AdBreakControl source={source} />}
        {mayCall('changeLiveSource') && <RecordButtons source={source} />}
      </div>
    </li>
  )
}

/** What only administrators do, apart from what is done on the air. */
function RecordButtons({ source }: { source: LiveSource }) {
  const [dialog, setDialog] = useState<'change' | 'delete'>()
  const close = () => setDialog(undefined)
  const reason = mayBeDeleted(source) ? undefined : `It is ${source.status}: deactivate it first`
  return (
    <>
      <div className={classes['commands']}>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Change ${source.name}`}
          onClick={() => setDialog('change')}
        >
          Change
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Delete ${source.name}`}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => setDialog('delete')}
        >
          Delete
        </Button>
      </div>
      {dialog === 'change' && <SourceForm source={source} onClose={close} />}
      {dialog === 'delete' && <DeleteSource source={source} onClose={close} />}
    </>
  )
}

/** Whether a command changes anything: the service has the same table. */
const isPossible = (command: 'activate' | 'deactivate', { status }: LiveSource): boolean =>
  statesOf(status).some((state) => liveSourceTransitions[state][command] !== undefined)

/** The service rejects the others with 409. */
const mayBeDeleted = ({ status }: LiveSource): boolean => statesOf(status).every(isDeletable)

const reasons: Readonly<Record<string, string>> = {
  'source.address_forbidden': 'Its address may not be fetched.',
  'source.unreachable': 'Its server cannot be reached, or the connection breaks.',
  'source.status': 'Its server returns an error.',
  'source.redirects': 'Its address redirects too often.',
  'source.too_slow': 'Its server does not respond in time, or sends too little.',
  'source.too_large': 'A playlist or a segment is too large.',
  'source.not_hls': 'The address does not lead to an HLS playlist.',
  'source.playlist_invalid': 'Its playlist breaks the rules of HLS.',
  'source.encrypted': 'It is encrypted in a way that is not supported.',
  'source.key_invalid': 'Its key does not decrypt the segments.',
  'source.not_live': 'It is a recording, not a live stream.',
  'source.frozen': 'It has stopped: no new segment arrives.',
  'source.undecodable': 'Its segments cannot be decoded.',
  'source.no_video': 'It has no picture.',
  'source.no_audio': 'It has no sound.',
  'source.no_key_frame': 'Its segments do not begin with a key frame.',
  'source.receiver_too_slow': 'The receiver cannot encode it fast enough.',
  'source.no_receiver': 'No receiver has taken it: none runs, or none has capacity.',
}

/** What the status means for an operator. */
function statusText({ status, status_detail: detail }: LiveSource): string {
  return {
    IDLE: 'Not received. Activate it before a cut.',
    PROCESSING: 'Starting or stopping; a start takes 30 seconds at most.',
    ACTIVE: 'Received. Channels can be cut to it.',
    ERROR: detail === null ? 'It is not received.' : (reasons[detail.code] ?? detail.message),
  }[status]
}

/** Every slot has its own address, and slots have 3.2 or 6.4 s. Nothing is read for a tab in the background. */
const SLOT_MS = 6_400

/** What the source has brought last. */
function Still({ source, isInSight }: { source: LiveSource; isInSight: boolean }) {
  const { live_source_id: id, name, status } = source
  const client = useClient()
  const isReceived = status === 'ACTIVE' || status === 'PROCESSING'
  const { data, isError } = useQuery({
    queryKey: keys.preview(id),
    queryFn: async ({ signal }) =>
      (await client.getLiveSourcePreview({ params: { live_source_id: id } }, { signal })).slot,
    enabled: isInSight && isReceived,
    refetchInterval: SLOT_MS,
  })
  return (
    <div className={classes['frame']}>
      {isReceived && data?.still_url !== undefined ? (
        <img className={classes['still']} src={data.still_url} alt={`${name} now`} />
      ) : (
        <span>
          {!isReceived ? 'Not received' : isError ? 'The preview is unavailable' : 'No picture yet'}
        </span>
      )}
    </div>
  )
}
