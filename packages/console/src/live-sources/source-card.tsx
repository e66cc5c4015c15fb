import { Alert, Button } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
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
import { isPossible, mayBeDeleted } from './source-rules.ts'
import { statusText } from './status-words.ts'
import { Still } from './still.tsx'

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
